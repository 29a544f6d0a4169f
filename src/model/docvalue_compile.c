/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/docvalue_kinds.h"
#include "model/testcase.h"

/* Before a key in which "{doc}" is the document's number. */
#define NUMBERED_KEY "@doc:"

static const struct docvalue_kind *const makers[OPERATOR_COUNT] = {
    [OPERATOR_RAND_INT] = &docvalue_kind_rand_int,
    [OPERATOR_RAND_STRING] = &docvalue_kind_rand_string,
    [OPERATOR_CONCAT] = &docvalue_kind_concat,
    [OPERATOR_OID] = &docvalue_kind_oid,
    [OPERATOR_CUR_DATE] = &docvalue_kind_cur_date,
    [OPERATOR_INDEX] = &docvalue_kind_index,
    [OPERATOR_CYCLE] = &docvalue_kind_cycle,
    [OPERATOR_RAND_DOUBLE] = &docvalue_kind_rand_double,
    [OPERATOR_SHUFFLED_INT] = &docvalue_kind_shuffled_int,
    [OPERATOR_ARRAY] = &docvalue_kind_array,
};

bool docvalue_has_maker(enum operator_id id)
{
    return makers[id] != NULL;
}

/* What makes the value anew for each document, @pad included; NULL when it is the same in all. */
static const struct docvalue_kind *find_maker(const json_t *json, const json_t **argument)
{
    enum operator_id id = operator_of(json, argument);
    if (id != OPERATOR_COUNT)
        return makers[id];
    *argument = json_object_size(json) == 1 ? json_object_get(json, "@pad") : NULL;
    return *argument ? &docvalue_kind_pad : NULL;
}

static bool is_numbered(const char *key)
{
    return strncmp(key, NUMBERED_KEY, strlen(NUMBERED_KEY)) == 0;
}

static bool is_constant(const json_t *json)
{
    const json_t *argument;
    if (find_maker(json, &argument))
        return false;
    json_t *mutable = (json_t *)(uintptr_t)json; /* jansson's loops want it so */
    const char *key;
    json_t *item;
    size_t i;
    json_object_foreach(mutable, key, item) {
        if (is_numbered(key) || !is_constant(item))
            return false;
    }
    json_array_foreach(mutable, i, item) {
        if (!is_constant(item))
            return false;
    }
    return true;
}

struct docvalue *docvalue_add_child(struct docvalue *parent)
{
    /* Doubles when the count reaches a power of two. */
    size_t count = parent->child_count;
    if ((count & (count - 1)) == 0)
        parent->children = memory_resize(parent->children, count ? count * 2 : 1, sizeof *parent->children);
    parent->child_count++;
    struct docvalue *child = &parent->children[count];
    *child = (struct docvalue){0};
    return child;
}

/* The run of constant fields at the end of `parent`, begun when there is none. */
static bson_t *open_run(struct docvalue *parent)
{
    size_t count = parent->child_count;
    if (count > 0 && !parent->children[count - 1].key)
        return parent->children[count - 1].as.constant;
    struct docvalue *run = docvalue_add_child(parent);
    run->kind = &docvalue_kind_constant;
    run->as.constant = bson_new();
    return run->as.constant;
}

static void append_literal(bson_t *doc, const char *key, const json_t *json, const struct docvalue_scope *scope)
{
    bool ok = ejson_append(doc, key, json, scope->names, NULL);
    assert(ok);
    (void)ok;
}

static void add_field(struct docvalue *parent, const char *name, const json_t *json, struct docvalue_scope *scope)
{
    bool numbered = is_numbered(name);
    char *key =
        testcase_resolve_string(numbered ? name + strlen(NUMBERED_KEY) : name, scope->names ? scope->names->db : NULL,
                                scope->names ? scope->names->coll : NULL);
    if (!numbered && is_constant(json)) {
        append_literal(open_run(parent), key, json, scope);
        free(key);
        return;
    }
    struct docvalue *child = docvalue_add_child(parent);
    child->key = key;
    child->key_holds_number = numbered;
    docvalue_compile(child, json, scope);
}

static void compile_fields(struct docvalue *value, const json_t *json, struct docvalue_scope *scope)
{
    json_t *mutable = (json_t *)(uintptr_t)json;
    const char *key;
    json_t *item;
    size_t i;
    json_object_foreach(mutable, key, item) {
        add_field(value, key, item, scope);
    }
    json_array_foreach(mutable, i, item) {
        char buffer[16];
        const char *index;
        bson_uint32_to_string((uint32_t)i, &index, buffer, sizeof buffer);
        add_field(value, index, item, scope);
    }
}

void docvalue_compile(struct docvalue *value, const json_t *json, struct docvalue_scope *scope)
{
    const json_t *argument;
    value->kind = find_maker(json, &argument);
    if (value->kind) {
        value->kind->compile(value, argument, scope);
    } else if (is_constant(json)) {
        value->kind = &docvalue_kind_constant;
        value->as.constant = bson_new();
        append_literal(value->as.constant, "", json, scope);
    } else {
        value->kind = json_is_array(json) ? &docvalue_kind_list : &docvalue_kind_document;
        compile_fields(value, json, scope);
    }
}

void docvalue_compile_children(struct docvalue *value, const json_t *list, struct docvalue_scope *scope)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        docvalue_compile(docvalue_add_child(value), json_array_get(list, i), scope);
}

void docvalue_compile_document(struct docvalue *value, const json_t *json, struct docvalue_scope *scope)
{
    const json_t *choices;
    if (operator_of(json, &choices) != OPERATOR_CYCLE) {
        value->kind = &docvalue_kind_document;
        compile_fields(value, json, scope);
        return;
    }
    value->kind = &docvalue_kind_cycle;
    for (size_t i = 0; i < json_array_size(choices); i++)
        docvalue_compile_document(docvalue_add_child(value), json_array_get(choices, i), scope);
}
