#include "options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What a server takes is not nested as deeply. */
enum { MAX_NESTED = 32 };

/* ------------------------------------------------------------------------------------------------ What is JSON */

/* Each of these returns the end of what it is named for, or NULL if that does not stand at `text`. */

static const char *spaces(const char *text) { return text + strspn(text, " \t\r\n"); }

static const char *digits(const char *text) {
    size_t count = strspn(text, "0123456789");
    return count == 0 ? NULL : text + count;
}

static const char *number(const char *text) {
    if (*text == '-') text++;
    text = *text == '0' ? text + 1 : digits(text);
    if (text != NULL && *text == '.') text = digits(text + 1);
    if (text == NULL || (*text != 'e' && *text != 'E')) return text;
    text++;
    return digits(*text == '+' || *text == '-' ? text + 1 : text);
}

static const char *string(const char *text) {
    if (*text++ != '"') return NULL;
    for (; *text != '"'; text++) {
        if ((uint8_t)*text < 0x20) return NULL;
        if (*text != '\\') continue;
        text++;
        if (*text == 'u' && strspn(text + 1, "0123456789abcdefABCDEF") >= 4) text += 4;
        else if (*text == 0 || strchr("\"\\/bfnrt", *text) == NULL) return NULL;
    }
    return text + 1;
}

static const char *value(const char *text, int depth);

static const char *member(const char *text, int depth) {
    const char *name = string(text);
    if (name == NULL) return NULL;
    name = spaces(name);
    return *name == ':' ? value(spaces(name + 1), depth) : NULL;
}

/* An array or an object, behind its bracket. */
static const char *container(const char *text, char end, int depth) {
    text = spaces(text);
    if (*text == end) return text + 1;
    for (;;) {
        text = end == '}' ? member(text, depth) : value(text, depth);
        if (text == NULL) return NULL;
        text = spaces(text);
        if (*text == end) return text + 1;
        if (*text != ',') return NULL;
        text = spaces(text + 1);
    }
}

static const char *value(const char *text, int depth) {
    static const char *const literals[] = {"true", "false", "null"};
    if (depth == 0) return NULL;
    if (*text == '{' || *text == '[') return container(text + 1, *text == '{' ? '}' : ']', depth - 1);
    if (*text == '"') return string(text);
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++) {
        size_t length = strlen(literals[i]);
        if (strncmp(text, literals[i], length) == 0) return text + length;
    }
    return number(text);
}

static bool is_json(const char *text) {
    const char *end = value(spaces(text), MAX_NESTED);
    return end != NULL && *spaces(end) == 0;
}

/* ------------------------------------------------------------------------------------------------ Texts and tokens */

/* The length of the well-formed sequence that begins at `byte`, by Table 3-7 of the Unicode Standard; 0 if none does. */
static size_t sequence_length(const uint8_t *byte) {
    static const struct {
        uint8_t first, last, second_first, second_last;
        size_t length;
    } rows[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3},
        {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    if (*byte < 0x80) return 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (*byte < rows[i].first || *byte > rows[i].last) continue;
        if (byte[1] < rows[i].second_first || byte[1] > rows[i].second_last) return 0;
        for (size_t next = 2; next < rows[i].length; next++) {
            if ((byte[next] & 0xC0) != 0x80) return 0;
        }
        return rows[i].length;
    }
    return 0;
}

bool options_is_utf8(const char *text) {
    const uint8_t *byte = (const uint8_t *)text;
    while (*byte != 0) {
        size_t length = sequence_length(byte);
        if (length == 0) return false;
        byte += length;
    }
    return true;
}

/* The value of a member of the object at `object`; NULL if there is none. */
static const char *find_member(const char *object, const char *name) {
    if (*object != '{') return NULL;
    const char *text = spaces(object + 1);
    while (*text == '"') {
        const char *end = string(text);
        if (end == NULL || *spaces(end) != ':') return NULL;
        size_t length = (size_t)(end - text) - 2;
        bool is_sought = length == strlen(name) && memcmp(text + 1, name, length) == 0;
        text = spaces(spaces(end) + 1);
        if (is_sought) return text;
        end = value(text, MAX_NESTED);
        if (end == NULL || *spaces(end) != ',') return NULL;
        text = spaces(spaces(end) + 1);
    }
    return NULL;
}

const char *options_first_token(const char *file, size_t *length) {
    const char *tokens = find_member(file, "tokens");
    if (tokens == NULL || *tokens != '[') return NULL;
    const char *token = find_member(spaces(tokens + 1), "token");
    const char *end = token == NULL ? NULL : string(token);
    if (end == NULL || end - token == 2) return NULL;
    *length = (size_t)(end - token);
    return token;
}

/* ------------------------------------------------------------------------------------------------ Pairs */

typedef struct writer {
    char *buffer;
    size_t bytes, length;
    bool has_room;
} writer;

static void add(writer *w, const char *text, size_t length) {
    w->has_room &= length < w->bytes - w->length;
    if (!w->has_room) return;
    memcpy(w->buffer + w->length, text, length);
    w->length += length;
}

static void add_string(writer *w, const char *text, size_t length) {
    add(w, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        char escape[8];
        bool is_plain = text[i] != '"' && text[i] != '\\' && (uint8_t)text[i] >= 0x20;
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(uint8_t)text[i]);
        add(w, is_plain ? text + i : escape, is_plain ? 1 : 6);
    }
    add(w, "\"", 1);
}

bool options_is_pair(const char *text) { return strcspn(text, "=") > 0 && strchr(text, '=') != NULL; }

bool options_is_named(const char *pair, const char *name) {
    size_t length = strcspn(pair, "=");
    return strncmp(pair, name, length) == 0 && (name[length] == 0 || name[length] == '=');
}

bool options_add(char *object, size_t bytes, const char *pair) {
    size_t old_length = strlen(object), name_length = strcspn(pair, "=");
    const char *text = pair + name_length + 1;
    writer w = {object, bytes, old_length - 1, true};
    if (w.length > 1) add(&w, ",", 1);
    add_string(&w, pair, name_length);
    add(&w, ":", 1);
    if (is_json(text)) add(&w, text, strlen(text));
    else add_string(&w, text, strlen(text));
    add(&w, "}", 1);
    if (!w.has_room) {
        w.length = old_length;
        object[old_length - 1] = '}';
    }
    object[w.length] = 0;
    return w.has_room;
}
