/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/stats.h"
#include "parse/pairing.h"
#include "parse/run_plan.h"

static char *copy_or_null(const char *text)
{
    return text ? memory_strdup(text) : NULL;
}

static void add_trial(struct cell_data *cell, const struct trial_data *trial, unsigned run)
{
    struct trial_data *copy = &cell->trials[cell->trial_count++];
    *copy = *trial;
    copy->run = run;
    copy->reason = copy_or_null(trial->reason);
    copy->latency = trial->latency ? memory_copy(trial->latency, sizeof *trial->latency) : NULL;
}

/* Means of what the runs tell; NULL when none does. */
static struct latency *pool_latency(const struct cell_data *const *parts, size_t count)
{
    struct latency pooled;
    bool is_told = false;
    for (size_t kind = 0; kind < LATENCY_KINDS; kind++) {
        double sum = 0, least = NAN, most = NAN;
        unsigned told = 0;
        for (size_t i = 0; i < count; i++) {
            double us = parts[i] && parts[i]->latency ? parts[i]->latency->us[kind] : NAN;
            told += !isnan(us);
            sum += isnan(us) ? 0 : us;
            least = fmin(least, us); /* pass over NAN */
            most = fmax(most, us);
        }
        pooled.us[kind] = kind == LATENCY_MIN ? least : kind == LATENCY_MAX ? most : told ? sum / told : NAN;
        is_told = is_told || told > 0;
    }
    return is_told ? memory_copy(&pooled, sizeof pooled) : NULL;
}

/* A run of which the file holds no trial is one: of its mean, or one that was lost. */
static void add_part(struct cell_data *cell, const struct cell_data *part, unsigned run)
{
    size_t first = cell->trial_count;
    for (size_t i = 0; i < part->trial_count; i++)
        add_trial(cell, &part->trials[i], run);
    if (part->trial_count == 0 || (cell_values(part, NULL) == 0 && !isnan(part->ops_per_sec))) {
        const struct trial_data mean = {
            .ops_per_sec = part->ops_per_sec, .errors = -1, .latency = part->latency, .is_mean = true};
        add_trial(cell, &mean, run);
    }
    for (size_t i = first; i < cell->trial_count; i++)
        if (isnan(cell->trials[i].ops_per_sec) && !cell->trials[i].reason)
            cell->trials[i].reason = copy_or_null(part->reason);
    if (!cell->failure)
        cell->failure = copy_or_null(part->failure);
    if (!cell->setup_failure)
        cell->setup_failure = copy_or_null(part->setup_failure);
    cell->trials_summarised += part->trials_summarised;
}

static void summarise(struct cell_data *cell)
{
    double *values = memory_zeroed(cell->trial_count + 1, sizeof *values);
    size_t count = cell_values(cell, values);
    cell->ops_per_sec = stats_mean(values, count);
    cell->median = stats_median(values, count);
    cell->stdev = stats_stdev(values, count);
    free(values);
}

/* One part per run; NULL: the run does not have the cell. */
static void pool_cell(struct cell_data *cell, const struct cell_data *const *parts, size_t count)
{
    size_t trials = 0;
    for (size_t i = 0; i < count; i++)
        trials += parts[i] ? parts[i]->trial_count + 1 : 0;
    cell->trials = memory_zeroed(trials + 1, sizeof *cell->trials);
    for (size_t i = 0; i < count; i++)
        if (parts[i])
            add_part(cell, parts[i], (unsigned)i);
    summarise(cell);
    cell->latency = pool_latency(parts, count);
}

static void copy_tags(struct test_data *test, const struct test_data *from)
{
    test->tags = memory_zeroed(from->tag_count + 1, sizeof *test->tags);
    for (test->tag_count = 0; test->tag_count < from->tag_count; test->tag_count++)
        test->tags[test->tag_count] = memory_strdup(from->tags[test->tag_count]);
}

static void pool_test(struct test_data *test, const struct pairing *pairing, const struct pairing_row *row)
{
    size_t runs = pairing->dataset->count;
    const struct test_data *first = pairing_any(pairing, row);
    const struct cell_data **parts = memory_zeroed(runs, sizeof(struct cell_data *));
    test->name = memory_strdup(first->name);
    test->fingerprint = copy_or_null(first->fingerprint);
    copy_tags(test, first);
    test->cells = memory_zeroed(row->thread_count + 1, sizeof *test->cells);
    for (; test->cell_count < row->thread_count; test->cell_count++) {
        unsigned threads = row->threads[test->cell_count];
        for (size_t d = 0; d < runs; d++)
            parts[d] = pairing_cell(row, d, threads);
        test->cells[test->cell_count].threads = threads;
        pool_cell(&test->cells[test->cell_count], parts, runs);
    }
    free(parts);
}

static void pool_tests(struct deployment *pooled)
{
    struct dataset runs = {pooled->runs, pooled->run_count};
    struct pairing pairing;
    pairing_make(&runs, &pairing);
    pooled->tests = memory_zeroed(pairing.count + 1, sizeof *pooled->tests);
    for (; pooled->test_count < pairing.count; pooled->test_count++)
        pool_test(&pooled->tests[pooled->test_count], &pairing, &pairing.rows[pooled->test_count]);
    pairing_release(&pairing);
    deployment_number_tests(pooled);
}

static void pool_facts(struct deployment *pooled)
{
    const struct deployment **runs = memory_zeroed(pooled->run_count, sizeof(struct deployment *));
    struct buffer differ = {0};
    for (size_t i = 0; i < pooled->run_count; i++)
        runs[i] = &pooled->runs[i];
    for (size_t i = 0; i < pooled->run_count; i++) {
        for (size_t k = 0; k < runs[i]->facts.count; k++) {
            const char *name = runs[i]->facts.items[k].name;
            size_t values;
            if (fact_list_find(&pooled->facts, name))
                continue;
            char *joined = fact_join(runs, pooled->run_count, name, &values);
            fact_list_add(&pooled->facts, name, joined);
            free(joined);
            if (values > 1 && strcmp(name, "options.testfiles") != 0) /* definitions may be the same in other files */
                buffer_append_printf(&differ, "%s%s", differ.size ? ", " : "", name);
        }
    }
    if (differ.size)
        message_list_add(&pooled->warnings, "%s: the files count as runs of one deployment, but they differ in: %s",
                         pooled->label, buffer_text(&differ));
    buffer_release(&differ);
    free(runs);
}

static void pool_skipped(struct deployment *pooled)
{
    for (size_t i = 0; i < pooled->run_count; i++) {
        const struct fact_list *skipped = &pooled->runs[i].skipped;
        for (size_t k = 0; k < skipped->count; k++)
            if (!fact_list_find(&pooled->skipped, skipped->items[k].name))
                fact_list_add(&pooled->skipped, skipped->items[k].name, skipped->items[k].value);
    }
}

static void pool_ends(struct deployment *pooled)
{
    pooled->tells_end = true;
    for (size_t i = 0; i < pooled->run_count; i++) {
        const struct deployment *run = &pooled->runs[i];
        pooled->interrupted = pooled->interrupted || run->interrupted;
        pooled->tells_end = pooled->tells_end && run->tells_end;
        run_plan_add(&pooled->plan, &run->plan);
    }
}

void pool_runs(struct deployment *runs, size_t count, const char *label, struct deployment *pooled)
{
    *pooled = (struct deployment){.label = memory_strdup(label), .runs = runs, .run_count = count};
    pool_tests(pooled);
    pool_facts(pooled);
    pool_skipped(pooled);
    pool_ends(pooled);
}
