/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/peer.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/secure.h"
#include "engine/settings.h"

/* NULL: peer->failure says why. The strings of the TLS options belong to the client's URI. */
static mongoc_stream_t *connect_to(struct peer *peer, const mongoc_host_list_t *host, const mongoc_ssl_opt_t *tls,
                                   int32_t timeout_ms)
{
    struct stream *socket = stream_connect(host, timeout_ms, peer->terms, &peer->socket, &peer->failure);
    if (!socket || !tls)
        return socket ? &socket->base : NULL;
    return secure_stream(socket, tls, host, timeout_ms, &peer->failure);
}

static mongoc_stream_t *make_lost(struct peer *peer, const mongoc_host_list_t *host, bool with_tls)
{
    struct stream *lost = stream_lost(peer->terms);
    return with_tls ? secure_lost(lost, host) : &lost->base;
}

static mongoc_stream_t *initiate(const mongoc_uri_t *uri, const mongoc_host_list_t *host, void *context,
                                 bson_error_t *error)
{
    struct peer *peer = context;
    int32_t timeout_ms = mongoc_uri_get_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, 10000);
    mongoc_ssl_opt_t *tls = settings_make_tls(uri);
    peer->failure = (bson_error_t){0};
    peer->terms->connections++;
    mongoc_stream_t *top = connect_to(peer, host, tls, timeout_ms);
    peer->top = top;
    if (!top)
        top = make_lost(peer, host, tls != NULL);
    if (!top)
        *error = peer->failure;
    free(tls);
    return top;
}

/* Where the server is, and for how long it is waited for, is looked after elsewhere; and what a server has said when it
 * was connected to holds until it is connected to anew. */
static mongoc_uri_t *make_uri(const mongoc_uri_t *uri)
{
    mongoc_uri_t *copy = mongoc_uri_copy(uri);
    mongoc_uri_set_option_as_bool(copy, MONGOC_URI_SERVERSELECTIONTRYONCE, true);
    mongoc_uri_set_option_as_int32(copy, MONGOC_URI_HEARTBEATFREQUENCYMS, INT32_MAX);
    return copy;
}

struct peer *peer_new(const mongoc_uri_t *uri, struct wait_terms *terms, struct error *err)
{
    bson_error_t reason = {0};
    mongoc_uri_t *own_uri = make_uri(uri);
    mongoc_client_t *client = mongoc_client_new_from_uri_with_error(own_uri, &reason);
    mongoc_uri_destroy(own_uri);
    if (!client) {
        error_set(err, "%s", reason.message);
        return NULL;
    }
    struct peer *peer = memory_zeroed(1, sizeof *peer);
    *peer = (struct peer){.client = client, .terms = terms};
    mongoc_client_set_stream_initiator(client, initiate, peer);
    mongoc_client_set_error_api(client, MONGOC_ERROR_API_VERSION_2);
    mongoc_write_concern_t *concern = mongoc_write_concern_new();
    mongoc_client_set_write_concern(client, concern);
    mongoc_write_concern_destroy(concern);
    return peer;
}

void peer_free(struct peer *peer)
{
    if (!peer)
        return;
    if (peer->socket)
        peer->socket->is_dead = true;
    /* Forgets the logical sessions: it would look for a server to end them on. */
    mongoc_client_reset(peer->client);
    mongoc_client_destroy(peer->client);
    free(peer);
}

const char *peer_host(const struct peer *peer)
{
    return mongoc_uri_get_hosts(mongoc_client_get_uri(peer->client))->host_and_port;
}

mongoc_server_description_t *peer_greet(struct peer *peer, bson_error_t *error)
{
    mongoc_server_description_t *server = mongoc_client_select_server(peer->client, true, NULL, error);
    if (!server)
        peer_explain(peer, error);
    return server;
}

void peer_explain(const struct peer *peer, bson_error_t *error)
{
    if (peer->failure.code != 0)
        bson_set_error(error, error->domain, error->code, "[%s]", peer->failure.message);
}
