/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_deployment.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "cli_set.h"
#include "engine/target.h"
#include "model/uri.h"
#include "model/uri_options.h"
#include "model/uri_secrets.h"

#define DEFAULT_HOST "localhost"
#define DEFAULT_PORT "27017"

static bool check_port(const char *port, struct error *err)
{
    uint64_t number;
    if (cli_parse_u64(port, &number) && number >= 1 && number <= 65535)
        return true;
    error_set(err, "--port: expected a number from 1 to 65535, got \"%s\"", port);
    return false;
}

/* Where ":27017" begins in "host:27017" or "[::1]:27017", NULL without one. A bare IPv6 address has several colons. */
static const char *port_in(const char *host)
{
    const char *from = host[0] == '[' ? strchr(host, ']') : host;
    const char *colon = from ? strchr(from, ':') : NULL;
    return colon && colon == strrchr(from, ':') ? colon + 1 : NULL;
}

static void append_escaped(struct buffer *uri, const char *text)
{
    char *encoded = uri_encode(text);
    buffer_append_printf(uri, "%s", encoded);
    free(encoded);
}

/* "/tmp/mongodb-27017.sock". */
static bool append_socket(struct buffer *uri, const char *path, const char *port, struct error *err)
{
    size_t length = strlen(path);
    if (length < 6 || strcmp(path + length - 5, ".sock") != 0) {
        error_set(err, "--host: \"%s\" is no local socket; expected /FOLDER/NAME.sock", path);
        return false;
    }
    if (port) {
        error_set(err, "--host %s is a local socket, and --port %s makes no sense with it", path, port);
        return false;
    }
    append_escaped(uri, path);
    return true;
}

/* What is in the wrong place may hold a password. */
static bool refuse_host(const char *host, struct error *err)
{
    char *shown = memory_strdup(host);
    uri_secrets_mask(shown);
    error_set(err,
              "--host: \"%s\" is no host name; expected HOST, HOST:PORT or SET/HOST,HOST (users go in -u, connection "
              "strings in --uri)",
              shown);
    memory_erase(shown);
    return false;
}

static bool append_host(struct buffer *uri, const char *host, const char *port, struct error *err)
{
    if (host[0] == '/')
        return append_socket(uri, host, port, err);
    const char *own_port = port_in(host);
    if (host[0] == '\0' || strpbrk(host, "@/?#% "))
        return refuse_host(host, err);
    if (own_port && port && strcmp(own_port, port) != 0) {
        error_set(err, "--host %s and --port %s name different ports", host, port);
        return false;
    }
    bool is_bare_ipv6 = host[0] != '[' && !own_port && strchr(host, ':');
    buffer_append_printf(uri, is_bare_ipv6 ? "[%s]" : "%s", host);
    if (!own_port)
        buffer_append_printf(uri, ":%s", port ? port : DEFAULT_PORT);
    return true;
}

static bool append_hosts(struct buffer *uri, const char *hosts, const char *port, struct error *err)
{
    bool ok = true;
    for (const char *at = hosts, *end; ok; at = end + 1) {
        end = strchrnul(at, ',');
        char *host = memory_printf("%.*s", (int)(end - at), at);
        if (at != hosts)
            buffer_append(uri, ",", 1);
        ok = append_host(uri, host, port, err);
        free(host);
        if (*end == '\0')
            break;
    }
    return ok;
}

static bool append_set(struct buffer *uri, const char *in_host, const char *replset, struct error *err)
{
    if (in_host && replset && strcmp(in_host, replset) != 0) {
        error_set(err, "--host names the replica set %s, --replset %s", in_host, replset);
        return false;
    }
    const char *set = in_host ? in_host : replset;
    buffer_append_printf(uri, "/%s", set ? "?replicaSet=" : "");
    if (set)
        append_escaped(uri, set);
    return true;
}

/* The parts as a URI in `uri`. `host` may be "SET/HOST,HOST", as the mongo shell takes it. */
static bool build(struct buffer *uri, const char *host, const char *port, const char *replset, struct error *err)
{
    const char *slash = host[0] == '/' || strstr(host, "://") ? NULL : strchr(host, '/');
    char *set = slash ? memory_printf("%.*s", (int)(slash - host), host) : NULL;
    buffer_append_printf(uri, "mongodb://");
    bool ok = (!port || check_port(port, err)) && append_hosts(uri, slash ? slash + 1 : host, port, err) &&
              append_set(uri, set, replset, err);
    free(set);
    return ok;
}

static bool choose(struct benchrun_cli *cli, struct error *err)
{
    const char *from_environment = getenv("MONGODB_URI");
    bool has_parts = cli->host || cli->port || cli->replset;
    if (cli->run.uri) {
        cli->run.uri_source = "--uri";
        return true;
    }
    if (!has_parts && from_environment && *from_environment) {
        cli->run.uri = memory_strdup(from_environment);
        cli->run.uri_source = "MONGODB_URI";
        return true;
    }
    cli->run.uri_source = cli->host ? "--host" : cli->port ? "--port" : cli->replset ? "--replset" : NULL;
    struct buffer uri = {0};
    bool ok = build(&uri, cli->host ? cli->host : DEFAULT_HOST, cli->port, cli->replset, err);
    if (ok)
        cli->run.uri = buffer_detach(&uri);
    buffer_release(&uri);
    return ok;
}

/* Takes over `text`. */
static void replace(struct benchrun_cli *cli, char *text)
{
    memory_erase(cli->run.uri);
    cli->run.uri = text;
}

static bool add_user(struct benchrun_cli *cli, struct error *err)
{
    char *named = uri_user(cli->run.uri);
    cli->run.user_source = cli->username ? "-u" : named ? cli->run.uri_source : NULL;
    bool is_twice = cli->username && named, is_text = !cli->username || uri_can_hold(cli->username);
    free(named);
    if (is_twice)
        error_set(err, "-u and %s both name a user; leave one out", cli->run.uri_source);
    else if (!is_text)
        error_set(err, "-u: the name of the user must be UTF-8");
    else if (cli->username)
        replace(cli, uri_with_user(cli->run.uri, cli->username));
    return is_text && !is_twice;
}

/* The options for TLS and the login in the words of a connection string, in place of what it says itself. */
static bool add_options(struct benchrun_cli *cli, struct error *err)
{
    const struct {
        const char *option, *name, *value;
    } rows[] = {
        {"--authenticationMechanism", "authMechanism", cli->auth_mechanism},
        {"--authenticationDatabase", "authSource", cli->auth_database},
        {"--tls", "tls", cli->tls ? "true" : NULL},
        {"--tlsCAFile", "tlsCAFile", cli->tls_ca_file},
        {"--tlsCertificateKeyFile", "tlsCertificateKeyFile", cli->tls_key_file},
        {"--tlsCertificateKeyFilePassword", "tlsCertificateKeyFilePassword", cli->tls_key_password},
        {"--tlsAllowInvalidCertificates", "tlsAllowInvalidCertificates", cli->tls_any_certificate ? "true" : NULL},
        {"--tlsAllowInvalidHostnames", "tlsAllowInvalidHostnames", cli->tls_any_hostname ? "true" : NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!rows[i].value)
            continue;
        if (!uri_options_check_value(rows[i].name, rows[i].value, err)) {
            error_prefix(err, "%s", rows[i].option);
            return false;
        }
        replace(cli, uri_options_set(cli->run.uri, rows[i].name, rows[i].value));
    }
    return true;
}

/* -w and -j beat the connection string, but what is left of it may contradict them. */
static bool check_confirmation(const struct benchrun_cli *cli, struct error *err)
{
    const struct run_options *run = &cli->run;
    struct uri uri;
    uri_split(&uri, run->uri, NULL);
    bool is_zero = run->w_given ? !run->w_name && run->w == 0
                                : uri_options_say(&uri, "w", "0") || uri_options_say(&uri, "safe", "false");
    bool waits = run->j_given ? run->j : uri_options_say(&uri, "journal", "true");
    if (!is_zero || !waits)
        return true;
    error_set(err, "%s and %s exclude each other: without a reply there is no waiting for the journal",
              run->w_given ? "-w 0" : "w=0", run->j_given ? "-j" : "journal=true");
    return false;
}

/* With the way by which the address was given. */
static bool name_source(const struct benchrun_cli *cli, bool ok, struct error *err)
{
    if (!ok && cli->run.uri_source)
        error_prefix(err, "%s", cli->run.uri_source);
    return ok;
}

static bool review(struct benchrun_cli *cli, struct error *err)
{
    struct uri uri;
    bool ok = target_check_parts(cli->run.uri, err) && uri_split(&uri, cli->run.uri, err);
    if (ok && cli->run.uri_source)
        uri_options_review(&uri, cli->run.uri_source, &cli->warnings);
    return name_source(cli, ok, err);
}

bool cli_deployment_resolve(struct benchrun_cli *cli, struct error *err)
{
    if (cli->run.local)
        return true;
    return choose(cli, err) && review(cli, err) && add_user(cli, err) && add_options(cli, err) &&
           name_source(cli, target_check_uri(cli->run.uri, err), err) &&
           name_source(cli, check_confirmation(cli, err), err);
}
