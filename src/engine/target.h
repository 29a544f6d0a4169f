/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TARGET_H
#define ENGINE_TARGET_H

#include <jansson.h>
#include <mongoc/mongoc.h>
#include <stdbool.h>

#include "base/error.h"
#include "model/run_options.h"
#include "model/testbed.h"

/* Once a process, before anything else of libmongoc, and at its end. Silences libmongoc's log. */
void target_library_init(void);
void target_library_cleanup(void);

#define TARGET_RUN_ID_SIZE 17

/* One deployment under test. Used by the main thread, between trials; connectors read `uri`, `primary_uri` and
 * `tls`. */
struct target {
    const struct run_options *options;
    char *address;     /* the connection string without a password; its hosts are the members that were found */
    mongoc_uri_t *uri; /* made of it, with user, password and app name "benchrun-<run id>" */
    mongoc_uri_t
        *primary_uri;      /* leads directly to the primary of the set that was found first; NULL: none is followed */
    mongoc_ssl_opt_t *tls; /* from the URI; NULL without TLS */
    char *app_name;
    char run_id[TARGET_RUN_ID_SIZE]; /* random, hexadecimal */
    json_t *write_concern;           /* sent with each write: -w/-j beat the URI's, which beats {"j": false} */
    struct testbed testbed;
    struct message_list warnings;  /* for people: what was found on the way here */
    bool in_set;                   /* the primary of a replica set is followed */
    mongoc_client_t *client;       /* for set-up and tear-down; libmongoc's ordinary calls; no retryable writes */
    mongoc_client_t *brief_client; /* the same, but gives up within TARGET_BRIEF_MS; NULL until first used */
    char *flush_refusal;           /* why the server does not flush (fsync) between set-up and trial; NULL: it does */
};

#define TARGET_BRIEF_MS 5000

/* Checks a connection string without any network: what is malformed is named, the password not echoed. For the CLI,
 * before any work (exit 2). */
bool target_check_uri(const char *text, struct error *err);
/* The same of each part by itself: what does not go together may still be put right. */
bool target_check_parts(const char *text, struct error *err);
/*
 * Connects and learns the testbed. `uri` is options->uri, or the local server's. Within seconds an error says per host
 * what is wrong (refused, unknown name, timed out, authentication failed with the server's message). Nobody there on
 * the default localhost:27017: the error names --local.
 */
bool target_open(struct target *target, const struct run_options *options, const char *uri, struct error *err);
void target_close(struct target *target);
/* From now on connections are opened by this address; those that are open stay. */
bool target_set_address(struct target *target, const char *address, struct error *err);
/* A client for set-up; NULL: `err` says why. */
mongoc_client_t *target_new_client(const mongoc_uri_t *uri, struct error *err);

/* A client that has just answered and gives up within TARGET_BRIEF_MS, for what must end whatever the server does.
 * Owned by the target; NULL: the server does not answer. */
mongoc_client_t *target_brief(struct target *target, struct error *err);
/* Whether the server answers within some TARGET_BRIEF_MS; asked before work that may take long. `client` may be another
 * one afterwards: one that works in place of one that lost its server. */
bool target_is_alive(struct target *target, struct error *err);

/* `command` on `db` with the primary read preference; reply initialised in either case. On an error reply *code is the
 * server's code (0: it was the network), and the message holds it. Write errors and write concern errors count. */
bool target_command(struct target *target, const char *db, const bson_t *command, bson_t *reply, int32_t *code,
                    struct error *err);
/* The same on any client; `reply` and `code` may be NULL. */
bool target_command_on(mongoc_client_t *client, const char *db, const bson_t *command, bson_t *reply, int32_t *code,
                       struct error *err);

#endif
