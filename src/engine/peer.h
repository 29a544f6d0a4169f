/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_PEER_H
#define ENGINE_PEER_H

#include <mongoc/mongoc.h>
#include <stdbool.h>

#include "base/error.h"
#include "engine/stream.h"

/*
 * One server, reached by a libmongoc client of its own that knows no other, and the connection that the client has to
 * it. libmongoc never looks through the members of a deployment: while it does, 1.23 holds a lock that it takes again
 * when a connection cannot be made, and waits for itself for ever. The same happens with one server whose connection
 * was lost and cannot be made anew. So a peer never tells libmongoc that a connection could not be made: it hands out
 * one that is lost, and keeps the reason. One thread at a time.
 */
struct peer {
    mongoc_client_t *client;
    struct wait_terms *terms;
    struct stream *socket; /* NULL: there is no connection */
    mongoc_stream_t *top;  /* what goes over `socket`: itself, or TLS; only while there is one */
    bson_error_t failure;  /* why the last connection could not be made; code 0: it could */
};

/* `uri` names one host, directly, or a load balancer; it is copied. No connection is made yet. `terms` must live as
 * long. Writes are confirmed with the server's default write concern. */
struct peer *peer_new(const mongoc_uri_t *uri, struct wait_terms *terms, struct error *err);
/* Does not block: the server gets no farewell, and forgets logical sessions by itself. Safe with NULL. */
void peer_free(struct peer *peer);

/* "host:port" of its server; lives as long as the peer. */
const char *peer_host(const struct peer *peer);
/* What the server has said of itself when it was connected to; the caller destroys it. NULL: `error` says why. Bounded
 * by connectTimeoutMS. */
mongoc_server_description_t *peer_greet(struct peer *peer, bson_error_t *error);
/* After a call of libmongoc on `client` has failed: puts the reason why there is no connection in place of libmongoc's
 * words, "[HOST: CAUSE]", where that was it. */
void peer_explain(const struct peer *peer, bson_error_t *error);

#endif
