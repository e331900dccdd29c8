#include "CDynamicLibrary.h"

#include <dlfcn.h>

bool glyphwire_load_library(const char *name, const glyphwire_symbol *symbols, size_t count)
{
    void *library = dlopen(name, RTLD_NOW);
    if (library == NULL) {
        return false;
    }
    for (size_t index = 0; index < count; index++) {
        *symbols[index].function = dlsym(library, symbols[index].name);
        if (*symbols[index].function == NULL) {
            return false;
        }
    }
    return true;
}
