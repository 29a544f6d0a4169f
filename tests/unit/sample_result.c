/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/result_header.h"

#define START_MS INT64_C(1796057210072)

static void set_test(struct result_test *test, const char *name, const char *skipped)
{
    test->name = memory_strdup(name);
    test->file = memory_strdup("testcases/simple_insert.json");
    snprintf(test->fingerprint, sizeof test->fingerprint, "%016zx", strlen(name));
    test->tags = memory_zeroed(2, sizeof *test->tags);
    test->tags[0] = memory_strdup("insert");
    test->tags[1] = memory_strdup("core");
    test->tag_count = 2;
    test->skipped = skipped ? memory_strdup(skipped) : NULL;
}

json_t *sample_header(bool exclude_testbed)
{
    unsigned threads[] = {1, 2, 128};
    char *words[] = {(char[]){"insert"}, (char[]){"update"}};
    struct filter_group group = {words, 2};
    struct run_options options = {
        .threads = threads,
        .thread_count = 3,
        .multidb = 1,
        .multicoll = 1,
        .trial_time_ns = 100 * CLOCK_NS_PER_MS,
        .trial_count = 2,
        .grace_ns = 30 * CLOCK_NS_PER_SEC,
        .patience_ns = 30 * CLOCK_NS_PER_SEC,
        .seed = 7,
        .uri = (char[]){"mongodb://somebody:s3cret@db.example:27017/?replicaSet=rs0"},
        .password = (char[]){"s3cret"},
        .include = {&group, 1},
        .exclude_testbed = exclude_testbed,
        .command_line = (char[]){"benchrun -f x.json -u somebody -p ***"},
    };
    struct testbed testbed = {
        .product = (char[]){"MongoDB"},
        .version = (char[]){"7.0.0"},
        .git_version = (char[]){"eb55867b51d49ad30d4e6e13402ca78896e3fa27"},
        .platform = (char[]){"linux"},
        .storage_engine = (char[]){"wiredTiger"},
        .topology = (char[]){"standalone"},
        .host = (char[]){"db.example:27017"},
        .client_cpus = 2,
    };
    json_t *write_concern = json_pack("{s:b}", "j", 0);
    json_t *header = result_header_new(&options, &testbed, write_concern, "0123456789abcdef");
    json_decref(write_concern);
    return header;
}

void sample_plan(struct result *plan)
{
    static const unsigned threads[] = {1, 2, 128};
    result_init(plan);
    plan->header = sample_header(false);
    plan->threads = memory_copy(threads, sizeof threads);
    plan->thread_count = 3;
    plan->tests = memory_zeroed(3, sizeof *plan->tests);
    plan->test_count = 3;
    set_test(&plan->tests[0], "Insert.Empty", NULL);
    set_test(&plan->tests[1], "Update.\xC3\xA4 \"quoted\"", NULL);
    set_test(&plan->tests[2], "Insert.TooNew", ">=99.0");
    plan->start_wall_ms = plan->end_wall_ms = START_MS;
}

struct trial_result sample_trial(size_t test, size_t rung, unsigned number, uint64_t succeeded)
{
    struct trial_result trial = {.test = test, .rung = rung, .trial = number, .state = TRIAL_MEASURED};
    trial.start_wall_ms = START_MS + (int64_t)((test * 3 + rung) * 10 + number) * 1000;
    trial.end_wall_ms = trial.start_wall_ms + 1000;
    trial.elapsed_ns = CLOCK_NS_PER_SEC;
    trial.client_cpu_ns = 123456789;
    trial.setup_ns = 5000;
    trial.server_wait_ns = 7000;
    trial.session_ops_min = succeeded / 2;
    trial.session_ops_max = succeeded * 2;
    tally_init(&trial.tally);
    trial.tally.started = trial.tally.succeeded = trial.tally.inserted = succeeded;
    trial.tally.within_trial_time = succeeded;
    for (uint64_t i = 0; i < succeeded; i++)
        tally_latency(&trial.tally, 100000);
    return trial;
}

struct trial_result sample_lost_trial(size_t test, size_t rung, enum trial_state state, int32_t code, const char *why)
{
    struct trial_result trial = sample_trial(test, rung, 0, 0);
    trial.state = state;
    trial.code = code;
    trial.elapsed_ns = 0;
    snprintf(trial.reason, sizeof trial.reason, "%s", why);
    return trial;
}

static struct trial_result failing_trial(size_t test, size_t rung, unsigned number, uint64_t succeeded)
{
    struct trial_result trial = sample_trial(test, rung, number, succeeded);
    trial.tally.started += 7;
    trial.tally.failed = 4;
    trial.tally.broken = 2;
    trial.tally.abandoned = 1;
    tally_reason_add(&trial.tally.failures, 121, "Document failed validation", 26, 3);
    tally_reason_add(&trial.tally.failures, 11000, "E11000 duplicate key", 20, 1);
    tally_reason_add(&trial.tally.breaks, 104, "Connection reset by peer", 24, 2);
    trial.tally.no_service_ns = 70000;
    trial.reconnects = 2;
    trial.abandoned_killed = 1;
    trial.settle_ns = 5000000;
    return trial;
}

void sample_trials(struct trial_result trials[SAMPLE_TRIALS])
{
    trials[0] = sample_trial(0, 0, 0, 3000);
    trials[1] = sample_trial(0, 0, 1, 3002);
    trials[1].elapsed_ns = 1000000007; /* a divisor that gives an endless fraction */
    trials[2] = failing_trial(0, 1, 0, 5000);
    trials[3] = failing_trial(0, 1, 1, 0);
    trials[4] = failing_trial(0, 2, 0, 0);
    trials[5] = sample_lost_trial(1, 0, TRIAL_UNPREPARED, 13, "not authorized on test0 to execute command");
    trials[6] = sample_trial(1, 1, 0, 10);
    tally_reason_add(&trials[6].setup_failures, 17280, "/pre/1/index: key too long", 26, 1);
    trials[7] = sample_lost_trial(1, 1, TRIAL_INTERRUPTED, 0, "");
    trials[8] = sample_lost_trial(1, 2, TRIAL_UNSUPPORTED, 59, "no such command: 'collMod\xFF'");
}

void sample_result(struct result *result)
{
    struct trial_result *trials = memory_zeroed(SAMPLE_TRIALS, sizeof *trials);
    sample_plan(result);
    sample_trials(trials);
    for (size_t i = 0; i < SAMPLE_TRIALS; i++)
        result_add_trial(result, &trials[i]);
    free(trials);
}
