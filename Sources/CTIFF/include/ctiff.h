#ifndef GLYPHWIRE_CTIFF_H
#define GLYPHWIRE_CTIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One TIFF that is being decoded by libtiff, whose variadic functions Swift cannot call.
typedef struct ctiff ctiff;

/// What a directory of a TIFF says.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// As in EXIF, 1 to 8; 1 where the file says nothing that can be.
    int orientation;
    /// All pixels are gray and opaque.
    bool is_gray;
    /// Pixels have an alpha.
    bool has_alpha;
} ctiff_header;

/// Whether a TIFF was read, or why not.
typedef enum {
    CTIFF_OK,
    CTIFF_DAMAGED,
    /// It is of a kind that libtiff does not turn into pixels.
    CTIFF_UNSUPPORTED,
    /// Its compression is one that libtiff does not know.
    CTIFF_NO_CODEC,
} ctiff_status;

/// Begins with a directory of `count` bytes, which must stay where they are; NULL if they have none, or without memory.
///
/// libtiff allocates no more than `max_allocation` bytes at once.
ctiff *ctiff_open(const uint8_t *bytes, size_t count, uint32_t directory, size_t max_allocation);

/// Reads what the directory says, and allocates nothing that grows with the picture.
///
/// On failure `ctiff_message` says why.
ctiff_status ctiff_read_header(ctiff *tiff, ctiff_header *header);

/// Decodes the picture into rows without padding, as they are stored, in bytes of red, green, blue and alpha.
///
/// Colours are multiplied by their alpha. `pixels` must be aligned and have room for all rows.
/// On failure `ctiff_message` says why.
ctiff_status ctiff_decode(ctiff *tiff, uint32_t *pixels);

/// What was wrong first; never NULL.
const char *ctiff_message(const ctiff *tiff);

/// Frees everything.
void ctiff_close(ctiff *tiff);

#endif
