/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/missing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "parse/csv.h"
#include "parse/run_plan.h"

/* What one deployment lacks. */
struct missing {
    struct buffer *out;
    size_t count; /* of lines */
    const struct deployment *deployment;
    bool *is_told; /* one per unmeasured test of the plan: it has its line */
};

/* `threads` and `trial` 0: all of them. */
static void add_line(struct missing *missing, const char *test, unsigned threads, size_t trial, const char *what)
{
    csv_text(missing->out, test);
    csv_text(missing->out, missing->deployment->label);
    csv_number(missing->out, threads ? threads : NAN);
    csv_number(missing->out, trial ? (double)trial : NAN);
    csv_text(missing->out, what);
    csv_end_line(missing->out);
    missing->count++;
}

static const char *not_measured(const struct deployment *run)
{
    return run->interrupted ? "planned, not measured: the run was cut short" : "planned, not measured";
}

/* With the run's number where there are several. */
static void add_of_run(struct missing *missing, const char *test, unsigned threads, size_t run, size_t trial,
                       const char *what)
{
    if (deployment_runs(missing->deployment) == 1) {
        add_line(missing, test, threads, trial, what);
        return;
    }
    char *whole = memory_printf("run %zu: %s", run + 1, what);
    add_line(missing, test, threads, trial, whole);
    free(whole);
}

static void add_trials_of_run(struct missing *missing, const char *test, const struct cell_data *cell, size_t number)
{
    const struct deployment *run = deployment_run(missing->deployment, number);
    size_t planned = run->interrupted ? run->plan.trials : 0, count = 0;
    for (size_t i = 0; i < cell->trial_count; i++) {
        const struct trial_data *trial = &cell->trials[i];
        if (trial->run != number)
            continue;
        count++;
        if (isnan(trial->ops_per_sec))
            add_of_run(missing, test, cell->threads, number, trial->is_mean ? 0 : count,
                       trial->reason ? trial->reason : "no number");
    }
    if (count == 0)
        add_of_run(missing, test, cell->threads, number, 0, "not measured");
    for (size_t i = count; count > 0 && i < planned; i++)
        add_of_run(missing, test, cell->threads, number, i + 1, not_measured(run));
}

/* A mean without its trials lacks nothing: the file says nothing about the rate of any. */
static void add_trials(struct missing *missing, const char *test, const struct cell_data *cell)
{
    for (size_t i = 0; cell_values(cell, NULL) > 0 && i < deployment_runs(missing->deployment); i++)
        add_trials_of_run(missing, test, cell, i);
}

static void add_cell(struct missing *missing, const char *test, const struct cell_data *cell)
{
    if (!isnan(cell->ops_per_sec)) {
        add_trials(missing, test, cell);
        return;
    }
    char *why = cell_why(cell);
    add_line(missing, test, cell->threads, 0, why ? why : "no number");
    free(why);
}

/* Rungs that another deployment has or that the plan has, in their order. */
static void add_rungs(struct missing *missing, const struct pairing_row *row, const struct test_data *test)
{
    const struct run_plan *plan = &missing->deployment->plan;
    unsigned *left = memory_zeroed(plan->thread_count + 1, sizeof *left);
    size_t count = run_plan_rungs_left(plan, test, left), next = 0;
    for (size_t i = 0; i < row->thread_count || next < count;) {
        bool is_planned = next < count && (i == row->thread_count || left[next] <= row->threads[i]);
        unsigned threads = is_planned ? left[next] : row->threads[i];
        const struct cell_data *cell = test_find_cell(test, threads);
        if (cell)
            add_cell(missing, row->title, cell);
        else
            add_line(missing, row->title, threads, 0,
                     is_planned ? not_measured(missing->deployment) : "no such number of threads");
        next += is_planned;
        i += i < row->thread_count && row->threads[i] == threads;
    }
    free(left);
}

/* Whether the plan has a test of this name that has no line yet; now it has one. */
static bool take_unmeasured(struct missing *missing, const char *name)
{
    const struct run_plan *plan = &missing->deployment->plan;
    size_t low = 0, high = plan->unmeasured_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(plan->unmeasured[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < plan->unmeasured_count && missing->is_told[low] && strcmp(plan->unmeasured[low], name) == 0)
        low++;
    if (low == plan->unmeasured_count || strcmp(plan->unmeasured[low], name) != 0)
        return false;
    missing->is_told[low] = true;
    return true;
}

static void add_row(struct missing *missing, const struct pairing *pairing, const struct pairing_row *row,
                    size_t deployment)
{
    if (row->tests[deployment])
        add_rungs(missing, row, row->tests[deployment]);
    else if (take_unmeasured(missing, pairing_any(pairing, row)->name))
        add_line(missing, row->title, 0, 0, not_measured(missing->deployment));
    else
        add_line(missing, row->title, 0, 0, "no such test");
}

/* Tests that no deployment has have no row. */
static void add_unmeasured(struct missing *missing)
{
    const struct run_plan *plan = &missing->deployment->plan;
    for (size_t i = 0; i < plan->unmeasured_count; i++)
        if (!missing->is_told[i])
            add_line(missing, plan->unmeasured[i], 0, 0, not_measured(missing->deployment));
}

static void add_heading(struct buffer *out)
{
    static const char *const heading[] = {"test", "deployment", "threads", "trial", "missing"};
    for (size_t i = 0; i < COUNT_OF(heading); i++)
        csv_raw_text(out, heading[i]);
    csv_end_line(out);
}

size_t missing_append(const struct report_data *data, struct buffer *out)
{
    const struct dataset *dataset = &data->dataset;
    struct missing *missing = memory_zeroed(dataset->count, sizeof *missing);
    size_t count = 0;
    add_heading(out);
    for (size_t d = 0; d < dataset->count; d++) {
        const struct deployment *deployment = &dataset->items[d];
        bool *is_told = memory_zeroed(deployment->plan.unmeasured_count + 1, sizeof *is_told);
        missing[d] = (struct missing){out, 0, deployment, is_told};
    }
    for (size_t i = 0; i < data->pairing.count; i++)
        for (size_t d = 0; d < dataset->count; d++)
            add_row(&missing[d], &data->pairing, &data->pairing.rows[i], d);
    for (size_t d = 0; d < dataset->count; d++) {
        add_unmeasured(&missing[d]);
        count += missing[d].count;
        free(missing[d].is_told);
    }
    free(missing);
    return count;
}
