/* SPDX-License-Identifier: Apache-2.0 */
/* #RAND_INT, #RAND_DOUBLE and #SHUFFLED_INT. */
#include <math.h>

#include <xxhash.h>

#include "model/docvalue_kinds.h"
#include "model/shuffle.h"

static bool range_expected(const char *form, struct error *err)
{
    error_set(err, "expected %s", form);
    return false;
}

/* int32, as the operator of the same name in ops. */
static bool compile_rand_int(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope,
                             struct error *err)
{
    (void)scope;
    int64_t low, high, factor = 1;
    size_t count = json_array_size(argument);
    if (count < 2 || count > 3 || !docvalue_whole(json_array_get(argument, 0), &low) ||
        !docvalue_whole(json_array_get(argument, 1), &high) ||
        (count == 3 && !docvalue_whole(json_array_get(argument, 2), &factor)))
        return range_expected("[min, max] or [min, max, factor], whole numbers", err);
    if (low < INT32_MIN || high > INT32_MAX || low >= high)
        return range_expected("min < max, both of 32 bits", err);
    int64_t first, last;
    if (__builtin_mul_overflow(low, factor, &first) || __builtin_mul_overflow(high - 1, factor, &last) ||
        first != (int32_t)first || last != (int32_t)last)
        return range_expected("min * factor and (max - 1) * factor of 32 bits", err);
    value->as.integer.low = low;
    value->as.integer.factor = factor;
    value->as.integer.range = (uint32_t)(high - low);
    return true;
}

static bool append_rand_int(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                            struct error *err)
{
    int64_t number = value->as.integer.low + rng_below(&now->rng, value->as.integer.range);
    return bson_append_int32(doc, key, -1, (int32_t)(number * value->as.integer.factor)) || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_rand_int = {"#RAND_INT", compile_rand_int, append_rand_int, NULL};

static bool compile_rand_double(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope,
                                struct error *err)
{
    (void)scope;
    if (json_array_size(argument) != 3 || !json_is_number(json_array_get(argument, 0)) ||
        !json_is_number(json_array_get(argument, 1)) || !json_is_number(json_array_get(argument, 2)))
        return range_expected("[low, high, step], numbers", err);
    double low = json_number_value(json_array_get(argument, 0));
    double high = json_number_value(json_array_get(argument, 1));
    double step = json_number_value(json_array_get(argument, 2));
    /* high itself is left out, also when rounding makes the quotient a hair more than a whole number. */
    double steps = ceil((high - low) / step * (1 - 4e-16));
    if (!(step > 0 && low < high && steps < 0x1p53))
        return range_expected("low < high, step > 0, at most 2^53 steps", err);
    value->as.real.low = low;
    value->as.real.step = step;
    value->as.real.steps = (uint64_t)steps;
    return true;
}

static bool append_rand_double(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                               struct error *err)
{
    double number = value->as.real.low + (double)rng_below_u64(&now->rng, value->as.real.steps) * value->as.real.step;
    return bson_append_double(doc, key, -1, number) || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_rand_double = {"#RAND_DOUBLE", compile_rand_double, append_rand_double, NULL};

static bool compile_shuffled_int(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope,
                                 struct error *err)
{
    int64_t size;
    if (!docvalue_whole(argument, &size) || size < 1 || size > INT64_C(1) << 53)
        return range_expected("a whole number from 1 to 2^53", err);
    value->as.shuffle.size = (uint64_t)size;
    value->as.shuffle.key = XXH3_64bits_withSeed(&scope->sites, sizeof scope->sites, scope->seed);
    scope->sites++;
    return true;
}

/* Documents beyond the size begin again with the first number. */
static bool append_shuffled_int(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                                struct error *err)
{
    uint64_t size = value->as.shuffle.size;
    uint64_t number = shuffle_position(now->doc % size, size, value->as.shuffle.key);
    return bson_append_double(doc, key, -1, (double)number) || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_shuffled_int = {"#SHUFFLED_INT", compile_shuffled_int, append_shuffled_int,
                                                         NULL};
