/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defop.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "model/defpad.h"
#include "model/ejson.h"
#include "model/operation.h"
#include "model/operator.h"
#include "model/opvalue.h"

#define DELAY_MS_MAX 3600000

/* What may have a field. */
#define INSERT (1u << OPERATION_INSERT)
#define UPDATE (1u << OPERATION_UPDATE)
#define LET (1u << OPERATION_LET)
#define ALL ((1u << OPERATION_COUNT) - 1)

/* Kinds that mongo-perf has and this program does not. */
static const char *const unsupported[] = {
    "nop", "find", "findOne", "query", "command", "remove", "delete", "createIndex", "dropIndex", "cpuload",
};

enum type {
    TYPE_KIND,
    TYPE_NAMESPACE,
    TYPE_TEXT,
    TYPE_DOCUMENT,
    TYPE_DOCUMENTS, /* one or a list */
    TYPE_BOOL,
    TYPE_MS,
    TYPE_VALUE,
    /* Read, and left out of what is expanded: */
    TYPE_TRUE,  /* only true is supported */
    TYPE_FALSE, /* only false is supported */
    TYPE_ANY_BOOL,
    TYPE_CONCERN, /* {} or {"j": false} */
    TYPE_UNSUPPORTED,
};

struct field_row {
    const char *name;
    unsigned kinds; /* that may have it */
    unsigned required;
    enum type type;
};

static const struct field_row fields[] = {
    {"op", ALL, ALL, TYPE_KIND},
    {"ns", ALL, 0, TYPE_NAMESPACE},
    {"doc", INSERT, INSERT, TYPE_DOCUMENTS},
    {"query", UPDATE, 0, TYPE_DOCUMENT},
    {"update", UPDATE, UPDATE, TYPE_DOCUMENT},
    {"multi", UPDATE, 0, TYPE_BOOL},
    {"upsert", UPDATE, 0, TYPE_BOOL},
    {"target", LET, LET, TYPE_TEXT},
    {"value", LET, LET, TYPE_VALUE},
    {"delay", ALL, 0, TYPE_MS},
    {"writeConcern", ALL, 0, TYPE_CONCERN},
    {"writeCmd", ALL, 0, TYPE_TRUE},
    {"readCmd", ALL, 0, TYPE_ANY_BOOL},
    {"safe", ALL, 0, TYPE_ANY_BOOL},
    {"handleError", ALL, 0, TYPE_ANY_BOOL},
    {"throwGLE", ALL, 0, TYPE_FALSE},
    {"showError", ALL, 0, TYPE_FALSE},
    {"showResult", ALL, 0, TYPE_FALSE},
    {"filter", 0, 0, TYPE_UNSUPPORTED},
    {"limit", 0, 0, TYPE_UNSUPPORTED},
    {"skip", 0, 0, TYPE_UNSUPPORTED},
    {"batchSize", 0, 0, TYPE_UNSUPPORTED},
    {"sort", 0, 0, TYPE_UNSUPPORTED},
    {"options", 0, 0, TYPE_UNSUPPORTED},
    {"expected", 0, 0, TYPE_UNSUPPORTED},
    {"command", 0, 0, TYPE_UNSUPPORTED},
    {"key", 0, 0, TYPE_UNSUPPORTED},
    {"check", 0, 0, TYPE_UNSUPPORTED},
    {"context", 0, 0, TYPE_UNSUPPORTED},
    {"cpuFactor", 0, 0, TYPE_UNSUPPORTED},
    {"readPrefMode", 0, 0, TYPE_UNSUPPORTED},
    {"useAClusterTimeWithinPastSeconds", 0, 0, TYPE_UNSUPPORTED},
    {"maxRandomMillisecondDelayBeforeGetMore", 0, 0, TYPE_UNSUPPORTED},
};

static const struct field_row *find_field(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

bool defop_is_document(const json_t *value)
{
    return json_is_object(value) && !ejson_operator(value, NULL) && !ejson_is_wrapper(value);
}

/* "\"insert\", \"update\" or \"let\""; the caller frees. */
static char *supported_names(void)
{
    struct buffer text = {0};
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        buffer_append_printf(&text, "%s\"%s\"",
                             i == 0                    ? ""
                             : i + 1 < OPERATION_COUNT ? ", "
                                                       : " or ",
                             operation_names[i]);
    return buffer_detach(&text);
}

static const char *nearest_kind(const char *name)
{
    const char *nearest = nearest_find(name, operation_names, OPERATION_COUNT);
    return nearest ? nearest : nearest_find(name, unsupported, COUNT_OF(unsupported));
}

static bool is_unsupported(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(unsupported); i++)
        if (strcmp(name, unsupported[i]) == 0)
            return true;
    return false;
}

static void complain_kind(struct defexpand *expand, const struct defref *at)
{
    const char *name = json_string_value(at->value), *nearest = name ? nearest_kind(name) : NULL;
    char *known = supported_names(), *got = defsource_describe(at->value);
    if (!at->value)
        defsource_error(expand->source, at, "an operation needs \"op\": %s", known);
    else if (name && is_unsupported(name))
        defsource_error(expand->source, at, "op %s is not supported; expected %s", got, known);
    else if (nearest)
        defsource_error(expand->source, at, "unknown op %s: did you mean \"%s\"?", got, nearest);
    else
        defsource_error(expand->source, at, "unknown op %s: expected %s", got, known);
    free(known);
    free(got);
}

/* OPERATION_COUNT after a complaint. */
static enum operation_id read_kind(struct defexpand *expand, const struct defref *ref, const struct defview *view)
{
    const struct defref *op = defview_find(view, "op");
    struct defref value = op ? *op : defref_member(ref, "op");
    if (!defexpand_resolve(expand, &value))
        return OPERATION_COUNT;
    const char *name = json_string_value(value.value);
    enum operation_id id = name ? operation_find(name) : OPERATION_COUNT;
    if (id == OPERATION_COUNT)
        complain_kind(expand, &value);
    return id;
}

/* One document of an insert, an element of defexpand_array(). */
static json_t *expand_document(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    expand->pads = 0;
    size_t complaints = expand->source->error_count;
    json_t *document = defexpand_value(expand, ref);
    if (complaints != expand->source->error_count)
        return document;
    if (!defop_is_document(document))
        defsource_error(expand->source, ref, "expected a document");
    else if (expand->pads)
        defpad_fill(expand, ref, document);
    return document;
}

static json_t *expand_documents(struct defexpand *expand, const struct defref *ref)
{
    struct defref value = *ref;
    if (!defexpand_resolve(expand, &value))
        return NULL;
    if (!json_is_array(value.value))
        return expand_document(expand, &value, NULL);
    size_t complaints = expand->source->error_count;
    json_t *list = defexpand_array(expand, &value, expand_document, NULL);
    if (json_array_size(list) == 0 && complaints == expand->source->error_count)
        defsource_error(expand->source, ref, "\"doc\": expected a document or a list of at least one");
    return list;
}

static bool is_namespace(const char *text)
{
    const char *dot = strchr(text, '.');
    return strncmp(text, "#B_NS", 5) == 0 || (dot && dot != text && dot[1]);
}

static bool is_harmless_concern(const json_t *value)
{
    const json_t *j = json_object_get(value, "j");
    return json_is_object(value) &&
           (json_object_size(value) == 0 || (json_object_size(value) == 1 && json_is_false(j)));
}

/* What the type expects when the expanded value is not that; NULL when it is. */
static const char *mismatch(enum type type, const json_t *value)
{
    int64_t number;
    bool is_bool = json_is_boolean(value);
    switch (type) {
    case TYPE_NAMESPACE:
        return json_is_string(value) && is_namespace(json_string_value(value))
                   ? NULL
                   : "a namespace: \"database.collection\" or \"#B_NS..\"";
    case TYPE_TEXT:
        return json_string_length(value) ? NULL : "a text";
    case TYPE_DOCUMENT:
        return defop_is_document(value) ? NULL : "a document";
    case TYPE_BOOL:
    case TYPE_ANY_BOOL:
        return is_bool ? NULL : "true or false";
    case TYPE_MS:
        return ejson_is_whole(value, &number) && number >= 0 && number <= DELAY_MS_MAX
                   ? NULL
                   : "milliseconds, a whole number from 0 to 3600000";
    case TYPE_TRUE:
        return json_is_true(value) ? NULL : "true (nothing else is supported)";
    case TYPE_FALSE:
        return json_is_false(value) ? NULL : "false (nothing else is supported)";
    case TYPE_CONCERN:
        return is_harmless_concern(value) ? NULL : "{} or {\"j\": false}; the write concern is set with -w and -j";
    case TYPE_KIND:
    case TYPE_DOCUMENTS:
    case TYPE_VALUE:
    case TYPE_UNSUPPORTED:
        return NULL;
    }
    return NULL;
}

static enum defplace place_of(enum type type)
{
    return type == TYPE_DOCUMENT || type == TYPE_DOCUMENTS || type == TYPE_VALUE ? DEFPLACE_OP : DEFPLACE_OPTIONS;
}

static json_t *expand_field(struct defexpand *expand, const struct field_row *field, const struct defref *member)
{
    size_t complaints = expand->source->error_count;
    expand->place = place_of(field->type);
    expand->pads = 0;
    json_t *value = field->type == TYPE_DOCUMENTS ? expand_documents(expand, member) : defexpand_value(expand, member);
    if (complaints == expand->source->error_count && value) {
        const char *expected = mismatch(field->type, value);
        char *got = expected ? defsource_describe(value) : NULL;
        if (expected)
            defsource_error(expand->source, member, "\"%s\": expected %s, got %s", field->name, expected, got);
        else if (expand->pads && field->type != TYPE_DOCUMENTS)
            defsource_error(expand->source, member, "\"@pad\" is for documents that are inserted");
        free(got);
    }
    return value;
}

static void add_field(struct defexpand *expand, json_t *op, enum operation_id id, const struct defref *member)
{
    const struct field_row *field = find_field(member->key);
    if (!field) {
        const char *known[COUNT_OF(fields)];
        size_t count = 0;
        for (size_t i = 0; i < COUNT_OF(fields); i++)
            if (fields[i].kinds & 1u << id && fields[i].type < TYPE_TRUE)
                known[count++] = fields[i].name;
        char what[32] = "op ";
        strncat(what, operation_names[id], sizeof what - 4);
        defsource_unknown_key(expand->source, member, what, member->key, known, count);
    } else if (field->type == TYPE_UNSUPPORTED) {
        defsource_error(expand->source, member, "\"%s\" is not supported", member->key);
    } else if (!(field->kinds & 1u << id)) {
        defsource_error(expand->source, member, "\"%s\" is no field of op %s", member->key, operation_names[id]);
    } else {
        int64_t ms;
        json_t *value = expand_field(expand, field, member);
        if (field->type == TYPE_MS && ejson_is_whole(value, &ms))
            json_object_set_new(op, field->name, json_integer(ms));
        else if (value && field->type < TYPE_TRUE)
            json_object_set(op, field->name, value);
        json_decref(value);
    }
}

static void check_required(struct defexpand *expand, const struct defref *ref, const struct defview *view,
                           enum operation_id id)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (fields[i].required & 1u << id && !defview_find(view, fields[i].name))
            defsource_error(expand->source, ref, "op %s needs \"%s\"", operation_names[id], fields[i].name);
}

static bool mentions_variable(const json_t *value, const char *name)
{
    const json_t *argument = NULL;
    const char *key;
    json_t *item;
    size_t i;
    if (operator_of(value, &argument) == OPERATOR_VARIABLE)
        return strcmp(json_string_value(argument), name) == 0;
    json_object_foreach((json_t *)(uintptr_t)value, key, item) {
        if (mentions_variable(item, name))
            return true;
    }
    json_array_foreach(value, i, item) {
        if (mentions_variable(item, name))
            return true;
    }
    return false;
}

/* A let is done once for each collection in a row: a value made of itself would grow. */
static void set_variable(struct defexpand *expand, const struct defref *ref, const json_t *op)
{
    const char *target = json_string_value(json_object_get(op, "target"));
    const json_t *value = json_object_get(op, "value");
    if (!target || !value)
        return;
    if (mentions_variable(value, target))
        defsource_error(expand->source, ref, "op let: the variable \"%s\" cannot be set from itself", target);
    opvalue_store(expand->variables, target, value);
}

static json_t *expand_fields(struct defexpand *expand, const struct defref *ref, const struct defview *view,
                             enum operation_id id)
{
    json_t *op = json_object();
    for (size_t i = 0; i < view->count; i++)
        add_field(expand, op, id, &view->members[i]);
    check_required(expand, ref, view, id);
    if (id == OPERATION_LET)
        set_variable(expand, ref, op);
    return op;
}

json_t *defop_expand(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    struct defview view = {0};
    json_t *op = NULL;
    if (!json_is_object(ref->value))
        defsource_error(expand->source, ref, "an operation: expected an object {\"op\": .., ..}");
    else if (defexpand_open(expand, ref, &view)) {
        enum operation_id id = read_kind(expand, ref, &view);
        op = id != OPERATION_COUNT ? expand_fields(expand, ref, &view, id) : NULL;
    }
    defview_release(&view);
    return op;
}
