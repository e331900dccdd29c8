/* Reads a JPEG: read-picture HOST PICTURE.jpg */
#include "glyphwire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(void *context, const gw_text *text) {
    (void)context;
    if (text->kind == GW_LINE) puts(text->text);
}

static void tell_result(void *context, const gw_result *result) {
    *(bool *)context = strcmp(result->status, "ok") == 0;
    if (result->message[0] != 0) fprintf(stderr, "read-picture: %s (%s)\n", result->message, result->code);
}

/* As many bytes as a server takes by default: of a larger one, the client says so. */
static char picture[64 << 20];

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: read-picture HOST PICTURE.jpg [PORT]\n"), 2;
    FILE *file = fopen(arguments[2], "rb");
    if (file == NULL) return perror(arguments[2]), 2;

    static gw_connection connection;
    bool is_read = false;
    gw_settings settings = {.host = arguments[1], .on_text = print_line, .on_result = tell_result, .context = &is_read};
    if (count > 3) settings.port = (uint16_t)atoi(arguments[3]);
    gw_frame frame = {.format = GW_JPEG, .payload = picture};
    frame.length = fread(picture, 1, sizeof picture, file);
    if (gw_connect(&connection, &settings) || gw_send(&connection, &frame) || gw_finish(&connection)) {
        return fprintf(stderr, "read-picture: %s\n", connection.message), 1;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) return perror("read-picture"), 1;
    return is_read ? 0 : 1;
}
