/* SPDX-License-Identifier: Apache-2.0 */
#include "base/labellings.h"
#include "base/memory.h"
#include "base/runtest.h"
#include "base/strata_fit.h"
#include "base/student.h"

#include <math.h>
#include <stdlib.h>

#include "oracle.h"

#define RUNS_MAX 16
#define CELLS_MAX 16

static void check_student(const struct oracle_line *line)
{
    double p = student_two_tails(line->strata[0].a[0], line->strata[0].b[0]);
    assert_true(fabs(p / line->expected[0] - 1) < 1e-8);
}

static void student(void **state)
{
    (void)state;
    oracle_each("student", 11, check_student);
    oracle_near(student_two_tails(1.96, INFINITY), erfc(1.96 / sqrt(2)));
    oracle_near(student_two_tails(-3, 1e9), student_two_tails(3, 1e9));
}

static void check_prior(const struct oracle_line *line)
{
    const struct two_samples *variances = &line->strata[0]; /* and their degrees of freedom */
    struct variance_prior prior;
    variance_prior_fit(variances->a, variances->b, variances->a_count, &prior);
    oracle_near(prior.variance, line->expected[0]);
    assert_true(prior.degrees == line->expected[1] || fabs(prior.degrees / line->expected[1] - 1) < 1e-8);
}

static void variances_of_a_table(void **state)
{
    (void)state;
    oracle_each("variance-prior", 8, check_prior);
    const double equal[] = {0, 0, 0}, degrees[] = {4, 4, 4};
    struct variance_prior prior;
    variance_prior_fit(equal, degrees, 3, &prior);
    assert_true(variance_prior_moderate(&prior, 0, 4) > 0);
    oracle_near(variance_prior_degrees(&prior, 4), 12);
}

static void check_fit(const struct oracle_line *line)
{
    size_t count = line->count - 1;
    const struct two_samples *last = &line->strata[count];
    struct variance_prior prior = {last->a[0], last->b[0], last->a[1]};
    struct stratum strata[ORACLE_STRATA];
    for (size_t i = 0; i < count; i++)
        stratum_init(&strata[i], &line->strata[i]);
    oracle_near(strata_fit_p(strata, count, &prior), line->expected[0]);
}

static void fit_of_strata(void **state)
{
    (void)state;
    oracle_each("strata-fit", 15, check_fit);
    const double same[] = {1, 1, 1}, more[] = {2, 2, 2};
    struct variance_prior prior = {1e-4, INFINITY, 32};
    struct stratum strata[2];
    stratum_init(&strata[0], &(struct two_samples){same, same, 3, 3});
    stratum_init(&strata[1], &(struct two_samples){same, more, 3, 3});
    assert_true(strata_fit_p(strata, 1, &prior) == 1 && strata_fit_p(strata, 0, &prior) == 1);
    assert_true(strata_fit_p(strata, 2, &prior) < 1e-10);
    strata[1].difference = 0;
    assert_true(strata_fit_p(strata, 2, &prior) == 1);
}

/* A table with room for the tests here. */
struct small_table {
    struct run_table table;
    size_t first[CELLS_MAX + 1];
    double values[RUNS_MAX * CELLS_MAX];
    struct run_group groups[CELLS_MAX];
    struct run_result cells[CELLS_MAX];
};

static void set_shape(struct small_table *small, size_t a_count, size_t b_count, const double *groups, size_t count)
{
    small->table = (struct run_table){a_count, b_count, count, small->first, small->values};
    small->first[0] = 0;
    for (size_t g = 0; g < count; g++)
        small->first[g + 1] = small->first[g] + (size_t)groups[g];
}

static double *value_of(struct small_table *small, size_t run, size_t cell)
{
    return &small->values[run * small->first[small->table.group_count] + cell];
}

static void make(struct small_table *small)
{
    runtest_make(&small->table, 0.05, small->groups, small->cells);
}

static void near_all(const double *values, const double **expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        oracle_near(values[i], *(*expected)++);
}

static void check_runtest(const struct oracle_line *line)
{
    size_t cells = line->count - 1, groups = line->strata[cells].a_count;
    size_t a_count = line->strata[0].a_count, b_count = line->strata[0].b_count;
    struct small_table small;
    set_shape(&small, a_count, b_count, line->strata[cells].a, groups);
    for (size_t c = 0; c < cells; c++)
        for (size_t r = 0; r < a_count + b_count; r++)
            *value_of(&small, r, c) = r < a_count ? line->strata[c].a[r] : line->strata[c].b[r - a_count];
    make(&small);
    const double *expected = line->expected;
    for (size_t g = 0; g < groups; g++) {
        const struct run_group *group = &small.groups[g];
        near_all((const double[]){group->level.p, group->level.p_adjusted, group->crossing_p,
                                  group->crossing_p_adjusted, group->fit_p, group->fit_p_adjusted,
                                  group->level.shift.low, group->level.shift.high},
                 &expected, 8);
    }
    for (size_t c = 0; c < cells; c++) {
        const struct run_result *cell = &small.cells[c];
        near_all((const double[]){cell->p, cell->p_adjusted, cell->shift.low, cell->shift.high}, &expected, 4);
    }
    assert_int_equal(expected - line->expected, (ptrdiff_t)line->expected_count);
}

static void runs(void **state)
{
    (void)state;
    oracle_each("runtest", 7, check_runtest);
}

static void fill(struct small_table *small, double shift)
{
    size_t all = small->table.a_count + small->table.b_count;
    for (size_t r = 0; r < all; r++)
        for (size_t c = 0; c < small->first[small->table.group_count]; c++)
            *value_of(small, r, c) =
                10 * (double)c + (double)((r * 7 + c * 3) % 11) / 1000 + (r >= small->table.a_count ? shift : 0);
}

/* The cell that a run lacks is a hundred times the others: were it part of a plain mean, the run would stand alone. */
static void runs_that_lack_cells(void **state)
{
    (void)state;
    struct small_table small;
    set_shape(&small, 4, 4, (const double[]){3, 1}, 2);
    fill(&small, 0.2);
    *value_of(&small, 1, 2) = NAN;
    *value_of(&small, 6, 0) = NAN;
    *value_of(&small, 0, 3) = NAN;
    make(&small);
    assert_true(small.groups[0].level.p_adjusted < 0.03 && small.groups[0].level.sign == 1);
    assert_true(small.groups[0].level.shift.low > 0.15 && small.groups[0].level.shift.high < 0.25);
    oracle_near(small.groups[0].level.shift.confidence, 1 - 2. / 70);
    oracle_near(small.cells[2].shift.confidence, 1 - 2. / 35);
    assert_true(small.groups[0].fit_p_adjusted > 0.05);
    for (size_t r = 4; r < 8; r++)
        *value_of(&small, r, 3) = NAN;
    make(&small);
    oracle_near(small.groups[1].level.p, 1);
    assert_true(isnan(small.groups[1].level.shift.estimate) && isnan(small.cells[3].shift.low));
}

static void equal_runs(void **state)
{
    (void)state;
    struct small_table small;
    set_shape(&small, 4, 4, (const double[]){2, 2}, 2);
    for (size_t i = 0; i < 8 * 4; i++)
        small.values[i] = 7;
    make(&small);
    oracle_near(small.groups[0].level.p, 1);
    oracle_near(small.groups[0].fit_p, 1);
    oracle_near(small.groups[1].crossing_p_adjusted, 1);
    oracle_near(small.groups[0].level.shift.low, 0);
    for (size_t c = 0; c < 4; c++)
        *value_of(&small, 7, c) = 7.5;
    for (size_t r = 4; r < 7; r++)
        for (size_t c = 0; c < 4; c++)
            *value_of(&small, r, c) = 7.5;
    make(&small);
    oracle_near(small.groups[0].level.p_adjusted, 2. / 70);
}

/* A run that is lucky in every cell is no evidence of its own. */
static void shared_luck(void **state)
{
    (void)state;
    struct small_table small;
    set_shape(&small, 2, 2, (const double[]){8, 8}, 2);
    fill(&small, 0.5);
    make(&small);
    oracle_near(small.groups[0].level.p, 2. / 6);
    oracle_near(small.cells[0].p_adjusted, 2. / 6);
    oracle_near(small.groups[0].level.shift.confidence, 1 - 2. / 6);
}

static void every_labelling_once(void **state)
{
    (void)state;
    struct labellings labellings;
    labellings_init(&labellings, 3, 4, 35);
    assert_true(labellings.is_all);
    assert_int_equal(labellings.count, 35);
    unsigned seen[128] = {0};
    for (size_t k = 0; k < labellings.count; k++) {
        unsigned bits = 0, b = 0;
        for (size_t i = 0; i < 7; i++) {
            bits |= (unsigned)labellings_row(&labellings, k)[i] << i;
            b += labellings_row(&labellings, k)[i];
        }
        assert_int_equal(b, 4);
        assert_int_equal(seen[bits]++, 0);
        assert_true((bits == 0x78) == (k == 0));
    }
    labellings_release(&labellings);
    labellings_init(&labellings, 3, 4, 34);
    assert_true(!labellings.is_all && labellings.count == 34);
    labellings_release(&labellings);
    labellings_init(&labellings, 60, 60, 5000);
    assert_true(!labellings.is_all && labellings.count == 5000);
    for (size_t i = 0; i < 120; i++)
        assert_true(labellings_row(&labellings, 0)[i] == (i >= 60));
    labellings_release(&labellings);
}

static void runs_needed(void **state)
{
    (void)state;
    oracle_near(labellings_smallest_p(3, 3, 5000), 0.1);
    oracle_near(labellings_smallest_p(4, 4, 5000), 2. / 70);
    oracle_near(labellings_smallest_p(5, 5, 5000), 2. / 252);
    oracle_near(labellings_smallest_p(3, 5, 5000), 1. / 56);
    oracle_near(labellings_smallest_p(1, 99, 5000), 1);
    oracle_near(labellings_smallest_p(400, 400, 5000), 2. / 5000);
}

/* More runs than can be listed: drawn labellings find what all would. */
static void many_runs(void **state)
{
    (void)state;
    struct small_table small;
    set_shape(&small, 8, 8, (const double[]){2}, 1);
    fill(&small, 0.1);
    make(&small);
    assert_true(small.groups[0].level.p_adjusted <= 0.001 && !small.groups[0].level.shift.is_exact);
    assert_true(small.groups[0].level.shift.low > 0.09 && small.groups[0].level.shift.high < 0.11);
    fill(&small, 0);
    make(&small);
    assert_true(small.groups[0].level.p_adjusted > 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(student, "the tails of Student's t are scipy's, for any degrees of freedom"),
        NAMED_TEST(variances_of_a_table,
                   "what the variances of a table say of one another is what scipy's functions give"),
        NAMED_TEST(fit_of_strata, "whether one shift fits is what an oracle says, and one stratum always fits"),
        NAMED_TEST(runs,
                   "tests of whole runs are what counting every labelling gives: levels, crossings, fits, intervals"),
        NAMED_TEST(runs_that_lack_cells, "a run that lacks a cell is compared by those that it has"),
        NAMED_TEST(equal_runs, "equal runs show nothing, and equal runs on either side of a difference show it"),
        NAMED_TEST(shared_luck, "two runs a side cannot show a difference, however many cells they have"),
        NAMED_TEST(every_labelling_once, "every labelling is there once, the seen one first; too many are drawn"),
        NAMED_TEST(runs_needed, "the smallest p of so many runs is known before"),
        NAMED_TEST(many_runs, "with more labellings than can be listed some are drawn"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
