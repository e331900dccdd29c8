/* Reads a JPEG: read-picture HOST PICTURE.jpg */
#include "glyphwire.h"

#include <stdio.h>
#include <stdlib.h>

static void print_line(void *context, const gw_text *text) {
    (void)context;
    if (text->kind == GW_LINE) puts(text->text);
}

static bool is_read;

static void finish(void *context, const gw_result *result) {
    (void)context;
    is_read = result->message[0] == 0;
    if (!is_read) fprintf(stderr, "%s\n", result->message);
}

static char picture[16 << 20];

int main(int count, char **arguments) {
    FILE *file = count < 3 ? NULL : fopen(arguments[2], "rb");
    if (file == NULL) return fprintf(stderr, "usage: read-picture HOST PICTURE.jpg [PORT]\n"), 2;

    static gw_connection connection;
    gw_settings settings = {.host = arguments[1], .on_text = print_line, .on_result = finish};
    if (count > 3) settings.port = (uint16_t)atoi(arguments[3]);
    gw_frame frame = {.format = GW_JPEG, .payload = picture};
    frame.length = fread(picture, 1, sizeof picture, file);
    if (gw_connect(&connection, &settings) || gw_send(&connection, &frame) || gw_finish(&connection)) {
        return fprintf(stderr, "%s\n", connection.message), 1;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) return perror("read-picture"), 1;
    return is_read ? 0 : 1;
}
