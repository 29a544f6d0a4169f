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
#define RUNS_MAX 6
#define NOISE 0.03

enum shape { SHAPE_NORMAL, SHAPE_STUDENT_2, SHAPE_SLOW_TAIL, SHAPE_GROWING, SHAPE_TWO_VALUES, SHAPE_COUNT };
static const char *const shape_names[SHAPE_COUNT] = {"normal", "Student's t with 2 degrees", "with a slow tail",
                                                     "ten times as large at the last rung", "of two values"};

/* How tables are made: side b is `ratio` times a, by rung. */
struct scenario {
    double ratio[RUNGS];
    size_t runs, trials; /* of each side, of each cell of a run */
    double of_run;       /* deviation of what all trials of a run share */
    double of_test;      /* of what those of one test case share besides */
    enum shape shape;    /* of the noise of trials, NOISE wide */
};

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

static double noise(enum shape shape, size_t rung, struct rng *rng)
{
    double value = NOISE * normal(rng);
    switch (shape) {
    case SHAPE_STUDENT_2:
        return value / sqrt(-log(uniform(rng))); /* chi-square with 2 degrees, through them */
    case SHAPE_SLOW_TAIL:
        return uniform(rng) < 0.1 ? value + log(0.3 + 0.6 * uniform(rng)) : value;
    case SHAPE_GROWING:
        return value * pow(10, (double)rung / (RUNGS - 1) - 0.5);
    case SHAPE_TWO_VALUES:
        return (uniform(rng) < 0.5 ? -NOISE : NOISE) + value / 30;
    default:
        return value;
    }
}

/* Rungs and tests differ much, trials of a cell by the noise. */
static void fill_cell(struct cell_data *cell, const struct scenario *scenario, double level, size_t rung,
                      struct rng *rng)
{
    *cell = (struct cell_data){.threads = 1u << rung, .median = NAN, .stdev = NAN, .trial_count = scenario->trials};
    cell->trials = memory_zeroed(scenario->trials, sizeof *cell->trials);
    for (size_t i = 0; i < scenario->trials; i++)
        cell->trials[i].ops_per_sec = level * (1 + sqrt((double)rung)) * exp(noise(scenario->shape, rung, rng));
}

static void fill_run(struct deployment *run, const struct scenario *scenario, bool is_b, struct rng *rng)
{
    *run = (struct deployment){.label = memory_strdup("run"), .test_count = TESTS};
    run->tests = memory_zeroed(TESTS, sizeof *run->tests);
    double luck = scenario->of_run * normal(rng);
    for (size_t i = 0; i < TESTS; i++) {
        struct test_data *test = &run->tests[i];
        double level = 1000.0 * (double)(1 + i) * exp(luck + scenario->of_test * normal(rng));
        *test = (struct test_data){.name = memory_printf("test %zu", i), .occurrence = 1, .cell_count = RUNGS};
        test->cells = memory_zeroed(RUNGS, sizeof *test->cells);
        for (size_t k = 0; k < RUNGS; k++)
            fill_cell(&test->cells[k], scenario, is_b ? level * scenario->ratio[k] : level, k, rng);
    }
}

/* What was found in one table. */
struct found {
    size_t verdicts[VERDICT_COUNT];
    size_t called; /* faster, slower, mixed or uneven */
    size_t misfits;
};

static void compare(const struct deployment *runs, size_t of_each, struct found *found)
{
    const struct compare_options options = {.metric = metric_find("ops_per_sec"), .alpha = 0.05, .correct = true};
    const struct deployment *lists[2][RUNS_MAX];
    struct side sides[2];
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < of_each; i++)
            lists[s][i] = &runs[s * of_each + i];
        side_init(&sides[s], "side", lists[s], of_each);
    }
    struct comparison comparison;
    comparison_init(&comparison, &sides[0], &sides[1], &options);
    const size_t *verdicts = comparison.summary.verdicts;
    *found = (struct found){.called = verdicts[VERDICT_FASTER] + verdicts[VERDICT_SLOWER] + verdicts[VERDICT_MIXED] +
                                      verdicts[VERDICT_UNEVEN]};
    memcpy(found->verdicts, verdicts, sizeof found->verdicts);
    for (size_t i = 0; i < comparison.case_count; i++)
        found->misfits += comparison.cases[i].fit_p_adjusted <= options.alpha;
    comparison_release(&comparison);
    side_release(&sides[0]);
    side_release(&sides[1]);
}

static void simulate(const struct scenario *scenario, uint64_t number, struct found *found)
{
    struct deployment runs[2 * RUNS_MAX];
    struct rng rng;
    rng_init(&rng, 75, number);
    for (size_t i = 0; i < 2 * scenario->runs; i++)
        fill_run(&runs[i], scenario, i >= scenario->runs, &rng);
    compare(runs, scenario->runs, found);
    for (size_t i = 0; i < 2 * scenario->runs; i++)
        deployment_release(&runs[i]);
}

/* `usual` in make check. */
static size_t table_count(size_t usual)
{
    const char *asked = getenv("SIMULATED_TABLES");
    return asked ? strtoul(asked, NULL, 10) : usual;
}

/* What all of some tables have together, and how many of them have any. */
struct total {
    struct found found;
    size_t tables, tables_called, tables_misfit;
};

static struct total simulate_many(const struct scenario *scenario, size_t tables, uint64_t first)
{
    struct total total = {.tables = tables};
    for (size_t i = 0; i < tables; i++) {
        struct found found;
        simulate(scenario, first + i, &found);
        for (size_t v = 0; v < VERDICT_COUNT; v++)
            total.found.verdicts[v] += found.verdicts[v];
        total.found.called += found.called;
        total.found.misfits += found.misfits;
        total.tables_called += found.called > 0;
        total.tables_misfit += found.misfits > 0;
    }
    return total;
}

/* As few as 5 % give in 99 of 100 simulations: a test that is exact gives 5 %. */
static void assert_at_most_5_percent(size_t count, size_t tables)
{
    double expected = 0.05 * (double)tables;
    assert_true((double)count <= expected + 2.33 * sqrt(0.95 * expected));
}

static void assert_at_least(size_t count, size_t all, size_t percent)
{
    assert_true(count * 100 >= all * percent);
}

static void set_ratios(struct scenario *scenario, double lower, double upper)
{
    for (size_t k = 0; k < RUNGS; k++)
        scenario->ratio[k] = k < RUNGS / 2 ? lower : upper;
}

static void invents_nothing(void **state)
{
    (void)state;
    struct scenario scenario = {.runs = 1, .trials = 3};
    set_ratios(&scenario, 1, 1);
    struct total total = simulate_many(&scenario, table_count(100), 0);
    print_message("%zu of %zu tables without a difference hold a verdict\n", total.tables_called, total.tables);
    assert_true(total.tables_called * 20 <= total.tables);
    assert_int_equal(total.found.verdicts[VERDICT_TOO_FEW], 0);
}

static void misses_nothing(void **state)
{
    (void)state;
    struct scenario scenario = {.runs = 1, .trials = 3};
    size_t tables = table_count(50) / 10;
    set_ratios(&scenario, 1.10, 1.10);
    size_t faster = simulate_many(&scenario, tables, 1000000).found.verdicts[VERDICT_FASTER];
    set_ratios(&scenario, 1 / 1.10, 1 / 1.10);
    size_t slower = simulate_many(&scenario, tables, 2000000).found.verdicts[VERDICT_SLOWER];
    print_message("%zu faster and %zu slower of %zu each\n", faster, slower, tables * TESTS);
    assert_at_least(faster, tables * TESTS, 95);
    assert_at_least(slower, tables * TESTS, 95);
}

static void misses_no_crossing(void **state)
{
    (void)state;
    struct scenario scenario = {.runs = 1, .trials = 3};
    size_t tables = table_count(50) / 10;
    set_ratios(&scenario, 1.15, 1 / 1.15);
    size_t mixed = simulate_many(&scenario, tables, 3000000).found.verdicts[VERDICT_MIXED];
    print_message("%zu mixed of %zu\n", mixed, tables * TESTS);
    assert_at_least(mixed, tables * TESTS, 95);
}

static void one_ratio_fits(void **state)
{
    (void)state;
    struct scenario scenario = {.runs = 1, .trials = 3};
    set_ratios(&scenario, 1.10, 1.10);
    for (size_t shape = 0; shape < SHAPE_COUNT; shape++) {
        scenario.shape = (enum shape)shape;
        struct total total = simulate_many(&scenario, table_count(60), 4000000 + 10000 * shape);
        print_message("%zu of %zu tables of one ratio are told otherwise, noise %s\n", total.tables_misfit,
                      total.tables, shape_names[shape]);
        assert_true(total.tables_misfit * 20 <= total.tables);
    }
}

/* From 1 to 1.3 up the ladder; in its upper half; at one rung. */
static double spread_ratio(unsigned pattern, size_t rung)
{
    double part = pattern == 0 ? (double)rung / (RUNGS - 1) : pattern == 1 ? rung >= RUNGS / 2 : rung == 2;
    return pow(1.3, part);
}

static void several_ratios_show(void **state)
{
    (void)state;
    struct scenario scenario = {.runs = 1, .trials = 3};
    size_t tables = table_count(50) / 10;
    for (unsigned pattern = 0; pattern < 3; pattern++) {
        for (size_t k = 0; k < RUNGS; k++)
            scenario.ratio[k] = spread_ratio(pattern, k);
        struct total total = simulate_many(&scenario, tables, 5000000 + 10000 * pattern);
        print_message("%zu of %zu test cases with ratios from 1 to 1.3 are told so\n", total.found.misfits,
                      tables * TESTS);
        assert_at_least(total.found.misfits, tables * TESTS, 95);
    }
}

/* Runs a side, trials, and what all trials of a run share: in the whole table, in each test case. */
static const struct scenario shared_luck[] = {
    {.runs = 4, .trials = 1, .of_run = 0.05},  {.runs = 4, .trials = 3, .of_test = 0.05},
    {.runs = 5, .trials = 1, .of_run = 0.05},  {.runs = 5, .trials = 1, .of_test = 0.05},
    {.runs = 5, .trials = 3, .of_test = 0.05}, {.runs = 6, .trials = 1, .of_run = 0.05, .of_test = 0.05},
};

static void luck_is_no_verdict(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shared_luck / sizeof *shared_luck; i++) {
        struct scenario scenario = shared_luck[i];
        set_ratios(&scenario, 1, 1);
        struct total total = simulate_many(&scenario, table_count(40), 6000000 + 10000 * i);
        print_message("%zu runs of %zu trials a side: %zu of %zu tables hold a verdict, %zu several ratios\n",
                      scenario.runs, scenario.trials, total.tables_called, total.tables, total.tables_misfit);
        assert_at_most_5_percent(total.tables_called, total.tables);
        assert_at_most_5_percent(total.tables_misfit, total.tables);
        assert_int_equal(total.found.verdicts[VERDICT_TOO_FEW], 0);
    }
}

static void runs_show_a_difference(void **state)
{
    (void)state;
    size_t tables = table_count(50) / 10;
    for (unsigned by_test = 0; by_test < 2; by_test++) {
        struct scenario scenario = {
            .runs = 5, .trials = 1, .of_run = by_test ? 0 : 0.03, .of_test = by_test ? 0.03 : 0};
        set_ratios(&scenario, 1.20, 1.20);
        struct total total = simulate_many(&scenario, tables, 7000000 + 10000 * by_test);
        print_message("5 runs a side, luck %s: %zu faster of %zu, %zu several ratios\n",
                      by_test ? "by test case" : "of the table", total.found.verdicts[VERDICT_FASTER], tables * TESTS,
                      total.found.misfits);
        assert_at_least(total.found.verdicts[VERDICT_FASTER], tables * TESTS, 90);
    }
}

static void three_runs_are_too_few(void **state)
{
    (void)state;
    struct scenario scenario = {.runs = 3, .trials = 3};
    set_ratios(&scenario, 2, 2);
    struct total total = simulate_many(&scenario, 2, 8000000);
    assert_int_equal(total.found.verdicts[VERDICT_TOO_FEW], 2 * TESTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(invents_nothing, "of tables without a difference at most 5 % hold any verdict of one"),
        NAMED_TEST(misses_nothing, "of test cases that differ by 1.10 at 3 % noise at least 95 % are called"),
        NAMED_TEST(misses_no_crossing, "of those whose leader changes in the middle, by 1.15, at least 95 % are mixed"),
        NAMED_TEST(one_ratio_fits, "of tables of one ratio at most 5 % are said to have several, whatever the noise"),
        NAMED_TEST(several_ratios_show,
                   "of test cases with ratios from 1 to 1.3 at least 95 % are told to have several"),
        NAMED_TEST(luck_is_no_verdict,
                   "from 4 runs a side on, what a run shares makes verdicts in 5 % of tables or less"),
        NAMED_TEST(runs_show_a_difference,
                   "5 runs a side that differ by 1.20 are called in at least 90 % of test cases"),
        NAMED_TEST(three_runs_are_too_few, "3 runs a side get no verdict, however much they differ"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
