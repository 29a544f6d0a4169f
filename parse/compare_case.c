/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stats.h"
#include "parse/compare_parts.h"

static int by_number(const void *x, const void *y)
{
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return (a > b) - (a < b);
}

static size_t list_rungs_of(const struct side_test *test, unsigned *rungs)
{
    size_t count = 0;
    for (size_t i = 0; i < test->part_count; i++)
        for (size_t k = 0; k < test->parts[i]->cell_count; k++, count++)
            if (rungs)
                rungs[count] = test->parts[i]->cells[k].threads;
    return count;
}

/* Ascending, each once. */
static unsigned *list_rungs(const struct side_test *a, const struct side_test *b, size_t *count)
{
    size_t of_a = list_rungs_of(a, NULL), all = of_a + list_rungs_of(b, NULL);
    unsigned *rungs = memory_zeroed(all + 1, sizeof *rungs);
    list_rungs_of(a, rungs);
    list_rungs_of(b, rungs + of_a);
    qsort(rungs, all, sizeof *rungs, by_number);
    *count = 0;
    for (size_t i = 0; i < all; i++)
        if (*count == 0 || rungs[*count - 1] != rungs[i])
            rungs[(*count)++] = rungs[i];
    return rungs;
}

/* Takes over `fault`. */
static char *with_reason(char *fault, const char *reason)
{
    if (!reason)
        return fault;
    char *whole = memory_printf("%s: %s", fault, reason);
    free(fault);
    return whole;
}

/* NULL when the sample can be compared. A trial without a number cannot be left out: that would favour the side that
 * failed. */
static char *find_fault(const struct sample *sample, char side, const struct metric *metric)
{
    const char *what = metric->latency < 0 ? "success" : metric->name;
    const char *why = sample->reason ? sample->reason : sample->failure;
    if (sample->count == 0)
        return with_reason(memory_printf("no %s in %c", what, side), why);
    if (sample->lost > 0)
        return with_reason(
            memory_printf("no %s in %zu of %zu trials of %c", what, sample->lost, sample->lost + sample->count, side),
            why);
    if (sample->errors > 0)
        return with_reason(
            memory_printf("%" PRId64 " error%s in %c", sample->errors, sample->errors == 1 ? "" : "s", side),
            sample->failure);
    return NULL;
}

/* An index that one side lacks is a difference of its own. */
static char *find_unlike_setup(const struct sample *a, const struct sample *b)
{
    if (!a->setup_failure == !b->setup_failure)
        return NULL;
    return with_reason(memory_printf("a step of the set-up failed in %c only", a->setup_failure ? 'A' : 'B'),
                       a->setup_failure ? a->setup_failure : b->setup_failure);
}

static void cell_init(struct compare_cell *cell, const struct compare_case *test, unsigned threads,
                      const struct compare_options *options)
{
    *cell = (struct compare_cell){
        .threads = threads, .ratio = NAN, .p = NAN, .p_adjusted = NAN, .interval = {NAN, NAN, NAN, NAN, false}};
    cell->in_a = side_test_has(test->a, threads);
    cell->in_b = side_test_has(test->b, threads);
    sample_collect(&cell->a, test->a, threads, options->metric);
    sample_collect(&cell->b, test->b, threads, options->metric);
    if (!cell->in_a || !cell->in_b)
        return;
    cell->void_reason = find_fault(&cell->a, 'A', options->metric);
    if (!cell->void_reason)
        cell->void_reason = find_fault(&cell->b, 'B', options->metric);
    if (!cell->void_reason)
        cell->void_reason = find_unlike_setup(&cell->a, &cell->b);
    if (cell->void_reason)
        return;
    cell->ratio = cell->b.mean / cell->a.mean;
}

static const char *find_fingerprint(const struct side_test *test, const char *other_than)
{
    for (size_t i = 0; i < test->part_count; i++) {
        const char *fingerprint = test->parts[i]->fingerprint;
        if (fingerprint && (!other_than || strcmp(fingerprint, other_than) != 0))
            return fingerprint;
    }
    return NULL;
}

static bool has_different_definitions(const struct compare_case *test)
{
    const char *first = find_fingerprint(test->a, NULL);
    first = first ? first : find_fingerprint(test->b, NULL);
    return first && (find_fingerprint(test->a, first) || find_fingerprint(test->b, first));
}

static bool tells_fingerprints(const struct side_test *test)
{
    for (size_t i = 0; i < test->part_count; i++)
        if (!test->parts[i]->fingerprint)
            return false;
    return true;
}

bool compare_case_is_defined_alike(const struct compare_case *test)
{
    return tells_fingerprints(test->a) && tells_fingerprints(test->b) && !has_different_definitions(test);
}

static void find_void_case(struct compare_case *test)
{
    if (has_different_definitions(test))
        test->void_reason = memory_strdup(COMPARE_DIFFERENT_DEFINITIONS);
    else if (test->compared == 0) {
        const char *why = "no rung in common";
        for (size_t i = test->cell_count; i > 0; i--)
            why = test->cells[i - 1].void_reason ? test->cells[i - 1].void_reason : why;
        test->void_reason = memory_strdup(why);
    }
}

static void take_geometric_mean(struct compare_case *test)
{
    double *ratios = memory_zeroed(test->cell_count + 1, sizeof *ratios);
    size_t count = 0;
    for (size_t i = 0; i < test->cell_count; i++)
        if (!isnan(test->cells[i].ratio))
            ratios[count++] = test->cells[i].ratio;
    test->geometric_mean = stats_geometric_mean(ratios, count);
    free(ratios);
}

void compare_case_init(struct compare_case *test, const struct side_test *a, const struct side_test *b,
                       const struct compare_options *options)
{
    *test = (struct compare_case){.a = a,
                                  .b = b,
                                  .p = NAN,
                                  .p_adjusted = NAN,
                                  .crossover_p = NAN,
                                  .crossover_p_adjusted = NAN,
                                  .fit_p = NAN,
                                  .fit_p_adjusted = NAN,
                                  .interval = {NAN, NAN, NAN, NAN, false}};
    unsigned *rungs = list_rungs(a, b, &test->cell_count);
    test->cells = memory_zeroed(test->cell_count + 1, sizeof *test->cells);
    for (size_t i = 0; i < test->cell_count; i++) {
        cell_init(&test->cells[i], test, rungs[i], options);
        if (!isnan(test->cells[i].ratio))
            test->compared++;
    }
    free(rungs);
    take_geometric_mean(test);
    find_void_case(test);
}

void compare_case_release(struct compare_case *test)
{
    for (size_t i = 0; i < test->cell_count; i++) {
        sample_release(&test->cells[i].a);
        sample_release(&test->cells[i].b);
        free(test->cells[i].void_reason);
    }
    free(test->cells);
    free(test->void_reason);
    *test = (struct compare_case){0};
}
