/* SPDX-License-Identifier: Apache-2.0 */
#include "model/deffile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "model/defexpand.h"
#include "model/json_lines.h"

bool deffile_check_name(const char *path, struct message_list *errors)
{
    size_t length = strlen(path);
    if (length < 4 || strcmp(path + length - 3, ".js") != 0)
        return true;
    char *ours = memory_printf("%.*s.json", (int)(length - 3), path);
    if (file_is_regular(ours))
        message_list_add(errors, "%s is a mongo-perf JavaScript file; benchrun reads %s", path, ours);
    else
        message_list_add(errors, "%s is a mongo-perf JavaScript file; benchrun reads definitions in JSON", path);
    free(ours);
    return false;
}

/* The parser speaks of tokens; people think of these. */
static const char *explain(const struct defsource *source, const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_premature_end_of_input:
        return "the file ends in the middle";
    case json_error_stack_overflow:
        return "nested much deeper than 128";
    case json_error_null_character:
        return "a text cannot hold \\u0000";
    default:
        break;
    }
    size_t at = error->position > 0 ? (size_t)error->position - 1 : 0;
    if (at >= source->size || (source->text[at] != ']' && source->text[at] != '}'))
        return error->text;
    while (at > 0 && isspace((unsigned char)source->text[at - 1]))
        at--;
    return at > 0 && source->text[at - 1] == ',' ? "a comma before the closing bracket" : error->text;
}

static void complain_syntax(struct defsource *source, const json_error_t *error)
{
    size_t end = error->position > 0 ? (size_t)error->position : 0;
    enum json_error_code code = json_error_code(error);
    /* The second of two equal keys is whole; anything else is named by what it stands in. */
    size_t at = code == json_error_duplicate_key || end == 0 ? end : end - 1;
    char *path =
        code == json_error_stack_overflow ? memory_strdup("/") : json_lines_path_at(source->text, source->size, at);
    defsource_add(source->errors, "%s:%d:%d: %s: not valid JSON: %s", source->path, error->line, error->column, path,
                  explain(source, error));
    free(path);
}

static bool find_too_deep(const json_t *value, unsigned depth, struct defref *at)
{
    size_t index;
    const char *key;
    json_t *child;
    if (depth > DEFEXPAND_DEPTH_MAX)
        return true;
    struct defref here = {.value = value};
    json_object_foreach((json_t *)(uintptr_t)value, key, child) {
        if (find_too_deep(child, depth + 1, at)) {
            *at = at->value ? *at : defref_member(&here, key);
            return true;
        }
    }
    json_array_foreach(value, index, child) {
        if (find_too_deep(child, depth + 1, at)) {
            *at = at->value ? *at : defref_element(&here, index);
            return true;
        }
    }
    return false;
}

/* Editors on Windows begin a UTF-8 text with one. */
static void skip_byte_order_mark(struct defsource *source)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t size = strlen(mark);
    if (source->size < size || memcmp(source->text, mark, size) != 0)
        return;
    source->text += size;
    source->size -= size;
}

bool deffile_parse(struct defsource *source)
{
    json_error_t error;
    size_t blank = 0;
    skip_byte_order_mark(source);
    while (blank < source->size && isspace((unsigned char)source->text[blank]))
        blank++;
    if (blank == source->size) {
        message_list_add(source->errors, "%s:1: /: the file is empty; expected an object with \"tests\"", source->path);
        return false;
    }
    source->root = json_loadb(source->text, source->size, JSON_REJECT_DUPLICATES, &error);
    if (!source->root) {
        complain_syntax(source, &error);
        return false;
    }
    struct defref deep = {0};
    if (find_too_deep(source->root, 0, &deep)) {
        defsource_error(source, &deep, "nested deeper than %d", DEFEXPAND_DEPTH_MAX);
        return false;
    }
    return true;
}

static bool is_comment(const json_t *value)
{
    size_t i;
    json_t *line;
    json_array_foreach(value, i, line) {
        if (!json_is_string(line))
            return false;
    }
    return json_is_string(value) || json_is_array(value);
}

void deffile_drop_comments(struct defsource *source, const struct defref *ref)
{
    json_t *value = (json_t *)(uintptr_t)ref->value, *child;
    struct defref comment = defref_member(ref, "@comment");
    const char *key;
    size_t i;
    if (comment.value && !is_comment(comment.value))
        defsource_error(source, &comment, "\"@comment\": expected a text or a list of texts");
    json_object_del(value, "@comment");
    json_object_foreach(value, key, child) {
        struct defref member = defref_member(ref, key);
        deffile_drop_comments(source, &member);
    }
    json_array_foreach(value, i, child) {
        struct defref element = defref_element(ref, i);
        deffile_drop_comments(source, &element);
    }
}

/* Depth-first over the graph of defs; a def that is met again while it is open closes a circle. */
struct file_walk {
    struct defsource *source;
    const struct defref *defs;
    json_t *open, *done;
};

static bool visit_def(struct file_walk *walk, const char *name, const struct defref *at);

static bool visit_value(struct file_walk *walk, const struct defref *ref)
{
    const char *key;
    json_t *child;
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)ref->value, key, child) {
        struct defref member = defref_member(ref, key);
        bool is_use = strcmp(key, "@use") == 0 && json_is_string(child);
        if (!(is_use ? visit_def(walk, json_string_value(child), &member) : visit_value(walk, &member)))
            return false;
    }
    json_array_foreach(ref->value, i, child) {
        struct defref element = defref_element(ref, i);
        if (!visit_value(walk, &element))
            return false;
    }
    return true;
}

static bool visit_def(struct file_walk *walk, const char *name, const struct defref *at)
{
    struct defref def = defref_member(walk->defs, name);
    if (!def.value || json_object_get(walk->done, name))
        return true;
    if (json_object_get(walk->open, name)) {
        defsource_error(walk->source, at, "the def \"%s\" uses itself", name);
        return false;
    }
    json_object_set_new(walk->open, name, json_true());
    bool ok = visit_value(walk, &def);
    json_object_del(walk->open, name);
    json_object_set_new(walk->done, name, json_true());
    return ok;
}

bool deffile_check_defs(struct defsource *source, const struct defref *defs)
{
    struct file_walk walk = {source, defs, json_object(), json_object()};
    const char *name;
    json_t *value;
    bool ok = true;
    json_object_foreach((json_t *)(uintptr_t)defs->value, name, value)
        ok = ok && visit_def(&walk, name, defs);
    json_decref(walk.open);
    json_decref(walk.done);
    return ok;
}
