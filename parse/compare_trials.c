/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/ranktest.h"
#include "base/shift.h"
#include "parse/compare_parts.h"

static bool is_testable(const struct compare_cell *cell)
{
    return !isnan(cell->ratio) && cell->a.count >= 2 && cell->b.count >= 2;
}

/* Samples of the cells that can be tested, as they are or their logarithms. */
struct samples {
    struct two_samples *strata;
    size_t count;
    double *logarithms;
};

static const double *put_logarithms(double **into, const struct sample *sample)
{
    double *first = *into;
    for (size_t i = 0; i < sample->count; i++)
        *(*into)++ = log(sample->values[i]);
    return first;
}

static void samples_init(struct samples *samples, const struct compare_cell *cells, size_t count, bool of_logarithms)
{
    size_t values = 0;
    for (size_t i = 0; i < count; i++)
        values += cells[i].a.count + cells[i].b.count;
    *samples = (struct samples){.strata = memory_zeroed(count + 1, sizeof *samples->strata)};
    if (of_logarithms)
        samples->logarithms = memory_zeroed(values + 1, sizeof(double));
    double *next = samples->logarithms;
    for (size_t i = 0; i < count; i++) {
        const struct sample *a = &cells[i].a, *b = &cells[i].b;
        if (!is_testable(&cells[i]))
            continue;
        samples->strata[samples->count++] = (struct two_samples){
            .a = of_logarithms ? put_logarithms(&next, a) : a->values,
            .b = of_logarithms ? put_logarithms(&next, b) : b->values,
            .a_count = a->count,
            .b_count = b->count,
        };
    }
}

static void samples_release(struct samples *samples)
{
    free(samples->strata);
    free(samples->logarithms);
}

static void estimate(struct ratio_interval *interval, const struct samples *logarithms, double alpha)
{
    struct shift shift;
    shift_estimate(logarithms->strata, logarithms->count, 1 - alpha, &shift);
    compare_set_interval(interval, &shift);
}

static void test_cell(struct compare_cell *cell, double alpha)
{
    struct two_samples values = {cell->a.values, cell->b.values, cell->a.count, cell->b.count};
    struct rank_result result;
    ranktest_mann_whitney(&values, &result);
    cell->p = result.p;
    cell->sign = result.sign;
    cell->is_exact = result.method == RANK_EXACT;
    struct samples logarithms;
    samples_init(&logarithms, cell, 1, true);
    estimate(&cell->interval, &logarithms, alpha);
    stratum_init(&cell->stratum, logarithms.strata);
    samples_release(&logarithms);
}

static void test_rungs(struct compare_case *test, double alpha)
{
    struct samples values, logarithms;
    struct rank_result result;
    samples_init(&values, test->cells, test->cell_count, false);
    test->tested = values.count;
    ranktest_van_elteren(values.strata, values.count, &result);
    test->p = result.p;
    test->sign = result.sign;
    test->is_exact = result.method == RANK_EXACT;
    ranktest_crossover(values.strata, values.count, &result);
    test->crossover_p = result.p;
    samples_release(&values);
    samples_init(&logarithms, test->cells, test->cell_count, true);
    estimate(&test->interval, &logarithms, alpha);
    samples_release(&logarithms);
}

static void test_case(struct compare_case *test, double alpha)
{
    if (test->void_reason)
        return;
    for (size_t i = 0; i < test->cell_count; i++)
        if (is_testable(&test->cells[i]))
            test_cell(&test->cells[i], alpha);
    test_rungs(test, alpha);
}

/* The strata of a test case, or of all: as many as were tested. */
static size_t list_strata(const struct compare_case *test, struct stratum *strata)
{
    size_t count = 0;
    for (size_t i = 0; i < test->cell_count; i++)
        if (!isnan(test->cells[i].p))
            strata[count++] = test->cells[i].stratum;
    return count;
}

static void fit_prior(const struct stratum *strata, size_t count, struct variance_prior *prior)
{
    double *variances = memory_zeroed(count, sizeof *variances), *degrees = memory_zeroed(count, sizeof *degrees);
    for (size_t i = 0; i < count; i++) {
        variances[i] = strata[i].variance;
        degrees[i] = strata[i].degrees;
    }
    variance_prior_fit(variances, degrees, count, prior);
    free(variances);
    free(degrees);
}

/* Whether one ratio fits: how far trials lie apart is known better from the whole table than from a few of them. */
static void test_fits(struct compare_case *cases, size_t count)
{
    size_t all = 0, next = 0;
    for (size_t i = 0; i < count; i++)
        all += cases[i].tested;
    struct stratum *strata = memory_zeroed(all + 1, sizeof *strata);
    for (size_t i = 0; i < count; i++)
        next += list_strata(&cases[i], strata + next);
    struct variance_prior prior;
    if (all > 0)
        fit_prior(strata, all, &prior);
    next = 0;
    for (size_t i = 0; i < count; next += cases[i].tested, i++)
        if (cases[i].tested > 1)
            cases[i].fit_p = strata_fit_p(strata + next, cases[i].tested, &prior);
    free(strata);
}

void compare_trials_test(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->case_count; i++)
        test_case(&comparison->cases[i], comparison->options.alpha);
    test_fits(comparison->cases, comparison->case_count);
}
