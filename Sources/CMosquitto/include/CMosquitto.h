#ifndef GLYPHWIRE_CMOSQUITTO_H
#define GLYPHWIRE_CMOSQUITTO_H

#include <stdbool.h>

/// Functions of libmosquitto, which is loaded at run time: only programs that publish need it.
///
/// The declarations are those of mosquitto.h of version 2; version 1.5 and later have the same.
struct mosquitto;

struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};

typedef struct {
    int (*lib_init)(void);
    struct mosquitto *(*new_client)(const char *id, bool clean_session, void *userdata);
    void (*destroy)(struct mosquitto *client);
    int (*username_pw_set)(struct mosquitto *client, const char *username, const char *password);
    int (*will_set)(struct mosquitto *client, const char *topic, int length, const void *payload, int qos, bool retain);
    int (*tls_set)(struct mosquitto *client, const char *cafile, const char *capath, const char *certfile,
        const char *keyfile, int (*password)(char *buffer, int size, int rwflag, void *userdata));
    int (*threaded_set)(struct mosquitto *client, bool threaded);
    void (*connect_callback_set)(
        struct mosquitto *client, void (*connected)(struct mosquitto *client, void *userdata, int code));
    void (*publish_callback_set)(
        struct mosquitto *client, void (*published)(struct mosquitto *client, void *userdata, int message));
    void (*message_callback_set)(struct mosquitto *client,
        void (*received)(struct mosquitto *client, void *userdata, const struct mosquitto_message *message));
    int (*connect)(struct mosquitto *client, const char *host, int port, int keepalive);
    int (*loop)(struct mosquitto *client, int timeout, int max_packets);
    int (*disconnect)(struct mosquitto *client);
    int (*publish)(struct mosquitto *client, int *message, const char *topic, int length, const void *payload, int qos,
        bool retain);
    int (*subscribe)(struct mosquitto *client, int *message, const char *topics, int qos);
    const char *(*strerror)(int code);
    const char *(*connack_string)(int code);
} glyphwire_mosquitto;

/// Loads the library into `functions`; false if it is not installed, or lacks a function.
bool glyphwire_mosquitto_load(glyphwire_mosquitto *functions);

#endif
