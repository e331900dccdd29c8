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
