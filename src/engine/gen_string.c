/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/compile.h"
#include "engine/gen.h"
#include "engine/plan_parts.h"

/* #RAND_STRING: text over 64 characters, five of them for each 32 random bits. */
struct rand_string {
    struct gen gen;
    struct gen_number length;
};

static const uint8_t alphabet[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t put_rand_string(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct rand_string *string = (const struct rand_string *)gen;
    size_t length = (size_t)gen_number_next(&string->length, state);
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

static const struct gen *compile_rand_string(struct compiler *compiler, const char *key, const json_t *argument)
{
    (void)key;
    struct rand_string *string = arena_alloc(&compiler->plan->arena, sizeof *string);
    if (json_array_size(argument) != 1) {
        error_set(compiler->err, "expected [length]");
        return NULL;
    }
    if (!gen_number_compile(compiler, json_array_get(argument, 0), "length", &string->length))
        return compile_at(compiler, "0"), NULL;
    if (string->length.low < 1 || string->length.high > WIRE_DOCUMENT_MAX) {
        error_set(compiler->err, "expected a length between 1 and %u", WIRE_DOCUMENT_MAX);
        return compile_at(compiler, "0"), NULL;
    }
    string->gen.put = put_rand_string;
    string->gen.types = 1u << WIRE_STRING;
    string->gen.size_min = 4 + (size_t)string->length.low + 1;
    string->gen.size_max = 4 + (size_t)string->length.high + 1;
    return &string->gen;
}

const struct gen_kind gen_rand_string = {.name = "#RAND_STRING", .compile = compile_rand_string};
