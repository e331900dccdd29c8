#pragma once
#include <sys/socket.h>
#define IPPROTO_TCP 6
