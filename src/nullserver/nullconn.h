/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NULLSERVER_NULLCONN_H
#define NULLSERVER_NULLCONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* One client's connection to the null server: what came, what is to go. Owns the descriptor. */
struct nullconn {
    int fd;
    struct buffer in;
    size_t in_begin; /* bytes before it have been handled */
    struct buffer out;
    size_t out_begin;  /* bytes before it have been sent */
    uint64_t writes;   /* commands that change data, so far */
    int64_t due_ns;    /* nothing is read or sent before that time; 0: no such wait */
    bool in_pieces;    /* what is in `out` goes a few bytes at a time */
    bool close_at_end; /* once `out` has gone */
};

struct nullconn *nullconn_new(int fd);
void nullconn_free(struct nullconn *conn);

/* Reads once what is there. False: the client has gone. */
bool nullconn_fill(struct nullconn *conn);
/* The next whole message, handled with it; NULL: none is whole. A length out of bounds sets *is_broken. */
const uint8_t *nullconn_next(struct nullconn *conn, size_t *size, bool *is_broken);
/* Sends what the socket takes; the rest waits for the descriptor or for due_ns. False: the connection is over. */
bool nullconn_flush(struct nullconn *conn);

#endif
