#pragma once
#define TCP_NODELAY 0x01
