/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/compile.h"
#include "engine/gen.h"
#include "engine/plan_parts.h"

/* #RAND_INT and #RAND_INT_PLUS_THREAD: a random whole number in [min, max). */
struct rand_int {
    struct gen gen;
    struct gen_number min, max, mult;
};

/* min and max are within int32, so their distance is within uint32. */
static inline int64_t draw(const struct rand_int *range, struct gen_state *state, int64_t *distance)
{
    int64_t min = gen_number_next(&range->min, state);
    *distance = gen_number_next(&range->max, state) - min;
    return min + rng_below(&state->rng, (uint32_t)*distance);
}

static struct rand_int *compile_range(struct compiler *compiler, const json_t *argument, size_t count_max)
{
    struct rand_int *range = arena_alloc(&compiler->plan->arena, sizeof *range);
    size_t count = json_array_size(argument);
    if (count < 2 || count > count_max) {
        error_set(compiler->err, count_max > 2 ? "expected [min, max] or [min, max, mult]" : "expected [min, max]");
        return NULL;
    }
    if (!gen_number_compile(compiler, json_array_get(argument, 0), "min", &range->min))
        return compile_at(compiler, "0"), NULL;
    if (!gen_number_compile(compiler, json_array_get(argument, 1), "max", &range->max))
        return compile_at(compiler, "1"), NULL;
    if (range->max.low <= range->min.high) {
        error_set(compiler->err, "max has to be greater than min; min can be %lld, max %lld",
                  (long long)range->min.high, (long long)range->max.low);
        return NULL;
    }
    return range;
}

static size_t put_rand_int(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct rand_int *range = (const struct rand_int *)gen;
    int64_t distance;
    int64_t value = draw(range, state, &distance);
    /* Both within int32: the product is within int64. */
    return gen_put_integer(value * gen_number_next(&range->mult, state), out, type);
}

static int64_t least(const int64_t *values, size_t count)
{
    int64_t result = values[0];
    for (size_t i = 1; i < count; i++)
        result = values[i] < result ? values[i] : result;
    return result;
}

static int64_t greatest(const int64_t *values, size_t count)
{
    int64_t result = values[0];
    for (size_t i = 1; i < count; i++)
        result = values[i] > result ? values[i] : result;
    return result;
}

static const struct gen *compile_rand_int(struct compiler *compiler, const char *key, const json_t *argument)
{
    (void)key;
    struct rand_int *range = compile_range(compiler, argument, 3);
    if (!range)
        return NULL;
    range->mult = (struct gen_number){.low = 1, .high = 1};
    if (json_array_size(argument) == 3 &&
        !gen_number_compile(compiler, json_array_get(argument, 2), "mult", &range->mult))
        return compile_at(compiler, "2"), NULL;
    int64_t low = range->min.low, high = range->max.high - 1;
    int64_t corners[] = {low * range->mult.low, low * range->mult.high, high * range->mult.low,
                         high * range->mult.high};
    gen_set_integer_range(&range->gen, least(corners, 4), greatest(corners, 4));
    range->gen.put = put_rand_int;
    return &range->gen;
}

const struct gen_kind gen_rand_int = {.name = "#RAND_INT", .compile = compile_rand_int};

static size_t put_rand_int_plus_thread(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    int64_t distance;
    int64_t value = draw((const struct rand_int *)gen, state, &distance);
    return gen_put_integer(value + distance * state->id, out, type);
}

static const struct gen *compile_rand_int_plus_thread(struct compiler *compiler, const char *key,
                                                      const json_t *argument)
{
    (void)key;
    /* mongo-perf ignores a third element. */
    struct rand_int *range = compile_range(compiler, argument, 3);
    if (!range)
        return NULL;
    int64_t distance_max = range->max.high - range->min.low;
    int64_t last_id = (int64_t)compiler->plan->sessions - 1;
    gen_set_integer_range(&range->gen, range->min.low, range->max.high - 1 + distance_max * last_id);
    range->gen.put = put_rand_int_plus_thread;
    return &range->gen;
}

const struct gen_kind gen_rand_int_plus_thread = {.name = "#RAND_INT_PLUS_THREAD",
                                                  .compile = compile_rand_int_plus_thread};
