/* What the Arduino core for ESP32 puts in front of every sketch. */
#pragma once
#include <stddef.h>
#include <stdint.h>
void delay(uint32_t ms);
unsigned long millis();
class HardwareSerial {
public:
    void begin(unsigned long baud);
    size_t println(const char *text);
};
extern HardwareSerial Serial;
