#include <string.h>

#include "decoder.h"

/// Damaged data gives some possible blocks before the first impossible one: about 11 on average.
#define SUSPECT_BLOCKS 128
/// How far a DC value may lie beyond what pixels of 8 bits give, and rounding to its step.
#define DC_SLACK 32

/// A Huffman table, ready for reading.
typedef struct {
    /// Length << 8 | symbol of the codes of up to eight bits, by the bits that follow; 0 of longer ones.
    uint16_t short_codes[256];
    int32_t max_code[17];
    int32_t offset[17];
    uint8_t symbols[256];
} codes;

static bool make_codes(codes *table, const JHUFF_TBL *source)
{
    int32_t code = 0;
    int count = 0;
    memset(table, 0, sizeof(*table));
    memcpy(table->symbols, source->huffval, sizeof(table->symbols));
    for (int length = 1; length <= 16; length++) {
        table->offset[length] = count - code;
        for (int index = 0; index < source->bits[length]; index++, code++, count++) {
            if (count >= 256 || code >= 1 << length)
                return false;
            if (length > 8)
                continue;
            int first = code << (8 - length);
            for (int rest = 0; rest < 1 << (8 - length); rest++)
                table->short_codes[first + rest] = (uint16_t)(length << 8 | table->symbols[count]);
        }
        table->max_code[length] = source->bits[length] ? code - 1 : -1;
        code <<= 1;
    }
    return true;
}

/// Bits of a scan up to the next marker.
typedef struct {
    const uint8_t *next;
    const uint8_t *end;
    uint64_t bits;
    int count;
} reader;

/// Whether a marker stands at `next`, or the end.
static bool is_at_marker(const reader *bits)
{
    if (bits->next >= bits->end)
        return true;
    if (bits->next[0] != 0xFF)
        return false;
    const uint8_t *place = bits->next;
    while (place < bits->end && *place == 0xFF)
        place++;
    return place >= bits->end || *place != 0;
}

static void fill(reader *bits)
{
    while (bits->count <= 56) {
        if (is_at_marker(bits))
            return;
        uint8_t byte = *bits->next++;
        if (byte == 0xFF) {
            while (*bits->next == 0xFF)
                bits->next++;
            bits->next++;
        }
        bits->bits = bits->bits << 8 | byte;
        bits->count += 8;
    }
}

/// The next `count` bits, zeros behind the end.
static unsigned peek(const reader *bits, int count)
{
    if (bits->count >= count)
        return (unsigned)(bits->bits >> (bits->count - count)) & ((1u << count) - 1);
    return (unsigned)(bits->bits << (count - bits->count)) & ((1u << count) - 1);
}

/// What becomes of a block.
typedef enum { POSSIBLE, IMPOSSIBLE, CUT } verdict;

static verdict read_symbol(reader *bits, const codes *table, int *symbol)
{
    if (bits->count < 32)
        fill(bits);
    unsigned known = table->short_codes[peek(bits, 8)];
    if (known != 0) {
        if (bits->count < (int)(known >> 8))
            return CUT;
        bits->count -= (int)(known >> 8);
        *symbol = known & 0xFF;
        return POSSIBLE;
    }
    for (int length = 9; length <= 16; length++) {
        int32_t code = (int32_t)peek(bits, length);
        if (code > table->max_code[length])
            continue;
        if (bits->count < length)
            return CUT;
        bits->count -= length;
        *symbol = table->symbols[(table->offset[length] + code) & 0xFF];
        return POSSIBLE;
    }
    return bits->count < 16 ? CUT : IMPOSSIBLE;
}

static verdict read_value(reader *bits, int size, int *value)
{
    if (bits->count < 32)
        fill(bits);
    if (bits->count < size)
        return CUT;
    unsigned raw = size == 0 ? 0 : peek(bits, size);
    bits->count -= size;
    *value = size > 0 && raw < 1u << (size - 1) ? (int)raw - (1 << size) + 1 : (int)raw;
    return POSSIBLE;
}

/// The tables of a scan, and the DC value of each component.
typedef struct {
    const cjpeg_scan *scan;
    codes dc[NUM_HUFF_TBLS];
    codes ac[NUM_HUFF_TBLS];
    int64_t values[MAX_COMPS_IN_SCAN];
} state;

static verdict read_block(reader *bits, state *state, int index)
{
    int component = state->scan->blocks[index].component;
    const codes *ac = &state->ac[state->scan->blocks[index].ac_table];
    int symbol, value;
    verdict verdict = read_symbol(bits, &state->dc[state->scan->blocks[index].dc_table], &symbol);
    if (verdict != POSSIBLE)
        return verdict;
    if (symbol > 11)
        return IMPOSSIBLE;
    if ((verdict = read_value(bits, symbol, &value)) != POSSIBLE)
        return verdict;
    state->values[component] += value;
    int64_t scale = state->scan->blocks[index].dc_scale;
    int64_t dc = state->values[component] * scale;
    if (dc < -1024 - DC_SLACK - scale || dc > 1024 + DC_SLACK + scale)
        return IMPOSSIBLE;
    for (int place = 1; place < DCTSIZE2; place++) {
        if ((verdict = read_symbol(bits, ac, &symbol)) != POSSIBLE)
            return verdict;
        int run = symbol >> 4, size = symbol & 15;
        if (size == 0) {
            if (run != 15)
                break;
            place += 15;
            continue;
        }
        place += run;
        if (place >= DCTSIZE2 || size > 10)
            return IMPOSSIBLE;
        if ((verdict = read_value(bits, size, &value)) != POSSIBLE)
            return verdict;
    }
    return POSSIBLE;
}

static verdict read_mcu(reader *bits, state *state)
{
    for (int index = 0; index < state->scan->block_count; index++) {
        verdict verdict = read_block(bits, state, index);
        if (verdict != POSSIBLE)
            return verdict;
    }
    return POSSIBLE;
}

/// Whether the rest of the byte is ones, as it must be behind the last block.
static bool is_padded(const reader *bits)
{
    int rest = bits->count & 7;
    return rest == 0 || ((bits->bits >> (bits->count - rest)) & ((1u << rest) - 1)) == (1u << rest) - 1;
}

/// Whether the data up to the marker is used up, but for a byte's padding.
static bool is_at_end(const reader *bits)
{
    return bits->count < 8 && is_padded(bits) && is_at_marker(bits);
}

/// Whether what is left in front of the marker is the rest of the picture, whose blocks were shifted by damage.
static bool has_more_blocks(reader bits, state *state)
{
    int count = 0;
    fill(&bits);
    if (bits.count < 8 || is_padded(&bits))
        return false;
    while (read_mcu(&bits, state) == POSSIBLE) {
        count++;
        fill(&bits);
        if (bits.count < 8)
            return count > 0 && is_padded(&bits);
    }
    return false;
}

/// The second byte of the next marker, behind which reading goes on; 0 at the end.
static int next_marker(reader *bits)
{
    bits->bits = 0;
    bits->count = 0;
    while (bits->next < bits->end) {
        const uint8_t *place = memchr(bits->next, 0xFF, (size_t)(bits->end - bits->next));
        if (place == NULL)
            break;
        while (place < bits->end && *place == 0xFF)
            place++;
        bits->next = place < bits->end ? place + 1 : place;
        if (place < bits->end && *place != 0)
            return *place;
    }
    bits->next = bits->end;
    return 0;
}

/// The rows of the picture before an MCU.
static int rows_before(const cjpeg_scan *scan, int64_t mcu)
{
    return (int)(mcu / scan->mcus_per_row * scan->pixel_rows);
}

int cjpeg_walk(const cjpeg *jpeg)
{
    const cjpeg_scan *scan = &jpeg->scan;
    int64_t count = (int64_t)scan->mcus_per_row * scan->mcu_rows, first = 0;
    reader bits = {.next = jpeg->scan_start, .end = jpeg->bytes + jpeg->count};
    state state = {.scan = scan};
    for (int index = 0; index < scan->block_count; index++) {
        int dc = scan->blocks[index].dc_table, ac = scan->blocks[index].ac_table;
        if (!make_codes(&state.dc[dc], &scan->dc_tables[dc]) || !make_codes(&state.ac[ac], &scan->ac_tables[ac]))
            return 0;
    }
    for (int restart = 0; first < count; restart++) {
        int64_t end = scan->restart_interval == 0 ? count : first + scan->restart_interval;
        if (end > count)
            end = count;
        memset(state.values, 0, sizeof(state.values));
        for (int64_t mcu = first; mcu < end; mcu++) {
            bool is_end = is_at_end(&bits);
            verdict verdict = read_mcu(&bits, &state);
            if (verdict == CUT && bits.next >= bits.end)
                return rows_before(scan, mcu);
            // The end of the data is here, and blocks are missing: they were lost on the way.
            if (verdict == CUT && is_end)
                return rows_before(scan, first);
            if (verdict != POSSIBLE) {
                int64_t suspect = mcu - SUSPECT_BLOCKS / scan->block_count;
                return rows_before(scan, suspect < first ? first : suspect);
            }
        }
        // Where in the interval the damage is, nothing says.
        if (has_more_blocks(bits, &state))
            return rows_before(scan, first);
        int marker = next_marker(&bits);
        if (end < count && marker != 0xD0 + (restart & 7))
            return rows_before(scan, marker == 0 ? end : first);
        first = end;
    }
    return INT32_MAX;
}

void cjpeg_keep_scan(cjpeg *jpeg)
{
    const struct jpeg_decompress_struct *info = &jpeg->info;
    cjpeg_scan *scan = &jpeg->scan;
    scan->is_progressive = info->progressive_mode;
    scan->height = (int)info->image_height;
    scan->components = info->num_components;
    scan->interleaved_rows = info->max_v_samp_factor * DCTSIZE;
    scan->is_only_one = !jpeg_has_multiple_scans(&jpeg->info) && !info->progressive_mode && !info->arith_code;
    if (!scan->is_only_one)
        return;
    scan->restart_interval = info->restart_interval;
    scan->mcus_per_row = (int)info->MCUs_per_row;
    scan->mcu_rows = (int)info->MCU_rows_in_scan;
    scan->pixel_rows = info->comps_in_scan == 1 ? DCTSIZE : scan->interleaved_rows;
    scan->block_count = info->blocks_in_MCU;
    for (int index = 0; index < info->blocks_in_MCU; index++) {
        const jpeg_component_info *component = info->cur_comp_info[info->MCU_membership[index]];
        scan->blocks[index].component = info->MCU_membership[index];
        scan->blocks[index].dc_table = component->dc_tbl_no;
        scan->blocks[index].ac_table = component->ac_tbl_no;
        scan->blocks[index].dc_scale = component->quant_table->quantval[0];
    }
    for (int index = 0; index < NUM_HUFF_TBLS; index++) {
        if (info->dc_huff_tbl_ptrs[index] != NULL)
            scan->dc_tables[index] = *info->dc_huff_tbl_ptrs[index];
        if (info->ac_huff_tbl_ptrs[index] != NULL)
            scan->ac_tables[index] = *info->ac_huff_tbl_ptrs[index];
    }
}
