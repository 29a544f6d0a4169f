/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defexpand.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "model/defconstruct.h"
#include "model/defoperator.h"
#include "model/deftext.h"
#include "model/ejson.h"

bool defexpand_spend(struct defexpand *expand, const struct defref *at, uint64_t bytes, uint64_t times)
{
    uint64_t left = DEFEXPAND_BYTES_MAX - expand->spent;
    if (expand->is_over || expand->source->is_exhausted)
        return false;
    if (times == 0 || bytes <= left / times) {
        expand->spent += bytes * times;
        return true;
    }
    defsource_error(expand->source, at, "the file expands to more than %" PRIu64 " MiB here",
                    DEFEXPAND_BYTES_MAX >> 20);
    expand->is_over = true;
    expand->over_at = *at;
    return false;
}

/* Finding the nearest name takes its time, and may be asked for a million times while a file is measured. */
static void complain_unknown_def(struct defexpand *expand, const struct defref *at, const char *name)
{
    const char *key, *best = NULL;
    json_t *def;
    if (expand->source->is_quiet)
        return;
    json_object_foreach((json_t *)(uintptr_t)expand->defs, key, def) {
        best = best ? best : nearest_find(name, &key, 1);
    }
    defsource_error(expand->source, at, "no def is called \"%s\"%s%s%s", name, best ? ": did you mean \"" : "",
                    best ? best : "", best ? "\"?" : "");
}

static bool find_def(struct defexpand *expand, const struct defref *name, struct defref *def)
{
    static const struct defparams none = {.in_def = true};
    struct defref ref = *name;
    if (!defexpand_resolve(expand, &ref))
        return false;
    const char *text = json_string_value(ref.value);
    struct defref defs = {expand->defs, NULL, NULL, 0, &none};
    if (text)
        *def = defref_member(&defs, text);
    if (!text) {
        defsource_error(expand->source, &ref, "\"@use\": expected the name of a def");
    } else if (!def->value) {
        complain_unknown_def(expand, &ref, text);
    } else {
        json_object_set_new(expand->used_defs, text, json_true());
        def->key = json_object_iter_key(json_object_iter_at((json_t *)(uintptr_t)expand->defs, text));
        return defexpand_spend(expand, name, DEFEXPAND_VALUE_BYTES, 1);
    }
    return false;
}

bool defexpand_resolve(struct defexpand *expand, struct defref *ref)
{
    if (expand->source->is_literal)
        return true;
    for (unsigned i = 0; i < DEFEXPAND_DEPTH_MAX; i++) {
        struct defref next = {0};
        const char *text = json_string_value(ref->value);
        struct defref use = defref_member(ref, "@use");
        if (text && !deftext_parameter(expand, text, ref, &next))
            return false;
        if (use.value && json_object_size(ref->value) == 1 && !find_def(expand, &use, &next))
            return false;
        if (!next.value)
            return true;
        *ref = next;
    }
    defsource_error(expand->source, ref, "parameters refer to each other in a circle");
    return false;
}

static void view_append(struct defview *view, struct defref member)
{
    if (view->count == view->capacity) {
        view->capacity = view->capacity ? view->capacity * 2 : 8;
        view->members = memory_resize(view->members, view->capacity, sizeof *view->members);
    }
    view->members[view->count++] = member;
}

void defview_release(struct defview *view)
{
    free(view->members);
    *view = (struct defview){0};
}

const struct defref *defview_find(const struct defview *view, const char *key)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(view->members[i].key, key) == 0)
            return &view->members[i];
    return NULL;
}

bool defview_check_keys(struct defexpand *expand, const struct defview *view, const char *what,
                        const char *const *known, size_t count)
{
    bool ok = true;
    for (size_t i = 0; i < view->count; i++) {
        const char *key = view->members[i].key;
        size_t k = 0;
        while (k < count && strcmp(key, known[k]) != 0)
            k++;
        if (k == count) {
            defsource_unknown_key(expand->source, &view->members[i], what, key, known, count);
            ok = false;
        }
    }
    return ok;
}

/* Members of `object` replace those of the def that is in the view already. */
static void override_members(struct defview *view, const struct defref *object)
{
    json_t *there = json_object();
    for (size_t i = 0; i < view->count; i++) {
        const char *key = view->members[i].key;
        json_object_set_new(there, key, json_true());
        if (strcmp(key, "@use") != 0 && json_object_get(object->value, key))
            view->members[i] = defref_member(object, key);
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object->value, key, value)
        if (strcmp(key, "@use") != 0 && !json_object_get(there, key))
            view_append(view, defref_member(object, key));
    json_decref(there);
}

bool defexpand_open(struct defexpand *expand, const struct defref *object, struct defview *view)
{
    struct defref use = defref_member(object, "@use"), def;
    if (use.value && !expand->source->is_literal) {
        if (!find_def(expand, &use, &def) || !defexpand_resolve(expand, &def))
            return false;
        if (!json_is_object(def.value)) {
            defsource_error(expand->source, &use, "\"@use\" with other keys: expected a def that is an object");
            return false;
        }
        if (++expand->depth > DEFEXPAND_DEPTH_MAX) /* circles are found before; this is a very long chain */
            defsource_error(expand->source, &use, "nested deeper than %d", DEFEXPAND_DEPTH_MAX);
        bool ok = expand->depth <= DEFEXPAND_DEPTH_MAX && defexpand_open(expand, &def, view);
        expand->depth--;
        if (ok)
            override_members(view, object);
        return ok;
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object->value, key, value)
        view_append(view, defref_member(object, key));
    return true;
}

bool defexpand_whole(struct defexpand *expand, const struct defref *ref, const char *what, int64_t min, int64_t max,
                     int64_t *number)
{
    struct defref value = *ref;
    if (!defexpand_resolve(expand, &value))
        return false;
    if (ejson_is_whole(value.value, number) && *number >= min && *number <= max)
        return true;
    char *got = defsource_describe(value.value);
    if (max == INT64_MAX)
        defsource_error(expand->source, &value, "%s: expected a whole number from %" PRId64 ", got %s", what, min, got);
    else
        defsource_error(expand->source, &value, "%s: expected a whole number from %" PRId64 " to %" PRId64 ", got %s",
                        what, min, max, got);
    free(got);
    return false;
}

static bool is_construct(const struct defexpand *expand, const char *key)
{
    return key[0] == '@' && key[1] != '@' && !expand->source->is_literal;
}

static void set_member(struct defexpand *expand, json_t *object, const struct defref *member)
{
    char *key = deftext_string(expand, member->key, member);
    const char *outer = expand->member;
    expand->member = key;
    json_t *value = key ? defexpand_value(expand, member) : NULL;
    expand->member = outer;
    if (value)
        defconstruct_set(expand, object, key, value, member);
    free(key);
}

static json_t *expand_members(struct defexpand *expand, const struct defview *view)
{
    json_t *object = json_object();
    for (size_t i = 0; i < view->count && !expand->is_over; i++) {
        const struct defref *member = &view->members[i];
        if (is_construct(expand, member->key))
            defconstruct_splice(expand, object, member);
        else if (defoperator_is_name(member->key))
            defsource_error(expand->source, member, "an operator is the only key of its object; a literal key is #%s",
                            member->key);
        else
            set_member(expand, object, member);
    }
    return object;
}

static json_t *expand_wrapper(struct defexpand *expand, const struct defref *ref, const struct defview *view)
{
    expand->raw++;
    json_t *object = expand_members(expand, view);
    expand->raw--;
    bson_t scratch = BSON_INITIALIZER;
    struct error err;
    error_init(&err);
    if (!ejson_append(&scratch, "v", object, NULL, &err))
        defsource_error(expand->source, ref, "%s", err.message);
    bson_destroy(&scratch);
    return object;
}

static json_t *expand_object(struct defexpand *expand, const struct defref *ref)
{
    struct defview view = {0};
    json_t *result = NULL;
    if (defexpand_open(expand, ref, &view)) {
        const struct defref *first = view.members;
        bool is_only = view.count == 1;
        if (is_only && is_construct(expand, first->key) && strcmp(first->key, "@fields") != 0)
            result = defconstruct_value(expand, first);
        else if (is_only && defoperator_is_name(first->key))
            result = defoperator_expand(expand, first->key, first);
        else if (view.count && ejson_is_wrapper_key(first->key))
            result = expand_wrapper(expand, ref, &view);
        else
            result = expand_members(expand, &view);
    }
    defview_release(&view);
    return result;
}

static json_t *expand_resolved(struct defexpand *expand, const struct defref *ref)
{
    if (json_is_object(ref->value))
        return expand_object(expand, ref);
    if (json_is_array(ref->value))
        return defexpand_array(expand, ref, NULL, NULL);
    if (!json_is_string(ref->value))
        return json_incref((json_t *)(uintptr_t)ref->value);
    char *text = deftext_string(expand, json_string_value(ref->value), ref);
    json_t *string = text ? json_string(text) : NULL;
    free(text);
    return string;
}

json_t *defexpand_value(struct defexpand *expand, const struct defref *ref)
{
    struct defref value = *ref;
    if (!defexpand_spend(expand, ref, DEFEXPAND_VALUE_BYTES, 1) || !defexpand_resolve(expand, &value))
        return NULL;
    json_t *result = NULL;
    if (++expand->depth > DEFEXPAND_DEPTH_MAX)
        defsource_error(expand->source, ref, "nested deeper than %d", DEFEXPAND_DEPTH_MAX);
    else
        result = expand_resolved(expand, &value);
    expand->depth--;
    return result;
}

struct rounds {
    json_t *out;
    defexpand_element *element;
    void *context;
};

static void append_list(struct defexpand *expand, const struct defref *ref, const struct rounds *rounds);

static json_t *element_value(struct defexpand *expand, const struct defref *ref, void *context)
{
    (void)context;
    return defexpand_value(expand, ref);
}

static bool is_list(const struct defref *ref, const struct defexpand *expand)
{
    return !expand->source->is_literal && (json_object_get(ref->value, "@list") || json_object_get(ref->value, "@use"));
}

static void append_elements(struct defexpand *expand, const struct defref *array, const struct rounds *rounds)
{
    for (size_t i = 0; i < json_array_size(array->value) && !expand->is_over; i++) {
        struct defref ref = defref_element(array, i);
        if (!defexpand_resolve(expand, &ref))
            continue;
        if (is_list(&ref, expand)) {
            append_list(expand, &ref, rounds);
            continue;
        }
        json_t *value = rounds->element(expand, &ref, rounds->context);
        if (value)
            json_array_append_new(rounds->out, value);
    }
}

/* An element {"@list": ..} of a list, or one with @use that may turn out to be one. */
static void append_list(struct defexpand *expand, const struct defref *ref, const struct rounds *rounds)
{
    struct defview view = {0};
    struct defconstruct_list list;
    if (!defexpand_open(expand, ref, &view)) {
        defview_release(&view);
        return;
    }
    if (!defview_find(&view, "@list")) {
        json_t *value = rounds->element(expand, ref, rounds->context);
        if (value)
            json_array_append_new(rounds->out, value);
    } else if (++expand->depth > DEFEXPAND_DEPTH_MAX) {
        defsource_error(expand->source, ref, "nested deeper than %d", DEFEXPAND_DEPTH_MAX);
        expand->depth--;
    } else {
        if (defconstruct_read_list(expand, &view, &list)) {
            const uint64_t *round = expand->round;
            struct defitem item = expand->item;
            size_t complaints = expand->source->error_count;
            for (uint64_t i = 0; i < list.count && complaints == expand->source->error_count; i++) {
                uint64_t number = list.from + i;
                if (list.is_counting) {
                    expand->round = &number;
                    expand->item = (struct defitem){DEFITEM_ROUND, i};
                }
                if (!defexpand_spend(expand, ref, DEFEXPAND_VALUE_BYTES, 1))
                    break;
                append_elements(expand, &list.values, rounds);
            }
            expand->round = round;
            expand->item = item;
        }
        expand->depth--;
    }
    defview_release(&view);
}

json_t *defexpand_array(struct defexpand *expand, const struct defref *ref, defexpand_element *element, void *context)
{
    struct rounds rounds = {json_array(), element ? element : element_value, context};
    const char *outer = expand->member;
    expand->member = NULL;
    append_elements(expand, ref, &rounds);
    expand->member = outer;
    return rounds.out;
}
