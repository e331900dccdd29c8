// Streams the camera of an ESP32-CAM to a Glyphwire server, and prints text as it comes into view.
//
// Set the four values below, choose the board "AI Thinker ESP32-CAM", and open the serial monitor at 115200 baud. The board
// may boot before its server, and either may be restarted.

#include <WiFi.h>
#include <esp_camera.h>
#include <glyphwire.h>

const char *const network = "your network";
const char *const password = "its password";
const char *const server = "192.168.1.20";
// The token that the server requires; nullptr if it requires none.
const char *const token = nullptr;

const int nextPictureMs = 10;

static gw_connection connection;
static gw_settings settings;
static char options[512];

static void onText(void *, const gw_text *text) {
    if (text->kind == GW_LINE && text->state[0] == 'n') Serial.println(text->text);
}

static void onResult(void *, const gw_result *result) {
    if (result->message[0] != 0) Serial.println(result->message);
}

// The picture is the camera's again.
static void onReleased(void *, const gw_frame *frame, gw_fate) {
    esp_camera_fb_return(static_cast<camera_fb_t *>(frame->owner));
}

static void onState(void *, gw_state state, int) {
    if (state == GW_OPEN) Serial.println("connected");
    if (state == GW_PAUSING || state == GW_ENDED) Serial.println(connection.message);
}

// The pins of the ESP32-CAM of AI-Thinker.
static bool startCamera() {
    camera_config_t camera = {};
    camera.pin_pwdn = 32;
    camera.pin_reset = -1;
    camera.pin_xclk = 0;
    camera.pin_sccb_sda = 26;
    camera.pin_sccb_scl = 27;
    camera.pin_d7 = 35;
    camera.pin_d6 = 34;
    camera.pin_d5 = 39;
    camera.pin_d4 = 36;
    camera.pin_d3 = 21;
    camera.pin_d2 = 19;
    camera.pin_d1 = 18;
    camera.pin_d0 = 5;
    camera.pin_vsync = 25;
    camera.pin_href = 23;
    camera.pin_pclk = 22;
    camera.xclk_freq_hz = 20000000;
    camera.ledc_timer = LEDC_TIMER_0;
    camera.ledc_channel = LEDC_CHANNEL_0;
    camera.pixel_format = PIXFORMAT_JPEG;
    camera.frame_size = FRAMESIZE_VGA;
    camera.jpeg_quality = 10;
    camera.fb_count = 3;
    camera.fb_location = CAMERA_FB_IN_PSRAM;
    camera.grab_mode = CAMERA_GRAB_LATEST;
    return esp_camera_init(&camera) == ESP_OK;
}

void setup() {
    Serial.begin(115200);
    if (!startCamera()) {
        Serial.println("the camera does not start");
        return;
    }
    WiFi.begin(network, password);
    while (WiFi.status() != WL_CONNECTED) delay(100);

    gw_options wanted = {};
    wanted.token = token;
    wanted.client = "esp32-cam";
    wanted.characters = GW_NO;  // words are enough; a line is then a quarter as long
    if (!gw_write_options(&wanted, options, sizeof options)) {
        Serial.println("the token is too long");
        return;
    }
    settings.host = server;
    settings.options = options;
    settings.max_attempts = UINT32_MAX;
    settings.waits = true;
    settings.max_unanswered = 1;
    settings.on_text = onText;
    settings.on_result = onResult;
    settings.on_released = onReleased;
    settings.on_state = onState;
    gw_start(&connection, &settings);
}

// One that still waits to be sent makes room for it.
static void offerPicture() {
    camera_fb_t *picture = esp_camera_fb_get();
    if (picture == nullptr) return;
    gw_frame frame = {};
    frame.format = GW_JPEG;
    frame.payload = picture->buf;
    frame.length = picture->len;
    frame.captured_us = 1000ull * millis();
    frame.owner = picture;
    if (gw_offer(&connection, &frame) != 0) esp_camera_fb_return(picture);
}

void loop() {
    if (settings.host == nullptr || connection.state == GW_ENDED) {
        delay(1000);
        return;
    }
    // Each picture, whether one waits or not: the newest takes its place. Without a new one this does not block sending.
    if (connection.state == GW_OPEN && esp_camera_available_frames()) offerPicture();
    gw_wait(&connection, nextPictureMs);
}
