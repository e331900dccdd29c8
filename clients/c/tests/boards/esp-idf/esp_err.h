#pragma once
typedef int esp_err_t;
#define ESP_OK 0
void _esp_error_check_failed(esp_err_t code);
#define ESP_ERROR_CHECK(x)                                \
    do {                                                  \
        esp_err_t code_ = (x);                            \
        if (code_ != ESP_OK) _esp_error_check_failed(code_); \
    } while (0)
