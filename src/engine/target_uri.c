/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/target.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/uri.h"
#include "model/uri_options.h"

/*
 * libmongoc refuses most malformed addresses too, but with messages that do not say which part is wrong, and some it
 * takes and then times out. Nothing of the user part is ever quoted; the rest only where it cannot be a piece of a
 * password, that is where no '@' follows.
 */

enum { HOST_NAME_BYTES = 255 };

/* Arguments for "%.*s". */
#define QUOTE(uri, span) (uri)->may_quote ? (int)(span).size : 0, (span).at

static const char *find(struct uri_span span, int c)
{
    return memchr(span.at, c, span.size);
}

static bool can_decode(struct uri_span span)
{
    char *text = uri_decode(span);
    memory_erase(text);
    return text != NULL;
}

static bool check_user(const struct uri *uri, struct error *err)
{
    static const char reason[] = "begins no escape such as %40, or escapes what is no UTF-8: write a literal % as %25";
    struct uri_span name = uri->user, password = uri_cut(&name, ':');
    if (!uri->has_user)
        return true;
    if (find(uri->user, '@'))
        error_set(err, "an unescaped \"@\" in the user name or password: write it as %%40");
    else if (find(uri->user, '\\'))
        error_set(err, "an unescaped \"\\\" in the user name or password: write it as %%5C");
    else if (name.size == 0)
        error_set(err, "an empty user name before \"@\", expected mongodb://USER:PASSWORD@HOST");
    else if (find(password, ':'))
        error_set(err, "an unescaped \":\" in the user name or password: write it as %%3A");
    else if (!can_decode(name))
        error_set(err, "a \"%%\" in the user name that %s", reason);
    else if (!can_decode(password))
        error_set(err, "a \"%%\" in the password that %s", reason);
    else
        return true;
    return false;
}

static bool check_port(const struct uri *uri, struct uri_span host, struct uri_span port, struct error *err)
{
    char digits[6] = "";
    size_t count = 0;
    while (count < port.size && isdigit((unsigned char)port.at[count]))
        count++;
    if (port.size == 0) {
        error_set(err, "no port after \"%.*s:\", expected a number from 1 to 65535", QUOTE(uri, host));
        return false;
    }
    if (count == port.size && count < sizeof digits) {
        memcpy(digits, port.at, count);
        long value = strtol(digits, NULL, 10);
        if (value >= 1 && value <= 65535)
            return true;
    }
    if (uri->may_quote)
        error_set(err, "port \"%.*s\" of host \"%.*s\", expected a number from 1 to 65535", QUOTE(uri, port),
                  QUOTE(uri, host));
    else
        error_set(err, "a port that is no number from 1 to 65535; if this is a password, write its @ : / ? %% as %%40 "
                       "%%3A %%2F %%3F %%25");
    return false;
}

/* "[address]" or "[address]:port"; a zone after '%' is the system's to judge. */
static bool check_ipv6(const struct uri *uri, struct uri_span host, struct error *err)
{
    const char *end = find(host, ']');
    if (!end) {
        error_set(err, "\"[\" without \"]\" in host \"%.*s\", expected [IPv6 address]:PORT", QUOTE(uri, host));
        return false;
    }
    struct uri_span address = {host.at, (size_t)(end + 1 - host.at)};
    struct uri_span inner = {host.at + 1, address.size - 2};
    uri_cut(&inner, '%');
    char text[INET6_ADDRSTRLEN] = "";
    struct in6_addr parsed;
    if (inner.size < sizeof text)
        memcpy(text, inner.at, inner.size);
    if (inet_pton(AF_INET6, text, &parsed) != 1) {
        error_set(err, "\"%.*s\" is no IPv6 address", QUOTE(uri, address));
        return false;
    }
    struct uri_span rest = {end + 1, host.size - address.size};
    if (rest.size == 0)
        return true;
    if (rest.at[0] != ':') {
        error_set(err, "\"%.*s\" after \"%.*s\", expected :PORT", QUOTE(uri, rest), QUOTE(uri, address));
        return false;
    }
    return check_port(uri, address, (struct uri_span){rest.at + 1, rest.size - 1}, err);
}

/* Only the path of a local socket is escaped: in other names libmongoc would find a port or a comma. */
static bool check_socket(const struct uri *uri, struct uri_span host, struct error *err)
{
    char *path = uri_decode(host);
    size_t length = path ? strlen(path) : 0;
    bool ok = length > 5 && path[0] == '/' && strcmp(path + length - 5, ".sock") == 0;
    free(path);
    if (!ok)
        error_set(err,
                  "a \"%%\" in host \"%.*s\", expected it in the path of a local socket only: %%2FFOLDER%%2FNAME.sock",
                  QUOTE(uri, host));
    return ok;
}

static bool check_host_name(const struct uri *uri, struct uri_span host, struct error *err)
{
    bool bad = host.size > HOST_NAME_BYTES;
    for (size_t i = 0; i < host.size; i++)
        bad = bad || (unsigned char)host.at[i] <= ' ' || strchr("\"<>\\^`{|}[]#\177", host.at[i]);
    if (!bad)
        return !find(host, '%') || check_socket(uri, host, err);
    if (uri->may_quote)
        error_set(err, "host \"%.*s\" holds a character that no host name has, or is longer than %d bytes",
                  QUOTE(uri, host), HOST_NAME_BYTES);
    else
        error_set(err, "a host holds a character that no host name has, or is longer than %d bytes", HOST_NAME_BYTES);
    return false;
}

static bool check_host(const struct uri *uri, struct uri_span host, struct error *err)
{
    if (host.size == 0) {
        error_set(err, "an empty name in the list of hosts, expected HOST[:PORT][,HOST[:PORT]...]");
        return false;
    }
    if (host.at[0] == '[')
        return check_ipv6(uri, host, err);
    struct uri_span name = host;
    struct uri_span port = uri_cut(&name, ':');
    bool has_port = name.size < host.size;
    if (has_port && name.size == 0) {
        error_set(err, "no host before \":%.*s\", expected HOST:PORT", QUOTE(uri, port));
        return false;
    }
    if (find(port, ':')) {
        error_set(err, "more than one \":\" in host \"%.*s\", expected HOST:PORT, an IPv6 address as [ADDRESS]:PORT",
                  QUOTE(uri, host));
        return false;
    }
    if (has_port && uri->is_srv) {
        error_set(err, "a port in a mongodb+srv:// address: its name service has the ports");
        return false;
    }
    return check_host_name(uri, name, err) && (!has_port || check_port(uri, name, port, err));
}

static bool check_service_name(const struct uri *uri, struct error *err)
{
    size_t dots = 0;
    for (size_t i = 0; i < uri->hosts.size; i++)
        dots += uri->hosts.at[i] == '.';
    if (dots >= 2 && uri->hosts.at[0] != '.')
        return true;
    error_set(err, "\"%.*s\" after mongodb+srv://, expected a name of three parts or more, such as db.example.net",
              QUOTE(uri, uri->hosts));
    return false;
}

static bool check_hosts(const struct uri *uri, struct error *err)
{
    if (uri->hosts.size == 0) {
        error_set(err, "no host, expected %s", uri->is_srv ? "mongodb+srv://HOST" : "mongodb://HOST[:PORT]");
        return false;
    }
    if (uri->is_srv && find(uri->hosts, ',')) {
        error_set(err, "more than one host in a mongodb+srv:// address, expected one");
        return false;
    }
    struct uri_span rest = uri->hosts;
    for (;;) {
        struct uri_span host = rest;
        rest = uri_cut(&host, ',');
        if (!check_host(uri, host, err))
            return false;
        if (host.at + host.size == uri->hosts.at + uri->hosts.size)
            return !uri->is_srv || check_service_name(uri, err);
    }
}

static bool check_database(const struct uri *uri, struct error *err)
{
    char *name = uri_decode(uri->database);
    size_t bad = name ? strcspn(name, "/\\ \"$.,:") : 0;
    bool ok = name && name[bad] == '\0';
    if (!name)
        error_set(err, "a \"%%\" in the database name that begins no escape, or escapes what is no UTF-8: write a "
                       "literal %% as %%25");
    else if (!ok)
        error_set(err,
                  "\"%c\" in the database name: read were the host \"%.*s\" and the database \"%.*s\"; hosts are "
                  "separated by commas",
                  name[bad], QUOTE(uri, uri->hosts), QUOTE(uri, uri->database));
    memory_erase(name);
    return ok;
}

/* What only libmongoc knows. */
static bool check_meaning(const char *text, const struct uri *uri, struct error *err)
{
    bson_error_t reason = {0};
    mongoc_uri_t *parsed = mongoc_uri_new_with_error(text, &reason);
    if (parsed) {
        mongoc_uri_destroy(parsed);
        return true;
    }
    /* Its words may quote the address: only without a user is there nothing to hide in them. */
    if (uri->has_user || !uri->may_quote)
        error_set(err, "libmongoc cannot read the address");
    else
        error_set(err, "libmongoc cannot read the address: %s", reason.message);
    return false;
}

bool target_check_parts(const char *text, struct error *err)
{
    struct uri uri;
    return uri_split(&uri, text, err) && check_user(&uri, err) && check_hosts(&uri, err) && check_database(&uri, err) &&
           uri_options_check(&uri, err);
}

bool target_check_uri(const char *text, struct error *err)
{
    struct uri uri;
    return target_check_parts(text, err) && uri_split(&uri, text, err) && uri_options_check_together(&uri, err) &&
           check_meaning(text, &uri, err);
}
