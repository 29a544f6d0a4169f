/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SECURE_H
#define ENGINE_SECURE_H

#include <mongoc/mongoc.h>
#include <stdint.h>

#include "engine/stream.h"

/* A TLS stream on top of `socket`, whose certificate has been checked; without a CA in `tls` against the system's.
 * Destroying it destroys `socket`. NULL: `error` says why, and `socket` is gone. */
mongoc_stream_t *secure_stream(struct stream *socket, const mongoc_ssl_opt_t *tls, const mongoc_host_list_t *host,
                               int32_t timeout_ms, bson_error_t *error);

/* One on top of stream_lost(), which it owns. NULL: OpenSSL has no memory. */
mongoc_stream_t *secure_lost(struct stream *lost, const mongoc_host_list_t *host);

/* What OpenSSL has put down last on this thread since secure_stream() began, such as an alert of the server after the
 * handshake, where libmongoc says only that nothing came. NULL: nothing. Static storage. */
const char *secure_reason(void);

#endif
