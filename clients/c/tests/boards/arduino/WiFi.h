#pragma once
typedef enum { WL_IDLE_STATUS = 0, WL_CONNECTED = 3 } wl_status_t;
class WiFiClass {
public:
    wl_status_t begin(const char *ssid, const char *passphrase);
    wl_status_t status();
};
extern WiFiClass WiFi;
