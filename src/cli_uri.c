/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_uri.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

static const char *after_scheme(const char *uri)
{
    const char *mark = strstr(uri, "://");
    return mark ? mark + 3 : uri;
}

/* "a:1,b,[::1]:2": after each colon outside of brackets there are digits only. */
static bool is_host_list(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '[')
            while (i < length && text[i] != ']')
                i++;
        if (i < length && text[i] == ':') {
            size_t digits = strspn(text + i + 1, "0123456789");
            if (i + 1 + digits < length && text[i + 1 + digits] != ',')
                return false;
        }
    }
    return true;
}

/* The "@" behind user and password, NULL: there is none. Somebody who has not escaped a "/" in his password must not
 * see it printed as part of a host name: then the last "@" of the whole string counts. */
static const char *user_end(const char *uri)
{
    const char *start = after_scheme(uri);
    size_t authority = strcspn(start, "/?");
    const char *at = memrchr(start, '@', authority);
    if (at)
        return at;
    at = strrchr(start, '@');
    bool is_in_path =
        at && start[authority] == '/' && !memchr(start + authority, '?', (size_t)(at - start) - authority);
    return at && (is_in_path || !is_host_list(start, authority)) ? at : NULL;
}

struct cli_uri_span cli_uri_password(const char *uri)
{
    const char *start = after_scheme(uri), *end = user_end(uri);
    const char *colon = end ? memchr(start, ':', (size_t)(end - start)) : NULL;
    if (!colon)
        return (struct cli_uri_span){0};
    return (struct cli_uri_span){(size_t)(colon + 1 - uri), (size_t)(end - colon - 1)};
}

static bool is_secret_name(const char *name, size_t length)
{
    static const char *const ends[] = {"password", "authmechanismproperties"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t tail = strlen(ends[i]);
        if (length >= tail && strncasecmp(name + length - tail, ends[i], tail) == 0)
            return true;
    }
    return false;
}

struct cli_uri_span cli_uri_secret_option(const char *uri, size_t from)
{
    const char *end = user_end(uri);
    const char *query = strchr(end ? end : after_scheme(uri), '?');
    for (const char *at = query ? query + 1 : ""; *at;) {
        size_t length = strcspn(at, "&"), name = strcspn(at, "=&");
        size_t begin = (size_t)(at - uri) + name + 1;
        if (name < length && begin >= from && is_secret_name(at, name))
            return (struct cli_uri_span){begin, length - name - 1};
        at += length + (at[length] == '&');
    }
    return (struct cli_uri_span){0};
}

bool cli_uri_has_user(const char *uri)
{
    return user_end(uri) != NULL;
}

static void remove_span(char *text, struct cli_uri_span span)
{
    size_t length = strlen(text), end = span.begin + span.length;
    memmove(text + span.begin, text + end, length - end + 1);
    explicit_bzero(text + length - span.length, span.length);
}

void cli_uri_mask(char *text, struct cli_uri_span span)
{
    size_t stars = span.length < 3 ? span.length : 3;
    memset(text + span.begin, '*', stars);
    remove_span(text, (struct cli_uri_span){span.begin + stars, span.length - stars});
}

static int hex_value(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* In place. A % that begins no escape stands for itself: the check of the whole URI has refused it before. */
static void decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = *from == '%' ? hex_value(from[1]) : -1;
        int low = high < 0 ? -1 : hex_value(from[2]);
        *to++ = low < 0 ? *from : (char)(high * 16 + low);
        from += low < 0 ? 0 : 2;
    }
    *to = '\0';
}

char *cli_uri_user(const char *uri)
{
    const char *start = after_scheme(uri), *end = user_end(uri);
    if (!end)
        return NULL;
    const char *colon = memchr(start, ':', (size_t)(end - start));
    char *user = memory_printf("%.*s", (int)((colon ? colon : end) - start), start);
    decode(user);
    return user;
}

char *cli_uri_take_password(char *uri)
{
    struct cli_uri_span span = cli_uri_password(uri);
    if (span.begin == 0)
        return NULL;
    char *password = memory_printf("%.*s", (int)span.length, uri + span.begin);
    decode(password);
    remove_span(uri, (struct cli_uri_span){span.begin - 1, span.length + 1});
    return password;
}
