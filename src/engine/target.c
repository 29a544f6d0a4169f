/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/probe.h"
#include "engine/reach.h"

/* Seconds, where the address does not say otherwise: a person is waiting for the answer. */
#define SELECTION_TIMEOUT_MS 5000
#define CONNECT_TIMEOUT_MS 5000
/* The longest that one command of set-up may take: an index over many documents, a flush to a slow disk. */
#define COMMAND_TIMEOUT_MS 120000

void target_library_init(void)
{
    mongoc_log_set_handler(NULL, NULL);
    mongoc_init();
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

/* The address may name the source without naming a user; then libmongoc's getter alone would say the database. */
static bool has_auth_source(const mongoc_uri_t *uri)
{
    const bson_t *credentials = mongoc_uri_get_credentials(uri);
    return credentials && bson_has_field(credentials, MONGOC_URI_AUTHSOURCE);
}

/* Set through libmongoc's setters, so that every character works as typed. */
static bool set_credentials(mongoc_uri_t *uri, const struct run_options *options, struct error *err)
{
    bool ok = (!options->username || mongoc_uri_set_username(uri, options->username)) &&
              (!options->password || mongoc_uri_set_password(uri, options->password));
    const char *source = options->auth_database;
    if (!source && options->username && !has_auth_source(uri))
        source = "admin";
    ok = ok && (!source || mongoc_uri_set_auth_source(uri, source));
    if (!ok)
        error_set(err, "user name, password and authentication database must be UTF-8");
    return ok;
}

static void set_default_int32(mongoc_uri_t *uri, const char *option, int32_t value)
{
    if (!mongoc_uri_has_option(uri, option))
        mongoc_uri_set_option_as_int32(uri, option, value);
}

static bool set_uri(struct target *target, const struct run_options *options, const char *uri, struct error *err)
{
    if (!target_check_uri(uri, err) || !make_run_id(target->run_id, err))
        return false;
    target->uri = mongoc_uri_new(uri);
    target->app_name = memory_printf("benchrun-%s", target->run_id);
    mongoc_uri_set_appname(target->uri, target->app_name);
    set_default_int32(target->uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, SELECTION_TIMEOUT_MS);
    set_default_int32(target->uri, MONGOC_URI_CONNECTTIMEOUTMS, CONNECT_TIMEOUT_MS);
    set_default_int32(target->uri, MONGOC_URI_SOCKETTIMEOUTMS, COMMAND_TIMEOUT_MS);
    if (!mongoc_uri_has_option(target->uri, MONGOC_URI_RETRYWRITES))
        mongoc_uri_set_option_as_bool(target->uri, MONGOC_URI_RETRYWRITES, false);
    return set_credentials(target->uri, options, err);
}

/* As the address has it: libmongoc keeps the texts as long as the address lives. */
static mongoc_ssl_opt_t *make_tls(const mongoc_uri_t *uri)
{
    if (!mongoc_uri_get_tls(uri))
        return NULL;
    mongoc_ssl_opt_t *tls = memory_zeroed(1, sizeof *tls);
    bool insecure = mongoc_uri_get_option_as_bool(uri, MONGOC_URI_TLSINSECURE, false);
    tls->pem_file = mongoc_uri_get_option_as_utf8(uri, MONGOC_URI_TLSCERTIFICATEKEYFILE, NULL);
    tls->pem_pwd = mongoc_uri_get_option_as_utf8(uri, MONGOC_URI_TLSCERTIFICATEKEYFILEPASSWORD, NULL);
    tls->ca_file = mongoc_uri_get_option_as_utf8(uri, MONGOC_URI_TLSCAFILE, NULL);
    tls->weak_cert_validation = mongoc_uri_get_option_as_bool(uri, MONGOC_URI_TLSALLOWINVALIDCERTIFICATES, insecure);
    tls->allow_invalid_hostname = mongoc_uri_get_option_as_bool(uri, MONGOC_URI_TLSALLOWINVALIDHOSTNAMES, insecure);
    return tls;
}

static json_t *w_of_uri(const mongoc_write_concern_t *concern)
{
    int32_t w = mongoc_write_concern_get_w(concern);
    if (w == MONGOC_WRITE_CONCERN_W_MAJORITY)
        return json_string("majority");
    if (w == MONGOC_WRITE_CONCERN_W_TAG)
        return json_string(mongoc_write_concern_get_wtag(concern));
    return w > 0 ? json_integer(w) : NULL;
}

/*
 * mongo-perf always sends j, false unless told otherwise, and w only when told. An address that asks for a w of its own
 * gets it without a j: {w: "majority", j: false} would undo what majority promises.
 */
static json_t *make_write_concern(const struct run_options *options, const mongoc_uri_t *uri)
{
    const mongoc_write_concern_t *concern = mongoc_uri_get_write_concern(uri);
    json_t *object = json_object();
    json_t *uri_w = w_of_uri(concern);
    bool uri_j = mongoc_write_concern_journal_is_set(concern);
    if (options->w_given)
        json_object_set_new(object, "w", json_integer(options->w));
    else if (uri_w)
        json_object_set(object, "w", uri_w);
    if (options->j_given)
        json_object_set_new(object, "j", json_boolean(options->j));
    else if (uri_j)
        json_object_set_new(object, "j", json_boolean(mongoc_write_concern_get_journal(concern)));
    else if (options->w_given || !uri_w)
        json_object_set_new(object, "j", json_false());
    int64_t wtimeout_ms = mongoc_write_concern_get_wtimeout_int64(concern);
    if (wtimeout_ms > 0)
        json_object_set_new(object, "wtimeout", json_integer(wtimeout_ms));
    json_decref(uri_w);
    return object;
}

/* Set-up is confirmed with the server's default write concern, whatever is measured. */
static mongoc_client_t *make_client(const mongoc_uri_t *uri, struct error *err)
{
    bson_error_t reason;
    mongoc_client_t *client = mongoc_client_new_from_uri_with_error(uri, &reason);
    if (!client) {
        error_set(err, "%s", reason.message);
        return NULL;
    }
    mongoc_client_set_error_api(client, MONGOC_ERROR_API_VERSION_2);
    mongoc_write_concern_t *concern = mongoc_write_concern_new();
    mongoc_client_set_write_concern(client, concern);
    mongoc_write_concern_destroy(concern);
    return client;
}

bool target_open(struct target *target, const struct run_options *options, const char *uri, struct error *err)
{
    *target = (struct target){0};
    if (!set_uri(target, options, uri, err)) {
        target_close(target);
        return false;
    }
    target->tls = make_tls(target->uri);
    target->write_concern = make_write_concern(options, target->uri);
    target->testbed.is_local = options->local;
    target->client = make_client(target->uri, err);
    if (!target->client || !reach_primary(target, err) || !probe_testbed(target, err)) {
        target_close(target);
        return false;
    }
    return true;
}

void target_close(struct target *target)
{
    if (target->brief_client)
        mongoc_client_destroy(target->brief_client);
    if (target->client)
        mongoc_client_destroy(target->client);
    if (target->uri)
        mongoc_uri_destroy(target->uri);
    free(target->tls);
    free(target->app_name);
    free(target->flush_refusal);
    json_decref(target->write_concern);
    testbed_release(&target->testbed);
    *target = (struct target){0};
}

static bool ping(mongoc_client_t *client, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    BSON_APPEND_INT32(&command, "ping", 1);
    bool ok = target_command_on(client, "admin", &command, NULL, NULL, err);
    bson_destroy(&command);
    return ok;
}

/*
 * A client that answers a ping: the one there is, or a new one in its place. A client learns of a restart by a failed
 * call only, and after a failed look for servers looks no more for five seconds. A failure that took long is the
 * server's own, and trying again would take as long.
 */
static bool revive(mongoc_client_t **client, const mongoc_uri_t *uri, struct error *err)
{
    struct error first = {0};
    int64_t start_ns = clock_mono_ns();
    if (*client && ping(*client, &first))
        return true;
    if (*client && clock_mono_ns() - start_ns >= CLOCK_NS_PER_SEC) {
        error_set(err, "%s", first.message);
        return false;
    }
    mongoc_client_t *fresh = make_client(uri, err);
    if (!fresh)
        return false;
    if (*client)
        mongoc_client_destroy(*client);
    *client = fresh;
    return ping(fresh, err);
}

mongoc_client_t *target_brief(struct target *target, struct error *err)
{
    mongoc_uri_t *uri = mongoc_uri_copy(target->uri);
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_SOCKETTIMEOUTMS, TARGET_BRIEF_MS);
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, TARGET_BRIEF_MS);
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, TARGET_BRIEF_MS);
    bool ok = revive(&target->brief_client, uri, err);
    mongoc_uri_destroy(uri);
    return ok ? target->brief_client : NULL;
}

bool target_is_alive(struct target *target, struct error *err)
{
    return target_brief(target, err) && revive(&target->client, target->uri, err);
}
