/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/labellings.h"
#include "base/memory.h"
#include "base/runtest.h"
#include "parse/compare_parts.h"

/* The cells that can be compared as the table of runs that base/runtest.h asks for, and where they come from. */
struct run_cells {
    struct run_table table;
    size_t *first;
    double *values;
    struct compare_case **cases; /* one per group */
    struct compare_cell **cells;
    size_t cell_count;
};

static void list_cells(struct run_cells *list, struct comparison *comparison)
{
    size_t groups = 0, cells = 0;
    for (size_t i = 0; i < comparison->case_count; i++)
        cells += comparison->cases[i].compared;
    list->first = memory_zeroed(comparison->case_count + 1, sizeof *list->first);
    list->cases = memory_zeroed(comparison->case_count + 1, sizeof(struct compare_case *));
    list->cells = memory_zeroed(cells + 1, sizeof(struct compare_cell *));
    for (size_t i = 0; i < comparison->case_count; i++) {
        struct compare_case *test = &comparison->cases[i];
        if (test->void_reason)
            continue;
        for (size_t k = 0; k < test->cell_count; k++)
            if (!isnan(test->cells[k].ratio))
                list->cells[list->cell_count++] = &test->cells[k];
        list->cases[groups++] = test;
        list->first[groups] = list->cell_count;
    }
    list->table.group_count = groups;
}

static void put_values(struct run_cells *list, size_t cell, const struct sample *sample, size_t first_run)
{
    for (size_t i = 0; i < sample->run_count; i++)
        list->values[(first_run + sample->runs[i].run) * list->cell_count + cell] = sample->runs[i].log;
}

static void run_cells_init(struct run_cells *list, struct comparison *comparison)
{
    size_t a_count = comparison->a->run_count, b_count = comparison->b->run_count;
    *list = (struct run_cells){.table = {.a_count = a_count, .b_count = b_count}};
    list_cells(list, comparison);
    size_t all = (a_count + b_count) * list->cell_count;
    list->values = memory_zeroed(all + 1, sizeof *list->values);
    for (size_t i = 0; i < all; i++)
        list->values[i] = NAN;
    for (size_t c = 0; c < list->cell_count; c++) {
        put_values(list, c, &list->cells[c]->a, 0);
        put_values(list, c, &list->cells[c]->b, a_count);
    }
    list->table.first = list->first;
    list->table.values = list->values;
}

static void run_cells_release(struct run_cells *list)
{
    free(list->first);
    free(list->values);
    free(list->cases);
    free(list->cells);
}

/* How many runs a side has, and what is asked of them. */
struct run_counts {
    size_t a, b;
    double alpha;
};

static bool would_do(const void *context, unsigned more)
{
    const struct run_counts *counts = context;
    size_t limit = runtest_labellings(counts->alpha);
    return labellings_smallest_p(counts->a + more, counts->b + more, limit) <= counts->alpha;
}

unsigned compare_runs_needed(double alpha)
{
    struct run_counts none = {0, 0, alpha};
    return compare_find_more(would_do, &none);
}

/* Runs that have any of the cells. */
static size_t count_runs(const struct run_cells *list, size_t group, size_t first_run, size_t run_count)
{
    size_t count = 0;
    for (size_t r = first_run; r < first_run + run_count; r++) {
        bool has_any = false;
        for (size_t c = list->first[group]; c < list->first[group + 1]; c++)
            has_any = has_any || !isnan(list->values[r * list->cell_count + c]);
        count += has_any;
    }
    return count;
}

static enum verdict verdict_of(const struct run_counts *counts, double p, double sign, const struct metric *metric)
{
    if (!would_do(counts, 0))
        return VERDICT_TOO_FEW;
    return p <= counts->alpha ? compare_direction(sign, metric) : VERDICT_NONE_SHOWN;
}

static void judge_case(struct compare_case *test, const struct run_counts *counts, const struct metric *metric)
{
    test->verdict = verdict_of(counts, test->p_adjusted, test->sign, metric);
    bool crosses = test->crossover_p <= counts->alpha && test->crossover_p_adjusted <= counts->alpha;
    if (test->verdict == VERDICT_TOO_FEW)
        test->more = compare_find_more(would_do, counts);
    else if (crosses)
        test->verdict = VERDICT_MIXED;
    compare_judge_fit(test, counts->alpha, EVIDENCE_RUNS);
}

static void take_case(const struct run_cells *list, size_t group, const struct run_group *result,
                      const struct compare_options *options)
{
    struct compare_case *test = list->cases[group];
    struct run_counts counts = {count_runs(list, group, 0, list->table.a_count),
                                count_runs(list, group, list->table.a_count, list->table.b_count), options->alpha};
    test->tested = list->first[group + 1] - list->first[group];
    test->p = result->level.p;
    test->p_adjusted = options->correct ? result->level.p_adjusted : result->level.p;
    test->sign = result->level.sign;
    test->crossover_p = result->crossing_p;
    test->crossover_p_adjusted = options->correct ? result->crossing_p_adjusted : result->crossing_p;
    if (test->tested > 1 && would_do(&counts, 0)) {
        test->fit_p = result->fit_p;
        test->fit_p_adjusted = options->correct ? result->fit_p_adjusted : result->fit_p;
    }
    test->is_exact = result->level.shift.is_exact;
    compare_set_interval(&test->interval, &result->level.shift);
    judge_case(test, &counts, options->metric);
}

static void take_cell(struct compare_cell *cell, const struct run_result *result, const struct compare_options *options)
{
    struct run_counts counts = {cell->a.run_count, cell->b.run_count, options->alpha};
    cell->p = result->p;
    cell->p_adjusted = options->correct ? result->p_adjusted : result->p;
    cell->sign = result->sign;
    cell->is_exact = result->shift.is_exact;
    compare_set_interval(&cell->interval, &result->shift);
    cell->verdict = verdict_of(&counts, cell->p_adjusted, cell->sign, options->metric);
}

static void set_void(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->case_count; i++) {
        struct compare_case *test = &comparison->cases[i];
        test->verdict = VERDICT_VOID;
        for (size_t k = 0; k < test->cell_count; k++)
            test->cells[k].verdict = VERDICT_VOID;
    }
}

void compare_runs_judge(struct comparison *comparison)
{
    const struct compare_options *options = &comparison->options;
    struct run_cells list;
    run_cells_init(&list, comparison);
    struct run_group *groups = memory_zeroed(list.table.group_count + 1, sizeof *groups);
    struct run_result *cells = memory_zeroed(list.cell_count + 1, sizeof *cells);
    runtest_make(&list.table, options->alpha, groups, cells);
    set_void(comparison);
    for (size_t g = 0; g < list.table.group_count; g++)
        take_case(&list, g, &groups[g], options);
    for (size_t c = 0; c < list.cell_count; c++)
        take_cell(list.cells[c], &cells[c], options);
    free(groups);
    free(cells);
    run_cells_release(&list);
}
