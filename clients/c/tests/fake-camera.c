/*
 * A camera of Video4Linux where there is none: preloaded (LD_PRELOAD), it answers for the device /dev/fake-camera.
 *
 * FAKE_CAMERA is "mjpeg FILE", with a JPEG, or "yuyv FILE WIDTH HEIGHT", with raw rows. It delivers the picture every
 * 10 ms while it has a free buffer, one in five marked as damaged, YUYV rows with 64 bytes of padding; it fails when a
 * buffer is used in a way that a driver would not stand for.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 4, PADDING = 64 };

static int device = -1;
static char *picture;
static size_t picture_bytes, buffer_bytes;
static unsigned width, height, delivered;
static int is_jpeg, is_on;
static char *memory[COUNT];
static int is_queued[COUNT];

static void broken(const char *what) {
    fprintf(stderr, "fake-camera: %s\n", what);
    abort();
}

static int open_device(void) {
    char kind[8], path[512];
    const char *camera = getenv("FAKE_CAMERA");
    if (camera == NULL || sscanf(camera, "%7s %511s %u %u", kind, path, &width, &height) < 2) broken("set FAKE_CAMERA");
    is_jpeg = strcmp(kind, "mjpeg") == 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) broken(path);
    fseek(file, 0, SEEK_END);
    picture_bytes = (size_t)ftell(file);
    rewind(file);
    picture = malloc(picture_bytes);
    if (fread(picture, 1, picture_bytes, file) != picture_bytes) broken(path);
    fclose(file);
    buffer_bytes = is_jpeg ? picture_bytes + 1000 : (size_t)(width * 2 + PADDING) * height;
    device = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec pace = {{0, 10000000}, {0, 10000000}};
    timerfd_settime(device, 0, &pace, NULL);
    return device;
}

int open(const char *path, int flags, ...) {
    static int (*real)(const char *, int, ...);
    if (strcmp(path, "/dev/fake-camera") == 0) return open_device();
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "open");
    va_list rest;
    va_start(rest, flags);
    int outcome = real(path, flags, va_arg(rest, int));
    va_end(rest);
    return outcome;
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "mmap");
    if (device == -1 || fd != device) return real(at, length, protection, flags, fd, offset);
    if (offset / 4096 >= COUNT || length != buffer_bytes) broken("a mapping that nobody offered");
    return memory[offset / 4096] = real(at, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void fill(char *start) {
    if (is_jpeg) {
        memcpy(start, picture, picture_bytes);
        return;
    }
    for (unsigned y = 0; y < height; y++) memcpy(start + y * (width * 2 + PADDING), picture + y * width * 2, width * 2);
}

static int deliver(struct v4l2_buffer *buffer) {
    char ticks[8];
    if (!is_on) broken("a picture is asked for before STREAMON");
    if (read(device, ticks, sizeof ticks) < 0) return errno = EAGAIN, -1;
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned index = (delivered + i) % COUNT;
        if (!is_queued[index]) continue;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        is_queued[index] = 0;
        fill(memory[index]);
        buffer->index = index;
        buffer->bytesused = (unsigned)(is_jpeg ? picture_bytes : buffer_bytes);
        buffer->timestamp.tv_sec = now.tv_sec;
        buffer->timestamp.tv_usec = now.tv_nsec / 1000;
        buffer->flags = ++delivered % 5 == 0 ? V4L2_BUF_FLAG_ERROR : 0;
        return 0;
    }
    return errno = EAGAIN, -1;
}

int ioctl(int fd, unsigned long request, ...) {
    static int (*real)(int, unsigned long, ...);
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "ioctl");
    if (device == -1 || fd != device) return real(fd, request, argument);
    struct v4l2_capability *capability = argument;
    struct v4l2_format *format = argument;
    struct v4l2_buffer *buffer = argument;
    switch (request) {
    case VIDIOC_QUERYCAP:
        capability->capabilities = V4L2_CAP_DEVICE_CAPS;
        capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        return 0;
    case VIDIOC_S_PARM:
    case VIDIOC_G_FMT: return 0;
    case VIDIOC_S_FMT:
        /* A driver answers with what it can do instead. */
        format->fmt.pix.pixelformat = is_jpeg ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV;
        format->fmt.pix.width = width;
        format->fmt.pix.height = height;
        format->fmt.pix.bytesperline = is_jpeg ? 0 : width * 2 + PADDING;
        return 0;
    case VIDIOC_REQBUFS: ((struct v4l2_requestbuffers *)argument)->count = COUNT; return 0;
    case VIDIOC_QUERYBUF:
        if (buffer->index >= COUNT) return errno = EINVAL, -1;
        buffer->length = (unsigned)buffer_bytes;
        buffer->m.offset = buffer->index * 4096;
        return 0;
    case VIDIOC_QBUF:
        if (buffer->index >= COUNT || is_queued[buffer->index]) broken("a buffer is given back twice");
        is_queued[buffer->index] = 1;
        /* What is written to a buffer that is the driver's again must not matter. */
        memset(memory[buffer->index], 0xAA, buffer_bytes);
        return 0;
    case VIDIOC_DQBUF: return deliver(buffer);
    case VIDIOC_STREAMON: is_on = 1; return 0;
    case VIDIOC_STREAMOFF:
        fprintf(stderr, "fake-camera: stopped after %u pictures\n", delivered);
        is_on = 0;
        return 0;
    default: return errno = ENOTTY, -1;
    }
}
