#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

#include "ctiff.h"

struct ctiff {
    TIFF *file;
    const uint8_t *bytes;
    toff_t count;
    toff_t offset;
    /// As long as libtiff's interface for pixels expects.
    char message[1024];
};

static int on_error(TIFF *file, void *data, const char *module, const char *format, va_list arguments)
{
    ctiff *tiff = data;
    (void)file;
    (void)module;
    if (tiff->message[0] == '\0')
        vsnprintf(tiff->message, sizeof(tiff->message), format, arguments);
    return 1;
}

static int on_warning(TIFF *file, void *data, const char *module, const char *format, va_list arguments)
{
    (void)file;
    (void)data;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t count)
{
    ctiff *tiff = handle;
    if (count < 0 || tiff->offset >= tiff->count)
        return 0;
    if ((toff_t)count > tiff->count - tiff->offset)
        count = (tmsize_t)(tiff->count - tiff->offset);
    memcpy(target, tiff->bytes + tiff->offset, (size_t)count);
    tiff->offset += (toff_t)count;
    return count;
}

static tmsize_t write_bytes(thandle_t handle, void *source, tmsize_t count)
{
    (void)handle;
    (void)source;
    (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence)
{
    ctiff *tiff = handle;
    // The offset of the last two is signed; as unsigned numbers they wrap to the same place.
    if (whence == SEEK_CUR)
        offset += tiff->offset;
    else if (whence == SEEK_END)
        offset += tiff->count;
    tiff->offset = offset;
    return offset;
}

static int close_file(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle)
{
    return ((ctiff *)handle)->count;
}

ctiff *ctiff_open(const uint8_t *bytes, size_t count, uint32_t directory, size_t max_allocation)
{
    ctiff *tiff = calloc(1, sizeof(ctiff));
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (tiff == NULL || options == NULL) {
        free(tiff);
        TIFFOpenOptionsFree(options);
        return NULL;
    }
    tiff->bytes = bytes;
    tiff->count = count;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)max_allocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, tiff);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, tiff);
    tiff->file = TIFFClientOpenExt(
        "picture", "rm", tiff, read_bytes, write_bytes, seek, close_file, size_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    if (tiff->file == NULL) {
        free(tiff);
        return NULL;
    }
    if (directory > 0 && !TIFFSetDirectory(tiff->file, directory)) {
        ctiff_close(tiff);
        return NULL;
    }
    return tiff;
}

void ctiff_close(ctiff *tiff)
{
    if (tiff == NULL)
        return;
    TIFFClose(tiff->file);
    free(tiff);
}

const char *ctiff_message(const ctiff *tiff)
{
    return tiff->message[0] == '\0' ? "the data ends too early" : tiff->message;
}

/// Reads the size, and returns the name of a tag that is missing and that every picture needs; NULL if none is.
static const char *read_size(TIFF *file, uint16_t photometric, ctiff_header *header)
{
    uint16_t *red, *green, *blue;
    if (!TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &header->width))
        return "ImageWidth";
    if (!TIFFGetField(file, TIFFTAG_IMAGELENGTH, &header->height))
        return "ImageLength";
    if (photometric == PHOTOMETRIC_PALETTE && !TIFFGetField(file, TIFFTAG_COLORMAP, &red, &green, &blue))
        return "ColorMap";
    return NULL;
}

ctiff_status ctiff_read_header(ctiff *tiff, ctiff_header *header)
{
    uint16_t orientation, samples, photometric, compression, extra_count = 0;
    uint16_t *extra = NULL;
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    // Of a file that does not say, libtiff takes it so; fax software and cameras of microscopes write such files.
    if (!TIFFGetField(tiff->file, TIFFTAG_PHOTOMETRIC, &photometric))
        photometric = samples == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    const char *missing = read_size(tiff->file, photometric, header);
    if (missing != NULL) {
        if (tiff->message[0] == '\0')
            snprintf(tiff->message, sizeof(tiff->message), "its tag %s is missing", missing);
        return CTIFF_DAMAGED;
    }
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_COMPRESSION, &compression);
    if (!TIFFIsCODECConfigured(compression)) {
        snprintf(tiff->message, sizeof(tiff->message), "the compression %u is not known", (unsigned)compression);
        return CTIFF_NO_CODEC;
    }
    // What libtiff refuses now is whole, but of a kind that it does not handle.
    if (!TIFFRGBAImageOK(tiff->file, tiff->message))
        return CTIFF_UNSUPPORTED;
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
    header->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    header->is_gray = samples == 1 && (photometric == PHOTOMETRIC_MINISWHITE || photometric == PHOTOMETRIC_MINISBLACK);
    header->has_alpha = extra_count > 0 && extra != NULL && extra[0] != EXTRASAMPLE_UNSPECIFIED;
    return CTIFF_OK;
}

ctiff_status ctiff_decode(ctiff *tiff, uint32_t *pixels)
{
    TIFFRGBAImage image;
    if (!TIFFRGBAImageBegin(&image, tiff->file, 1, tiff->message))
        return CTIFF_UNSUPPORTED;
    // The rows stay as they are stored, since boxes refer to them.
    image.req_orientation = image.orientation;
    bool is_read = TIFFRGBAImageGet(&image, pixels, image.width, image.height) == 1;
    TIFFRGBAImageEnd(&image);
    if (!is_read)
        return CTIFF_DAMAGED;
    size_t count = (size_t)image.width * image.height;
    for (size_t index = 0; index < count; index++) {
        uint32_t pixel = pixels[index];
        uint8_t bytes[4] = {TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel), TIFFGetA(pixel)};
        memcpy(pixels + index, bytes, sizeof(bytes));
    }
    return CTIFF_OK;
}
