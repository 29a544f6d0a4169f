/* SPDX-License-Identifier: Apache-2.0 */
/* #INDEX: as(((i div D) mod M) * mul + add). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/docvalue_kinds.h"

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

static bool read_of(struct docvalue_index *index, const json_t *json, const struct docvalue_scope *scope,
                    struct error *err)
{
    const char *of = json_string_value(json);
    if (json_is_integer(json)) {
        index->of = OF_FIXED;
        index->fixed = json_integer_value(json);
    } else if (of && strcmp(of, "item") == 0 && scope->inside_array) {
        index->of = OF_ITEM;
    } else if (of && strcmp(of, "item") == 0) {
        error_set(err, "\"item\" counts elements of an #ARRAY, and there is none around");
        return false;
    } else if (!of || strcmp(of, "doc") != 0) {
        error_set(err, "expected \"doc\", \"item\" or an integer");
        return false;
    }
    return true;
}

static bool read_as(struct docvalue_index *index, const json_t *json, struct error *err)
{
    for (size_t i = 0; json_is_string(json) && i < sizeof types / sizeof *types; i++)
        if (strcmp(json_string_value(json), types[i].name) == 0) {
            index->append = types[i].append;
            return true;
        }
    error_set(err, "expected \"double\", \"int32\", \"int64\", \"decimal\", \"date\" or \"string\"");
    return false;
}

static bool read_divisor(int64_t *divisor, const json_t *json, int64_t least, struct error *err)
{
    if (docvalue_whole(json, divisor) && *divisor >= least)
        return true;
    error_set(err, "expected a whole number from %lld", (long long)least);
    return false;
}

static struct docvalue_index *read_index(const json_t *json, const struct docvalue_scope *scope, struct error *err);

static bool read_factor(struct factor *factor, const json_t *json, const struct docvalue_scope *scope,
                        struct error *err)
{
    const json_t *argument;
    const char *name = ejson_operator(json, &argument);
    if (json_is_integer(json))
        factor->number = from_whole(json_integer_value(json));
    else if (json_is_real(json))
        factor->number = from_real(json_real_value(json));
    else if (name && strcmp(name, docvalue_kind_index.name) == 0) {
        factor->index = read_index(argument, scope, err);
        if (!factor->index)
            error_prefix_path(err, name);
        return factor->index != NULL;
    } else {
        error_set(err, "expected a number or {\"#INDEX\": ..}");
        return false;
    }
    return true;
}

static bool read_member(struct docvalue_index *index, const char *key, const json_t *json,
                        const struct docvalue_scope *scope, struct error *err)
{
    if (strcmp(key, "of") == 0)
        return read_of(index, json, scope, err);
    if (strcmp(key, "div") == 0)
        return read_divisor(&index->div, json, 1, err);
    if (strcmp(key, "mod") == 0)
        return read_divisor(&index->mod, json, 0, err);
    if (strcmp(key, "mul") == 0)
        return read_factor(&index->mul, json, scope, err);
    if (strcmp(key, "add") == 0)
        return read_factor(&index->add, json, scope, err);
    if (strcmp(key, "as") == 0)
        return read_as(index, json, err);
    error_set(err, "unknown key, expected of, div, mod, mul, add or as");
    return false;
}

static struct docvalue_index *read_index(const json_t *json, const struct docvalue_scope *scope, struct error *err)
{
    if (!json_is_object(json)) {
        error_set(err, "expected an object with any of of, div, mod, mul, add, as");
        return NULL;
    }
    struct docvalue_index *index = memory_zeroed(1, sizeof *index);
    index->div = 1;
    index->mul.number = from_whole(1);
    index->add.number = from_whole(0);
    index->append = append_double;
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)(uintptr_t)json, key, member)
    {
        if (!read_member(index, key, member, scope, err)) {
            error_prefix_path(err, key);
            free_index(index);
            return NULL;
        }
    }
    return index;
}

static bool compile_index(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope,
                          struct error *err)
{
    value->as.index = read_index(argument, scope, err);
    return value->as.index != NULL;
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

const struct docvalue_kind docvalue_kind_index = {"#INDEX", compile_index, append_index, release_index};
