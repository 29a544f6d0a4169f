/* SPDX-License-Identifier: Apache-2.0 */
#include "base/differences.h"
#include "base/discrete.h"
#include "base/holm.h"
#include "base/ranktest.h"
#include "base/shift.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#include "oracle.h"

static void check_mann_whitney_exact(const struct oracle_line *line)
{
    struct rank_result result;
    ranktest_mann_whitney(line->strata, &result);
    assert_int_equal(result.method, RANK_EXACT);
    oracle_near(result.p, line->expected[0]);
}

static void check_mann_whitney_normal(const struct oracle_line *line)
{
    struct rank_result result;
    ranktest_mann_whitney(line->strata, &result);
    assert_int_equal(result.method, RANK_APPROXIMATE);
    oracle_near(result.p, line->expected[0]);
}

static void mann_whitney_exact(void **state)
{
    (void)state;
    oracle_each("mann-whitney", 60, check_mann_whitney_exact);
}

static void mann_whitney_normal(void **state)
{
    (void)state;
    oracle_each("mann-whitney-normal", 5, check_mann_whitney_normal);
}

static void check_van_elteren(const struct oracle_line *line)
{
    struct rank_result result;
    ranktest_van_elteren(line->strata, line->count, &result);
    assert_int_equal(result.method, RANK_EXACT);
    oracle_near(result.p, line->expected[0]);
}

static void van_elteren(void **state)
{
    (void)state;
    oracle_each("van-elteren", 31, check_van_elteren);
}

static void check_crossover(const struct oracle_line *line)
{
    struct rank_result result;
    ranktest_crossover(line->strata, line->count, &result);
    assert_int_equal(result.method, RANK_EXACT);
    oracle_near(result.p, line->expected[0]);
}

/* Two dice with 0, 1 and 4 on them, up to every sum. */
static void capped_sum(void **state)
{
    (void)state;
    struct discrete die, whole;
    discrete_init(&die, 0, 5);
    die.p[0] = die.p[4] = 0.25;
    die.p[1] = 0.5;
    discrete_init_point(&whole, 0);
    discrete_add(&whole, &die);
    discrete_add(&whole, &die);
    for (size_t most = 0; most <= 10; most++) {
        struct discrete capped;
        discrete_init_point(&capped, 0);
        discrete_add_up_to(&capped, &die, most);
        discrete_add_up_to(&capped, &die, most);
        assert_true(capped.count <= most + 1);
        for (size_t x = 0; x <= most; x++)
            assert_true(discrete_upper_tail(&capped, (int64_t)x) == discrete_upper_tail(&whole, (int64_t)x));
        discrete_release(&capped);
    }
    discrete_release(&whole);
    discrete_release(&die);
}

static void crossover(void **state)
{
    (void)state;
    oracle_each("crossover", 29, check_crossover);
}

static void check_shift(const struct oracle_line *line)
{
    struct shift shift;
    shift_estimate(line->strata, 1, line->strata[1].a[0], &shift);
    oracle_near(shift.estimate, line->expected[0]);
    oracle_near(shift.low, line->expected[1]);
    oracle_near(shift.high, line->expected[2]);
    assert_true(shift.confidence >= line->strata[1].a[0] && shift.is_exact && !shift.is_widest);
}

static void hodges_lehmann(void **state)
{
    (void)state;
    oracle_each("shift", 10, check_shift);
}

static void check_holm(const struct oracle_line *line)
{
    double adjusted[ORACLE_VALUES];
    holm_adjust(line->strata[0].a, line->strata[0].a_count, adjusted);
    assert_int_equal(line->expected_count, line->strata[0].a_count);
    for (size_t i = 0; i < line->expected_count; i++)
        oracle_near(adjusted[i], line->expected[i]);
}

static void holm(void **state)
{
    (void)state;
    oracle_each("holm", 5, check_holm);
}

static void check_geometric_mean(const struct oracle_line *line)
{
    oracle_near(stats_geometric_mean(line->strata[0].a, line->strata[0].a_count), line->expected[0]);
}

static void geometric_mean(void **state)
{
    (void)state;
    oracle_each("geometric-mean", 3, check_geometric_mean);
    assert_true(isnan(stats_geometric_mean(NULL, 0)));
}

static void holm_leaves_nan_out(void **state)
{
    (void)state;
    double p[] = {0.04, NAN, 0.01};
    holm_adjust(p, 3, p);
    oracle_near(p[0], 0.04);
    assert_true(isnan(p[1]));
    oracle_near(p[2], 0.02);
    double others[] = {0.01, 0.5, 0.02, NAN}, instead[] = {0.01, 0.015, 0.02};
    struct holm_family family;
    holm_init(&family, others, 4);
    holm_adjust(instead, 3, instead);
    oracle_near(holm_adjusted_if(&family, 0.015), instead[1]);
    oracle_near(holm_adjusted_if(&family, 0.001), 0.003);
    oracle_near(holm_adjusted_if(&family, 0.5), 0.5);
    holm_release(&family);
}

static const double low[] = {1, 2, 3}, high[] = {4, 5, 6};

static void smallest_p(void **state)
{
    (void)state;
    struct sample_sizes sizes[8];
    for (size_t i = 0; i < 8; i++)
        sizes[i] = (struct sample_sizes){3, 3};
    oracle_near(ranktest_smallest_p(sizes, 1), 0.1);
    oracle_near(ranktest_smallest_p(sizes, 8), 2 / pow(20, 8));
    oracle_near(ranktest_smallest_p(sizes, 0), 1);
    struct two_samples strata[8];
    for (size_t i = 0; i < 8; i++)
        strata[i] = (struct two_samples){low, high, 3, 3};
    struct rank_result result;
    ranktest_van_elteren(strata, 8, &result);
    oracle_near(result.p, 2 / pow(20, 8));
    assert_true(result.sign == 1);
}

static void no_strata(void **state)
{
    (void)state;
    struct rank_result result;
    ranktest_van_elteren(NULL, 0, &result);
    assert_true(result.p == 1 && result.sign == 0);
    ranktest_crossover(NULL, 0, &result);
    assert_true(result.p == 1);
    struct shift shift;
    shift_estimate(NULL, 0, 0.95, &shift);
    assert_true(isnan(shift.estimate) && isnan(shift.low) && isnan(shift.confidence));
}

static void widest_interval(void **state)
{
    (void)state;
    struct two_samples samples = {low, high, 3, 3};
    struct shift shift;
    shift_estimate(&samples, 1, 0.95, &shift);
    assert_true(shift.is_widest);
    oracle_near(shift.confidence, 0.9);
    oracle_near(shift.low, 1);
    oracle_near(shift.high, 5);
    oracle_near(shift.estimate, 3);
    samples = (struct two_samples){low, high, 1, 1};
    shift_estimate(&samples, 1, 0.95, &shift);
    oracle_near(shift.confidence + 1, 1);
    oracle_near(shift.estimate, 3);
}

/* Where rungs differ a hundredfold one shift of the logarithms is still one shift. */
static void stratified_shift(void **state)
{
    (void)state;
    double a[8][3], b[8][3];
    struct two_samples strata[8];
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = 0; k < 3; k++) {
            a[i][k] = (double)(i * 10) + (double)k / 10;
            b[i][k] = a[i][k] + 0.5;
        }
        strata[i] = (struct two_samples){a[i], b[i], 3, 3};
    }
    struct shift shift;
    shift_estimate(strata, 8, 0.95, &shift);
    oracle_near(shift.estimate, 0.5);
    assert_true(shift.low < 0.5 && shift.high > 0.5 && shift.low > 0.29 && shift.high < 0.71);
    assert_true(shift.confidence >= 0.95 && shift.confidence < 0.97 && !shift.is_widest);
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Some with ties, some of two signs; the list is made here, in the module it is not. */
static void selected_differences(void **state)
{
    (void)state;
    double values[2][2][40], list[4 * 40 * 40];
    struct two_samples strata[2] = {{values[0][0], values[0][1], 40, 31}, {values[1][0], values[1][1], 7, 40}};
    const int64_t weights[2] = {1, 3};
    size_t count = 0;
    for (size_t i = 0; i < 40; i++) {
        values[0][0][i] = sin((double)i);
        values[0][1][i] = (double)(i % 5) / 4;
        values[1][0][i] = (double)(i % 3) - 1;
        values[1][1][i] = i % 2 ? 0.1 * (double)i : -1e-300 * (double)i;
    }
    for (size_t s = 0; s < 2; s++)
        for (size_t a = 0; a < strata[s].a_count; a++)
            for (size_t b = 0; b < strata[s].b_count; b++)
                for (int64_t w = 0; w < weights[s]; w++)
                    list[count++] = strata[s].b[b] - strata[s].a[a];
    qsort(list, count, sizeof *list, by_size);
    struct differences differences;
    differences_init(&differences, strata, weights, 2);
    for (size_t i = 0; i < count; i++)
        if (differences_select(&differences, (int64_t)i) != list[i])
            fail_msg("difference %zu is %.17g, expected %.17g", i, differences_select(&differences, (int64_t)i),
                     list[i]);
    assert_true(differences_select(&differences, (int64_t)count) == list[count - 1]);
    differences_release(&differences);
}

/* A list of all differences would be 150 GB. */
static void shift_of_many(void **state)
{
    (void)state;
    static double values[2][100000];
    for (size_t i = 0; i < 100000; i++) {
        values[0][i] = (double)(i * 7919 % 100000) / 100000;
        values[1][i] = values[0][i] + 0.25;
    }
    struct two_samples samples = {values[0], values[1], 100000, 100000};
    struct shift shift;
    shift_estimate(&samples, 1, 0.95, &shift);
    assert_true(fabs(shift.estimate - 0.25) < 1e-4 && !shift.is_exact);
    assert_true(shift.low > 0.247 && shift.low < 0.2476 && shift.high < 0.253 && shift.high > 0.2524);
}

/* What is too much to count is near to what is not, on both sides of the border. */
static void approximation_continues(void **state)
{
    (void)state;
    static double values[2][400];
    for (size_t i = 0; i < 400; i++) {
        values[0][i] = (double)(i * 37 % 400);
        values[1][i] = (double)(i * 53 % 400) + 8;
    }
    struct two_samples strata[8];
    for (size_t i = 0; i < 8; i++)
        strata[i] = (struct two_samples){values[0] + i * 40, values[1] + i * 40, 8, 8};
    struct rank_result exact, approximate;
    ranktest_van_elteren(strata, 8, &exact);
    struct ranks ranks[8];
    double statistic = 0, variance = 0;
    for (size_t i = 0; i < 8; i++) {
        ranks_init(&ranks[i], &strata[i]);
        statistic += (double)ranks[i].deviation;
        variance += ranks[i].variance;
        ranks_release(&ranks[i]);
    }
    assert_int_equal(exact.method, RANK_EXACT);
    assert_true(fabs(exact.p - erfc(fabs(statistic) / sqrt(2 * variance))) < 0.02);
    for (size_t i = 0; i < 8; i++)
        strata[i] = (struct two_samples){values[0], values[1], 300 + i, 400 - i};
    ranktest_van_elteren(strata, 8, &approximate);
    assert_int_equal(approximate.method, RANK_APPROXIMATE);
    assert_true(approximate.p > 0 && approximate.p < 1);
    for (size_t i = 0; i < 8; i++)
        strata[i] = i % 2 ? (struct two_samples){values[1], values[0], 400, 400}
                          : (struct two_samples){values[0], values[1], 400, 400};
    ranktest_crossover(strata, 8, &approximate);
    assert_int_equal(approximate.method, RANK_APPROXIMATE);
    assert_true(approximate.p > 0 && approximate.p < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(mann_whitney_exact, "Mann-Whitney is scipy's, also with ties, all ties and 1 to 5 values a side"),
        NAMED_TEST(mann_whitney_normal, "its approximation for many values is scipy's, ties corrected"),
        NAMED_TEST(van_elteren, "van Elteren's p is what counting every labelling gives"),
        NAMED_TEST(crossover, "so is that of the crossover test"),
        NAMED_TEST(capped_sum, "of a sum up to some number the tail is that of the whole sum"),
        NAMED_TEST(hodges_lehmann, "shift and interval agree with scipy's test asked at every shift"),
        NAMED_TEST(holm, "Holm's correction is that of statsmodels"),
        NAMED_TEST(geometric_mean, "the geometric mean is scipy's"),
        NAMED_TEST(holm_leaves_nan_out,
                   "what has no p takes no part in the correction, and a family tells what would have been"),
        NAMED_TEST(smallest_p, "the smallest possible p is the one that full separation gets"),
        NAMED_TEST(no_strata, "without a stratum there is nothing to tell"),
        NAMED_TEST(widest_interval, "an interval that cannot have its confidence says what it has"),
        NAMED_TEST(stratified_shift, "a shift that all strata share is found whatever their levels"),
        NAMED_TEST(selected_differences, "a difference is found without the list of all, as in a sorted list"),
        NAMED_TEST(shift_of_many, "a hundred thousand values a side have a shift, in the memory of the values"),
        NAMED_TEST(approximation_continues, "large samples are approximated, near what counting gives"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
