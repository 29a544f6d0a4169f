/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/target.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/*
 * libmongoc refuses most malformed addresses too, but with messages that do not say which part is wrong, and some it
 * takes and then times out. Nothing of the user part is ever quoted; the rest only where it cannot be a piece of a
 * password, that is where no '@' follows.
 */
struct span {
    const char *at;
    size_t size;
};

struct uri_parts {
    bool srv;
    bool may_quote; /* false: an unescaped password may have been cut into host, database or options */
    bool has_user;
    struct span user, hosts, database, options;
};

/* Arguments for "%.*s". */
#define QUOTE(parts, span) (parts)->may_quote ? (int)(span).size : 0, (span).at

static const char *span_find(struct span span, int c)
{
    return memchr(span.at, c, span.size);
}

static const char *span_find_last(struct span span, int c)
{
    return memrchr(span.at, c, span.size);
}

/* Cuts `span` at the first `c`; what follows it is returned, empty when there is none. */
static struct span span_cut(struct span *span, int c)
{
    const char *found = span_find(*span, c);
    if (!found)
        return (struct span){span->at + span->size, 0};
    struct span rest = {found + 1, span->size - (size_t)(found + 1 - span->at)};
    span->size = (size_t)(found - span->at);
    return rest;
}

static bool has_bad_escape(struct span span)
{
    for (size_t i = 0; i < span.size; i++) {
        if (span.at[i] != '%')
            continue;
        if (i + 2 >= span.size || !isxdigit((unsigned char)span.at[i + 1]) || !isxdigit((unsigned char)span.at[i + 2]))
            return true;
    }
    return false;
}

static bool split_scheme(const char *uri, struct uri_parts *parts, const char **rest, struct error *err)
{
    static const char plain[] = "mongodb://", srv[] = "mongodb+srv://";
    parts->srv = strncmp(uri, srv, strlen(srv)) == 0;
    if (parts->srv || strncmp(uri, plain, strlen(plain)) == 0) {
        *rest = uri + (parts->srv ? strlen(srv) : strlen(plain));
        return true;
    }
    const char *end = strstr(uri, "://");
    size_t length = end ? (size_t)(end - uri) : 0;
    if (end && length <= 32 &&
        strspn(uri, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-") >= length)
        error_set(err, "unknown scheme \"%.*s://\", expected mongodb:// or mongodb+srv://", (int)length, uri);
    else
        error_set(err, "no scheme, expected mongodb://HOST[:PORT]");
    return false;
}

static bool split(const char *uri, struct uri_parts *parts, struct error *err)
{
    const char *rest;
    if (!split_scheme(uri, parts, &rest, err))
        return false;
    struct span all = {rest, strlen(rest)};
    struct span authority = {rest, strcspn(rest, "/?")};
    struct span tail = {rest + authority.size, all.size - authority.size};
    const char *at = span_find_last(authority, '@');
    const char *later_at = span_find(tail, '@');
    const char *query = span_find(tail, '?');
    /* An '@' in the options is in order (appName=me@here); before them it ends a password with an unescaped '/'. */
    if (later_at && (!query || later_at < query)) {
        error_set(err, "an unescaped \"/\" in the user name or password: write it as %%2F");
        return false;
    }
    parts->may_quote = !later_at;
    if (query && query == tail.at) {
        error_set(err, "no \"/\" before \"?\", expected mongodb://HOST/?NAME=VALUE");
        return false;
    }
    parts->has_user = at != NULL;
    parts->user = (struct span){rest, at ? (size_t)(at - rest) : 0};
    parts->hosts = at ? (struct span){at + 1, authority.size - parts->user.size - 1} : authority;
    parts->options = span_cut(&tail, '?');
    parts->database = tail.size > 0 ? (struct span){tail.at + 1, tail.size - 1} : tail;
    return true;
}

static bool check_user(const struct uri_parts *parts, struct error *err)
{
    if (!parts->has_user)
        return true;
    if (span_find(parts->user, '@')) {
        error_set(err, "an unescaped \"@\" in the user name or password: write it as %%40");
        return false;
    }
    struct span name = parts->user;
    struct span password = span_cut(&name, ':');
    if (name.size == 0)
        error_set(err, "an empty user name before \"@\", expected mongodb://USER:PASSWORD@HOST");
    else if (span_find(password, ':'))
        error_set(err, "an unescaped \":\" in the user name or password: write it as %%3A");
    else if (has_bad_escape(name))
        error_set(err, "a \"%%\" in the user name that begins no escape such as %%40: write a literal %% as %%25");
    else if (has_bad_escape(password))
        error_set(err, "a \"%%\" in the password that begins no escape such as %%40: write a literal %% as %%25");
    else
        return true;
    return false;
}

static bool check_port(const struct uri_parts *parts, struct span host, struct span port, struct error *err)
{
    char digits[6] = "";
    size_t count = 0;
    while (count < port.size && isdigit((unsigned char)port.at[count]))
        count++;
    if (port.size == 0) {
        error_set(err, "no port after \"%.*s:\", expected a number from 1 to 65535", QUOTE(parts, host));
        return false;
    }
    if (count == port.size && count < sizeof digits) {
        memcpy(digits, port.at, count);
        long value = strtol(digits, NULL, 10);
        if (value >= 1 && value <= 65535)
            return true;
    }
    if (parts->may_quote)
        error_set(err, "port \"%.*s\" of host \"%.*s\", expected a number from 1 to 65535", QUOTE(parts, port),
                  QUOTE(parts, host));
    else
        error_set(err, "a port that is no number from 1 to 65535; if this is a password, write its @ : / ? %% as %%40 "
                       "%%3A %%2F %%3F %%25");
    return false;
}

/* "[address]" or "[address]:port"; a zone after '%' is the system's to judge. */
static bool check_ipv6(const struct uri_parts *parts, struct span host, struct error *err)
{
    const char *end = span_find(host, ']');
    if (!end) {
        error_set(err, "\"[\" without \"]\" in host \"%.*s\", expected [IPv6 address]:PORT", QUOTE(parts, host));
        return false;
    }
    struct span address = {host.at, (size_t)(end + 1 - host.at)};
    struct span inner = {host.at + 1, address.size - 2};
    span_cut(&inner, '%');
    char text[INET6_ADDRSTRLEN] = "";
    struct in6_addr parsed;
    if (inner.size < sizeof text)
        memcpy(text, inner.at, inner.size);
    if (inet_pton(AF_INET6, text, &parsed) != 1) {
        error_set(err, "\"%.*s\" is no IPv6 address", QUOTE(parts, address));
        return false;
    }
    struct span rest = {end + 1, host.size - address.size};
    if (rest.size == 0)
        return true;
    if (rest.at[0] != ':') {
        error_set(err, "\"%.*s\" after \"%.*s\", expected :PORT", QUOTE(parts, rest), QUOTE(parts, address));
        return false;
    }
    return check_port(parts, address, (struct span){rest.at + 1, rest.size - 1}, err);
}

static bool check_host_name(const struct uri_parts *parts, struct span host, struct error *err)
{
    bool bad = has_bad_escape(host);
    for (size_t i = 0; i < host.size; i++)
        bad = bad || (unsigned char)host.at[i] <= ' ' || strchr("\"<>\\^`{|}[]#", host.at[i]);
    if (!bad)
        return true;
    if (parts->may_quote)
        error_set(err, "host \"%.*s\" holds a character that no host name has", QUOTE(parts, host));
    else
        error_set(err, "a host holds a character that no host name has");
    return false;
}

static bool check_host(const struct uri_parts *parts, struct span host, struct error *err)
{
    if (host.size == 0) {
        error_set(err, "an empty name in the list of hosts, expected HOST[:PORT][,HOST[:PORT]...]");
        return false;
    }
    if (host.at[0] == '[')
        return check_ipv6(parts, host, err);
    struct span name = host;
    struct span port = span_cut(&name, ':');
    bool has_port = name.size < host.size;
    if (has_port && name.size == 0) {
        error_set(err, "no host before \":%.*s\", expected HOST:PORT", QUOTE(parts, port));
        return false;
    }
    if (span_find(port, ':')) {
        error_set(err, "more than one \":\" in host \"%.*s\", expected HOST:PORT, an IPv6 address as [ADDRESS]:PORT",
                  QUOTE(parts, host));
        return false;
    }
    if (has_port && parts->srv) {
        error_set(err, "a port in a mongodb+srv:// address: its name service has the ports");
        return false;
    }
    return check_host_name(parts, name, err) && (!has_port || check_port(parts, name, port, err));
}

static bool check_hosts(const struct uri_parts *parts, struct error *err)
{
    if (parts->hosts.size == 0) {
        error_set(err, "no host, expected %s", parts->srv ? "mongodb+srv://HOST" : "mongodb://HOST[:PORT]");
        return false;
    }
    if (parts->srv && span_find(parts->hosts, ',')) {
        error_set(err, "more than one host in a mongodb+srv:// address, expected one");
        return false;
    }
    struct span rest = parts->hosts;
    for (;;) {
        struct span host = rest;
        rest = span_cut(&host, ',');
        if (!check_host(parts, host, err))
            return false;
        if (host.at + host.size == parts->hosts.at + parts->hosts.size)
            return true;
    }
}

static bool check_database(const struct uri_parts *parts, struct error *err)
{
    if (has_bad_escape(parts->database)) {
        error_set(err, "a \"%%\" in the database name that begins no escape: write a literal %% as %%25");
        return false;
    }
    for (size_t i = 0; i < parts->database.size; i++) {
        if (!strchr("/\\ \"$.,:", parts->database.at[i]))
            continue;
        error_set(err,
                  "\"%c\" in the database name: read were the host \"%.*s\" and the database \"%.*s\"; hosts are "
                  "separated by commas",
                  parts->database.at[i], QUOTE(parts, parts->hosts), QUOTE(parts, parts->database));
        return false;
    }
    return true;
}

static bool check_option(const struct uri_parts *parts, struct span option, struct error *err)
{
    struct span name = option;
    struct span value = span_cut(&name, '=');
    if (name.size == 0)
        error_set(err, "an option without a name after \"?\" or \"&\", expected NAME=VALUE");
    else if (name.size == option.size)
        error_set(err, "option \"%.*s\" has no value, expected NAME=VALUE", QUOTE(parts, name));
    else if (value.size == 0)
        error_set(err, "option \"%.*s\" has an empty value", QUOTE(parts, name));
    else if (has_bad_escape(name) || has_bad_escape(value))
        error_set(err, "a \"%%\" in option \"%.*s\" that begins no escape: write a literal %% as %%25",
                  QUOTE(parts, name));
    else
        return true;
    return false;
}

static bool check_options(const struct uri_parts *parts, struct error *err)
{
    struct span rest = parts->options;
    while (rest.size > 0) {
        struct span option = rest;
        rest = span_cut(&option, '&');
        if (!check_option(parts, option, err))
            return false;
    }
    return true;
}

/* What only libmongoc knows. */
static bool check_meaning(const char *uri, const struct uri_parts *parts, struct error *err)
{
    bson_error_t reason = {0};
    mongoc_uri_t *parsed = mongoc_uri_new_with_error(uri, &reason);
    if (!parsed) {
        /* Its words may quote the address: only without a user is there nothing to hide in them. */
        if (parts->has_user || !parts->may_quote)
            error_set(err, "libmongoc cannot read the address");
        else
            error_set(err, "libmongoc cannot read the address: %s", reason.message);
        return false;
    }
    int32_t w = mongoc_write_concern_get_w(mongoc_uri_get_write_concern(parsed));
    mongoc_uri_destroy(parsed);
    bool ignores = w == MONGOC_WRITE_CONCERN_W_ERRORS_IGNORED;
    if (ignores)
        error_set(err, "w=-1, expected a number from 0, majority, or the name of a write concern");
    return !ignores;
}

bool target_check_uri(const char *uri, struct error *err)
{
    struct uri_parts parts = {0};
    return split(uri, &parts, err) && check_user(&parts, err) && check_hosts(&parts, err) &&
           check_database(&parts, err) && check_options(&parts, err) && check_meaning(uri, &parts, err);
}

bool target_check_files(const char *uri, struct error *err)
{
    static const char *const options[] = {MONGOC_URI_TLSCAFILE, MONGOC_URI_TLSCERTIFICATEKEYFILE};
    static const char *const names[] = {"tlsCAFile", "tlsCertificateKeyFile"};
    mongoc_uri_t *parsed = mongoc_uri_new(uri);
    bool ok = true;
    for (size_t i = 0; parsed && ok && i < sizeof options / sizeof *options; i++) {
        const char *path = mongoc_uri_get_option_as_utf8(parsed, options[i], NULL);
        ok = !path || access(path, R_OK) == 0;
        if (!ok)
            error_set(err, "%s: %s: %s", names[i], path, strerror(errno));
    }
    if (parsed)
        mongoc_uri_destroy(parsed);
    return ok;
}
