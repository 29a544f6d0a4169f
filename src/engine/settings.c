/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/target.h"
#include "model/uri_secrets.h"

/* Seconds, where the address does not say otherwise: a person is waiting for the answer. */
#define CONNECT_TIMEOUT_MS 5000
/* The longest that one command of set-up may take: an index over many documents, a flush to a slow disk. */
#define COMMAND_TIMEOUT_MS 120000

static void set_default_int32(mongoc_uri_t *uri, const char *option, int32_t value)
{
    if (!mongoc_uri_has_option(uri, option))
        mongoc_uri_set_option_as_int32(uri, option, value);
}

static void set_limits(mongoc_uri_t *uri)
{
    set_default_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, CONNECT_TIMEOUT_MS);
    set_default_int32(uri, MONGOC_URI_SOCKETTIMEOUTMS, COMMAND_TIMEOUT_MS);
}

char *settings_make_app_name(const char *address, const char *run_id)
{
    mongoc_uri_t *uri = mongoc_uri_new(address);
    const char *own = uri ? mongoc_uri_get_appname(uri) : NULL;
    char *name = memory_printf("%s%sbenchrun-%s", own ? own : "", own ? " " : "", run_id);
    if (uri)
        mongoc_uri_destroy(uri);
    return name;
}

mongoc_uri_t *settings_make_uri(const char *address, const struct run_options *options, const char *app_name,
                                struct error *err)
{
    if (!target_check_uri(address, err))
        return NULL;
    mongoc_uri_t *uri = mongoc_uri_new(address);
    mongoc_uri_set_appname(uri, app_name);
    set_limits(uri);
    mongoc_uri_set_option_as_bool(uri, MONGOC_URI_RETRYWRITES, false);
    /* Set through libmongoc's setter, so that every character works as typed. */
    if (!options->password || mongoc_uri_set_password(uri, options->password))
        return uri;
    error_set(err, "the password must be UTF-8");
    mongoc_uri_destroy(uri);
    return NULL;
}

/* As the address has it: libmongoc keeps the texts as long as the address lives. */
mongoc_ssl_opt_t *settings_make_tls(const mongoc_uri_t *uri)
{
    if (!mongoc_uri_get_tls(uri))
        return NULL;
    mongoc_ssl_opt_t *tls = memory_zeroed(1, sizeof *tls);
    bool insecure = mongoc_uri_get_option_as_bool(uri, MONGOC_URI_TLSINSECURE, false);
    tls->pem_file = mongoc_uri_get_option_as_utf8(uri, MONGOC_URI_TLSCERTIFICATEKEYFILE, NULL);
    /* Never NULL: without one OpenSSL would ask for it by itself, on the terminal and on every thread. */
    tls->pem_pwd = mongoc_uri_get_option_as_utf8(uri, MONGOC_URI_TLSCERTIFICATEKEYFILEPASSWORD, "");
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
    return w >= 0 ? json_integer(w) : NULL;
}

static json_t *choose_w(const struct run_options *options, const mongoc_write_concern_t *concern)
{
    if (!options->w_given)
        return w_of_uri(concern);
    return options->w_name ? json_string(options->w_name) : json_integer(options->w);
}

/*
 * mongo-perf always sends j, false unless told otherwise, and w only when told. Who asks for a w that stands for a
 * promise gets it without a j: {w: "majority", j: false} would undo what majority promises. Who asks for a number with
 * -w asks for it as in mongo-perf. With w: 0 nobody can wait for a journal.
 */
static json_t *choose_j(const struct run_options *options, const mongoc_write_concern_t *concern, const json_t *w)
{
    if (json_is_integer(w) && json_integer_value(w) == 0)
        return json_false();
    if (options->j_given)
        return json_boolean(options->j);
    if (mongoc_write_concern_journal_is_set(concern))
        return json_boolean(mongoc_write_concern_get_journal(concern));
    bool as_mongo_perf = !w || (options->w_given && !options->w_name);
    return as_mongo_perf ? json_false() : NULL;
}

json_t *settings_make_write_concern(const struct run_options *options, const mongoc_uri_t *uri)
{
    const mongoc_write_concern_t *concern = mongoc_uri_get_write_concern(uri);
    json_t *object = json_object();
    json_t *w = choose_w(options, concern);
    json_t *j = choose_j(options, concern, w);
    int64_t wtimeout_ms = mongoc_write_concern_get_wtimeout_int64(concern);
    if (w)
        json_object_set_new(object, "w", w);
    if (j)
        json_object_set_new(object, "j", j);
    if (wtimeout_ms > 0)
        json_object_set_new(object, "wtimeout", json_integer(wtimeout_ms));
    return object;
}

json_t *settings_describe(const mongoc_uri_t *uri)
{
    char *text = bson_as_relaxed_extended_json(mongoc_uri_get_options(uri), NULL);
    json_t *object = text ? json_loads(text, 0, NULL) : NULL;
    bson_free(text);
    const char *option;
    json_t *value;
    void *next;
    if (!object)
        return json_object();
    json_object_foreach_safe(object, next, option, value)
    {
        if (uri_secrets_has(option))
            json_object_del(object, option);
    }
    const char *mechanism = mongoc_uri_get_auth_mechanism(uri);
    if (mechanism)
        json_object_set_new(object, MONGOC_URI_AUTHMECHANISM, json_string(mechanism));
    json_t *hosts = json_array();
    for (const mongoc_host_list_t *host = mongoc_uri_get_hosts(uri); host; host = host->next)
        json_array_append_new(hosts, json_string(host->host_and_port));
    json_object_set_new(object, "hosts", hosts);
    return object;
}
