/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/result_reader.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "parse/cell_reader.h"
#include "parse/facts.h"
#include "parse/json_pieces.h"

#define SIZE_LIMIT ((size_t)1 << 40)

struct reading {
    struct deployment *deployment;
    json_t *fingerprints; /* in the order of the tests */
};

static void set_text(char **text, const json_t *value)
{
    free(*text);
    *text = json_is_string(value) ? memory_strdup(json_string_value(value)) : NULL;
}

/* Beside the rungs stand "start" and "end", and whatever other ages put there. */
static bool is_rung(const char *key)
{
    return key[0] != '\0' && key[strspn(key, "0123456789")] == '\0';
}

static bool rung_of(const char *key, unsigned *threads, struct error *err)
{
    unsigned long number = strlen(key) <= 10 ? strtoul(key, NULL, 10) : 0;
    if (number < 1 || number > INT_MAX) {
        error_set(err, "expected a number of threads from 1 to %d", INT_MAX);
        return false;
    }
    *threads = (unsigned)number;
    return true;
}

static bool read_cells(json_t *results, struct test_data *test, struct error *err)
{
    const char *key;
    json_t *value;
    test->cells = memory_zeroed(json_object_size(results) + 1, sizeof *test->cells);
    json_object_foreach(results, key, value)
    {
        if (!is_rung(key))
            continue;
        struct cell_data *cell = &test->cells[test->cell_count++];
        if (!rung_of(key, &cell->threads, err) || !cell_read(value, cell, err)) {
            error_prefix_path(err, key);
            return false;
        }
    }
    return true;
}

static bool sort_cells(struct test_data *test, struct error *err)
{
    test_sort_cells(test);
    for (size_t i = 1; i < test->cell_count; i++) {
        if (test->cells[i].threads == test->cells[i - 1].threads) {
            error_set(err, "%u threads stand twice", test->cells[i].threads);
            return false;
        }
    }
    return true;
}

static char *name_with_variant(const char *name, const json_t *variant)
{
    if (!variant)
        return memory_strdup(name);
    char *text = json_dumps(variant, JSON_ENCODE_ANY | JSON_COMPACT);
    char *whole = memory_printf("%s (variant %s)", name, text ? text : "?");
    free(text);
    return whole;
}

static void read_tags(const json_t *tags, struct test_data *test)
{
    test->tags = memory_zeroed(json_array_size(tags) + 1, sizeof *test->tags);
    for (size_t i = 0; i < json_array_size(tags); i++) {
        const char *tag = json_string_value(json_array_get(tags, i));
        if (tag)
            test->tags[test->tag_count++] = memory_strdup(tag);
    }
}

static bool read_test(const json_t *object, struct test_data *test, struct error *err)
{
    json_t *name = json_object_get(object, "name"), *results = json_object_get(object, "results");
    if (!json_is_object(object))
        error_set(err, "expected an object, got %s", json_kind_name(object));
    else if (!json_is_string(name))
        error_set(err, "/name: expected a string, got %s", json_kind_name(name));
    else if (!json_is_object(results))
        error_set(err, "/results: expected an object, got %s", json_kind_name(results));
    if (err->is_set)
        return false;
    test->name = name_with_variant(json_string_value(name), json_object_get(object, "variant"));
    set_text(&test->start, json_object_get(results, "start"));
    set_text(&test->end, json_object_get(results, "end"));
    read_tags(json_object_get(object, "tags"), test);
    bool ok = read_cells(results, test, err) && sort_cells(test, err);
    if (!ok)
        error_prefix_path(err, "results");
    return ok;
}

static bool on_test(void *context, size_t index, json_t *value, struct error *err)
{
    struct deployment *deployment = ((struct reading *)context)->deployment;
    if (deployment->test_count == deployment->test_capacity) {
        deployment->test_capacity = deployment->test_capacity ? deployment->test_capacity * 2 : 128;
        deployment->tests = memory_resize(deployment->tests, deployment->test_capacity, sizeof *deployment->tests);
    }
    struct test_data *test = &deployment->tests[deployment->test_count++];
    *test = (struct test_data){0};
    if (read_test(value, test, err))
        return true;
    char step[24];
    snprintf(step, sizeof step, "%zu", index);
    error_prefix_path(err, step);
    error_prefix_path(err, "results");
    return false;
}

static void read_skipped(const json_t *list, struct fact_list *skipped)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *tag = json_string_value(json_object_get(item, "tag"));
        if (name)
            fact_list_add(skipped, name, tag ? tag : "");
    }
}

static bool on_member(void *context, const char *name, json_t *value, struct error *err)
{
    struct reading *reading = context;
    struct deployment *deployment = reading->deployment;
    if (strcmp(name, "results") == 0) {
        error_set(err, "/results: expected an array, got %s", json_kind_name(value));
        return false;
    }
    if (strcmp(name, "start") == 0 || strcmp(name, "run_start_time") == 0)
        set_text(&deployment->start, value);
    else if (strcmp(name, "end") == 0 || strcmp(name, "run_end_time") == 0)
        set_text(&deployment->end, value);
    else if (strcmp(name, "command_line") == 0)
        set_text(&deployment->command_line, value);
    else if (strcmp(name, "interrupted") == 0)
        deployment->interrupted = json_is_true(value);
    else if (strcmp(name, "skipped") == 0)
        read_skipped(value, &deployment->skipped);
    else if (strcmp(name, "fingerprints") == 0)
        reading->fingerprints = json_deep_copy(value);
    else if (strcmp(name, "errors") != 0 && strcmp(name, "complete") != 0 && strcmp(name, "run_id") != 0)
        facts_add_member(&deployment->facts, name, value);
    return true;
}

static void apply_fingerprints(struct reading *reading)
{
    struct deployment *deployment = reading->deployment;
    for (size_t i = 0; i < deployment->test_count; i++)
        set_text(&deployment->tests[i].fingerprint, json_array_get(reading->fingerprints, i));
    json_decref(reading->fingerprints);
}

bool result_reader_read_text(const char *text, size_t size, struct deployment *deployment, struct error *err)
{
    struct reading reading = {.deployment = deployment};
    struct json_pieces_reader pieces = {
        .array = "results", .context = &reading, .member = on_member, .element = on_test};
    *deployment = (struct deployment){0};
    bool ok = json_pieces_read(text, size, &pieces, err);
    if (ok && !pieces.array_found) {
        error_set(err, "there is no member \"results\"; expected a result file of benchrun or mongo-perf");
        ok = false;
    }
    apply_fingerprints(&reading);
    deployment_number_tests(deployment);
    return ok;
}

static char *label_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *label = memory_strdup(slash && slash[1] ? slash + 1 : path);
    size_t length = strlen(label);
    if (length > 5 && strcmp(label + length - 5, ".json") == 0)
        label[length - 5] = '\0';
    return label;
}

bool result_reader_read(const char *path, const char *label, struct deployment *deployment, struct error *err)
{
    struct buffer text = {0};
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    *deployment = (struct deployment){0};
    bool ok = is_stdin ? file_read_descriptor(STDIN_FILENO, name, SIZE_LIMIT, &text, err)
                       : file_read(path, SIZE_LIMIT, &text, err);
    if (ok) {
        ok = result_reader_read_text((const char *)text.data, text.size, deployment, err);
        if (!ok)
            error_prefix(err, "%s", name);
    }
    deployment->path = memory_strdup(name);
    deployment->label = label ? memory_strdup(label) : label_of(name);
    buffer_release(&text);
    return ok;
}
