/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/secure.h"

#include <openssl/err.h>

#include "engine/trust.h"

mongoc_stream_t *secure_stream(struct stream *socket, const mongoc_ssl_opt_t *tls, const mongoc_host_list_t *host,
                               int32_t timeout_ms, bson_error_t *error)
{
    mongoc_ssl_opt_t options = *tls;
    if (!options.ca_file && !options.ca_dir)
        options.ca_dir = trust_find_folder();
    stream_read_ahead(socket);
    ERR_clear_error();
    mongoc_stream_t *top = mongoc_stream_tls_new_with_hostname(&socket->base, host->host, &options, 1);
    if (!top) {
        const char *cause = ERR_reason_error_string(ERR_peek_error());
        bson_set_error(error, MONGOC_ERROR_STREAM, MONGOC_ERROR_STREAM_SOCKET,
                       "%s: TLS cannot be set up: %s; have the files of tlsCAFile and tlsCertificateKeyFile changed?",
                       host->host_and_port, cause ? cause : "OpenSSL does not say why");
        mongoc_stream_destroy(&socket->base);
        return NULL;
    }
    if (mongoc_stream_tls_handshake_block(top, host->host, timeout_ms, error))
        return top;
    bson_error_t reason = *error;
    bson_set_error(error, reason.domain, reason.code, "%s: %s", host->host_and_port, reason.message);
    mongoc_stream_destroy(top);
    return NULL;
}

mongoc_stream_t *secure_lost(struct stream *lost, const mongoc_host_list_t *host)
{
    /* Nobody will ever shake hands on it; with a folder no file is parsed. */
    mongoc_ssl_opt_t options = {.ca_dir = "/", .weak_cert_validation = true};
    mongoc_stream_t *top = mongoc_stream_tls_new_with_hostname(&lost->base, host->host, &options, 1);
    if (!top)
        mongoc_stream_destroy(&lost->base);
    return top;
}

const char *secure_reason(void)
{
    return ERR_reason_error_string(ERR_peek_last_error());
}
