/* SPDX-License-Identifier: Apache-2.0 */
/* What a trial does about operations without an answer, and about answers that nobody asked for. */
#include "trial_rig.h"

#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/settle.h"

#include "unit.h"

/* Nothing here asserts a time; the alarm only catches what never ends. */
enum { HANG_S = 240 };

static void a_server_that_never_answers_has_abandoned_operations(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 6};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_NEVER_ANSWER, .fault_after = 3}, INSERT_ONE,
                   rungs[i]);
        bench.config.grace_ns = 50 * CLOCK_NS_PER_MS;
        const struct tally *tally = bench_run(&bench);
        assert_int_equal(tally->abandoned, rungs[i]);
        assert_int_equal(tally->succeeded, 3 * rungs[i]);
        assert_int_equal(nullserver_count(bench.it.server, "currentOp"), 1);
        /* What was outstanding does not reach the next trial. */
        nullserver_set_fault(bench.it.server, NULLSERVER_OK);
        bench.config.grace_ns = 20 * CLOCK_NS_PER_SEC;
        tally = bench_run(&bench);
        assert_true(tally->succeeded > 0);
        assert_int_equal(tally->started, tally->succeeded);
        bench_release(&bench);
    }
}

static void silence_server(const struct trial_progress *progress, void *context)
{
    (void)progress;
    nullserver_set_fault(((struct bench *)context)->it.server, NULLSERVER_MUTE);
}

static void a_server_that_falls_silent_does_not_hold_the_trial(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, 4);
    bench.config.trial_time_ns = 400 * CLOCK_NS_PER_MS;
    bench.config.grace_ns = 100 * CLOCK_NS_PER_MS;
    bench.config.on_progress = silence_server;
    bench.config.context = &bench;
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->abandoned, 4);
    assert_int_equal(bench.out.abandoned_killed, 0);
    bench_release(&bench);
}

static void tell_owed(unsigned owed, void *context)
{
    *(unsigned *)context = owed;
}

static void late_answers_are_awaited(void **state)
{
    (void)state;
    struct bench bench;
    unsigned owed = 0;
    bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_SLOW, .slow_ms = 2000}, INSERT_ONE, 4);
    bench.config.trial_time_ns = 100 * CLOCK_NS_PER_MS;
    bench.config.grace_ns = 0;
    bench.config.on_wait = tell_owed;
    bench.config.context = &owed;
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->abandoned, 4);
    assert_int_equal(owed, 4);
    assert_int_equal(bench.out.abandoned_left, 0);
    assert_true(bench.out.settle_ns > 0);
    /* The same connections serve the next trial: nobody greets the server again. */
    uint64_t greetings = nullserver_count(bench.it.server, "hello") + nullserver_count(bench.it.server, "isMaster");
    bench_run(&bench);
    assert_int_equal(nullserver_count(bench.it.server, "hello") + nullserver_count(bench.it.server, "isMaster"),
                     greetings);
    bench_release(&bench);
}

static void answers_that_do_not_come_are_given_up(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_NEVER_ANSWER}, INSERT_ONE, 3);
    bench.config.trial_time_ns = 100 * CLOCK_NS_PER_MS;
    bench.config.grace_ns = 0;
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->abandoned, 3);
    assert_int_equal(bench.out.abandoned_left, 3);
    bench_release(&bench);
}

static void ask_for_confirmation(struct bench *bench, int w)
{
    session_free(bench->fixture.session);
    plan_free(bench->fixture.plan);
    json_object_set_new(bench->fixture.write_concern, "w", json_integer(w));
    fixture_compile(&bench->fixture, 0);
    bench->config.plan = bench->fixture.plan;
}

static void unconfirmed_writes_go_without_answers(void **state)
{
    (void)state;
    static const unsigned rungs[] = {1, 5};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, rungs[i]);
        ask_for_confirmation(&bench, 0);
        const struct tally *tally = bench_run(&bench);
        assert_true(tally->unconfirmed > 0);
        assert_int_equal(tally->unconfirmed, tally->started);
        bench_release(&bench);
    }
}

static void assert_next_trial_is_clean(struct bench *bench)
{
    ask_for_confirmation(bench, 1);
    bench->config.grace_ns = 10 * CLOCK_NS_PER_SEC;
    bench->config.on_progress = NULL;
    const struct tally *tally = bench_run(bench);
    assert_true(tally->succeeded > 0);
    assert_int_equal(tally->succeeded, tally->started);
}

static void an_unanswered_last_ping_closes_its_connection(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){0}, INSERT_ONE, 4);
    ask_for_confirmation(&bench, 0);
    bench.config.trial_time_ns = 400 * CLOCK_NS_PER_MS;
    bench.config.grace_ns = 100 * CLOCK_NS_PER_MS;
    bench.config.on_progress = silence_server;
    bench.config.context = &bench;
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->unconfirmed, tally->started);
    assert_int_equal(tally->abandoned, 0);
    assert_int_equal(bench.out.abandoned_left, 4);
    nullserver_set_fault(bench.it.server, NULLSERVER_OK);
    uint64_t greetings = nullserver_count(bench.it.server, "hello") + nullserver_count(bench.it.server, "isMaster");
    assert_next_trial_is_clean(&bench);
    assert_true(nullserver_count(bench.it.server, "hello") + nullserver_count(bench.it.server, "isMaster") >=
                greetings + 4);
    bench_release(&bench);
}

/* Two answers to one request and the ping behind it: both are read before the connection serves anybody. */
static void settling_reads_unasked_answers(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_UNASKED}, INSERT_ONE, 1);
    ask_for_confirmation(&bench, 0);
    struct session *session = bench.fixture.session;
    struct session_step step = session_next(session, (struct clock_now){.mono_ns = 1000});
    assert_int_equal(step.action, SESSION_SEND_NO_REPLY);
    struct slot slot = {
        .session = session, .broken = transport_open(bench.it.target.route, 0, NULL, NULL), .is_owed = true};
    assert_non_null(slot.broken);
    assert_int_equal(transport_send(slot.broken, step.iov, step.iov_count), TRANSPORT_DONE);
    session_abandon(session); /* the worker left before it sent the ping */
    struct settle_outcome outcome;
    settle_abandoned(&bench.it.target, &slot, 1, 60 * CLOCK_NS_PER_SEC, NULL, NULL, &outcome);
    assert_int_equal(outcome.left, 0);
    assert_non_null(slot.transport);
    struct pollfd silent = {.fd = transport_fd(slot.transport), .events = POLLIN};
    assert_int_equal(poll(&silent, 1, 200), 0);
    assert_false(transport_has_buffered(slot.transport));
    transport_close(slot.transport);
    bench_release(&bench);
}

/* With no grace at all the answers that nobody wanted are still on their way when the worker leaves. */
static void unasked_answers_do_not_reach_the_next_trial(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &(struct nullserver_config){.fault = NULLSERVER_UNASKED}, INSERT_ONE, 4);
    ask_for_confirmation(&bench, 0);
    bench.config.trial_time_ns = 100 * CLOCK_NS_PER_MS;
    bench.config.grace_ns = 0;
    const struct tally *tally = bench_run(&bench);
    assert_int_equal(tally->unconfirmed, tally->started);
    assert_next_trial_is_clean(&bench);
    bench_release(&bench);
}

int main(void)
{
    alarm(HANG_S);
    const struct CMUnitTest tests[] = {
        NAMED_TEST(a_server_that_never_answers_has_abandoned_operations,
                   "operations that are never answered are abandoned and do not reach the next trial"),
        NAMED_TEST(unconfirmed_writes_go_without_answers, "unconfirmed writes go without answers"),
        NAMED_TEST(an_unanswered_last_ping_closes_its_connection,
                   "a last ping without an answer is no operation, and its connection serves no other trial"),
        NAMED_TEST(settling_reads_unasked_answers, "the answers that nobody asked for are read before the last one"),
        NAMED_TEST(unasked_answers_do_not_reach_the_next_trial,
                   "answers that nobody asked for do not reach the next trial"),
        NAMED_TEST(a_server_that_falls_silent_does_not_hold_the_trial, "a server that falls silent does not hold it"),
        NAMED_TEST(late_answers_are_awaited, "answers to abandoned operations are awaited, their connections kept"),
        NAMED_TEST(answers_that_do_not_come_are_given_up, "answers that do not come are given up"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
