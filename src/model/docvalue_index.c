/* SPDX-License-Identifier: Apache-2.0 */
/* #INDEX: as(((i div D) mod M) * mul + add). */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "model/docvalue_kinds.h"
#include "model/opvalue.h"

/* Whole numbers stay whole, so that a date or an id of 64 bits is exact. */
struct number {
    bool is_whole;
    int64_t whole;
    double real;
};

struct factor {
    struct docvalue_index *index; /* NULL: `number` */
    struct number number;
};

struct docvalue_index {
    enum { OF_DOC, OF_ITEM, OF_FIXED } of;
    int64_t fixed; /* a number that the expansion knew already */
    int64_t div, mod;
    struct factor mul, add;
    bool (*append)(bson_t *doc, const char *key, struct number number);
};

static struct number from_whole(int64_t whole)
{
    return (struct number){true, whole, (double)whole};
}

static struct number from_real(double real)
{
    bool is_whole = fabs(real) <= (double)OPVALUE_EXACT_MAX && real == floor(real) && !(real == 0 && signbit(real));
    if (is_whole)
        return from_whole((int64_t)real);
    return (struct number){false, 0, real};
}

static struct number multiply(struct number a, struct number b)
{
    int64_t product;
    if (a.is_whole && b.is_whole && !__builtin_mul_overflow(a.whole, b.whole, &product))
        return from_whole(product);
    return from_real(a.real * b.real);
}

static struct number add(struct number a, struct number b)
{
    int64_t sum;
    if (a.is_whole && b.is_whole && !__builtin_add_overflow(a.whole, b.whole, &sum))
        return from_whole(sum);
    return from_real(a.real + b.real);
}

static struct number evaluate(const struct docvalue_index *index, const struct docvalue_now *now)
{
    int64_t i = index->of == OF_DOC ? (int64_t)now->doc : index->of == OF_ITEM ? (int64_t)now->item : index->fixed;
    i /= index->div;
    if (index->mod > 0)
        i %= index->mod;
    struct number mul = index->mul.index ? evaluate(index->mul.index, now) : index->mul.number;
    struct number plus = index->add.index ? evaluate(index->add.index, now) : index->add.number;
    return add(multiply(from_whole(i), mul), plus);
}

/* A fraction is cut off; false when the number does not fit. */
static bool to_whole(struct number number, int64_t *whole)
{
    if (number.is_whole) {
        *whole = number.whole;
        return true;
    }
    if (!(number.real >= -0x1p63 && number.real < 0x1p63))
        return false;
    *whole = (int64_t)number.real;
    return true;
}

static void to_text(struct number number, char text[32])
{
    if (number.is_whole)
        snprintf(text, 32, "%lld", (long long)number.whole);
    else
        snprintf(text, 32, "%.16g", number.real);
}

static bool append_double(bson_t *doc, const char *key, struct number number)
{
    return bson_append_double(doc, key, -1, number.real);
}

static bool append_int32(bson_t *doc, const char *key, struct number number)
{
    int64_t whole;
    return to_whole(number, &whole) && whole >= INT32_MIN && whole <= INT32_MAX &&
           bson_append_int32(doc, key, -1, (int32_t)whole);
}

static bool append_int64(bson_t *doc, const char *key, struct number number)
{
    int64_t whole;
    return to_whole(number, &whole) && bson_append_int64(doc, key, -1, whole);
}

static bool append_date(bson_t *doc, const char *key, struct number number)
{
    int64_t whole;
    return to_whole(number, &whole) && bson_append_date_time(doc, key, -1, whole);
}

static bool append_decimal(bson_t *doc, const char *key, struct number number)
{
    char text[32];
    bson_decimal128_t decimal;
    to_text(number, text);
    return bson_decimal128_from_string(text, &decimal) && bson_append_decimal128(doc, key, -1, &decimal);
}

static bool append_string(bson_t *doc, const char *key, struct number number)
{
    char text[32];
    to_text(number, text);
    return bson_append_utf8(doc, key, -1, text, -1);
}

static const struct {
    const char *name;
    bool (*append)(bson_t *doc, const char *key, struct number number);
} types[] = {
    {"double", append_double},   {"int32", append_int32}, {"int64", append_int64},
    {"decimal", append_decimal}, {"date", append_date},   {"string", append_string},
};

static void free_index(struct docvalue_index *index)
{
    if (!index)
        return;
    free_index(index->mul.index);
    free_index(index->add.index);
    free(index);
}

static void read_of(struct docvalue_index *index, const json_t *of)
{
    if (ejson_is_whole(of, &index->fixed))
        index->of = OF_FIXED;
    else
        index->of = strcmp(json_string_value(of), "item") == 0 ? OF_ITEM : OF_DOC;
}

static void read_as(struct docvalue_index *index, const char *as)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strcmp(as, types[i].name) == 0)
            index->append = types[i].append;
    assert(index->append);
}

static struct docvalue_index *read_index(const json_t *argument);

static void read_factor(struct factor *factor, const json_t *json)
{
    const json_t *argument;
    if (operator_of(json, &argument) == OPERATOR_INDEX)
        factor->index = read_index(argument);
    else if (json_is_integer(json))
        factor->number = from_whole(json_integer_value(json));
    else
        factor->number = from_real(json_real_value(json));
}

/* All six members are there: testcase.h. */
static struct docvalue_index *read_index(const json_t *argument)
{
    struct docvalue_index *index = memory_zeroed(1, sizeof *index);
    read_of(index, json_object_get(argument, "of"));
    read_as(index, json_string_value(json_object_get(argument, "as")));
    index->div = json_integer_value(json_object_get(argument, "div"));
    index->mod = json_integer_value(json_object_get(argument, "mod"));
    assert(index->div >= 1 && index->mod >= 0);
    read_factor(&index->mul, json_object_get(argument, "mul"));
    read_factor(&index->add, json_object_get(argument, "add"));
    return index;
}

static void compile_index(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    (void)scope;
    value->as.index = read_index(argument);
}

static bool append_index(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                         struct error *err)
{
    struct number number = evaluate(value->as.index, now);
    if (value->as.index->append(doc, key, number))
        return true;
    error_set(err, "%s: the value of #INDEX, %.17g, does not fit its type", key, number.real);
    return false;
}

static void release_index(struct docvalue *value)
{
    free_index(value->as.index);
}

const struct docvalue_kind docvalue_kind_index = {compile_index, append_index, release_index};
