/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* "[CAUSE calling hello on 'HOST']": the last quoted word is the host. A cause may hold brackets itself (IPv6). */
static void append_cause(struct buffer *out, const char *at, size_t size)
{
    static const char between[] = " calling hello on '";
    const char *separator = memmem(at, size, between, strlen(between));
    buffer_append_printf(out, "%s", out->size > 0 ? "; " : "");
    if (!separator) {
        buffer_append_printf(out, "%.*s", (int)size, at);
        return;
    }
    const char *host = separator + strlen(between);
    size_t host_size = size - (size_t)(host - at);
    const char *quote = memrchr(host, '\'', host_size);
    buffer_append_printf(out, "%.*s: %.*s", (int)(quote ? (size_t)(quote - host) : host_size), host,
                         (int)(separator - at), at);
}

char *reach_describe_causes(const char *text)
{
    struct buffer out = {0};
    const char *colon = strstr(text, ": [");
    const char *at = *text == '[' ? text + 1 : colon ? colon + 3 : NULL;
    while (at) {
        const char *next = strstr(at, "] [");
        const char *end = next ? next : strrchr(at, ']');
        if (!end)
            break;
        append_cause(&out, at, (size_t)(end - at));
        at = next ? next + 3 : NULL;
    }
    char *copy = out.size > 0 ? memory_strdup(buffer_text(&out)) : NULL;
    buffer_release(&out);
    return copy;
}

static void append_hosts(struct buffer *out, const mongoc_uri_t *uri)
{
    for (const mongoc_host_list_t *host = mongoc_uri_get_hosts(uri); host; host = host->next)
        buffer_append_printf(out, "%s%s", out->size > 0 ? ", " : "", host->host_and_port);
}

static bool is_default_address(const mongoc_uri_t *uri)
{
    const mongoc_host_list_t *host = mongoc_uri_get_hosts(uri);
    return host && !host->next && strcmp(host->host_and_port, "localhost:27017") == 0;
}

static void report_unreachable(const struct target *target, const char *text, struct error *err)
{
    struct buffer hosts = {0};
    append_hosts(&hosts, target->uri);
    const char *set = mongoc_uri_get_replica_set(target->uri);
    char *causes = reach_describe_causes(text);
    if (causes)
        error_set(err, "no server can be reached: %s%s", causes,
                  is_default_address(target->uri)
                      ? "; name the server (--uri, --host) or let benchrun start a throw-away one (--local)"
                      : "");
    else if (set)
        error_set(err, "no primary of a replica set \"%s\" among %s: is this its name?", set, buffer_text(&hosts));
    else
        error_set(err, "no server that takes writes among %s: %s", buffer_text(&hosts), text);
    free(causes);
    buffer_release(&hosts);
}

/* libmongoc keeps the server's message of a failed log-in, but not its code. */
static bool log_in(struct target *target, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    bson_error_t reason = {0};
    BSON_APPEND_INT32(&command, "ping", 1);
    bool ok = mongoc_client_command_simple(target->client, "admin", &command, NULL, NULL, &reason);
    bson_destroy(&command);
    if (ok)
        return true;
    const char *user = mongoc_uri_get_username(target->uri);
    if (reason.domain == MONGOC_ERROR_CLIENT && reason.code == MONGOC_ERROR_CLIENT_AUTHENTICATE)
        error_set(err,
                  "cannot log in as \"%s\": %s; the user was looked for in the database \"%s\", see "
                  "--authenticationDatabase",
                  user ? user : "", reason.message, mongoc_uri_get_auth_source(target->uri));
    else
        error_set(err, "%s", reason.message);
    return false;
}

static bool is_writable(const bson_t *hello)
{
    bson_iter_t iter;
    return (bson_iter_init_find(&iter, hello, "isWritablePrimary") && bson_iter_as_bool(&iter)) ||
           (bson_iter_init_find(&iter, hello, "ismaster") && bson_iter_as_bool(&iter));
}

static bool check_writable(mongoc_server_description_t *server, struct error *err)
{
    const bson_t *hello = mongoc_server_description_hello_response(server);
    const char *host = mongoc_server_description_host(server)->host_and_port;
    if (is_writable(hello))
        return true;
    bson_iter_t iter;
    const char *set = NULL;
    if (bson_iter_init_find(&iter, hello, "setName") && BSON_ITER_HOLDS_UTF8(&iter))
        set = bson_iter_utf8(&iter, NULL);
    bool secondary = bson_iter_init_find(&iter, hello, "secondary") && bson_iter_as_bool(&iter);
    if (set)
        error_set(err,
                  "%s is %s of %s: name the set (--replset %s, or replicaSet=%s in the address) so that its "
                  "primary is found",
                  host, secondary ? "SECONDARY" : "no primary", set, set, set);
    else
        error_set(err, "%s takes no writes", host);
    return false;
}

bool reach_primary(struct target *target, struct error *err)
{
    bson_error_t reason = {0};
    mongoc_server_description_t *server = mongoc_client_select_server(target->client, true, NULL, &reason);
    if (!server) {
        report_unreachable(target, reason.message, err);
        return false;
    }
    bool ok = check_writable(server, err);
    mongoc_server_description_destroy(server);
    return ok && log_in(target, err);
}
