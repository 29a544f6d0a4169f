/* SPDX-License-Identifier: Apache-2.0 */
#include "list.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/text.h"

/* "insert,core", or a dash where there is none, so that every line has as many columns. */
static char *tags_text(const struct testcase *test)
{
    struct buffer text = {0};
    for (size_t i = 0; i < test->tag_count; i++)
        buffer_append_printf(&text, "%s%s", i ? "," : "", test->tags[i]);
    char *copy = memory_strdup(text.size ? buffer_text(&text) : "-");
    buffer_release(&text);
    return copy;
}

void list_print(const struct testcase_set *set, const size_t *indices, size_t count, FILE *out)
{
    char **tags = memory_zeroed(count, sizeof *tags);
    int name_width = 0, tags_width = 0;
    for (size_t i = 0; i < count; i++) {
        const struct testcase *test = &set->items[indices[i]];
        tags[i] = tags_text(test);
        int name_length = (int)strlen(test->name), tags_length = (int)strlen(tags[i]);
        name_width = name_length > name_width ? name_length : name_width;
        tags_width = tags_length > tags_width ? tags_length : tags_width;
    }
    for (size_t i = 0; i < count; i++) {
        const struct testcase *test = &set->items[indices[i]];
        fprintf(out, "%-*s  %-*s  %s\n", name_width, test->name, tags_width, tags[i], test->file);
        free(tags[i]);
    }
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
    json_dumpf(array, out, JSON_INDENT(4));
    fputc('\n', out);
    json_decref(array);
}
