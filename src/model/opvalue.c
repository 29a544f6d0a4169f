/* SPDX-License-Identifier: Apache-2.0 */
#include "model/opvalue.h"

#include <string.h>

#include "model/defexpand.h"
#include "model/ejson.h"
#include "model/operator.h"

static const struct opvalue text = {.gives = OPVALUE_TEXT}, other = {.gives = OPVALUE_OTHER};

static struct opvalue number(int64_t low, int64_t high)
{
    return (struct opvalue){OPVALUE_NUMBER, low, high};
}

/* A fraction is cut off; what no int64 holds is as large as can be. */
static int64_t cut(double real)
{
    if (real >= 0x1p63)
        return INT64_MAX;
    return real >= -0x1p63 ? (int64_t)real : INT64_MIN;
}

static struct opvalue of_literal(const json_t *value)
{
    if (json_is_integer(value))
        return number(json_integer_value(value), json_integer_value(value));
    if (json_is_real(value))
        return number(cut(json_real_value(value)), cut(json_real_value(value)));
    return json_is_string(value) || json_is_boolean(value) ? text : other;
}

static struct opvalue of_wrapper(const json_t *value)
{
    bson_t holder = BSON_INITIALIZER;
    bson_iter_t iter;
    struct opvalue result = other;
    bool is_good = ejson_append(&holder, "v", value, NULL, NULL) && bson_iter_init_find(&iter, &holder, "v");
    if (is_good && BSON_ITER_HOLDS_DATE_TIME(&iter))
        result = text;
    else if (is_good && BSON_ITER_HOLDS_DOUBLE(&iter))
        result = number(cut(bson_iter_double(&iter)), cut(bson_iter_double(&iter)));
    else if (is_good && BSON_ITER_HOLDS_INT(&iter))
        result = number(bson_iter_as_int64(&iter), bson_iter_as_int64(&iter));
    bson_destroy(&holder);
    return result;
}

static void widen(struct opvalue *all, int64_t value)
{
    all->low = value < all->low ? value : all->low;
    all->high = value > all->high ? value : all->high;
}

/* From min to max - 1, times mult: the extremes are at the corners. All are within int32. */
static struct opvalue of_rand_int(const json_t *argument, const json_t *variables)
{
    struct opvalue min = opvalue_of(json_array_get(argument, 0), variables),
                   max = opvalue_of(json_array_get(argument, 1), variables), mult = number(1, 1);
    if (json_array_size(argument) == 3)
        mult = opvalue_of(json_array_get(argument, 2), variables);
    struct opvalue all = number(min.low * mult.low, min.low * mult.low);
    widen(&all, min.low * mult.high);
    widen(&all, (max.high - 1) * mult.low);
    widen(&all, (max.high - 1) * mult.high);
    return all;
}

static struct opvalue of_seq_int(const json_t *argument)
{
    int64_t mod;
    if (!ejson_is_whole(json_object_get(argument, "mod"), &mod))
        return number(INT64_MIN, INT64_MAX);
    /* Another use of the sequence may step below zero, and the remainder keeps the sign. */
    return number(1 - mod, mod - 1);
}

static struct opvalue of_index(const json_t *argument)
{
    const char *as = json_string_value(json_object_get(argument, "as"));
    if (strcmp(as, "decimal") == 0)
        return other;
    return strcmp(as, "date") == 0 || strcmp(as, "string") == 0 ? text : number(INT64_MIN, INT64_MAX);
}

/* As good as the worst of them. */
static struct opvalue of_cycle(const json_t *argument, const json_t *variables)
{
    struct opvalue all = opvalue_of(json_array_get(argument, 0), variables);
    for (size_t i = 1; i < json_array_size(argument); i++) {
        struct opvalue one = opvalue_of(json_array_get(argument, i), variables);
        all.gives = one.gives > all.gives ? one.gives : all.gives;
        widen(&all, one.low);
        widen(&all, one.high);
    }
    return all;
}

void opvalue_store(json_t *variables, const char *name, const json_t *value)
{
    struct opvalue it = opvalue_of(value, variables);
    json_object_set_new(
        variables, name,
        json_pack("{s:i,s:I,s:I}", "gives", (int)it.gives, "low", (json_int_t)it.low, "high", (json_int_t)it.high));
}

static struct opvalue of_variable(const json_t *name, const json_t *variables)
{
    const json_t *stored = json_object_get(variables, json_string_value(name));
    struct opvalue it =
        number(json_integer_value(json_object_get(stored, "low")), json_integer_value(json_object_get(stored, "high")));
    it.gives = json_integer_value(json_object_get(stored, "gives"));
    return it;
}

struct opvalue opvalue_of(const json_t *value, const json_t *variables)
{
    const json_t *argument;
    switch (operator_of(value, &argument)) {
    case OPERATOR_RAND_INT:
        return of_rand_int(argument, variables);
    case OPERATOR_RAND_INT_PLUS_THREAD:
        return of_rand_int(argument, variables);
    case OPERATOR_SEQ_INT:
        return of_seq_int(argument);
    case OPERATOR_VARIABLE:
        return of_variable(argument, variables);
    case OPERATOR_INDEX:
        return of_index(argument);
    case OPERATOR_CYCLE:
        return of_cycle(argument, variables);
    case OPERATOR_RAND_DOUBLE:
    case OPERATOR_SHUFFLED_INT:
        return number(INT64_MIN, INT64_MAX);
    case OPERATOR_RAND_STRING:
    case OPERATOR_CONCAT:
    case OPERATOR_CUR_DATE:
        return text;
    case OPERATOR_OID:
    case OPERATOR_ARRAY:
        return other;
    case OPERATOR_COUNT:
        break;
    }
    return ejson_is_wrapper(value) ? of_wrapper(value) : of_literal(value);
}
