/* SPDX-License-Identifier: Apache-2.0 */
#include "model/ejson.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/testcase.h"

/* First keys that make an object a wrapper. {"$regex": ..} is left out: the specification reads it as the query
 * operator. */
static const char *const wrapper_keys[] = {
    "$oid",          "$date",          "$numberInt", "$numberLong",
    "$numberDouble", "$numberDecimal", "$binary",    "$uuid",
    "$timestamp",    "$minKey",        "$maxKey",    "$undefined",
    "$symbol",       "$code",          "$dbPointer", "$regularExpression",
};

/* The first key of an object; NULL when it has none or the value is no object. */
static const char *first_key(const json_t *value)
{
    /* json_object_iter() takes a mutable object but changes nothing. */
    void *iter = json_is_object(value) ? json_object_iter((json_t *)(uintptr_t)value) : NULL;
    return iter ? json_object_iter_key(iter) : NULL;
}

bool ejson_is_wrapper_key(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(wrapper_keys); i++)
        if (strcmp(key, wrapper_keys[i]) == 0)
            return true;
    return false;
}

bool ejson_is_wrapper(const json_t *value)
{
    const char *key = first_key(value);
    return key && ejson_is_wrapper_key(key);
}

const char *ejson_operator(const json_t *value, const json_t **argument)
{
    const char *key = json_object_size(value) == 1 ? first_key(value) : NULL;
    if (!key || key[0] != '#' || key[1] == '#' || strncmp(key, "#B_", 3) == 0)
        return NULL;
    if (argument)
        *argument = json_object_get(value, key);
    return key;
}

bool ejson_is_whole(const json_t *value, int64_t *number)
{
    if (json_is_integer(value)) {
        *number = json_integer_value(value);
        return true;
    }
    double real = json_real_value(value);
    if (!json_is_real(value) || real != floor(real) || fabs(real) > 9007199254740992.0)
        return false;
    *number = (int64_t)real;
    return true;
}

static bool too_large(struct error *err)
{
    error_set(err, "the document is larger than BSON allows (2 GiB)");
    return false;
}

static bool is_double_text(const char *text)
{
    if (strcmp(text, "NaN") == 0 || strcmp(text, "Infinity") == 0 || strcmp(text, "-Infinity") == 0)
        return true;
    json_t *number = json_loads(text, JSON_DECODE_ANY, NULL);
    bool ok = json_is_number(number);
    json_decref(number);
    return ok;
}

/* The two texts that libbson takes whatever they say: as 0.0 and as NaN. */
static bool is_number_text(const json_t *wrapper)
{
    bson_decimal128_t decimal;
    const char *text = json_string_value(json_object_get(wrapper, "$numberDouble"));
    if (text)
        return is_double_text(text);
    text = json_string_value(json_object_get(wrapper, "$numberDecimal"));
    return !text || bson_decimal128_from_string(text, &decimal);
}

/* libbson knows the texts of dates, decimals, base64 and the rest. */
static bool append_wrapper(bson_t *doc, const char *key, const json_t *value, struct error *err)
{
    json_t *holder = json_pack("{sO}", "v", value);
    char *text = json_dumps(holder, JSON_COMPACT);
    json_decref(holder);
    bson_error_t reason = {0};
    bson_t *parsed = text ? bson_new_from_json((const uint8_t *)text, -1, &reason) : NULL;
    bson_iter_t iter;
    bool ok = parsed && is_number_text(value) && bson_iter_init_find(&iter, parsed, "v") &&
              bson_iter_type(&iter) != BSON_TYPE_DOCUMENT;
    if (!ok)
        error_set(err, "expected extended JSON, got {\"%s\": ..} with a value it cannot have%s%s", first_key(value),
                  reason.message[0] ? ": " : "", reason.message);
    else if (!bson_append_iter(doc, key, -1, &iter))
        ok = too_large(err);
    bson_destroy(parsed);
    free(text);
    return ok;
}

static char *resolve(const char *text, const struct ejson_names *names)
{
    return testcase_resolve_string(text, names ? names->db : NULL, names ? names->coll : NULL);
}

static bool append_string(bson_t *doc, const char *key, const json_t *value, const struct ejson_names *names)
{
    char *text = resolve(json_string_value(value), names);
    bool ok = bson_append_utf8(doc, key, -1, text, -1);
    free(text);
    return ok;
}

static bool append_integer(bson_t *doc, const char *key, json_int_t number)
{
    if (number >= INT32_MIN && number <= INT32_MAX)
        return bson_append_int32(doc, key, -1, (int32_t)number);
    return bson_append_int64(doc, key, -1, number);
}

static bool append_elements(bson_t *doc, const json_t *array, const struct ejson_names *names, struct error *err)
{
    size_t i;
    json_t *item;
    json_array_foreach(array, i, item) {
        char buffer[16];
        const char *index;
        bson_uint32_to_string((uint32_t)i, &index, buffer, sizeof buffer);
        if (!ejson_append(doc, index, item, names, err)) {
            error_prefix_path(err, index);
            return false;
        }
    }
    return true;
}

static bool append_nested(bson_t *doc, const char *key, const json_t *value, const struct ejson_names *names,
                          struct error *err)
{
    bson_t child;
    bool is_array = json_is_array(value);
    if (!(is_array ? bson_append_array_begin(doc, key, -1, &child) : bson_append_document_begin(doc, key, -1, &child)))
        return too_large(err);
    bool ok = is_array ? append_elements(&child, value, names, err) : ejson_append_all(&child, value, names, err);
    /* Both ends do the same; libbson checks neither against the kind. */
    return bson_append_document_end(doc, &child) && ok;
}

static bool append_value(bson_t *doc, const char *key, const json_t *value, const struct ejson_names *names,
                         struct error *err)
{
    bool ok = false;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        if (ejson_is_wrapper(value))
            return append_wrapper(doc, key, value, err);
        return append_nested(doc, key, value, names, err);
    case JSON_STRING:
        ok = append_string(doc, key, value, names);
        break;
    case JSON_INTEGER:
        ok = append_integer(doc, key, json_integer_value(value));
        break;
    case JSON_REAL:
        ok = bson_append_double(doc, key, -1, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        ok = bson_append_bool(doc, key, -1, json_is_true(value));
        break;
    case JSON_NULL:
        ok = bson_append_null(doc, key, -1);
        break;
    }
    return ok || too_large(err);
}

bool ejson_append(bson_t *doc, const char *key, const json_t *value, const struct ejson_names *names, struct error *err)
{
    const char *op = ejson_operator(value, NULL);
    if (op)
        error_set(err, "expected a literal, got the operator %s", op);
    return !op && append_value(doc, key, value, names, err);
}

bool ejson_append_all(bson_t *doc, const json_t *object, const struct ejson_names *names, struct error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        char *name = resolve(key, names);
        bool ok = ejson_append(doc, name, value, names, err);
        if (!ok)
            error_prefix_path(err, name);
        free(name);
        if (!ok)
            return false;
    }
    return true;
}
