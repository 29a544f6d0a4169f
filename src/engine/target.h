/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TARGET_H
#define ENGINE_TARGET_H

#include <jansson.h>
#include <mongoc/mongoc.h>
#include <stdbool.h>

#include "base/error.h"
#include "engine/peer.h"
#include "engine/route.h"
#include "model/run_options.h"
#include "model/testbed.h"

/* Once a process, before anything else of libmongoc, and at its end. Silences libmongoc's log. */
void target_library_init(void);
void target_library_cleanup(void);

#define TARGET_RUN_ID_SIZE 17

/* One deployment under test; open.h fills it. Used by the main thread; connectors use `route`. */
struct target {
    const struct run_options *options;
    char *address;     /* the connection string without a password; its hosts are the members that were found */
    mongoc_uri_t *uri; /* made of it, with user, password and app name "benchrun-<run id>"; nothing connects by it */
    mongoc_ssl_opt_t *tls; /* from the URI; NULL without TLS */
    char *app_name;
    char run_id[TARGET_RUN_ID_SIZE]; /* random, hexadecimal */
    json_t *write_concern;           /* sent with each write: -w/-j beat the URI's, which beats {"j": false} */
    struct testbed testbed;
    struct message_list warnings; /* for people: what was found on the way here */
    struct crew *crew;            /* its threads ask who is where */
    struct route *route;
    bool in_set; /* what answers must be the primary of its set */
    /* For set-up and tear-down: libmongoc's ordinary calls, with no retryable writes. */
    struct peer *peer;
    unsigned generation;     /* of the route that `peer` was made by */
    struct wait_terms terms; /* of all peers so far */
    bool is_hurried;         /* every command is a brief one */
    bool has_strays;         /* a thread has not come back from libmongoc, and keeps what it uses */
    char *flush_refusal;     /* why the server does not flush (fsync) between set-up and trial; NULL: it does */
};

#define TARGET_BRIEF_MS 5000

/* Checks a connection string without any network: what is malformed is named, the password not echoed. For the CLI,
 * before any work (exit 2). */
bool target_check_uri(const char *text, struct error *err);
/* The same of each part by itself: what does not go together may still be put right. */
bool target_check_parts(const char *text, struct error *err);

/* From now on the deployment is described by this address. */
bool target_set_address(struct target *target, const char *address, struct error *err);
/* False: a thread has not come back from libmongoc. It keeps what it uses, and the process must end by _exit(). */
bool target_close(struct target *target);

/* A peer to where the route leads, in place of the one that there was. It has not been talked to. */
bool target_connect(struct target *target, struct error *err);
/*
 * Whether a server is there that answers and takes writes; asked before work that may take long. Where the one that was
 * there does not, another primary is looked for, once. Takes some TARGET_BRIEF_MS and ROUTE_LOOK_MS at the most.
 */
bool target_is_alive(struct target *target, struct error *err);

/* `command` on `db`; reply initialised in either case. On an error reply *code is the server's code (0: it was the
 * network), and the message holds it. Write errors and write concern errors count. `reply` and `code` may be NULL. */
bool target_command(struct target *target, const char *db, const bson_t *command, bson_t *reply, int32_t *code,
                    struct error *err);
/* The same, but ends within TARGET_BRIEF_MS whatever the server does. */
bool target_command_brief(struct target *target, const char *db, const bson_t *command, bson_t *reply, int32_t *code,
                          struct error *err);
/* More than a ping: whether a write to that collection, which changes nothing, is confirmed as `concern` asks within
 * TARGET_BRIEF_MS. False: *code as above. */
bool target_confirms(struct target *target, const char *db, const char *coll, const json_t *concern, int32_t *code,
                     struct error *err);

#endif
