/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NULLSERVER_NULLSERVER_H
#define NULLSERVER_NULLSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * A server that speaks enough of the MongoDB wire protocol to say ok to everything, stores nothing, and never pretends
 * to be a database (hello and buildInfo say "benchrunNullServer": true). It measures the harness itself, and with its
 * fault modes it is the tests' bad server.
 */
struct nullserver;

enum nullserver_fault {
    NULLSERVER_OK,
    NULLSERVER_NEVER_ANSWER,   /* accepts, greets, then never answers a write */
    NULLSERVER_CLOSE_MIDDLE,   /* closes after half a reply */
    NULLSERVER_CLOSE,          /* closes instead of a reply */
    NULLSERVER_GARBAGE_LENGTH, /* a reply whose length is nonsense */
    NULLSERVER_WRONG_ID,       /* a reply to another request */
    NULLSERVER_NOT_PRIMARY,    /* ok 0, code 10107 */
    NULLSERVER_SLOW,           /* answers after slow_ms */
    NULLSERVER_MUTE,           /* accepts and never answers anything, not even hello */
    NULLSERVER_UNASKED,        /* answers also what wants no answer */
    NULLSERVER_PIECES,         /* a good reply, a few bytes at a time; so is everything after it on that connection */
    NULLSERVER_LOCKED,         /* tells of itself, a ping included, and answers nothing that needs its data */
    NULLSERVER_HANGUP,         /* closes every connection as soon as something comes */
    NULLSERVER_REFUSE,         /* listens no more, and closes the connections that there are */
};

/* What the server says to be. Writes are refused (code 10107) by all but the first two. */
enum nullserver_role {
    NULLSERVER_PRIMARY, /* or a standalone, without a replica set */
    NULLSERVER_MONGOS,
    NULLSERVER_SECONDARY,
    NULLSERVER_HIDDEN,
    NULLSERVER_ARBITER,
    NULLSERVER_RECOVERING,
    NULLSERVER_UNINITIATED, /* of a set that has not been made yet */
};

/* Like which MongoDB the server answers about collections and indexes that are there or not (nullcatalog.h). */
enum nullserver_era {
    NULLSERVER_NO_ERA, /* ok to everything, and nothing is there */
    NULLSERVER_4_0,
    NULLSERVER_8_0,
};

/* A scripted answer: sent instead of ok when the command of that name comes. Bytes are one BSON document. */
struct nullserver_script {
    const char *command; /* first key of the command */
    const uint8_t *reply;
    size_t reply_size;
    unsigned times; /* how often, then the next script of that name, then the plain answer; 0: always */
};

struct nullserver_config {
    uint16_t port;           /* 0: any free one, loopback only */
    const char *replica_set; /* NULL: standalone */
    enum nullserver_role role;
    enum nullserver_era era;
    const char *members;         /* of the set, "host:port,host:port"; NULL: itself alone */
    const char *me;              /* its own name there; NULL: 127.0.0.1 and its port */
    const char *version;         /* that it claims to be; NULL: that of its age, else 0.0.0 */
    const char *primary;         /* the set's primary while this is not it; NULL: there is none */
    enum nullserver_fault fault; /* what happens to writes (insert, update, delete, and so on) */
    uint64_t fault_after;        /* the first n writes of a connection are answered well */
    uint64_t fault_times;        /* 0: always from then on; else so many in the whole server, then well again */
    unsigned slow_ms;
    const struct nullserver_script *scripts;
    size_t script_count;
    bool record; /* keep what arrives */
};

/* Runs on a thread of its own until nullserver_stop(). What `config` points to must live as long; the struct itself is
 * copied. */
struct nullserver *nullserver_start(const struct nullserver_config *config, struct error *err);
/* Closes all connections. Safe with NULL. */
void nullserver_stop(struct nullserver *server);
uint16_t nullserver_port(const struct nullserver *server);
/* May be changed while it runs. */
void nullserver_set_fault(struct nullserver *server, enum nullserver_fault fault);
/* An election. A primary says "ok" to replSetStepDown and is a secondary from then on. */
void nullserver_set_role(struct nullserver *server, enum nullserver_role role);
/* What it says of its set from now on: the members, the primary as long as this is not it (NULL: there is none), and
 * how often one was elected. Texts must live as long as the server. */
void nullserver_set_members(struct nullserver *server, const char *members);
void nullserver_set_primary(struct nullserver *server, const char *primary, uint64_t term);

/* How many commands of that name have come so far. */
uint64_t nullserver_count(struct nullserver *server, const char *command);
/* With `record`: appends the k-th message (from 0) with that command name, whole, header included. False: there is
 * none. */
bool nullserver_recorded(struct nullserver *server, const char *command, size_t k, struct buffer *message);

#endif
