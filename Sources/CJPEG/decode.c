#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"

static void note(cjpeg *jpeg)
{
    if (jpeg->message[0] == '\0')
        jpeg->info.err->format_message((j_common_ptr)&jpeg->info, jpeg->message);
}

static cjpeg_cause cause_of(int error)
{
    switch (error) {
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_WIDTH_OVERFLOW:
        return CJPEG_UNSUPPORTED;
    case JERR_NO_BACKING_STORE:
    case JERR_OUT_OF_MEMORY:
        return CJPEG_NO_MEMORY;
    default:
        return CJPEG_DAMAGED;
    }
}

static void on_error(j_common_ptr info)
{
    cjpeg *jpeg = info->client_data;
    note(jpeg);
    jpeg->failure = cause_of(info->err->msg_code);
    longjmp(jpeg->escape, 1);
}

/// Damage in the row of blocks that is being read.
static void on_damage(cjpeg *jpeg)
{
    int row = jpeg->has_scan ? (int)jpeg->info.input_iMCU_row : 0;
    note(jpeg);
    jpeg->is_damaged = true;
    if (row < jpeg->damaged_row)
        jpeg->damaged_row = row;
    if (!jpeg->reached_end)
        jpeg->is_damaged_inside = true;
}

static void on_message(j_common_ptr info, int level)
{
    cjpeg *jpeg = info->client_data;
    if (level >= 0)
        return;
    switch (info->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
        jpeg->report.stray_bytes = true;
        if (jpeg->has_scan && info->err->msg_parm.i[0] > jpeg->max_stray_bytes) {
            jpeg->max_stray_bytes = info->err->msg_parm.i[0];
            note(jpeg);
        }
        break;
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
        jpeg->report.odd_header = true;
        break;
    default:
        // JWRN_HIT_MARKER, JWRN_HUFF_BAD_CODE, JWRN_MUST_RESYNC, JWRN_BOGUS_PROGRESSION, and what a later libjpeg has.
        on_damage(jpeg);
    }
}

/// Called for each row of blocks: what the scans hold, and whether there are too many of them.
static void on_progress(j_common_ptr info)
{
    cjpeg *jpeg = info->client_data;
    for (int index = 0; index < jpeg->info.comps_in_scan; index++)
        jpeg->components_seen |= 1u << jpeg->info.cur_comp_info[index]->component_index;
    if (jpeg->info.input_scan_number > jpeg->max_scans) {
        if (jpeg->message[0] == '\0')
            strcpy(jpeg->message, "Too many scans");
        jpeg->failure = CJPEG_UNSUPPORTED;
        longjmp(jpeg->escape, 1);
    }
}

static const JOCTET end_marker[2] = {0xFF, JPEG_EOI};

static void source_begins(j_decompress_ptr info)
{
    (void)info;
}

/// Nothing is left: libjpeg gets the end marker that it waits for.
static boolean source_is_empty(j_decompress_ptr info)
{
    cjpeg *jpeg = info->client_data;
    jpeg->reached_end = true;
    info->src->next_input_byte = end_marker;
    info->src->bytes_in_buffer = sizeof(end_marker);
    return TRUE;
}

static void skip_source(j_decompress_ptr info, long count)
{
    if (count <= 0)
        return;
    if ((size_t)count > info->src->bytes_in_buffer) {
        source_is_empty(info);
        return;
    }
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= count;
}

static void source_ends(j_decompress_ptr info)
{
    (void)info;
}

cjpeg *cjpeg_open(const uint8_t *bytes, size_t count, int max_scans)
{
    cjpeg *jpeg = calloc(1, sizeof(cjpeg));
    if (jpeg == NULL)
        return NULL;
    jpeg->bytes = bytes;
    jpeg->count = count;
    jpeg->max_scans = max_scans;
    jpeg->damaged_row = INT32_MAX;
    jpeg->info.err = jpeg_std_error(&jpeg->errors);
    jpeg->errors.error_exit = on_error;
    jpeg->errors.emit_message = on_message;
    jpeg->info.client_data = jpeg;
    if (setjmp(jpeg->escape)) {
        jpeg_destroy_decompress(&jpeg->info);
        free(jpeg);
        return NULL;
    }
    jpeg_create_decompress(&jpeg->info);
    jpeg->source = (struct jpeg_source_mgr){
        .next_input_byte = bytes,
        .bytes_in_buffer = count,
        .init_source = source_begins,
        .fill_input_buffer = source_is_empty,
        .skip_input_data = skip_source,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = source_ends,
    };
    jpeg->info.src = &jpeg->source;
    jpeg->progress.progress_monitor = on_progress;
    jpeg->info.progress = &jpeg->progress;
    return jpeg;
}

void cjpeg_close(cjpeg *jpeg)
{
    if (jpeg == NULL)
        return;
    jpeg_destroy_decompress(&jpeg->info);
    free(jpeg);
}

cjpeg_cause cjpeg_failure(const cjpeg *jpeg)
{
    return jpeg->failure;
}

const char *cjpeg_message(const cjpeg *jpeg)
{
    return jpeg->message[0] == '\0' ? "the data ends too early" : jpeg->message;
}

bool cjpeg_read_header(cjpeg *jpeg, cjpeg_size *size)
{
    if (setjmp(jpeg->escape))
        return false;
    if (jpeg_read_header(&jpeg->info, TRUE) != JPEG_HEADER_OK)
        return false;
    size->width = (int)jpeg->info.image_width;
    size->height = (int)jpeg->info.image_height;
    size->components = jpeg->info.num_components;
    size->is_buffered = jpeg_has_multiple_scans(&jpeg->info);
    jpeg->scan_start = jpeg->source.next_input_byte;
    jpeg->has_scan = !jpeg->reached_end;
    return true;
}

/// Whether a component of the first scan waits for a Huffman table that was not sent.
static bool lacks_tables(const struct jpeg_decompress_struct *info)
{
    if (info->progressive_mode || info->arith_code)
        return false;
    for (int index = 0; index < info->comps_in_scan; index++) {
        const jpeg_component_info *component = info->cur_comp_info[index];
        int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS)
            continue;
        if (info->dc_huff_tbl_ptrs[dc] == NULL || info->ac_huff_tbl_ptrs[ac] == NULL)
            return true;
    }
    return false;
}

/// Whether every component has its coefficients, in a picture that has no end marker all of their bits.
static bool has_all_coefficients(const cjpeg *jpeg)
{
    if (!jpeg->scan.is_progressive)
        return jpeg->components_seen == (1u << jpeg->scan.components) - 1;
    for (int component = 0; component < jpeg->scan.components; component++) {
        int count = jpeg->report.no_end ? DCTSIZE2 : 1;
        for (int index = 0; index < count; index++) {
            int bits = jpeg->info.coef_bits[component][index];
            if (bits < 0 || (jpeg->report.no_end && bits != 0))
                return false;
        }
    }
    return true;
}

/// How many rows of the picture lie above everything that the damage may have touched.
static int intact_rows(const cjpeg *jpeg)
{
    const cjpeg_scan *scan = &jpeg->scan;
    if (!has_all_coefficients(jpeg))
        return 0;
    if (!jpeg->is_damaged && jpeg->max_stray_bytes == 0)
        return scan->height;
    if (!scan->is_only_one) {
        // Strays between scans are a few bytes; more are the rest of blocks that were lost on the way.
        if (jpeg->is_damaged_inside || jpeg->max_stray_bytes > CJPEG_MAX_STRAY_BYTES)
            return 0;
        if (!jpeg->is_damaged)
            return scan->height;
    }
    int64_t rows = scan->height;
    if (jpeg->is_damaged)
        rows = (int64_t)jpeg->damaged_row * scan->interleaved_rows;
    if (scan->is_only_one) {
        int walked = cjpeg_walk(jpeg);
        if (walked < rows)
            rows = walked;
    }
    if (rows >= scan->height)
        return jpeg->is_damaged ? scan->height - 1 : scan->height;
    // The row above takes a part of its colour from the first one below.
    return rows > 0 && scan->interleaved_rows > DCTSIZE ? (int)rows - 1 : (int)rows;
}

static void read_rows(cjpeg *jpeg, uint8_t *pixels)
{
    struct jpeg_decompress_struct *info = &jpeg->info;
    size_t bytes_per_row = (size_t)info->output_width * info->output_components;
    while (info->output_scanline < info->output_height) {
        JSAMPROW rows[16];
        JDIMENSION count = info->output_height - info->output_scanline;
        if (count > 16)
            count = 16;
        for (JDIMENSION index = 0; index < count; index++)
            rows[index] = pixels + (info->output_scanline + index) * bytes_per_row;
        jpeg_read_scanlines(info, rows, count);
    }
    jpeg->has_rows = true;
}

bool cjpeg_decode(cjpeg *jpeg, int reduction, cjpeg_layout layout, uint8_t *pixels, cjpeg_report *report)
{
    struct jpeg_decompress_struct *info = &jpeg->info;
    info->out_color_space = layout == CJPEG_GRAY ? JCS_GRAYSCALE : layout == CJPEG_BGRA ? JCS_EXT_BGRA : JCS_CMYK;
    info->dct_method = JDCT_ISLOW;
    info->scale_num = 1;
    info->scale_denom = (unsigned)reduction;
    jpeg->report.no_tables = lacks_tables(info);
    if (setjmp(jpeg->escape) == 0) {
        jpeg_start_decompress(info);
        on_progress((j_common_ptr)info);
        cjpeg_keep_scan(jpeg);
        read_rows(jpeg, pixels);
        // Not jpeg_finish_decompress, which frees what the judgement below needs.
        while (!jpeg_input_complete(info))
            jpeg_consume_input(info);
        jpeg->has_end = !jpeg->reached_end;
    } else if (!jpeg->has_rows) {
        return false;
    }
    // An error behind the last row is no part of the picture, but its end was not found.
    jpeg->report.no_end = !jpeg->has_end;
    jpeg->failure = CJPEG_DAMAGED;
    jpeg->report.intact_rows = intact_rows(jpeg);
    *report = jpeg->report;
    return true;
}
