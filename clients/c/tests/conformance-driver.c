/* Plays a session through this client; clients/conformance says what is asked of it. */
#define _POSIX_C_SOURCE 200809L

#include "../glyphwire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAME = 1, CONFIGURE = 2, PING = 3, STATS = 5, HEADER = 32, LINE_BYTES = 16 << 20 };

static gw_connection connection;
/* How many pongs and stats have come. */
static unsigned answers;
static char line[LINE_BYTES + 1];
static bool shows_words;
/* The words of the result that is being received, a tab before each. */
static char *words;
static size_t words_length, words_room;

static void add_word(void *context, const gw_text *text) {
    (void)context;
    if (text->kind != GW_WORD) return;
    if (words_length + text->length + 1 > words_room) {
        words_room = (words_length + text->length + 1) * 2;
        words = realloc(words, words_room);
        if (words == NULL) exit(2);
    }
    words[words_length++] = '\t';
    memcpy(words + words_length, text->text, text->length);
    words_length += text->length;
}

static void show(void *context, const gw_result *result) {
    (void)context;
    if (shows_words) {
        printf("%llu\t%s\t%s", (unsigned long long)result->sequence, result->status, result->code);
        if (strcmp(result->status, "error") != 0 && words_length > 0) fwrite(words, 1, words_length, stdout);
        putchar('\n');
    } else if (result->line != NULL) {
        fwrite(result->line, 1, result->line_length, stdout);
        putchar('\n');
    } else {
        printf("{\"type\":\"result\",\"sequence\":%llu,\"captured_us\":%llu,\"status\":\"%s\",\"code\":\"%s\","
               "\"message\":\"%s\"}\n",
               (unsigned long long)result->sequence, (unsigned long long)result->captured_us, result->status, result->code,
               result->message);
    }
    words_length = 0;
    fflush(stdout);
}

static void count_answer(void *context, const gw_answer *answer) {
    (void)context;
    answers += strcmp(answer->type, "pong") == 0 || strcmp(answer->type, "stats") == 0;
}

static uint64_t number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
    return value;
}

static uint8_t *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    *length = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*length + 1);
    if (bytes == NULL || fread(bytes, 1, *length, file) != *length) exit(2);
    fclose(file);
    return bytes;
}

/* The body of a configure, as a string that lives as long as the program. */
static const char *body(const uint8_t *message, size_t length) {
    char *copy = malloc(length - HEADER + 1);
    if (copy == NULL) exit(2);
    memcpy(copy, message + HEADER, length - HEADER);
    copy[length - HEADER] = 0;
    return copy;
}

static int play(const uint8_t *message, size_t length) {
    if (message[4] == FRAME) {
        gw_frame frame = {.format = (gw_format)message[5], .orientation = (gw_orientation)message[6]};
        frame.is_numbered = true;
        frame.sequence = number(message + 8, 8);
        frame.captured_us = number(message + 16, 8);
        frame.width = (uint16_t)number(message + 24, 2);
        frame.height = (uint16_t)number(message + 26, 2);
        frame.bytes_per_row = (uint32_t)number(message + 28, 4);
        frame.payload = message + HEADER;
        frame.length = length - HEADER;
        return gw_send(&connection, &frame);
    }
    if (message[4] == CONFIGURE) return gw_configure(&connection, body(message, length));
    if (message[4] != PING && message[4] != STATS) return 0;
    unsigned before = answers;
    int outcome = GW_BUSY;
    while (outcome == GW_BUSY) {
        outcome = message[4] == PING ? gw_ping(&connection, 0) : gw_stats(&connection);
        if (outcome == GW_BUSY) outcome = gw_wait(&connection, -1) == 0 ? GW_BUSY : 0;
    }
    while (outcome == 0 && answers == before && connection.state == GW_OPEN) outcome = gw_wait(&connection, -1);
    return outcome;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Lets the client work for so many seconds, with nothing to send. */
static int idle(double seconds) {
    int error = 0;
    for (double end = now() + seconds; error == 0 && now() < end;) error = gw_wait(&connection, (int)((end - now()) * 1000) + 1);
    return error;
}

static int usage(void) {
    fprintf(stderr, "usage: conformance-driver HOST PORT SESSION.gws [--reconnect] [--words] [--connect-timeout SECONDS]\n"
                    "       [--answer-timeout SECONDS] [--ping-interval SECONDS] [--pause SECONDS] [--finish-first]\n");
    return 2;
}

int main(int count, char **arguments) {
    const char *given[3] = {NULL, NULL, NULL};
    int given_count = 0;
    double pause = 0;
    gw_settings settings;
    memset(&settings, 0, sizeof settings);
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--reconnect") == 0) settings.max_attempts = 10;
        else if (strcmp(arguments[i], "--words") == 0) shows_words = true;
        else if (strcmp(arguments[i], "--connect-timeout") == 0 && i + 1 < count)
            settings.connect_timeout_ms = (uint32_t)(atof(arguments[++i]) * 1000);
        else if (strcmp(arguments[i], "--answer-timeout") == 0 && i + 1 < count)
            settings.answer_timeout_ms = (uint32_t)(atof(arguments[++i]) * 1000);
        else if (strcmp(arguments[i], "--ping-interval") == 0 && i + 1 < count)
            settings.ping_interval_ms = (uint32_t)(atof(arguments[++i]) * 1000);
        else if (strcmp(arguments[i], "--pause") == 0 && i + 1 < count) pause = atof(arguments[++i]);
        /* Results come by callbacks, while gw_finish() waits, too. */
        else if (strcmp(arguments[i], "--finish-first") == 0) continue;
        else if (given_count < 3 && arguments[i][0] != '-') given[given_count++] = arguments[i];
        else return usage();
    }
    if (given_count < 3) return usage();

    size_t length = 0, start = 0;
    const uint8_t *session = read_file(given[2], &length);
    settings.host = given[0];
    settings.port = (uint16_t)atoi(given[1]);
    settings.line_buffer = line;
    settings.line_buffer_bytes = sizeof line;
    settings.on_text = add_word;
    settings.on_result = show;
    settings.on_answer = count_answer;
    if (length >= HEADER && session[4] == CONFIGURE) {
        start = (size_t)number(session, 4) + 4;
        settings.options = body(session, start);
    }

    int error = gw_connect(&connection, &settings);
    if (error == 0) error = idle(pause);
    while (error == 0 && start + HEADER <= length) {
        size_t bytes = (size_t)number(session + start, 4) + 4;
        error = play(session + start, bytes);
        start += bytes;
    }
    char message[GW_MESSAGE_BYTES];
    snprintf(message, sizeof message, "%s", connection.message);
    /* Where the connection lives, what was sent before has its results. */
    int end = gw_finish(&connection);
    if (error == 0) {
        error = end;
        snprintf(message, sizeof message, "%s", connection.message);
    }
    if (error == 0) return 0;
    fprintf(stderr, "client-error: %s%s%s: %s\n", gw_error_name(error), error == GW_ERROR_REFUSED ? " " : "",
            error == GW_ERROR_REFUSED ? connection.wire_code : "", message);
    return 1;
}
