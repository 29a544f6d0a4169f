/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gen.h"

#include <assert.h>
#include <string.h>

#include "engine/compile.h"
#include "engine/plan_parts.h"

static gen_maker *const makers[OPERATOR_COUNT] = {
    [OPERATOR_RAND_INT] = gen_make_rand_int, [OPERATOR_RAND_INT_PLUS_THREAD] = gen_make_rand_int_plus_thread,
    [OPERATOR_SEQ_INT] = gen_make_seq_int,   [OPERATOR_RAND_STRING] = gen_make_rand_string,
    [OPERATOR_CONCAT] = gen_make_concat,     [OPERATOR_OID] = gen_make_oid,
    [OPERATOR_VARIABLE] = gen_make_variable, [OPERATOR_CUR_DATE] = gen_make_cur_date,
};

gen_maker *gen_find_maker(enum operator_id id)
{
    return makers[id];
}

uint8_t gen_only_type(const struct gen *gen)
{
    uint32_t types = gen->types;
    if (types == 0 || (types & (types - 1)) != 0)
        return 0;
    int bit = __builtin_ctz(types);
    return bit < 30 ? (uint8_t)bit : bit == 30 ? 0xFF : 0x7F;
}

void gen_set_integer_range(struct gen *gen, int64_t low, int64_t high)
{
    bool may_be_int32 = low <= INT32_MAX && high >= INT32_MIN;
    bool may_be_int64 = low < INT32_MIN || high > INT32_MAX;
    gen->types = (may_be_int32 ? 1u << WIRE_INT32 : 0) | (may_be_int64 ? 1u << WIRE_INT64 : 0);
    gen->size_min = may_be_int32 ? 4 : 8;
    gen->size_max = may_be_int64 ? 8 : 4;
    gen->low = low;
    gen->high = high;
}

/* The bytes of a number of type double, int32 or int64 as a whole number. */
static int64_t read_number(uint8_t type, const uint8_t *bytes)
{
    double number;
    switch (type) {
    case WIRE_INT32:
        return wire_get_i32(bytes);
    case WIRE_INT64:
        return wire_get_i64(bytes);
    case WIRE_DOUBLE:
        number = wire_get_double(bytes);
        if (number >= 0x1p63)
            return INT64_MAX;
        /* Also what is no number at all: out of every range that an operator accepts. */
        return number >= -0x1p63 ? (int64_t)number : INT64_MIN;
    default:
        return 0;
    }
}

struct constant {
    struct gen gen;
    const uint8_t *bytes;
    uint8_t type;
};

static size_t put_constant(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    (void)state;
    const struct constant *constant = (const struct constant *)gen;
    memcpy(out, constant->bytes, gen->size_max);
    *type = constant->type;
    return gen->size_max;
}

const struct gen *gen_constant(struct compiler *compiler, uint8_t type, const void *bytes, size_t size)
{
    struct constant *constant = arena_alloc(&compiler->plan->arena, sizeof *constant);
    constant->bytes = arena_copy(&compiler->plan->arena, bytes, size);
    constant->type = type;
    constant->gen.put = put_constant;
    constant->gen.types = gen_type_bit(type);
    constant->gen.size_min = constant->gen.size_max = size;
    constant->gen.low = constant->gen.high = read_number(type, constant->bytes);
    return &constant->gen;
}

int64_t gen_number_evaluate(const struct gen *gen, struct gen_state *state)
{
    uint8_t bytes[8];
    uint8_t type;
    gen->put(gen, state, bytes, &type);
    return read_number(type, bytes);
}

bool gen_number_compile(struct compiler *compiler, const json_t *value, struct gen_number *number)
{
    const struct gen *gen = compile_value(compiler, value);
    if (!gen)
        return false;
    assert((gen->types & ~GEN_NUMBERS) == 0);
    *number = (struct gen_number){.gen = gen->low == gen->high ? NULL : gen, .low = gen->low, .high = gen->high};
    return true;
}
