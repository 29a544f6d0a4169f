/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/target.h"

/* Seconds, where the address does not say otherwise: a person is waiting for the answer. */
#define SELECTION_TIMEOUT_MS 5000
#define CONNECT_TIMEOUT_MS 5000
/* The longest that one command of set-up may take: an index over many documents, a flush to a slow disk. */
#define COMMAND_TIMEOUT_MS 120000

/* The address may name the source without naming a user; then libmongoc's getter alone would say the database. */
static bool has_auth_source(const mongoc_uri_t *uri)
{
    const bson_t *credentials = mongoc_uri_get_credentials(uri);
    return credentials && bson_has_field(credentials, MONGOC_URI_AUTHSOURCE);
}

/* Users of these mechanisms are known outside of the server. */
static const char *default_auth_source(const mongoc_uri_t *uri)
{
    static const char *const outside[] = {"PLAIN", "MONGODB-X509", "GSSAPI", "MONGODB-AWS"};
    const char *mechanism = mongoc_uri_get_auth_mechanism(uri);
    for (size_t i = 0; mechanism && i < sizeof outside / sizeof *outside; i++)
        if (strcasecmp(mechanism, outside[i]) == 0)
            return "$external";
    return "admin";
}

/* Set through libmongoc's setters, so that every character works as typed. */
static bool set_credentials(mongoc_uri_t *uri, const struct run_options *options, struct error *err)
{
    bool ok = (!options->username || mongoc_uri_set_username(uri, options->username)) &&
              (!options->password || mongoc_uri_set_password(uri, options->password));
    if (options->auth_mechanism && !mongoc_uri_set_auth_mechanism(uri, options->auth_mechanism)) {
        error_set(err, "--authenticationMechanism: \"%s\" is none", options->auth_mechanism);
        return false;
    }
    const char *source = options->auth_database;
    if (!source && options->username && !has_auth_source(uri))
        source = default_auth_source(uri);
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

static void set_limits(mongoc_uri_t *uri)
{
    set_default_int32(uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, SELECTION_TIMEOUT_MS);
    set_default_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, CONNECT_TIMEOUT_MS);
    set_default_int32(uri, MONGOC_URI_SOCKETTIMEOUTMS, COMMAND_TIMEOUT_MS);
}

/* A server cuts a longer name, and takes it for another one then. */
#define APP_NAME_MAX 128

char *settings_make_app_name(const char *address, const char *run_id)
{
    mongoc_uri_t *uri = mongoc_uri_new(address);
    const char *own = uri ? mongoc_uri_get_appname(uri) : NULL;
    size_t room = APP_NAME_MAX - strlen(" benchrun-") - strlen(run_id);
    char *name = memory_printf("%.*s%sbenchrun-%s", own && strlen(own) <= room ? (int)room : 0, own ? own : "",
                               own && strlen(own) <= room ? " " : "", run_id);
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
    if (set_credentials(uri, options, err))
        return uri;
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
    if (!object)
        return json_object();
    json_object_del(object, MONGOC_URI_TLSCERTIFICATEKEYFILEPASSWORD);
    const char *mechanism = mongoc_uri_get_auth_mechanism(uri);
    if (mechanism)
        json_object_set_new(object, MONGOC_URI_AUTHMECHANISM, json_string(mechanism));
    json_t *hosts = json_array();
    for (const mongoc_host_list_t *host = mongoc_uri_get_hosts(uri); host; host = host->next)
        json_array_append_new(hosts, json_string(host->host_and_port));
    json_object_set_new(object, "hosts", hosts);
    return object;
}
