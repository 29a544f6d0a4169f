/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/walk.h"

#include <string.h>

#include "base/array.h"
#include "engine/wire.h"

bool walk_begin(struct walk *walk, const uint8_t *bytes, size_t size)
{
    if (size < 5 || wire_get_u32(bytes) != size || bytes[size - 1] != 0)
        return false;
    walk->next = bytes + 4;
    walk->end = bytes + size - 1;
    walk->ended = false;
    return true;
}

/* How the size of a value is told. */
enum { BY_STRING = -1, BY_DOCUMENT = -2, BY_BINARY = -3, BY_REGEX = -4, BY_POINTER = -5, BY_NOBODY = -6 };

static const int16_t value_sizes[] = {
    [0x00] = BY_NOBODY,   [0x01] = 8,        [0x02] = BY_STRING,  [0x03] = BY_DOCUMENT, [0x04] = BY_DOCUMENT,
    [0x05] = BY_BINARY,   [0x06] = 0,        [0x07] = 12,         [0x08] = 1,           [0x09] = 8,
    [0x0A] = 0,           [0x0B] = BY_REGEX, [0x0C] = BY_POINTER, [0x0D] = BY_STRING,   [0x0E] = BY_STRING,
    [0x0F] = BY_DOCUMENT, [0x10] = 4,        [0x11] = 8,          [0x12] = 8,           [0x13] = 16,
};

/* Bytes up to and including the next NUL; 0: there is none. */
static size_t text_size(const uint8_t *at, size_t left)
{
    const uint8_t *nul = left ? memchr(at, 0, left) : NULL;
    return nul ? (size_t)(nul - at) + 1 : 0;
}

/* length, text, NUL; the length counts the NUL. */
static bool measure_string(const uint8_t *at, size_t left, size_t *size)
{
    if (left < 5)
        return false;
    size_t length = wire_get_u32(at);
    if (length < 1 || length > left - 4 || at[4 + length - 1] != 0)
        return false;
    *size = 4 + length;
    return true;
}

/* Documents, and code with scope: a length that counts itself. */
static bool measure_document(const uint8_t *at, size_t left, size_t *size)
{
    if (left < 5)
        return false;
    *size = wire_get_u32(at);
    return *size >= 5 && *size <= left;
}

static bool measure_binary(const uint8_t *at, size_t left, size_t *size)
{
    if (left < 5 || wire_get_u32(at) > left - 5)
        return false;
    *size = 5 + (size_t)wire_get_u32(at);
    return true;
}

static bool measure_regex(const uint8_t *at, size_t left, size_t *size)
{
    size_t pattern = text_size(at, left);
    size_t options = pattern ? text_size(at + pattern, left - pattern) : 0;
    *size = pattern + options;
    return options != 0;
}

static bool measure_pointer(const uint8_t *at, size_t left, size_t *size)
{
    if (!measure_string(at, left, size) || left - *size < 12)
        return false;
    *size += 12;
    return true;
}

/* False: the value does not fit into the `left` bytes, or its type does not exist. */
static bool measure_value(uint8_t type, const uint8_t *at, size_t left, size_t *size)
{
    int16_t rule = BY_NOBODY;
    if (type < COUNT_OF(value_sizes))
        rule = value_sizes[type];
    else if (type == 0x7F || type == 0xFF)
        rule = 0;
    switch (rule) {
    case BY_STRING:
        return measure_string(at, left, size);
    case BY_DOCUMENT:
        return measure_document(at, left, size);
    case BY_BINARY:
        return measure_binary(at, left, size);
    case BY_REGEX:
        return measure_regex(at, left, size);
    case BY_POINTER:
        return measure_pointer(at, left, size);
    case BY_NOBODY:
        return false;
    default:
        *size = (size_t)rule;
        return *size <= left;
    }
}

bool walk_next(struct walk *walk)
{
    const uint8_t *at = walk->next;
    if (at == walk->end) {
        walk->ended = true;
        return false;
    }
    size_t left = (size_t)(walk->end - at);
    size_t key_size = text_size(at + 1, left - 1);
    if (key_size == 0)
        return false;
    walk->type = *at;
    walk->key = (const char *)at + 1;
    walk->value = at + 1 + key_size;
    if (!measure_value(walk->type, walk->value, left - 1 - key_size, &walk->value_size))
        return false;
    walk->next = walk->value + walk->value_size;
    return true;
}

bool walk_key_is(const struct walk *walk, const char *key)
{
    return strcmp(walk->key, key) == 0;
}

bool walk_enter(const struct walk *walk, struct walk *inside)
{
    return (walk->type == WIRE_DOCUMENT || walk->type == WIRE_ARRAY) &&
           walk_begin(inside, walk->value, walk->value_size);
}

bool walk_number(const struct walk *walk, int64_t *value)
{
    double number;
    switch (walk->type) {
    case WIRE_INT32:
        *value = wire_get_i32(walk->value);
        return true;
    case WIRE_INT64:
        *value = wire_get_i64(walk->value);
        return true;
    case WIRE_DOUBLE:
        number = wire_get_double(walk->value);
        /* 2^63 itself is no int64; a NaN fails both comparisons. */
        if (!(number >= -0x1p63 && number < 0x1p63))
            return false;
        *value = (int64_t)number;
        return true;
    default:
        return false;
    }
}

bool walk_truth(const struct walk *walk, bool *value)
{
    if (walk->type == WIRE_BOOL) {
        *value = walk->value[0] != 0;
        return true;
    }
    int64_t number;
    bool is_number = walk_number(walk, &number);
    *value = is_number && (number != 0 || (walk->type == WIRE_DOUBLE && wire_get_double(walk->value) != 0));
    return is_number;
}

bool walk_text(const struct walk *walk, const char **text, size_t *size)
{
    if (walk->type != WIRE_STRING)
        return false;
    *text = (const char *)walk->value + 4;
    *size = walk->value_size - 5;
    return true;
}
