/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/buffer.h"

/* Little-endian, on every machine. */
static void append_u64(struct buffer *out, uint64_t number)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    buffer_append(out, bytes, sizeof bytes);
}

static void append_double(struct buffer *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    append_u64(out, bits);
}

static void append_text(struct buffer *out, const char *text, size_t length)
{
    append_u64(out, length);
    buffer_append(out, text, length);
}

/* Binary, for the sake of speed: to print the numbers of all definitions takes longer than to read the files. Type and
 * length stand before each value, so that no two values give the same bytes. */
static void append_value(struct buffer *out, json_t *value)
{
    const char *key;
    json_t *member;
    uint8_t type = (uint8_t)json_typeof(value);
    buffer_append(out, &type, 1);
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        append_u64(out, json_object_size(value));
        json_object_foreach(value, key, member) {
            append_text(out, key, strlen(key));
            append_value(out, member);
        }
        break;
    case JSON_ARRAY:
        append_u64(out, json_array_size(value));
        for (size_t i = 0; i < json_array_size(value); i++)
            append_value(out, json_array_get(value, i));
        break;
    case JSON_STRING:
        append_text(out, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        append_u64(out, (uint64_t)json_integer_value(value));
        break;
    case JSON_REAL:
        append_double(out, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        break;
    }
}

void fingerprint_json(json_t *value, char text[FINGERPRINT_SIZE])
{
    struct buffer bytes = {0};
    append_value(&bytes, value);
    snprintf(text, FINGERPRINT_SIZE, "%016" PRIx64, (uint64_t)XXH3_64bits(bytes.data, bytes.size));
    buffer_release(&bytes);
}
