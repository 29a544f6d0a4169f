/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_GEN_H
#define ENGINE_GEN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "engine/wire.h"
#include "model/operator.h"

struct compiler;
struct gen_state;

/*
 * A compiled value: a constant, an operator with its arguments, or a document that holds operators. Read-only, in the
 * plan's arena; shared by all sessions. What it may give is known when it is compiled: the BSON types, the least and
 * the largest size, for numbers the range. So nothing has to be checked when it is asked.
 */
struct gen {
    /* Writes the next value's bytes (without type and key) to `out`, which has room for size_max; tells its type.
     * Returns its size. */
    size_t (*put)(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type);
    uint32_t types; /* gen_type_bit() of each type that it may give */
    size_t size_min, size_max;
    int64_t low, high; /* numbers only: the least and the largest value, fractions cut off */
};

/* #SEQ_INT: one per seq_id. */
struct gen_sequence {
    int64_t previous;
    bool begun;
};

/* What the last `let` of this variable gave; `bytes` has room for the largest. */
struct gen_variable_value {
    uint8_t *bytes;
    size_t size;
    uint8_t type;
};

/* How a double that a variable may hold is written by #CONCAT: made when compiled, nothing is printed later. */
struct gen_double_text {
    int64_t bits;
    const char *text;
};

/* All that generators change; one a session. */
struct gen_state {
    struct rng rng;
    unsigned id; /* the session's number */
    int64_t wall_ms;
    struct gen_sequence *sequences;
    struct gen_variable_value *variables;
    const struct gen_double_text *double_texts;
    size_t double_text_count;
    uint64_t oid_middle; /* 40 bits */
    uint32_t oid_counter;
};

/*
 * Makes the generator of one operator from its argument, which operator.h has checked. NULL: the compiler holds the
 * error, which is about a size or about a number that grows with the sessions; nothing else is left to complain about.
 */
typedef const struct gen *gen_maker(struct compiler *compiler, const json_t *argument);

gen_maker gen_make_rand_int, gen_make_rand_int_plus_thread, gen_make_seq_int, gen_make_rand_string, gen_make_concat,
    gen_make_oid, gen_make_variable, gen_make_cur_date;

/* NULL: the operator does not stay in operations. */
gen_maker *gen_find_maker(enum operator_id id);

/* A value known now: `size` bytes of BSON of this type. The bytes are copied. */
const struct gen *gen_constant(struct compiler *compiler, uint8_t type, const void *bytes, size_t size);

/* A number that an operator is given: literal, or another operator. */
struct gen_number {
    const struct gen *gen; /* NULL: always `low` */
    int64_t low, high;
};

bool gen_number_compile(struct compiler *compiler, const json_t *value, struct gen_number *number);
int64_t gen_number_evaluate(const struct gen *gen, struct gen_state *state);

static inline int64_t gen_number_next(const struct gen_number *number, struct gen_state *state)
{
    return number->gen ? gen_number_evaluate(number->gen, state) : number->low;
}

static inline uint32_t gen_type_bit(uint8_t type)
{
    return type < 30 ? 1u << type : type == 0xFF ? 1u << 30 : 1u << 31;
}

#define GEN_NUMBERS (1u << WIRE_DOUBLE | 1u << WIRE_INT32 | 1u << WIRE_INT64)

/* 0: it depends on the value. */
uint8_t gen_only_type(const struct gen *gen);
static inline bool gen_is_fixed(const struct gen *gen)
{
    return gen->size_min == gen->size_max && (gen->types & (gen->types - 1)) == 0;
}

/* Sets types and sizes of a generator of integers between low and high: int32, int64 for values beyond. */
void gen_set_integer_range(struct gen *gen, int64_t low, int64_t high);
static inline size_t gen_put_integer(int64_t value, uint8_t *out, uint8_t *type)
{
    if (value == (int32_t)value) {
        wire_put_u32(out, (uint32_t)value);
        *type = WIRE_INT32;
        return 4;
    }
    wire_put_u64(out, (uint64_t)value);
    *type = WIRE_INT64;
    return 8;
}

#endif
