#include "mjpeg.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Where in a picture the next byte stands. Segments are skipped by their length, for a preview inside one is a whole JPEG
   with an end of its own. */
enum { OUTSIDE, START, MARKER_PREFIX, MARKER, LENGTH_HIGH, LENGTH_LOW, SEGMENT, SCAN, SCAN_MARKER };

void mjpeg_start(mjpeg_reader *reader, int fd, uint8_t *memory, size_t slot_bytes) {
    memset(reader, 0, sizeof *reader);
    reader->fd = fd;
    reader->slot_bytes = slot_bytes;
    for (int i = 0; i < MJPEG_SLOTS; i++) reader->slots[i].bytes = memory + (size_t)i * slot_bytes;
    reader->filling = &reader->slots[0];
    reader->filling->is_used = true;
}

void mjpeg_release(mjpeg_slot *slot) { slot->is_used = false; }

bool mjpeg_has_more(const mjpeg_reader *reader) { return reader->scanned < reader->filling->length; }

static int after_marker(uint8_t marker, bool *is_end) {
    *is_end = marker == 0xD9;
    if (marker == 0xFF) return MARKER;
    if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) return MARKER_PREFIX;
    return LENGTH_HIGH;
}

/* Drops what was received of a picture that is none, and looks for the next. */
static void restart(mjpeg_reader *reader) {
    mjpeg_slot *slot = reader->filling;
    memmove(slot->bytes, slot->bytes + reader->scanned, slot->length - reader->scanned);
    slot->length -= reader->scanned;
    reader->scanned = 0;
    reader->state = OUTSIDE;
}

/* Moves on to the picture's end; false if it is not here yet. */
static bool scan(mjpeg_reader *reader) {
    mjpeg_slot *slot = reader->filling;
    while (reader->scanned < slot->length) {
        uint8_t byte = slot->bytes[reader->scanned];
        bool is_end = false;
        switch (reader->state) {
        case OUTSIDE:
            reader->state = byte == 0xFF ? START : OUTSIDE;
            break;
        case START:
            if (byte == 0xD8) {
                /* What stands in front of the picture goes. */
                memmove(slot->bytes, slot->bytes + reader->scanned - 1, slot->length - reader->scanned + 1);
                slot->length -= reader->scanned - 1;
                reader->scanned = 1;
                reader->state = MARKER_PREFIX;
            } else if (byte != 0xFF) {
                reader->state = OUTSIDE;
            }
            break;
        case MARKER_PREFIX:
            if (byte != 0xFF) {
                restart(reader);
                continue;
            }
            reader->state = MARKER;
            break;
        case MARKER:
            reader->state = after_marker(byte, &is_end);
            reader->end = byte;
            break;
        case LENGTH_HIGH:
            reader->skip = (size_t)byte << 8;
            reader->state = LENGTH_LOW;
            break;
        case LENGTH_LOW:
            reader->skip |= byte;
            if (reader->skip < 2) {
                restart(reader);
                continue;
            }
            reader->skip -= 2;
            reader->state = reader->skip > 0 ? SEGMENT : reader->end == 0xDA ? SCAN : MARKER_PREFIX;
            break;
        case SEGMENT: {
            size_t here = slot->length - reader->scanned, part = here < reader->skip ? here : reader->skip;
            reader->skip -= part;
            reader->scanned += part;
            if (reader->skip == 0) reader->state = reader->end == 0xDA ? SCAN : MARKER_PREFIX;
            continue;
        }
        case SCAN: {
            const uint8_t *found = memchr(slot->bytes + reader->scanned, 0xFF, slot->length - reader->scanned);
            reader->scanned = found == NULL ? slot->length : (size_t)(found - slot->bytes) + 1;
            if (found != NULL) reader->state = SCAN_MARKER;
            continue;
        }
        case SCAN_MARKER:
            /* 0 stands for the byte 0xFF itself, 0xD0...0xD7 are restarts. */
            if (byte == 0x00 || (byte >= 0xD0 && byte <= 0xD7)) {
                reader->state = SCAN;
            } else if (byte != 0xFF) {
                reader->state = after_marker(byte, &is_end);
                reader->end = byte;
            }
            break;
        }
        reader->scanned++;
        if (is_end) return true;
    }
    return false;
}

static mjpeg_slot *free_slot(mjpeg_reader *reader) {
    for (int i = 0; i < MJPEG_SLOTS; i++) {
        if (!reader->slots[i].is_used) return &reader->slots[i];
    }
    return NULL;
}

/* Goes on in another slot, with the bytes behind the picture. */
static mjpeg_slot *picture_ended(mjpeg_reader *reader) {
    mjpeg_slot *whole = reader->filling, *next = free_slot(reader);
    size_t length = reader->scanned, left = whole->length - length;
    reader->state = OUTSIDE;
    reader->scanned = 0;
    if (next == NULL) {
        memmove(whole->bytes, whole->bytes + length, left);
        whole->length = left;
        return NULL;
    }
    memcpy(next->bytes, whole->bytes + length, left);
    next->length = left;
    next->is_used = true;
    whole->length = length;
    reader->filling = next;
    return whole;
}

mjpeg_slot *mjpeg_read(mjpeg_reader *reader) {
    mjpeg_slot *slot = reader->filling;
    if (!mjpeg_has_more(reader)) {
        if (reader->state == OUTSIDE) slot->length = reader->scanned = 0;
        if (slot->length == reader->slot_bytes) {
            reader->too_large++;
            slot->length = reader->scanned = 0;
            reader->state = OUTSIDE;
        }
        ssize_t count = read(reader->fd, slot->bytes + slot->length, reader->slot_bytes - slot->length);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) return NULL;
        if (count <= 0) {
            reader->has_ended = true;
            return NULL;
        }
        slot->length += (size_t)count;
    }
    return scan(reader) ? picture_ended(reader) : NULL;
}
