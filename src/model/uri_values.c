/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/uri_option.h"

/* libmongoc reads more than these, and some of it in its own way ("t", "yes", "-1"). */
bool uri_value_is_truth(const struct uri_option *option, const char *value)
{
    (void)option;
    return strcasecmp(value, "true") == 0 || strcasecmp(value, "false") == 0;
}

/* One way to write each number: rules compare values as text. */
static bool is_within(const char *value, int64_t min, int64_t max)
{
    const char *digits = value + (*value == '-');
    bool has_zero = digits[0] == '0' && (digits[1] != '\0' || digits > value);
    if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0' || has_zero)
        return false;
    errno = 0;
    long long number = strtoll(value, NULL, 10);
    return errno == 0 && number >= min && number <= max;
}

bool uri_value_is_number(const struct uri_option *option, const char *value)
{
    return is_within(value, option->min, option->max);
}

bool uri_value_is_staleness(const struct uri_option *option, const char *value)
{
    return strcmp(value, "-1") == 0 || is_within(value, option->min, option->max);
}

static bool is_same(struct uri_span one, struct uri_span other, bool is_exact)
{
    return one.size == other.size &&
           (is_exact ? memcmp(one.at, other.at, one.size) : strncasecmp(one.at, other.at, one.size)) == 0;
}

static bool is_among_words(const void *context, struct uri_span value)
{
    const struct uri_option *option = context;
    struct uri_span rest = {option->words, strlen(option->words)};
    while (rest.size > 0) {
        struct uri_span word = rest;
        rest = uri_cut(&word, ',');
        while (rest.size > 0 && *rest.at == ' ')
            rest = (struct uri_span){rest.at + 1, rest.size - 1};
        if (is_same(word, value, option->is_exact))
            return true;
    }
    return false;
}

bool uri_value_is_word(const struct uri_option *option, const char *value)
{
    return is_among_words(option, (struct uri_span){value, strlen(value)});
}

/* Whether every piece of a list, cut at commas, is right. */
static bool all_pieces(const char *value, bool (*is_right)(const void *context, struct uri_span piece),
                       const void *context)
{
    struct uri_span rest = {value, strlen(value)};
    for (;;) {
        struct uri_span piece = rest;
        rest = uri_cut(&piece, ',');
        if (!is_right(context, piece))
            return false;
        if (piece.at + piece.size == value + strlen(value))
            return true;
    }
}

bool uri_value_is_list(const struct uri_option *option, const char *value)
{
    return all_pieces(value, is_among_words, option);
}

bool uri_value_is_text(const struct uri_option *option, const char *value)
{
    return option->max == 0 || strlen(value) <= (size_t)option->max;
}

/* "1y" is no number and no name: libmongoc would read it as 1. */
bool uri_value_is_w(const struct uri_option *option, const char *value)
{
    if (!isalpha((unsigned char)*value) && *value != '_')
        return is_within(value, option->min, option->max);
    for (; *value; value++)
        if (!isalnum((unsigned char)*value) && !strchr("_-.", *value))
            return false;
    return true;
}

/* "NAME:VALUE", neither of them empty, and one colon only: libmongoc takes all that follows a second one, commas
 * included, for the value. */
static bool split_entry(struct uri_span entry, struct uri_span *name, struct uri_span *value)
{
    *name = entry;
    *value = uri_cut(name, ':');
    return name->size > 0 && value->size > 0 && !memchr(value->at, ':', value->size);
}

static bool is_tag(const void *context, struct uri_span piece)
{
    (void)context;
    struct uri_span name, value;
    return split_entry(piece, &name, &value);
}

/* The empty one fits every member. */
bool uri_value_is_tags(const struct uri_option *option, const char *value)
{
    (void)option;
    return *value == '\0' || all_pieces(value, is_tag, NULL);
}

static bool is_property(const void *context, struct uri_span piece)
{
    (void)context;
    struct uri_span name, value;
    if (!split_entry(piece, &name, &value))
        return false;
    if (uri_span_is(name, "CANONICALIZE_HOST_NAME"))
        return uri_span_is(value, "true") || uri_span_is(value, "false");
    return uri_span_is(name, "SERVICE_NAME") || uri_span_is(name, "AWS_SESSION_TOKEN");
}

/* Of a name that is there twice libmongoc takes the first. */
static bool has_repeated_name(const char *value)
{
    for (const char *one = value; one; one = strchr(one, ',')) {
        one += *one == ',';
        size_t length = strcspn(one, ":") + 1;
        for (const char *other = one; (other = strchr(other, ','));)
            if (strncasecmp(++other, one, length) == 0)
                return true;
    }
    return false;
}

bool uri_value_is_properties(const struct uri_option *option, const char *value)
{
    (void)option;
    return all_pieces(value, is_property, NULL) && !has_repeated_name(value);
}

/* As RFC 6335 has it, but longer. */
bool uri_value_is_service(const struct uri_option *option, const char *value)
{
    (void)option;
    size_t length = strlen(value);
    bool has_letter = false;
    for (size_t i = 0; i < length; i++) {
        bool is_hyphen = value[i] == '-';
        if (is_hyphen ? i == 0 || i + 1 == length || value[i + 1] == '-' : !isalnum((unsigned char)value[i]))
            return false;
        has_letter = has_letter || isalpha((unsigned char)value[i]);
    }
    return has_letter && length <= 62;
}
