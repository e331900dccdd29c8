/* ESP-IDF has newlib declare its clocks. */
#pragma once
#ifndef __linux__
#define _POSIX_TIMERS 1
#define _POSIX_MONOTONIC_CLOCK 1
#endif
#include_next <time.h>
