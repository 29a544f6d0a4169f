/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TRANSPORT_PARTS_H
#define ENGINE_TRANSPORT_PARTS_H

#include "engine/peer.h"
#include "engine/transport.h"

/* What a transport consists of: for its two ways of exchanging messages. */

struct transport {
    /* First what every message needs: with many transports each cache line counts. */
    int fd;         /* of peer->socket */
    bool is_secure; /* TLS */
    bool waits;     /* transport_set_waiting() */
    bool is_lost;

    uint8_t *lent; /* transport_lend() */
    uint8_t *in;
    size_t in_begin, in_end, in_capacity;
    size_t handed_out; /* size of the message at in_begin that the caller has */

    const struct iovec *iov;
    int iov_count;
    size_t sent, send_size;

    struct wait_terms terms;
    struct peer *peer;

    /* transport_command() only. */
    uint8_t *command;
    size_t command_capacity;
    bson_t *reply; /* the last one; NULL: none yet */

    int cause; /* of the loss */
    char text[160];
};

/* Keeps the first reason. Always CLOSED. */
enum transport_status transport_lose(struct transport *transport, int cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
