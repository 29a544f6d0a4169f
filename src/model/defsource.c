/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defsource.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/text.h"
#include "model/json_lines.h"

#define COMPLAINTS_MAX 1000
#define DESCRIPTION_MAX 60

struct defref defref_member(const struct defref *object, const char *key)
{
    return (struct defref){json_object_get(object->value, key), object->value, key, 0, object->params};
}

struct defref defref_element(const struct defref *array, size_t index)
{
    return (struct defref){json_array_get(array->value, index), array->value, NULL, index, array->params};
}

static bool find_container(const json_t *node, const json_t *wanted, struct json_path *path)
{
    if (node == wanted)
        return true;
    size_t depth = path->count, index;
    const char *key;
    json_t *child;
    json_object_foreach((json_t *)(uintptr_t)node, key, child) {
        json_path_push(path, key, 0);
        if (find_container(child, wanted, path))
            return true;
        path->count = depth;
    }
    json_array_foreach(node, index, child) {
        json_path_push(path, NULL, index);
        if (find_container(child, wanted, path))
            return true;
        path->count = depth;
    }
    return false;
}

/* true, false and null are one object each to jansson, so a value is found by its holder. */
static struct json_path path_of(const struct defsource *source, const struct defref *at)
{
    struct json_path path = {0};
    if (at->holder && find_container(source->root, at->holder, &path) && at->value)
        json_path_push(&path, at->key, at->index);
    return path;
}

unsigned defsource_line(const struct defsource *source, const struct defref *at)
{
    struct json_path path = path_of(source, at);
    unsigned line = json_lines_find(source->text, source->size, &path);
    json_path_release(&path);
    return line;
}

static char *locate(const struct defsource *source, const struct defref *at, const char *message)
{
    struct json_path path = path_of(source, at);
    char *text = json_path_text(&path);
    char *whole =
        memory_printf("%s:%u: %s: %s", source->path, json_lines_find(source->text, source->size, &path), text, message);
    free(text);
    json_path_release(&path);
    return whole;
}

void defsource_add(struct message_list *list, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *message = memory_vprintf(format, args);
    va_end(args);
    char *line = text_safe(message);
    message_list_add(list, "%s", line);
    free(line);
    free(message);
}

/* The tests of a family tend to have the same mistakes. */
static void drop_repeated(struct message_list *list, size_t from)
{
    size_t last = list->count - 1;
    for (size_t i = from; i < last; i++) {
        if (strcmp(list->items[i], list->items[last]) == 0) {
            free(list->items[last]);
            list->count = last;
            return;
        }
    }
}

void defsource_error(struct defsource *source, const struct defref *at, const char *format, ...)
{
    if (source->is_exhausted || source->is_quiet)
        return;
    va_list args;
    va_start(args, format);
    char *message = memory_vprintf(format, args);
    va_end(args);
    char *whole = locate(source, at, message);
    defsource_add(source->errors, "%s", whole);
    drop_repeated(source->errors, source->first_error);
    free(whole);
    free(message);
    source->is_exhausted = ++source->error_count == COMPLAINTS_MAX;
    if (source->is_exhausted)
        defsource_add(source->errors, "%s: checking stops after %d errors; there may be more", source->path,
                      COMPLAINTS_MAX);
}

void defsource_warning(struct defsource *source, const struct defref *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *message = memory_vprintf(format, args);
    va_end(args);
    char *whole = locate(source, at, message);
    defsource_add(source->warnings, "%s", whole);
    free(whole);
    free(message);
}

void defsource_unknown_key(struct defsource *source, const struct defref *at, const char *what, const char *key,
                           const char *const *known, size_t count)
{
    static const char *const comment = "@comment";
    const char *nearest = nearest_find(key, known, count);
    if (!nearest && !source->is_literal)
        nearest = nearest_find(key, &comment, 1);
    if (nearest) {
        defsource_error(source, at, "unknown key \"%s\" in %s: did you mean \"%s\"?", key, what, nearest);
        return;
    }
    struct buffer list = {0};
    for (size_t i = 0; i < count; i++)
        buffer_append_printf(&list, "%s\"%s\"", i ? ", " : "", known[i]);
    defsource_error(source, at, "unknown key \"%s\" in %s: expected one of %s", key, what, buffer_text(&list));
    buffer_release(&list);
}

char *defsource_describe(const json_t *value)
{
    if (!value)
        return memory_strdup("nothing");
    size_t size = json_object_size(value) + json_array_size(value);
    char *text = size <= 8 ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
    char *result;
    if (text && strlen(text) <= DESCRIPTION_MAX)
        result = memory_strdup(text);
    else if (json_is_object(value) || json_is_array(value))
        result = memory_printf("%s of %zu", json_is_object(value) ? "an object" : "a list", size);
    else
        result = memory_printf("a %s", json_is_string(value) ? "long string" : "number");
    free(text);
    return result;
}
