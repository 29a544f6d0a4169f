/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/cell.h"
#include "model/result.h"
#include "model/result_header.h"
#include "sample_result.h"

static json_t *sample_json(void)
{
    struct result result;
    sample_result(&result);
    json_t *json = result_to_json(&result);
    result_release(&result);
    return json;
}

static json_t *cell_of(const json_t *json, size_t test, const char *rung)
{
    json_t *results = json_object_get(json_array_get(json_object_get(json, "results"), test), "results");
    return json_object_get(results, rung);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void test_void(void **state)
{
    (void)state;
    struct trial_result trial = sample_trial(0, 0, 0, 0);
    assert_true(trial_is_void(&trial) && isnan(trial_ops_per_sec(&trial)));
    trial.tally.started = 10;
    trial.tally.succeeded = trial.tally.local = 4;
    trial.tally.failed = 6;
    assert_true(trial_is_void(&trial) && isnan(trial_ops_per_sec(&trial)));
    trial.tally.started = 4;
    trial.tally.failed = 0;
    assert_true(trial_is_void(&trial) && isnan(trial_ops_per_sec(&trial)));
    char *reason = cell_trial_reason(&trial);
    assert_string_equal(reason, "nothing was asked of the server: all 4 operations are local");
    free(reason);
    trial.tally.started = trial.tally.succeeded = 5;
    assert_false(trial_is_void(&trial));
    assert_true(trial_ops_per_sec(&trial) == 5);
    assert_true(trial_server_ops_per_sec(&trial) == 1);
    trial.elapsed_ns = 0;
    assert_true(isnan(trial_ops_per_sec(&trial)));
}

static void test_shape(void **state)
{
    (void)state;
    json_t *json = sample_json();
    assert_int_equal(json_array_size(json_object_get(json, "results")), 2);
    assert_int_equal(json_array_size(json_object_get(json, "fingerprints")), 2);
    assert_string_equal(json_string_value(json_object_get(json, "start")), "2026-11-30T16:46:50.072Z");
    const json_t *rungs = json_object_get(json_array_get(json_object_get(json, "results"), 0), "results");
    assert_int_equal(json_object_size(rungs), 5);
    assert_non_null(json_object_get(rungs, "start"));
    assert_non_null(json_object_get(rungs, "end"));
    assert_int_equal(json_array_size(json_object_get(json, "unmeasured")), 0);
    assert_true(json_is_false(json_object_get(json, "complete")));
    assert_true(json_is_true(json_object_get(json, "interrupted")));
    assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(json, "skipped"), 0), "tag")),
                        ">=99.0");
    json_decref(json);
}

static void test_numbers(void **state)
{
    (void)state;
    json_t *json = sample_json();
    const json_t *cell = cell_of(json, 0, "1");
    double a = 3000, b = 3002 * 1e9 / 1000000007;
    assert_true(number(cell, "ops_per_sec") == (a + b) / 2);
    assert_true(number(cell, "ops_per_sec_median") == (a + b) / 2);
    assert_true(fabs(number(cell, "ops_per_sec_stdev") - (b - a) / 2) < 1e-9);
    assert_true(json_number_value(json_array_get(json_object_get(cell, "ops_per_sec_values"), 1)) == b);
    assert_true(number(cell, "trials_counted") == 2);
    assert_true(number(cell, "elapsed_ns") == 2000000007);
    assert_true(number(cell, "latency_mean_us") == 100);
    assert_true(number(json_object_get(cell, "operations"), "succeeded") == 6002);
    assert_true(number(json_object_get(cell, "documents"), "inserted") == 6002);
    assert_int_equal(json_array_size(json_object_get(cell, "trials")), 2);
    assert_null(json_object_get(cell, "reason"));
    json_decref(json);
}

static void test_session_ops(void **state)
{
    (void)state;
    json_t *json = sample_json();
    const json_t *cell = cell_of(json, 0, "1");
    assert_true(number(cell, "session_ops_min") == 1500);
    assert_true(number(cell, "session_ops_mean") == 3001);
    assert_true(number(cell, "session_ops_max") == 6004);
    const json_t *trials = json_object_get(cell, "trials");
    assert_true(number(json_array_get(trials, 1), "session_ops_min") == 1501);
    assert_true(number(json_array_get(trials, 1), "session_ops_mean") == 3002);
    /* Two trials on two sessions; one of them had no success. */
    cell = cell_of(json, 0, "2");
    assert_true(number(cell, "session_ops_mean") == 1250);
    assert_true(number(cell, "session_ops_min") == 0);
    /* No clock ran. */
    cell = cell_of(json, 1, "1");
    assert_true(json_is_null(json_object_get(cell, "session_ops_min")));
    assert_true(json_is_null(json_object_get(cell, "session_ops_mean")));
    json_decref(json);
}

static void test_void_trial(void **state)
{
    (void)state;
    json_t *json = sample_json();
    const json_t *cell = cell_of(json, 0, "2");
    assert_true(number(cell, "ops_per_sec") == 5000);
    assert_true(json_is_null(json_array_get(json_object_get(cell, "ops_per_sec_values"), 1)));
    assert_int_equal(json_integer_value(json_array_get(json_object_get(cell, "error_values"), 1)), 6);
    assert_true(number(cell, "trials_counted") == 1);
    const json_t *failures = json_object_get(cell, "failures");
    assert_int_equal(json_array_size(failures), 2);
    assert_true(number(json_array_get(failures, 0), "count") == 6);
    assert_true(number(json_object_get(cell, "operations"), "started") == 5014);
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(cell, "trials"), 1), "latency_min_us")));
    json_decref(json);
}

static void assert_no_number(const json_t *cell, const char *reason)
{
    static const char *const keys[] = {"ops_per_sec",        "ops_per_sec_median", "ops_per_sec_stdev",
                                       "server_ops_per_sec", "latency_mean_us",    "latency_min_us",
                                       "latency_max_us"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_true(json_is_null(json_object_get(cell, keys[i])));
    const char *text = json_string_value(json_object_get(cell, "reason"));
    assert_non_null(text);
    if (!strstr(text, reason))
        fail_msg("\"%s\" does not hold \"%s\"", text, reason);
}

static void test_no_number(void **state)
{
    (void)state;
    json_t *json = sample_json();
    assert_no_number(cell_of(json, 0, "128"),
                     "no operation succeeded: 4 failed (mostly code 121: Document failed validation), 2 broken "
                     "(mostly: Connection reset by peer), 1 abandoned");
    assert_no_number(cell_of(json, 1, "1"), "could not be prepared: not authorized");
    assert_no_number(cell_of(json, 1, "128"), "unsupported here: no such command: 'collMod?'");
    json_decref(json);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *test;
        int threads, trial, code;
    } expected[] = {
        {"Insert.Empty", 2, 1, 121},
        {"Insert.Empty", 128, 0, 121},
        {"Update.\xC3\xA4 \"quoted\"", 1, 0, 13},
        {"Update.\xC3\xA4 \"quoted\"", 128, 0, 59},
    };
    json_t *json = sample_json();
    const json_t *errors = json_object_get(json, "errors");
    assert_int_equal(json_array_size(errors), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *entry = json_array_get(errors, i);
        assert_string_equal(json_string_value(json_object_get(entry, "test")), expected[i].test);
        assert_true(number(entry, "threadCount") == expected[i].threads);
        assert_true(number(entry, "trial") == expected[i].trial);
        assert_true(number(json_object_get(entry, "error"), "code") == expected[i].code);
        assert_true(number(entry, "multidb") == 1);
        assert_null(json_object_get(entry, "username"));
        assert_null(json_object_get(entry, "password"));
    }
    json_decref(json);
}

static void test_interrupted_trial(void **state)
{
    (void)state;
    json_t *json = sample_json();
    const json_t *cell = cell_of(json, 1, "2");
    assert_int_equal(json_array_size(json_object_get(cell, "ops_per_sec_values")), 1);
    assert_int_equal(json_array_size(json_object_get(cell, "trials")), 1);
    json_decref(json);
}

static void test_only_interrupted(void **state)
{
    (void)state;
    struct result result;
    sample_plan(&result);
    struct trial_result trial = sample_lost_trial(0, 0, TRIAL_INTERRUPTED, 0, "");
    result_add_trial(&result, &trial);
    json_t *json = result_to_json(&result);
    assert_int_equal(json_array_size(json_object_get(json, "results")), 0);
    assert_int_equal(json_array_size(json_object_get(json, "errors")), 0);
    const json_t *unmeasured = json_object_get(json, "unmeasured");
    assert_int_equal(json_array_size(unmeasured), 2); /* and not the skipped one */
    assert_string_equal(json_string_value(json_array_get(unmeasured, 0)), "Insert.Empty");
    json_decref(json);
    result_release(&result);
}

static void test_any_order(void **state)
{
    (void)state;
    struct trial_result *trials = memory_zeroed(SAMPLE_TRIALS, sizeof *trials);
    struct result result;
    sample_plan(&result);
    sample_trials(trials);
    /* Every cell's first trial, last cell first, then the second ones. */
    for (unsigned number = 0; number < 2; number++)
        for (size_t i = SAMPLE_TRIALS; i-- > 0;)
            if ((i == 1 || i == 3 || i == 7) == (number == 1))
                result_add_trial(&result, &trials[i]);
    json_t *json = result_to_json(&result), *in_order = sample_json();
    assert_true(json_equal(json, in_order));
    json_decref(json);
    json_decref(in_order);
    result_release(&result);
    free(trials);
}

static void test_summary(void **state)
{
    (void)state;
    struct result result;
    struct result_summary summary;
    sample_result(&result);
    result_summarise(&result, &summary);
    assert_int_equal(summary.cells, 6);
    assert_int_equal(summary.measured_cells, 3);
    assert_int_equal(summary.void_cells, 1);
    assert_int_equal(summary.unprepared_cells, 1);
    assert_int_equal(summary.unsupported_cells, 1);
    assert_int_equal(summary.cells_with_losses, 1);
    result_release(&result);
}

/* Whether a cell of this one trial is one with losses. */
static bool has_losses(const struct trial_result *trial)
{
    struct result result;
    struct result_summary summary;
    sample_plan(&result);
    result_add_trial(&result, trial);
    result_summarise(&result, &summary);
    result_release(&result);
    assert_int_equal(summary.measured_cells, 1);
    return summary.cells_with_losses > 0;
}

static void test_losses(void **state)
{
    (void)state;
    struct trial_result trial = sample_trial(0, 0, 0, 5);
    uint64_t *const counts[] = {&trial.tally.failed, &trial.tally.broken, &trial.tally.abandoned};
    assert_false(has_losses(&trial));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        *counts[i] = 1;
        assert_true(has_losses(&trial));
        *counts[i] = 0;
    }
}

/* The reason of the first cell, which has a measured trial and those two. */
static void assert_reason(const struct trial_result *a, const struct trial_result *b, const char *expected)
{
    struct result result;
    sample_plan(&result);
    struct trial_result measured = sample_trial(0, 0, 0, 5);
    result_add_trial(&result, &measured);
    result_add_trial(&result, a);
    if (b)
        result_add_trial(&result, b);
    json_t *json = result_to_json(&result);
    const json_t *cell = cell_of(json, 0, "1");
    assert_true(number(cell, "ops_per_sec") == 5);
    assert_string_equal(json_string_value(json_object_get(cell, "reason")), expected);
    json_decref(json);
    result_release(&result);
}

static void test_lost_trials(void **state)
{
    (void)state;
    struct trial_result unprepared = sample_lost_trial(0, 0, TRIAL_UNPREPARED, 13, "not authorized");
    struct trial_result interrupted = sample_lost_trial(0, 0, TRIAL_INTERRUPTED, 0, "");
    struct trial_result none = sample_trial(0, 0, 2, 0);
    assert_reason(&unprepared, NULL, "1 of 2 trials has no number: could not be prepared: not authorized");
    assert_reason(&interrupted, &unprepared, "1 of 2 trials has no number: could not be prepared: not authorized");
    assert_reason(&none, &unprepared, "2 of 3 trials have no number, first: no operation was started");
}

static void test_unconfirmed(void **state)
{
    (void)state;
    struct trial_result trial = sample_trial(0, 0, 0, 0);
    trial.tally.started = trial.tally.unconfirmed = 5;
    char *reason = cell_trial_reason(&trial);
    assert_non_null(strstr(reason, "w: 0"));
    free(reason);
    trial.tally.started = trial.tally.unconfirmed = 0;
    reason = cell_trial_reason(&trial);
    assert_string_equal(reason, "no operation was started");
    free(reason);
}

/* A member of the cell and its trials only where there are any. */
static void test_setup_failures(void **state)
{
    (void)state;
    json_t *json = sample_json();
    const json_t *results = json_object_get(json, "results");
    const json_t *rungs = json_object_get(json_array_get(results, 1), "results"), *cell = json_object_get(rungs, "2");
    const json_t *places[] = {cell, json_array_get(json_object_get(cell, "trials"), 0)};
    for (size_t i = 0; i < 2; i++) {
        char *text = json_dumps(json_object_get(places[i], "setup_failures"), JSON_COMPACT);
        assert_string_equal(text, "[{\"code\":17280,\"count\":1,\"message\":\"/pre/1/index: key too long\"}]");
        free(text);
    }
    assert_null(json_object_get(json_object_get(rungs, "1"), "setup_failures"));
    json_decref(json);
}

static void assert_authenticated(const char *uri, bool expected)
{
    struct testbed testbed = {0};
    json_t *write_concern = json_object();
    struct run_options options = {.uri = (char *)(uintptr_t)uri};
    json_t *header = result_header_new(&options, &testbed, write_concern, "run");
    const json_t *value = json_object_get(json_object_get(header, "options"), "authenticated");
    assert_true(json_is_boolean(value) && json_is_true(value) == expected);
    json_decref(header);
    json_decref(write_concern);
}

static void a_user_of_the_uri_counts(void **state)
{
    (void)state;
    assert_authenticated(NULL, false);
    assert_authenticated("mongodb://h", false);
    assert_authenticated("mongodb://h/?appName=a@b", false);
    assert_authenticated("mongodb://u:p@h", true);
    assert_authenticated("mongodb+srv://u@h", true);
    assert_authenticated("mongodb://h/?authMechanism=MONGODB-X509", true);
}

static void test_header(void **state)
{
    (void)state;
    json_t *with = sample_header(false), *without = sample_header(true);
    json_t *server = json_object_get(json_object_get(with, "testbed"), "server");
    json_t *lone = json_object_get(json_object_get(without, "testbed"), "server");
    assert_string_equal(json_string_value(json_object_get(server, "host")), "db.example:27017");
    assert_non_null(json_object_get(with, "basicFields"));
    assert_null(json_object_get(without, "basicFields"));
    assert_int_equal(json_object_size(lone), 1);
    assert_string_equal(json_string_value(json_object_get(lone, "product")), "MongoDB");
    json_t *const headers[] = {with, without};
    for (size_t i = 0; i < 2; i++) {
        char *text = json_dumps(headers[i], JSON_COMPACT);
        assert_null(strstr(text, "s3cret"));
        free(text);
        json_decref(headers[i]);
    }
}

static void test_seed(void **state)
{
    (void)state;
    struct run_options options = {.seed = UINT64_MAX};
    struct testbed testbed = {0};
    json_t *write_concern = json_object(), *header;
    header = result_header_new(&options, &testbed, write_concern, "1");
    assert_string_equal(json_string_value(json_object_get(header, "seed")), "18446744073709551615");
    json_decref(header);
    options.seed = UINT64_C(1) << 53;
    header = result_header_new(&options, &testbed, write_concern, "1");
    assert_true(json_integer_value(json_object_get(header, "seed")) == INT64_C(1) << 53);
    json_decref(header);
    json_decref(write_concern);
}

/* What json_loads() and json_dumps() make of the file is the file. */
static void test_round_trip(void **state)
{
    (void)state;
    json_t *json = sample_json();
    char *text = json_dumps(json, JSON_INDENT(4));
    json_t *again = json_loads(text, 0, NULL);
    char *second = json_dumps(again, JSON_INDENT(4));
    assert_string_equal(text, second);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf,"));
    json_decref(json);
    json_decref(again);
    free(text);
    free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_void, "a trial without a success, or with local ones only, has no rate"),
        NAMED_TEST(test_shape, "beside the rungs stand start and end, and nothing else"),
        NAMED_TEST(test_numbers, "rates are successes by elapsed time, mean, median and deviation of the trials"),
        NAMED_TEST(test_session_ops, "a cell says how evenly its sessions were served"),
        NAMED_TEST(test_void_trial, "a void trial is null in the list and no part of the mean"),
        NAMED_TEST(test_no_number, "a cell without a number has null and a reason"),
        NAMED_TEST(test_errors, "every trial without a number is in errors, without credentials"),
        NAMED_TEST(test_interrupted_trial, "an interrupted trial is not stored as a measurement"),
        NAMED_TEST(test_only_interrupted,
                   "a cell with nothing but an interrupted trial is absent, its test unmeasured"),
        NAMED_TEST(test_any_order, "the order of the schedule does not change the result"),
        NAMED_TEST(test_summary, "the summary counts each cell once"),
        NAMED_TEST(a_user_of_the_uri_counts, "authenticated is who logs in, by name or by certificate"),
        NAMED_TEST(test_setup_failures, "steps of the set-up that failed are in the cell and its trials"),
        NAMED_TEST(test_header, "without the testbed only the product's name is left, a password is nowhere"),
        NAMED_TEST(test_seed, "a seed that JSON readers would round is text"),
        NAMED_TEST(test_round_trip, "the file's numbers survive reading and writing"),
        NAMED_TEST(test_losses, "a cell with an operation that failed, broke or was abandoned is none without losses"),
        NAMED_TEST(test_lost_trials, "a cell with a number says why some of its trials have none"),
        NAMED_TEST(test_unconfirmed, "the reason for no rate says what happened"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
