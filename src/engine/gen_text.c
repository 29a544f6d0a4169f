/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gen_text.h"

#include <string.h>

/* "-9223372036854775808"; "-1.234567890123456e-308" and ".0"; "new Date(-9223372036854775808)". */
enum { INT32_TEXT_MAX = 11, INT64_TEXT_MAX = 20, BOOL_TEXT_MAX = 5, DOUBLE_TEXT_MAX = 26, DATE_TEXT_MAX = 30 };

size_t gen_text_size_max(const struct gen *gen)
{
    size_t size = 0;
    if (gen->types & 1u << WIRE_STRING)
        size = gen->size_max > 5 ? gen->size_max - 5 : 0;
    size_t others = 0;
    if (gen->types & 1u << WIRE_BOOL)
        others = BOOL_TEXT_MAX;
    if (gen->types & 1u << WIRE_INT32)
        others = INT32_TEXT_MAX;
    if (gen->types & 1u << WIRE_INT64)
        others = INT64_TEXT_MAX;
    if (gen->types & 1u << WIRE_DOUBLE)
        others = DOUBLE_TEXT_MAX;
    if (gen->types & 1u << WIRE_DATE)
        others = DATE_TEXT_MAX;
    return size > others ? size : others;
}

static size_t put_text(uint8_t *out, const char *text)
{
    size_t size = strlen(text);
    memcpy(out, text, size);
    return size;
}

static size_t put_decimal(int64_t value, uint8_t *out)
{
    uint8_t digits[20];
    size_t first = sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        digits[--first] = (uint8_t)('0' + rest % 10);
    while ((rest /= 10) > 0);
    size_t sign = value < 0;
    out[0] = '-';
    memcpy(out + sign, digits + first, sizeof digits - first);
    return sign + sizeof digits - first;
}

/* Doubles come from the definition only; their texts were made when it was compiled. */
static size_t put_double(const struct gen_state *state, int64_t bits, uint8_t *out)
{
    for (size_t i = 0; i < state->double_text_count; i++) {
        if (state->double_texts[i].bits == bits)
            return put_text(out, state->double_texts[i].text);
    }
    return put_text(out, "NaN");
}

static size_t put_date(int64_t wall_ms, uint8_t *out)
{
    size_t size = put_text(out, "new Date(");
    size += put_decimal(wall_ms, out + size);
    out[size++] = ')';
    return size;
}

size_t gen_text_put(const struct gen_state *state, uint8_t type, const uint8_t *value, uint8_t *out)
{
    switch (type) {
    case WIRE_INT32:
        return put_decimal(wire_get_i32(value), out);
    case WIRE_INT64:
        return put_decimal(wire_get_i64(value), out);
    case WIRE_BOOL:
        return put_text(out, value[0] ? "true" : "false");
    case WIRE_DATE:
        return put_date(wire_get_i64(value), out);
    case WIRE_DOUBLE:
        return put_double(state, wire_get_i64(value), out);
    default:
        return 0;
    }
}
