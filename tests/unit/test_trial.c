/* SPDX-License-Identifier: Apache-2.0 */
#include "trial_rig.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include "unit.h"

/* Nothing here asserts a time; the alarm only catches what never ends. */
enum { HANG_S = 240 };

/* Everything that was started succeeded, and the server saw as many. */
static void check_clean(unsigned sessions, unsigned workers)
{
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, sessions);
    bench.config.workers = workers;
    const struct tally *tally = bench_run(&bench);
    assert_true(tally->succeeded > 0);
    assert_int_equal(tally->started, tally->succeeded);
    assert_int_equal(tally->inserted, tally->succeeded);
    assert_int_equal(tally->latency_count, tally->succeeded);
    assert_int_equal(tally->no_service_ns, 0);
    assert_int_equal(nullserver_count(bench.it.server, "insert"), tally->succeeded);
    assert_int_equal(bench.out.reconnects, 0);
    assert_true(bench.out.client_cpu_ns > 0);
    bench_release(&bench);
}

static void counts_what_the_server_saw(void **state)
{
    (void)state;
    check_clean(1, 0);
    check_clean(2, 0);
    check_clean(3, 1);
    check_clean(8, 3);
    check_clean(128, 0);
}

static void three_hundred_sessions_take_part(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, 300);
    const struct tally *tally = bench_run(&bench);
    assert_true(tally->succeeded > 0);
    assert_int_equal(tally->started, tally->succeeded);
    bench_release(&bench);
}

static void transports_serve_one_trial_after_another(void **state)
{
    (void)state;
    struct bench bench;
    static const unsigned ladder[] = {1, 2, 4, 8, 16, 8, 1};
    bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, 16);
    for (size_t i = 0; i < sizeof ladder / sizeof ladder[0]; i++) {
        bench.config.sessions = ladder[i];
        bench_run(&bench);
    }
    assert_in_range(nullserver_count(bench.it.server, "isMaster") + nullserver_count(bench.it.server, "hello"), 16, 32);
    bench_release(&bench);
}

/* `fault` happens three times, after two good writes on each connection. */
static void run_with_fault(struct bench *bench, enum nullserver_fault fault, unsigned sessions)
{
    bench_init(bench, &(struct nullserver_config){.fault = fault, .fault_after = 2, .fault_times = 3}, INSERT_ONE,
               sessions);
    bench_run(bench);
}

static void check_broken(enum nullserver_fault fault, unsigned sessions, int32_t cause, const char *text)
{
    struct bench bench;
    run_with_fault(&bench, fault, sessions);
    const struct tally *tally = &bench.out.tally;
    assert_int_equal(tally->broken, 3);
    assert_int_equal(tally->breaks.count, 1);
    assert_int_equal(tally->breaks.items[0].code, cause);
    assert_non_null(strstr(tally->breaks.items[0].text, text));
    assert_int_equal(tally->failed + tally->abandoned, 0);
    assert_int_equal(bench.out.reconnects, 3);
    assert_true(tally->no_service_ns > 0);
    bench_release(&bench);
}

static void lost_connections_are_broken_operations_by_cause(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 4};
    for (size_t i = 0; i < 2; i++) {
        check_broken(NULLSERVER_CLOSE, rungs[i], 0, "closed by the server");
        check_broken(NULLSERVER_CLOSE_MIDDLE, rungs[i], 0, "closed by the server");
        check_broken(NULLSERVER_GARBAGE_LENGTH, rungs[i], EPROTO, "length");
        check_broken(NULLSERVER_WRONG_ID, rungs[i], EPROTO, "");
    }
}

static void not_primary_is_a_failure_and_reopens(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 4};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        run_with_fault(&bench, NULLSERVER_NOT_PRIMARY, rungs[i]);
        assert_int_equal(bench.out.tally.failed, 3);
        assert_int_equal(bench.out.tally.failures.items[0].code, 10107);
        assert_int_equal(bench.out.tally.broken, 0);
        assert_int_equal(bench.out.reconnects, 3);
        bench_release(&bench);
    }
}

static void replies_may_come_in_pieces(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_PIECES}, INSERT_ONE, 5);
    const struct tally *tally = bench_run(&bench);
    assert_true(tally->succeeded > 0);
    assert_int_equal(tally->succeeded, tally->started);
    bench_release(&bench);
}

static void what_ends_within_the_grace_counts(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 6};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_SLOW, .slow_ms = 700}, INSERT_ONE, rungs[i]);
        const struct tally *tally = bench_run(&bench);
        assert_int_equal(tally->succeeded, rungs[i]);
        assert_int_equal(tally->within_trial_time, 0);
        assert_true(bench.out.elapsed_ns > bench.config.trial_time_ns);
        bench_release(&bench);
    }
}

static void pauses_need_no_thread(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 40};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        bench_init(&bench, &(struct nullserver_config){0}, "[{'op': 'insert', 'doc': {}, 'delay': 30}]", rungs[i]);
        bench.config.workers = 1;
        const struct tally *tally = bench_run(&bench);
        assert_int_equal(tally->succeeded, tally->started);
        /* At most one every 30 ms. */
        assert_in_range(tally->succeeded, 1, 10 * rungs[i]);
        bench_release(&bench);
    }
}

static void operations_without_a_server_are_counted(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 5};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        bench_init(&bench, &(struct nullserver_config){0}, "[{'op': 'let', 'target': 'a', 'value': 1}]", rungs[i]);
        const struct tally *tally = bench_run(&bench);
        assert_true(tally->succeeded > 0);
        assert_int_equal(tally->local, tally->succeeded);
        bench_release(&bench);
    }
}

static void large_requests_go_in_parts(void **state)
{
    (void)state;
    struct bench bench;
    char *padding = memory_zeroed(3000001, 1);
    memset(padding, 'x', 3000000);
    char *ops = memory_printf("[{'op': 'insert', 'doc': {'x': '%s'}}]", padding);
    bench_init(&bench, &(struct nullserver_config){0}, ops, 4);
    const struct tally *tally = bench_run(&bench);
    assert_true(tally->succeeded > 0);
    assert_int_equal(tally->succeeded, tally->started);
    assert_int_equal(nullserver_count(bench.it.server, "insert"), tally->succeeded);
    bench_release(&bench);
    free(ops);
    free(padding);
}

static void a_silent_server_leaves_the_trial_unprepared(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_MUTE}, INSERT_ONE, 3);
    trial_execute(&bench.config, &bench.out);
    assert_int_equal(bench.out.state, TRIAL_UNPREPARED);
    assert_true(strlen(bench.out.reason) > 0);
    bench_release(&bench);
}

static void stop_server(const struct trial_progress *progress, void *context)
{
    (void)progress;
    struct bench *bench = context;
    if (bench->it.server)
        null_target_stop_server(&bench->it);
}

static void a_server_that_dies_does_not_hold_the_trial(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 12};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, rungs[i]);
        bench.config.trial_time_ns = 800 * CLOCK_NS_PER_MS;
        bench.config.on_progress = stop_server;
        bench.config.context = &bench;
        const struct tally *tally = bench_run(&bench);
        assert_true(tally->succeeded > 0);
        assert_in_range(tally->broken, 1, rungs[i]);
        assert_true(tally->no_service_ns > 0);
        assert_true(tally->no_service_ns < (uint64_t)bench.config.trial_time_ns * rungs[i]);
        assert_int_equal(bench.out.reconnects, 0);
        bench_release(&bench);
    }
}

static void restart_server(const struct trial_progress *progress, void *context)
{
    (void)progress;
    struct bench *bench = context;
    if (bench->config.trial > 0)
        return;
    bench->config.trial = 1;
    null_target_stop_server(&bench->it);
    null_target_restart_server(&bench->it, &(struct nullserver_config){0});
}

static void sessions_go_on_when_the_server_is_back(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, 12);
    bench.config.trial_time_ns = 800 * CLOCK_NS_PER_MS;
    bench.config.on_progress = restart_server;
    bench.config.context = &bench;
    const struct tally *tally = bench_run(&bench);
    assert_in_range(bench.out.reconnects, 1, 12);
    assert_in_range(tally->broken, 1, 12);
    assert_true(tally->no_service_ns > 0);
    assert_true(nullserver_count(bench.it.server, "insert") > 0);
    bench_release(&bench);
}

static void progress_is_told(const struct trial_progress *progress, void *context)
{
    struct trial_progress *last = context;
    assert_true(progress->succeeded >= last->succeeded);
    *last = *progress;
}

static void progress_never_goes_back(void **state)
{
    (void)state;
    struct bench bench;
    struct trial_progress last = {0};
    bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, 4);
    bench.config.trial_time_ns = 600 * CLOCK_NS_PER_MS;
    bench.config.on_progress = progress_is_told;
    bench.config.context = &last;
    const struct tally *tally = bench_run(&bench);
    assert_in_range(last.succeeded, 1, tally->succeeded);
    assert_true(last.elapsed_ns > 0);
    bench_release(&bench);
}

static void interrupt(const struct trial_progress *progress, void *context)
{
    (void)progress;
    (void)context;
    if (!interrupt_signal())
        raise(SIGINT);
}

static void run_interrupted(enum nullserver_fault fault, unsigned sessions)
{
    struct bench bench;
    alarm(HANG_S);
    signal(SIGINT, SIG_DFL); /* what runs in the background is started with SIGINT ignored */
    interrupt_install();
    bench_init(&bench, &(struct nullserver_config){.fault = fault}, INSERT_ONE, sessions);
    bench.config.trial_time_ns = 3600 * CLOCK_NS_PER_SEC;
    bench.config.on_progress = interrupt;
    trial_execute(&bench.config, &bench.out);
    bool ok = bench.out.state == TRIAL_INTERRUPTED && tally_is_balanced(&bench.out.tally);
    bench_release(&bench);
    _exit(ok ? 42 : 1);
}

static void an_interrupt_ends_the_trial(void **state)
{
    (void)state;
    static const enum nullserver_fault faults[] = {NULLSERVER_OK, NULLSERVER_NEVER_ANSWER, NULLSERVER_CLOSE};
    for (size_t i = 0; i < 6; i++) {
        int status = 0;
        pid_t pid = fork();
        if (pid == 0)
            run_interrupted(faults[i / 2], i % 2 ? 6 : 1);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 42);
    }
}

static void a_ladder_survives_transports_that_break(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_CLOSE, .fault_after = 40}, INSERT_ONE, 128);
    uint64_t reconnects = 0;
    for (unsigned sessions = 1; sessions <= 128; sessions *= 2) {
        bench.config.sessions = sessions;
        const struct tally *tally = bench_run(&bench);
        assert_true(tally->succeeded > 0);
        assert_int_equal(tally->started, tally->succeeded + tally->broken);
        reconnects += bench.out.reconnects;
    }
    /* On a busy machine the last rung alone may be over before a connection has had its 40. */
    assert_true(reconnects > 0);
    bench_release(&bench);
}

int main(void)
{
    alarm(HANG_S);
    /* The first one forks: no other thread may have run before. */
    const struct CMUnitTest tests[] = {
        NAMED_TEST(an_interrupt_ends_the_trial, "an interrupt ends the trial, whatever the server does"),
        NAMED_TEST(counts_what_the_server_saw, "what is counted is what the server saw"),
        NAMED_TEST(three_hundred_sessions_take_part, "three hundred sessions take part"),
        NAMED_TEST(transports_serve_one_trial_after_another, "transports serve one trial after another"),
        NAMED_TEST(lost_connections_are_broken_operations_by_cause, "lost connections are broken operations by cause"),
        NAMED_TEST(not_primary_is_a_failure_and_reopens, "not primary is a failure and reopens the connection"),
        NAMED_TEST(replies_may_come_in_pieces, "replies may come in pieces"),
        NAMED_TEST(what_ends_within_the_grace_counts, "what ends within the grace counts, and so does its time"),
        NAMED_TEST(pauses_need_no_thread, "pauses need no thread of their own"),
        NAMED_TEST(operations_without_a_server_are_counted, "operations without a server are counted as local"),
        NAMED_TEST(large_requests_go_in_parts, "large requests go in parts"),
        NAMED_TEST(a_silent_server_leaves_the_trial_unprepared, "a server that says nothing leaves it unprepared"),
        NAMED_TEST(a_server_that_dies_does_not_hold_the_trial, "a server that dies does not hold the trial"),
        NAMED_TEST(sessions_go_on_when_the_server_is_back, "sessions go on when the server is back"),
        NAMED_TEST(progress_never_goes_back, "progress is told and never goes back"),
        NAMED_TEST(a_ladder_survives_transports_that_break, "a ladder to 128 survives transports that break"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
