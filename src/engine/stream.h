/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_STREAM_H
#define ENGINE_STREAM_H

#include <mongoc/mongoc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/wait.h"

/*
 * The lowest stream of a connection: a TCP (or local) socket behind libmongoc's stream interface. libmongoc owns it and
 * destroys it when it pleases; who uses it too looks through a `struct stream *` that becomes NULL then. While
 * libmongoc waits on it, the owner's terms hold (wait.h).
 */
struct stream {
    mongoc_stream_t base; /* first: libmongoc sees only this */
    struct stream **holder;
    struct wait_terms *terms;
    int fd;
    bool waits_for_data; /* a read with timeout 0 waits up to WAIT_SLICE_MS */
    bool timed_out;
    bool is_dead;    /* neither reads nor writes: libmongoc is to take it down without a farewell */
    bool has_failed; /* the connection is lost */
    int failure;     /* then the errno, 0: closed by the other side */
    /* TLS reads a record in two parts: read ahead, so that it costs one system call. NULL: not. */
    uint8_t *ahead;
    size_t ahead_begin, ahead_end;
    /* What the socket did not take at once. A TLS record that has been made must go out as it is, so a write with
     * timeout 0 takes everything and the rest waits here for stream_flush(). */
    uint8_t *backlog;
    size_t backlog_begin, backlog_end, backlog_capacity;
};

/* Connects as connect_host() does. *holder is set, and reset when libmongoc destroys the stream. */
struct stream *stream_connect(const mongoc_host_list_t *host, int32_t timeout_ms, struct wait_terms *terms,
                              struct stream **holder, bson_error_t *error);
/* One without a socket, whose connection is lost from the beginning. */
struct stream *stream_lost(struct wait_terms *terms);
/* From now on bytes are read ahead: before a TLS stream is put on top, and for libmongoc's own exchanges. */
void stream_read_ahead(struct stream *stream);
/* True: all gone. False: errno is EAGAIN, or the connection is lost (has_failed). */
bool stream_flush(struct stream *stream);

#endif
