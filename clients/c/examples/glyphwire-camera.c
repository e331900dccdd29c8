/* Streams a camera to a Glyphwire server, and prints words as they come into view. */
#define _POSIX_C_SOURCE 200809L

#include "glyphwire.h"
#include "mjpeg.h"
#include "options.h"
#include "v4l2.h"
#ifdef GW_OPENSSL
#include "openssl.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "Stream a camera to a Glyphwire server, and print words as they come into view.\n"
    "\n"
    "When the network or the server is slower than the camera, the newest picture\n"
    "wins and older ones are skipped. A connection that is lost is made again, and\n"
    "a server that is not there yet is waited for.\n"
    "Ctrl-C waits for the answers that are due; a second one does not.\n"
    "\n"
    "USAGE: glyphwire-camera [options]\n"
    "\n"
    "EXAMPLES\n"
    "  glyphwire-camera --host 192.168.1.20 --size 1280x720\n"
    "  rpicam-vid -t 0 --codec mjpeg -o - | glyphwire-camera --host box --mjpeg -\n"
    "  ffmpeg -loglevel error -re -i walk.mp4 -c:v mjpeg -q:v 3 -f mjpeg - |\n"
    "      glyphwire-camera --mjpeg -\n"
    "\n"
    "OPTIONS\n"
    "  --host <host>         The server's name or address. (default: 127.0.0.1)\n"
    "  --port <port>         The server's port. (default: 7411)\n"
    "  --tls                 Use TLS, and trust the system's authorities.\n"
    "  --tls-ca <file>       Use TLS, and trust the authorities of this PEM file.\n"
    "  --token-file <file>   A file with the secret that the server asks for;\n"
    "                        GLYPHWIRE_TOKEN_FILE names one otherwise.\n"
    "  --device <device>     The camera. (default: /dev/video0)\n"
    "  --format <format>     What to ask the camera for: mjpeg, or yuyv, of which the\n"
    "                        gray part is sent. (default: mjpeg, or else yuyv)\n"
    "  --size <WxH>          The size to ask the camera for.\n"
    "  --fps <rate>          The frames a second to ask the camera for.\n"
    "  --mjpeg <file>        Read JPEG pictures from a file, a pipe, or - for standard\n"
    "                        input, instead of a camera.\n"
    "  --every               Leave no picture out: read no faster than they are sent.\n"
    "                        It is a failure then if one is larger than --max-frame,\n"
    "                        is not read, or if --find finds nothing.\n"
    "  --max-frame <bytes>   The largest picture of --mjpeg. (default: 1048576)\n"
    "  --orientation <1-8>   How the camera is held, as in EXIF: 6 is turned a quarter,\n"
    "                        its top to the right, 3 is upside down. (default: 0, the\n"
    "                        JPEG's own, or else upright)\n"
    "  --level <level>       Which models read: fast or accurate. (default: the server's)\n"
    "  --find <text>         Print only matches of this text or /expression/; may be\n"
    "                        repeated.\n"
    "  --option <name=value> Any other option of the protocol; may be repeated.\n"
    "  --no-wait             End if the server is not there at the start.\n"
    "  --json                Print the server's lines instead of words.\n"
    "  --help                Show this.\n"
    "\n"
    "EXIT STATUS\n"
    "  0  the stream ended as it should\n"
    "  1  the server or the camera cannot be used, or was lost for good; the output\n"
    "     cannot be written; or with --every a picture was left out or not read, or\n"
    "     --find found nothing\n"
    "  2  wrong usage\n";

/* ------------------------------------------------------------------------------------------------ What is asked for */

/* As many as a server takes. */
enum { MAX_PATTERNS = 32 };
enum { MAX_OPTIONS = 32 };

typedef struct wishes {
    const char *host, *token_file, *device, *pictures, *level, *authorities;
    /* Ends with a NULL. */
    const char *find[MAX_PATTERNS + 1];
    size_t find_count;
    const char *options[MAX_OPTIONS];
    size_t option_count;
    uint16_t port;
    camera_format format;
    uint32_t width, height, fps;
    gw_orientation orientation;
    size_t max_frame;
    bool takes_every, prints_json, waits, speaks_tls;
} wishes;

static void stop(const char *what, const char *which) {
    fprintf(stderr, "glyphwire-camera: %s%s%s; --help says what there is\n", what, which[0] == 0 ? "" : ": ", which);
    exit(2);
}

static unsigned long number(const char *name, const char *text, unsigned long least, unsigned long most) {
    char *rest = NULL;
    errno = 0;
    unsigned long value = strtoul(text, &rest, 10);
    if (text[0] < '0' || text[0] > '9' || *rest != 0 || errno != 0 || value < least || value > most) {
        char what[96];
        snprintf(what, sizeof what, "%s takes a number of %lu...%lu, not", name, least, most);
        stop(what, text);
    }
    return value;
}

static void complain_of_output(void) {
    fprintf(stderr, "glyphwire-camera: the output cannot be written: %s\n", strerror(errno));
}

static void tell_help(void) {
    bool is_told = fputs(help, stdout) != EOF && fflush(stdout) == 0;
    if (!is_told) complain_of_output();
    exit(is_told ? 0 : 1);
}

static void set_size(wishes *w, const char *text) {
    unsigned width = 0, height = 0;
    char end = 0;
    if (sscanf(text, "%5ux%5u%c", &width, &height, &end) != 2 || width == 0 || height == 0) {
        stop("--size takes a size such as 1280x720, not", text);
    }
    w->width = width;
    w->height = height;
}

/* A text that JSON can hold. */
static const char *text_of(const char *name, const char *value) {
    if (!options_is_utf8(value)) stop("not UTF-8: the value of", name);
    return value;
}

/* An address of IPv6 without the brackets that it has in a URL. */
static const char *without_brackets(char *host) {
    size_t length = strlen(host);
    if (length < 2 || host[0] != '[' || host[length - 1] != ']') return host;
    host[length - 1] = 0;
    return host + 1;
}

static void add_pattern(wishes *w, const char *pattern) {
    if (w->find_count == MAX_PATTERNS) stop("too many of --find", "");
    w->find[w->find_count++] = pattern;
}

/* The name of a file; an empty one, as of a variable that is not set, must not stand for none. */
static const char *file_of(const char *name, const char *value) {
    if (value[0] == 0) stop("no file is named by", name);
    return value;
}

static void add_option(wishes *w, const char *pair) {
    if (!options_is_pair(pair)) stop("--option takes NAME=VALUE, not", pair);
    if (w->option_count == MAX_OPTIONS) stop("too many of --option", "");
    w->options[w->option_count++] = pair;
}

static void set_wish(wishes *w, const char *name, char *value) {
    if (strcmp(name, "--host") == 0) w->host = without_brackets(value);
    else if (strcmp(name, "--port") == 0) w->port = (uint16_t)number(name, value, 1, 65535);
    else if (strcmp(name, "--token-file") == 0) w->token_file = file_of(name, value);
    else if (strcmp(name, "--tls-ca") == 0) w->authorities = file_of(name, value);
    else if (strcmp(name, "--find") == 0) add_pattern(w, text_of(name, value));
    else if (strcmp(name, "--option") == 0) add_option(w, text_of(name, value));
    else if (strcmp(name, "--device") == 0) w->device = value;
    else if (strcmp(name, "--mjpeg") == 0) w->pictures = value;
    else if (strcmp(name, "--size") == 0) set_size(w, value);
    else if (strcmp(name, "--fps") == 0) w->fps = (uint32_t)number(name, value, 1, 1000);
    else if (strcmp(name, "--max-frame") == 0) w->max_frame = number(name, value, 1024, 1ul << 30);
    else if (strcmp(name, "--orientation") == 0) w->orientation = (gw_orientation)number(name, value, 0, 8);
    else if (strcmp(name, "--level") == 0) w->level = text_of(name, value);
    else if (strcmp(name, "--format") == 0 && strcmp(value, "mjpeg") == 0) w->format = CAMERA_MJPEG;
    else if (strcmp(name, "--format") == 0 && strcmp(value, "yuyv") == 0) w->format = CAMERA_YUYV;
    else if (strcmp(name, "--format") == 0) stop("--format is mjpeg or yuyv, not", value);
    else stop("unknown option", name);
}

static bool set_flag(wishes *w, const char *name) {
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) tell_help();
    else if (strcmp(name, "--every") == 0) w->takes_every = true;
    else if (strcmp(name, "--json") == 0) w->prints_json = true;
    else if (strcmp(name, "--no-wait") == 0) w->waits = false;
    else if (strcmp(name, "--tls") == 0) w->speaks_tls = true;
    else return false;
    return true;
}

/* Whether all that is printed is words, and there will be none. */
static bool prints_nothing(const wishes *w) {
    const char *recognize = "";
    for (size_t i = 0; i < w->option_count; i++) {
        if (options_is_named(w->options[i], "recognize")) recognize = strchr(w->options[i], '=') + 1;
    }
    return !w->prints_json && strcmp(recognize, "false") == 0;
}

static wishes read_wishes(int count, char **arguments) {
    wishes w = {.host = "127.0.0.1", .device = "/dev/video0", .max_frame = 1048576, .waits = true};
    const char *token_file = getenv("GLYPHWIRE_TOKEN_FILE");
    if (token_file != NULL && token_file[0] != 0) w.token_file = token_file;
    for (int i = 1; i < count; i++) {
        char *name = arguments[i], *equals = strchr(name, '=');
        if (set_flag(&w, name)) continue;
        if (name[0] != '-') stop("not an option", name);
        if (equals == NULL && i + 1 == count) stop("unknown option, or one without its value", name);
        if (equals != NULL) *equals = 0;
        set_wish(&w, name, equals != NULL ? equals + 1 : arguments[++i]);
    }
    w.speaks_tls |= w.authorities != NULL;
    if (prints_nothing(&w)) stop("with recognize=false there are no words to print; add --json", "");
    return w;
}

/* ------------------------------------------------------------------------------------------------ Options of the stream */

/* What a server takes (Protocol.md, max_configure_bytes), and what a file with tokens may have. */
enum { OPTION_BYTES = 65536, TOKEN_FILE_BYTES = 65536, MAX_TOKEN_BYTES = 4096 };

static char options[OPTION_BYTES + 1];

/* A file with a token, without the spaces around it. */
static const char *read_token_file(const char *path) {
    static char text[TOKEN_FILE_BYTES + 1];
    FILE *file = fopen(path, "rb");
    if (file == NULL) stop(strerror(errno), path);
    size_t length = fread(text, 1, TOKEN_FILE_BYTES, file);
    if (ferror(file)) stop(strerror(errno), path);
    fclose(file);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) length--;
    text[length] = 0;
    return text + strspn(text, " \t\r\n");
}

/* The first token of several, in JSON as a server takes them, as the option that it is. */
static const char *first_token(const char *tokens, const char *path) {
    static char pair[TOKEN_FILE_BYTES + sizeof "token="];
    size_t length = 0;
    const char *token = options_first_token(tokens, &length);
    if (token == NULL) stop("no token in", path);
    snprintf(pair, sizeof pair, "token=%.*s", (int)length, token);
    return pair;
}

/* Whether an option is given by its name, behind so many others. */
static bool is_given(const wishes *w, const char *name, size_t behind) {
    for (size_t i = behind; i < w->option_count; i++) {
        if (options_is_named(w->options[i], name)) return true;
    }
    return false;
}

static void add_to_options(const char *pair) {
    if (options_add(options, sizeof options, pair)) return;
    fprintf(stderr, "glyphwire-camera: with %.*s there are more than %d bytes of options\n", (int)strcspn(pair, "="), pair,
            OPTION_BYTES);
    exit(2);
}

/* What is given by its name wins, and the last of those that have the same. */
static void write_options(const wishes *w) {
    bool wants_token = w->token_file != NULL && !is_given(w, "token", 0);
    const char *token = wants_token ? read_token_file(w->token_file) : NULL;
    bool is_list = token != NULL && token[0] == '{';
    gw_options o = {0};
    if (!is_given(w, "client", 0)) o.client = "glyphwire-camera";
    if (!is_given(w, "level", 0)) o.level = w->level;
    /* Words are enough for printing; leaving the characters out makes a line a quarter as long. */
    if (!is_given(w, "characters", 0)) o.characters = w->prints_json ? GW_YES : GW_NO;
    if (!is_given(w, "delivery", 0) && w->takes_every) o.delivery = "every";
    if (!is_given(w, "find", 0) && w->find_count > 0) o.find = w->find;
    if (token != NULL && !is_list) {
        if (token[0] == 0 || strlen(token) > MAX_TOKEN_BYTES) stop("no token of 1...4096 bytes in", w->token_file);
        o.token = token;
    }
    if (!gw_write_options(&o, options, sizeof options)) stop("more than 64 KiB of --find and --level", "");
    if (is_list) add_to_options(first_token(token, w->token_file));
    for (size_t i = 0; i < w->option_count; i++) {
        if (!is_given(w, w->options[i], i + 1)) add_to_options(w->options[i]);
    }
}

/* ------------------------------------------------------------------------------------------------ Words in view */

enum { WORDS_IN_VIEW = 512, FORGOTTEN_AFTER_MS = 2000, LINE_BYTES = 1 << 20 };

static gw_connection connection;

typedef struct show {
    const wishes *wishes;
    camera *camera;
    uint64_t started_ms, offered, read, not_read, found, latency_us;
    bool is_away, output_is_lost;
    /** Words by a hash of their text, and when each was last seen. */
    struct {
        uint64_t hash, seen_ms;
    } words[WORDS_IN_VIEW];
} show;

static uint64_t now_us(void) {
    /* The clock of a camera's time stamps. */
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* Notes that a word is in view; true if it has just come. */
static bool comes_into_view(show *s, const gw_text *word, uint64_t now_ms) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < word->length; i++) hash = (hash ^ (uint8_t)word->text[i]) * 1099511628211u;
    size_t oldest = 0;
    for (size_t i = 0; i < WORDS_IN_VIEW; i++) {
        if (s->words[i].hash == hash && s->words[i].seen_ms != 0) {
            bool was_away = now_ms - s->words[i].seen_ms > FORGOTTEN_AFTER_MS;
            s->words[i].seen_ms = now_ms;
            return was_away;
        }
        if (s->words[i].seen_ms < s->words[oldest].seen_ms) oldest = i;
    }
    s->words[oldest].hash = hash;
    s->words[oldest].seen_ms = now_ms;
    return true;
}

/* Sends on what was printed; where that cannot be done, there is no more to do. */
static void flush_output(show *s, bool is_printed) {
    if ((is_printed && fflush(stdout) == 0) || s->output_is_lost) return;
    complain_of_output();
    s->output_is_lost = true;
    gw_close(&connection);
}

/* Whether a text is what is to be printed: what was sought, or else words; of changes, what has come. */
static bool is_wanted(const show *s, const gw_text *text) {
    if (text->kind == GW_CHANGE) return strcmp(text->state, "lost") != 0;
    return text->kind == (s->wishes->find_count > 0 ? GW_MATCH : GW_WORD);
}

static void print_word(void *context, const gw_text *text) {
    show *s = context;
    uint64_t now_ms = now_us() / 1000;
    if (!is_wanted(s, text)) return;
    s->found++;
    if (s->wishes->prints_json || !comes_into_view(s, text, now_ms)) return;
    double x = (text->box[0] + text->box[4]) / 2, y = (text->box[1] + text->box[5]) / 2;
    double seconds = (double)(now_ms - s->started_ms) / 1000;
    flush_output(s, printf("%7.1f s  %-24s  at %.0f, %.0f\n", seconds, text->text, x, y) >= 0);
}

/* Prints the line of a result; that of a lost frame, which no server has sent, has the members of an error. */
static void print_line(show *s, const gw_result *result) {
    if (result->line != NULL) {
        flush_output(s, puts(result->line) != EOF);
    } else if (result->line_length > 0) {
        fprintf(stderr, "glyphwire-camera: a line of %zu bytes is too long to be printed\n", result->line_length);
    } else {
        flush_output(s, printf("{\"type\":\"result\",\"sequence\":%llu,\"captured_us\":%llu,\"status\":\"error\",",
                               (unsigned long long)result->sequence, (unsigned long long)result->captured_us) >= 0);
        flush_output(s, printf("\"code\":\"%s\",\"message\":\"%s\"}\n", result->code, result->message) >= 0);
    }
}

static void count_result(void *context, const gw_result *result) {
    show *s = context;
    uint64_t now = now_us();
    if (s->wishes->prints_json) print_line(s, result);
    if (strcmp(result->status, "ok") == 0) {
        s->read++;
        if (now > result->captured_us) s->latency_us += now - result->captured_us;
        return;
    }
    s->not_read++;
    if (strcmp(result->status, "error") == 0 && strcmp(result->code, "connection_lost") != 0) {
        fprintf(stderr, "glyphwire-camera: frame %llu: %s (%s)\n", (unsigned long long)result->sequence, result->message,
                result->code);
    }
}

static void take_back(void *context, const gw_frame *frame, gw_fate fate) {
    show *s = context;
    (void)fate;
    if (s->camera != NULL) camera_release(s->camera, frame->owner);
    else mjpeg_release(frame->owner);
}

/* ------------------------------------------------------------------------------------------------ The loop */

static int stop_pipe[2];

static void stop_asked(int signal) {
    (void)signal;
    int saved = errno;
    ssize_t written = write(stop_pipe[1], "", 1);
    (void)written;
    errno = saved;
}

static void tell_state(void *context, gw_state state, int error) {
    show *s = context;
    bool is_first = connection.counts.connections == 0;
    /* Once for each loss, and not for each attempt. */
    if (state == GW_PAUSING && !s->is_away) {
        const char *next = is_first ? "waiting for it" : "connecting again";
        fprintf(stderr, "glyphwire-camera: %s; %s\n", connection.message, next);
    }
    if (state == GW_PAUSING || state == GW_OPEN) s->is_away = state == GW_PAUSING;
    if (state == GW_OPEN && connection.counts.connections > 1) fprintf(stderr, "glyphwire-camera: connected again\n");
    bool is_told = error == GW_FINISHED || s->output_is_lost;
    if (state == GW_ENDED && !is_told) fprintf(stderr, "glyphwire-camera: %s\n", connection.message);
}

static void catch_signals(void) {
    if (pipe(stop_pipe) != 0) exit(1);
    fcntl(stop_pipe[1], F_SETFL, O_NONBLOCK);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop_asked;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* Takes a picture from where they come; false once there will be no more. */
static bool take_picture(show *s, mjpeg_reader *reader, int *exit_status) {
    gw_frame frame;
    memset(&frame, 0, sizeof frame);
    if (s->camera != NULL) {
        int outcome = camera_read(s->camera, &frame);
        if (outcome < 0) {
            fprintf(stderr, "glyphwire-camera: the camera is gone: %s\n", strerror(errno));
            *exit_status = 1;
        }
        if (outcome <= 0) return outcome == 0;
    } else {
        mjpeg_slot *picture = mjpeg_read(reader);
        if (picture == NULL) return !reader->has_ended;
        frame.format = GW_JPEG;
        frame.payload = picture->bytes;
        frame.length = picture->length;
        frame.owner = picture;
        frame.captured_us = now_us();
    }
    frame.orientation = s->wishes->orientation;
    /* Pictures that are too large keep their numbers. */
    frame.is_numbered = true;
    frame.sequence = s->offered++ + reader->too_large;
    int error = gw_offer(&connection, &frame);
    if (error == 0) return true;
    take_back(s, &frame, GW_NOT_SENT);
    if (error == GW_ERROR_MESSAGE_TOO_LARGE) {
        fprintf(stderr, "glyphwire-camera: %s\n", connection.message);
        *exit_status = 1;
    }
    return error == GW_BUSY;
}

/* Whether not all was read, or not found, where every picture counts. */
static bool has_left_out(const show *s, const mjpeg_reader *reader) {
    bool has_missed = connection.counts.not_sent > 0 || s->not_read > 0 || reader->too_large > 0;
    return has_missed || (s->wishes->find_count > 0 && s->found == 0);
}

static int stream(show *s, mjpeg_reader *reader) {
    bool is_taking = true, is_ending = false;
    int exit_status = 0, outcome = 0, stops = 0;
    while (outcome == 0) {
        if (!is_taking && !is_ending) is_ending = gw_end(&connection) == 0;
        bool wants = is_taking && (gw_is_ready(&connection) || !s->wishes->takes_every) && connection.counts.connections > 0;
        bool has_more = wants && s->camera == NULL && mjpeg_has_more(reader);
        struct pollfd waits[3] = {{stop_pipe[0], POLLIN, 0},
                                  {gw_poll_fd(&connection), gw_poll_events(&connection), 0},
                                  {wants ? (s->camera != NULL ? s->camera->fd : reader->fd) : -1, POLLIN, 0}};
        poll(waits, 3, has_more ? 0 : gw_timeout(&connection));
        if (waits[0].revents != 0) {
            char byte;
            is_taking = false;
            if (read(stop_pipe[0], &byte, 1) == 1 && ++stops > 1) gw_close(&connection);
        }
        outcome = gw_work(&connection);
        if (is_taking && outcome == 0 && (has_more || waits[2].revents != 0)) {
            is_taking = take_picture(s, reader, &exit_status);
        }
        /* Without a connection there is nobody to say the end to. */
        if (!is_taking && connection.state == GW_PAUSING) gw_close(&connection);
    }
    if (s->wishes->takes_every && has_left_out(s, reader)) exit_status = 1;
    bool was_stopped = outcome == GW_ERROR_CLOSED && stops > 0 && !s->output_is_lost;
    return outcome == GW_FINISHED || was_stopped ? exit_status : 1;
}

/* Sets `transport`, for a connection with TLS. */
static void secure(gw_settings *settings, const wishes *w) {
#ifdef GW_OPENSSL
    static gw_openssl tls;
    if (!gw_openssl_open(&tls, w->host, w->authorities)) stop(tls.message, w->authorities == NULL ? "" : w->authorities);
    settings->transport = &tls.transport;
#else
    (void)settings;
    (void)w;
    stop("built without TLS; install OpenSSL's headers (Debian: libssl-dev) and build it again", "");
#endif
}

static void summarize(const show *s, const mjpeg_reader *reader) {
    const gw_counts *counts = &connection.counts;
    fprintf(stderr, "%llu pictures, %llu sent, %llu left out, %llu read, %llu not read", (unsigned long long)counts->taken,
            (unsigned long long)(counts->sent + counts->lost), (unsigned long long)counts->not_sent,
            (unsigned long long)s->read, (unsigned long long)s->not_read);
    if (s->read > 0) fprintf(stderr, ", %.1f ms each on average", (double)s->latency_us / 1000 / (double)s->read);
    fputc('\n', stderr);
    if (reader->too_large > 0) fprintf(stderr, "%u pictures were larger than --max-frame\n", reader->too_large);
}

int main(int count, char **arguments) {
    static show s;
    static camera video;
    static mjpeg_reader reader;
    static char line[LINE_BYTES];
    /* A reader that has gone is an error of writing, and so is a server that has. */
    signal(SIGPIPE, SIG_IGN);
    wishes w = read_wishes(count, arguments);
    write_options(&w);
    catch_signals();
    s.wishes = &w;
    s.started_ms = now_us() / 1000;

    uint8_t *memory = NULL;
    if (w.pictures != NULL) {
        int fd = strcmp(w.pictures, "-") == 0 ? STDIN_FILENO : open(w.pictures, O_RDONLY);
        if (fd < 0) stop(strerror(errno), w.pictures);
        memory = malloc(MJPEG_SLOTS * w.max_frame);
        if (memory == NULL) stop("not enough memory for --max-frame", "");
        /* Claimed now, so that a board that has too little says so at once. Zeros would be left for later. */
        memset(memory, 0xFF, MJPEG_SLOTS * w.max_frame);
        mjpeg_start(&reader, fd, memory, w.max_frame);
    } else {
        s.camera = &video;
        if (!camera_start(&video, w.device, w.format, w.width, w.height, w.fps)) {
            fprintf(stderr, "glyphwire-camera: %s\n", video.message);
            camera_stop(&video);
            return 1;
        }
    }

    gw_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.host = w.host;
    settings.port = w.port;
    settings.options = options;
    settings.max_attempts = UINT32_MAX;
    settings.waits = w.waits;
    if (w.speaks_tls) secure(&settings, &w);
    settings.max_unanswered = w.takes_every ? 0 : 2;
    settings.line_buffer = w.prints_json ? line : NULL;
    settings.line_buffer_bytes = sizeof line;
    settings.context = &s;
    settings.on_text = print_word;
    settings.on_result = count_result;
    settings.on_released = take_back;
    settings.on_state = tell_state;

    int exit_status = gw_start(&connection, &settings) == 0 ? stream(&s, &reader) : 1;
    summarize(&s, &reader);
    if (s.camera != NULL) camera_stop(&video);
    free(memory);
    return exit_status;
}
