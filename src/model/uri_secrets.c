/* SPDX-License-Identifier: Apache-2.0 */
#include "model/uri_secrets.h"

#include <string.h>

#include "base/memory.h"
#include "model/uri_option.h"

static char *after_scheme(char *text)
{
    char *mark = strstr(text, "://");
    return mark ? mark + 3 : text;
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

/*
 * The "@" behind user and password, NULL: there is none. It is the last one before the options, unless a password with
 * an unescaped "?" only looks as if they began: when no "/" comes before it, or what does is no list of hosts.
 */
static char *user_end(char *text)
{
    char *start = after_scheme(text), *query = start + strcspn(start, "?");
    char *at = memrchr(start, '@', (size_t)(query - start)), *last = strrchr(start, '@');
    const char *hosts = at ? at + 1 : start;
    size_t length = strcspn(hosts, "/?");
    bool looks_so = hosts[length] == '?' || !is_host_list(hosts, length);
    return last && last > query && looks_so ? last : at;
}

static void mask(char *begin, size_t size)
{
    size_t stars = size < 3 ? size : 3, rest = strlen(begin + size);
    memset(begin, '*', stars);
    memmove(begin + stars, begin + size, rest + 1);
    explicit_bzero(begin + stars + rest + 1, size - stars);
}

static bool is_secret(struct uri_span name)
{
    const struct uri_option *option = uri_option_find(name);
    return !option || option->is_secret;
}

bool uri_secrets_has(const char *option)
{
    return is_secret((struct uri_span){option, strlen(option)});
}

/* What somebody took for a separator ends a value that is no secret. A word without a value may be a piece of a
 * password. */
static void mask_options(char *at)
{
    while (*at) {
        size_t name = strcspn(at, "=&;?");
        char *value = at + name + (at[name] == '=');
        bool secret = is_secret((struct uri_span){at, name});
        if (secret && at[name] != '=')
            value = at;
        if (secret)
            mask(value, strcspn(value, "&"));
        at = value + strcspn(value, secret ? "&" : "&;?");
        at += *at != '\0';
    }
}

void uri_secrets_mask(char *text)
{
    char *end = user_end(text), *start = after_scheme(text);
    char *query = strchr(end ? end : start, '?');
    if (query)
        mask_options(query + 1);
    char *colon = end ? memchr(start, ':', (size_t)(end - start)) : NULL;
    if (colon)
        mask(colon + 1, (size_t)(end - colon - 1));
}

char *uri_secrets_public(const char *text)
{
    char *copy = memory_strdup(text);
    uri_secrets_mask(copy);
    char *end = user_end(copy), *start = after_scheme(copy);
    if (end)
        memmove(start, end + 1, strlen(end));
    return copy;
}
