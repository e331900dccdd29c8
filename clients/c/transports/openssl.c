#include "openssl.h"

#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

/* What OpenSSL says last, behind `what`. */
static void complain(gw_openssl *tls, const char *what) {
    char reason[120] = "the connection was closed";
    long verified = tls->session_ == NULL ? X509_V_OK : SSL_get_verify_result(tls->session_);
    unsigned long error = ERR_peek_last_error();
    if (verified != X509_V_OK) snprintf(reason, sizeof reason, "%s", X509_verify_cert_error_string(verified));
    else if (error != 0) snprintf(reason, sizeof reason, "%s", ERR_reason_error_string(error));
    else if (errno != 0) snprintf(reason, sizeof reason, "%s", strerror(errno));
    snprintf(tls->message, sizeof tls->message, "%s: %s", what, reason);
    tls->transport.error = tls->message;
    ERR_clear_error();
}

/* A session with the host, on a socket that is connected. */
static bool begin(gw_openssl *tls, gw_socket socket) {
    SSL_free(tls->session_);
    tls->number_ = socket.number;
    tls->session_ = SSL_new(tls->context_);
    SSL *session = tls->session_;
    if (session == NULL || SSL_set_fd(session, socket.fd) != 1) return false;
    /* An address is no name: it is looked for among the addresses of the certificate, and not sent as the server's name. */
    bool is_address = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), tls->host_) == 1;
    if (!is_address && (SSL_set1_host(session, tls->host_) != 1 || SSL_set_tlsext_host_name(session, tls->host_) != 1)) {
        return false;
    }
    ERR_clear_error();
    SSL_set_connect_state(session);
    return true;
}

/* OpenSSL 3 says of a connection that breaks in the middle of the handshake that TLS itself has failed. */
static bool has_broken_off(void) {
#ifdef SSL_R_UNEXPECTED_EOF_WHILE_READING
    return ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
#else
    return false;
#endif
}

static long refused(gw_openssl *tls) {
    bool is_untrusted = SSL_get_verify_result(tls->session_) != X509_V_OK;
    complain(tls, is_untrusted ? "its certificate is refused, trust it or its authority, and check that the host name is in it"
                               : "check that the server speaks TLS, and whether it requires a client certificate");
    return GW_TRANSPORT_REFUSED;
}

static long outcome(gw_openssl *tls, int result) {
    switch (SSL_get_error(tls->session_, result)) {
    case SSL_ERROR_WANT_READ: return GW_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return GW_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: return 0;
    case SSL_ERROR_SSL:
        if (!has_broken_off()) return refused(tls);
        /* fallthrough */
    default: complain(tls, "TLS failed"); return GW_TRANSPORT_FAILED;
    }
}

static int whole(size_t count) { return count > INT_MAX ? INT_MAX : (int)count; }

static long send_bytes(void *context, gw_socket socket, const void *bytes, size_t count) {
    gw_openssl *tls = context;
    if (socket.number != tls->number_) return GW_WANTS_READ;
    ERR_clear_error();
    errno = 0;
    int sent = SSL_write(tls->session_, bytes, whole(count));
    return sent > 0 ? sent : outcome(tls, sent);
}

static long receive_bytes(void *context, gw_socket socket, void *bytes, size_t count) {
    gw_openssl *tls = context;
    if (socket.number != tls->number_ && !begin(tls, socket)) {
        complain(tls, "TLS cannot begin");
        return GW_TRANSPORT_FAILED;
    }
    ERR_clear_error();
    errno = 0;
    int received = SSL_read(tls->session_, bytes, whole(count));
    return received > 0 ? received : outcome(tls, received);
}

bool gw_openssl_open(gw_openssl *tls, const char *host, const char *authorities) {
    memset(tls, 0, sizeof *tls);
    tls->host_ = host;
    tls->transport.send = send_bytes;
    tls->transport.receive = receive_bytes;
    tls->transport.context = tls;
    tls->context_ = SSL_CTX_new(TLS_client_method());
    SSL_CTX *context = tls->context_;
    if (context == NULL || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
        complain(tls, "TLS cannot be spoken");
        return false;
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
#ifdef SSL_OP_IGNORE_UNEXPECTED_EOF
    /* A stream ends with the line `end`; a server that is killed ends it without TLS's own good-bye. */
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
#endif
    bool is_trusting = authorities == NULL ? SSL_CTX_set_default_verify_paths(context) == 1
                                           : SSL_CTX_load_verify_locations(context, authorities, NULL) == 1;
    if (!is_trusting) complain(tls, "whom to trust cannot be read");
    return is_trusting;
}

void gw_openssl_close(gw_openssl *tls) {
    SSL_free(tls->session_);
    SSL_CTX_free(tls->context_);
    tls->session_ = NULL;
    tls->context_ = NULL;
}
