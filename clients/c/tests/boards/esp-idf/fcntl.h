#pragma once
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define O_NONBLOCK 0x4000
int fcntl(int fd, int cmd, ...);
