/*
 * TLS for glyphwire.h by OpenSSL 1.1.1 or later, as a gw_transport:
 *
 *     static gw_openssl tls;
 *     if (!gw_openssl_open(&tls, "box", "server.pem")) fail(tls.message);
 *     settings.transport = &tls.transport;
 *
 * The program must ignore SIGPIPE: OpenSSL writes to sockets that may be closed.
 */
#ifndef GLYPHWIRE_OPENSSL_H
#define GLYPHWIRE_OPENSSL_H

#include "glyphwire.h"

#include <openssl/ssl.h>

typedef struct gw_openssl {
    gw_transport transport;
    /** What went wrong, ended by a zero. */
    char message[240];

    const char *host_;
    SSL_CTX *context_;
    SSL *session_;
    uint32_t number_;
} gw_openssl;

/** Prepares TLS with a host, whose certificate must be for this name or address.
    @param host Must live as long as the transport.
    @param authorities A PEM file of whom to trust; NULL trusts whom the system does.
    @return Whether it can be spoken; if not, `message` says why. */
bool gw_openssl_open(gw_openssl *tls, const char *host, const char *authorities);

/** Frees what gw_openssl_open() and the connections have allocated. */
void gw_openssl_close(gw_openssl *tls);

#endif
