/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defstep.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/defop.h"
#include "model/ejson.h"

enum type { TYPE_EMPTY, TYPE_OPTIONS, TYPE_OBJECT, TYPE_TEMPLATE, TYPE_COUNT, TYPE_TEXT, TYPE_CODES };

/* The kinds of step: the key that names it, and what else it may have besides "ns" and "mayFail". */
struct kind_row {
    const char *name;
    enum type type;
    const char *extra;
    enum type extra_type;
    bool has_ns;
};

static const struct kind_row kinds[] = {
    {"drop", TYPE_EMPTY, NULL, TYPE_EMPTY, true},          {"create", TYPE_OPTIONS, NULL, TYPE_EMPTY, true},
    {"index", TYPE_OBJECT, "options", TYPE_OPTIONS, true}, {"command", TYPE_OBJECT, "db", TYPE_TEXT, false},
    {"insert", TYPE_TEMPLATE, "count", TYPE_COUNT, true},
};

static const char kind_list[] = "\"drop\", \"create\", \"index\", \"command\" or \"insert\"";

static const struct kind_row *find_kind(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i].name, key) == 0)
            return &kinds[i];
    return NULL;
}

static const struct kind_row *read_kind(struct defexpand *expand, const struct defref *ref, const struct defview *view)
{
    static const char *const known[] = {"drop",  "create",  "index", "command", "insert",
                                        "count", "options", "db",    "ns",      "mayFail"};
    const struct kind_row *kind = NULL;
    for (size_t i = 0; i < view->count; i++) {
        const struct kind_row *here = find_kind(view->members[i].key);
        if (here && kind) {
            defsource_error(expand->source, &view->members[i], "a step does one thing: this one has \"%s\" already",
                            kind->name);
            return NULL;
        }
        kind = here ? here : kind;
    }
    if (!kind && defview_check_keys(expand, view, "a step", known, COUNT_OF(known)))
        defsource_error(expand->source, ref, "a step needs one of %s", kind_list);
    return kind;
}

static bool is_template(const json_t *value)
{
    const char *name = ejson_operator(value, NULL);
    return defop_is_document(value) || (name && strcmp(name, "#CYCLE") == 0);
}

/* An element of defexpand_array(). */
static json_t *expand_document(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    expand->pads = 0;
    size_t complaints = expand->source->error_count;
    json_t *document = defexpand_value(expand, ref);
    if (complaints == expand->source->error_count && !is_template(document))
        defsource_error(expand->source, ref, "expected a document");
    return document;
}

static json_t *expand_template(struct defexpand *expand, const struct defref *ref)
{
    struct defref value = *ref;
    if (!defexpand_resolve(expand, &value))
        return NULL;
    if (!json_is_array(value.value))
        return expand_document(expand, &value, NULL);
    size_t complaints = expand->source->error_count;
    json_t *list = defexpand_array(expand, &value, expand_document, NULL);
    if (json_array_size(list) == 0 && complaints == expand->source->error_count)
        defsource_error(expand->source, ref, "\"insert\": expected a document or a list of at least one");
    return list;
}

/* At a million documents a second, which no server takes, one step would last hours: it is a slip of the finger. */
#define COUNT_MAX INT64_C(10000000000)

static json_t *expand_count(struct defexpand *expand, const struct defref *ref)
{
    struct defref value = *ref;
    int64_t number;
    if (!defexpand_resolve(expand, &value))
        return NULL;
    if (!json_is_object(value.value))
        return defexpand_whole(expand, &value, "\"count\"", 0, COUNT_MAX, &number) ? json_integer(number) : NULL;
    struct defref each = defref_member(&value, "perThread");
    if (!each.value || json_object_size(value.value) != 1) {
        defsource_error(expand->source, &value, "\"count\": expected a whole number or {\"perThread\": n}");
        return NULL;
    }
    return defexpand_whole(expand, &each, "\"perThread\"", 0, COUNT_MAX, &number)
               ? json_pack("{sI}", "perThread", (json_int_t)number)
               : NULL;
}

/* An element of defexpand_array(): a code as a server may answer it, written as an integer. */
static json_t *expand_code(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    int64_t code;
    return defexpand_whole(expand, ref, "\"mayFail\"", 1, INT32_MAX, &code) ? json_integer(code) : NULL;
}

static json_t *expand_codes(struct defexpand *expand, const struct defref *ref)
{
    struct defref value = *ref;
    if (!defexpand_resolve(expand, &value))
        return NULL;
    size_t complaints = expand->source->error_count;
    json_t *codes = json_is_array(value.value) ? defexpand_array(expand, &value, expand_code, NULL) : NULL;
    if (json_array_size(codes) == 0 && complaints == expand->source->error_count)
        defsource_error(expand->source, &value, "\"mayFail\": expected a list of at least one error code of a server");
    return codes;
}

static const char *mismatch(enum type type, const json_t *value)
{
    bool is_document = defop_is_document(value);
    if (type == TYPE_EMPTY)
        return is_document && json_object_size(value) == 0 ? NULL : "{}";
    if (type == TYPE_OPTIONS)
        return is_document ? NULL : "an object of options";
    if (type == TYPE_OBJECT)
        return is_document && json_object_size(value) ? NULL : "an object with at least one key";
    if (type == TYPE_TEXT)
        return json_string_length(value) ? NULL : "a name";
    return NULL;
}

static json_t *expand_member(struct defexpand *expand, enum type type, const struct defref *member)
{
    size_t complaints = expand->source->error_count;
    expand->place = type == TYPE_TEMPLATE ? DEFPLACE_TEMPLATE : DEFPLACE_OPTIONS;
    if (type == TYPE_TEMPLATE)
        return expand_template(expand, member);
    if (type == TYPE_COUNT)
        return expand_count(expand, member);
    if (type == TYPE_CODES)
        return expand_codes(expand, member);
    json_t *value = defexpand_value(expand, member);
    const char *expected = complaints == expand->source->error_count ? mismatch(type, value) : NULL;
    char *got = expected ? defsource_describe(value) : NULL;
    if (expected)
        defsource_error(expand->source, member, "\"%s\": expected %s, got %s", member->key, expected, got);
    free(got);
    return value;
}

static void add_member(struct defexpand *expand, json_t *step, const struct kind_row *kind, const struct defref *member)
{
    const char *known[4] = {kind->name, "mayFail"};
    size_t count = 2;
    if (kind->has_ns)
        known[count++] = "ns";
    if (kind->extra)
        known[count++] = kind->extra;
    enum type type = TYPE_TEXT;
    if (strcmp(member->key, kind->name) == 0) {
        type = kind->type;
    } else if (strcmp(member->key, "mayFail") == 0) {
        type = TYPE_CODES;
    } else if (kind->extra && strcmp(member->key, kind->extra) == 0) {
        type = kind->extra_type;
    } else if (!kind->has_ns || strcmp(member->key, "ns") != 0) {
        char what[32] = "a step ";
        strncat(what, kind->name, sizeof what - 8);
        defsource_unknown_key(expand->source, member, what, member->key, known, count);
        return;
    }
    json_t *value = expand_member(expand, type, member);
    if (value)
        json_object_set_new(step, member->key, value);
}

json_t *defstep_expand(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    struct defview view = {0};
    json_t *step = NULL;
    if (!json_is_object(ref->value)) {
        defsource_error(expand->source, ref, "a step: expected an object with one of %s", kind_list);
    } else if (defexpand_open(expand, ref, &view)) {
        const struct kind_row *kind = read_kind(expand, ref, &view);
        step = kind ? json_object() : NULL;
        for (size_t i = 0; kind && i < view.count; i++)
            add_member(expand, step, kind, &view.members[i]);
    }
    defview_release(&view);
    return step;
}

json_t *defstep_expand_command(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    struct defref op = defref_member(ref, "op"), db = defref_member(ref, "ns"), command = defref_member(ref, "command");
    if (!json_is_string(op.value) || strcmp(json_string_value(op.value), "command") != 0 ||
        !json_string_length(db.value) || json_object_size(command.value) == 0) {
        defsource_error(expand->source, ref,
                        "an entry of \"pre\": expected {\"op\": \"command\", \"ns\": \"database\", \"command\": {..}}");
        return NULL;
    }
    expand->place = DEFPLACE_OPTIONS;
    struct defref codes = defref_member(ref, "mayFail");
    json_t *body = defexpand_value(expand, &command), *name = defexpand_value(expand, &db);
    json_t *may_fail = codes.value ? expand_codes(expand, &codes) : NULL;
    return json_pack("{so*so*so*}", "command", body, "db", name, "mayFail", may_fail);
}
