/* SPDX-License-Identifier: Apache-2.0 */
#include "model/uri_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/uri_option.h"

/* One of the options of `uri` as it is given there. */
struct given {
    const struct uri *uri;
    struct uri_pair pair;
    const struct uri_option *option; /* NULL: not known */
};

static bool next_given(const struct uri *uri, struct uri_span *rest, struct given *given)
{
    given->uri = uri;
    if (!uri_next_pair(rest, &given->pair))
        return false;
    given->option = uri_option_find(given->pair.name);
    return true;
}

/* Arguments for "%.*s". A name that is not known may be a piece of a password. */
#define SHOWN(given) shown_size(given), (given)->option ? (given)->option->name : (given)->pair.name.at

static int shown_size(const struct given *given)
{
    if (given->option)
        return (int)strlen(given->option->name);
    return given->uri->may_quote ? (int)given->pair.name.size : 0;
}

/* A separator that is none makes the next option a part of this one's value. So none of these characters stands for
 * itself, nor do those that a URI cannot hold; and "\" is an escape of libmongoc's own. */
static bool check_unescaped(const struct given *given, struct error *err)
{
    struct uri_span value = given->pair.value;
    for (size_t i = 0; i < value.size; i++) {
        unsigned char c = (unsigned char)value.at[i];
        if (c > ' ' && !strchr(";?\\\177", c))
            continue;
        if (c == ';' || c == '?')
            error_set(err,
                      "option \"%.*s\" holds an unescaped \"%c\": options are separated by \"&\"; a literal %c is "
                      "written %%%02X",
                      SHOWN(given), c, c, c);
        else
            error_set(err, "option \"%.*s\" holds an unescaped %s: it is written %%%02X", SHOWN(given),
                      c == ' '    ? "blank"
                      : c == '\\' ? "\"\\\""
                                  : "control character",
                      c);
        return false;
    }
    return true;
}

static bool check_form(const struct given *given, struct error *err)
{
    if (given->pair.name.size == 0)
        error_set(err, "an option without a name after \"?\" or \"&\", expected NAME=VALUE");
    else if (!given->pair.has_value)
        error_set(err, "option \"%.*s\" has no value, expected NAME=VALUE", SHOWN(given));
    else if (given->pair.value.size == 0 && !(given->option && given->option->is_composed))
        error_set(err, "option \"%.*s\" has an empty value", SHOWN(given));
    else
        return check_unescaped(given, err);
    return false;
}

static bool check_value(const struct given *given, struct error *err)
{
    const struct uri_option *option = given->option;
    char *value = uri_decode(given->pair.value);
    bool ok = value && (!option || option->accepts(option, value));
    if (!value)
        error_set(
            err,
            "option \"%.*s\" holds a \"%%\" that begins no escape, or an escape of what is no UTF-8: a literal %% "
            "is written %%25",
            SHOWN(given));
    else if (!ok && given->uri->may_quote && !option->is_secret)
        error_set(err, "option %s: expected %s, got \"%s\"", option->name, option->expected, value);
    else if (!ok)
        error_set(err, "option %s: expected %s", option->name, option->expected);
    memory_erase(value);
    return ok;
}

/* The same option, by whatever name, before this one. */
static bool find_earlier(const struct given *given, struct given *earlier)
{
    struct uri_span rest = given->uri->options;
    while (next_given(given->uri, &rest, earlier) && earlier->pair.name.at < given->pair.name.at)
        if (given->option && earlier->option == given->option)
            return true;
    return false;
}

/* Which of two counts differs from driver to driver, and in libmongoc from option to option. */
static bool check_repeated(const struct given *given, struct error *err)
{
    struct given earlier;
    struct uri_span one = given->pair.value;
    if (!find_earlier(given, &earlier) || given->option->is_composed ||
        (earlier.pair.value.size == one.size && memcmp(earlier.pair.value.at, one.at, one.size) == 0))
        return true;
    error_set(err, "option %s is given twice, with different values; give it once", given->option->name);
    return false;
}

bool uri_options_check(const struct uri *uri, struct error *err)
{
    struct uri_span rest = uri->options;
    struct given given;
    while (next_given(uri, &rest, &given))
        if (!check_form(&given, err) || !check_value(&given, err) || !check_repeated(&given, err))
            return false;
    return true;
}

bool uri_options_check_value(const char *name, const char *value, struct error *err)
{
    const struct uri_option *option = uri_option_find((struct uri_span){name, strlen(name)});
    bool is_text = uri_can_hold(value), ok = is_text && option->accepts(option, value);
    if (!is_text)
        error_set(err, "expected UTF-8");
    else if (!ok && option->is_secret)
        error_set(err, "expected %s", option->expected);
    else if (!ok)
        error_set(err, "expected %s, got \"%s\"", option->expected, value);
    return ok;
}

static void warn_unknown(const struct given *given, const char *source, struct message_list *warnings)
{
    const char *guess = uri_option_guess(given->pair.name);
    message_list_add(warnings, "%s: option \"%.*s\" is not known and has no effect%s%s%s", source, SHOWN(given),
                     guess ? "; did you mean " : "", guess ? guess : "", guess ? "?" : "");
}

void uri_options_review(const struct uri *uri, const char *source, struct message_list *warnings)
{
    struct uri_span rest = uri->options;
    struct given given, earlier;
    while (next_given(uri, &rest, &given)) {
        const struct uri_option *option = given.option;
        bool is_harmless = option && option->harmless && uri_span_is(given.pair.value, option->harmless);
        if (!option)
            warn_unknown(&given, source, warnings);
        else if (option->unused && !is_harmless && !find_earlier(&given, &earlier))
            message_list_add(warnings, "%s: option %s has no effect: %s", source, option->name, option->unused);
    }
}

char *uri_options_get(const struct uri *uri, const char *name)
{
    struct uri_span rest = uri->options;
    struct given given;
    while (next_given(uri, &rest, &given))
        if (given.option && strcmp(given.option->name, name) == 0)
            return uri_decode(given.pair.value);
    return NULL;
}

bool uri_options_say(const struct uri *uri, const char *name, const char *value)
{
    char *given = uri_options_get(uri, name);
    bool ok = given && strcasecmp(given, value) == 0;
    memory_erase(given);
    return ok;
}

static void append_pair(struct buffer *out, const char *name, size_t name_size, const char *value, size_t value_size)
{
    buffer_append(out, name, name_size);
    buffer_append(out, "=", 1);
    buffer_append(out, value, value_size);
}

char *uri_options_set(const char *text, const char *name, const char *value)
{
    struct uri uri;
    struct given given;
    uri_split(&uri, text, NULL);
    struct buffer out = {0};
    char *encoded = uri_encode(value);
    const char *end = uri.database.at + uri.database.size;
    /* No byte of a secret is left behind where the buffer was before it grew. */
    buffer_reserve(&out, strlen(text) + strlen(name) + strlen(encoded) + sizeof "/?&=");
    buffer_append(&out, text, (size_t)(end - text));
    buffer_append_printf(&out, uri.database.at[-1] == '/' ? "?" : "/?");
    while (next_given(&uri, &uri.options, &given)) {
        if (given.option && strcmp(given.option->name, name) == 0)
            continue;
        append_pair(&out, given.pair.name.at, given.pair.name.size, given.pair.value.at, given.pair.value.size);
        buffer_append(&out, "&", 1);
    }
    append_pair(&out, name, strlen(name), encoded, strlen(encoded));
    buffer_append(&out, "", 1);
    memory_erase(encoded);
    return (char *)out.data;
}
