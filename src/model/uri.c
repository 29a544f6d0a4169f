/* SPDX-License-Identifier: Apache-2.0 */
#include "model/uri.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

static const char *find(struct uri_span span, int c)
{
    return memchr(span.at, c, span.size);
}

struct uri_span uri_cut(struct uri_span *span, int c)
{
    const char *found = find(*span, c);
    if (!found)
        return (struct uri_span){span->at + span->size, 0};
    struct uri_span rest = {found + 1, span->size - (size_t)(found + 1 - span->at)};
    span->size = (size_t)(found - span->at);
    return rest;
}

bool uri_span_is(struct uri_span span, const char *text)
{
    return strlen(text) == span.size && strncasecmp(span.at, text, span.size) == 0;
}

static bool split_scheme(const char *text, struct uri *uri, const char **rest, struct error *err)
{
    static const char plain[] = "mongodb://", srv[] = "mongodb+srv://";
    uri->is_srv = strncmp(text, srv, strlen(srv)) == 0;
    if (uri->is_srv || strncmp(text, plain, strlen(plain)) == 0) {
        *rest = text + (uri->is_srv ? strlen(srv) : strlen(plain));
        return true;
    }
    const char *end = strstr(text, "://");
    size_t length = end ? (size_t)(end - text) : 0;
    if (end && length <= 32 &&
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-") >= length)
        error_set(err, "unknown scheme \"%.*s://\", expected mongodb:// or mongodb+srv://", (int)length, text);
    else
        error_set(err, "no scheme, expected mongodb://HOST[:PORT]");
    return false;
}

bool uri_split(struct uri *uri, const char *text, struct error *err)
{
    const char *rest;
    *uri = (struct uri){0};
    if (!split_scheme(text, uri, &rest, err))
        return false;
    struct uri_span authority = {rest, strcspn(rest, "/?")};
    struct uri_span tail = {rest + authority.size, strlen(rest) - authority.size};
    const char *at = memrchr(authority.at, '@', authority.size);
    const char *later_at = find(tail, '@'), *query = find(tail, '?');
    /* An '@' in the options is in order (appName=me@here); before them it ends a password with an unescaped '/'. */
    if (later_at && (!query || later_at < query)) {
        error_set(err, "an unescaped \"/\" in the user name or password: write it as %%2F");
        return false;
    }
    uri->may_quote = !later_at;
    if (query && query == tail.at) {
        error_set(err, "no \"/\" before \"?\", expected mongodb://HOST/?NAME=VALUE");
        return false;
    }
    uri->has_user = at != NULL;
    uri->user = (struct uri_span){rest, at ? (size_t)(at - rest) : 0};
    uri->hosts = at ? (struct uri_span){at + 1, authority.size - uri->user.size - 1} : authority;
    uri->options = uri_cut(&tail, '?');
    uri->database = tail.size > 0 ? (struct uri_span){tail.at + 1, tail.size - 1} : tail;
    return true;
}

bool uri_next_pair(struct uri_span *rest, struct uri_pair *pair)
{
    if (rest->size == 0)
        return false;
    pair->name = *rest;
    *rest = uri_cut(&pair->name, '&');
    pair->has_value = find(pair->name, '=') != NULL;
    pair->value = uri_cut(&pair->name, '=');
    return true;
}

static int hex_value(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

bool uri_can_hold(const char *text)
{
    json_t *json = json_string(text);
    json_decref(json);
    return json != NULL;
}

char *uri_decode(struct uri_span span)
{
    char *text = memory_zeroed(span.size + 1, 1), *to = text;
    bool ok = true;
    for (size_t i = 0; ok && i < span.size; i++) {
        *to = span.at[i];
        if (*to == '%') {
            ok =
                i + 2 < span.size && isxdigit((unsigned char)span.at[i + 1]) && isxdigit((unsigned char)span.at[i + 2]);
            *to = ok ? (char)(hex_value(span.at[i + 1]) * 16 + hex_value(span.at[i + 2])) : '\0';
            i += 2;
        }
        ok = ok && *to++ != '\0';
    }
    if (ok && uri_can_hold(text))
        return text;
    memory_erase(text);
    return NULL;
}

char *uri_encode(const char *text)
{
    char *encoded = memory_zeroed(3 * strlen(text) + 1, 1), *to = encoded;
    for (; *text; text++) {
        if (isalnum((unsigned char)*text) || strchr("-._~", *text))
            *to++ = *text;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*text);
    }
    return encoded;
}

char *uri_user(const char *text)
{
    struct uri uri;
    if (!uri_split(&uri, text, NULL) || !uri.has_user)
        return NULL;
    uri_cut(&uri.user, ':');
    return uri_decode(uri.user);
}

char *uri_with_user(const char *text, const char *user)
{
    const char *rest = strstr(text, "://") + 3;
    char *encoded = uri_encode(user);
    char *with_user = memory_printf("%.*s%s@%s", (int)(rest - text), text, encoded, rest);
    free(encoded);
    return with_user;
}

char *uri_take_password(char *text)
{
    struct uri uri;
    if (!uri_split(&uri, text, NULL))
        return NULL;
    struct uri_span name = uri.user, password = uri_cut(&name, ':');
    if (name.size == uri.user.size)
        return NULL;
    char *decoded = uri_decode(password);
    char *colon = text + (name.at + name.size - text);
    size_t rest = strlen(password.at + password.size);
    memmove(colon, password.at + password.size, rest + 1);
    explicit_bzero(colon + rest + 1, password.size);
    return decoded;
}
