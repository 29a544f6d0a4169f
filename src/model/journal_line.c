/* SPDX-License-Identifier: Apache-2.0 */
#include "model/journal_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "model/tally_json.h"
#include "model/text.h"
#include "model/trial_fields.h"

#define JOURNAL_FORMAT 1
#define JOURNAL_WALL_MS_MAX INT64_C(253402300799999) /* the end of the year 9999, as far as ISO 8601 goes */

static const char *const state_names[] = {
    [TRIAL_MEASURED] = "measured",
    [TRIAL_UNPREPARED] = "unprepared",
    [TRIAL_UNSUPPORTED] = "unsupported",
    [TRIAL_INTERRUPTED] = "interrupted",
};

static json_t *test_to_json(const struct result_test *test)
{
    json_t *object = json_object(), *tags = json_array();
    json_object_set_new(object, "name", text_to_json(test->name));
    json_object_set_new(object, "file", text_to_json(test->file));
    json_object_set_new(object, "fingerprint", text_to_json(test->fingerprint));
    for (size_t i = 0; i < test->tag_count; i++)
        json_array_append_new(tags, text_to_json(test->tags[i]));
    json_object_set_new(object, "tags", tags);
    if (test->skipped)
        json_object_set_new(object, "skipped", text_to_json(test->skipped));
    return object;
}

json_t *journal_line_begin(const struct result *plan)
{
    json_t *line = json_object(), *tests = json_array(), *threads = json_array();
    for (size_t i = 0; i < plan->test_count; i++)
        json_array_append_new(tests, test_to_json(&plan->tests[i]));
    for (size_t i = 0; i < plan->thread_count; i++)
        json_array_append_new(threads, json_integer(plan->threads[i]));
    json_object_set_new(line, "journal", json_integer(JOURNAL_FORMAT));
    json_object_set_new(line, "start_wall_ms", json_integer(plan->start_wall_ms));
    json_object_set_new(line, "header", plan->header ? json_incref(plan->header) : json_object());
    json_object_set_new(line, "threads", threads);
    json_object_set_new(line, "tests", tests);
    return line;
}

static void add_measurement(json_t *object, const struct trial_result *trial)
{
    json_object_set_new(object, "code", json_integer(trial->code));
    json_object_set_new(object, "reason", text_to_json(trial->reason));
    trial_fields_to_json(trial, object);
    json_object_set_new(object, "session_ops_min", json_integer((json_int_t)trial->session_ops_min));
    json_object_set_new(object, "session_ops_max", json_integer((json_int_t)trial->session_ops_max));
    if (trial->setup_failures.count > 0)
        json_object_set_new(object, "setup_failures", tally_reasons_to_json(&trial->setup_failures));
    json_object_set_new(object, "tally", tally_to_json(&trial->tally));
}

json_t *journal_line_trial(const struct trial_result *trial)
{
    json_t *object = json_object();
    json_object_set_new(object, "test", json_integer((json_int_t)trial->test));
    json_object_set_new(object, "rung", json_integer((json_int_t)trial->rung));
    json_object_set_new(object, "trial", json_integer(trial->trial));
    json_object_set_new(object, "state", json_string(state_names[trial->state]));
    json_object_set_new(object, "start_wall_ms", json_integer(trial->start_wall_ms));
    json_object_set_new(object, "end_wall_ms", json_integer(trial->end_wall_ms));
    if (trial->state != TRIAL_INTERRUPTED)
        add_measurement(object, trial);
    return json_pack("{s:o}", "trial", object);
}

json_t *journal_line_end(bool complete, bool interrupted, int64_t end_wall_ms)
{
    return json_pack("{s:{s:b,s:b,s:I}}", "end", "complete", complete, "interrupted", interrupted, "end_wall_ms",
                     (json_int_t)end_wall_ms);
}

/* An integer member within [low, high]; a missing one is `low`, if that is 0. */
static bool get_integer(const json_t *object, const char *key, int64_t low, int64_t high, int64_t *out,
                        struct error *err)
{
    const json_t *value = json_object_get(object, key);
    *out = value ? json_integer_value(value) : 0;
    if ((!value || json_is_integer(value)) && *out >= low && *out <= high)
        return true;
    error_set(err, "%s: expected a whole number from %lld to %lld", key, (long long)low, (long long)high);
    return false;
}

static char *copy_string(const json_t *value)
{
    return json_is_string(value) ? memory_strdup(json_string_value(value)) : NULL;
}

static void apply_tags(const json_t *tags, struct result_test *test)
{
    test->tags = memory_zeroed(json_array_size(tags) + 1, sizeof *test->tags);
    for (size_t i = 0; i < json_array_size(tags); i++)
        if (json_is_string(json_array_get(tags, i)))
            test->tags[test->tag_count++] = copy_string(json_array_get(tags, i));
}

static bool apply_test(const json_t *object, struct result_test *test, struct error *err)
{
    const char *fingerprint = json_string_value(json_object_get(object, "fingerprint"));
    test->name = copy_string(json_object_get(object, "name"));
    if (!test->name || !fingerprint || strlen(fingerprint) >= sizeof test->fingerprint) {
        error_set(err, "tests: expected objects with name and fingerprint");
        return false;
    }
    snprintf(test->fingerprint, sizeof test->fingerprint, "%s", fingerprint);
    test->file = copy_string(json_object_get(object, "file"));
    test->skipped = copy_string(json_object_get(object, "skipped"));
    apply_tags(json_object_get(object, "tags"), test);
    return true;
}

static bool apply_tests(const json_t *tests, struct result *result, struct error *err)
{
    result->tests = memory_zeroed(json_array_size(tests) + 1, sizeof *result->tests);
    for (size_t i = 0; i < json_array_size(tests); i++) {
        result->test_count++;
        if (!apply_test(json_array_get(tests, i), &result->tests[i], err))
            return false;
    }
    return true;
}

static bool apply_threads(const json_t *threads, struct result *result, struct error *err)
{
    result->threads = memory_zeroed(json_array_size(threads) + 1, sizeof *result->threads);
    for (size_t i = 0; i < json_array_size(threads); i++) {
        json_int_t value = json_integer_value(json_array_get(threads, i));
        if (value < 1 || value > INT32_MAX) {
            error_set(err, "threads: expected whole numbers from 1");
            return false;
        }
        result->threads[result->thread_count++] = (unsigned)value;
    }
    return true;
}

static bool apply_begin(const json_t *line, struct result *result, struct error *err)
{
    json_t *header = json_object_get(line, "header");
    int64_t format;
    if (result->header || !json_is_object(header)) {
        error_set(err, "header: expected one object, in the first line");
        return false;
    }
    result->header = json_incref(header);
    if (!get_integer(line, "journal", JOURNAL_FORMAT, JOURNAL_FORMAT, &format, err) ||
        !get_integer(line, "start_wall_ms", 0, JOURNAL_WALL_MS_MAX, &result->start_wall_ms, err))
        return false;
    result->end_wall_ms = result->start_wall_ms;
    return apply_threads(json_object_get(line, "threads"), result, err) &&
           apply_tests(json_object_get(line, "tests"), result, err);
}

static bool read_state(const json_t *object, enum trial_state *state, struct error *err)
{
    const char *name = json_string_value(json_object_get(object, "state"));
    for (size_t i = 0; name && i < COUNT_OF(state_names); i++) {
        if (strcmp(name, state_names[i]) == 0) {
            *state = (enum trial_state)i;
            return true;
        }
    }
    error_set(err, "state: expected the name of a trial's state");
    return false;
}

static bool read_position(const json_t *object, const struct result *result, struct trial_result *trial,
                          struct error *err)
{
    int64_t test, rung, number;
    if (!get_integer(object, "test", 0, (int64_t)result->test_count - 1, &test, err) ||
        !get_integer(object, "rung", 0, (int64_t)result->thread_count - 1, &rung, err) ||
        !get_integer(object, "trial", 0, INT32_MAX, &number, err))
        return false;
    trial->test = (size_t)test;
    trial->rung = (size_t)rung;
    trial->trial = (unsigned)number;
    return true;
}

static bool read_measurement(const json_t *object, struct trial_result *trial, struct error *err)
{
    int64_t code, slowest, fastest;
    if (!get_integer(object, "code", INT32_MIN, INT32_MAX, &code, err) ||
        !get_integer(object, "session_ops_min", 0, INT64_MAX, &slowest, err) ||
        !get_integer(object, "session_ops_max", 0, INT64_MAX, &fastest, err) ||
        !get_integer(object, "start_wall_ms", 0, JOURNAL_WALL_MS_MAX, &trial->start_wall_ms, err) ||
        !get_integer(object, "end_wall_ms", 0, JOURNAL_WALL_MS_MAX, &trial->end_wall_ms, err) ||
        !trial_fields_from_json(object, trial, err))
        return false;
    const char *reason = json_string_value(json_object_get(object, "reason"));
    snprintf(trial->reason, sizeof trial->reason, "%s", reason ? reason : "");
    trial->code = (int32_t)code;
    trial->session_ops_min = (uint64_t)slowest;
    trial->session_ops_max = (uint64_t)fastest;
    return tally_reasons_from_json(json_object_get(object, "setup_failures"), &trial->setup_failures, err) &&
           tally_from_json(json_object_get(object, "tally"), &trial->tally, err);
}

static bool apply_trial(const json_t *object, struct result *result, struct error *err)
{
    struct trial_result trial = {0};
    if (!read_position(object, result, &trial, err) || !read_state(object, &trial.state, err) ||
        !read_measurement(object, &trial, err))
        return false;
    result_add_trial(result, &trial);
    return true;
}

static bool apply_end(const json_t *object, struct result *result, struct error *err)
{
    result->complete = json_is_true(json_object_get(object, "complete"));
    result->interrupted = json_is_true(json_object_get(object, "interrupted"));
    return get_integer(object, "end_wall_ms", 0, JOURNAL_WALL_MS_MAX, &result->end_wall_ms, err);
}

bool journal_line_apply(const json_t *line, struct result *result, struct error *err)
{
    const json_t *trial = json_object_get(line, "trial"), *end = json_object_get(line, "end");
    if (json_object_get(line, "journal"))
        return apply_begin(line, result, err);
    if (result->header && trial)
        return apply_trial(trial, result, err);
    if (result->header && end)
        return apply_end(end, result, err);
    error_set(err, result->header ? "expected a trial or the end" : "expected a journal's first line");
    return false;
}
