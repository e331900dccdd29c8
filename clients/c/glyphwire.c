/* The client of glyphwire.h: a writer of messages, a reader of lines, and what a connection does between them. */

#define _POSIX_C_SOURCE 200809L

#include "glyphwire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/poll.h>
#include <time.h>
#include <unistd.h>

#ifdef GW_LZ4
#include <lz4.h>
#endif

/* Elsewhere SIGPIPE must be ignored by the program. */
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* Has the system send a header together with its payload; elsewhere TCP_NODELAY sends it at once. */
#ifndef MSG_MORE
#define MSG_MORE 0
#endif

enum { HEADER_BYTES = 32, LENGTH_BYTES = 4, NO_SOCKET = -1, PROTOCOL = 1, FOREVER = -1 };
enum { TYPE_FRAME = 1, TYPE_CONFIGURE = 2, TYPE_PING = 3, TYPE_END = 4, TYPE_STATS = 5 };
/* How long a client must wait after `too_many_guesses`, by rule X2 of Protocol.md. */
enum { MINUTE_MS = 60000 };
/* Well below the five seconds in which servers expect the first message, by rule A9. */
enum { FIRST_PING_MS = 2000 };
/* How many frames are unanswered for each that the server works on, so that the next are there in time. */
enum { FRAMES_PER_WINDOW = 2 };
enum { UNASKED = 1, ASKED = 2 };

/* Members of a line that were there, where their absence matters. */
enum { SEEN_TYPE = 1, SEEN_SEQUENCE = 2, SEEN_STATUS = 4 };

static void fail(gw_connection *c, int error);

/* ------------------------------------------------------------------------------------------------ Small things */

const char *gw_error_name(int error) {
    switch (error) {
    case 0: return "ok";
    case GW_FINISHED: return "finished";
    case GW_BUSY: return "busy";
    case GW_ERROR_CANNOT_CONNECT: return "cannot_connect";
    case GW_ERROR_TIMED_OUT: return "timed_out";
    case GW_ERROR_NOT_GLYPHWIRE: return "not_glyphwire";
    case GW_ERROR_UNSUPPORTED_PROTOCOL: return "unsupported_protocol";
    case GW_ERROR_CONNECTION_LOST: return "connection_lost";
    case GW_ERROR_REFUSED: return "refused";
    case GW_ERROR_BAD_LINE: return "bad_line";
    case GW_ERROR_LINE_TOO_LONG: return "line_too_long";
    case GW_ERROR_MESSAGE_TOO_LARGE: return "message_too_large";
    case GW_ERROR_CLOSED: return "closed";
    default: return "unknown";
    }
}

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void put(uint8_t *bytes, uint64_t value, int count) {
    while (count-- > 0) {
        bytes[count] = (uint8_t)value;
        value >>= 8;
    }
}

static bool is_name(const char *a, const char *b) { return strcmp(a, b) == 0; }

static void set_state(gw_connection *c, gw_state state, int error) {
    c->state = state;
    if (c->settings_.on_state != NULL) c->settings_.on_state(c->settings_.context, state, error);
}

/* Says what is wrong with the server's address in front. */
static void complain(gw_connection *c, const char *what) {
    snprintf(c->message, sizeof c->message, "%s:%u %s", c->settings_.host, (unsigned)c->settings_.port, what);
}

static void release(gw_connection *c, const gw_frame *frame, gw_fate fate) {
    gw_frame released = *frame;
    switch (fate) {
    case GW_SENT: c->counts.sent++; break;
    case GW_LOST: c->counts.lost++; break;
    case GW_NOT_SENT: c->counts.not_sent++; break;
    }
    if (c->settings_.on_released != NULL) c->settings_.on_released(c->settings_.context, &released, fate);
}

/* ------------------------------------------------------------------------------------------------ Reading JSON */

/*
 * A line is read byte by byte, as it comes, with a stack of where in it we are. Only what gw_result and its like have
 * members for is kept; everything else is checked and passed over.
 */

enum { VALUE, FIRST_VALUE, KEY, FIRST_KEY, COLON, AFTER, STRING, ESCAPE, UNICODE, NUMBER, LITERAL, DONE };

enum {
    OTHER, ROOT, LIMITS, TIMINGS, LINES, LINE, SCORES, CANDIDATES, CANDIDATE, WORDS, WORD, CHARACTERS, CHARACTER, BOX,
    MATCHES, MATCH, MATCH_WORDS, CHANGES, CHANGE, LOST, WARNINGS, WARNING, PLACES = 127, ARRAY = 128
};

static void start_line(gw_connection *c) {
    gw_parser_ *p = &c->parser_;
    p->state = VALUE;
    p->depth = 0;
    p->place[0] = OTHER;
    p->key[0] = 0;
    c->line_length_ = 0;
    c->seen_ = 0;
    memset(&c->result_, 0, sizeof c->result_);
    c->result_.matches_complete = true;
    memset(&c->answer_, 0, sizeof c->answer_);
    memset(&c->greeting_, 0, sizeof c->greeting_);
}

static int place(const gw_parser_ *p) { return p->place[p->depth] & PLACES; }

static gw_text *text_at(gw_connection *c, int where) {
    switch (where) {
    case LINE: return &c->texts_[GW_LINE];
    case WORD: return &c->texts_[GW_WORD];
    case CHARACTER: return &c->texts_[GW_CHARACTER];
    case CANDIDATE: return &c->texts_[GW_CANDIDATE];
    case MATCH: return &c->texts_[GW_MATCH];
    case CHANGE: return &c->texts_[GW_CHANGE];
    default: return NULL;
    }
}

static void set_target(gw_parser_ *p, char *target, size_t bytes, gw_text *text) {
    p->target = target;
    p->target_bytes = bytes;
    p->target_length = 0;
    p->is_cut = false;
    p->text = text;
    p->high_surrogate = 0;
}

/* None of these is within another, so that one region is enough. */
static bool has_region(int where) { return where == LINE || where == MATCH || where == CHANGE; }

/* Where the string that begins is kept, if it is. */
static void choose_target(gw_connection *c) {
    gw_parser_ *p = &c->parser_;
    const char *key = p->key;
    gw_text *text = text_at(c, place(p));
    set_target(p, NULL, 0, NULL);
    if (text != NULL) {
        if (is_name(key, "text")) set_target(p, text->text, sizeof text->text, text);
        else if (place(p) == CHANGE && is_name(key, "previous")) {
            text->previous = c->previous_;
            set_target(p, c->previous_, sizeof c->previous_, NULL);
        }
        else if (is_name(key, place(p) == CHANGE ? "type" : "state")) set_target(p, text->state, sizeof text->state, NULL);
        else if (is_name(key, "script")) set_target(p, text->script, sizeof text->script, NULL);
        else if (is_name(key, "reason")) set_target(p, text->reason, sizeof text->reason, NULL);
        else if (is_name(key, "region") && has_region(place(p))) {
            text->region = c->region_;
            set_target(p, c->region_, sizeof c->region_, NULL);
        }
        return;
    }
    if (place(p) == WARNING && is_name(key, "code")) set_target(p, c->warning_.code, GW_NAME_BYTES, NULL);
    if (place(p) != ROOT) return;
    if (is_name(key, "type")) {
        set_target(p, c->answer_.type, GW_NAME_BYTES, NULL);
        c->seen_ |= SEEN_TYPE;
    } else if (is_name(key, "status")) {
        set_target(p, c->result_.status, GW_NAME_BYTES, NULL);
        c->seen_ |= SEEN_STATUS;
    } else if (is_name(key, "code")) {
        set_target(p, c->result_.code, GW_NAME_BYTES, NULL);
    } else if (is_name(key, "message")) {
        set_target(p, c->result_.message, GW_MESSAGE_BYTES, NULL);
    } else if (is_name(key, "reason")) {
        set_target(p, c->result_.reason, GW_NAME_BYTES, NULL);
    } else if (is_name(key, "level")) {
        set_target(p, c->result_.level, GW_NAME_BYTES, NULL);
    } else if (is_name(key, "coordinates")) {
        set_target(p, c->result_.coordinates, GW_NAME_BYTES, NULL);
    } else if (is_name(key, "version")) {
        set_target(p, c->greeting_.version, GW_NAME_BYTES, NULL);
    } else if (is_name(key, "auth")) {
        set_target(p, c->greeting_.auth, GW_NAME_BYTES, NULL);
    }
}

static void keep(gw_parser_ *p, const char *bytes, size_t count) {
    if (p->target == NULL || p->is_cut) return;
    size_t room = p->target_bytes - 1 - p->target_length;
    if (count > room) {
        count = room;
        p->is_cut = true;
    }
    memcpy(p->target + p->target_length, bytes, count);
    p->target_length += count;
}

static void keep_code_point(gw_parser_ *p, uint32_t point) {
    char bytes[4];
    size_t count;
    if (point < 0x80) {
        bytes[0] = (char)point;
        count = 1;
    } else if (point < 0x800) {
        bytes[0] = (char)(0xC0 | point >> 6);
        count = 2;
    } else if (point < 0x10000) {
        bytes[0] = (char)(0xE0 | point >> 12);
        count = 3;
    } else {
        bytes[0] = (char)(0xF0 | point >> 18);
        count = 4;
    }
    for (size_t i = 1; i < count; i++) bytes[i] = (char)(0x80 | (point >> (6 * (count - 1 - i)) & 0x3F));
    keep(p, bytes, count);
}

/* A half of a surrogate pair that stays alone becomes the replacement character. */
static void end_surrogate(gw_parser_ *p) {
    if (p->high_surrogate != 0) keep_code_point(p, 0xFFFD);
    p->high_surrogate = 0;
}

static void keep_escape(gw_parser_ *p, uint16_t unit) {
    if (unit >= 0xDC00 && unit <= 0xDFFF && p->high_surrogate != 0) {
        uint32_t high = (uint32_t)(p->high_surrogate - 0xD800) << 10;
        p->high_surrogate = 0;
        keep_code_point(p, 0x10000 + high + (uint32_t)(unit - 0xDC00));
        return;
    }
    end_surrogate(p);
    if (unit >= 0xD800 && unit <= 0xDBFF) p->high_surrogate = unit;
    else keep_code_point(p, unit >= 0xDC00 && unit <= 0xDFFF ? 0xFFFD : unit);
}

/* The length without a code point that was begun and not ended. */
static size_t whole_length(const char *text, size_t length) {
    size_t start = length;
    while (start > 0 && ((uint8_t)text[start - 1] & 0xC0) == 0x80) start--;
    if (start == 0) return length;
    uint8_t lead = (uint8_t)text[start - 1];
    size_t needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return length - (start - 1) < needed ? start - 1 : length;
}

static void string_ended(gw_parser_ *p) {
    end_surrogate(p);
    if (p->target != NULL) {
        if (p->is_cut) p->target_length = whole_length(p->target, p->target_length);
        p->target[p->target_length] = 0;
        if (p->is_key && p->is_cut) p->key[0] = 0;
        if (p->text != NULL) {
            p->text->length = p->target_length;
            p->text->is_cut = p->is_cut;
        }
    }
    p->state = p->is_key ? COLON : AFTER;
}

/* The whole number in `text`; false if it is none, or needs more than 64 bits. */
static bool integer(const char *text, uint64_t *value) {
    uint64_t number = 0;
    for (; *text != 0; text++) {
        if (*text < '0' || *text > '9') return false;
        unsigned digit = (unsigned)(*text - '0');
        if (number > (UINT64_MAX - digit) / 10) return false;
        number = number * 10 + digit;
    }
    *value = number;
    return true;
}

/* Not strtod, whose decimal point depends on the locale. Sets `value` if `text` is a number as JSON has it. */
static bool decimal(const char *text, double *value) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool is_negative = *text == '-', has_negative_exponent = false;
    if (is_negative) text++;
    if (*text < '0' || *text > '9' || (text[0] == '0' && text[1] >= '0' && text[1] <= '9')) return false;
    uint64_t digits = 0;
    int exponent = 0, told = 0;
    bool has_point = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !has_point); text++) {
        if (*text == '.') {
            has_point = true;
            if (text[1] < '0' || text[1] > '9') return false;
        } else if (digits < UINT64_MAX / 10 - 1) {
            digits = digits * 10 + (uint64_t)(*text - '0');
            exponent -= has_point;
        } else {
            exponent += !has_point;
        }
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        has_negative_exponent = *text == '-';
        if (*text == '-' || *text == '+') text++;
        if (*text < '0' || *text > '9') return false;
        for (; *text >= '0' && *text <= '9'; text++) {
            if (told < 1000) told = told * 10 + (*text - '0');
        }
        exponent += has_negative_exponent ? -told : told;
    }
    if (*text != 0) return false;
    double number = (double)digits;
    for (; exponent > 0 && number < 1e300; exponent -= exponent > 15 ? 15 : exponent) {
        number *= powers[exponent > 15 ? 15 : exponent];
    }
    for (; exponent < 0 && number != 0; exponent += exponent < -15 ? 15 : -exponent) {
        number /= powers[exponent < -15 ? 15 : -exponent];
    }
    *value = is_negative ? -number : number;
    return true;
}

static void root_integer(gw_connection *c, const char *key, uint64_t value) {
    gw_result *r = &c->result_;
    if (is_name(key, "sequence")) {
        r->sequence = value;
        c->seen_ |= SEEN_SEQUENCE;
    } else if (is_name(key, "captured_us")) {
        r->captured_us = value;
    } else if (is_name(key, "by")) {
        r->by = value;
        r->has_by = true;
    } else if (is_name(key, "width")) {
        r->width = value <= UINT32_MAX ? (uint32_t)value : 0;
    } else if (is_name(key, "height")) {
        r->height = value <= UINT32_MAX ? (uint32_t)value : 0;
    } else if (is_name(key, "orientation")) {
        r->orientation = value <= GW_LEFT ? (gw_orientation)value : GW_ORIENTATION_NONE;
    } else if (is_name(key, "received_us")) {
        c->answer_.received_us = value;
    } else if (is_name(key, "sent_us")) {
        c->answer_.sent_us = value;
    } else if (is_name(key, "frames")) {
        c->answer_.frames = value;
    } else if (is_name(key, "window")) {
        c->answer_.window = value;
    } else if (is_name(key, "grace_ms")) {
        c->answer_.grace_ms = value;
    } else if (is_name(key, "protocol")) {
        c->greeting_.protocol = value;
    }
}

static void named_integer(gw_connection *c, const char *key, uint64_t value) {
    const struct {
        int place;
        const char *key;
        uint64_t *member;
    } members[] = {
        {TIMINGS, "queue", &c->result_.timings_us.queue},
        {TIMINGS, "decode", &c->result_.timings_us.decode},
        {TIMINGS, "detect", &c->result_.timings_us.detect},
        {TIMINGS, "recognize", &c->result_.timings_us.recognize},
        {TIMINGS, "total", &c->result_.timings_us.total},
        {LIMITS, "max_message_bytes", &c->greeting_.max_message_bytes},
        {LIMITS, "max_pixels", &c->greeting_.max_pixels},
        {LIMITS, "max_side", &c->greeting_.max_side},
        {LIMITS, "max_configure_bytes", &c->greeting_.max_configure_bytes},
        {LIMITS, "max_unauthenticated_bytes", &c->greeting_.max_unauthenticated_bytes},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (members[i].place == place(&c->parser_) && is_name(key, members[i].key)) *members[i].member = value;
    }
}

static void text_number(gw_text *text, const char *key, const char *number, double value) {
    uint64_t whole;
    if (is_name(key, "confidence")) text->confidence = value;
    if (!integer(number, &whole)) return;
    if (is_name(key, "id")) {
        text->id = whole;
        text->has_id = true;
    } else if (text->kind == GW_MATCH && whole <= UINT32_MAX) {
        if (is_name(key, "line")) text->line = (uint32_t)whole;
        else if (is_name(key, "pattern")) text->pattern = (uint32_t)whole;
    } else if (text->kind == GW_CHANGE && whole <= UINT32_MAX && is_name(key, "pattern")) {
        text->pattern = (uint32_t)whole;
    }
}

static void score(gw_connection *c, const char *key, double value) {
    gw_text *line = &c->texts_[GW_LINE];
    if (is_name(key, "detection")) line->detection = value;
    else if (is_name(key, "recognition")) line->recognition = value;
}

static void warning_number(gw_warning *warning, const char *key, const char *number, double value) {
    if (is_name(key, "row")) warning->has_row = integer(number, &warning->row);
    else if (is_name(key, "scale")) warning->scale = value;
}

static void match_word(gw_connection *c, uint64_t word) {
    gw_text *match = &c->texts_[GW_MATCH];
    if (match->word_count++ == 0 && word <= UINT32_MAX) match->word = (uint32_t)word;
}

/* The only whole number that may be below zero; one that no server means is as good as none. */
static void age(gw_connection *c, const char *number, double value) {
    gw_result *r = &c->result_;
    r->has_age_ms = value > -1e15 && value < 1e15 && strpbrk(number, ".eE") == NULL;
    r->age_ms = r->has_age_ms ? (int64_t)value : 0;
}

static bool number_ended(gw_connection *c) {
    gw_parser_ *p = &c->parser_;
    p->number[p->number_length] = 0;
    p->state = AFTER;
    double value;
    if (!decimal(p->number, &value)) return false;
    int where = place(p);
    if (where == BOX) {
        gw_text *text = text_at(c, p->place[p->depth - 1] & PLACES);
        if (text != NULL && p->box_index < 8) text->box[p->box_index++] = value;
        return true;
    }
    gw_text *text = text_at(c, where);
    if (text != NULL) text_number(text, p->key, p->number, value);
    else if (where == SCORES) score(c, p->key, value);
    else if (where == WARNING) warning_number(&c->warning_, p->key, p->number, value);
    else if (where == ROOT && is_name(p->key, "age_ms")) age(c, p->number, value);
    uint64_t whole;
    if (text != NULL || where == OTHER || !integer(p->number, &whole)) return true;
    if (where == ROOT) root_integer(c, p->key, whole);
    else if (where == MATCH_WORDS) match_word(c, whole);
    else if (where == LOST && c->settings_.on_lost != NULL) c->settings_.on_lost(c->settings_.context, whole);
    else named_integer(c, p->key, whole);
    return c->state != GW_ENDED;
}

static bool open_container(gw_connection *c, bool is_array) {
    gw_parser_ *p = &c->parser_;
    if (p->depth == GW_MAX_DEPTH) return false;
    int inner = OTHER;
    const char *key = p->key;
    if (p->depth == 0) {
        if (is_array) return false;
        inner = ROOT;
    } else {
        switch (place(p)) {
        case ROOT:
            if (is_array) inner = is_name(key, "lines") ? LINES : is_name(key, "matches") ? MATCHES
                : is_name(key, "changes") ? CHANGES : is_name(key, "lost") ? LOST : is_name(key, "warnings") ? WARNINGS : OTHER;
            else inner = is_name(key, "timings_us") ? TIMINGS : is_name(key, "limits") ? LIMITS : OTHER;
            break;
        case LINES: inner = is_array ? OTHER : LINE; break;
        case CANDIDATES: inner = is_array ? OTHER : CANDIDATE; break;
        case MATCHES: inner = is_array ? OTHER : MATCH; break;
        case CHANGES: inner = is_array ? OTHER : CHANGE; break;
        case WARNINGS: inner = is_array ? OTHER : WARNING; break;
        case WORDS: inner = is_array ? OTHER : WORD; break;
        case CHARACTERS: inner = is_array ? OTHER : CHARACTER; break;
        case LINE:
        case WORD:
        case CHARACTER:
        case MATCH:
        case CHANGE:
            if (!is_array) {
                if (place(p) == LINE && is_name(key, "scores")) inner = SCORES;
                break;
            }
            if (is_name(key, "box")) inner = BOX;
            else if (place(p) == LINE && is_name(key, "words")) inner = WORDS;
            else if (place(p) == LINE && is_name(key, "candidates")) inner = CANDIDATES;
            else if (place(p) == MATCH && is_name(key, "words")) inner = MATCH_WORDS;
            else if (place(p) == WORD && is_name(key, "characters")) inner = CHARACTERS;
            break;
        default: break;
        }
    }
    p->place[++p->depth] = (uint8_t)(is_array ? inner | ARRAY : inner);
    p->state = is_array ? FIRST_VALUE : FIRST_KEY;
    p->key[0] = 0;
    if (inner == BOX) p->box_index = 0;
    if (inner == WARNING) memset(&c->warning_, 0, sizeof c->warning_);
    gw_text *text = text_at(c, inner);
    if (text != NULL) {
        text->kind = (gw_kind)(text - c->texts_);
        text->text[0] = text->state[0] = text->script[0] = text->reason[0] = 0;
        text->region = "";
        text->length = 0;
        text->is_cut = text->has_id = false;
        text->id = 0;
        text->confidence = text->detection = text->recognition = 0;
        text->word_count = text->pattern = 0;
        text->previous = NULL;
        memset(text->box, 0, sizeof text->box);
        text->line = inner == MATCH || inner == CHANGE ? 0 : c->result_.line_count;
        if (inner == LINE) c->texts_[GW_WORD].word = c->texts_[GW_CANDIDATE].candidate = 0;
        if (inner == WORD) c->texts_[GW_CHARACTER].character = 0;
        if (inner == CHARACTER) text->word = c->texts_[GW_WORD].word;
    }
    return true;
}

static bool close_container(gw_connection *c, bool is_array) {
    gw_parser_ *p = &c->parser_;
    if (p->depth == 0 || ((p->place[p->depth] & ARRAY) != 0) != is_array) return false;
    int inner = place(p);
    gw_text *text = text_at(c, inner);
    p->depth--;
    p->state = p->depth == 0 ? DONE : AFTER;
    if (inner == WARNING && c->settings_.on_warning != NULL) {
        c->settings_.on_warning(c->settings_.context, &c->warning_);
    }
    if (text == NULL) return true;
    if (c->settings_.on_text != NULL) c->settings_.on_text(c->settings_.context, text);
    if (inner == CHARACTER) text->character++;
    if (inner == CANDIDATE) text->candidate++;
    if (inner == MATCH) c->result_.match_count++;
    if (inner == CHANGE) c->result_.change_count++;
    if (inner == WORD) {
        text->word++;
        c->result_.word_count++;
    }
    if (inner == LINE) c->result_.line_count++;
    return true;
}

static bool begin_value(gw_connection *c, char byte) {
    gw_parser_ *p = &c->parser_;
    switch (byte) {
    case '{':
    case '[': return open_container(c, byte == '[');
    case '"':
        if (p->depth == 0) return false;
        p->is_key = false;
        p->state = STRING;
        choose_target(c);
        return true;
    case 't':
    case 'f':
    case 'n':
        if (p->depth == 0) return false;
        p->literal = byte == 't' ? "true" : byte == 'f' ? "false" : "null";
        p->literal_length = 1;
        p->state = LITERAL;
        return true;
    default:
        if (p->depth == 0 || (byte != '-' && (byte < '0' || byte > '9'))) return false;
        p->number[0] = byte;
        p->number_length = 1;
        p->state = NUMBER;
        return true;
    }
}

static bool literal_byte(gw_connection *c, char byte) {
    gw_parser_ *p = &c->parser_;
    if (byte != p->literal[p->literal_length]) return false;
    if (p->literal[++p->literal_length] != 0) return true;
    p->state = AFTER;
    if (place(p) != ROOT) return true;
    bool is_true = p->literal[0] == 't';
    if (is_name(p->key, "fatal")) c->answer_.is_fatal = is_true;
    else if (is_name(p->key, "reused")) c->result_.reused = is_true;
    else if (is_name(p->key, "truncated")) c->result_.truncated = is_true;
    else if (is_name(p->key, "matches_complete")) c->result_.matches_complete = is_true;
    return true;
}

static bool escape_byte(gw_parser_ *p, char byte) {
    static const char codes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *code = byte == 0 ? NULL : strchr(codes, byte);
    p->state = STRING;
    if (code != NULL) {
        end_surrogate(p);
        keep(p, &meanings[code - codes], 1);
        return true;
    }
    p->state = UNICODE;
    p->escape = 0;
    p->escape_digits = 0;
    return byte == 'u';
}

static bool unicode_byte(gw_parser_ *p, char byte) {
    unsigned digit;
    if (byte >= '0' && byte <= '9') digit = (unsigned)(byte - '0');
    else if (byte >= 'a' && byte <= 'f') digit = (unsigned)(byte - 'a' + 10);
    else if (byte >= 'A' && byte <= 'F') digit = (unsigned)(byte - 'A' + 10);
    else return false;
    p->escape = (uint16_t)((unsigned)p->escape << 4 | digit);
    if (++p->escape_digits < 4) return true;
    keep_escape(p, p->escape);
    p->state = STRING;
    return true;
}

/* What stands between values. */
static bool structure_byte(gw_connection *c, char byte) {
    gw_parser_ *p = &c->parser_;
    if (byte == ' ' || byte == '\t' || byte == '\r') return true;
    switch (p->state) {
    case FIRST_VALUE:
        if (byte == ']') return close_container(c, true);
        return begin_value(c, byte);
    case VALUE: return begin_value(c, byte);
    case FIRST_KEY:
        if (byte == '}') return close_container(c, false);
        /* fallthrough */
    case KEY:
        p->is_key = true;
        p->state = STRING;
        set_target(p, p->key, sizeof p->key, NULL);
        return byte == '"';
    case COLON:
        p->state = VALUE;
        return byte == ':';
    case AFTER:
        if (byte == ',') {
            p->state = (p->place[p->depth] & ARRAY) != 0 ? VALUE : KEY;
            return true;
        }
        return (byte == '}' || byte == ']') && close_container(c, byte == ']');
    default: return false;
    }
}

static bool is_of_number(char byte) {
    return (byte >= '0' && byte <= '9') || byte == '.' || byte == '-' || byte == '+' || byte == 'e' || byte == 'E';
}

/* Reads a part of a line; false if the line is no JSON object, or the connection was closed by a callback. */
static bool parse(gw_connection *c, const char *bytes, size_t count) {
    gw_parser_ *p = &c->parser_;
    size_t i = 0;
    while (i < count) {
        bool is_good = true;
        if (p->state == STRING) {
            size_t start = i;
            while (i < count && bytes[i] != '"' && bytes[i] != '\\' && (uint8_t)bytes[i] >= 0x20) i++;
            if (i > start) {
                end_surrogate(p);
                keep(p, bytes + start, i - start);
            }
            if (i == count) return true;
            if (bytes[i] == '"') string_ended(p);
            else if (bytes[i] == '\\') p->state = ESCAPE;
            else return false;
            i++;
            continue;
        }
        if (p->state == NUMBER) {
            if (!is_of_number(bytes[i])) {
                if (!number_ended(c)) return false;
                continue;
            }
            /* Digits past the buffer are worth nothing; a number of so many is none that we keep. */
            if (p->number_length < sizeof p->number - 1) p->number[p->number_length++] = bytes[i];
            i++;
            continue;
        }
        switch (p->state) {
        case ESCAPE: is_good = escape_byte(p, bytes[i]); break;
        case UNICODE: is_good = unicode_byte(p, bytes[i]); break;
        case LITERAL: is_good = literal_byte(c, bytes[i]); break;
        default: is_good = structure_byte(c, bytes[i]); break;
        }
        if (!is_good || c->state == GW_ENDED) return false;
        i++;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ Options */

typedef struct writer {
    char *buffer;
    size_t bytes, length;
    bool is_good;
} writer;

static void add(writer *w, const char *text) {
    size_t length = strlen(text);
    if (length >= w->bytes - w->length) {
        w->is_good = false;
        return;
    }
    memcpy(w->buffer + w->length, text, length + 1);
    w->length += length;
}

static void add_string(writer *w, const char *text) {
    add(w, "\"");
    for (; *text != 0; text++) {
        char escape[8] = {*text, 0};
        if (*text == '"' || *text == '\\' || (uint8_t)*text < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(uint8_t)*text);
        }
        add(w, escape);
    }
    add(w, "\"");
}

/* Not printf, whose decimal point depends on the locale. */
static void add_fraction(writer *w, double fraction) {
    char text[16];
    if (!(fraction >= 0 && fraction <= 1)) {
        w->is_good = false;
        return;
    }
    unsigned millionths = (unsigned)(fraction * 1e6 + 0.5);
    snprintf(text, sizeof text, "%u.%06u", millionths / 1000000, millionths % 1000000);
    add(w, text);
}

static void add_name(writer *w, const char *name) {
    if (w->length > 1) add(w, ",");
    add_string(w, name);
    add(w, ":");
}

static void write_string(writer *w, const char *name, const char *value) {
    if (value == NULL) return;
    add_name(w, name);
    add_string(w, value);
}

static void write_strings(writer *w, const char *name, const char *const *values) {
    if (values == NULL) return;
    add_name(w, name);
    add(w, "[");
    for (size_t i = 0; values[i] != NULL; i++) {
        if (i > 0) add(w, ",");
        add_string(w, values[i]);
    }
    add(w, "]");
}

static void write_choice(writer *w, const char *name, gw_choice value) {
    if (value == GW_DEFAULT) return;
    add_name(w, name);
    add(w, value == GW_YES ? "true" : "false");
}

static void write_number(writer *w, const char *name, int64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    add_name(w, name);
    add(w, text);
}

static void write_fractions(writer *w, const char *name, const double *fractions, size_t count) {
    add_name(w, name);
    for (size_t i = 0; i < count; i++) {
        add(w, i == 0 ? "[" : ",");
        add_fraction(w, fractions[i]);
    }
    add(w, "]");
}

static void write_area(writer *w, const double area[4]) {
    if (area[2] != 0 || area[3] != 0) write_fractions(w, "regionOfInterest", area, 4);
}

static void write_regions(writer *w, const gw_options *o) {
    if (o->region_count == 0) return;
    add_name(w, "regions");
    for (size_t i = 0; i < o->region_count; i++) {
        const gw_region *region = &o->regions[i];
        add(w, i == 0 ? "[{\"name\":" : ",{\"name\":");
        add_string(w, region->name);
        write_area(w, region->region_of_interest);
        if (region->corner_count > 0) write_fractions(w, "polygon", region->polygon, 2 * region->corner_count);
        write_strings(w, "find", region->find);
        write_string(w, "characterSet", region->character_set);
        if (region->minimum_text_height != 0) {
            add_name(w, "minimumTextHeight");
            add_fraction(w, region->minimum_text_height);
        }
        add(w, "}");
    }
    add(w, "]");
}

bool gw_write_options(const gw_options *o, char *buffer, size_t buffer_bytes) {
    writer w = {buffer, buffer_bytes, 0, buffer_bytes > 0};
    if (!w.is_good) return false;
    add(&w, "{");
    write_string(&w, "token", o->token);
    write_string(&w, "client", o->client);
    write_string(&w, "level", o->level);
    write_choice(&w, "recognize", o->recognize);
    write_choice(&w, "characters", o->characters);
    write_string(&w, "coordinates", o->coordinates);
    if (o->minimum_text_height != 0) {
        add_name(&w, "minimumTextHeight");
        add_fraction(&w, o->minimum_text_height);
    }
    write_area(&w, o->region_of_interest);
    write_regions(&w, o);
    write_string(&w, "upright", o->upright);
    write_string(&w, "damaged", o->damaged);
    write_strings(&w, "languages", o->languages);
    write_strings(&w, "customWords", o->custom_words);
    write_string(&w, "characterSet", o->character_set);
    write_choice(&w, "languageCorrection", o->language_correction);
    write_string(&w, "unreadable", o->unreadable);
    write_strings(&w, "find", o->find);
    if (o->candidates != 0) write_number(&w, "candidates", o->candidates);
    write_string(&w, "delivery", o->delivery);
    if (o->deadline_ms != 0) write_number(&w, "deadline_ms", o->deadline_ms);
    if (o->has_clock_offset_us) write_number(&w, "clock_offset_us", o->clock_offset_us);
    write_choice(&w, "temporal", o->temporal);
    if (o->refresh_ms != 0) write_number(&w, "refresh_ms", o->refresh_ms);
    write_string(&w, "report", o->report);
    add(&w, "}");
    return w.is_good;
}

static const char spaces[] = " \t\r\n";

/* What is behind the string that begins here. */
static const char *behind_string(const char *text) {
    for (text++; *text != 0 && *text != '"'; text++) {
        if (*text == '\\' && text[1] != 0) text++;
    }
    return *text == 0 ? text : text + 1;
}

/* The token among options, as it stands there with its quotes, and its length; NULL if they have none. */
static const char *find_token(const char *options, size_t *length) {
    static const char name[] = "\"token\"";
    int depth = 0;
    const char *at = options == NULL ? "" : options;
    while (*at != 0) {
        if (*at != '"') {
            depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
            at++;
            continue;
        }
        bool is_token = depth == 1 && strncmp(at, name, sizeof name - 1) == 0;
        at = behind_string(at);
        const char *colon = at + strspn(at, spaces);
        if (!is_token || *colon != ':') continue;
        at = colon + 1 + strspn(colon + 1, spaces);
        if (*at != '"') return NULL;
        *length = (size_t)(behind_string(at) - at);
        return at;
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ Messages */

/* What stands before and behind the value of a token that is sent alone. */
static const char token_head[] = "{\"token\":", token_tail[] = "}";
enum { TOKEN_HEAD_BYTES = sizeof token_head - 1, TOKEN_TAIL_BYTES = sizeof token_tail - 1 };
/* A negative size, so no program, if the connection has too little room for it. */
typedef char token_head_fits[sizeof((gw_connection *)0)->head_ >= HEADER_BYTES + TOKEN_HEAD_BYTES ? 1 : -1];

/* What the length field says of a message with such a payload. */
static uint64_t length_of(size_t payload_bytes) { return (uint64_t)payload_bytes + (HEADER_BYTES - LENGTH_BYTES); }

static void write_header(gw_connection *c, const gw_message_ *message) {
    const gw_frame *frame = &message->frame;
    uint8_t *header = c->head_;
    size_t around = message->is_token ? TOKEN_HEAD_BYTES + TOKEN_TAIL_BYTES : 0;
    put(header, length_of(frame->length + around), 4);
    put(header + 4, message->type, 1);
    put(header + 5, (uint64_t)frame->format, 1);
    put(header + 6, (uint64_t)frame->orientation, 1);
    put(header + 7, 0, 1);
    put(header + 8, frame->sequence, 8);
    put(header + 16, frame->captured_us, 8);
    put(header + 24, frame->width, 2);
    put(header + 26, frame->height, 2);
    put(header + 28, frame->bytes_per_row, 4);
    c->head_length_ = HEADER_BYTES;
    if (!message->is_token) return;
    memcpy(header + HEADER_BYTES, token_head, TOKEN_HEAD_BYTES);
    c->head_length_ += TOKEN_HEAD_BYTES;
}

/* What the server that is there now takes (rule X3); it says so in its greeting. */
static uint64_t message_limit(const gw_connection *c) {
    bool is_told = c->is_greeted_ && c->socket_.fd != NO_SOCKET;
    uint64_t limit = is_told ? c->hello.max_message_bytes : 0;
    return limit == 0 || limit > UINT32_MAX ? UINT32_MAX : limit;
}

static bool is_too_large(const gw_connection *c, size_t payload_bytes) {
    return length_of(payload_bytes) > message_limit(c);
}

static int refuse_large(gw_connection *c, size_t payload_bytes) {
    char what[160];
    snprintf(what, sizeof what, "takes messages of at most %llu bytes, not %llu; send a smaller picture, or JPEG",
             (unsigned long long)message_limit(c), (unsigned long long)length_of(payload_bytes));
    complain(c, what);
    return GW_ERROR_MESSAGE_TOO_LARGE;
}

static gw_message_ message(gw_connection *c, uint8_t type, const char *body) {
    gw_message_ message;
    memset(&message, 0, sizeof message);
    message.type = type;
    message.is_taken = true;
    message.frame.payload = body;
    message.frame.length = body == NULL ? 0 : strlen(body);
    message.frame.sequence = ++c->last_request_;
    return message;
}

/* How many frames may be unanswered. Where the server reads every frame they are few, so that little is lost with one that
   stops. */
static uint32_t most_unanswered(const gw_connection *c) {
    uint32_t most = c->settings_.max_unanswered;
    bool is_less = c->window_ > 0 && c->window_ < most / FRAMES_PER_WINDOW;
    return is_less ? (uint32_t)c->window_ * FRAMES_PER_WINDOW : most;
}

/* Whether the message that waits may be sent. */
static bool may_begin(const gw_connection *c) {
    const gw_message_ *next = &c->next_;
    bool is_open = c->state == GW_OPEN && !c->is_leaving_;
    if (!is_open || !next->is_taken || c->unanswered_count_ >= GW_MAX_UNANSWERED) return false;
    if (next->type == TYPE_FRAME) return c->unanswered_frames_ < most_unanswered(c);
    /* The end follows the last answer where every frame is read: until then a loss is not final. */
    return next->type != TYPE_END || c->window_ == 0 || c->unanswered_frames_ == 0;
}

/* Begins the next message, once it may be sent. */
static bool begin_message(gw_connection *c) {
    while (may_begin(c)) {
        c->now_ = c->next_;
        c->next_.is_taken = false;
        if (is_too_large(c, c->now_.frame.length)) {
            /* Found here only for what was taken before this server, with its own limit, was there. */
            c->now_.is_taken = false;
            refuse_large(c, c->now_.frame.length);
            if (c->now_.type == TYPE_FRAME) release(c, &c->now_.frame, GW_NOT_SENT);
            else c->configure_outcome_ = GW_ERROR_MESSAGE_TOO_LARGE;
            continue;
        }
        write_header(c, &c->now_);
        c->written_ = 0;
        return true;
    }
    return false;
}

/* Has a message of which nothing was sent wait again, unless there is a newer one. */
static void put_back(gw_connection *c) {
    c->now_.is_taken = false;
    if (c->now_.is_own) return;
    if (!c->next_.is_taken) {
        c->next_ = c->now_;
        c->next_.is_taken = true;
    } else if (c->now_.type == TYPE_FRAME) {
        release(c, &c->now_.frame, GW_NOT_SENT);
    }
}

/* The first bytes of a message are out: from here on it has an answer, if only that the connection was lost. */
static void note_sent(gw_connection *c) {
    gw_sent_ *sent = &c->unanswered_[(c->first_unanswered_ + c->unanswered_count_) % GW_MAX_UNANSWERED];
    sent->sequence = c->now_.frame.sequence;
    sent->captured_us = c->now_.frame.captured_us;
    sent->type = c->now_.type;
    sent->is_own = c->now_.is_own;
    c->unanswered_count_++;
    if (sent->type == TYPE_FRAME) c->unanswered_frames_++;
    if (sent->type == TYPE_END) c->is_end_sent_ = true;
}

/* Bytes of a message are out. No answer is late while the network takes one part of a payload after another (rule A12). */
static void note_part(gw_connection *c, size_t count) {
    if (c->written_ == 0) note_sent(c);
    bool is_long = c->written_ > c->head_length_;
    c->written_ += count;
    c->sent_at_ms_ = now_ms();
    c->has_sent_ = true;
    if (is_long || c->unanswered_count_ <= 1) c->silent_since_ms_ = c->sent_at_ms_;
}

static gw_sent_ pop_unanswered(gw_connection *c) {
    gw_sent_ sent = c->unanswered_[c->first_unanswered_];
    c->first_unanswered_ = (c->first_unanswered_ + 1) % GW_MAX_UNANSWERED;
    c->unanswered_count_--;
    if (sent.type == TYPE_FRAME) c->unanswered_frames_--;
    return sent;
}

/* Sends bytes; one of the values of gw_transport if none can be sent. */
static long send_bytes(gw_connection *c, const void *bytes, size_t count, bool has_more) {
    gw_transport *transport = c->settings_.transport;
    if (transport != NULL) return transport->send(transport->context, c->socket_, bytes, count);
    for (;;) {
        ssize_t sent = send(c->socket_.fd, bytes, count, MSG_NOSIGNAL | (has_more ? MSG_MORE : 0));
        if (sent > 0) return (long)sent;
        if (sent < 0 && errno == EINTR) continue;
        return sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? GW_WANTS_WRITE : GW_TRANSPORT_FAILED;
    }
}

typedef struct piece {
    const char *bytes;
    size_t count;
} piece;

/* What of the message in hand is to be sent next; nothing once all of it is. */
static piece next_piece(const gw_connection *c) {
    const piece pieces[] = {
        {(const char *)c->head_, c->head_length_},
        {c->now_.frame.payload, c->now_.frame.length},
        {token_tail, c->now_.is_token ? TOKEN_TAIL_BYTES : 0},
    };
    size_t done = c->written_;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        if (done < pieces[i].count) return (piece){pieces[i].bytes + done, pieces[i].count - done};
        done -= pieces[i].count;
    }
    return (piece){NULL, 0};
}

/* Sends what the socket takes. A socket that takes nothing any more is left to the reader: the server's last line may
   say why. */
static void write_messages(gw_connection *c) {
    c->send_waits_ = false;
    while (!c->cannot_write_ && (c->state == GW_OPEN || c->state == GW_GREETING)) {
        if (!c->now_.is_taken && !begin_message(c)) return;
        bool is_head = c->written_ < c->head_length_;
        piece next = next_piece(c);
        long count = send_bytes(c, next.bytes, next.count, is_head && c->now_.frame.length > 0);
        c->send_waits_ = count == GW_WANTS_READ;
        if (count == GW_WANTS_READ || count == GW_WANTS_WRITE) return;
        if (count <= 0) {
            c->cannot_write_ = true;
            return;
        }
        note_part(c, (size_t)count);
        if (next_piece(c).count == 0) {
            c->now_.is_taken = false;
            if (c->now_.type == TYPE_FRAME) release(c, &c->now_.frame, GW_SENT);
        }
    }
}

/* ------------------------------------------------------------------------------------------------ Lines */

static const char *kept_line(const gw_connection *c) {
    bool fits = c->settings_.line_buffer != NULL && c->line_length_ < c->settings_.line_buffer_bytes;
    return fits ? c->settings_.line_buffer : NULL;
}

static void tell_answer(gw_connection *c) {
    gw_answer *answer = &c->answer_;
    answer->sequence = c->result_.sequence;
    answer->captured_us = c->result_.captured_us;
    memcpy(answer->code, c->result_.code, sizeof answer->code);
    memcpy(answer->message, c->result_.message, sizeof answer->message);
    answer->line = kept_line(c);
    answer->line_length = c->line_length_;
    if (c->settings_.on_answer != NULL) c->settings_.on_answer(c->settings_.context, answer);
}

static void opened(gw_connection *c) {
    c->deadline_ms_ = 0;
    set_state(c, GW_OPEN, 0);
}

/* The server has taken options: their token is shown on other connections, also where later ones have none. */
static void options_taken(gw_connection *c, const char *options) {
    size_t length = 0;
    const char *token = find_token(options, &length);
    c->options_ = options;
    if (token == NULL) return;
    c->token_ = token;
    c->token_length_ = length;
}

static size_t options_length(const gw_connection *c) { return c->options_ == NULL ? 0 : strlen(c->options_); }

/* Whether the token goes before the options: they have none (rule A1), or are longer than it allows before (rule N1). */
static bool needs_token_alone(const gw_connection *c) {
    uint64_t limit = c->hello.max_unauthenticated_bytes;
    size_t length;
    bool is_too_long = limit > 0 && length_of(options_length(c)) > limit;
    bool is_asked_for = is_name(c->hello.auth, "token") && c->token_ != NULL;
    return is_asked_for && (is_too_long || find_token(c->options_, &length) == NULL);
}

static gw_message_ token_message(gw_connection *c) {
    gw_message_ token = message(c, TYPE_CONFIGURE, NULL);
    token.is_token = true;
    token.frame.payload = c->token_;
    token.frame.length = c->token_length_;
    return token;
}

/* Sends what is owed, one after the other is taken; then the connection is open. A server that stops takes nothing (rule G4). */
static void go_on_greeting(gw_connection *c) {
    bool is_token = c->owes_token_;
    if (!is_token && !c->owes_options_) {
        opened(c);
        return;
    }
    if (c->is_leaving_) {
        complain(c, "stops, and takes no more messages; connect again later");
        fail(c, GW_ERROR_CONNECTION_LOST);
        return;
    }
    if (is_too_large(c, options_length(c))) {
        fail(c, refuse_large(c, options_length(c)));
        return;
    }
    c->now_ = is_token ? token_message(c) : message(c, TYPE_CONFIGURE, c->options_);
    c->now_.is_own = true;
    write_header(c, &c->now_);
    c->written_ = 0;
    if (is_token) c->owes_token_ = false;
    else c->owes_options_ = false;
}

static void refused(gw_connection *c) {
    memcpy(c->wire_code, c->result_.code, sizeof c->wire_code);
    /* The sum of both is longer than a message may be; what is too much is cut. */
    snprintf(c->message, sizeof c->message, "the server refused: %.*s (%s)", GW_MESSAGE_BYTES - GW_NAME_BYTES - 32,
             c->result_.message, c->result_.code);
}

static void hello_received(gw_connection *c) {
    if (!is_name(c->answer_.type, "hello")) {
        complain(c, "sends a first line that is no Glyphwire greeting; check the port");
        fail(c, GW_ERROR_NOT_GLYPHWIRE);
        return;
    }
    if (c->greeting_.protocol != PROTOCOL) {
        complain(c, "speaks another version of the protocol than 1; update the older of server and client");
        fail(c, GW_ERROR_UNSUPPORTED_PROTOCOL);
        return;
    }
    c->hello = c->greeting_;
    c->sent_at_ms_ = now_ms();
    c->is_greeted_ = c->was_open_ = true;
    c->counts.connections++;
    tell_answer(c);
    if (c->state == GW_ENDED) return;
    c->owes_options_ = c->options_ != NULL;
    c->owes_token_ = needs_token_alone(c);
    go_on_greeting(c);
}

static void result_received(gw_connection *c) {
    const unsigned needed = SEEN_SEQUENCE | SEEN_STATUS;
    bool is_whole = (c->seen_ & needed) == needed;
    const gw_sent_ *first = &c->unanswered_[c->first_unanswered_];
    bool is_next = c->unanswered_count_ > 0 && first->type == TYPE_FRAME && first->sequence == c->result_.sequence;
    if (!is_whole || !is_next) {
        complain(c, is_whole ? "sent a result out of the order of the frames"
                             : "sent a result without sequence or status");
        fail(c, GW_ERROR_BAD_LINE);
        return;
    }
    pop_unanswered(c);
    c->counts.results++;
    c->result_.line = kept_line(c);
    c->result_.line_length = c->line_length_;
    if (c->settings_.on_result != NULL) c->settings_.on_result(c->settings_.context, &c->result_);
}

/* Takes the message that the line answers off the list; its type is 0 for a line that nobody asked for. */
static gw_sent_ pop_answered(gw_connection *c) {
    const gw_sent_ none = {0, 0, 0, false};
    const char *type = c->answer_.type;
    uint8_t first = c->unanswered_count_ > 0 ? c->unanswered_[c->first_unanswered_].type : 0;
    bool is_answer = (first == TYPE_CONFIGURE && is_name(type, "configured"))
        || (first == TYPE_PING && is_name(type, "pong")) || (first == TYPE_STATS && is_name(type, "stats"))
        || (first != 0 && first != TYPE_FRAME && is_name(type, "error"));
    return is_answer ? pop_unanswered(c) : none;
}

static bool is_answer(const char *type) {
    return is_name(type, "configured") || is_name(type, "pong") || is_name(type, "stats") || is_name(type, "end")
        || is_name(type, "error");
}

static void options_answered(gw_connection *c) {
    bool is_taken = is_name(c->answer_.type, "configured");
    if (!is_taken) refused(c);
    else c->window_ = c->answer_.window;
    if (c->state == GW_GREETING) {
        if (is_taken) go_on_greeting(c);
        else fail(c, GW_ERROR_REFUSED);
        return;
    }
    if (is_taken) options_taken(c, c->asked_options_);
    c->configure_outcome_ = is_taken ? 0 : GW_ERROR_REFUSED;
}

/* The server stops, and takes no more messages (rule G4). One of which nothing was sent waits for another connection. */
static void goaway_received(gw_connection *c) {
    c->is_leaving_ = true;
    if (c->now_.is_taken && c->written_ == 0) put_back(c);
}

static void end(gw_connection *c, int error);

static void line_received(gw_connection *c) {
    if (c->parser_.state != DONE || (c->seen_ & SEEN_TYPE) == 0) {
        complain(c, "sent a line that is no JSON object with a type");
        fail(c, c->is_greeted_ ? GW_ERROR_BAD_LINE : GW_ERROR_NOT_GLYPHWIRE);
    } else if (is_name(c->answer_.type, "error") && c->answer_.is_fatal) {
        refused(c);
        tell_answer(c);
        if (c->state != GW_ENDED) fail(c, GW_ERROR_REFUSED);
    } else if (!c->is_greeted_) {
        hello_received(c);
    } else if (is_name(c->answer_.type, "result")) {
        c->attempts_ = 0;
        result_received(c);
    } else {
        /* Not by the greeting, which the refusal of a server without room follows. */
        if (is_answer(c->answer_.type)) c->attempts_ = 0;
        if (is_name(c->answer_.type, "goaway")) goaway_received(c);
        gw_sent_ answered = pop_answered(c);
        bool is_end = is_name(c->answer_.type, "end") && c->is_end_sent_ && c->unanswered_frames_ == 0;
        if (answered.type != TYPE_PING || !answered.is_own) tell_answer(c);
        if (c->state == GW_ENDED) return;
        if (answered.type == TYPE_CONFIGURE) options_answered(c);
        else if (is_end) end(c, GW_FINISHED);
    }
}

/* Reads bytes of lines; false once the connection is given up. */
static bool bytes_received(gw_connection *c, const char *bytes, size_t count) {
    while (count > 0) {
        const char *feed = memchr(bytes, '\n', count);
        size_t part = feed == NULL ? count : (size_t)(feed - bytes);
        if (part > c->settings_.max_line_bytes - c->line_length_) {
            complain(c, "sent a line longer than max_line_bytes; allow longer lines, or ask for less in the options");
            fail(c, GW_ERROR_LINE_TOO_LONG);
            return false;
        }
        char *buffer = c->settings_.line_buffer;
        size_t room = buffer == NULL ? 0 : c->settings_.line_buffer_bytes;
        if (c->line_length_ + part < room) {
            memcpy(buffer + c->line_length_, bytes, part);
            buffer[c->line_length_ + part] = 0;
        }
        c->line_length_ += part;
        if (!parse(c, bytes, part)) {
            if (c->state == GW_ENDED) return false;
            complain(c, "sent a line that is no JSON object");
            fail(c, c->is_greeted_ ? GW_ERROR_BAD_LINE : GW_ERROR_NOT_GLYPHWIRE);
            return false;
        }
        if (feed == NULL) return true;
        line_received(c);
        if (c->state != GW_GREETING && c->state != GW_OPEN) return false;
        start_line(c);
        bytes += part + 1;
        count -= part + 1;
    }
    return true;
}

/* Receives bytes into `input_`; one of the values of gw_transport if there are none. */
static long receive_bytes(gw_connection *c) {
    gw_transport *transport = c->settings_.transport;
    if (transport != NULL) return transport->receive(transport->context, c->socket_, c->input_, sizeof c->input_);
    for (;;) {
        ssize_t count = recv(c->socket_.fd, c->input_, sizeof c->input_, 0);
        if (count >= 0) return (long)count;
        if (errno == EINTR) continue;
        return errno == EAGAIN || errno == EWOULDBLOCK ? GW_WANTS_READ : GW_TRANSPORT_FAILED;
    }
}

/* The server has closed the connection, or it is lost: `count` is what receive_bytes() returned. */
static void reading_ended(gw_connection *c, long count) {
    const gw_transport *transport = c->settings_.transport;
    char what[300];
    const char *reason = transport == NULL ? strerror(errno) : transport->error != NULL ? transport->error : "";
    /* A port that has greeted before is the right one. */
    if (count == 0 && !c->was_open_) {
        snprintf(what, sizeof what, "closed the connection before a greeting; is this the port for frames (7411), not the one "
            "for HTTP? If it is, the server's log says why");
    } else if (count == 0) {
        snprintf(what, sizeof what, "closed the connection; the server's log says why");
    } else if (transport != NULL && !c->is_greeted_) {
        snprintf(what, sizeof what, "cannot be spoken to: %s", reason);
    } else {
        snprintf(what, sizeof what, "is lost: %s; the server may have stopped", reason);
    }
    complain(c, what);
    bool is_handshake = count != 0 && transport != NULL && !c->is_greeted_;
    c->is_refused_ = is_handshake && count == GW_TRANSPORT_REFUSED;
    fail(c, is_handshake ? GW_ERROR_CANNOT_CONNECT : GW_ERROR_CONNECTION_LOST);
}

static void read_lines(gw_connection *c) {
    c->wants_write_ = c->may_have_more_ = false;
    /* So many at a time, so that a server that never pauses does not keep messages from being sent. */
    for (int turn = 0; turn < 16; turn++) {
        long count = receive_bytes(c);
        if (count == GW_WANTS_READ || count == GW_WANTS_WRITE) {
            c->wants_write_ = count == GW_WANTS_WRITE;
            return;
        }
        if (count <= 0) {
            reading_ended(c, count);
            return;
        }
        c->silent_since_ms_ = now_ms();
        if (!bytes_received(c, c->input_, (size_t)count)) return;
        if (c->settings_.transport == NULL && (size_t)count < sizeof c->input_) return;
    }
    /* A transport may have more in its own memory, of which the socket says nothing. */
    c->may_have_more_ = c->settings_.transport != NULL;
}

/* ------------------------------------------------------------------------------------------------ Connections */

static void close_socket(gw_connection *c) {
    if (c->socket_.fd != NO_SOCKET) close(c->socket_.fd);
    c->socket_.fd = NO_SOCKET;
}

/* Gives back what the connection still holds, with nothing of it sent. */
static void release_waiting(gw_connection *c) {
    gw_message_ *messages[] = {&c->now_, &c->next_};
    for (int i = 0; i < 2; i++) {
        if (!messages[i]->is_taken) continue;
        messages[i]->is_taken = false;
        if (messages[i]->type == TYPE_FRAME) {
            release(c, &messages[i]->frame, messages[i] == &c->now_ && c->written_ > 0 ? GW_LOST : GW_NOT_SENT);
        }
    }
}

static void end(gw_connection *c, int error) {
    close_socket(c);
    c->state = GW_ENDED;
    c->error_ = error;
    release_waiting(c);
    set_state(c, GW_ENDED, error);
}

/* The message that was being sent when the connection was lost. One of which nothing was sent waits again. */
static void interrupt_message(gw_connection *c) {
    if (!c->now_.is_taken) return;
    if (c->written_ == 0) {
        put_back(c);
        return;
    }
    c->now_.is_taken = false;
    if (c->now_.type == TYPE_FRAME) release(c, &c->now_.frame, GW_LOST);
}

/* Tells of each frame whose answer will never come. */
static void tell_lost(gw_connection *c) {
    while (c->unanswered_count_ > 0) {
        gw_sent_ sent = pop_unanswered(c);
        if (sent.type != TYPE_FRAME) continue;
        /* Not result_: a callback that has that in hand may have closed the connection. */
        gw_result result;
        memset(&result, 0, sizeof result);
        result.matches_complete = true;
        result.sequence = sent.sequence;
        result.captured_us = sent.captured_us;
        snprintf(result.status, sizeof result.status, "error");
        snprintf(result.code, sizeof result.code, "connection_lost");
        snprintf(result.message, sizeof result.message, "the connection was lost before the frame was answered; send it again");
        c->counts.results++;
        if (c->settings_.on_result != NULL) c->settings_.on_result(c->settings_.context, &result);
    }
}

static bool is_permanent(const gw_connection *c, int error) {
    switch (error) {
    case GW_ERROR_NOT_GLYPHWIRE:
    case GW_ERROR_UNSUPPORTED_PROTOCOL:
    case GW_ERROR_BAD_LINE:
    case GW_ERROR_LINE_TOO_LONG:
    case GW_ERROR_MESSAGE_TOO_LARGE: return true;
    case GW_ERROR_CANNOT_CONNECT: return c->is_refused_;
    case GW_ERROR_REFUSED:
        /* An error that is not fatal ends the connection only where it answers the first options. */
        return !c->answer_.is_fatal || is_name(c->wire_code, "auth_required") || is_name(c->wire_code, "auth_failed")
            || is_name(c->wire_code, "message_too_large") || is_name(c->wire_code, "message_too_short")
            || is_name(c->wire_code, "wrong_protocol");
    default: return false;
    }
}

static uint64_t pause_ms(gw_connection *c, int error) {
    uint64_t pause = c->settings_.initial_delay_ms, longest = c->settings_.max_delay_ms;
    for (uint32_t attempt = 1; attempt < c->attempts_ && pause < longest; attempt++) pause *= 2;
    if (pause > longest) pause = longest;
    c->random_ ^= c->random_ << 13;
    c->random_ ^= c->random_ >> 7;
    c->random_ ^= c->random_ << 17;
    pause -= c->random_ % (pause / 5 + 1);
    bool has_guessed = error == GW_ERROR_REFUSED && is_name(c->wire_code, "too_many_guesses");
    return has_guessed && pause < MINUTE_MS ? MINUTE_MS : pause;
}

/* Whether the client's end has crossed a goaway, and nothing else lacks an answer: the stream is complete (rule G4). */
static bool is_complete(const gw_connection *c) {
    return c->is_leaving_ && c->unanswered_count_ == 1 && c->unanswered_[c->first_unanswered_].type == TYPE_END;
}

/* The connection is lost, or was never made; `message` says why. */
static void fail(gw_connection *c, int error) {
    if (error == GW_ERROR_CONNECTION_LOST && is_complete(c)) {
        pop_unanswered(c);
        end(c, GW_FINISHED);
        return;
    }
    uint32_t most = c->settings_.max_attempts;
    bool goes_on = (c->was_open_ || c->settings_.waits) && !c->is_end_sent_ && !is_permanent(c, error)
        && (c->attempts_ < most || most == UINT32_MAX);
    close_socket(c);
    c->state = goes_on ? GW_PAUSING : GW_ENDED;
    c->error_ = error;
    interrupt_message(c);
    if (c->configure_outcome_ == ASKED && !(c->next_.is_taken && c->next_.type == TYPE_CONFIGURE)) {
        c->configure_outcome_ = error;
    }
    tell_lost(c);
    if (!goes_on) {
        end(c, error);
        return;
    }
    if (c->state == GW_ENDED) return;
    if (c->attempts_ < UINT32_MAX) c->attempts_++;
    c->deadline_ms_ = now_ms() + pause_ms(c, error);
    set_state(c, GW_PAUSING, error);
}

/* No address can be reached; they are looked up anew for the next attempt. */
static void cannot_reach(gw_connection *c, int reason) {
    char what[160];
    c->address_count_ = 0;
    snprintf(what, sizeof what, "cannot be reached: %s; check that a Glyphwire server listens there", strerror(reason));
    complain(c, what);
    fail(c, GW_ERROR_CANNOT_CONNECT);
}

/* Begins to connect to the address whose turn it is, or to one after it; `reason` is why the one before failed. */
static void open_socket(gw_connection *c, int reason) {
    for (; c->address_ < c->address_count_; c->address_++) {
        const struct sockaddr *address = (const struct sockaddr *)&c->addresses_[c->address_];
        c->socket_.fd = socket(address->sa_family, SOCK_STREAM, 0);
        if (c->socket_.fd == NO_SOCKET) {
            reason = errno;
            continue;
        }
        c->socket_.number++;
        int on = 1;
        fcntl(c->socket_.fd, F_SETFD, FD_CLOEXEC);
        setsockopt(c->socket_.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(c->socket_.fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
        if (fcntl(c->socket_.fd, F_SETFL, fcntl(c->socket_.fd, F_GETFL, 0) | O_NONBLOCK) == 0
            && (connect(c->socket_.fd, address, c->address_lengths_[c->address_]) == 0 || errno == EINPROGRESS
                || errno == EINTR)) {
            /* Its share of the time: one that is not reachable leaves some to the others. */
            uint64_t now = now_ms(), left = c->deadline_ms_ > now ? c->deadline_ms_ - now : 0;
            c->address_deadline_ms_ = now + left / (c->address_count_ - c->address_);
            return;
        }
        reason = errno;
        close_socket(c);
    }
    cannot_reach(c, reason);
}

/* Looks the host up; false, with `message`, if it cannot be found. */
static bool find_addresses(gw_connection *c) {
    char port[8];
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    snprintf(port, sizeof port, "%u", (unsigned)c->settings_.port);
    int problem = getaddrinfo(c->settings_.host, port, &hints, &found);
    if (problem != 0) {
        char what[160];
        /* Not gai_strerror, which boards do not have. */
        snprintf(what, sizeof what, "cannot be found (getaddrinfo says %d); check the name, and the network", problem);
        complain(c, what);
        return false;
    }
    for (const struct addrinfo *each = found; each != NULL && c->address_count_ < GW_MAX_ADDRESSES; each = each->ai_next) {
        if (each->ai_addrlen > sizeof c->addresses_[0]) continue;
        memcpy(&c->addresses_[c->address_count_], each->ai_addr, each->ai_addrlen);
        c->address_lengths_[c->address_count_++] = each->ai_addrlen;
    }
    freeaddrinfo(found);
    return true;
}

static void start_connecting(gw_connection *c) {
    c->address_ = 0;
    c->deadline_ms_ = now_ms() + c->settings_.connect_timeout_ms;
    c->is_greeted_ = c->cannot_write_ = c->wants_write_ = c->send_waits_ = c->may_have_more_ = false;
    c->is_leaving_ = c->is_refused_ = c->has_sent_ = false;
    c->window_ = 0;
    start_line(c);
    set_state(c, GW_CONNECTING, 0);
    if (c->state != GW_CONNECTING) return;
    if (c->address_count_ == 0 && !find_addresses(c)) fail(c, GW_ERROR_CANNOT_CONNECT);
    else open_socket(c, 0);
}

/* Whether the socket is connected; one that failed gives way to the next address. */
static void check_connecting(gw_connection *c) {
    struct pollfd wait = {c->socket_.fd, POLLOUT, 0};
    int error = ETIMEDOUT;
    if (poll(&wait, 1, 0) > 0) {
        socklen_t length = sizeof error;
        getsockopt(c->socket_.fd, SOL_SOCKET, SO_ERROR, &error, &length);
    } else if (now_ms() < c->address_deadline_ms_) {
        return;
    }
    if (error == 0) {
        set_state(c, GW_GREETING, 0);
        return;
    }
    close_socket(c);
    c->address_++;
    open_socket(c, error);
}

int gw_start(gw_connection *c, const gw_settings *settings) {
    memset(c, 0, sizeof *c);
    c->settings_ = *settings;
    gw_settings *s = &c->settings_;
    if (s->port == 0) s->port = GW_PORT;
    if (s->connect_timeout_ms == 0) s->connect_timeout_ms = 10000;
    if (s->answer_timeout_ms == 0) s->answer_timeout_ms = 30000;
    if (s->ping_interval_ms == 0) s->ping_interval_ms = 240000;
    if (s->initial_delay_ms == 0) s->initial_delay_ms = 100;
    if (s->max_delay_ms == 0) s->max_delay_ms = 10000;
    if (s->max_line_bytes == 0) s->max_line_bytes = (size_t)16 << 20;
    if (s->max_unanswered == 0 || s->max_unanswered > GW_MAX_UNANSWERED) s->max_unanswered = GW_MAX_UNANSWERED;
    c->socket_.fd = NO_SOCKET;
    options_taken(c, s->options);
    c->configure_outcome_ = UNASKED;
    c->random_ = now_ms() * 2654435761u ^ (uint64_t)(uintptr_t)c ^ 1;
    start_connecting(c);
    return c->state == GW_ENDED ? c->error_ : 0;
}

static int ms_until(uint64_t end) {
    uint64_t now = now_ms();
    return end <= now ? 0 : end - now > INT_MAX ? INT_MAX : (int)(end - now);
}

/* Milliseconds until the server counts as dead, should nothing come (rule A12); FOREVER while it need neither answer nor,
   since it stops, close. */
static int silence_left(const gw_connection *c) {
    if (c->state != GW_OPEN || (c->unanswered_count_ == 0 && !c->is_leaving_)) return FOREVER;
    return ms_until(c->silent_since_ms_ + c->settings_.answer_timeout_ms);
}

/* Milliseconds until a ping is due (rules A9 and A10); FOREVER while none will be. */
static int ping_left(const gw_connection *c) {
    uint32_t interval = c->settings_.ping_interval_ms;
    bool is_unwelcome = !c->has_sent_ && is_name(c->hello.auth, "token");
    bool is_idle = !c->now_.is_taken && !c->next_.is_taken && c->unanswered_count_ == 0;
    bool is_open = c->state == GW_OPEN && !c->is_leaving_ && !c->cannot_write_;
    if (!is_idle || !is_open || is_unwelcome || interval == UINT32_MAX) return FOREVER;
    if (!c->has_sent_ && interval > FIRST_PING_MS) interval = FIRST_PING_MS;
    return ms_until(c->sent_at_ms_ + interval);
}

/* Begins a ping of which the caller hears nothing. */
static void ping_idle(gw_connection *c) {
    c->now_ = message(c, TYPE_PING, NULL);
    c->now_.is_own = true;
    write_header(c, &c->now_);
    c->written_ = 0;
}

int gw_work(gw_connection *c) {
    bool is_late = c->deadline_ms_ != 0 && now_ms() >= c->deadline_ms_;
    if (c->state == GW_PAUSING && is_late) {
        start_connecting(c);
        is_late = false;
    }
    if (c->state == GW_CONNECTING) check_connecting(c);
    if (c->state == GW_GREETING || c->state == GW_OPEN) read_lines(c);
    if (ping_left(c) == 0) ping_idle(c);
    if (c->state == GW_GREETING || c->state == GW_OPEN) write_messages(c);
    if (c->state == GW_GREETING && is_late) {
        complain(c, "did not greet in time; check that a Glyphwire server listens there");
        fail(c, GW_ERROR_TIMED_OUT);
    }
    if (silence_left(c) == 0) {
        complain(c, "has sent nothing for answer_timeout_ms while messages were unanswered; it or the network may be down");
        fail(c, GW_ERROR_CONNECTION_LOST);
    }
    return c->state == GW_ENDED ? c->error_ : 0;
}

void gw_close(gw_connection *c) {
    if (c->state == GW_ENDED) return;
    c->state = GW_ENDED;
    c->error_ = GW_ERROR_CLOSED;
    snprintf(c->message, sizeof c->message, "the connection was closed; connect again to send more");
    tell_lost(c);
    end(c, GW_ERROR_CLOSED);
}

int gw_poll_fd(const gw_connection *c) { return c->socket_.fd; }

short gw_poll_events(const gw_connection *c) {
    if (c->state == GW_CONNECTING) return POLLOUT;
    bool can_send = !c->cannot_write_ && !c->send_waits_ && (c->now_.is_taken || may_begin(c));
    return can_send || c->wants_write_ ? POLLIN | POLLOUT : POLLIN;
}

int gw_timeout(const gw_connection *c) {
    if (c->state == GW_ENDED || c->may_have_more_) return 0;
    if (c->state == GW_OPEN) {
        int silence = silence_left(c);
        return silence == FOREVER ? ping_left(c) : silence;
    }
    return ms_until(c->state == GW_CONNECTING ? c->address_deadline_ms_ : c->deadline_ms_);
}

/* ------------------------------------------------------------------------------------------------ What callers ask for */

/* Why no message may be taken at all. */
static int refusal(gw_connection *c) {
    if (c->state == GW_ENDED) return c->error_ == GW_FINISHED ? GW_ERROR_CLOSED : c->error_;
    return c->is_finishing_ ? GW_ERROR_CLOSED : 0;
}

int gw_offer(gw_connection *c, const gw_frame *frame) {
    int error = refusal(c);
    if (error != 0) return error;
    if (c->next_.is_taken && c->next_.type != TYPE_FRAME) return GW_BUSY;
    if (is_too_large(c, frame->length)) return refuse_large(c, frame->length);
    gw_message_ older = c->next_;
    c->next_.type = TYPE_FRAME;
    c->next_.is_taken = true;
    c->next_.frame = *frame;
    if (!frame->is_numbered) c->next_.frame.sequence = c->last_sequence_ + 1;
    c->last_sequence_ = c->next_.frame.sequence;
    c->counts.taken++;
    if (older.is_taken) release(c, &older.frame, GW_NOT_SENT);
    return 0;
}

bool gw_is_ready(const gw_connection *c) { return c->state != GW_ENDED && !c->is_finishing_ && !c->next_.is_taken; }

static int ask(gw_connection *c, uint8_t type, const char *body, uint64_t captured_us) {
    int error = refusal(c);
    if (error != 0) return error;
    if (c->next_.is_taken) return GW_BUSY;
    if (body != NULL && is_too_large(c, strlen(body))) return refuse_large(c, strlen(body));
    c->next_ = message(c, type, body);
    c->next_.frame.captured_us = captured_us;
    return 0;
}

int gw_ping(gw_connection *c, uint64_t captured_us) { return ask(c, TYPE_PING, NULL, captured_us); }

int gw_stats(gw_connection *c) { return ask(c, TYPE_STATS, NULL, 0); }

int gw_ask_options(gw_connection *c, const char *options) {
    if (c->configure_outcome_ == ASKED) return refusal(c) != 0 ? refusal(c) : GW_BUSY;
    int error = ask(c, TYPE_CONFIGURE, options, 0);
    if (error != 0) return error;
    c->asked_options_ = options;
    c->configure_outcome_ = ASKED;
    return 0;
}

int gw_end(gw_connection *c) {
    int error = ask(c, TYPE_END, NULL, 0);
    if (error == 0) c->is_finishing_ = true;
    return error;
}

/* ------------------------------------------------------------------------------------------------ Blocking use */

int gw_wait(gw_connection *c, int timeout_ms) {
    struct pollfd wait = {gw_poll_fd(c), gw_poll_events(c), 0};
    int own = gw_timeout(c);
    int timeout = own >= 0 && (timeout_ms < 0 || own < timeout_ms) ? own : timeout_ms;
    if (c->state != GW_ENDED) poll(&wait, wait.fd == NO_SOCKET ? 0 : 1, timeout);
    return gw_work(c);
}

int gw_connect(gw_connection *c, const gw_settings *settings) {
    int error = gw_start(c, settings);
    while (error == 0 && c->state != GW_OPEN) error = gw_wait(c, FOREVER);
    return error;
}

/* Waits for the place of the next message. */
static int wait_for_place(gw_connection *c) {
    int error = 0;
    while (error == 0 && c->next_.is_taken) error = gw_wait(c, FOREVER);
    return error == GW_FINISHED ? GW_ERROR_CLOSED : error;
}

int gw_send(gw_connection *c, const gw_frame *frame) {
    int error = wait_for_place(c);
    if (error == 0) error = gw_offer(c, frame);
    if (error != 0) return error;
    uint64_t not_sent = c->counts.not_sent;
    while (error == 0 && c->counts.taken != c->counts.sent + c->counts.lost + c->counts.not_sent) {
        error = gw_wait(c, FOREVER);
    }
    if (error == 0 && c->counts.not_sent != not_sent) return GW_ERROR_MESSAGE_TOO_LARGE;
    return error;
}

int gw_configure(gw_connection *c, const char *options) {
    int error = wait_for_place(c);
    while (error == 0 && c->configure_outcome_ == ASKED) error = gw_wait(c, FOREVER);
    if (error == 0) error = gw_ask_options(c, options);
    while (error == 0 && c->configure_outcome_ == ASKED) error = gw_wait(c, FOREVER);
    return error != 0 ? error : c->configure_outcome_;
}

int gw_finish(gw_connection *c) {
    int error = wait_for_place(c);
    if (error == 0) error = gw_end(c);
    while (error == 0) error = gw_wait(c, FOREVER);
    return error == GW_FINISHED ? 0 : error;
}

/* ------------------------------------------------------------------------------------------------ LZ4 */

#ifdef GW_LZ4
size_t gw_lz4_state_bytes(void) { return (size_t)LZ4_sizeofState(); }

bool gw_pack_lz4(gw_frame *frame, void *state, void *buffer, size_t buffer_bytes) {
    if (frame->format != GW_BGRA && frame->format != GW_GRAY) return false;
    if (frame->length > LZ4_MAX_INPUT_SIZE) return false;
    int room = buffer_bytes > INT32_MAX ? INT32_MAX : (int)buffer_bytes;
    int packed = LZ4_compress_fast_extState(state, frame->payload, buffer, (int)frame->length, room, 1);
    if (packed <= 0) return false;
    frame->format = frame->format == GW_BGRA ? GW_BGRA_LZ4_BLOCK : GW_GRAY_LZ4_BLOCK;
    frame->payload = buffer;
    frame->length = (size_t)packed;
    return true;
}
#endif
