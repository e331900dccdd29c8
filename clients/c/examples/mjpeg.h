/* JPEG pictures out of a stream of bytes, such as ffmpeg, libcamera-vid and rpicam-vid write to their standard output. */
#ifndef MJPEG_H
#define MJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One picture may be on its way, one may wait, one is handed over, and one is being received. */
enum { MJPEG_SLOTS = 4 };

typedef struct mjpeg_slot {
    uint8_t *bytes;
    size_t length;
    bool is_used;
} mjpeg_slot;

typedef struct mjpeg_reader {
    int fd;
    /** No more will come. */
    bool has_ended;
    /** Pictures that were larger than a slot, and left out. */
    unsigned too_large;
    mjpeg_slot slots[MJPEG_SLOTS];
    size_t slot_bytes;
    mjpeg_slot *filling;
    size_t scanned, skip;
    int state;
    size_t end;
} mjpeg_reader;

/** Reads from `fd` into MJPEG_SLOTS pieces of `memory`, each of `slot_bytes`. */
void mjpeg_start(mjpeg_reader *reader, int fd, uint8_t *memory, size_t slot_bytes);

/** Whether what was read already may hold a picture, so that there is no need to wait for more. */
bool mjpeg_has_more(const mjpeg_reader *reader);

/** Reads once, if need be. @return A whole picture, to be given back by mjpeg_release(), or NULL. */
mjpeg_slot *mjpeg_read(mjpeg_reader *reader);

void mjpeg_release(mjpeg_slot *slot);

#endif
