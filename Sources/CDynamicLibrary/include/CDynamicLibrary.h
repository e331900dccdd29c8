#ifndef GLYPHWIRE_CDYNAMICLIBRARY_H
#define GLYPHWIRE_CDYNAMICLIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/// Function of a library, and the pointer that is set to it.
typedef struct {
    const char *name;
    void **function;
} glyphwire_symbol;

/// Loads a library and sets the pointers to its functions; false if it is not installed, or lacks a function.
///
/// The library stays loaded until the process ends.
bool glyphwire_load_library(const char *name, const glyphwire_symbol *symbols, size_t count);

#endif
