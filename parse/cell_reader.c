/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/cell_reader.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stats.h"

const char *json_kind_name(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string", [JSON_INTEGER] = "a number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",     [JSON_NULL] = "null",
    };
    return value ? names[json_typeof(value)] : "nothing";
}

/* null and nothing are NAN. */
static bool read_number(const json_t *value, double *number, struct error *err)
{
    *number = NAN;
    if (!value || json_is_null(value))
        return true;
    if (!json_is_number(value)) {
        error_set(err, "expected a number or null, got %s", json_kind_name(value));
        return false;
    }
    *number = json_number_value(value);
    if (*number < 0)
        error_set(err, "expected a number from 0");
    return *number >= 0;
}

static bool read_member(const json_t *object, const char *name, double *number, struct error *err)
{
    bool ok = read_number(json_object_get(object, name), number, err);
    if (!ok)
        error_prefix_path(err, name);
    return ok;
}

/* An array that may be missing or null, as mongo-perf writes a cell without one trial. */
static bool find_array(const json_t *object, const char *name, const json_t **array, struct error *err)
{
    *array = json_object_get(object, name);
    if (json_is_null(*array))
        *array = NULL;
    if (!*array || json_is_array(*array))
        return true;
    error_set(err, "/%s: expected an array, got %s", name, json_kind_name(*array));
    return false;
}

static bool read_latency(const json_t *object, struct latency **latency, struct error *err)
{
    struct latency found;
    bool is_told = false;
    for (size_t i = 0; i < LATENCY_KINDS; i++) {
        if (!read_member(object, latency_members[i], &found.us[i], err))
            return false;
        is_told = is_told || !isnan(found.us[i]);
    }
    *latency = is_told ? memory_copy(&found, sizeof found) : NULL;
    return true;
}

static bool read_errors(const json_t *array, size_t index, int64_t *errors, struct error *err)
{
    double number;
    bool ok = read_number(json_array_get(array, index), &number, err);
    *errors = number < 9e18 ? (int64_t)number : -1;
    return ok;
}

static bool fail_in(struct error *err, const char *array, size_t index)
{
    char step[24];
    snprintf(step, sizeof step, "%zu", index);
    error_prefix_path(err, step);
    error_prefix_path(err, array);
    return false;
}

static bool read_trials(const json_t *object, struct cell_data *cell, struct error *err)
{
    const json_t *values, *errors, *trials;
    if (!find_array(object, "ops_per_sec_values", &values, err) || !find_array(object, "error_values", &errors, err) ||
        !find_array(object, "trials", &trials, err))
        return false;
    cell->trial_count = json_array_size(values);
    cell->trials = memory_zeroed(cell->trial_count + 1, sizeof *cell->trials);
    for (size_t i = 0; i < cell->trial_count; i++) {
        struct trial_data *trial = &cell->trials[i];
        if (!read_number(json_array_get(values, i), &trial->ops_per_sec, err))
            return fail_in(err, "ops_per_sec_values", i);
        if (!read_errors(errors, i, &trial->errors, err))
            return fail_in(err, "error_values", i);
        if (!read_latency(json_array_get(trials, i), &trial->latency, err))
            return fail_in(err, "trials", i);
    }
    return true;
}

static bool read_counts(const json_t *object, struct op_counts **counts, struct error *err)
{
    static const char *const names[] = {"started",   "succeeded",   "failed", "broken",
                                        "abandoned", "unconfirmed", "local"};
    struct op_counts found = {0};
    uint64_t *const fields[] = {&found.started,   &found.succeeded,   &found.failed, &found.broken,
                                &found.abandoned, &found.unconfirmed, &found.local};
    const json_t *operations = json_object_get(object, "operations");
    for (size_t i = 0; operations && i < sizeof names / sizeof *names; i++) {
        double number;
        if (!read_member(operations, names[i], &number, err)) {
            error_prefix_path(err, "operations");
            return false;
        }
        *fields[i] = number < 1.8e19 ? (uint64_t)number : 0;
    }
    *counts = operations ? memory_copy(&found, sizeof found) : NULL;
    return true;
}

/* Files from 2014 to the newest; where a file has no number, what its trials say. */
static bool read_summary(const json_t *object, struct cell_data *cell, struct error *err)
{
    double from_2014_median, from_2014_stdev, summarised;
    if (!read_member(object, "ops_per_sec", &cell->ops_per_sec, err) ||
        !read_member(object, "ops_per_sec_median", &cell->median, err) ||
        !read_member(object, "ops_per_sec_stdev", &cell->stdev, err) ||
        !read_member(object, "median", &from_2014_median, err) ||
        !read_member(object, "standardDeviation", &from_2014_stdev, err) || !read_member(object, "n", &summarised, err))
        return false;
    if (isnan(cell->median))
        cell->median = from_2014_median;
    if (isnan(cell->stdev))
        cell->stdev = from_2014_stdev;
    cell->trials_summarised = summarised >= 1 && summarised < 1e9 ? (unsigned)summarised : 0;
    return true;
}

static void summarise_trials(struct cell_data *cell)
{
    double few[16], *values = cell->trial_count <= 16 ? few : memory_zeroed(cell->trial_count, sizeof *values);
    size_t count = cell_values(cell, values);
    if (count > 0) {
        cell->ops_per_sec = isnan(cell->ops_per_sec) ? stats_mean(values, count) : cell->ops_per_sec;
        cell->median = isnan(cell->median) ? stats_median(values, count) : cell->median;
        cell->stdev = isnan(cell->stdev) ? stats_stdev(values, count) : cell->stdev;
    }
    if (values != few)
        free(values);
}

bool cell_read(const json_t *object, struct cell_data *cell, struct error *err)
{
    if (!json_is_object(object)) {
        error_set(err, "expected an object, got %s", json_kind_name(object));
        return false;
    }
    if (!read_summary(object, cell, err) || !read_trials(object, cell, err) ||
        !read_latency(object, &cell->latency, err) || !read_counts(object, &cell->counts, err))
        return false;
    const json_t *reason = json_object_get(object, "reason");
    cell->reason = json_is_string(reason) ? memory_strdup(json_string_value(reason)) : NULL;
    summarise_trials(cell);
    return true;
}
