/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/test_reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "parse/cell_reader.h"
#include "parse/json_value.h"

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

/* Takes over `first`. */
static void add_finding(struct cell_finding *finding, char *first)
{
    if (finding->count++ == 0)
        finding->first = first;
    else
        free(first);
}

static char *claim_words(const struct cell_data *cell, double claimed_mean)
{
    if (isnan(cell->ops_per_sec))
        return memory_printf("%.15g in the file, no number among the values", claimed_mean);
    return memory_printf("%.15g in the file, %.15g from the values", claimed_mean, cell->ops_per_sec);
}

static void note_oddity(struct cell_findings *findings, const struct test_data *test, const struct cell_data *cell,
                        const struct cell_oddity *oddity)
{
    const char *plural = text_plural(cell->threads);
    if (oddity->is_refused)
        add_finding(&findings->refused,
                    memory_printf("%s at %u thread%s: %s", test->name, cell->threads, plural, cell->reason));
    if (isnan(oddity->claimed_mean))
        return;
    char *claim = claim_words(cell, oddity->claimed_mean);
    add_finding(&findings->claimed, memory_printf("%s at %u thread%s: %s", test->name, cell->threads, plural, claim));
    free(claim);
}

static bool read_cells(struct cell_findings *findings, json_t *results, struct test_data *test, struct error *err)
{
    const char *key;
    json_t *value;
    test->cells = memory_zeroed(json_object_size(results) + 1, sizeof *test->cells);
    json_object_foreach(results, key, value) {
        if (!is_rung(key))
            continue;
        struct cell_data *cell = &test->cells[test->cell_count++];
        struct cell_oddity oddity;
        if (!rung_of(key, &cell->threads, err) || !cell_read(value, cell, &oddity, err)) {
            error_prefix_path(err, key);
            return false;
        }
        note_oddity(findings, test, cell, &oddity);
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

bool test_read(const json_t *object, struct test_data *test, struct cell_findings *findings, struct error *err)
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
    json_set_text(&test->start, json_object_get(results, "start"));
    json_set_text(&test->end, json_object_get(results, "end"));
    read_tags(json_object_get(object, "tags"), test);
    bool ok = read_cells(findings, results, test, err) && sort_cells(test, err);
    if (!ok)
        error_prefix_path(err, "results");
    return ok;
}
