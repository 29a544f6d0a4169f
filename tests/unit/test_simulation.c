/* SPDX-License-Identifier: Apache-2.0 */
/* Whole tables of random trials, with and without a true difference: benchcompare neither invents nor misses. The seed
 * is fixed; SIMULATED_TABLES says how many tables (make check-long: 1000). */
#include "base/memory.h"
#include "base/rng.h"
#include "parse/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

#define TESTS 75
#define RUNGS 8
#define TRIALS 3
#define NOISE 0.03

static double uniform(struct rng *rng)
{
    return ((double)(rng_u64(rng) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller, "A note on the generation of random normal deviates", 1958. */
static double normal(struct rng *rng)
{
    double radius = sqrt(-2 * log(uniform(rng)));
    return radius * cos(2 * 3.141592653589793 * uniform(rng));
}

/* Rungs and tests differ much, trials of a cell by the noise. */
static void fill_cell(struct cell_data *cell, size_t test, size_t rung, double factor, struct rng *rng)
{
    double level = 1000.0 * (double)(1 + test) * (1 + sqrt((double)rung)) * factor;
    *cell = (struct cell_data){.threads = 1u << rung, .median = NAN, .stdev = NAN, .trial_count = TRIALS};
    cell->trials = memory_zeroed(TRIALS, sizeof *cell->trials);
    for (size_t i = 0; i < TRIALS; i++)
        cell->trials[i].ops_per_sec = level * exp(NOISE * normal(rng));
}

/* `upper` is the factor of the upper half of the ladder. */
static void fill_run(struct deployment *run, double factor, double upper, struct rng *rng)
{
    *run = (struct deployment){.label = memory_strdup("run"), .test_count = TESTS};
    run->tests = memory_zeroed(TESTS, sizeof *run->tests);
    for (size_t i = 0; i < TESTS; i++) {
        struct test_data *test = &run->tests[i];
        *test = (struct test_data){.name = memory_printf("test %zu", i), .occurrence = 1, .cell_count = RUNGS};
        test->cells = memory_zeroed(RUNGS, sizeof *test->cells);
        for (size_t k = 0; k < RUNGS; k++)
            fill_cell(&test->cells[k], i, k, k < RUNGS / 2 ? factor : upper, rng);
    }
}

/* Verdicts of one random table in which b is `ratio` times a, and `upper` times in the upper half of the ladder. */
static void simulate(double ratio, double upper, uint64_t number, size_t verdicts[VERDICT_COUNT])
{
    const struct compare_options options = {.metric = metric_find("ops_per_sec"), .alpha = 0.05, .correct = true};
    struct deployment runs[2];
    struct side sides[2];
    struct rng rng;
    rng_init(&rng, 75, number);
    for (size_t i = 0; i < 2; i++) {
        fill_run(&runs[i], i ? ratio : 1, i ? upper : 1, &rng);
        side_init(&sides[i], "side", (const struct deployment *const[]){&runs[i]}, 1);
    }
    struct comparison comparison;
    comparison_init(&comparison, &sides[0], &sides[1], &options);
    memcpy(verdicts, comparison.summary.verdicts, sizeof comparison.summary.verdicts);
    comparison_release(&comparison);
    for (size_t i = 0; i < 2; i++) {
        side_release(&sides[i]);
        deployment_release(&runs[i]);
    }
}

static size_t table_count(void)
{
    const char *asked = getenv("SIMULATED_TABLES");
    return asked ? strtoul(asked, NULL, 10) : 100;
}

static void invents_nothing(void **state)
{
    (void)state;
    size_t tables = table_count(), with_verdict = 0, too_few = 0;
    for (size_t i = 0; i < tables; i++) {
        size_t verdicts[VERDICT_COUNT];
        simulate(1, 1, i, verdicts);
        with_verdict += verdicts[VERDICT_FASTER] + verdicts[VERDICT_SLOWER] + verdicts[VERDICT_MIXED] > 0;
        too_few += verdicts[VERDICT_TOO_FEW];
    }
    print_message("%zu of %zu tables without a difference hold a verdict\n", with_verdict, tables);
    assert_true(with_verdict * 20 <= tables);
    assert_int_equal(too_few, 0);
}

static void misses_nothing(void **state)
{
    (void)state;
    size_t tables = table_count() / 10, faster = 0, slower = 0;
    for (size_t i = 0; i < tables; i++) {
        size_t verdicts[VERDICT_COUNT];
        simulate(1.10, 1.10, 1000000 + i, verdicts);
        faster += verdicts[VERDICT_FASTER];
        simulate(1 / 1.10, 1 / 1.10, 2000000 + i, verdicts);
        slower += verdicts[VERDICT_SLOWER];
    }
    print_message("%zu faster and %zu slower of %zu each\n", faster, slower, tables * TESTS);
    assert_true(faster * 100 >= tables * TESTS * 95);
    assert_true(slower * 100 >= tables * TESTS * 95);
}

static void misses_no_crossing(void **state)
{
    (void)state;
    size_t tables = table_count() / 10, mixed = 0;
    for (size_t i = 0; i < tables; i++) {
        size_t verdicts[VERDICT_COUNT];
        simulate(1.15, 1 / 1.15, 3000000 + i, verdicts);
        mixed += verdicts[VERDICT_MIXED];
    }
    print_message("%zu mixed of %zu\n", mixed, tables * TESTS);
    assert_true(mixed * 100 >= tables * TESTS * 95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(invents_nothing, "of tables without a difference at most 5 % hold any faster, slower or mixed"),
        NAMED_TEST(misses_nothing, "of test cases that differ by 1.10 at 3 % noise at least 95 % are called"),
        NAMED_TEST(misses_no_crossing, "of those whose leader changes in the middle, by 1.15, at least 95 % are mixed"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
