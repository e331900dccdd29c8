/* Streams a camera module to a Glyphwire server, and logs words as they come into view. */
#include "esp_camera.h"
#include "esp_event.h"
#include "esp_log.h"
#include "esp_netif.h"
#include "esp_timer.h"
#include "glyphwire.h"
#include "nvs_flash.h"
#include "protocol_examples_common.h"
#include "sdkconfig.h"
#include <stdlib.h>

static const char *const tag = "glyphwire";

enum { NEXT_PICTURE_MS = 10 };

/* The pins of the ESP32-CAM of AI-Thinker. One picture is being sent, one waits, and the third is being taken. */
static const camera_config_t camera = {
    .pin_pwdn = 32,
    .pin_reset = -1,
    .pin_xclk = 0,
    .pin_sccb_sda = 26,
    .pin_sccb_scl = 27,
    .pin_d7 = 35,
    .pin_d6 = 34,
    .pin_d5 = 39,
    .pin_d4 = 36,
    .pin_d3 = 21,
    .pin_d2 = 19,
    .pin_d1 = 18,
    .pin_d0 = 5,
    .pin_vsync = 25,
    .pin_href = 23,
    .pin_pclk = 22,
    .xclk_freq_hz = 20000000,
    .ledc_timer = LEDC_TIMER_0,
    .ledc_channel = LEDC_CHANNEL_0,
    .pixel_format = PIXFORMAT_JPEG,
    .frame_size = FRAMESIZE_VGA,
    .jpeg_quality = 10,
    .fb_count = 3,
    .fb_location = CAMERA_FB_IN_PSRAM,
    .grab_mode = CAMERA_GRAB_LATEST,
};

static gw_connection connection;

/* The line's words are new if the line is. */
static void on_text(void *context, const gw_text *text) {
    (void)context;
    if (text->kind == GW_LINE && text->state[0] == 'n') ESP_LOGI(tag, "%s", text->text);
}

static void on_result(void *context, const gw_result *result) {
    (void)context;
    if (result->message[0] != 0) ESP_LOGW(tag, "%s (%s)", result->message, result->code);
}

/* The picture is the camera's again. */
static void on_released(void *context, const gw_frame *frame, gw_fate fate) {
    (void)context;
    (void)fate;
    esp_camera_fb_return(frame->owner);
}

static void on_state(void *context, gw_state state, int error) {
    (void)context;
    (void)error;
    if (state == GW_OPEN) ESP_LOGI(tag, "connected to a server of version %s", connection.hello.version);
    if (state == GW_PAUSING || state == GW_ENDED) ESP_LOGW(tag, "%s", connection.message);
}

/* One that still waits to be sent makes room for it. */
static void offer_picture(void) {
    camera_fb_t *picture = esp_camera_fb_get();
    if (picture == NULL) return;
    gw_frame frame = {
        .format = GW_JPEG,
        .payload = picture->buf,
        .length = picture->len,
        .captured_us = (uint64_t)esp_timer_get_time(),
        .owner = picture,
    };
    if (gw_offer(&connection, &frame) != 0) esp_camera_fb_return(picture);
}

void app_main(void) {
    ESP_ERROR_CHECK(nvs_flash_init());
    ESP_ERROR_CHECK(esp_netif_init());
    ESP_ERROR_CHECK(esp_event_loop_create_default());
    ESP_ERROR_CHECK(example_connect());
    ESP_ERROR_CHECK(esp_camera_init(&camera));

    /* Words are enough, and without their characters a line is a quarter as long. */
    gw_options options = {.client = "esp32", .characters = GW_NO};
    static char json[512];
    if (CONFIG_GLYPHWIRE_TOKEN[0] != 0) options.token = CONFIG_GLYPHWIRE_TOKEN;
    if (!gw_write_options(&options, json, sizeof json)) abort();
    gw_settings settings = {
        .host = CONFIG_GLYPHWIRE_HOST,
        .options = json,
        .max_attempts = UINT32_MAX,
        .waits = true,
        .max_unanswered = 1,
        .on_text = on_text,
        .on_result = on_result,
        .on_released = on_released,
        .on_state = on_state,
    };
    int outcome = gw_start(&connection, &settings);
    while (outcome == 0) {
        /* Each picture, whether one waits or not: the newest takes its place. Without a new one this does not block sending. */
        if (connection.state == GW_OPEN && esp_camera_available_frames()) offer_picture();
        outcome = gw_wait(&connection, NEXT_PICTURE_MS);
    }
    ESP_LOGE(tag, "%s", gw_error_name(outcome));
}
