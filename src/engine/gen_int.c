/* SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "engine/compile.h"

#include "engine/gen.h"
#include "engine/plan_parts.h"
#include <assert.h>

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

static bool is_int32(const struct gen_number *number)
{
    return number->low >= INT32_MIN && number->high <= INT32_MAX;
}

/* A variable that #RAND_INT_PLUS_THREAD has set grows with the sessions; nothing else can be wrong here. */
static bool check_range(struct compiler *compiler, const struct rand_int *range)
{
    if (!is_int32(&range->min) || !is_int32(&range->max) || !is_int32(&range->mult))
        error_set(compiler->err,
                  "with %u sessions a number can be out of the range of int32 (-2147483648 to 2147483647)",
                  compiler->plan->sessions);
    else if (range->max.low <= range->min.high)
        error_set(compiler->err, "with %u sessions min can be %lld and max %lld; max has to be greater than min",
                  compiler->plan->sessions, (long long)range->min.high, (long long)range->max.low);
    else
        return true;
    return false;
}

static struct rand_int *compile_range(struct compiler *compiler, const json_t *argument)
{
    struct rand_int *range = arena_alloc(&compiler->plan->arena, sizeof *range);
    struct gen_number *const numbers[] = {&range->min, &range->max, &range->mult};
    *range = (struct rand_int){.mult = {.low = 1, .high = 1}};
    size_t count = json_array_size(argument);
    assert(count <= COUNT_OF(numbers));
    for (size_t i = 0; i < count; i++)
        if (!gen_number_compile(compiler, json_array_get(argument, i), numbers[i]))
            return compile_at_index(compiler, i), NULL;
    return check_range(compiler, range) ? range : NULL;
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

const struct gen *gen_make_rand_int(struct compiler *compiler, const json_t *argument)
{
    struct rand_int *range = compile_range(compiler, argument);
    if (!range)
        return NULL;
    int64_t low = range->min.low, high = range->max.high - 1;
    int64_t corners[] = {low * range->mult.low, low * range->mult.high, high * range->mult.low,
                         high * range->mult.high};
    gen_set_integer_range(&range->gen, least(corners, 4), greatest(corners, 4));
    range->gen.put = put_rand_int;
    return &range->gen;
}

static size_t put_rand_int_plus_thread(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    int64_t distance;
    int64_t value = draw((const struct rand_int *)gen, state, &distance);
    return gen_put_integer(value + distance * state->id, out, type);
}

const struct gen *gen_make_rand_int_plus_thread(struct compiler *compiler, const json_t *argument)
{
    struct rand_int *range = compile_range(compiler, argument);
    if (!range)
        return NULL;
    int64_t distance_max = range->max.high - range->min.low;
    int64_t last_id = (int64_t)compiler->plan->sessions - 1;
    gen_set_integer_range(&range->gen, range->min.low, range->max.high - 1 + distance_max * last_id);
    range->gen.put = put_rand_int_plus_thread;
    return &range->gen;
}
