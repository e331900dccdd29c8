/* A camera of Video4Linux: JPEG pictures as the camera packs them, or the gray part of YUYV. */
#ifndef V4L2_H
#define V4L2_H

#include "glyphwire.h"

enum { CAMERA_BUFFERS = 4 };

typedef struct camera_buffer {
    void *start;
    size_t length;
    uint32_t index;
    /** Of YUYV: the picture's gray, one byte a pixel. The camera gets its buffer back at once. */
    uint8_t *gray;
    bool is_used;
} camera_buffer;

typedef struct camera {
    int fd;
    bool is_jpeg;
    uint32_t width, height, bytes_per_row;
    uint32_t buffer_count;
    camera_buffer buffers[CAMERA_BUFFERS];
    /** What is wrong, where, and what to do. */
    char message[256];
} camera;

typedef enum camera_format { CAMERA_ANY, CAMERA_MJPEG, CAMERA_YUYV } camera_format;

/** Opens the camera and starts it. A size or rate of 0 leaves it to the camera, which may choose another anyhow.
    @return Whether it could; `message` says why not. */
bool camera_start(camera *camera, const char *device, camera_format format, uint32_t width, uint32_t height, uint32_t fps);

/** Takes the picture that is ready.
    @param frame Its owner is to be given back by camera_release().
    @return 1 if there is one, 0 if not, -1 if the camera is gone. */
int camera_read(camera *camera, gw_frame *frame);

void camera_release(camera *camera, camera_buffer *buffer);

void camera_stop(camera *camera);

#endif
