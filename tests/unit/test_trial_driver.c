/* SPDX-License-Identifier: Apache-2.0 */
/* Trials whose operations libmongoc carries: the accounting is that of test_trial.c. */
#include "trial_rig.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

#include "unit.h"

/* Nothing here asserts a time; the alarm only catches what never ends. */
enum { HANG_S = 240 };

static void driver_init(struct bench *bench, const struct nullserver_config *server, const char *ops, unsigned sessions)
{
    bench_init(bench, server, ops, sessions);
    bench->config.client = RUN_CLIENT_DRIVER;
}

static void counts_what_the_server_saw(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 2, 40};
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++) {
        struct bench bench;
        driver_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, rungs[i]);
        const struct tally *tally = bench_run(&bench);
        assert_true(tally->succeeded > 0);
        assert_int_equal(tally->started, tally->succeeded);
        assert_int_equal(tally->inserted, tally->succeeded);
        assert_int_equal(tally->latency_count, tally->succeeded);
        assert_int_equal(nullserver_count(bench.it.server, "insert"), tally->succeeded);
        assert_int_equal(bench.out.reconnects, 0);
        bench_release(&bench);
    }
}

/* What one client sends: the whole message of the first insert. */
static void record_insert(enum run_client client, struct buffer *message)
{
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){.record = true}, "[{'op': 'insert', 'doc': {'x': {'y': [1, 'z']}}}]",
               1);
    bench.config.client = client;
    bench.config.trial_time_ns = 20 * CLOCK_NS_PER_MS;
    bench_run(&bench);
    assert_true(nullserver_recorded(bench.it.server, "insert", 0, message));
    bench_release(&bench);
}

/* Header, flags and kind, then the document's length; $db and what libmongoc adds of its own stand at the end. */
static void sends_the_same_command(void **state)
{
    (void)state;
    enum { ELEMENTS_AT = 16 + 5 + 4, TAIL = sizeof "\x02$db" + 4 + sizeof "test0" + 1 };
    struct buffer own = {0}, driver = {0};
    record_insert(RUN_CLIENT_OWN, &own);
    record_insert(RUN_CLIENT_DRIVER, &driver);
    assert_true(driver.size >= own.size);
    assert_memory_equal(driver.data + ELEMENTS_AT, own.data + ELEMENTS_AT, own.size - ELEMENTS_AT - TAIL);
    buffer_release(&own);
    buffer_release(&driver);
}

static void large_commands_go_whole(void **state)
{
    (void)state;
    struct bench bench;
    char *padding = memory_zeroed(300001, 1);
    memset(padding, 'x', 300000);
    char *ops = memory_printf("[{'op': 'insert', 'doc': {'x': '%s'}}]", padding);
    driver_init(&bench, &(struct nullserver_config){0}, ops, 2);
    const struct tally *tally = bench_run(&bench);
    assert_true(tally->succeeded > 0);
    assert_int_equal(tally->succeeded, tally->started);
    bench_release(&bench);
    free(ops);
    free(padding);
}

static void lost_connections_are_broken_operations(void **state)
{
    (void)state;
    static const enum nullserver_fault faults[] = {NULLSERVER_CLOSE, NULLSERVER_CLOSE_MIDDLE,
                                                   NULLSERVER_GARBAGE_LENGTH};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct bench bench;
        driver_init(&bench, &(struct nullserver_config){.fault = faults[i], .fault_after = 2, .fault_times = 3},
                    INSERT_ONE, 4);
        const struct tally *tally = bench_run(&bench);
        assert_int_equal(tally->broken, 3);
        assert_int_equal(tally->breaks.items[0].code, EIO);
        assert_true(strlen(tally->breaks.items[0].text) > 0);
        assert_int_equal(tally->failed + tally->abandoned, 0);
        assert_int_equal(bench.out.reconnects, 3);
        assert_true(tally->no_service_ns > 0);
        bench_release(&bench);
    }
}

static void not_primary_is_a_failure_and_reopens(void **state)
{
    (void)state;
    struct bench bench;
    driver_init(&bench,
                &(struct nullserver_config){.fault = NULLSERVER_NOT_PRIMARY, .fault_after = 2, .fault_times = 3},
                INSERT_ONE, 4);
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->failed, 3);
    assert_int_equal(tally->failures.items[0].code, 10107);
    assert_int_equal(tally->broken, 0);
    assert_int_equal(bench.out.reconnects, 3);
    bench_release(&bench);
}

static void what_is_never_answered_is_abandoned(void **state)
{
    (void)state;
    struct bench bench;
    driver_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_NEVER_ANSWER, .fault_after = 3}, INSERT_ONE, 6);
    bench.config.grace_ns = 50 * CLOCK_NS_PER_MS;
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->abandoned, 6);
    assert_int_equal(tally->succeeded, 18);
    assert_int_equal(tally->broken, 0);
    nullserver_set_fault(bench.it.server, NULLSERVER_OK);
    bench.config.grace_ns = 20 * CLOCK_NS_PER_SEC;
    tally = bench_run(&bench);
    assert_true(tally->succeeded > 0);
    assert_int_equal(tally->started, tally->succeeded);
    bench_release(&bench);
}

static void what_ends_within_the_grace_counts(void **state)
{
    (void)state;
    struct bench bench;
    driver_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_SLOW, .slow_ms = 700}, INSERT_ONE, 3);
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->succeeded, 3);
    assert_int_equal(tally->within_trial_time, 0);
    bench_release(&bench);
}

int main(void)
{
    alarm(HANG_S);
    target_library_init();
    const struct CMUnitTest tests[] = {
        NAMED_TEST(counts_what_the_server_saw, "what is counted is what the server saw"),
        NAMED_TEST(sends_the_same_command, "libmongoc sends the command that benchrun sends"),
        NAMED_TEST(large_commands_go_whole, "large commands go whole"),
        NAMED_TEST(lost_connections_are_broken_operations, "lost connections are broken operations"),
        NAMED_TEST(not_primary_is_a_failure_and_reopens, "not primary is a failure and reopens the connection"),
        NAMED_TEST(what_is_never_answered_is_abandoned, "what is never answered is abandoned at the end of the grace"),
        NAMED_TEST(what_ends_within_the_grace_counts, "what ends within the grace counts"),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
