/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/srv.h"

#include <errno.h>
#include <mongoc/mongoc.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/address.h"
#include "engine/crew.h"
#include "engine/resolve.h"
#include "model/uri_options.h"

/* What a name service has said; NULL: nothing. */
struct srv_service {
    mongoc_uri_t *uri;
    char *hosts, *replica_set, *auth_source;
    bool is_load_balanced;
    bson_error_t error;
};

static void service_free(void *context)
{
    struct srv_service *service = context;
    mongoc_uri_destroy(service->uri);
    free(service->hosts);
    free(service->replica_set);
    free(service->auth_source);
    free(service);
}

/* A client asks the name service when it is made, and nobody else. */
static void ask(void *context)
{
    struct srv_service *service = context;
    mongoc_client_t *client = mongoc_client_new_from_uri_with_error(service->uri, &service->error);
    if (!client)
        return;
    const mongoc_uri_t *uri = mongoc_client_get_uri(client);
    const bson_t *credentials = mongoc_uri_get_credentials(uri);
    const char *set = mongoc_uri_get_replica_set(uri);
    service->hosts =
        address_list_hosts(mongoc_uri_get_hosts(uri), mongoc_uri_get_option_as_int32(uri, MONGOC_URI_SRVMAXHOSTS, 0));
    service->replica_set = set ? memory_strdup(set) : NULL;
    if (mongoc_uri_get_username(uri) && credentials && bson_has_field(credentials, MONGOC_URI_AUTHSOURCE))
        service->auth_source = memory_strdup(mongoc_uri_get_auth_source(uri));
    service->is_load_balanced = mongoc_uri_get_option_as_bool(uri, MONGOC_URI_LOADBALANCED, false);
    mongoc_client_destroy(client);
}

/* Takes over `text`. What the address says itself counts. */
static char *add_option(char *text, const char *name, const char *value)
{
    struct uri uri;
    uri_split(&uri, text, NULL);
    char *own = uri_options_get(&uri, name);
    bool is_missing = value && !own;
    memory_erase(own);
    if (!is_missing)
        return text;
    char *longer = uri_options_set(text, name, value);
    memory_erase(text);
    return longer;
}

bool srv_is_named(const char *address)
{
    return strncmp(address, "mongodb+srv://", strlen("mongodb+srv://")) == 0;
}

char *srv_resolve(const char *address, struct error *err)
{
    const struct wait_terms terms = {0};
    struct srv_service *service = memory_zeroed(1, sizeof *service);
    service->uri = mongoc_uri_new(address);
    if (!crew_call(ask, service_free, service, &terms, RESOLVE_LIMIT_MS)) {
        error_set(err, "%s",
                  errno == EINTR ? "interrupted while the name service was asked for the hosts"
                                 : "the name service does not answer the question for the hosts");
        return NULL;
    }
    char *text = NULL;
    if (service->hosts) {
        text = address_for_hosts(address, service->hosts, false);
        text = add_option(text, "tls", "true");
        text = add_option(text, "replicaSet", service->replica_set);
        text = add_option(text, "authSource", service->auth_source);
        text = add_option(text, "loadBalanced", service->is_load_balanced ? "true" : NULL);
    } else {
        error_set(err, "the name service has no hosts: %s", service->error.message);
    }
    service_free(service);
    return text;
}
