/* SPDX-License-Identifier: Apache-2.0 */
#include "base/runtest.h"

#include <math.h>
#include <stdlib.h>

#include "base/labellings.h"
#include "base/maxt.h"
#include "base/memory.h"
#include "base/run_sheet.h"

/* All labellings of seven runs a side are 3432. */
#define LABELLINGS_LEAST 5000
#define LABELLINGS_MOST 50000
/* Of those that a p at alpha counts, for it to be no matter of which were drawn. */
#define REACHING 40

/* The statistics of one labelling. */
struct statistics {
    double *levels, *cells, *contrasts; /* t, by group, by cell, by cell */
    double *family;                     /* of the levels, then of the crossings */
    double *up, *down, *fits;           /* by group: the cell furthest up, down, off the group's level */
    double *sizes;                      /* by cell: |t| */
};

struct work {
    const struct run_table *table;
    size_t cell_count;
    struct run_sheet levels, cells, contrasts;
    struct labellings labellings;
    struct statistics seen, now;
    struct maxt family, fits, single;
    size_t *up, *down; /* by group: in how many labellings a cell was as far up or down */
};

size_t runtest_labellings(double alpha)
{
    return (size_t)fmax(LABELLINGS_LEAST, fmin(LABELLINGS_MOST, REACHING / alpha));
}

static double *numbers(size_t count)
{
    return memory_zeroed(count + 1, sizeof(double));
}

/* Each cell about its mean over all runs: then a run that lacks some of a group's cells can be set beside the others.
 */
static double *centre(const struct run_table *table, size_t cells)
{
    size_t runs = table->a_count + table->b_count;
    double *centred = numbers(runs * cells);
    for (size_t c = 0; c < cells; c++) {
        double sum = 0;
        size_t count = 0;
        for (size_t r = 0; r < runs; r++) {
            double value = table->values[r * cells + c];
            sum += isnan(value) ? 0 : value;
            count += !isnan(value);
        }
        for (size_t r = 0; r < runs; r++)
            centred[r * cells + c] = table->values[r * cells + c] - sum / (double)count;
    }
    return centred;
}

/* The mean of one run over a group, NAN without a cell, which the contrasts lose. They are NAN when there is but one.
 */
static double take_level(double *contrasts, size_t count)
{
    double sum = 0;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        sum += isnan(contrasts[i]) ? 0 : contrasts[i];
        found += !isnan(contrasts[i]);
    }
    double level = found > 0 ? sum / (double)found : NAN;
    for (size_t i = 0; i < count; i++)
        contrasts[i] = found > 1 ? contrasts[i] - level : NAN;
    return level;
}

static void make_sheets(struct work *work)
{
    const struct run_table *table = work->table;
    size_t runs = table->a_count + table->b_count, groups = table->group_count, cells = work->cell_count;
    double *values = centre(table, cells), *levels = numbers(runs * groups);
    run_sheet_init(&work->cells, values, runs, cells);
    for (size_t r = 0; r < runs; r++)
        for (size_t g = 0; g < groups; g++)
            levels[r * groups + g] =
                take_level(values + r * cells + table->first[g], table->first[g + 1] - table->first[g]);
    run_sheet_init(&work->levels, levels, runs, groups);
    run_sheet_init(&work->contrasts, values, runs, cells);
    free(values);
    free(levels);
}

static void statistics_init(struct statistics *statistics, size_t groups, size_t cells)
{
    *statistics = (struct statistics){numbers(groups), numbers(cells),  numbers(cells),  numbers(2 * groups),
                                      numbers(groups), numbers(groups), numbers(groups), numbers(cells)};
}

static void statistics_release(struct statistics *statistics)
{
    free(statistics->levels);
    free(statistics->cells);
    free(statistics->contrasts);
    free(statistics->family);
    free(statistics->up);
    free(statistics->down);
    free(statistics->fits);
    free(statistics->sizes);
}

static void summarise_group(const struct work *work, struct statistics *to, size_t g)
{
    to->up[g] = to->down[g] = -INFINITY;
    to->fits[g] = 0;
    for (size_t c = work->table->first[g]; c < work->table->first[g + 1]; c++) {
        to->up[g] = fmax(to->up[g], to->cells[c]);
        to->down[g] = fmax(to->down[g], -to->cells[c]);
        to->fits[g] = fmax(to->fits[g], fabs(to->contrasts[c]));
    }
    to->family[g] = fabs(to->levels[g]);
    to->family[work->table->group_count + g] = fmin(to->up[g], to->down[g]);
}

static void compute(struct work *work, size_t labelling, struct statistics *to)
{
    const bool *is_b = labellings_row(&work->labellings, labelling);
    run_sheet_statistics(&work->levels, is_b, to->levels);
    run_sheet_statistics(&work->cells, is_b, to->cells);
    run_sheet_statistics(&work->contrasts, is_b, to->contrasts);
    for (size_t g = 0; g < work->table->group_count; g++)
        summarise_group(work, to, g);
    for (size_t c = 0; c < work->cell_count; c++)
        to->sizes[c] = fabs(to->cells[c]);
}

static void take_labelling(struct work *work, size_t labelling)
{
    compute(work, labelling, &work->now);
    maxt_take(&work->family, work->now.family);
    maxt_take(&work->fits, work->now.fits);
    maxt_take(&work->single, work->now.sizes);
    for (size_t g = 0; g < work->table->group_count; g++) {
        work->up[g] += maxt_reaches(work->now.up[g], work->seen.up[g]);
        work->down[g] += maxt_reaches(work->now.down[g], work->seen.down[g]);
    }
}

static void work_init(struct work *work, const struct run_table *table, double alpha)
{
    size_t groups = table->group_count, cells = table->first[groups];
    *work = (struct work){.table = table, .cell_count = cells};
    work->up = memory_zeroed(groups + 1, sizeof *work->up);
    work->down = memory_zeroed(groups + 1, sizeof *work->down);
    make_sheets(work);
    labellings_init(&work->labellings, table->a_count, table->b_count, runtest_labellings(alpha));
    statistics_init(&work->seen, groups, cells);
    statistics_init(&work->now, groups, cells);
    compute(work, 0, &work->seen);
    maxt_init(&work->family, work->seen.family, 2 * groups);
    maxt_init(&work->fits, work->seen.fits, groups);
    maxt_init(&work->single, work->seen.sizes, cells);
}

static void work_release(struct work *work)
{
    run_sheet_release(&work->levels);
    run_sheet_release(&work->cells);
    run_sheet_release(&work->contrasts);
    labellings_release(&work->labellings);
    statistics_release(&work->seen);
    statistics_release(&work->now);
    maxt_release(&work->family);
    maxt_release(&work->fits);
    maxt_release(&work->single);
    free(work->up);
    free(work->down);
}

/* p[i] and adjusted[i] of a family for hypothesis i. */
struct family_p {
    double *p, *adjusted;
};

static struct family_p results_of(const struct maxt *family)
{
    struct family_p results = {numbers(family->count), numbers(family->count)};
    maxt_results(family, results.p, results.adjusted);
    return results;
}

static void release_results(struct family_p *results)
{
    free(results->p);
    free(results->adjusted);
}

static void fill_result(struct run_result *result, double t, const struct family_p *results, size_t number)
{
    result->p = results->p[number];
    result->p_adjusted = results->adjusted[number];
    result->sign = (t > 0) - (t < 0);
}

static void fill_groups(const struct work *work, double alpha, struct run_group *groups)
{
    size_t count = work->table->group_count;
    struct family_p family = results_of(&work->family), fits = results_of(&work->fits);
    for (size_t g = 0; g < count; g++) {
        size_t furthest = work->up[g] > work->down[g] ? work->up[g] : work->down[g];
        fill_result(&groups[g].level, work->seen.levels[g], &family, g);
        run_sheet_shift(&work->levels, g, &work->labellings, 1 - alpha, &groups[g].level.shift);
        groups[g].crossing_p = (double)furthest / (double)work->labellings.count;
        groups[g].crossing_p_adjusted = family.adjusted[count + g];
        groups[g].fit_p = fits.p[g];
        groups[g].fit_p_adjusted = fits.adjusted[g];
    }
    release_results(&family);
    release_results(&fits);
}

static void fill_cells(const struct work *work, double alpha, struct run_result *cells)
{
    struct family_p single = results_of(&work->single);
    for (size_t c = 0; c < work->cell_count; c++) {
        fill_result(&cells[c], work->seen.cells[c], &single, c);
        run_sheet_shift(&work->cells, c, &work->labellings, 1 - alpha, &cells[c].shift);
    }
    release_results(&single);
}

void runtest_make(const struct run_table *table, double alpha, struct run_group *groups, struct run_result *cells)
{
    struct work work;
    work_init(&work, table, alpha);
    for (size_t k = 0; k < work.labellings.count; k++)
        take_labelling(&work, k);
    fill_groups(&work, alpha, groups);
    fill_cells(&work, alpha, cells);
    work_release(&work);
}
