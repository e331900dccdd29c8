#ifndef GLYPHWIRE_CJPEG_H
#define GLYPHWIRE_CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One JPEG that is being decoded by libjpeg, whose errors never leave this module as jumps.
typedef struct cjpeg cjpeg;

/// What libjpeg reads in the header.
typedef struct {
    int width;
    int height;
    int components;
    /// The coefficients of all blocks are kept until the last scan.
    bool is_buffered;
} cjpeg_size;

/// How the pixels of a row are laid out.
typedef enum {
    CJPEG_GRAY,
    CJPEG_BGRA,
    CJPEG_CMYK,
} cjpeg_layout;

/// Why a picture cannot be decoded.
typedef enum {
    CJPEG_DAMAGED,
    /// It is of a kind that libjpeg does not decode, or has too many scans.
    CJPEG_UNSUPPORTED,
    CJPEG_NO_MEMORY,
} cjpeg_cause;

/// What decoding has shown of a picture.
typedef struct {
    /// Bytes that belong to nothing stand in front of a marker.
    bool stray_bytes;
    /// The input ended before an end marker.
    bool no_end;
    /// The picture leaves the standard Huffman tables out.
    bool no_tables;
    /// A field of the header has a value that no JPEG may have and that decides nothing.
    bool odd_header;
    /// How many rows of the full size come before what may show damage; the height where nothing does.
    int intact_rows;
} cjpeg_report;

/// Begins with `count` bytes, which must stay where they are; NULL where there is no memory.
///
/// More than `max_scans` scans are an error.
cjpeg *cjpeg_open(const uint8_t *bytes, size_t count, int max_scans);

/// Reads the header up to the first scan, and allocates nothing that grows with the picture.
///
/// On failure `cjpeg_failure` and `cjpeg_message` say why.
bool cjpeg_read_header(cjpeg *jpeg, cjpeg_size *size);

/// Decodes the picture at 1/`reduction` (1, 2, 4, 8) of its size into rows without padding.
///
/// Sides are rounded up. `pixels` must have room for all rows. Rows that could not be decoded are left as they are.
/// On failure `cjpeg_failure` and `cjpeg_message` say why.
bool cjpeg_decode(cjpeg *jpeg, int reduction, cjpeg_layout layout, uint8_t *pixels, cjpeg_report *report);

/// Why the picture cannot be decoded; of one that is decoded in part, `CJPEG_DAMAGED`.
cjpeg_cause cjpeg_failure(const cjpeg *jpeg);

/// What was wrong first; never NULL.
const char *cjpeg_message(const cjpeg *jpeg);

/// Frees everything.
void cjpeg_close(cjpeg *jpeg);

#endif
