/* SPDX-License-Identifier: Apache-2.0 */
#include "list.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/text.h"

/* "insert,core", or a dash where there is none, so that every line has as many columns. */
static char *tags_text(const struct testcase *test)
{
    struct buffer text = {0};
    for (size_t i = 0; i < test->tag_count; i++)
        buffer_append_printf(&text, "%s%s", i ? "," : "", test->tags[i]);
    char *safe = text_safe(text.size ? buffer_text(&text) : "-");
    buffer_release(&text);
    return safe;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void list_print(const struct testcase_set *set, const size_t *indices, size_t count, FILE *out)
{
    char **names = memory_zeroed(count, sizeof *names), **tags = memory_zeroed(count, sizeof *tags);
    size_t name_width = 0, tags_width = 0;
    for (size_t i = 0; i < count; i++) {
        names[i] = text_safe(set->items[indices[i]].name);
        tags[i] = tags_text(&set->items[indices[i]]);
        name_width = larger(name_width, text_columns(names[i]));
        tags_width = larger(tags_width, text_columns(tags[i]));
    }
    for (size_t i = 0; i < count; i++) {
        text_print_line(out, "%s%*s  %s%*s  %s", names[i], (int)(name_width - text_columns(names[i])), "", tags[i],
                        (int)(tags_width - text_columns(tags[i])), "", set->items[indices[i]].file);
        free(names[i]);
        free(tags[i]);
    }
    free(names);
    free(tags);
}

static json_t *test_to_json(const struct testcase *test)
{
    json_t *object = json_object(), *tags = json_array();
    for (size_t i = 0; i < test->tag_count; i++)
        json_array_append_new(tags, text_to_json(test->tags[i]));
    json_object_set_new(object, "name", text_to_json(test->name));
    json_object_set_new(object, "tags", tags);
    json_object_set_new(object, "file", text_to_json(test->file));
    return object;
}

void list_print_json(const struct testcase_set *set, const size_t *indices, size_t count, FILE *out)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, test_to_json(&set->items[indices[i]]));
    json_dumpf(array, out, JSON_INDENT(4) | JSON_ENSURE_ASCII);
    fputc('\n', out);
    json_decref(array);
}
