/* SPDX-License-Identifier: Apache-2.0 */
/* #CYCLE and #ARRAY. */
#include <assert.h>

#include "model/docvalue_kinds.h"

static void compile_cycle(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    assert(json_array_size(argument) > 0);
    docvalue_compile_children(value, argument, scope);
}

static bool append_cycle(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                         struct error *err)
{
    return docvalue_append(&value->children[now->doc % value->child_count], doc, key, now, err);
}

const struct docvalue_kind docvalue_kind_cycle = {compile_cycle, append_cycle, NULL};

/* The children of an #ARRAY: how many elements, and what each is. */
enum { ARRAY_COUNT, ARRAY_VALUE };

static void compile_array(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    bool outer = scope->inside_array;
    docvalue_compile(docvalue_add_child(value), json_object_get(argument, "count"), scope);
    scope->inside_array = true;
    docvalue_compile(docvalue_add_child(value), json_object_get(argument, "value"), scope);
    scope->inside_array = outer;
}

static bool element_count(const struct docvalue *value, struct docvalue_now *now, uint32_t *count, struct error *err)
{
    int64_t number;
    bool ok = docvalue_number(&value->children[ARRAY_COUNT], now, &number, err);
    if (ok && (number < 0 || number > DOCUMENT_BYTES_MAX)) {
        error_set(err, "expected a count from 0 to %d, got %lld", DOCUMENT_BYTES_MAX, (long long)number);
        ok = false;
    }
    if (!ok) {
        error_prefix(err, "#ARRAY");
        return false;
    }
    *count = (uint32_t)number;
    return true;
}

static bool append_elements(const struct docvalue *element, bson_t *list, uint32_t count, struct docvalue_now *now,
                            struct error *err)
{
    for (uint32_t i = 0; i < count && list->len <= DOCUMENT_BYTES_MAX; i++) {
        char buffer[16];
        const char *key;
        bson_uint32_to_string(i, &key, buffer, sizeof buffer);
        now->item = i;
        if (!docvalue_append(element, list, key, now, err))
            return false;
    }
    return true;
}

static bool append_array(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                         struct error *err)
{
    uint32_t count;
    bson_t list;
    if (!element_count(value, now, &count, err))
        return false;
    if (!bson_append_array_begin(doc, key, -1, &list))
        return docvalue_too_large(err);
    uint64_t outer = now->item;
    bool ok = append_elements(&value->children[ARRAY_VALUE], &list, count, now, err);
    now->item = outer;
    return bson_append_array_end(doc, &list) && ok;
}

const struct docvalue_kind docvalue_kind_array = {compile_array, append_array, NULL};
