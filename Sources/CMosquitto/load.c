#include "CMosquitto.h"

#include "CDynamicLibrary.h"

bool glyphwire_mosquitto_load(glyphwire_mosquitto *functions)
{
    const glyphwire_symbol symbols[] = {
        {"mosquitto_lib_init", (void **)&functions->lib_init},
        {"mosquitto_new", (void **)&functions->new_client},
        {"mosquitto_destroy", (void **)&functions->destroy},
        {"mosquitto_username_pw_set", (void **)&functions->username_pw_set},
        {"mosquitto_will_set", (void **)&functions->will_set},
        {"mosquitto_tls_set", (void **)&functions->tls_set},
        {"mosquitto_threaded_set", (void **)&functions->threaded_set},
        {"mosquitto_connect_callback_set", (void **)&functions->connect_callback_set},
        {"mosquitto_publish_callback_set", (void **)&functions->publish_callback_set},
        {"mosquitto_message_callback_set", (void **)&functions->message_callback_set},
        {"mosquitto_connect", (void **)&functions->connect},
        {"mosquitto_loop", (void **)&functions->loop},
        {"mosquitto_disconnect", (void **)&functions->disconnect},
        {"mosquitto_publish", (void **)&functions->publish},
        {"mosquitto_subscribe", (void **)&functions->subscribe},
        {"mosquitto_strerror", (void **)&functions->strerror},
        {"mosquitto_connack_string", (void **)&functions->connack_string},
    };
    return glyphwire_load_library("libmosquitto.so.1", symbols, sizeof symbols / sizeof symbols[0]);
}
