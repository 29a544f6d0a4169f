/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/json_scan.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 100
#define NUMBER_MAX 40
/* Whole numbers of so many digits fit 64 bits. */
#define DIGITS_MAX 18

struct scan {
    const char *at, *end;
    const struct json_thinning *thinning;
    unsigned depth;
};

/* The functions below return false where jansson has to decide; then *value is what was read so far, to be released.
 * A `value` of NULL is not kept. */
static bool scan_value(struct scan *scan, bool is_thinned, json_t **value);

static char next(struct scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t' || *scan->at == '\r'))
        scan->at++;
    return scan->at < scan->end ? *scan->at : '\0';
}

static bool take(struct scan *scan, char c)
{
    if (next(scan) != c)
        return false;
    scan->at++;
    return true;
}

static bool scan_text(struct scan *scan, const char **text, size_t *length)
{
    if (!take(scan, '"'))
        return false;
    const char *c = scan->at;
    while (c < scan->end && *c >= ' ' && *c != '"' && *c != '\\') /* a char of 128 or more is negative */
        c++;
    if (c == scan->end || *c != '"')
        return false;
    *text = scan->at;
    *length = (size_t)(c - scan->at);
    scan->at = c + 1;
    return true;
}

static bool scan_string(struct scan *scan, json_t **value)
{
    const char *text;
    size_t length;
    if (!scan_text(scan, &text, &length))
        return false;
    if (value)
        *value = json_stringn_nocheck(text, length);
    return true;
}

static size_t skip_digits(struct scan *scan)
{
    const char *from = scan->at;
    while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9')
        scan->at++;
    return (size_t)(scan->at - from);
}

static bool skip(struct scan *scan, char either, char or)
{
    bool is_there = scan->at < scan->end && (*scan->at == either || *scan->at == or);
    scan->at += is_there;
    return is_there;
}

/* The grammar of RFC 8259; *is_whole: without fraction and exponent. */
static bool skip_number(struct scan *scan, bool *is_whole)
{
    skip(scan, '-', '-');
    const char *first = scan->at;
    size_t digits = skip_digits(scan);
    if (digits == 0 || (digits > 1 && *first == '0'))
        return false;
    bool has_fraction = skip(scan, '.', '.');
    if (has_fraction && skip_digits(scan) == 0)
        return false;
    bool has_exponent = skip(scan, 'e', 'E');
    if (has_exponent)
        skip(scan, '+', '-');
    *is_whole = !has_fraction && !has_exponent;
    return !has_exponent || skip_digits(scan) > 0;
}

static json_t *whole_number(const char *text, size_t length)
{
    json_int_t number = 0;
    bool is_negative = *text == '-';
    for (size_t i = is_negative; i < length; i++)
        number = number * 10 + (text[i] - '0');
    return json_integer(is_negative ? -number : number);
}

/* The locale is "C": no program that reads results changes it. */
static json_t *real_number(const char *text, size_t length)
{
    char copy[NUMBER_MAX + 1];
    memcpy(copy, text, length);
    copy[length] = '\0';
    return json_real(strtod(copy, NULL)); /* NULL for infinity */
}

static bool scan_number(struct scan *scan, json_t **value)
{
    const char *from = scan->at;
    bool is_whole;
    if (!skip_number(scan, &is_whole))
        return false;
    size_t length = (size_t)(scan->at - from);
    if (length > (is_whole ? DIGITS_MAX : NUMBER_MAX))
        return false;
    if (value)
        *value = is_whole ? whole_number(from, length) : real_number(from, length);
    return !value || *value;
}

static bool scan_literal(struct scan *scan, const char *word, json_t *literal, json_t **value)
{
    size_t length = strlen(word);
    if ((size_t)(scan->end - scan->at) <= length || memcmp(scan->at, word, length) != 0)
        return false;
    scan->at += length;
    if (value)
        *value = literal;
    return !((*scan->at | 32) >= 'a' && (*scan->at | 32) <= 'z');
}

static bool scan_element(struct scan *scan, bool is_thinned, json_t *array)
{
    json_t *element = NULL;
    if (scan_value(scan, is_thinned, array ? &element : NULL))
        return !array || json_array_append_new(array, element) == 0;
    json_decref(element);
    return false;
}

static bool scan_array(struct scan *scan, bool is_thinned, json_t *array)
{
    scan->at++;
    if (take(scan, ']'))
        return true;
    do {
        if (!scan_element(scan, is_thinned, array))
            return false;
    } while (take(scan, ','));
    return take(scan, ']');
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return name && name[0] == text[0] && strncmp(name, text, length) == 0 && name[length] == '\0';
}

static bool is_wanted(const struct scan *scan, const char *text, size_t length)
{
    const char *const *member = scan->thinning->members;
    while (*member && !is_name(*member, text, length))
        member++;
    return *member != NULL;
}

/* A name that is there twice leaves the object as large as it was. */
static bool set_member(json_t *object, const char *name, size_t length, json_t *value)
{
    size_t size = json_object_size(object);
    return json_object_setn_new_nocheck(object, name, length, value) == 0 && json_object_size(object) > size;
}

static bool scan_member(struct scan *scan, bool is_thinned, json_t *object)
{
    const char *name;
    size_t length;
    if (!scan_text(scan, &name, &length) || !take(scan, ':'))
        return false;
    json_t *value = NULL;
    bool is_kept = object && (!is_thinned || is_wanted(scan, name, length));
    if (scan_value(scan, is_name(scan->thinning->array, name, length), is_kept ? &value : NULL))
        return !is_kept || set_member(object, name, length, value);
    json_decref(value);
    return false;
}

static bool scan_object(struct scan *scan, bool is_thinned, json_t *object)
{
    scan->at++;
    if (take(scan, '}'))
        return true;
    do {
        if (!scan_member(scan, is_thinned, object))
            return false;
    } while (take(scan, ','));
    return take(scan, '}');
}

static bool scan_container(struct scan *scan, bool is_thinned, json_t **value)
{
    bool is_object = *scan->at == '{';
    json_t *container = !value ? NULL : is_object ? json_object() : json_array();
    if (value)
        *value = container;
    if (scan->depth++ >= DEPTH_MAX)
        return false;
    bool ok = is_object ? scan_object(scan, is_thinned, container) : scan_array(scan, is_thinned, container);
    scan->depth--;
    return ok;
}

static bool scan_value(struct scan *scan, bool is_thinned, json_t **value)
{
    switch (next(scan)) {
    case '{':
    case '[':
        return scan_container(scan, is_thinned, value);
    case '"':
        return scan_string(scan, value);
    case 't':
        return scan_literal(scan, "true", json_true(), value);
    case 'f':
        return scan_literal(scan, "false", json_false(), value);
    case 'n':
        return scan_literal(scan, "null", json_null(), value);
    default:
        return scan_number(scan, value);
    }
}

json_t *json_scan(const char *text, size_t size, const struct json_thinning *thinning, size_t *length)
{
    struct scan scan = {text, text + size, thinning, 0};
    json_t *value = NULL;
    if (!scan_value(&scan, false, &value)) {
        json_decref(value);
        return NULL;
    }
    *length = (size_t)(scan.at - text);
    return value;
}
