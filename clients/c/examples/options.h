/* Options that a command line gives as NAME=VALUE, in the JSON object that a configure holds. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a text is NAME=VALUE. */
bool options_is_pair(const char *text);

/** Whether NAME=VALUE gives the option `name`. */
bool options_is_named(const char *pair, const char *name);

/** Whether a text is UTF-8, which JSON has to be. */
bool options_is_utf8(const char *text);

/** The first token in a server's file of several: {"tokens":[{"token":"…"}]}.
    @return The JSON string that it is, with its quotes, and its length; NULL if there is none. */
const char *options_first_token(const char *file, size_t *length);

/** Adds NAME=VALUE to a JSON object in a buffer of so many bytes: the value as it is if it is JSON, else as a string.
    @return Whether it fitted; if not, the object is as it was. */
bool options_add(char *object, size_t bytes, const char *pair);

#endif
