/* As lwIP's sockets in ESP-IDF. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
struct sockaddr {
    uint8_t sa_len;
    sa_family_t sa_family;
    char sa_data[14];
};
struct sockaddr_storage {
    uint8_t s2_len;
    sa_family_t ss_family;
    char s2_data1[2];
    uint32_t s2_data2[3];
    uint32_t s2_data3[3];
};
#define SOCK_STREAM 1
#define SOL_SOCKET 0xfff
#define SO_KEEPALIVE 0x0008
#define SO_ERROR 0x1007
#define MSG_MORE 0x10
#define MSG_NOSIGNAL 0x20

#ifdef __cplusplus
extern "C" {
#endif
int socket(int domain, int type, int protocol);
int connect(int s, const struct sockaddr *name, socklen_t namelen);
int getsockopt(int s, int level, int optname, void *optval, socklen_t *optlen);
int setsockopt(int s, int level, int optname, const void *optval, socklen_t optlen);
ssize_t recv(int s, void *mem, size_t len, int flags);
ssize_t send(int s, const void *dataptr, size_t size, int flags);
#ifdef __cplusplus
}
#endif
