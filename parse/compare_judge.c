/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/holm.h"
#include "base/memory.h"
#include "parse/compare_parts.h"

#define MORE_TRIALS_MAX 1000

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

/* The smallest number of more trials with which it could be called, the others staying as they are; 0: none up to the
 * limit. Found by halving: with more trials the smallest p only falls. */
static unsigned find_more(const struct compare_case *test, const struct family *family)
{
    unsigned low = 0, high = MORE_TRIALS_MAX + 1;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (family_would_call(family, smallest_p(test->cells, test->cell_count, middle)))
            high = middle;
        else
            low = middle;
    }
    return high <= MORE_TRIALS_MAX ? high : 0;
}

static enum verdict direction(double ratio, const struct metric *metric)
{
    return metric_direction(metric, ratio) > 0 ? VERDICT_FASTER : VERDICT_SLOWER;
}

static void judge_case(struct compare_case *test, const struct family *family)
{
    double alpha = family->options->alpha;
    if (test->void_reason) {
        test->verdict = VERDICT_VOID;
    } else if (test->crossover_p <= alpha && test->crossover_p_adjusted <= alpha) {
        test->verdict = VERDICT_MIXED;
    } else if (test->p_adjusted <= alpha) {
        test->verdict = direction(test->sign > 0 ? 2 : 0.5, family->options->metric);
    } else if (family_would_call(family, smallest_p(test->cells, test->cell_count, 0))) {
        test->verdict = VERDICT_NONE_SHOWN;
    } else {
        test->verdict = VERDICT_TOO_FEW;
        test->more_trials = find_more(test, family);
    }
}

static void judge_cases(struct compare_case *cases, size_t count, const struct compare_options *options)
{
    double *p = memory_zeroed(count + 1, sizeof *p), *squares = memory_zeroed(count + 1, sizeof *squares);
    for (size_t i = 0; i < count; i++) {
        p[i] = cases[i].p;
        squares[i] = cases[i].crossover_p * cases[i].crossover_p;
    }
    struct family shifts, crossovers;
    family_init(&shifts, p, count, options);
    family_init(&crossovers, squares, count, options);
    for (size_t i = 0; i < count; i++) {
        cases[i].p_adjusted = shifts.adjusted[i];
        cases[i].crossover_p_adjusted = crossovers.adjusted[i];
        judge_case(&cases[i], &shifts);
    }
    family_release(&shifts);
    family_release(&crossovers);
}

static void judge_cell(struct compare_cell *cell, double p, const struct family *family)
{
    if (isnan(p))
        cell->verdict = VERDICT_VOID;
    else if (cell->p_adjusted <= family->options->alpha)
        cell->verdict = direction(cell->interval.ratio, family->options->metric);
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

static void judge_cells(struct compare_case *cases, size_t count, const struct compare_options *options)
{
    size_t all = 0, next = 0;
    for (size_t i = 0; i < count; i++)
        all += cases[i].cell_count;
    double *p = memory_zeroed(all + 1, sizeof *p);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < cases[i].cell_count; k++)
            p[next++] = p_of_cell(&cases[i], &cases[i].cells[k]);
    struct family family;
    family_init(&family, p, all, options);
    next = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < cases[i].cell_count; k++, next++) {
            cases[i].cells[k].p_adjusted = family.adjusted[next];
            judge_cell(&cases[i].cells[k], p[next], &family);
        }
    }
    family_release(&family);
}

void compare_judge(struct compare_case *cases, size_t count, const struct compare_options *options)
{
    judge_cases(cases, count, options);
    judge_cells(cases, count, options);
}
