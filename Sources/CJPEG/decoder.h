#ifndef GLYPHWIRE_CJPEG_DECODER_H
#define GLYPHWIRE_CJPEG_DECODER_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

#include "CJPEG.h"

/// Stray bytes that are believed between the scans of a picture that has several.
#define CJPEG_MAX_STRAY_BYTES 16

/// What a picture is, and if it has only one scan, where its blocks are and how they are coded.
///
/// Markers behind the picture change what libjpeg holds of it, so this is kept from before they are read.
typedef struct {
    bool is_progressive;
    int height;
    int components;
    /// Rows of the picture in a row of interleaved MCUs.
    int interleaved_rows;
    /// Whether there is only one scan, which ``cjpeg_walk`` can read.
    bool is_only_one;
    unsigned restart_interval;
    int mcus_per_row;
    int mcu_rows;
    /// Rows of the picture in a row of MCUs.
    int pixel_rows;
    int block_count;
    struct {
        int component;
        int dc_table;
        int ac_table;
        /// What a DC value is multiplied by.
        int dc_scale;
    } blocks[D_MAX_BLOCKS_IN_MCU];
    JHUFF_TBL dc_tables[NUM_HUFF_TBLS];
    JHUFF_TBL ac_tables[NUM_HUFF_TBLS];
} cjpeg_scan;

struct cjpeg {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;

    const uint8_t *bytes;
    size_t count;
    int max_scans;

    /// Where the data of the first scan begins.
    const uint8_t *scan_start;
    /// Whether the header is done.
    bool has_scan;
    bool reached_end;
    bool has_rows;
    /// Whether an end marker was read.
    bool has_end;
    bool is_damaged;
    /// Whether data is damaged that others follow; else the input is cut off.
    bool is_damaged_inside;
    /// In rows of interleaved MCUs.
    int damaged_row;
    int max_stray_bytes;
    /// A bit for each component that a scan was of.
    unsigned components_seen;
    cjpeg_scan scan;
    cjpeg_report report;
    cjpeg_cause failure;
    char message[JMSG_LENGTH_MAX];
};

/// Keeps what the judgement of a picture needs to know, once decoding has begun.
void cjpeg_keep_scan(cjpeg *jpeg);

/// Reads the picture's only scan again, and judges each block.
///
/// libjpeg goes on where codes are impossible, and passes over what is left in front of a marker. So damage that shifts
/// the blocks looks to it like a few stray bytes.
///
/// Returns how many rows of the picture come before what may be damaged; INT32_MAX where nothing is.
int cjpeg_walk(const cjpeg *jpeg);

#endif
