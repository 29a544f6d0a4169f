/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defop.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "model/defpad.h"
#include "model/ejson.h"
#include "model/operator.h"
#include "model/opvalue.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define DELAY_MS_MAX 3600000

enum kind {
    KIND_INSERT = 1,
    KIND_UPDATE = 2,
    KIND_LET = 4,
    KIND_ALL = KIND_INSERT | KIND_UPDATE | KIND_LET,
};

struct kind_row {
    const char *name;
    unsigned kind; /* 0: mongo-perf has it, this program does not */
};

static const struct kind_row kinds[] = {
    {"insert", KIND_INSERT},
    {"update", KIND_UPDATE},
    {"let", KIND_LET},
    {"nop", 0},
    {"find", 0},
    {"findOne", 0},
    {"query", 0},
    {"command", 0},
    {"remove", 0},
    {"delete", 0},
    {"createIndex", 0},
    {"dropIndex", 0},
    {"cpuload", 0},
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
    {"op", KIND_ALL, KIND_ALL, TYPE_KIND},
    {"ns", KIND_ALL, 0, TYPE_NAMESPACE},
    {"doc", KIND_INSERT, KIND_INSERT, TYPE_DOCUMENTS},
    {"query", KIND_UPDATE, 0, TYPE_DOCUMENT},
    {"update", KIND_UPDATE, KIND_UPDATE, TYPE_DOCUMENT},
    {"multi", KIND_UPDATE, 0, TYPE_BOOL},
    {"upsert", KIND_UPDATE, 0, TYPE_BOOL},
    {"target", KIND_LET, KIND_LET, TYPE_TEXT},
    {"value", KIND_LET, KIND_LET, TYPE_VALUE},
    {"delay", KIND_ALL, 0, TYPE_MS},
    {"writeConcern", KIND_ALL, 0, TYPE_CONCERN},
    {"writeCmd", KIND_ALL, 0, TYPE_TRUE},
    {"readCmd", KIND_ALL, 0, TYPE_ANY_BOOL},
    {"safe", KIND_ALL, 0, TYPE_ANY_BOOL},
    {"handleError", KIND_ALL, 0, TYPE_ANY_BOOL},
    {"throwGLE", KIND_ALL, 0, TYPE_FALSE},
    {"showError", KIND_ALL, 0, TYPE_FALSE},
    {"showResult", KIND_ALL, 0, TYPE_FALSE},
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

static const struct kind_row *read_kind(struct defexpand *expand, const struct defref *ref, const struct defview *view)
{
    const struct defref *op = defview_find(view, "op");
    struct defref value = op ? *op : (struct defref){0};
    if (!op)
        defsource_error(expand->source, ref, "an operation needs \"op\": \"insert\", \"update\" or \"let\"");
    if (!op || !defexpand_resolve(expand, &value))
        return NULL;
    const char *text = json_string_value(value.value), *nearest = NULL;
    for (size_t i = 0; text && i < COUNT_OF(kinds); i++) {
        if (strcmp(text, kinds[i].name) == 0) {
            if (!kinds[i].kind)
                defsource_error(expand->source, &value,
                                "op \"%s\" is not supported; supported are insert, update and let", text);
            return kinds[i].kind ? &kinds[i] : NULL;
        }
        nearest = nearest ? nearest : nearest_find(text, &kinds[i].name, 1);
    }
    char *got = defsource_describe(value.value);
    if (nearest)
        defsource_error(expand->source, &value, "unknown op %s: did you mean \"%s\"?", got, nearest);
    else
        defsource_error(expand->source, &value, "unknown op %s: expected \"insert\", \"update\" or \"let\"", got);
    free(got);
    return NULL;
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

static void add_field(struct defexpand *expand, json_t *op, const struct kind_row *kind, const struct defref *member)
{
    const struct field_row *field = find_field(member->key);
    if (!field) {
        const char *known[COUNT_OF(fields)];
        size_t count = 0;
        for (size_t i = 0; i < COUNT_OF(fields); i++)
            if (fields[i].kinds & kind->kind && fields[i].type < TYPE_TRUE)
                known[count++] = fields[i].name;
        char what[32] = "op ";
        strncat(what, kind->name, sizeof what - 4);
        defsource_unknown_key(expand->source, member, what, member->key, known, count);
    } else if (field->type == TYPE_UNSUPPORTED) {
        defsource_error(expand->source, member, "\"%s\" is not supported", member->key);
    } else if (!(field->kinds & kind->kind)) {
        defsource_error(expand->source, member, "\"%s\" is no field of op %s", member->key, kind->name);
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
                           const struct kind_row *kind)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (fields[i].required & kind->kind && !defview_find(view, fields[i].name))
            defsource_error(expand->source, ref, "op %s needs \"%s\"", kind->name, fields[i].name);
}

static bool mentions_variable(const json_t *value, const char *name)
{
    const json_t *argument = NULL;
    const char *key;
    json_t *item;
    size_t i;
    if (operator_of(value, &argument) == OPERATOR_VARIABLE)
        return strcmp(json_string_value(argument), name) == 0;
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
    {
        if (mentions_variable(item, name))
            return true;
    }
    json_array_foreach(value, i, item)
    {
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

json_t *defop_expand(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    struct defview view = {0};
    json_t *op = NULL;
    if (!json_is_object(ref->value))
        defsource_error(expand->source, ref, "an operation: expected an object {\"op\": .., ..}");
    else if (defexpand_open(expand, ref, &view)) {
        const struct kind_row *kind = read_kind(expand, ref, &view);
        op = kind ? json_object() : NULL;
        for (size_t i = 0; kind && i < view.count; i++)
            add_field(expand, op, kind, &view.members[i]);
        if (kind)
            check_required(expand, ref, &view, kind);
        if (kind && kind->kind == KIND_LET)
            set_variable(expand, ref, op);
    }
    defview_release(&view);
    return op;
}
