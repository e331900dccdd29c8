#define _POSIX_C_SOURCE 200809L

#include "v4l2.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int control(int fd, unsigned long request, void *argument) {
    int outcome;
    do outcome = ioctl(fd, request, argument);
    while (outcome < 0 && errno == EINTR);
    return outcome;
}

static bool complain(camera *camera, const char *device, const char *what) {
    snprintf(camera->message, sizeof camera->message, "%s: %s", device, what);
    return false;
}

static bool set_format(camera *camera, uint32_t pixels, uint32_t width, uint32_t height) {
    struct v4l2_format format;
    memset(&format, 0, sizeof format);
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (control(camera->fd, VIDIOC_G_FMT, &format) < 0) return false;
    if (width > 0 && height > 0) {
        format.fmt.pix.width = width;
        format.fmt.pix.height = height;
    }
    format.fmt.pix.pixelformat = pixels;
    format.fmt.pix.field = V4L2_FIELD_ANY;
    format.fmt.pix.bytesperline = 0;
    if (control(camera->fd, VIDIOC_S_FMT, &format) < 0 || format.fmt.pix.pixelformat != pixels) return false;
    camera->is_jpeg = pixels == V4L2_PIX_FMT_MJPEG;
    camera->width = format.fmt.pix.width;
    camera->height = format.fmt.pix.height;
    camera->bytes_per_row = format.fmt.pix.bytesperline;
    if (camera->bytes_per_row < camera->width * 2) camera->bytes_per_row = camera->width * 2;
    return camera->is_jpeg || (camera->width <= UINT16_MAX && camera->height <= UINT16_MAX);
}

static void set_rate(const camera *camera, uint32_t fps) {
    struct v4l2_streamparm rate;
    memset(&rate, 0, sizeof rate);
    rate.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    rate.parm.capture.timeperframe.numerator = 1;
    rate.parm.capture.timeperframe.denominator = fps;
    /* A camera that cannot is used at its own rate. */
    control(camera->fd, VIDIOC_S_PARM, &rate);
}

static bool give_to_camera(const camera *camera, uint32_t index) {
    struct v4l2_buffer buffer;
    memset(&buffer, 0, sizeof buffer);
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    buffer.memory = V4L2_MEMORY_MMAP;
    buffer.index = index;
    return control(camera->fd, VIDIOC_QBUF, &buffer) == 0;
}

static bool map_buffers(camera *camera) {
    struct v4l2_requestbuffers request;
    memset(&request, 0, sizeof request);
    request.count = CAMERA_BUFFERS;
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request.memory = V4L2_MEMORY_MMAP;
    if (control(camera->fd, VIDIOC_REQBUFS, &request) < 0 || request.count < 2) return false;
    uint32_t count = request.count < CAMERA_BUFFERS ? request.count : CAMERA_BUFFERS;
    for (uint32_t i = 0; i < count; i++) {
        struct v4l2_buffer buffer;
        memset(&buffer, 0, sizeof buffer);
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        buffer.memory = V4L2_MEMORY_MMAP;
        buffer.index = i;
        if (control(camera->fd, VIDIOC_QUERYBUF, &buffer) < 0) return false;
        void *start = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, camera->fd, (off_t)buffer.m.offset);
        if (start == MAP_FAILED) return false;
        camera_buffer *mapped = &camera->buffers[camera->buffer_count++];
        mapped->start = start;
        mapped->length = buffer.length;
        mapped->index = i;
        if (!camera->is_jpeg) {
            mapped->gray = malloc((size_t)camera->width * camera->height);
            if (mapped->gray == NULL) return false;
        }
        if (!give_to_camera(camera, i)) return false;
    }
    return true;
}

bool camera_start(camera *camera, const char *device, camera_format format, uint32_t width, uint32_t height, uint32_t fps) {
    memset(camera, 0, sizeof *camera);
    camera->fd = open(device, O_RDWR | O_NONBLOCK);
    if (camera->fd < 0) {
        complain(camera, device, strerror(errno));
        return false;
    }
    struct v4l2_capability capability;
    memset(&capability, 0, sizeof capability);
    if (control(camera->fd, VIDIOC_QUERYCAP, &capability) < 0) {
        return complain(camera, device, "is no camera of Video4Linux; `v4l2-ctl --list-devices` shows those that are");
    }
    uint32_t abilities = capability.capabilities;
    if ((abilities & V4L2_CAP_DEVICE_CAPS) != 0) abilities = capability.device_caps;
    if ((abilities & V4L2_CAP_VIDEO_CAPTURE) == 0 || (abilities & V4L2_CAP_STREAMING) == 0) {
        return complain(camera, device, "takes no pictures or does not stream them; try the next /dev/video*");
    }
    bool is_set = (format != CAMERA_YUYV && set_format(camera, V4L2_PIX_FMT_MJPEG, width, height))
        || (format != CAMERA_MJPEG && set_format(camera, V4L2_PIX_FMT_YUYV, width, height));
    if (!is_set) {
        return complain(camera, device,
                        "delivers neither what was asked for nor another of MJPEG and YUYV; pipe its pictures in with "
                        "--mjpeg -, from rpicam-vid or ffmpeg");
    }
    if (fps > 0) set_rate(camera, fps);
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (!map_buffers(camera) || control(camera->fd, VIDIOC_STREAMON, &type) < 0) {
        return complain(camera, device, "cannot stream; another program may be using it");
    }
    return true;
}

/* The first of every two bytes is a pixel's brightness. Rows that did not come whole stay as they were. */
static void copy_gray(const camera *camera, camera_buffer *buffer, size_t received) {
    for (uint32_t y = 0; y < camera->height; y++) {
        size_t start = (size_t)y * camera->bytes_per_row;
        if (start + (size_t)camera->width * 2 > received) return;
        const uint8_t *row = (const uint8_t *)buffer->start + start;
        uint8_t *gray = buffer->gray + (size_t)y * camera->width;
        for (uint32_t x = 0; x < camera->width; x++) gray[x] = row[2 * x];
    }
}

int camera_read(camera *camera, gw_frame *frame) {
    struct v4l2_buffer buffer;
    memset(&buffer, 0, sizeof buffer);
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    buffer.memory = V4L2_MEMORY_MMAP;
    if (control(camera->fd, VIDIOC_DQBUF, &buffer) < 0) return errno == EAGAIN || errno == EIO ? 0 : -1;
    if (buffer.index >= camera->buffer_count) return -1;
    camera_buffer *taken = &camera->buffers[buffer.index];
    bool is_good = (buffer.flags & V4L2_BUF_FLAG_ERROR) == 0 && buffer.bytesused > 0 && buffer.bytesused <= taken->length;
    /* Gray that is still on its way must not be painted over. */
    if (!is_good || (!camera->is_jpeg && taken->is_used)) return give_to_camera(camera, buffer.index) ? 0 : -1;
    memset(frame, 0, sizeof *frame);
    frame->captured_us = (uint64_t)buffer.timestamp.tv_sec * 1000000 + (uint64_t)buffer.timestamp.tv_usec;
    frame->owner = taken;
    taken->is_used = true;
    if (camera->is_jpeg) {
        frame->format = GW_JPEG;
        frame->payload = taken->start;
        frame->length = buffer.bytesused;
        return 1;
    }
    copy_gray(camera, taken, buffer.bytesused);
    frame->format = GW_GRAY;
    frame->width = (uint16_t)camera->width;
    frame->height = (uint16_t)camera->height;
    frame->payload = taken->gray;
    frame->length = (size_t)camera->width * camera->height;
    return give_to_camera(camera, buffer.index) ? 1 : -1;
}

void camera_release(camera *camera, camera_buffer *buffer) {
    buffer->is_used = false;
    /* A camera that cannot have it back is found to be gone by the next read. */
    if (camera->is_jpeg) give_to_camera(camera, buffer->index);
}

void camera_stop(camera *camera) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (camera->fd < 0) return;
    control(camera->fd, VIDIOC_STREAMOFF, &type);
    for (uint32_t i = 0; i < camera->buffer_count; i++) {
        munmap(camera->buffers[i].start, camera->buffers[i].length);
        free(camera->buffers[i].gray);
    }
    close(camera->fd);
    camera->fd = -1;
}
