/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defconstruct.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "model/deftext.h"
#include "model/ejson.h"

static const char *const construct_names[] = {"@use", "@list", "@fields", "@string", "@pad"};

/* Expects the type that `test` is true of. */
#define EXPECT(expand, ref, test, ...) ((test) ? true : (defsource_error((expand)->source, (ref), __VA_ARGS__), false))

bool defconstruct_read_list(struct defexpand *expand, const struct defview *view, struct defconstruct_list *list)
{
    static const char *const known[] = {"@list", "count", "from"};
    const struct defref *values = defview_find(view, "@list"), *count = defview_find(view, "count"),
                        *from = defview_find(view, "from");
    int64_t n = 1, k = 0;
    if (!defview_check_keys(expand, view, "@list", known, COUNT_OF(known)))
        return false;
    if ((count && !defexpand_whole(expand, count, "\"count\"", 0, INT64_MAX, &n)) ||
        (from && !defexpand_whole(expand, from, "\"from\"", 0, INT32_MAX, &k)))
        return false;
    *list = (struct defconstruct_list){*values, (uint64_t)n, (uint64_t)k, count != NULL};
    return defexpand_resolve(expand, &list->values) &&
           EXPECT(expand, values, json_is_array(list->values.value), "\"@list\": expected a list") &&
           EXPECT(expand, from, count || !from, "\"from\" needs a \"count\"");
}

bool defconstruct_read_string(struct defexpand *expand, const struct defref *ref, struct defref *text, int64_t *count)
{
    struct defref list = *ref;
    if (!defexpand_resolve(expand, &list) ||
        !EXPECT(expand, &list, json_array_size(list.value) == 2, "\"@string\": expected [\"text\", times]"))
        return false;
    *text = defref_element(&list, 0);
    struct defref times = defref_element(&list, 1);
    return defexpand_resolve(expand, text) &&
           EXPECT(expand, text, json_is_string(text->value), "\"@string\": expected [\"text\", times]") &&
           defexpand_whole(expand, &times, "the times of @string", 0, INT64_MAX, count);
}

static json_t *expand_string(struct defexpand *expand, const struct defref *ref)
{
    struct defref part;
    int64_t count;
    if (!defconstruct_read_string(expand, ref, &part, &count))
        return NULL;
    struct deftext_numbers numbers = {.number = expand->round};
    char *text = deftext_expand(expand, json_string_value(part.value), &part, &numbers);
    size_t length = text ? strlen(text) : 0;
    json_t *result = NULL;
    if (text && defexpand_spend(expand, ref, length, (uint64_t)count)) {
        size_t size = length * (size_t)count;
        char *whole = memory_zeroed(size + 1, 1);
        for (size_t i = 0; i < size; i += length)
            memcpy(whole + i, text, length);
        whole = deftext_escape(expand, whole, &part);
        result = whole ? json_stringn_nocheck(whole, strlen(whole)) : NULL;
        free(whole);
    }
    free(text);
    return result;
}

static bool is_pad_character(const char *text)
{
    return text && strlen(text) == 1 && text[0] > ' ' && text[0] != 0x7f;
}

/* Stays as it is, normalised, until the size of the document is known. */
static json_t *expand_pad(struct defexpand *expand, const struct defref *ref)
{
    static const char *const known[] = {"to", "char"};
    struct defref pad = *ref;
    struct defview view = {0};
    json_t *result = NULL;
    int64_t to;
    if (!defexpand_resolve(expand, &pad) ||
        !EXPECT(expand, ref, json_is_object(pad.value), "\"@pad\": expected {\"to\": bytes, \"char\": \"y\"}") ||
        !defexpand_open(expand, &pad, &view))
        goto done;
    const struct defref *size = defview_find(&view, "to"), *given = defview_find(&view, "char");
    struct defref character = given ? *given : (struct defref){0};
    if (!defview_check_keys(expand, &view, "@pad", known, COUNT_OF(known)) ||
        !EXPECT(expand, ref, size, "\"@pad\": expected {\"to\": bytes, \"char\": \"y\"}") ||
        !defexpand_whole(expand, size, "\"to\"", 5, DOCUMENT_BYTES_MAX, &to) ||
        (given && !defexpand_resolve(expand, &character)) ||
        !EXPECT(expand, given, !given || is_pad_character(json_string_value(character.value)),
                "\"char\": expected one visible ASCII character") ||
        !EXPECT(expand, ref, expand->place != DEFPLACE_OPTIONS, "\"@pad\" is for documents that are inserted") ||
        !EXPECT(expand, ref, expand->pads++ == 0, "a second \"@pad\" in one document"))
        goto done;
    result =
        json_pack("{s{sIss}}", "@pad", "to", (json_int_t)to, "char", given ? json_string_value(character.value) : "x");
done:
    defview_release(&view);
    return result;
}

json_t *defconstruct_value(struct defexpand *expand, const struct defref *member)
{
    if (strcmp(member->key, "@string") == 0)
        return expand_string(expand, member);
    if (strcmp(member->key, "@pad") == 0)
        return expand_pad(expand, member);
    if (strcmp(member->key, "@list") == 0)
        defsource_error(expand->source, member, "\"@list\" is for an element of a list");
    else
        defconstruct_splice(expand, NULL, member); /* complains */
    return NULL;
}

void defconstruct_set(struct defexpand *expand, json_t *object, const char *key, json_t *value, const struct defref *at)
{
    if (json_object_get(object, key)) {
        defsource_error(expand->source, at, "a second field \"%.60s\" in one object", key);
        json_decref(value);
    } else if (defexpand_spend(expand, at, strlen(key), 1)) {
        json_object_set_new_nocheck(object, key, value);
    } else {
        json_decref(value);
    }
}

bool defconstruct_read_group(struct defexpand *expand, const struct defref *ref, struct defconstruct_group *group)
{
    static const char *const known[] = {"count", "name", "names", "value"};
    struct defview view = {0};
    bool ok = EXPECT(
        expand, ref, json_is_object(ref->value),
        "\"@fields\": expected {\"count\": n, \"name\": \"..\", \"value\": v} or {\"names\": [..], \"value\": v}");
    ok = ok && defexpand_open(expand, ref, &view) &&
         defview_check_keys(expand, &view, "@fields", known, COUNT_OF(known));
    const struct defref *count = defview_find(&view, "count"), *name = defview_find(&view, "name"),
                        *names = defview_find(&view, "names"), *value = defview_find(&view, "value");
    *group = (struct defconstruct_group){.count = -1};
    ok = ok && EXPECT(expand, ref, value && (names ? !count && !name : count && name),
                      "\"@fields\" needs \"value\", and either \"count\" and \"name\" or \"names\"");
    if (ok) {
        group->value = *value;
        group->name = name ? *name : (struct defref){0};
        group->names = names ? *names : (struct defref){0};
    }
    ok = ok && (!count || defexpand_whole(expand, count, "\"count\"", 0, INT64_MAX, &group->count));
    defview_release(&view);
    return ok;
}

/* The key of a field that only the document generator can finish is marked: see testcase.h. */
static char *field_key(struct defexpand *expand, const struct defref *name, uint64_t number)
{
    struct deftext_numbers numbers = {&number, true, false};
    char *key = deftext_expand(expand, json_string_value(name->value), name, &numbers);
    key = key ? deftext_escape(expand, key, name) : NULL;
    if (!key || !numbers.has_doc)
        return key;
    if (expand->place != DEFPLACE_TEMPLATE)
        defsource_error(expand->source, name, "{doc} is for documents of an insert step");
    char *marked = expand->place == DEFPLACE_TEMPLATE ? memory_printf("@doc:%s", key) : NULL;
    free(key);
    return marked;
}

static void add_field(struct defexpand *expand, json_t *object, const struct defconstruct_group *group, char *key,
                      uint64_t number, const struct defref *at)
{
    if (!key)
        return;
    struct deffield field = {number, expand->field};
    const char *outer = expand->member;
    expand->field = &field;
    expand->member = key;
    json_t *value = defexpand_value(expand, &group->value);
    expand->member = outer;
    expand->field = field.outer;
    if (value)
        defconstruct_set(expand, object, key, value, at);
    free(key);
}

static void add_counted(struct defexpand *expand, json_t *object, struct defconstruct_group *group)
{
    struct defref *name = &group->name;
    if (!defexpand_resolve(expand, name) ||
        !EXPECT(expand, name, json_string_length(name->value), "\"name\": expected a text such as \"a_{}\""))
        return;
    size_t complaints = expand->source->error_count;
    for (uint64_t i = 0; i < (uint64_t)group->count && complaints == expand->source->error_count; i++)
        add_field(expand, object, group, field_key(expand, name, i), i, name);
}

static void add_named(struct defexpand *expand, json_t *object, struct defconstruct_group *group)
{
    struct defref *names = &group->names;
    if (!defexpand_resolve(expand, names) ||
        !EXPECT(expand, names, json_is_array(names->value), "\"names\": expected a list of texts"))
        return;
    json_t *list = defexpand_array(expand, names, NULL, NULL);
    size_t i, complaints = expand->source->error_count;
    json_t *name;
    json_array_foreach(list, i, name) {
        if (EXPECT(expand, names, json_is_string(name), "\"names\": expected a list of texts"))
            add_field(expand, object, group, memory_strdup(json_string_value(name)), i, names);
        if (complaints != expand->source->error_count)
            break;
    }
    json_decref(list);
}

static void splice_group(struct defexpand *expand, json_t *object, const struct defref *ref)
{
    struct defconstruct_group group;
    if (!defconstruct_read_group(expand, ref, &group))
        return;
    if (group.count >= 0)
        add_counted(expand, object, &group);
    else
        add_named(expand, object, &group);
}

void defconstruct_splice(struct defexpand *expand, json_t *object, const struct defref *member)
{
    struct defref groups = *member;
    if (strcmp(member->key, "@fields") != 0) {
        bool is_known = false;
        for (size_t i = 0; i < COUNT_OF(construct_names); i++)
            is_known |= strcmp(member->key, construct_names[i]) == 0;
        if (is_known)
            defsource_error(expand->source, member, "\"%s\" is the only key of its object", member->key);
        else
            defsource_unknown_key(expand->source, member, "an object (a literal @ is written @@)", member->key,
                                  construct_names, COUNT_OF(construct_names));
    } else if (defexpand_resolve(expand, &groups)) {
        if (!json_is_array(groups.value)) {
            splice_group(expand, object, &groups);
            return;
        }
        for (size_t i = 0; i < json_array_size(groups.value); i++) {
            struct defref group = defref_element(&groups, i);
            if (defexpand_resolve(expand, &group))
                splice_group(expand, object, &group);
        }
    }
}
