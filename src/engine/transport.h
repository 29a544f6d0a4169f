/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TRANSPORT_H
#define ENGINE_TRANSPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/error.h"
#include "engine/route.h"

/*
 * One connection to the primary that libmongoc has opened, secured and authenticated, and that carries ready OP_MSG
 * bytes from then on. Each has its own single-threaded mongoc_client_t. One thread at a time. No call waits, but for
 * transport_receive() after transport_set_waiting(), and transport_command().
 */
struct transport;

/* Number `index` of a run's. To where the route leads; where no primary is there, the route looks for it once, and
 * there once more. Blocking, each of these bounded by connectTimeoutMS and ROUTE_LOOK_MS; *cut ends its waiting for
 * servers (NULL: nobody does). */
struct transport *transport_open(struct route *route, unsigned index, const atomic_bool *cut, struct error *err);
/* Says no farewell (logical sessions are forgotten, not ended) and does not block. Safe with NULL. */
void transport_close(struct transport *transport);

/* Has what the next call looks at fetched into the CPU's cache in the meantime. */
void transport_prefetch(const struct transport *transport);
int transport_fd(const struct transport *transport);
/* Whether transport_receive() waits up to 100 ms for bytes before it says WANT_READ: for a worker that has nothing else
 * to wait for. */
void transport_set_waiting(struct transport *transport, bool waits);
/* A buffer of TRANSPORT_INPUT_SIZE for transport_receive(), which any number of transports on one thread may share: a
 * message is then valid until the next call on any of them. NULL: each has its own. */
#define TRANSPORT_INPUT_SIZE 16384
void transport_lend(struct transport *transport, uint8_t *buffer);

enum transport_status {
    TRANSPORT_DONE,       /* all bytes were taken / a whole message is there */
    TRANSPORT_WANT_READ,  /* wait until the descriptor is readable, call again */
    TRANSPORT_WANT_WRITE, /* wait until it is writable, call again */
    TRANSPORT_CLOSED,     /* lost: transport_error() says how; errno is the cause, 0: closed by the server */
};

/* Begins or (iov NULL) goes on with sending; the bytes must stay until it is DONE. */
enum transport_status transport_send(struct transport *transport, const struct iovec *iov, int iov_count);
/* The next whole wire message; the pointer is valid until the next call on this transport. A length under 16 or over
 * 48,000,000 is CLOSED with EPROTO. What came after the message is kept. */
enum transport_status transport_receive(struct transport *transport, const uint8_t **message, size_t *size);
/* Instead of these two: the same request through libmongoc's public call, which sends, waits and reads; *reply is the
 * reply's document, valid until the next call. `db` is the command's $db. Waits until `limit_ns` (monotonic) at most.
 * A transport that has been used so serves nothing else. */
enum transport_status transport_command(struct transport *transport, int64_t limit_ns, const char *db,
                                        const struct iovec *iov, int iov_count, const uint8_t **reply, size_t *size);
/* Whether bytes of a further message are here already (under TLS epoll would not tell). */
bool transport_has_buffered(const struct transport *transport);
/* Between two exchanges: nothing is under way, as far as can be seen, and the server has not closed. */
bool transport_is_usable(const struct transport *transport);
int transport_errno(const struct transport *transport);
const char *transport_error(const struct transport *transport);

#endif
