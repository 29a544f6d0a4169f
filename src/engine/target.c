/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/probe.h"
#include "engine/reach.h"
#include "engine/secure.h"
#include "engine/settings.h"
#include "engine/stream.h"
#include "engine/tls_files.h"

void target_library_init(void)
{
    mongoc_log_set_handler(NULL, NULL);
    mongoc_init();
    tls_files_forbid_prompts();
    /* Where libmongoc shows its counters to others. Nobody looks, and kill -9 would leave the file lying about. */
    char name[32];
    snprintf(name, sizeof name, "/mongoc-%ld", (long)getpid());
    shm_unlink(name);
}

void target_library_cleanup(void)
{
    mongoc_cleanup();
}

static bool make_run_id(char id[TARGET_RUN_ID_SIZE], struct error *err)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
        error_set(err, "no random number for the run's id: %s", strerror(errno));
        return false;
    }
    snprintf(id, TARGET_RUN_ID_SIZE, "%016llx", (unsigned long long)bits);
    return true;
}

bool target_set_address(struct target *target, const char *address, struct error *err)
{
    mongoc_uri_t *uri = settings_make_uri(address, target->options, target->app_name, err);
    if (!uri)
        return false;
    char *copy = memory_strdup(address);
    if (target->uri)
        mongoc_uri_destroy(target->uri);
    memory_erase(target->address);
    free(target->tls);
    target->uri = uri;
    target->address = copy;
    target->tls = settings_make_tls(uri);
    return true;
}

/* For a client's ordinary calls: as libmongoc connects by itself, but an interrupt does not wait for a server that has
 * fallen silent. Strings of the TLS options belong to the client's URI. */
static mongoc_stream_t *initiate(const mongoc_uri_t *uri, const mongoc_host_list_t *host, void *context,
                                 bson_error_t *error)
{
    (void)context;
    int32_t timeout_ms = mongoc_uri_get_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, 10000);
    struct stream *socket = stream_connect_patiently(host, timeout_ms, error);
    mongoc_ssl_opt_t *tls = socket ? settings_make_tls(uri) : NULL;
    if (!tls)
        return socket ? &socket->base : NULL;
    mongoc_stream_t *top = secure_stream(socket, tls, host, timeout_ms, error);
    free(tls);
    return top;
}

/* Set-up is confirmed with the server's default write concern, whatever is measured. */
mongoc_client_t *target_new_client(const mongoc_uri_t *uri, struct error *err)
{
    bson_error_t reason;
    mongoc_client_t *client = mongoc_client_new_from_uri_with_error(uri, &reason);
    if (!client) {
        error_set(err, "%s", reason.message);
        return NULL;
    }
    mongoc_client_set_stream_initiator(client, initiate, NULL);
    mongoc_client_set_error_api(client, MONGOC_ERROR_API_VERSION_2);
    mongoc_write_concern_t *concern = mongoc_write_concern_new();
    mongoc_client_set_write_concern(client, concern);
    mongoc_write_concern_destroy(concern);
    return client;
}

static bool open_client(struct target *target, const struct run_options *options, const char *uri, struct error *err)
{
    if (!target_check_uri(uri, err) || !make_run_id(target->run_id, err))
        return false;
    target->app_name = settings_make_app_name(uri, target->run_id);
    if (!target_set_address(target, uri, err))
        return false;
    const char *mechanism = mongoc_uri_get_auth_mechanism(target->uri);
    if (mechanism && strcasecmp(mechanism, "PLAIN") == 0 && !target->tls)
        message_list_add(&target->warnings,
                         "PLAIN without TLS: the password goes over the network as it is; add --tls");
    target->write_concern = settings_make_write_concern(options, target->uri);
    target->client = target_new_client(target->uri, err);
    return target->client != NULL;
}

bool target_open(struct target *target, const struct run_options *options, const char *uri, struct error *err)
{
    *target = (struct target){.options = options};
    message_list_init(&target->warnings);
    target->testbed.is_local = options->local;
    if (open_client(target, options, uri, err) && reach_primary(target, err) && probe_testbed(target, err))
        return true;
    if (options->uri_source)
        error_prefix(err, "%s", options->uri_source);
    target_close(target);
    return false;
}

void target_close(struct target *target)
{
    if (target->brief_client)
        mongoc_client_destroy(target->brief_client);
    if (target->client)
        mongoc_client_destroy(target->client);
    if (target->uri)
        mongoc_uri_destroy(target->uri);
    if (target->primary_uri)
        mongoc_uri_destroy(target->primary_uri);
    free(target->tls);
    memory_erase(target->address);
    free(target->app_name);
    free(target->flush_refusal);
    json_decref(target->write_concern);
    testbed_release(&target->testbed);
    message_list_release(&target->warnings);
    *target = (struct target){0};
}

static bool run_simple(mongoc_client_t *client, const char *name, bson_t *reply, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    bson_append_int32(&command, name, -1, 1);
    bool ok = target_command_on(client, "admin", &command, reply, NULL, err);
    bson_destroy(&command);
    return ok;
}

/* In a set a client that has not been used since an election still sends to the old primary, which answers well. */
static bool ping(mongoc_client_t *client, bool in_set, struct error *err)
{
    bson_t reply;
    bson_iter_t iter;
    bool ok = run_simple(client, in_set ? "isMaster" : "ping", &reply, err);
    if (ok && in_set && !(bson_iter_init_find(&iter, &reply, "ismaster") && bson_iter_as_bool(&iter))) {
        error_set(err, "the server is not the primary any more");
        ok = false;
    }
    bson_destroy(&reply);
    return ok;
}

/*
 * A client that answers a ping: the one there is, or a new one in its place. A client learns of a restart by a failed
 * call only, and after a failed look for servers looks no more for five seconds. A failure that took long is the
 * server's own, and trying again would take as long.
 */
static bool revive(const struct target *target, mongoc_client_t **client, const mongoc_uri_t *uri, struct error *err)
{
    struct error first = {0};
    int64_t start_ns = clock_mono_ns();
    if (*client && ping(*client, target->in_set, &first))
        return true;
    if (*client && clock_mono_ns() - start_ns >= CLOCK_NS_PER_SEC) {
        error_set(err, "%s", first.message);
        return false;
    }
    mongoc_client_t *fresh = target_new_client(uri, err);
    if (!fresh)
        return false;
    if (*client)
        mongoc_client_destroy(*client);
    *client = fresh;
    return ping(fresh, target->in_set, err);
}

mongoc_client_t *target_brief(struct target *target, struct error *err)
{
    mongoc_uri_t *uri = mongoc_uri_copy(target->uri);
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_SOCKETTIMEOUTMS, TARGET_BRIEF_MS);
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, TARGET_BRIEF_MS);
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, TARGET_BRIEF_MS);
    bool ok = revive(target, &target->brief_client, uri, err);
    mongoc_uri_destroy(uri);
    return ok ? target->brief_client : NULL;
}

bool target_is_alive(struct target *target, struct error *err)
{
    return target_brief(target, err) && revive(target, &target->client, target->uri, err);
}
