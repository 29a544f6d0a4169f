/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_deployment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli_set.h"
#include "engine/target.h"
#include "engine/uri_options.h"

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
    for (; *text; text++)
        buffer_append_printf(uri, isalnum((unsigned char)*text) || strchr("-._~", *text) ? "%c" : "%%%02X",
                             (unsigned char)*text);
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

static bool append_host(struct buffer *uri, const char *host, const char *port, struct error *err)
{
    if (host[0] == '/')
        return append_socket(uri, host, port, err);
    const char *own_port = port_in(host);
    if (host[0] == '\0' || strpbrk(host, "@/?#% ")) {
        error_set(err,
                  "--host: \"%s\" is no host name; expected HOST, HOST:PORT or SET/HOST,HOST (users go in -u, "
                  "connection strings in --uri)",
                  host);
        return false;
    }
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
    if (cli->run.uri)
        return true;
    if (!has_parts && from_environment && *from_environment) {
        cli->run.uri = memory_strdup(from_environment);
        return true;
    }
    struct buffer uri = {0};
    bool ok = build(&uri, cli->host ? cli->host : DEFAULT_HOST, cli->port, cli->replset, err);
    if (ok)
        cli->run.uri = memory_strdup(buffer_text(&uri));
    buffer_release(&uri);
    return ok;
}

static void append_option(struct buffer *uri, const char *name, const char *value)
{
    if (!value)
        return;
    const char *text = buffer_text(uri), *authority = strstr(text, "://");
    bool has_options = strchr(text, '?'), has_path = authority && strchr(authority + 3, '/');
    buffer_append_printf(uri, "%s%s=", has_options ? "&" : has_path ? "?" : "/?", name);
    append_escaped(uri, value);
}

/* The options for TLS in the words of a connection string, behind its own: the last one counts. */
static void add_options(struct benchrun_cli *cli)
{
    struct buffer uri = {0};
    buffer_append_printf(&uri, "%s", cli->run.uri);
    append_option(&uri, "tls", cli->tls ? "true" : NULL);
    append_option(&uri, "tlsCAFile", cli->tls_ca_file);
    append_option(&uri, "tlsCertificateKeyFile", cli->tls_key_file);
    append_option(&uri, "tlsCertificateKeyFilePassword", cli->tls_key_password);
    append_option(&uri, "tlsAllowInvalidCertificates", cli->tls_any_certificate ? "true" : NULL);
    append_option(&uri, "tlsAllowInvalidHostnames", cli->tls_any_hostname ? "true" : NULL);
    free(cli->run.uri);
    cli->run.uri = memory_strdup(buffer_text(&uri));
    buffer_release(&uri);
}

bool cli_deployment_resolve(struct benchrun_cli *cli, struct error *err)
{
    if (cli->run.local)
        return true;
    if (!choose(cli, err) || !target_check_uri(cli->run.uri, err))
        return false;
    uri_options_review(cli->run.uri, &cli->warnings);
    add_options(cli);
    return target_check_uri(cli->run.uri, err) && target_check_files(cli->run.uri, err);
}
