/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "engine/compile.h"
#include "engine/gen.h"
#include "engine/plan_parts.h"

/* #RAND_STRING: text over 64 characters, five of them for each 32 random bits. */
struct rand_string {
    struct gen gen;
    size_t length;
};

static const uint8_t alphabet[OPERATOR_LETTER_COUNT] = OPERATOR_LETTERS;

static size_t put_rand_string(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct rand_string *string = (const struct rand_string *)gen;
    size_t length = string->length;
    wire_put_u32(out, (uint32_t)length + 1);
    uint8_t *at = out + 4;
    size_t left = length;
    for (; left >= 5; left -= 5, at += 5) {
        uint32_t bits = rng_u32(&state->rng);
        at[0] = alphabet[bits & 63];
        at[1] = alphabet[bits >> 6 & 63];
        at[2] = alphabet[bits >> 12 & 63];
        at[3] = alphabet[bits >> 18 & 63];
        at[4] = alphabet[bits >> 24 & 63];
    }
    if (left > 0) {
        for (uint32_t bits = rng_u32(&state->rng); left > 0; left--, bits >>= 6)
            *at++ = alphabet[bits & 63];
    }
    *at = 0;
    *type = WIRE_STRING;
    return 4 + length + 1;
}

const struct gen *gen_make_rand_string(struct compiler *compiler, const json_t *argument)
{
    struct rand_string *string = arena_alloc(&compiler->plan->arena, sizeof *string);
    int64_t length = 0;
    ejson_is_whole(json_array_get(argument, 0), &length);
    assert(length >= 1 && length <= DOCUMENT_BYTES_MAX);
    string->length = (size_t)length;
    string->gen.put = put_rand_string;
    string->gen.types = 1u << WIRE_STRING;
    string->gen.size_min = string->gen.size_max = 4 + string->length + 1;
    return &string->gen;
}
