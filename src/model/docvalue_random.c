/* SPDX-License-Identifier: Apache-2.0 */
/* #RAND_INT, #RAND_DOUBLE and #SHUFFLED_INT. */
#include <assert.h>

#include <xxhash.h>

#include "model/docvalue_kinds.h"
#include "model/shuffle.h"

/* As the operator of the same name in ops: int32, or int64 where the product is beyond. An argument that is an operator
 * itself becomes a child, as then do the others. */
static void compile_rand_int(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    int64_t numbers[3] = {[2] = 1};
    for (size_t i = 0; i < json_array_size(argument); i++) {
        if (ejson_is_whole(json_array_get(argument, i), &numbers[i]))
            continue;
        docvalue_compile_children(value, argument, scope);
        return;
    }
    value->as.integer.low = numbers[0];
    value->as.integer.high = numbers[1];
    value->as.integer.factor = numbers[2];
}

static bool append_rand_int(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                            struct error *err)
{
    int64_t numbers[3] = {value->as.integer.low, value->as.integer.high, value->as.integer.factor};
    if (value->child_count > 0)
        numbers[2] = 1;
    for (size_t i = 0; i < value->child_count; i++)
        if (!docvalue_number(&value->children[i], now, &numbers[i], err))
            return false;
    assert(numbers[0] < numbers[1]);
    int64_t number = (numbers[0] + rng_below(&now->rng, (uint32_t)(numbers[1] - numbers[0]))) * numbers[2];
    bool ok = number == (int32_t)number ? bson_append_int32(doc, key, -1, (int32_t)number)
                                        : bson_append_int64(doc, key, -1, number);
    return ok || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_rand_int = {compile_rand_int, append_rand_int, NULL};

static void compile_rand_double(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    (void)scope;
    value->as.real.low = json_number_value(json_array_get(argument, 0));
    value->as.real.step = json_number_value(json_array_get(argument, 2));
    value->as.real.steps = operator_step_count(argument);
    assert(value->as.real.steps > 0);
}

static bool append_rand_double(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                               struct error *err)
{
    double number = value->as.real.low + (double)rng_below_u64(&now->rng, value->as.real.steps) * value->as.real.step;
    return bson_append_double(doc, key, -1, number) || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_rand_double = {compile_rand_double, append_rand_double, NULL};

static void compile_shuffled_int(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    value->as.shuffle.size = (uint64_t)json_integer_value(argument);
    value->as.shuffle.key = XXH3_64bits_withSeed(&scope->sites, sizeof scope->sites, scope->seed);
    scope->sites++;
}

/* Documents beyond the size begin again with the first number. */
static bool append_shuffled_int(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                                struct error *err)
{
    uint64_t size = value->as.shuffle.size;
    uint64_t number = shuffle_position(now->doc % size, size, value->as.shuffle.key);
    return bson_append_double(doc, key, -1, (double)number) || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_shuffled_int = {compile_shuffled_int, append_shuffled_int, NULL};
