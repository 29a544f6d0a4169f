/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/cell_reader.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/stats.h"
#include "parse/json_value.h"

#define MEAN_TOLERANCE 1e-4
/* Beyond any measurement, and near enough that squares, sums and ratios of such numbers are numbers. */
#define SMALLEST 1e-100
#define LARGEST 1e100

const char *const cell_trial_members[] = {
    "reason",          "latency_mean_us", "latency_min_us",
    "latency_p50_us",  "latency_p95_us",  "latency_p99_us",
    "latency_p999_us", "latency_max_us",  NULL,
};

/* Why a cell cannot be read: for the file, or, when a number is impossible, for this cell alone. */
struct failure {
    struct error *err;
    bool is_impossible;
};

/* null and nothing are NAN. */
static bool read_number(const json_t *value, double *number, struct failure *failure)
{
    *number = NAN;
    if (!value || json_is_null(value))
        return true;
    if (!json_is_number(value)) {
        error_set(failure->err, "expected a number or null, got %s", json_kind_name(value));
        return false;
    }
    *number = json_number_value(value);
    failure->is_impossible = *number < 0 || *number > LARGEST || (*number > 0 && *number < SMALLEST);
    if (*number < 0)
        error_set(failure->err, "expected a number from 0, got %.15g", *number);
    else if (failure->is_impossible)
        error_set(failure->err, "expected 0, or a number from %g to %g, got %.15g", SMALLEST, LARGEST, *number);
    return !failure->is_impossible;
}

static bool read_member(const json_t *object, const char *name, double *number, struct failure *failure)
{
    bool ok = read_number(json_object_get(object, name), number, failure);
    if (!ok)
        error_prefix_path(failure->err, name);
    return ok;
}

/* An array that may be missing or null, as mongo-perf writes a cell without one trial. */
static bool find_array(const json_t *object, const char *name, const json_t **array, struct failure *failure)
{
    *array = json_object_get(object, name);
    if (json_is_null(*array))
        *array = NULL;
    if (!*array || json_is_array(*array))
        return true;
    error_set(failure->err, "/%s: expected an array, got %s", name, json_kind_name(*array));
    return false;
}

static bool read_latency(const json_t *object, struct latency **latency, struct failure *failure)
{
    struct latency found;
    bool is_told = false;
    for (size_t i = 0; i < LATENCY_KINDS; i++) {
        if (!read_member(object, latency_members[i], &found.us[i], failure))
            return false;
        is_told = is_told || !isnan(found.us[i]);
    }
    *latency = is_told ? memory_copy(&found, sizeof found) : NULL;
    return true;
}

static bool read_errors(const json_t *value, int64_t *errors, struct failure *failure)
{
    double number;
    bool ok = read_number(value, &number, failure);
    *errors = number < 9e18 ? (int64_t)number : -1;
    return ok;
}

static bool fail_in(struct failure *failure, const char *array, size_t index)
{
    char step[24];
    snprintf(step, sizeof step, "%zu", index);
    error_prefix_path(failure->err, step);
    error_prefix_path(failure->err, array);
    return false;
}

static size_t longest(const json_t *a, const json_t *b, const json_t *c)
{
    size_t most = json_array_size(a);
    most = json_array_size(b) > most ? json_array_size(b) : most;
    return json_array_size(c) > most ? json_array_size(c) : most;
}

static bool read_trials(const json_t *object, struct cell_data *cell, struct failure *failure)
{
    const json_t *values, *errors, *trials;
    if (!find_array(object, "ops_per_sec_values", &values, failure) ||
        !find_array(object, "error_values", &errors, failure) || !find_array(object, "trials", &trials, failure))
        return false;
    cell->trial_count = longest(values, errors, trials);
    cell->trials = memory_zeroed(cell->trial_count + 1, sizeof *cell->trials);
    for (size_t i = 0; i < cell->trial_count; i++) {
        struct trial_data *trial = &cell->trials[i];
        if (!read_number(json_array_get(values, i), &trial->ops_per_sec, failure))
            return fail_in(failure, "ops_per_sec_values", i);
        if (!read_errors(json_array_get(errors, i), &trial->errors, failure))
            return fail_in(failure, "error_values", i);
        if (!read_latency(json_array_get(trials, i), &trial->latency, failure))
            return fail_in(failure, "trials", i);
        json_set_text(&trial->reason, json_object_get(json_array_get(trials, i), "reason"));
    }
    return true;
}

static bool read_counts(const json_t *object, struct op_counts **counts, struct failure *failure)
{
    static const char *const names[] = {"started",   "succeeded",   "failed", "broken",
                                        "abandoned", "unconfirmed", "local"};
    struct op_counts found = {0};
    uint64_t *const fields[] = {&found.started,   &found.succeeded,   &found.failed, &found.broken,
                                &found.abandoned, &found.unconfirmed, &found.local};
    const json_t *operations = json_object_get(object, "operations");
    for (size_t i = 0; operations && i < COUNT_OF(names); i++) {
        double number;
        if (!read_member(operations, names[i], &number, failure)) {
            error_prefix_path(failure->err, "operations");
            return false;
        }
        *fields[i] = number < 1.8e19 ? (uint64_t)number : 0;
    }
    *counts = operations ? memory_copy(&found, sizeof found) : NULL;
    return true;
}

/* Files from 2014 to the newest; where a file has no number, what its trials say. */
static bool read_summary(const json_t *object, struct cell_data *cell, struct failure *failure)
{
    double from_2014_median, from_2014_stdev, summarised;
    if (!read_member(object, "ops_per_sec", &cell->ops_per_sec, failure) ||
        !read_member(object, "ops_per_sec_median", &cell->median, failure) ||
        !read_member(object, "ops_per_sec_stdev", &cell->stdev, failure) ||
        !read_member(object, "median", &from_2014_median, failure) ||
        !read_member(object, "standardDeviation", &from_2014_stdev, failure) ||
        !read_member(object, "n", &summarised, failure))
        return false;
    if (isnan(cell->median))
        cell->median = from_2014_median;
    if (isnan(cell->stdev))
        cell->stdev = from_2014_stdev;
    cell->trials_summarised = summarised >= 1 && summarised < 1e9 ? (unsigned)summarised : 0;
    return true;
}

static bool is_close(double a, double b)
{
    return fabs(a - b) <= MEAN_TOLERANCE * fmax(fabs(a), fabs(b));
}

/* The file's own number where it agrees: to the last digit it is what other readers of the file show. */
static void summarise_trials(struct cell_data *cell, double *claimed_mean)
{
    double few[16], *values = cell->trial_count <= 16 ? few : memory_zeroed(cell->trial_count, sizeof *values);
    size_t count = cell_values(cell, values);
    double mean = stats_mean(values, count);
    bool agrees = is_close(cell->ops_per_sec, mean), is_claimed = !isnan(cell->ops_per_sec) && !agrees;
    *claimed_mean = is_claimed ? cell->ops_per_sec : NAN;
    if (!agrees)
        cell->ops_per_sec = mean;
    if (is_claimed || isnan(cell->median))
        cell->median = stats_median(values, count);
    if (is_claimed || isnan(cell->stdev))
        cell->stdev = stats_stdev(values, count);
    if (values != few)
        free(values);
}

static void refuse(struct cell_data *cell, const char *why)
{
    unsigned threads = cell->threads;
    cell_release(cell);
    *cell = (struct cell_data){.threads = threads, .ops_per_sec = NAN, .median = NAN, .stdev = NAN};
    cell->reason = memory_strdup(why);
}

static bool read_members(const json_t *object, struct cell_data *cell, struct failure *failure)
{
    return read_summary(object, cell, failure) && read_trials(object, cell, failure) &&
           read_latency(object, &cell->latency, failure) && read_counts(object, &cell->counts, failure);
}

/* The first of what the server refused, else of the connections that broke. */
static char *first_failure(const json_t *object)
{
    const json_t *failure = json_array_get(json_object_get(object, "failures"), 0);
    const json_t *broken = json_array_get(json_object_get(object, "breaks"), 0);
    const char *message = json_string_value(json_object_get(failure ? failure : broken, "message"));
    if (!message)
        return NULL;
    return failure ? memory_printf("code %lld: %s", (long long)json_integer_value(json_object_get(failure, "code")),
                                   message)
                   : memory_strdup(message);
}

bool cell_read(const json_t *object, struct cell_data *cell, struct cell_oddity *oddity, struct error *err)
{
    struct error why;
    struct failure failure = {&why, false};
    error_init(&why);
    *oddity = (struct cell_oddity){false, NAN};
    if (!json_is_object(object)) {
        error_set(err, "expected an object, got %s", json_kind_name(object));
        return false;
    }
    if (!read_members(object, cell, &failure)) {
        oddity->is_refused = failure.is_impossible;
        if (failure.is_impossible)
            refuse(cell, why.message);
        else
            error_set(err, "%s", why.message);
        return failure.is_impossible;
    }
    json_set_text(&cell->reason, json_object_get(object, "reason"));
    cell->failure = first_failure(object);
    const json_t *lacking = json_array_get(json_object_get(object, "setup_failures"), 0);
    json_set_text(&cell->setup_failure, json_object_get(lacking, "message"));
    if (json_array_size(json_object_get(object, "ops_per_sec_values")) > 0)
        summarise_trials(cell, &oddity->claimed_mean);
    return true;
}
