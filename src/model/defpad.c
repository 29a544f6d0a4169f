/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defpad.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/ejson.h"
#include "model/operator.h"
#include "model/opvalue.h"

static json_t *text_of(size_t length, char c)
{
    char *text = memory_zeroed(length + 1, 1);
    memset(text, c, length);
    json_t *string = json_string(text);
    free(text);
    return string;
}

/* A literal as large in BSON as what the operator makes; NULL when that varies. */
static json_t *same_size(const json_t *operator_value, const json_t *variables)
{
    const json_t *argument;
    struct opvalue range;
    int64_t length = 0;
    switch (operator_of(operator_value, &argument)) {
    case OPERATOR_RAND_INT:
        range = opvalue_of(operator_value, variables);
        return range.low >= INT32_MIN && range.high <= INT32_MAX ? json_integer(0) : NULL;
    case OPERATOR_SEQ_INT:
    case OPERATOR_CUR_DATE:
        return json_real(0);
    case OPERATOR_OID:
        return json_pack("{ss}", "$oid", "000000000000000000000000");
    case OPERATOR_RAND_STRING:
        ejson_is_whole(json_array_get(argument, 0), &length);
        return text_of((size_t)length, 'x');
    default:
        return NULL;
    }
}

/* A copy with every operator replaced; NULL and its name when one varies in size. */
static json_t *measurable(const json_t *value, const json_t *variables, const char **varying)
{
    const json_t *item;
    const char *key, *name = ejson_operator(value, NULL);
    if (name) {
        json_t *literal = same_size(value, variables);
        *varying = literal ? *varying : name;
        return literal;
    }
    if (json_is_string(value) && strncmp(json_string_value(value), "#B_", 3) == 0)
        *varying = json_string_value(value);
    if (!json_is_object(value) && !json_is_array(value))
        return json_incref((json_t *)(uintptr_t)value);
    json_t *copy = json_is_object(value) ? json_object() : json_array();
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
        json_object_set_new_nocheck(copy, key, measurable(item, variables, varying));
    json_array_foreach(value, i, item)
        json_array_append_new(copy, measurable(item, variables, varying));
    return copy;
}

static const char *find_pad(const json_t *document, const json_t **pad)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)document, key, value) {
        *pad = json_object_get(value, "@pad");
        if (*pad)
            return key;
    }
    return NULL;
}

void defpad_fill(struct defexpand *expand, const struct defref *at, json_t *document)
{
    const json_t *pad;
    const char *key = find_pad(document, &pad), *varying = NULL;
    if (!key) {
        defsource_error(expand->source, at, "\"@pad\" is for a field of the document itself");
        return;
    }
    int64_t to = json_integer_value(json_object_get(pad, "to"));
    char c = json_string_value(json_object_get(pad, "char"))[0];
    char *name = memory_strdup(key);
    json_object_set_new_nocheck(document, name, json_string(""));
    json_t *copy = measurable(document, expand->variables, &varying);
    bson_t bson = BSON_INITIALIZER;
    if (varying)
        defsource_error(expand->source, at, "\"@pad\" in an operation: the size of %s is not known before", varying);
    else if (ejson_append_all(&bson, copy, NULL, NULL) && bson.len > to)
        defsource_error(expand->source, at, "\"@pad\": the document has %u bytes already, more than %" PRId64, bson.len,
                        to);
    else if (defexpand_spend(expand, at, (uint64_t)to, 1))
        json_object_set_new_nocheck(document, name, text_of((size_t)(to - bson.len), c));
    bson_destroy(&bson);
    json_decref(copy);
    free(name);
}
