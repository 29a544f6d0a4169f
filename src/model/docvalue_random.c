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

struct integers {
    int64_t low, high, factor;
};

static bool check_integers(const struct integers *range, struct error *err)
{
    int64_t first, last;
    if (range->low < INT32_MIN || range->high > INT32_MAX || range->low >= range->high)
        return range_expected("min < max, both of 32 bits", err);
    if (__builtin_mul_overflow(range->low, range->factor, &first) ||
        __builtin_mul_overflow(range->high - 1, range->factor, &last) || first != (int32_t)first ||
        last != (int32_t)last)
        return range_expected("min * factor and (max - 1) * factor of 32 bits", err);
    return true;
}

static bool has_operator(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (ejson_operator(json_array_get(list, i), NULL))
            return true;
    return false;
}

/* int32, as the operator of the same name in ops. An argument that is an operator itself becomes a child, as then do
 * the others. */
static bool compile_rand_int(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope,
                             struct error *err)
{
    struct integers range = {.factor = 1};
    size_t count = json_array_size(argument);
    if (has_operator(argument) && count >= 2 && count <= 3)
        return docvalue_compile_children(value, argument, scope, err);
    if (count < 2 || count > 3 || !docvalue_whole(json_array_get(argument, 0), &range.low) ||
        !docvalue_whole(json_array_get(argument, 1), &range.high) ||
        (count == 3 && !docvalue_whole(json_array_get(argument, 2), &range.factor)))
        return range_expected("[min, max] or [min, max, factor], whole numbers", err);
    if (!check_integers(&range, err))
        return false;
    value->as.integer.low = range.low;
    value->as.integer.factor = range.factor;
    value->as.integer.range = (uint32_t)(range.high - range.low);
    return true;
}

static bool evaluate_integers(const struct docvalue *value, struct docvalue_now *now, struct integers *range,
                              struct error *err)
{
    int64_t *const numbers[] = {&range->low, &range->high, &range->factor};
    range->factor = 1;
    for (size_t i = 0; i < value->child_count && i < sizeof numbers / sizeof *numbers; i++)
        if (!docvalue_number(&value->children[i], now, numbers[i], err))
            return false;
    return check_integers(range, err);
}

static bool append_rand_int(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                            struct error *err)
{
    struct integers range = {.low = value->as.integer.low, .factor = value->as.integer.factor};
    uint32_t width = value->as.integer.range;
    if (value->child_count > 0) {
        if (!evaluate_integers(value, now, &range, err)) {
            error_prefix(err, "%s: #RAND_INT", key);
            return false;
        }
        width = (uint32_t)(range.high - range.low);
    }
    int64_t number = (range.low + rng_below(&now->rng, width)) * range.factor;
    return bson_append_int32(doc, key, -1, (int32_t)number) || docvalue_too_large(err);
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
