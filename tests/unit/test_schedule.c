/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "model/schedule.h"

static void assert_next(struct schedule *schedule, size_t target, size_t test, size_t rung, unsigned trial)
{
    struct schedule_item item;
    assert_true(schedule_next(schedule, &item));
    assert_int_equal(item.target, target);
    assert_int_equal(item.test, test);
    assert_int_equal(item.rung, rung);
    assert_int_equal(item.trial, trial);
}

static void assert_done(struct schedule *schedule)
{
    struct schedule_item item;
    assert_false(schedule_next(schedule, &item));
    assert_false(schedule_next(schedule, &item));
}

static void test_ladder(void **state)
{
    (void)state;
    struct schedule schedule;
    schedule_init(&schedule, 2, 2, 3, 2);
    for (size_t target = 0; target < 2; target++)
        for (size_t test = 0; test < 2; test++)
            for (size_t rung = 0; rung < 3; rung++)
                for (unsigned trial = 0; trial < 2; trial++)
                    assert_next(&schedule, target, test, rung, trial);
    assert_done(&schedule);
}

static void test_empty(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct schedule schedule;
        schedule_init(&schedule, i != 0, i != 1, i != 2, i != 3);
        assert_done(&schedule);
    }
}

static void test_skip_cell(void **state)
{
    (void)state;
    struct schedule schedule;
    schedule_init(&schedule, 1, 2, 2, 3);
    assert_next(&schedule, 0, 0, 0, 0);
    schedule_skip_cell(&schedule);
    assert_next(&schedule, 0, 0, 1, 0);
    assert_next(&schedule, 0, 0, 1, 1);
    assert_next(&schedule, 0, 0, 1, 2);
    schedule_skip_cell(&schedule); /* nothing was left of it */
    assert_next(&schedule, 0, 1, 0, 0);
    schedule_skip_cell(&schedule);
    assert_next(&schedule, 0, 1, 1, 0);
    schedule_skip_cell(&schedule);
    assert_done(&schedule);
}

static void test_skip_test(void **state)
{
    (void)state;
    struct schedule schedule;
    schedule_init(&schedule, 2, 2, 2, 2);
    assert_next(&schedule, 0, 0, 0, 0);
    schedule_skip_test(&schedule);
    assert_next(&schedule, 0, 1, 0, 0);
    assert_next(&schedule, 0, 1, 0, 1);
    assert_next(&schedule, 0, 1, 1, 0);
    assert_next(&schedule, 0, 1, 1, 1);
    schedule_skip_test(&schedule); /* nothing was left of it */
    assert_next(&schedule, 1, 0, 0, 0);
    schedule_skip_test(&schedule);
    assert_next(&schedule, 1, 1, 0, 0);
    assert_next(&schedule, 1, 1, 0, 1);
    schedule_skip_test(&schedule);
    assert_done(&schedule);
}

static void test_one_trial(void **state)
{
    (void)state;
    struct schedule schedule;
    schedule_init(&schedule, 1, 2, 1, 1);
    assert_next(&schedule, 0, 0, 0, 0);
    schedule_skip_cell(&schedule);
    schedule_skip_test(&schedule);
    assert_next(&schedule, 0, 1, 0, 0);
    schedule_skip_test(&schedule);
    assert_done(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_ladder, "tests, then rungs, then trials, each target after the other"),
        NAMED_TEST(test_empty, "without targets, tests, rungs or trials there is nothing to do"),
        NAMED_TEST(test_skip_cell, "skipping a cell goes on with the next rung"),
        NAMED_TEST(test_skip_test, "skipping a test goes on with the next test"),
        NAMED_TEST(test_one_trial, "skipping after the last trial of a cell or test skips nothing else"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
