/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/holm.h"
#include "base/memory.h"
#include "base/ranktest.h"
#include "parse/compare_parts.h"

/* The p of a table: the tests of one kind, corrected for being many. */
struct family {
    double *p, *adjusted;
    struct holm_family holm;
    const struct compare_options *options;
};

/* `p` becomes the family's. */
static void family_init(struct family *family, double *p, size_t count, const struct compare_options *options)
{
    *family = (struct family){.p = p, .adjusted = memory_copy(p, count * sizeof *p), .options = options};
    if (options->correct)
        holm_adjust(p, count, family->adjusted);
    holm_init(&family->holm, p, count);
}

static void family_release(struct family *family)
{
    holm_release(&family->holm);
    free(family->p);
    free(family->adjusted);
}

/* Whether a member would be called if it had the p `value`. */
static bool family_would_call(const struct family *family, double value)
{
    double adjusted = family->options->correct ? holm_adjusted_if(&family->holm, value) : value;
    return adjusted <= family->options->alpha;
}

/* What a test case with `more` more trials in each of its cells could get at best. */
static double smallest_p(const struct compare_cell *cells, size_t count, size_t more)
{
    struct sample_sizes *sizes = memory_zeroed(count + 1, sizeof *sizes);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        struct sample_sizes size = {cells[i].a.count + more, cells[i].b.count + more};
        if (!isnan(cells[i].ratio) && size.a_count >= 2 && size.b_count >= 2)
            sizes[used++] = size;
    }
    double p = ranktest_smallest_p(sizes, used);
    free(sizes);
    return p;
}

struct candidate {
    const struct compare_case *test;
    const struct family *family;
};

static bool would_do(const void *context, unsigned more)
{
    const struct candidate *candidate = context;
    const struct compare_case *test = candidate->test;
    return family_would_call(candidate->family, smallest_p(test->cells, test->cell_count, more));
}

static void judge_case(struct compare_case *test, const struct family *family)
{
    double alpha = family->options->alpha;
    struct candidate candidate = {test, family};
    if (test->void_reason) {
        test->verdict = VERDICT_VOID;
    } else if (test->crossover_p <= alpha && test->crossover_p_adjusted <= alpha) {
        test->verdict = VERDICT_MIXED;
    } else if (test->p_adjusted <= alpha) {
        test->verdict = compare_direction(test->sign, family->options->metric);
    } else if (would_do(&candidate, 0)) {
        test->verdict = VERDICT_NONE_SHOWN;
    } else {
        test->verdict = VERDICT_TOO_FEW;
        test->more = compare_find_more(would_do, &candidate);
    }
}

/* The p of a kind of test, one a test case. */
static void family_of_cases(struct family *family, const struct comparison *comparison,
                            double (*p_of)(const struct compare_case *test))
{
    size_t count = comparison->case_count;
    double *p = memory_zeroed(count + 1, sizeof *p);
    for (size_t i = 0; i < count; i++)
        p[i] = p_of(&comparison->cases[i]);
    family_init(family, p, count, &comparison->options);
}

static double p_of_shift(const struct compare_case *test)
{
    return test->p;
}

/* Against "no difference at any rung". */
static double p_of_crossover(const struct compare_case *test)
{
    return test->crossover_p * test->crossover_p;
}

static double p_of_fit(const struct compare_case *test)
{
    return test->fit_p;
}

static void judge_cases(struct comparison *comparison)
{
    struct family shifts, crossovers, fits;
    family_of_cases(&shifts, comparison, p_of_shift);
    family_of_cases(&crossovers, comparison, p_of_crossover);
    family_of_cases(&fits, comparison, p_of_fit);
    for (size_t i = 0; i < comparison->case_count; i++) {
        struct compare_case *test = &comparison->cases[i];
        test->p_adjusted = shifts.adjusted[i];
        test->crossover_p_adjusted = crossovers.adjusted[i];
        test->fit_p_adjusted = fits.adjusted[i];
        judge_case(test, &shifts);
        compare_judge_fit(test, comparison->options.alpha, EVIDENCE_TRIALS);
    }
    family_release(&shifts);
    family_release(&crossovers);
    family_release(&fits);
}

static void judge_cell(struct compare_cell *cell, double p, const struct family *family)
{
    if (isnan(p))
        cell->verdict = VERDICT_VOID;
    else if (cell->p_adjusted <= family->options->alpha)
        cell->verdict = compare_direction(log(cell->interval.ratio), family->options->metric);
    else if (family_would_call(family, smallest_p(cell, 1, 0)))
        cell->verdict = VERDICT_NONE_SHOWN;
    else
        cell->verdict = VERDICT_TOO_FEW;
}

/* A cell with too few trials to test takes part as one that shows nothing; one that cannot be compared does not. */
static double p_of_cell(const struct compare_case *test, const struct compare_cell *cell)
{
    if (test->void_reason || isnan(cell->ratio))
        return NAN;
    return isnan(cell->p) ? 1 : cell->p;
}

static void judge_cells(struct comparison *comparison)
{
    size_t all = 0, next = 0;
    for (size_t i = 0; i < comparison->case_count; i++)
        all += comparison->cases[i].cell_count;
    double *p = memory_zeroed(all + 1, sizeof *p);
    for (size_t i = 0; i < comparison->case_count; i++)
        for (size_t k = 0; k < comparison->cases[i].cell_count; k++)
            p[next++] = p_of_cell(&comparison->cases[i], &comparison->cases[i].cells[k]);
    struct family family;
    family_init(&family, p, all, &comparison->options);
    next = 0;
    for (size_t i = 0; i < comparison->case_count; i++) {
        for (size_t k = 0; k < comparison->cases[i].cell_count; k++, next++) {
            struct compare_cell *cell = &comparison->cases[i].cells[k];
            cell->p_adjusted = family.adjusted[next];
            judge_cell(cell, p[next], &family);
        }
    }
    family_release(&family);
}

void compare_trials_judge(struct comparison *comparison)
{
    judge_cases(comparison);
    judge_cells(comparison);
}
