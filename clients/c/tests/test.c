/*
 * Tests of the client against a stub server in the same thread: each step is the test's own, so nothing depends on time.
 * `test` runs all; it prints one line for each that fails, and how many there were.
 */
#define _POSIX_C_SOURCE 200809L

#include "../glyphwire.h"
#include "../examples/mjpeg.h"
#include "../examples/options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef GW_LZ4
#include <lz4.h>
#endif

static int failures, checks;
static const char *current;

#define CHECK(claim)                                                                         \
    do {                                                                                     \
        checks++;                                                                            \
        if (!(claim)) {                                                                      \
            failures++;                                                                      \
            printf("FAILED %s, line %d: %s\n", current, __LINE__, #claim);                   \
        }                                                                                    \
    } while (0)

/* ------------------------------------------------------------------------------------------------ The stub server */

#define HELLO                                                                                                            \
    "{\"type\":\"hello\",\"server\":\"glyphwire\",\"version\":\"1.0.0\",\"protocol\":1,\"auth\":\"none\",\"limits\":"    \
    "{\"max_message_bytes\":1000000,\"max_pixels\":5,\"max_side\":6,\"max_configure_bytes\":7},\"levels\":[\"fast\"],"   \
    "\"features\":[]}\n"
#define RESULT(sequence) "{\"type\":\"result\",\"sequence\":" sequence ",\"captured_us\":0,\"status\":\"ok\",\"lines\":[]}\n"

static int listener = -1, peer = -1;
static uint16_t port;

static void listen_again(void) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int on = 1;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* Small, so that large messages need many writes. */
    int small = 4096;
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) {
        perror("listen");
        exit(1);
    }
    getsockname(listener, (struct sockaddr *)&address, &length);
    port = ntohs(address.sin_port);
}

static void hang_up(void) {
    if (peer != -1) close(peer);
    peer = -1;
}

static void stop_listening(void) {
    close(listener);
    listener = -1;
}

static void say(const char *text) {
    size_t length = strlen(text), said = 0;
    while (said < length) {
        ssize_t count = send(peer, text + said, length - said, MSG_NOSIGNAL);
        if (count <= 0) return;
        said += (size_t)count;
    }
}

/* ------------------------------------------------------------------------------------------------ What the client tells */

static gw_connection connection;
static char line_buffer[2048];
static char diary[1 << 16];
static int last_error;
static bool closes_at_word, closes_at_result;

static void note(const char *text) {
    size_t length = strlen(diary);
    snprintf(diary + length, sizeof diary - length, "%s\n", text);
}

static void on_text(void *context, const gw_text *text) {
    static const char *const kinds[] = {"line", "word", "character", "candidate", "match", "change"};
    char entry[GW_TEXT_BYTES + 200];
    (void)context;
    snprintf(entry, sizeof entry, "%s %u.%u.%u %s%s %.3f %.1f,%.1f %.1f,%.1f", kinds[text->kind], (unsigned)text->line,
             (unsigned)(text->kind == GW_LINE ? 0 : text->word), (unsigned)(text->kind == GW_CHARACTER ? text->character : 0),
             text->text, text->is_cut ? "..." : "", text->confidence, text->box[0], text->box[1], text->box[6], text->box[7]);
    note(entry);
    if (closes_at_word) gw_close(&connection);
}

static void on_result(void *context, const gw_result *result) {
    char entry[256];
    (void)context;
    snprintf(entry, sizeof entry, "result %llu %s %s", (unsigned long long)result->sequence, result->status, result->code);
    note(entry);
    if (closes_at_result) gw_close(&connection);
}

static void on_answer(void *context, const gw_answer *answer) {
    char entry[256];
    (void)context;
    snprintf(entry, sizeof entry, "%s %s", answer->type, answer->code);
    note(entry);
}

static void on_released(void *context, const gw_frame *frame, gw_fate fate) {
    static const char *const fates[] = {"sent", "lost", "not sent"};
    char entry[64];
    (void)context;
    snprintf(entry, sizeof entry, "%s %llu", fates[fate], (unsigned long long)frame->sequence);
    note(entry);
}

static void on_state(void *context, gw_state state, int error) {
    (void)context;
    (void)state;
    last_error = error;
}

static gw_settings settings(void) {
    gw_settings s;
    memset(&s, 0, sizeof s);
    s.host = "127.0.0.1";
    s.port = port;
    s.line_buffer = line_buffer;
    s.line_buffer_bytes = sizeof line_buffer;
    s.on_text = on_text;
    s.on_result = on_result;
    s.on_answer = on_answer;
    s.on_released = on_released;
    s.on_state = on_state;
    return s;
}

static bool diary_is(const char *expected) {
    bool is_same = strcmp(diary, expected) == 0;
    if (!is_same) printf("--- expected\n%s--- found\n%s", expected, diary);
    return is_same;
}

/* Lets the client work until it has nothing to do but wait for the server. */
static int settle(void) {
    for (;;) {
        struct pollfd wait = {gw_poll_fd(&connection), gw_poll_events(&connection), 0};
        if (connection.state == GW_ENDED || wait.fd < 0 || poll(&wait, 1, 0) == 0) return gw_work(&connection);
        gw_work(&connection);
    }
}

/* The client's next message, whole; the client works meanwhile. */
static size_t hear(uint8_t *message, size_t room) {
    size_t heard = 0, length = 32;
    while (heard < length) {
        ssize_t count = recv(peer, message + heard, (length < room ? length : room) - heard, MSG_DONTWAIT);
        if (count == 0) return 0;
        if (count < 0) {
            gw_wait(&connection, 10);
            continue;
        }
        heard += (size_t)count;
        if (heard == 32) length = 4 + ((size_t)message[0] << 24 | (size_t)message[1] << 16 | (size_t)message[2] << 8 | message[3]);
    }
    return heard;
}

static void answer_call(const char *greeting) {
    struct pollfd wait = {listener, POLLIN, 0};
    /* Pauses between attempts pass here. */
    while (poll(&wait, 1, 0) == 0) gw_wait(&connection, 10);
    peer = accept(listener, NULL, NULL);
    int on = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    say(greeting);
    while (connection.state == GW_CONNECTING) gw_wait(&connection, -1);
}

/* Has the system take little of what is sent. */
static void narrow(void) {
    int small = 4096;
    setsockopt(gw_poll_fd(&connection), SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
}

/* Connects and greets. */
static void begin(gw_settings s) {
    hang_up();
    diary[0] = 0;
    last_error = 0;
    closes_at_word = closes_at_result = false;
    CHECK(gw_start(&connection, &s) == 0);
    answer_call(HELLO);
    while (s.options == NULL && connection.state == GW_GREETING) gw_wait(&connection, -1);
    diary[0] = 0;
}

static gw_frame frame(const char *payload) {
    gw_frame f;
    memset(&f, 0, sizeof f);
    f.format = GW_JPEG;
    f.payload = payload;
    f.length = strlen(payload);
    return f;
}

static int offer(const char *payload) {
    gw_frame f = frame(payload);
    return gw_offer(&connection, &f);
}

/* What a line is understood as, or the error it causes. */
static void receive(const char *line) {
    begin(settings());
    CHECK(offer("x") == 0);
    settle();
    diary[0] = 0;
    say(line);
    gw_wait(&connection, -1);
    settle();
}

/* ------------------------------------------------------------------------------------------------ Tests */

static void a_frame_goes_out_as_the_protocol_says(void) {
    static const uint8_t expected[] = {0, 0, 0, 31, 1, 5, 6, 0, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFE, 0xDC, 0xBA,
                                       0x98, 0x76, 0x54, 0x32, 0x10, 0x12, 0x34, 0x56, 0x78, 0xCA, 0xFE, 0xBA, 0xBE, 'a', 'b', 'c'};
    uint8_t message[64];
    begin(settings());
    gw_frame f = frame("abc");
    f.format = GW_GRAY;
    f.orientation = GW_RIGHT;
    f.is_numbered = true;
    f.sequence = 0x0123456789ABCDEF;
    f.captured_us = 0xFEDCBA9876543210;
    f.width = 0x1234;
    f.height = 0x5678;
    f.bytes_per_row = 0xCAFEBABE;
    CHECK(gw_offer(&connection, &f) == 0);
    CHECK(hear(message, sizeof message) == sizeof expected);
    CHECK(memcmp(message, expected, sizeof expected) == 0);
    CHECK(offer("d") == 0);
    hear(message, sizeof message);
    CHECK(message[15] == 0xF0 && message[14] == 0xCD);
}

static void the_greeting_is_told(void) {
    begin(settings());
    CHECK(connection.state == GW_OPEN);
    CHECK(strcmp(connection.hello.version, "1.0.0") == 0);
    CHECK(strcmp(connection.hello.auth, "none") == 0);
    CHECK(connection.hello.max_message_bytes == 1000000 && connection.hello.max_pixels == 5);
    CHECK(connection.hello.max_side == 6 && connection.hello.max_configure_bytes == 7);
}

#define RICH                                                                                                              \
    "{\"type\":\"result\",\"sequence\":1,\"captured_us\":18446744073709551615,\"status\":\"ok\",\"width\":640,\"height\":480,"\
    "\"orientation\":8,\"level\":\"fast\",\"coordinates\":\"sent\",\"text\":\"A\\u00df \\ud83d\\ude00\",\"lines\":[{\"text\":" \
    "\"A\\u00df \\ud83d\\ude00\",\"confidence\":0.981,\"box\":[1,2.5,3,4,5,6,-7e0,8.25],\"candidates\":[{\"text\":\"no\","    \
    "\"confidence\":0.1}],\"words\":[{\"text\":\"A\\u00df\",\"confidence\":1,\"box\":[0.1,2,3,4,5,6,7,8],\"id\":12,"          \
    "\"characters\":[{\"text\":\"A\",\"confidence\":0.5,\"box\":[1,2,3,4,5,6,7,8]},{\"text\":\"\\u00df\",\"confidence\":0.25," \
    "\"box\":[9,2,3,4,5,6,7,8]}]},{\"text\":\"\\ud83d\\ude00\",\"confidence\":0.75,\"box\":[1,2,3,4,5,6,7,8]}]},"           \
    "{\"later\":[[{\"words\":[{}]}],null],\"text\":\"B\\n\\\"\\/\",\"box\":[],\"confidence\":1e-2}],\"timings_us\":"          \
    "{\"queue\":1,\"decode\":2,\"detect\":3,\"recognize\":4,\"total\":5,\"age\":6}}\n"

static const char rich_diary[] =
    "candidate 0.0.0 no 0.100 0.0,0.0 0.0,0.0\n"
    "character 0.0.0 A 0.500 1.0,2.0 7.0,8.0\n"
    "character 0.0.1 \xC3\x9F 0.250 9.0,2.0 7.0,8.0\n"
    "word 0.0.0 A\xC3\x9F 1.000 0.1,2.0 7.0,8.0\n"
    "word 0.1.0 \xF0\x9F\x98\x80 0.750 1.0,2.0 7.0,8.0\n"
    "line 0.0.0 A\xC3\x9F \xF0\x9F\x98\x80 0.981 1.0,2.5 -7.0,8.2\n"
    "line 1.0.0 B\n\"/ 0.010 0.0,0.0 0.0,0.0\n"
    "result 1 ok \n";

static void a_result_is_told_with_all_its_parts(void) {
    receive(RICH);
    CHECK(diary_is(rich_diary));
    CHECK(connection.counts.results == 1);
}

static void a_result_is_the_same_wherever_it_is_cut(void) {
    for (size_t cut = 1; cut < sizeof RICH - 1; cut++) {
        char first[sizeof RICH];
        memcpy(first, RICH, cut);
        first[cut] = 0;
        receive(first);
        say(&RICH[cut]);
        gw_wait(&connection, -1);
        settle();
        if (!diary_is(rich_diary)) {
            CHECK(cut == 0);
            return;
        }
    }
    checks++;
}

static gw_result seen;

static void keep_result(void *context, const gw_result *result) {
    (void)context;
    seen = *result;
}

static void receive_and_keep(const char *line) {
    gw_settings s = settings();
    s.on_result = keep_result;
    begin(s);
    memset(&seen, 0, sizeof seen);
    CHECK(offer("x") == 0);
    settle();
    say(line);
    gw_wait(&connection, -1);
    settle();
}

static void a_result_has_every_member_of_its_line(void) {
    receive_and_keep(RICH);
    CHECK(seen.sequence == 1 && seen.captured_us == UINT64_MAX);
    CHECK(seen.width == 640 && seen.height == 480 && seen.orientation == GW_LEFT);
    CHECK(strcmp(seen.level, "fast") == 0 && strcmp(seen.coordinates, "sent") == 0);
    CHECK(seen.line_count == 2 && seen.word_count == 2);
    CHECK(seen.timings_us.queue == 1 && seen.timings_us.decode == 2 && seen.timings_us.detect == 3);
    CHECK(seen.timings_us.recognize == 4 && seen.timings_us.total == 5);
    CHECK(seen.line != NULL && seen.line_length == sizeof RICH - 2 && memcmp(line_buffer, RICH, sizeof RICH - 2) == 0);
    receive_and_keep("{\"reason\":\"superseded\",\"by\":9,\"status\":\"dropped\",\"sequence\":1,\"type\":\"result\"}\n");
    CHECK(strcmp(seen.status, "dropped") == 0 && strcmp(seen.reason, "superseded") == 0 && seen.has_by && seen.by == 9);
    CHECK(connection.state == GW_OPEN);
}

static void a_word_may_have_an_id(void) {
    receive(RICH);
    CHECK(connection.texts_[GW_WORD].has_id == false);
    receive("{\"type\":\"result\",\"sequence\":1,\"status\":\"ok\",\"lines\":[{\"words\":[{\"id\":18446744073709551615}]}]}\n");
    CHECK(connection.texts_[GW_WORD].has_id && connection.texts_[GW_WORD].id == UINT64_MAX);
}

#define COMPARED                                                                                                          \
    "{\"matches_complete\":false,\"type\":\"result\",\"sequence\":1,\"status\":\"ok\",\"age_ms\":-7,\"reused\":true,"           \
    "\"truncated\":true,\"lines\":[{\"words\":[{\"text\":\"to\"}]},{\"text\":\"EXIT 42\",\"script\":\"Latn\",\"reason\":\"newer\",\"state\":\"kept\","  \
    "\"scores\":{\"detection\":0.5,\"recognition\":0.25},\"candidates\":[{\"text\":\"EXIT 42\",\"confidence\":0.9},"            \
    "{\"text\":\"EX1T 42\",\"confidence\":0.4}],\"words\":[{\"text\":\"EXIT\"},{\"text\":\"42\"}]}],\"matches\":[{"               \
    "\"pattern\":0,\"text\":\"to\",\"line\":0,\"words\":[0],\"box\":[9,8,7,6,5,4,3,2]},{\"words\":[1,2,3],\"pattern\":2,"         \
    "\"line\":1,\"text\":\"42\",\"box\":[1,2,3,4,5,6,7,8]}],\"lost\":[12,18446744073709551615],\"later\":[1],"      \
    "\"warnings\":[{\"row\":312,\"code\":\"jpeg_damaged\"},{\"code\":\"newer\",\"scale\":0.5,\"later\":{\"row\":1}}]}\n"

static void on_lost(void *context, uint64_t id) {
    char entry[32];
    (void)context;
    snprintf(entry, sizeof entry, "lost %llu", (unsigned long long)id);
    note(entry);
}

static void on_warning(void *context, const gw_warning *warning) {
    char entry[96];
    (void)context;
    snprintf(entry, sizeof entry, "warning %s %d %d %.1f", warning->code, warning->has_row, (int)warning->row,
        warning->scale);
    note(entry);
}

static void what_is_compared_and_found_is_told(void) {
    gw_settings s = settings();
    s.on_result = keep_result;
    s.on_lost = on_lost;
    s.on_warning = on_warning;
    begin(s);
    CHECK(offer("x") == 0);
    settle();
    diary[0] = 0;
    say(COMPARED);
    gw_wait(&connection, -1);
    settle();
    CHECK(diary_is("word 0.0.0 to 0.000 0.0,0.0 0.0,0.0\n"
                   "line 0.0.0  0.000 0.0,0.0 0.0,0.0\n"
                   "candidate 1.0.0 EXIT 42 0.900 0.0,0.0 0.0,0.0\n"
                   "candidate 1.0.0 EX1T 42 0.400 0.0,0.0 0.0,0.0\n"
                   "word 1.0.0 EXIT 0.000 0.0,0.0 0.0,0.0\n"
                   "word 1.1.0 42 0.000 0.0,0.0 0.0,0.0\n"
                   "line 1.0.0 EXIT 42 0.000 0.0,0.0 0.0,0.0\n"
                   "match 0.0.0 to 0.000 9.0,8.0 3.0,2.0\n"
                   "match 1.1.0 42 0.000 1.0,2.0 7.0,8.0\n"
                   "lost 12\n"
                   "lost 18446744073709551615\n"
                   "warning jpeg_damaged 1 312 0.0\n"
                   "warning newer 0 0 0.5\n"));
    const gw_text *line = &connection.texts_[GW_LINE], *match = &connection.texts_[GW_MATCH];
    CHECK(strcmp(line->script, "Latn") == 0 && strcmp(line->state, "kept") == 0 && strcmp(line->reason, "newer") == 0);
    CHECK(line->detection == 0.5 && line->recognition == 0.25);
    CHECK(connection.texts_[GW_CANDIDATE].candidate == 2);
    CHECK(match->word_count == 3 && match->pattern == 2);
    CHECK(seen.reused && seen.truncated && !seen.matches_complete && seen.match_count == 2);
    CHECK(seen.has_age_ms && seen.age_ms == -7);
    receive_and_keep(RICH);
    CHECK(!seen.reused && !seen.truncated && seen.matches_complete && seen.match_count == 0 && !seen.has_age_ms);
    CHECK(line->script[0] == 0 && line->reason[0] == 0 && line->state[0] == 0 && line->detection == 0);
}

static void a_change_has_its_type_and_its_text(void) {
    receive_and_keep("{\"type\":\"result\",\"sequence\":1,\"status\":\"ok\",\"changes\":[{\"type\":\"appeared\",\"id\":7,"
                     "\"text\":\"12:02\",\"confidence\":0.5,\"box\":[1,2,3,4,5,6,7,8],\"pattern\":1,\"previous\":\"12:01\"}]}\n");
    const gw_text *change = &connection.texts_[GW_CHANGE];
    CHECK(seen.change_count == 1 && seen.line_count == 0 && change->kind == GW_CHANGE);
    CHECK(strcmp(change->state, "appeared") == 0 && strcmp(change->text, "12:02") == 0);
    CHECK(change->has_id && change->id == 7 && change->confidence == 0.5 && change->pattern == 1 && change->box[7] == 8);
    CHECK(change->previous != NULL && strcmp(change->previous, "12:01") == 0);
}

static void close_at_lost(void *context, uint64_t id) {
    (void)context;
    (void)id;
    gw_close(&connection);
}

static void a_callback_may_close_at_a_lost_word(void) {
    gw_settings s = settings();
    s.on_lost = close_at_lost;
    begin(s);
    CHECK(offer("x") == 0);
    settle();
    say(COMPARED);
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    CHECK(last_error == GW_ERROR_CLOSED && connection.counts.results == 1);
}

static gw_answer answers[2];

static void keep_answer(void *context, const gw_answer *answer) {
    (void)context;
    answers[0] = answers[1];
    answers[1] = *answer;
}

static void what_else_a_server_says_is_told(void) {
    gw_settings s = settings();
    s.on_answer = keep_answer;
    begin(s);
    CHECK(gw_ask_options(&connection, "{\"delivery\":\"every\"}") == 0);
    settle();
    say("{\"type\":\"configured\",\"sequence\":1,\"window\":4,\"options\":{}}\n{\"type\":\"goaway\",\"grace_ms\":9000}\n");
    while (strcmp(answers[1].type, "goaway") != 0) gw_wait(&connection, -1);
    CHECK(answers[0].window == 4 && answers[0].grace_ms == 0);
    CHECK(answers[1].window == 0 && answers[1].grace_ms == 9000);
    CHECK(connection.state == GW_OPEN);
}

static void options_are_written_by_their_names(void) {
    static const char *const languages[] = {"en", "zh-Hans", NULL}, *const words[] = {"Gle\"is", NULL}, *const none[] = {NULL};
    static const double corners[] = {0, 0, 1, 0, 0.5, 1};
    static const gw_region regions[] = {
        {"meter", {0, 0, 0.5, 1}, NULL, 0, NULL, "0-9", 0.25},
        {"sign", {0, 0, 0, 0}, corners, 3, none, NULL, 0},
    };
    gw_options o;
    char json[1024];
    memset(&o, 0, sizeof o);
    CHECK(gw_write_options(&o, json, 3) && strcmp(json, "{}") == 0);
    CHECK(!gw_write_options(&o, json, 2) && !gw_write_options(&o, json, 0));
    o.find = none;
    o.has_clock_offset_us = true;
    CHECK(gw_write_options(&o, json, sizeof json) && strcmp(json, "{\"find\":[],\"clock_offset_us\":0}") == 0);
    o.token = "a\\b\n";
    o.client = "camera \xC3\xBC";
    o.level = "accurate";
    o.recognize = o.temporal = GW_YES;
    o.characters = GW_NO;
    o.coordinates = "upright";
    o.minimum_text_height = 0.05;
    o.region_of_interest[1] = 0.25;
    o.region_of_interest[2] = 1;
    o.region_of_interest[3] = 0.5;
    o.regions = regions;
    o.region_count = 2;
    o.upright = "auto";
    o.damaged = "read";
    o.languages = languages;
    o.custom_words = words;
    o.character_set = "A-Z0-9-";
    o.language_correction = GW_NO;
    o.unreadable = "omit";
    o.candidates = 3;
    o.delivery = "every";
    o.deadline_ms = 300;
    o.clock_offset_us = -5;
    o.refresh_ms = 1000;
    o.report = "changes";
    static const char expected[] =
        "{\"token\":\"a\\u005cb\\u000a\",\"client\":\"camera \xC3\xBC\",\"level\":\"accurate\",\"recognize\":true,"
        "\"characters\":false,\"coordinates\":\"upright\",\"minimumTextHeight\":0.050000,"
        "\"regionOfInterest\":[0.000000,0.250000,1.000000,0.500000],"
        "\"regions\":[{\"name\":\"meter\",\"regionOfInterest\":[0.000000,0.000000,0.500000,1.000000],\"characterSet\":\"0-9\",\"minimumTextHeight\":0.250000},"
        "{\"name\":\"sign\",\"polygon\":[0.000000,0.000000,1.000000,0.000000,0.500000,1.000000],\"find\":[]}],\"upright\":\"auto\",\"damaged\":\"read\",\"languages\":[\"en\",\"zh-Hans\"],"
        "\"customWords\":[\"Gle\\u0022is\"],\"characterSet\":\"A-Z0-9-\",\"languageCorrection\":false,\"unreadable\":\"omit\",\"find\":[],\"candidates\":3,\"delivery\":\"every\",\"deadline_ms\":300,"
        "\"clock_offset_us\":-5,\"temporal\":true,\"refresh_ms\":1000,\"report\":\"changes\"}";
    CHECK(gw_write_options(&o, json, sizeof expected) && strcmp(json, expected) == 0);
    CHECK(!gw_write_options(&o, json, sizeof expected - 1));
    o.minimum_text_height = NAN;
    CHECK(!gw_write_options(&o, json, sizeof json));
}

static void a_line_too_long_for_the_buffer_is_read_all_the_same(void) {
    gw_settings s = settings();
    s.line_buffer_bytes = 100;
    s.on_result = keep_result;
    begin(s);
    CHECK(offer("x") == 0);
    settle();
    diary[0] = 0;
    say(RICH);
    gw_wait(&connection, -1);
    settle();
    CHECK(seen.line == NULL && seen.line_length == sizeof RICH - 2);
    CHECK(strstr(diary, "line 0.0.0 A\xC3\x9F") != NULL);
    CHECK(line_buffer[100] == RICH[100] || strlen(line_buffer) < 100 || memcmp(line_buffer, RICH, 99) != 0);
}

static void a_long_text_is_cut_between_code_points(void) {
    /* One byte less than fits, then a code point of three bytes, then one of a single byte that would still fit. */
    static char line[GW_TEXT_BYTES + 200];
    char filler[GW_TEXT_BYTES];
    memset(filler, 'x', sizeof filler);
    filler[GW_TEXT_BYTES - 2] = 0;
    snprintf(line, sizeof line, "{\"type\":\"result\",\"sequence\":1,\"status\":\"ok\",\"lines\":[{\"text\":\"%s\xE2\x82\xAC!\"}]}\n",
             filler);
    receive(line);
    const gw_text *text = &connection.texts_[GW_LINE];
    CHECK(text->is_cut && text->length == GW_TEXT_BYTES - 2 && text->text[text->length] == 0);
    CHECK(strcmp(text->text, filler) == 0);
}

static void the_name_of_a_region_is_whole(void) {
    char name[64 * 4 + 1], line[512];
    for (size_t i = 0; i < 64; i++) memcpy(name + 4 * i, "\xF0\x9F\x94\x8B", 4);
    name[sizeof name - 1] = 0;
    snprintf(line, sizeof line, "{\"type\":\"result\",\"sequence\":1,\"status\":\"ok\",\"lines\":[{\"region\":\"%s\",\"words\":[{}]}]}\n",
             name);
    receive(line);
    CHECK(strcmp(connection.texts_[GW_LINE].region, name) == 0);
    CHECK(connection.texts_[GW_WORD].region[0] == 0);
}

static void what_is_unknown_is_passed_over(void) {
    begin(settings());
    CHECK(offer("x") == 0);
    settle();
    diary[0] = 0;
    say("{\"type\":\"goaway\",\"after\":[1,{\"type\":\"result\"}]}\n"
        "{\"type\":\"result\",\"sequence\":1,\"status\":\"postponed\",\"code\":\"later\",\"why\":true}\n");
    gw_wait(&connection, -1);
    settle();
    CHECK(diary_is("goaway \nresult 1 postponed later\n"));
    CHECK(connection.state == GW_OPEN);
}

static void bad_lines_end_the_connection(void) {
    static const char *const lines[] = {
        "nonsense\n", "\n", "[]\n", "{}\n", "{\"type\":1}\n", "{\"type\":\"result\"\n", "{\"type\":\"result\",}\n",
        "{\"type\":\"x\"}}\n", "{\"type\":\"x\"} x\n", "{\"type\":\"x\",\"y\":tru}\n", "{\"type\":\"x\",\"y\":01}\n",
        "{\"type\":\"x\",\"y\":1.}\n", "{\"type\":\"x\",\"y\":-}\n", "{\"type\":\"x\",\"y\":1e}\n", "{\"type\":\"x\",\"y\":\"\\x\"}\n",
        "{\"type\":\"x\",\"y\":\"\\u12g4\"}\n", "{\"type\":\"x\",\"y\":[1,]}\n", "{\"type\":\"x\",\"y\":[1}\n",
        "{\"type\":\"x\" \"y\":1}\n", "{\"type\":\"x\",\"y\" 1}\n", "{\"type\":\"x\",\"y\":\"\t\"}\n", "{\"type\":\"x\",1:2}\n",
        "{\"type\":\"result\",\"status\":\"ok\"}\n", "{\"type\":\"result\",\"sequence\":1}\n",
        "{\"type\":\"result\",\"sequence\":2,\"status\":\"ok\"}\n", "{\"type\":\"result\",\"sequence\":-1,\"status\":\"ok\"}\n",
        "{\"type\":\"result\",\"sequence\":18446744073709551617,\"status\":\"ok\"}\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        receive(lines[i]);
        if (last_error != GW_ERROR_BAD_LINE) printf("    %s", lines[i]);
        CHECK(last_error == GW_ERROR_BAD_LINE);
        CHECK(diary_is("result 1 error connection_lost\n"));
    }
    receive("{\"type\":\"x\",\"y\":[0,-0,1.5E+3,true,false,null,{},[],\"\\b\\f\\n\\r\\t\\ud800\\udc00\\udc00\"] } \r\n");
    CHECK(connection.state == GW_OPEN);
}

static void nesting_has_a_limit(void) {
    char line[400];
    for (int depth = GW_MAX_DEPTH - 1; depth <= GW_MAX_DEPTH; depth++) {
        snprintf(line, sizeof line, "{\"type\":\"x\",\"y\":");
        for (int i = 0; i < depth; i++) strcat(line, "[");
        for (int i = 0; i < depth; i++) strcat(line, "]");
        strcat(line, "}\n");
        receive(line);
        CHECK((connection.state == GW_OPEN) == (depth < GW_MAX_DEPTH));
    }
}

static void a_line_has_a_limit(void) {
    gw_settings s = settings();
    s.max_line_bytes = 400;
    begin(s);
    for (int i = 0; i < 6; i++) say("                                                                                ");
    gw_wait(&connection, -1);
    settle();
    CHECK(last_error == GW_ERROR_LINE_TOO_LONG);
}

static void numbers_do_not_depend_on_the_locale(void) {
    bool has_locale = setlocale(LC_ALL, "de_DE.UTF-8") != NULL || setlocale(LC_ALL, "fr_FR.UTF-8") != NULL;
    receive("{\"type\":\"result\",\"sequence\":1,\"status\":\"ok\",\"lines\":[{\"confidence\":0.875,\"box\":"
            "[123456.7,1e3,12345678901234567890123,1E-4,0.1,0.00001]}]}\n");
    const gw_text *text = &connection.texts_[GW_LINE];
    CHECK(text->confidence == 0.875);
    CHECK(fabs(text->box[0] - 123456.7) < 1e-9 && text->box[1] == 1000);
    CHECK(fabs(text->box[2] / 12345678901234567890123.0 - 1) < 1e-12 && fabs(text->box[3] - 1e-4) < 1e-18);
    CHECK(text->box[4] == 0.1 && text->box[5] == 0.00001);
    if (has_locale) setlocale(LC_ALL, "C");
}

static void the_newest_frame_wins(void) {
    gw_settings s = settings();
    s.max_unanswered = 1;
    begin(s);
    for (int i = 0; i < 2; i++) {
        CHECK(offer("old") == 0);
        settle();
    }
    CHECK(!gw_is_ready(&connection));
    CHECK(offer("newer") == 0);
    CHECK(offer("newest") == 0);
    CHECK(gw_ping(&connection, 0) == GW_BUSY);
    CHECK(diary_is("sent 1\nnot sent 2\nnot sent 3\n"));
    say(RESULT("1"));
    gw_wait(&connection, -1);
    settle();
    CHECK(diary_is("sent 1\nnot sent 2\nnot sent 3\nresult 1 ok \nsent 4\n"));
    uint8_t message[64];
    hear(message, sizeof message);
    CHECK(hear(message, sizeof message) == 32 + 6 && memcmp(message + 32, "newest", 6) == 0);
}

static void a_large_frame_is_sent_in_parts(void) {
    static uint8_t large[900000], heard[sizeof large + 32];
    begin(settings());
    for (size_t i = 0; i < sizeof large; i++) large[i] = (uint8_t)(i * 7 + i / 251);
    gw_frame f = frame("");
    f.payload = large;
    f.length = sizeof large;
    narrow();
    CHECK(gw_offer(&connection, &f) == 0);
    settle();
    CHECK(diary_is(""));
    CHECK(hear(heard, sizeof heard) == sizeof heard);
    CHECK(memcmp(heard + 32, large, sizeof large) == 0);
    settle();
    CHECK(diary_is("sent 1\n"));
}

static void results_are_read_while_a_frame_is_sent(void) {
    static uint8_t large[900000];
    begin(settings());
    narrow();
    CHECK(offer("x") == 0);
    settle();
    gw_frame f = frame("");
    f.payload = large;
    f.length = sizeof large;
    CHECK(gw_offer(&connection, &f) == 0);
    settle();
    say(RESULT("1"));
    while (connection.counts.results == 0) gw_wait(&connection, -1);
    CHECK(diary_is("sent 1\nresult 1 ok \n"));
}

static void a_frame_that_is_too_large_is_not_taken(void) {
    static char large[1000000];
    begin(settings());
    gw_frame f = frame("");
    f.payload = large;
    f.length = 1000000 - 28 + 1;
    CHECK(gw_offer(&connection, &f) == GW_ERROR_MESSAGE_TOO_LARGE);
    CHECK(strstr(connection.message, "at most 1000000 bytes, not 1000001") != NULL);
    CHECK(connection.state == GW_OPEN && connection.counts.taken == 0);
    f.length--;
    CHECK(gw_offer(&connection, &f) == 0);
}

/* A settings with reconnecting, and options to be told again. */
static gw_settings lasting(void) {
    gw_settings s = settings();
    s.max_attempts = UINT32_MAX;
    s.options = "{\"level\":\"fast\"}";
    s.initial_delay_ms = 1;
    return s;
}

static void take_options(void) {
    uint8_t message[128];
    CHECK(hear(message, sizeof message) == 32 + 16 && message[4] == 2);
    CHECK(memcmp(message + 32, "{\"level\":\"fast\"}", 16) == 0);
    say("{\"type\":\"configured\",\"sequence\":1,\"options\":{}}\n");
    while (connection.state != GW_OPEN) gw_wait(&connection, -1);
}

static void a_lost_connection_is_made_again(void) {
    uint8_t message[64];
    gw_settings s = lasting();
    s.max_unanswered = 2;
    begin(s);
    take_options();
    diary[0] = 0;
    for (int i = 0; i < 2; i++) {
        CHECK(offer("sent") == 0);
        hear(message, sizeof message);
    }
    CHECK(offer("waits") == 0);
    hang_up();
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    CHECK(connection.state == GW_PAUSING && last_error == GW_ERROR_CONNECTION_LOST);
    CHECK(diary_is("sent 1\nsent 2\nresult 1 error connection_lost\nresult 2 error connection_lost\n"));
    answer_call(HELLO);
    take_options();
    CHECK(hear(message, sizeof message) == 37 && memcmp(message + 32, "waits", 5) == 0);
    CHECK(connection.counts.connections == 2);
    hang_up();
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    CHECK(connection.counts.taken == 3 && connection.counts.sent == 3 && connection.counts.results == 3);
}

static void the_limit_is_that_of_the_server_that_is_there_now(void) {
    static char large[1000000];
    gw_settings s = lasting();
    s.options = NULL;
    begin(s);
    hang_up();
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    gw_frame f = frame("");
    f.payload = large;
    f.length = sizeof large;
    /* Above the limit of the server that is gone, which says nothing about the next. */
    CHECK(gw_offer(&connection, &f) == 0);
    answer_call("{\"type\":\"hello\",\"protocol\":1,\"limits\":{\"max_message_bytes\":100}}\n");
    while (connection.state != GW_OPEN || connection.counts.not_sent == 0) gw_wait(&connection, -1);
    CHECK(strstr(connection.message, "at most 100 bytes, not 1000028") != NULL);
    CHECK(gw_offer(&connection, &f) == GW_ERROR_MESSAGE_TOO_LARGE);
    CHECK(offer("small") == 0);
}

static void options_above_the_limit_are_not_sent(void) {
    gw_settings s = settings();
    s.options = "{\"client\":\"a name of some length\"}";
    hang_up();
    CHECK(gw_start(&connection, &s) == 0);
    answer_call("{\"type\":\"hello\",\"protocol\":1,\"limits\":{\"max_message_bytes\":40}}\n");
    while (connection.state != GW_ENDED) gw_wait(&connection, -1);
    CHECK(last_error == GW_ERROR_MESSAGE_TOO_LARGE);
    uint8_t byte;
    CHECK(recv(peer, &byte, 1, 0) == 0);
}

#define HELLO_WITH_TOKEN \
    "{\"type\":\"hello\",\"protocol\":1,\"auth\":\"token\",\"limits\":{\"max_unauthenticated_bytes\":66}}\n"

/* Takes options that the client sends, and says so. */
static bool takes(const char *options) {
    char message[256], answer[64];
    size_t length = hear((uint8_t *)message, sizeof message - 1);
    message[length] = 0;
    if (length != 32 + strlen(options) || message[4] != 2 || strcmp(message + 32, options) != 0) return false;
    snprintf(answer, sizeof answer, "{\"type\":\"configured\",\"sequence\":%d}\n", (uint8_t)message[15]);
    say(answer);
    return true;
}

static void change_options(const char *options) {
    CHECK(gw_ask_options(&connection, options) == 0);
    CHECK(takes(options == NULL ? "" : options));
    while (connection.configure_outcome_ == 2) gw_wait(&connection, -1);
}

static void come_back(void) {
    hang_up();
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    answer_call(HELLO_WITH_TOKEN);
}

static void the_token_is_shown_on_each_connection(void) {
    gw_settings s = lasting();
    s.options = "{\"find\":[\"token\",\"{\\\"\"], \"token\" : \"a\\\"b\"}";
    begin(s);
    CHECK(takes(s.options));
    while (connection.state != GW_OPEN) gw_wait(&connection, -1);
    change_options("{\"client\":{\"token\":\"no\"}}");
    come_back();
    CHECK(takes("{\"token\":\"a\\\"b\"}"));
    CHECK(takes("{\"client\":{\"token\":\"no\"}}"));
    while (connection.state != GW_OPEN) gw_wait(&connection, -1);
    change_options(NULL);
    come_back();
    CHECK(takes("{\"token\":\"a\\\"b\"}"));
    while (connection.state != GW_OPEN) gw_wait(&connection, -1);
    change_options("{\"token\":\"another\"}");
    come_back();
    CHECK(takes("{\"token\":\"another\"}"));
    while (connection.state != GW_OPEN) gw_wait(&connection, -1);
}

static void options_longer_than_a_message_before_the_token_follow_it(void) {
    /* A length of 66 and of 67 bytes. */
    static const char *const options[] = {
        "{\"token\":\"secret\",\"client\":\"camera 7\"}",
        "{\"token\":\"secret\",\"client\":\"camera 77\"}",
    };
    for (int i = 0; i < 2; i++) {
        gw_settings s = lasting();
        s.options = options[i];
        hang_up();
        CHECK(gw_start(&connection, &s) == 0);
        answer_call(HELLO_WITH_TOKEN);
        if (i == 1) CHECK(takes("{\"token\":\"secret\"}"));
        CHECK(takes(options[i]));
        while (connection.state != GW_OPEN) gw_wait(&connection, -1);
        gw_close(&connection);
    }
}

static void a_frame_cut_off_by_a_loss_is_lost_and_not_sent_again(void) {
    static uint8_t large[900000];
    uint8_t message[64];
    begin(lasting());
    take_options();
    diary[0] = 0;
    narrow();
    gw_frame f = frame("");
    f.payload = large;
    f.length = sizeof large;
    CHECK(gw_offer(&connection, &f) == 0);
    settle();
    CHECK(offer("next") == 0);
    hang_up();
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    CHECK(diary_is("lost 1\nresult 1 error connection_lost\n"));
    answer_call(HELLO);
    take_options();
    CHECK(hear(message, sizeof message) == 36 && memcmp(message + 32, "next", 4) == 0);
}

static void pauses_double_up_to_a_limit(void) {
    gw_settings s = lasting();
    s.initial_delay_ms = 1000;
    s.max_delay_ms = 3000;
    s.max_attempts = 9;
    begin(s);
    take_options();
    hang_up();
    stop_listening();
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    static const int most[] = {1000, 2000, 3000, 3000, 3000};
    for (int i = 0; i < 5; i++) {
        int pause = gw_timeout(&connection);
        CHECK(connection.state == GW_PAUSING && pause <= most[i] && pause >= most[i] * 4 / 5 - 100);
        CHECK(gw_work(&connection) == 0);
        connection.deadline_ms_ = 1; /* The pause is over. */
        while (gw_work(&connection) == 0 && connection.state != GW_PAUSING) gw_wait(&connection, -1);
        CHECK(last_error == GW_ERROR_CANNOT_CONNECT);
    }
    gw_close(&connection);
    listen_again();
}

static void a_greeting_does_not_shorten_the_pauses(void) {
    gw_settings s = lasting();
    s.initial_delay_ms = 1000;
    s.max_delay_ms = 3000;
    s.max_attempts = 9;
    begin(s);
    take_options();
    static const char *const codes[] = {"too_many_connections", "too_many_connections", "too_many_guesses"};
    static const int most[] = {1000, 2000, 60000};
    for (int i = 0; i < 3; i++) {
        char refusal[128];
        snprintf(refusal, sizeof refusal, "{\"type\":\"error\",\"sequence\":null,\"code\":\"%s\",\"message\":\"m\",\"fatal\":true}\n",
                 codes[i]);
        say(refusal);
        while (connection.state != GW_PAUSING) gw_wait(&connection, -1);
        int pause = gw_timeout(&connection);
        CHECK(pause <= most[i] && pause >= (most[i] == 60000 ? 59900 : most[i] * 4 / 5 - 100));
        connection.deadline_ms_ = 1; /* The pause is over. */
        answer_call(HELLO);
    }
    gw_close(&connection);
}

static void attempts_come_to_an_end(void) {
    gw_settings s = lasting();
    s.max_attempts = 3;
    begin(s);
    take_options();
    hang_up();
    stop_listening();
    int error = 0;
    while (error == 0) error = gw_wait(&connection, -1);
    CHECK(error == GW_ERROR_CANNOT_CONNECT && connection.attempts_ == 3);
    CHECK(offer("x") == GW_ERROR_CANNOT_CONNECT);
    listen_again();
}

static void some_errors_are_final(void) {
    static const struct {
        const char *line;
        int error;
        bool goes_on;
    } cases[] = {
        {"{\"type\":\"error\",\"sequence\":null,\"code\":\"auth_failed\",\"message\":\"m\",\"fatal\":true}\n", GW_ERROR_REFUSED, false},
        {"{\"type\":\"error\",\"sequence\":null,\"code\":\"message_too_short\",\"message\":\"m\",\"fatal\":true}\n", GW_ERROR_REFUSED,
         false},
        {"{\"type\":\"error\",\"sequence\":null,\"code\":\"too_busy\",\"message\":\"m\",\"fatal\":true}\n", GW_ERROR_REFUSED, true},
        {"?\n", GW_ERROR_BAD_LINE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin(lasting());
        take_options();
        say(cases[i].line);
        while (connection.state == GW_OPEN) gw_wait(&connection, -1);
        CHECK(last_error == cases[i].error);
        CHECK((connection.state == GW_PAUSING) == cases[i].goes_on);
        gw_close(&connection);
    }
    CHECK(strcmp(gw_error_name(GW_ERROR_REFUSED), "refused") == 0);
}

static void a_board_may_boot_before_its_server(void) {
    stop_listening();
    gw_settings s = lasting();
    s.max_attempts = UINT32_MAX;
    CHECK(gw_start(&connection, &s) == 0 || connection.state == GW_ENDED);
    while (gw_wait(&connection, -1) == 0) {}
    CHECK(last_error == GW_ERROR_CANNOT_CONNECT);

    s.waits = true;
    CHECK(gw_start(&connection, &s) == 0);
    while (connection.attempts_ < 3) gw_wait(&connection, -1);
    CHECK(connection.state != GW_ENDED);
    listen_again();
    answer_call(HELLO);
    take_options();
    CHECK(connection.state == GW_OPEN && connection.counts.connections == 1);
    gw_close(&connection);

    CHECK(gw_start(&connection, &s) == 0);
    answer_call("{\"type\":\"error\",\"sequence\":null,\"code\":\"wrong_protocol\",\"message\":\"m\",\"fatal\":true}\n");
    while (gw_wait(&connection, -1) == 0) {}
    CHECK(last_error == GW_ERROR_REFUSED);
}

/* A transport of a few bytes at a time, that asks to be called again each second time, and may hold some bytes back. */
typedef struct trickle {
    gw_transport transport;
    bool is_turn, is_broken, is_refused;
    uint32_t number, sessions;
    char held[64];
    size_t held_count;
} trickle;

static long trickle_send(void *context, gw_socket socket, const void *bytes, size_t count) {
    trickle *t = context;
    t->is_turn = !t->is_turn;
    if (t->is_turn) return GW_WANTS_WRITE;
    ssize_t sent = send(socket.fd, bytes, count < 7 ? count : 7, MSG_NOSIGNAL);
    return sent > 0 ? (long)sent : GW_WANTS_WRITE;
}

static long trickle_receive(void *context, gw_socket socket, void *bytes, size_t count) {
    trickle *t = context;
    if (socket.number != t->number) {
        t->number = socket.number;
        t->sessions++;
        t->held_count = 0;
    }
    t->transport.error = "no key fits";
    if (t->is_refused) return GW_TRANSPORT_REFUSED;
    if (t->is_broken) return GW_TRANSPORT_FAILED;
    if (t->held_count == 0) {
        ssize_t received = recv(socket.fd, t->held, sizeof t->held, 0);
        if (received <= 0) return received == 0 ? 0 : GW_WANTS_READ;
        t->held_count = (size_t)received;
    }
    size_t part = count < 3 ? count : 3;
    if (part > t->held_count) part = t->held_count;
    memcpy(bytes, t->held, part);
    memmove(t->held, t->held + part, t->held_count -= part);
    return (long)part;
}

static void bytes_may_travel_by_a_transport(void) {
    static trickle t;
    memset(&t, 0, sizeof t);
    t.transport.send = trickle_send;
    t.transport.receive = trickle_receive;
    t.transport.context = &t;
    gw_settings s = lasting();
    s.transport = &t.transport;
    begin(s);
    take_options();
    static uint8_t message[4096], payload[2000];
    memset(payload, 'x', sizeof payload);
    gw_frame f = {.format = GW_JPEG, .payload = payload, .length = sizeof payload};
    diary[0] = 0;
    CHECK(gw_offer(&connection, &f) == 0);
    CHECK(hear(message, sizeof message) == 32 + sizeof payload && memcmp(message + 32, payload, sizeof payload) == 0);
    say(RESULT("1"));
    while (connection.counts.results == 0) gw_wait(&connection, -1);
    CHECK(diary_is("sent 1\nresult 1 ok \n"));
    hang_up();
    answer_call(HELLO);
    take_options();
    CHECK(t.sessions == 2);
    gw_close(&connection);

    t.is_broken = true;
    s.max_attempts = 0;
    CHECK(gw_start(&connection, &s) == 0);
    while (gw_wait(&connection, -1) == 0) {}
    CHECK(last_error == GW_ERROR_CANNOT_CONNECT && strstr(connection.message, "no key fits") != NULL);
    peer = accept(listener, NULL, NULL);
    hang_up();

    t.is_refused = s.waits = true;
    s.max_attempts = UINT32_MAX;
    CHECK(gw_start(&connection, &s) == 0);
    while (gw_wait(&connection, -1) == 0) {}
    CHECK(last_error == GW_ERROR_CANNOT_CONNECT && strstr(connection.message, "no key fits") != NULL);
    peer = accept(listener, NULL, NULL);
    hang_up();
}

static void first_lines_say_who_answers(void) {
    static const struct {
        const char *line;
        int error;
    } cases[] = {
        {"HTTP/1.1 400 Bad Request\r\n", GW_ERROR_NOT_GLYPHWIRE},
        {"{\"type\":\"welcome\"}\n", GW_ERROR_NOT_GLYPHWIRE},
        {"{\"type\":\"hello\",\"server\":\"glyphwire\",\"protocol\":2}\n", GW_ERROR_UNSUPPORTED_PROTOCOL},
        {"{\"type\":\"error\",\"sequence\":null,\"code\":\"too_many_connections\",\"message\":\"m\",\"fatal\":true}\n", GW_ERROR_REFUSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gw_settings s = lasting();
        hang_up();
        CHECK(gw_start(&connection, &s) == 0);
        answer_call(cases[i].line);
        while (connection.state != GW_ENDED) gw_wait(&connection, -1);
        CHECK(last_error == cases[i].error);
    }
    CHECK(strcmp(connection.wire_code, "too_many_connections") == 0);
}

static void a_server_that_does_not_greet_is_given_up(void) {
    gw_settings s = settings();
    s.connect_timeout_ms = 20;
    CHECK(gw_connect(&connection, &s) == GW_ERROR_TIMED_OUT);
    CHECK(strstr(connection.message, "did not greet") != NULL);
    stop_listening();
    CHECK(gw_connect(&connection, &s) == GW_ERROR_CANNOT_CONNECT);
    listen_again();
}

static void a_port_that_does_not_greet_may_be_the_one_for_http(void) {
    gw_settings s = settings();
    hang_up();
    CHECK(gw_start(&connection, &s) == 0);
    answer_call("");
    hang_up();
    while (connection.state != GW_ENDED) gw_wait(&connection, -1);
    CHECK(last_error == GW_ERROR_CONNECTION_LOST);
    CHECK(strstr(connection.message, "is this the port for frames (7411)") != NULL);
}

static void a_port_that_has_greeted_is_not_asked_about(void) {
    begin(lasting());
    take_options();
    hang_up();
    while (connection.state == GW_OPEN) gw_wait(&connection, -1);
    answer_call("");
    hang_up();
    while (connection.state == GW_GREETING) gw_wait(&connection, -1);
    CHECK(connection.state == GW_PAUSING && last_error == GW_ERROR_CONNECTION_LOST);
    CHECK(strstr(connection.message, "closed the connection; the server's log says why") != NULL);
    gw_close(&connection);
}

static void options_may_be_refused(void) {
    uint8_t message[64];
    begin(settings());
    CHECK(gw_ask_options(&connection, "{\"level\":\"turbo\"}") == 0);
    hear(message, sizeof message);
    say("{\"type\":\"error\",\"sequence\":1,\"code\":\"bad_option\",\"message\":\"m\",\"fatal\":false}\n");
    while (connection.configure_outcome_ == 2) gw_wait(&connection, -1);
    CHECK(connection.configure_outcome_ == GW_ERROR_REFUSED && strcmp(connection.wire_code, "bad_option") == 0);
    CHECK(connection.state == GW_OPEN && connection.options_ == NULL);
    gw_settings s = lasting();
    begin(s);
    hear(message, sizeof message);
    say("{\"type\":\"error\",\"sequence\":1,\"code\":\"bad_option\",\"message\":\"m\",\"fatal\":false}\n");
    while (connection.state == GW_GREETING) gw_wait(&connection, -1);
    CHECK(connection.state == GW_ENDED && last_error == GW_ERROR_REFUSED);
}

static void signs_of_life_are_answered(void) {
    uint8_t message[64];
    begin(settings());
    CHECK(gw_ping(&connection, 5) == 0);
    CHECK(hear(message, sizeof message) == 32 && message[4] == 3 && message[23] == 5);
    CHECK(gw_stats(&connection) == 0);
    CHECK(hear(message, sizeof message) == 32 && message[4] == 5);
    say("{\"type\":\"pong\",\"sequence\":1,\"captured_us\":5,\"received_us\":6,\"sent_us\":7}\n{\"type\":\"stats\",\"sequence\":2}\n");
    gw_wait(&connection, -1);
    settle();
    CHECK(strstr(diary, "pong \nstats \n") != NULL && connection.unanswered_count_ == 0);
}

static void the_end_waits_for_every_result(void) {
    uint8_t message[64];
    begin(settings());
    CHECK(offer("x") == 0);
    settle();
    CHECK(gw_end(&connection) == 0);
    hear(message, sizeof message);
    CHECK(hear(message, sizeof message) == 32 && message[4] == 4);
    CHECK(offer("y") == GW_ERROR_CLOSED);
    say(RESULT("1") "{\"type\":\"end\",\"sequence\":1,\"frames\":1}\n");
    int outcome = 0;
    while (outcome == 0) outcome = gw_wait(&connection, -1);
    CHECK(outcome == GW_FINISHED && gw_poll_fd(&connection) == -1);
    CHECK(diary_is("sent 1\nresult 1 ok \nend \n"));
    CHECK(offer("z") == GW_ERROR_CLOSED);
    begin(lasting());
    take_options();
    CHECK(gw_end(&connection) == 0);
    settle();
    hang_up();
    outcome = 0;
    while (outcome == 0) outcome = gw_wait(&connection, -1);
    CHECK(outcome == GW_ERROR_CONNECTION_LOST);
}

static void behind_a_goaway_nothing_is_sent_until_there_is_another_connection(void) {
    uint8_t message[64];
    begin(lasting());
    take_options();
    say("{\"type\":\"goaway\",\"grace_ms\":1000}\n");
    while (!connection.is_leaving_) gw_wait(&connection, -1);
    CHECK(offer("waits") == 0);
    settle();
    CHECK(recv(peer, message, 1, MSG_DONTWAIT) == -1 && gw_poll_events(&connection) == POLLIN);
    hang_up();
    answer_call(HELLO);
    take_options();
    CHECK(hear(message, sizeof message) == 37 && memcmp(message + 32, "waits", 5) == 0);
    say(RESULT("1") "{\"type\":\"goaway\",\"grace_ms\":1000}\n");
    while (!connection.is_leaving_) gw_wait(&connection, -1);
    /* Not even the end: the loss that follows is not final. */
    CHECK(gw_end(&connection) == 0);
    settle();
    hang_up();
    answer_call(HELLO);
    take_options();
    CHECK(hear(message, sizeof message) == 32 && message[4] == 4);
    say("{\"type\":\"end\",\"sequence\":1,\"frames\":0}\n");
    int outcome = 0;
    while (outcome == 0) outcome = gw_wait(&connection, -1);
    CHECK(outcome == GW_FINISHED && connection.counts.sent == 1);
}

static void an_end_that_crosses_a_goaway_is_one_since_every_frame_has_its_result(void) {
    uint8_t message[64];
    begin(settings());
    CHECK(offer("x") == 0);
    CHECK(hear(message, sizeof message) == 33 && message[4] == 1);
    CHECK(gw_end(&connection) == 0);
    CHECK(hear(message, sizeof message) == 32 && message[4] == 4);
    say("{\"type\":\"goaway\",\"grace_ms\":1000}\n" RESULT("1"));
    hang_up();
    int outcome = 0;
    while (outcome == 0) outcome = gw_wait(&connection, -1);
    CHECK(outcome == GW_FINISHED);
    CHECK(diary_is("sent 1\ngoaway \nresult 1 ok \n"));
}

static void an_idle_connection_pings(void) {
    uint8_t message[64];
    gw_settings s = settings();
    begin(s);
    int first = gw_timeout(&connection);
    CHECK(first > 0 && first <= 2000);
    s.ping_interval_ms = 1;
    begin(s);
    for (int i = 0; i < 2; i++) {
        CHECK(hear(message, sizeof message) == 32 && message[4] == 3);
        char pong[64];
        snprintf(pong, sizeof pong, "{\"type\":\"pong\",\"sequence\":%d}\n", message[15]);
        say(pong);
        while (connection.unanswered_count_ > 0) gw_wait(&connection, -1);
    }
    CHECK(diary_is(""));
}

static void a_client_without_its_token_does_not_ping(void) {
    hang_up();
    gw_settings s = settings();
    CHECK(gw_start(&connection, &s) == 0);
    answer_call("{\"type\":\"hello\",\"protocol\":1,\"auth\":\"token\"}\n");
    while (connection.state != GW_OPEN) gw_wait(&connection, -1);
    CHECK(gw_timeout(&connection) == -1);
}

static void the_time_to_answer_counts_from_when_a_frame_was_sent(void) {
    static uint8_t large[900000], heard[100000];
    begin(settings());
    gw_frame f = frame("");
    f.payload = large;
    f.length = sizeof large;
    narrow();
    CHECK(offer("unanswered") == 0);
    settle();
    CHECK(gw_offer(&connection, &f) == 0);
    settle();
    struct pollfd wait = {gw_poll_fd(&connection), POLLOUT, 0};
    for (size_t left = sizeof heard; left > 0 || poll(&wait, 1, 0) == 0;) {
        ssize_t count = recv(peer, heard, left > 0 ? left : sizeof heard, MSG_DONTWAIT);
        if (count > 0) left -= (size_t)count < left ? (size_t)count : left;
        if (left > 0) gw_wait(&connection, 10);
    }
    connection.silent_since_ms_ = 1;
    CHECK(gw_work(&connection) == 0 && connection.silent_since_ms_ > 1);
    begin(settings());
    CHECK(offer("unanswered") == 0);
    settle();
    CHECK(offer("short") == 0);
    connection.silent_since_ms_ = 1;
    CHECK(gw_work(&connection) == GW_ERROR_CONNECTION_LOST);
}

static void a_server_that_says_goaway_and_does_not_go_is_given_up(void) {
    begin(settings());
    connection.silent_since_ms_ = 1;
    CHECK(gw_work(&connection) == 0);
    say("{\"type\":\"goaway\",\"grace_ms\":1000}\n");
    while (!connection.is_leaving_) gw_wait(&connection, -1);
    connection.silent_since_ms_ = 1;
    CHECK(gw_work(&connection) == GW_ERROR_CONNECTION_LOST);
}

static void of_files_few_are_under_way_and_the_end_is_behind_them(void) {
    uint8_t message[64];
    begin(lasting());
    hear(message, sizeof message);
    say("{\"type\":\"configured\",\"sequence\":1,\"window\":1}\n");
    while (connection.state != GW_OPEN) gw_wait(&connection, -1);
    for (int i = 0; i < 3; i++) {
        CHECK(offer("x") == 0);
        settle();
    }
    CHECK(connection.counts.sent == 2 && !gw_is_ready(&connection));
    say(RESULT("1"));
    while (connection.counts.sent < 3) gw_wait(&connection, -1);
    CHECK(gw_end(&connection) == 0);
    settle();
    CHECK(connection.next_.is_taken);
    say(RESULT("2") RESULT("3"));
    while (connection.next_.is_taken) gw_wait(&connection, -1);
    for (int i = 0; i < 3; i++) hear(message, sizeof message);
    CHECK(hear(message, sizeof message) == 32 && message[4] == 4);
}

/* An address that answers nothing: its queue is full. */
static int full_listener(uint16_t *its_port, int *waiting, int count) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int full = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(full, (struct sockaddr *)&address, sizeof address) == 0 && listen(full, 0) == 0);
    getsockname(full, (struct sockaddr *)&address, &length);
    *its_port = ntohs(address.sin_port);
    for (int i = 0; i < count; i++) {
        waiting[i] = socket(AF_INET, SOCK_STREAM, 0);
        fcntl(waiting[i], F_SETFL, O_NONBLOCK);
        (void)!connect(waiting[i], (struct sockaddr *)&address, sizeof address);
    }
    return full;
}

static void an_address_that_does_not_answer_gives_way(void) {
    int waiting[4];
    hang_up();
    gw_settings s = settings();
    int full = full_listener(&s.port, waiting, 4);
    CHECK(gw_start(&connection, &s) == 0 && gw_work(&connection) == 0 && connection.state == GW_CONNECTING);
    struct sockaddr_in *second = (struct sockaddr_in *)&connection.addresses_[1];
    memcpy(second, &connection.addresses_[0], sizeof *second);
    second->sin_port = htons(port);
    connection.address_lengths_[1] = connection.address_lengths_[0];
    connection.address_count_ = 2;
    connection.address_deadline_ms_ = 1; /* Its share of the time is over. */
    answer_call(HELLO);
    while (connection.state == GW_GREETING) gw_wait(&connection, -1);
    CHECK(connection.state == GW_OPEN);
    gw_close(&connection);

    CHECK(gw_start(&connection, &s) == 0);
    connection.address_deadline_ms_ = 1;
    CHECK(gw_wait(&connection, -1) == GW_ERROR_CANNOT_CONNECT && connection.address_count_ == 0);
    for (int i = 0; i < 4; i++) close(waiting[i]);
    close(full);
}

static void a_callback_may_close(void) {
    begin(settings());
    closes_at_word = true;
    CHECK(offer("x") == 0 && settle() == 0);
    CHECK(offer("y") == 0);
    diary[0] = 0;
    say(RICH);
    int outcome = 0;
    while (outcome == 0) outcome = gw_wait(&connection, -1);
    CHECK(outcome == GW_ERROR_CLOSED);
    CHECK(strstr(diary, "result 1 error connection_lost\n") != NULL);
    CHECK(connection.counts.taken == connection.counts.sent + connection.counts.not_sent + connection.counts.lost);
    begin(settings());
    closes_at_result = true;
    CHECK(offer("x") == 0 && settle() == 0);
    say(RESULT("1") RESULT("1"));
    outcome = 0;
    while (outcome == 0) outcome = gw_wait(&connection, -1);
    CHECK(outcome == GW_ERROR_CLOSED && connection.counts.results == 1);
}

static void more_frames_than_the_list_holds_wait(void) {
    begin(settings());
    for (int i = 0; i < GW_MAX_UNANSWERED; i++) {
        CHECK(offer("") == 0);
        settle();
    }
    CHECK(connection.counts.sent == GW_MAX_UNANSWERED);
    CHECK(offer("") == 0 && settle() == 0 && connection.counts.sent == GW_MAX_UNANSWERED);
    CHECK(gw_poll_events(&connection) == POLLIN);
    say(RESULT("1"));
    while (connection.counts.sent == GW_MAX_UNANSWERED) gw_wait(&connection, -1);
    CHECK(connection.unanswered_count_ == GW_MAX_UNANSWERED);
}

static void memory_is_within_its_bound(void) {
    CHECK(sizeof(gw_connection) < 64 * 1024);
}

#ifdef GW_LZ4
static void rows_are_packed(void) {
    static uint8_t rows[640 * 480], packed[sizeof rows], unpacked[sizeof rows];
    static union {
        uint64_t aligned;
        char bytes[1 << 15];
    } state;
    for (size_t i = 0; i < sizeof rows; i++) rows[i] = (uint8_t)(i / 640);
    gw_frame f = frame("");
    f.format = GW_GRAY;
    f.payload = rows;
    f.length = sizeof rows;
    CHECK(gw_lz4_state_bytes() <= sizeof state);
    CHECK(!gw_pack_lz4(&f, &state, packed, 10) && f.payload == rows && f.format == GW_GRAY);
    CHECK(gw_pack_lz4(&f, &state, packed, sizeof packed) && f.format == GW_GRAY_LZ4_BLOCK);
    CHECK(LZ4_decompress_safe(f.payload, (char *)unpacked, (int)f.length, (int)sizeof unpacked) == (int)sizeof rows);
    CHECK(memcmp(rows, unpacked, sizeof rows) == 0);
    CHECK(!gw_pack_lz4(&f, &state, unpacked, sizeof unpacked));
}
#endif

/* Two pictures, the first with another inside a segment and with stuffed and restart markers, and what is none. */
static const uint8_t pictures[] = {
    'x',  0xFF, 'y',                                                                      /* nothing */
    0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x08, 0xFF, 0xD8, 0xFF, 0xD9, 0x00, 0x00,               /* a preview */
    0xFF, 0xFF, 0xDA, 0x00, 0x03, 0x01, 0x55, 0xFF, 0x00, 0xD9, 0xFF, 0xD3, 0x66,         /* a scan */
    0xFF, 0xC4, 0x00, 0x04, 0xFF, 0xD9, 0xFF, 0xDA, 0x00, 0x02, 0x77, 0xFF, 0xFF, 0xD9,   /* another, and the end */
    0xFF, 0xD8, 'z',                                                                      /* begun, and none */
    0xFF, 0xD8, 0xFF, 0xDA, 0x00, 0x02, 0x88, 0xFF, 0xD9,
};

static void pictures_are_found_wherever_they_are_cut(void) {
    static uint8_t memory[MJPEG_SLOTS * 64];
    for (size_t cut = 0; cut <= sizeof pictures; cut++) {
        int ends[2];
        mjpeg_reader reader;
        mjpeg_slot *found[3] = {NULL, NULL, NULL};
        int count = 0;
        CHECK(pipe(ends) == 0);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        mjpeg_start(&reader, ends[0], memory, 64);
        for (int part = 0; part < 2; part++) {
            size_t start = part == 0 ? 0 : cut, stop = part == 0 ? cut : sizeof pictures;
            CHECK(write(ends[1], pictures + start, stop - start) == (ssize_t)(stop - start));
            for (int i = 0; i < 6; i++) {
                mjpeg_slot *picture = mjpeg_read(&reader);
                if (picture != NULL && count < 3) found[count++] = picture;
            }
        }
        CHECK(count == 2);
        if (count == 2) {
            CHECK(found[0]->length == 39 && memcmp(found[0]->bytes, pictures + 3, 39) == 0);
            CHECK(found[1]->length == 9 && memcmp(found[1]->bytes, pictures + sizeof pictures - 9, 9) == 0);
        }
        close(ends[1]);
        CHECK(mjpeg_read(&reader) == NULL && reader.has_ended);
        close(ends[0]);
    }
}

static void a_picture_too_large_is_left_out(void) {
    static uint8_t memory[MJPEG_SLOTS * 64], large[200];
    int ends[2];
    mjpeg_reader reader;
    mjpeg_slot *picture = NULL;
    memcpy(large, pictures + 3, 24);
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], large, sizeof large) == (ssize_t)sizeof large);
    CHECK(write(ends[1], pictures, sizeof pictures) == (ssize_t)sizeof pictures);
    close(ends[1]);
    mjpeg_start(&reader, ends[0], memory, 64);
    while (picture == NULL && !reader.has_ended) picture = mjpeg_read(&reader);
    CHECK(picture != NULL && reader.too_large > 0);
    close(ends[0]);
}

/* The ends of each row of Table 3-7 of the Unicode Standard, and what is next to them. */
static void only_what_is_well_formed_is_utf_8(void) {
    static const char *const well_formed[] = {
        "", "a", "\x01\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xE0\xBF\xBF", "\xE1\x80\x80", "\xEC\xBF\xBF",
        "\xED\x80\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF0\xBF\xBF\xBF",
        "\xF1\x80\x80\x80", "\xF3\xBF\xBF\xBF", "\xF4\x80\x80\x80", "\xF4\x8F\xBF\xBF", "a\xC2\x80\xED\x9F\xBF-",
    };
    static const char *const ill_formed[] = {
        "\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x7F", "\xC2\xC0", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xE1\x80",
        "\xE1\x80\x7F", "\xED\xA0\x80", "\xED\xBF\xBF", "\xED\xA0\x80\xED\xB0\x80", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF",
        "\xF0\x90\x80", "\xF1\x80\x80\xC0", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF", "a\xC2\x80\x80",
    };
    for (size_t i = 0; i < sizeof well_formed / sizeof *well_formed; i++) CHECK(options_is_utf8(well_formed[i]));
    for (size_t i = 0; i < sizeof ill_formed / sizeof *ill_formed; i++) CHECK(!options_is_utf8(ill_formed[i]));
}

#define TEST(name) {#name, name}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        TEST(a_frame_goes_out_as_the_protocol_says),
        TEST(the_greeting_is_told),
        TEST(a_result_is_told_with_all_its_parts),
        TEST(a_result_is_the_same_wherever_it_is_cut),
        TEST(a_result_has_every_member_of_its_line),
        TEST(a_word_may_have_an_id),
        TEST(what_is_compared_and_found_is_told),
        TEST(a_change_has_its_type_and_its_text),
        TEST(a_callback_may_close_at_a_lost_word),
        TEST(what_else_a_server_says_is_told),
        TEST(options_are_written_by_their_names),
        TEST(a_line_too_long_for_the_buffer_is_read_all_the_same),
        TEST(a_long_text_is_cut_between_code_points),
        TEST(the_name_of_a_region_is_whole),
        TEST(what_is_unknown_is_passed_over),
        TEST(bad_lines_end_the_connection),
        TEST(nesting_has_a_limit),
        TEST(a_line_has_a_limit),
        TEST(numbers_do_not_depend_on_the_locale),
        TEST(the_newest_frame_wins),
        TEST(a_large_frame_is_sent_in_parts),
        TEST(results_are_read_while_a_frame_is_sent),
        TEST(a_frame_that_is_too_large_is_not_taken),
        TEST(the_limit_is_that_of_the_server_that_is_there_now),
        TEST(options_above_the_limit_are_not_sent),
        TEST(a_lost_connection_is_made_again),
        TEST(the_token_is_shown_on_each_connection),
        TEST(options_longer_than_a_message_before_the_token_follow_it),
        TEST(a_frame_cut_off_by_a_loss_is_lost_and_not_sent_again),
        TEST(pauses_double_up_to_a_limit),
        TEST(a_greeting_does_not_shorten_the_pauses),
        TEST(attempts_come_to_an_end),
        TEST(some_errors_are_final),
        TEST(a_board_may_boot_before_its_server),
        TEST(bytes_may_travel_by_a_transport),
        TEST(first_lines_say_who_answers),
        TEST(a_server_that_does_not_greet_is_given_up),
        TEST(a_port_that_does_not_greet_may_be_the_one_for_http),
        TEST(a_port_that_has_greeted_is_not_asked_about),
        TEST(options_may_be_refused),
        TEST(signs_of_life_are_answered),
        TEST(the_end_waits_for_every_result),
        TEST(behind_a_goaway_nothing_is_sent_until_there_is_another_connection),
        TEST(an_end_that_crosses_a_goaway_is_one_since_every_frame_has_its_result),
        TEST(an_idle_connection_pings),
        TEST(a_client_without_its_token_does_not_ping),
        TEST(the_time_to_answer_counts_from_when_a_frame_was_sent),
        TEST(a_server_that_says_goaway_and_does_not_go_is_given_up),
        TEST(of_files_few_are_under_way_and_the_end_is_behind_them),
        TEST(an_address_that_does_not_answer_gives_way),
        TEST(a_callback_may_close),
        TEST(more_frames_than_the_list_holds_wait),
        TEST(memory_is_within_its_bound),
#ifdef GW_LZ4
        TEST(rows_are_packed),
#endif
        TEST(pictures_are_found_wherever_they_are_cut),
        TEST(a_picture_too_large_is_left_out),
        TEST(only_what_is_well_formed_is_utf_8),
    };
    int run = 0;
    listen_again();
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (count > 1 && strcmp(arguments[1], tests[i].name) != 0) continue;
        current = tests[i].name;
        tests[i].run();
        gw_close(&connection);
        run++;
    }
    printf("%d tests, %d checks, %d failed\n", run, checks, failures);
    return failures > 0 || run == 0;
}
