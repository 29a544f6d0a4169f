/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "model/docvalue_kinds.h"
#include "model/testcase.h"

/* Before a key in which "{doc}" is the document's number. */
#define NUMBERED_KEY "@doc:"

static const struct docvalue_kind *const operators[] = {
    &docvalue_kind_array,    &docvalue_kind_concat,      &docvalue_kind_cur_date,     &docvalue_kind_cycle,
    &docvalue_kind_index,    &docvalue_kind_oid,         &docvalue_kind_pad,          &docvalue_kind_rand_double,
    &docvalue_kind_rand_int, &docvalue_kind_rand_string, &docvalue_kind_shuffled_int,
};
#define OPERATOR_COUNT (sizeof operators / sizeof *operators)

bool docvalue_whole(const json_t *json, int64_t *number)
{
    if (json_is_integer(json)) {
        *number = json_integer_value(json);
        return true;
    }
    double real = json_real_value(json);
    if (!json_is_real(json) || !(real >= -0x1p63 && real < 0x1p63) || real != (double)(int64_t)real)
        return false;
    *number = (int64_t)real;
    return true;
}

/* The operator of an object, @pad included; NULL for anything else. */
static const char *operator_name(const json_t *json, const json_t **argument)
{
    const json_t *pad = json_object_size(json) == 1 ? json_object_get(json, "@pad") : NULL;
    if (!pad)
        return ejson_operator(json, argument);
    *argument = pad;
    return "@pad";
}

static bool is_numbered(const char *key)
{
    return strncmp(key, NUMBERED_KEY, strlen(NUMBERED_KEY)) == 0;
}

static bool is_constant(const json_t *json)
{
    const json_t *argument;
    if (operator_name(json, &argument))
        return false;
    json_t *mutable = (json_t *)(uintptr_t)json; /* jansson's loops want it so */
    const char *key;
    json_t *item;
    size_t i;
    json_object_foreach(mutable, key, item)
    {
        if (is_numbered(key) || !is_constant(item))
            return false;
    }
    json_array_foreach(mutable, i, item)
    {
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

static bool add_field(struct docvalue *parent, const char *name, const json_t *json, struct docvalue_scope *scope,
                      struct error *err)
{
    bool numbered = is_numbered(name);
    char *key =
        testcase_resolve_string(numbered ? name + strlen(NUMBERED_KEY) : name, scope->names ? scope->names->db : NULL,
                                scope->names ? scope->names->coll : NULL);
    bool ok;
    if (!numbered && is_constant(json)) {
        ok = ejson_append(open_run(parent), key, json, scope->names, err);
        free(key);
    } else {
        struct docvalue *child = docvalue_add_child(parent);
        child->key = key;
        child->key_holds_number = numbered;
        ok = docvalue_compile(child, json, scope, err);
    }
    if (!ok)
        error_prefix_path(err, name);
    return ok;
}

static bool compile_fields(struct docvalue *value, const json_t *json, struct docvalue_scope *scope, struct error *err)
{
    json_t *mutable = (json_t *)(uintptr_t)json;
    const char *key;
    json_t *item;
    size_t i;
    json_object_foreach(mutable, key, item)
    {
        if (!add_field(value, key, item, scope, err))
            return false;
    }
    json_array_foreach(mutable, i, item)
    {
        char buffer[16];
        const char *index;
        bson_uint32_to_string((uint32_t)i, &index, buffer, sizeof buffer);
        if (!add_field(value, index, item, scope, err))
            return false;
    }
    return true;
}

static bool compile_constant(struct docvalue *value, const json_t *json, struct docvalue_scope *scope,
                             struct error *err)
{
    value->kind = &docvalue_kind_constant;
    value->as.constant = bson_new();
    return ejson_append(value->as.constant, "", json, scope->names, err);
}

static const struct docvalue_kind *find_operator(const char *name, struct error *err)
{
    const char *names[OPERATOR_COUNT];
    for (size_t i = 0; i < OPERATOR_COUNT; i++) {
        if (strcmp(operators[i]->name, name) == 0)
            return operators[i];
        names[i] = operators[i]->name;
    }
    const char *near = nearest_find(name, names, OPERATOR_COUNT);
    if (strcmp(name, "#SEQ_INT") == 0 || strcmp(name, "#VARIABLE") == 0 || strcmp(name, "#RAND_INT_PLUS_THREAD") == 0)
        error_set(err, "%s works in ops only: a document of pre belongs to no session", name);
    else if (near)
        error_set(err, "unknown operator %s, did you mean %s?", name, near);
    else
        error_set(err, "unknown operator %s", name);
    return NULL;
}

bool docvalue_compile(struct docvalue *value, const json_t *json, struct docvalue_scope *scope, struct error *err)
{
    const json_t *argument = NULL;
    const char *name = operator_name(json, &argument);
    if (name) {
        value->kind = find_operator(name, err);
        bool ok = value->kind && value->kind->compile(value, argument, scope, err);
        if (!ok && value->kind)
            error_prefix_path(err, name);
        return ok;
    }
    if (is_constant(json))
        return compile_constant(value, json, scope, err);
    value->kind = json_is_array(json) ? &docvalue_kind_list : &docvalue_kind_document;
    return compile_fields(value, json, scope, err);
}

static void prefix_index(struct error *err, size_t index)
{
    char step[24];
    snprintf(step, sizeof step, "%zu", index);
    error_prefix_path(err, step);
}

bool docvalue_compile_children(struct docvalue *value, const json_t *list, struct docvalue_scope *scope,
                               struct error *err)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!docvalue_compile(docvalue_add_child(value), json_array_get(list, i), scope, err)) {
            prefix_index(err, i);
            return false;
        }
    return true;
}

bool docvalue_compile_document(struct docvalue *value, const json_t *json, struct docvalue_scope *scope,
                               struct error *err)
{
    const json_t *choices = NULL;
    const char *name = ejson_operator(json, &choices);
    bool is_cycle = name && strcmp(name, docvalue_kind_cycle.name) == 0;
    if (!json_is_object(json) || (name && !is_cycle) || ejson_is_wrapper(json)) {
        error_set(err, "expected a document or {\"#CYCLE\": [documents]}");
        return false;
    }
    value->kind = is_cycle ? &docvalue_kind_cycle : &docvalue_kind_document;
    if (!is_cycle)
        return compile_fields(value, json, scope, err);
    if (json_array_size(choices) == 0) {
        error_set(err, "/#CYCLE: expected a list of documents, not empty");
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(choices); i++) {
        ok = docvalue_compile_document(docvalue_add_child(value), json_array_get(choices, i), scope, err);
        if (!ok)
            prefix_index(err, i);
    }
    if (!ok)
        error_prefix_path(err, name);
    return ok;
}
