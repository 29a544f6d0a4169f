/* SPDX-License-Identifier: Apache-2.0 */
#include "model/result_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/file.h"

/* What is larger is not looked into: the JSON library's tree takes some nine times as much. */
#define INSPECTED_BYTES_MAX ((size_t)256 << 20)

enum content {
    CONTENT_NOTHING, /* no file, an empty one, or a run of ours that was cut short before its first cell */
    CONTENT_RESULT,
    CONTENT_OTHER,
};

static bool is_ours(const json_t *root)
{
    const char *program = json_string_value(json_object_get(json_object_get(root, "program"), "name"));
    return program && strcmp(program, "benchrun") == 0;
}

/* Without a rate there may be operations: those that failed, or with w: 0 all. Files of 2014 have another member
 * instead: any but null is taken for a number. */
static bool was_measured(const json_t *cells)
{
    const char *key;
    json_t *cell;
    json_object_foreach((json_t *)(uintptr_t)cells, key, cell) {
        const json_t *started = json_object_get(json_object_get(cell, "operations"), "started");
        if (json_is_object(cell) &&
            (!json_is_null(json_object_get(cell, "ops_per_sec")) || json_integer_value(started) > 0))
            return true;
    }
    return false;
}

static enum content judge(const json_t *root)
{
    const json_t *tests = json_object_get(root, "results");
    bool has_cells = json_is_true(json_object_get(root, "complete"));
    size_t i;
    json_t *test;
    if (!json_is_array(tests))
        return CONTENT_OTHER;
    json_array_foreach(tests, i, test) {
        const json_t *cells = json_object_get(test, "results");
        if (!json_is_object(cells))
            return CONTENT_OTHER;
        has_cells |= was_measured(cells);
    }
    return has_cells || !is_ours(root) ? CONTENT_RESULT : CONTENT_NOTHING;
}

static bool inspect(const char *path, enum content *content, struct error *err)
{
    struct buffer bytes = {0};
    struct stat st;
    *content = CONTENT_NOTHING;
    if (stat(path, &st) != 0)
        return true;
    *content = CONTENT_OTHER;
    if ((uint64_t)st.st_size > INSPECTED_BYTES_MAX)
        return true;
    bool ok = file_read(path, INSPECTED_BYTES_MAX, &bytes, err);
    json_t *root = ok ? json_loadb((const char *)bytes.data, bytes.size, 0, NULL) : NULL;
    *content = bytes.size == 0 ? CONTENT_NOTHING : judge(root);
    json_decref(root);
    buffer_release(&bytes);
    return ok;
}

bool result_file_open(struct result_file *file, const char *name, bool force, struct error *err)
{
    *file = (struct result_file){.is_ours = false};
    if (!output_open(&file->output, name, err))
        return false;
    const char *path = file->output.path;
    enum content content = CONTENT_NOTHING;
    if (path && !inspect(path, &content, err))
        return false;
    if (content != CONTENT_OTHER || force)
        return true;
    error_set(
        err,
        "%s: is not a result file, and is not replaced; give --out another name (with --force it would be kept as "
        "%s.1 or the next free number)",
        path, path);
    return false;
}

const char *result_file_path(const struct result_file *file)
{
    return file->output.path;
}

/* Better than an older result: something was measured, or there is nothing more to come. */
static bool is_worth_keeping(const struct result *result)
{
    for (size_t i = 0; i < result->trial_count; i++)
        if (result->trials[i].state == TRIAL_MEASURED && result->trials[i].tally.started > 0)
            return true;
    return result->complete;
}

/* Moves what is there out of the way. file->is_left: there is something, and nothing better to put in its place. */
static bool take_over(struct result_file *file, const struct result *result, struct message_list *notes,
                      struct error *err)
{
    const char *path = file->output.path;
    enum content content;
    char *kept;
    if (!inspect(path, &content, err))
        return false;
    file->is_left = content != CONTENT_NOTHING && !is_worth_keeping(result);
    if (file->is_left || content == CONTENT_NOTHING)
        return true;
    if (!file_keep(path, &kept, err))
        return false;
    message_list_add(notes, "what was in %s is kept as %s", path, kept);
    free(kept);
    file->is_ours = true;
    return true;
}

static bool write_text(struct result_file *file, const char *text, struct message_list *notes, struct error *err)
{
    struct error warning;
    error_init(&warning);
    bool ok = output_write(&file->output, text, strlen(text), &warning, err);
    if (warning.is_set && !file->has_warned)
        message_list_add(notes, "%s", warning.message);
    file->has_warned |= warning.is_set;
    file->is_ours |= ok;
    return ok;
}

bool result_file_write(struct result_file *file, const struct result *result, struct message_list *notes,
                       struct error *err)
{
    if (file->output.path && !file->is_ours && !take_over(file, result, notes, err))
        return false;
    if (file->is_left)
        return true;
    char *text = result_to_text(result, err);
    bool ok = text && write_text(file, text, notes, err);
    free(text);
    return ok;
}

void result_file_close(struct result_file *file)
{
    output_close(&file->output);
}
