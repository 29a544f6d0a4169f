/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/cell.h"
#include "model/real.h"
#include "model/result.h"
#include "model/result_header.h"
#include "model/tally_json.h"
#include "model/text.h"
#include "model/trial_fields.h"

static json_t *iso_time(int64_t wall_ms)
{
    char text[CLOCK_ISO_SIZE];
    clock_format_iso(wall_ms, text);
    return json_string(text);
}

static const char *state_name(const struct trial_result *trial)
{
    switch (trial->state) {
    case TRIAL_UNPREPARED:
        return "unprepared";
    case TRIAL_UNSUPPORTED:
        return "unsupported";
    case TRIAL_INTERRUPTED:
        return "interrupted";
    case TRIAL_MEASURED:
        break;
    }
    return trial_is_void(trial) ? "void" : "measured";
}

/* What trials and cells tell alike. */
static void add_sums(json_t *object, const struct tally *tally)
{
    json_object_set_new(object, "operations", tally_operations_to_json(tally));
    json_object_set_new(object, "documents", tally_documents_to_json(tally));
    json_object_set_new(object, "failures", tally_reasons_to_json(&tally->failures));
    json_object_set_new(object, "breaks", tally_reasons_to_json(&tally->breaks));
    tally_latency_to_json(tally, object);
    json_object_set_new(object, "no_service_ns", json_integer((json_int_t)tally->no_service_ns));
}

/* How evenly the sessions were served; null where none ran. */
static void add_session_ops(json_t *object, size_t sessions, uint64_t succeeded, uint64_t min, uint64_t max)
{
    double mean = sessions ? (double)succeeded / (double)sessions : NAN;
    json_object_set_new(object, "session_ops_min", sessions ? json_integer((json_int_t)min) : json_null());
    json_object_set_new(object, "session_ops_mean", text_number_to_json(mean));
    json_object_set_new(object, "session_ops_max", sessions ? json_integer((json_int_t)max) : json_null());
}

/* Only where there are any: most tests allow none. */
static void add_setup_failures(json_t *object, const struct tally_reasons *failures)
{
    if (failures->count > 0)
        json_object_set_new(object, "setup_failures", tally_reasons_to_json(failures));
}

static json_t *trial_to_json(const struct trial_result *trial, unsigned threads)
{
    json_t *object = json_object();
    double value = trial_ops_per_sec(trial);
    json_object_set_new(object, "state", json_string(state_name(trial)));
    if (isnan(value)) {
        char *reason = cell_trial_reason(trial);
        json_object_set_new(object, "reason", text_to_json(reason));
        free(reason);
    }
    json_object_set_new(object, "start", iso_time(trial->start_wall_ms));
    json_object_set_new(object, "end", iso_time(trial->end_wall_ms));
    json_object_set_new(object, "ops_per_sec", text_number_to_json(value));
    json_object_set_new(object, "server_ops_per_sec", text_number_to_json(trial_server_ops_per_sec(trial)));
    trial_fields_to_json(trial, object);
    add_setup_failures(object, &trial->setup_failures);
    add_session_ops(object, trial->state == TRIAL_MEASURED ? threads : 0, trial->tally.succeeded,
                    trial->session_ops_min, trial->session_ops_max);
    add_sums(object, &trial->tally);
    return object;
}

static void add_trials(json_t *object, const struct cell *cell, unsigned threads)
{
    json_t *values = json_array(), *errors = json_array(), *trials = json_array();
    for (size_t i = 0; i < cell->trial_count; i++) {
        const struct trial_result *trial = &cell->trials[i];
        if (trial->state == TRIAL_INTERRUPTED)
            continue;
        json_array_append_new(values, text_number_to_json(trial_ops_per_sec(trial)));
        json_array_append_new(errors, json_integer((json_int_t)(trial->tally.failed + trial->tally.broken)));
        json_array_append_new(trials, trial_to_json(trial, threads));
    }
    json_object_set_new(object, "ops_per_sec_values", values);
    json_object_set_new(object, "error_values", errors);
    json_object_set_new(object, "trials", trials);
}

/* mongo-perf's members first, so that they are found where its readers look. */
static json_t *cell_to_json(const struct cell *cell, unsigned threads)
{
    json_t *object = json_object();
    json_object_set_new(object, "ops_per_sec", text_number_to_json(cell->ops_per_sec));
    json_object_set_new(object, "ops_per_sec_median", text_number_to_json(cell->median));
    json_object_set_new(object, "ops_per_sec_stdev", text_number_to_json(cell->stdev));
    add_trials(object, cell, threads);
    char *reason = cell_reason(cell);
    if (reason)
        json_object_set_new(object, "reason", text_to_json(reason));
    free(reason);
    json_object_set_new(object, "trials_counted", json_integer((json_int_t)cell->counted));
    json_object_set_new(object, "server_ops_per_sec", text_number_to_json(cell->server_ops_per_sec));
    trial_fields_of_cell_to_json(cell, object);
    add_setup_failures(object, &cell->setup_failures);
    add_session_ops(object, cell->measured * threads, cell->tally.succeeded, cell->session_ops_min,
                    cell->session_ops_max);
    add_sums(object, &cell->tally);
    return object;
}

static json_t *tags_to_json(const struct result_test *test)
{
    json_t *list = json_array();
    for (size_t i = 0; i < test->tag_count; i++)
        json_array_append_new(list, text_to_json(test->tags[i]));
    return list;
}

/* NULL when no trial of the test has ended. */
static json_t *test_to_json(const struct result *result, size_t test)
{
    json_t *cells = json_object();
    for (size_t rung = 0; rung < result->thread_count; rung++) {
        struct cell cell;
        char key[16];
        snprintf(key, sizeof key, "%u", result->threads[rung]);
        if (cell_collect(result, test, rung, &cell) && cell.ended > 0)
            json_object_set_new(cells, key, cell_to_json(&cell, result->threads[rung]));
    }
    if (json_object_size(cells) == 0) {
        json_decref(cells);
        return NULL;
    }
    json_object_set_new(cells, "start", iso_time(result->tests[test].start_wall_ms));
    json_object_set_new(cells, "end", iso_time(result->tests[test].end_wall_ms));
    json_t *object = json_object();
    json_object_set_new(object, "name", text_to_json(result->tests[test].name));
    json_object_set_new(object, "tags", tags_to_json(&result->tests[test]));
    json_object_set_new(object, "results", cells);
    return object;
}

static json_t *option(const struct result *result, const char *name)
{
    json_t *value = json_object_get(json_object_get(result->header, "options"), name);
    return value ? json_incref(value) : json_null();
}

static int32_t error_code(const struct trial_result *trial)
{
    const struct tally_reasons *failures = &trial->tally.failures;
    return trial->code == 0 && failures->count > 0 ? failures->items[0].code : trial->code;
}

static json_t *error_to_json(const struct result *result, const struct trial_result *trial)
{
    json_t *object = json_object(), *error = json_object(), *write_concern = option(result, "writeConcern");
    json_object_set_new(object, "test", text_to_json(result->tests[trial->test].name));
    json_object_set_new(object, "trial", json_integer(trial->trial));
    json_object_set_new(object, "threadCount", json_integer(result->threads[trial->rung]));
    json_object_set_new(object, "multidb", option(result, "multidb"));
    json_object_set_new(object, "multicoll", option(result, "multicoll"));
    json_object_set_new(object, "shard", option(result, "shard"));
    json_object_set_new(object, "crudOptions", result_header_crud_options(write_concern));
    json_decref(write_concern);
    char *reason = cell_trial_reason(trial);
    json_object_set_new(error, "message", text_to_json(reason));
    json_object_set_new(error, "code", json_integer(error_code(trial)));
    json_object_set_new(object, "error", error);
    free(reason);
    return object;
}

/* One entry a trial that ended without a number. */
static json_t *errors_to_json(const struct result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->trial_count; i++) {
        const struct trial_result *trial = &result->trials[i];
        if (trial->state != TRIAL_INTERRUPTED && isnan(trial_ops_per_sec(trial)))
            json_array_append_new(list, error_to_json(result, trial));
    }
    return list;
}

static json_t *skipped_to_json(const struct result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->test_count; i++) {
        if (!result->tests[i].skipped)
            continue;
        json_t *object = json_object();
        json_object_set_new(object, "name", text_to_json(result->tests[i].name));
        json_object_set_new(object, "tag", text_to_json(result->tests[i].skipped));
        json_array_append_new(list, object);
    }
    return list;
}

json_t *result_to_json(const struct result *result)
{
    json_t *root = json_object(), *results = json_array(), *fingerprints = json_array(), *unmeasured = json_array();
    if (result->header)
        json_object_update(root, result->header);
    json_object_set_new(root, "start", iso_time(result->start_wall_ms));
    for (size_t test = 0; test < result->test_count; test++) {
        json_t *object = test_to_json(result, test);
        if (!object && !result->tests[test].skipped)
            json_array_append_new(unmeasured, text_to_json(result->tests[test].name));
        if (!object)
            continue;
        json_array_append_new(results, object);
        json_array_append_new(fingerprints, json_string(result->tests[test].fingerprint));
    }
    json_object_set_new(root, "results", results);
    json_object_set_new(root, "fingerprints", fingerprints);
    json_object_set_new(root, "unmeasured", unmeasured);
    json_object_set_new(root, "skipped", skipped_to_json(result));
    json_object_set_new(root, "errors", errors_to_json(result));
    json_object_set_new(root, "complete", json_boolean(result->complete));
    /* Nobody can mark the file of a run that kill -9 ended: it is marked until the run has come to its end. */
    json_object_set_new(root, "interrupted", json_boolean(!result->complete));
    json_object_set_new(root, "end", iso_time(result->end_wall_ms));
    return root;
}

char *result_to_text(const struct result *result, struct error *err)
{
    json_t *root = result_to_json(result);
    char *text = json_dumps(root, JSON_INDENT(4));
    json_decref(root);
    if (!text) {
        error_set(err, "the result cannot be written as JSON");
        return NULL;
    }
    real_shorten_json(text);
    char *lines = memory_printf("%s\n", text);
    free(text);
    return lines;
}
