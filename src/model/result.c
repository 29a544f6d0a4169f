/* SPDX-License-Identifier: Apache-2.0 */
#include "model/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/cell.h"

bool trial_is_void(const struct trial_result *trial)
{
    return trial->state == TRIAL_MEASURED && trial->tally.succeeded == trial->tally.local;
}

static double rate(const struct trial_result *trial, uint64_t operations)
{
    if (trial->state != TRIAL_MEASURED || trial_is_void(trial) || trial->elapsed_ns <= 0)
        return NAN;
    return (double)operations * (double)CLOCK_NS_PER_SEC / (double)trial->elapsed_ns;
}

double trial_ops_per_sec(const struct trial_result *trial)
{
    return rate(trial, trial->tally.succeeded);
}

double trial_server_ops_per_sec(const struct trial_result *trial)
{
    return rate(trial, trial->tally.succeeded - trial->tally.local);
}

void result_init(struct result *result)
{
    *result = (struct result){0};
}

static void test_release(struct result_test *test)
{
    free(test->name);
    free(test->file);
    free(test->skipped);
    for (size_t i = 0; i < test->tag_count; i++)
        free(test->tags[i]);
    free(test->tags);
}

void result_release(struct result *result)
{
    json_decref(result->header);
    for (size_t i = 0; i < result->test_count; i++)
        test_release(&result->tests[i]);
    free(result->tests);
    free(result->threads);
    free(result->trials);
    result_init(result);
}

static void widen(struct result_test *test, const struct trial_result *trial)
{
    if (test->start_wall_ms == 0 || trial->start_wall_ms < test->start_wall_ms)
        test->start_wall_ms = trial->start_wall_ms;
    if (trial->end_wall_ms > test->end_wall_ms)
        test->end_wall_ms = trial->end_wall_ms;
}

/* The ladder brings the trials in this order already; any other schedule pays with moving some. */
static size_t place_for(const struct result *result, const struct trial_result *trial)
{
    size_t at = result->trial_count;
    while (at > 0 && (result->trials[at - 1].test > trial->test ||
                      (result->trials[at - 1].test == trial->test && result->trials[at - 1].rung > trial->rung)))
        at--;
    return at;
}

void result_add_trial(struct result *result, const struct trial_result *trial)
{
    if (result->trial_count == result->trial_capacity) {
        result->trial_capacity = result->trial_capacity ? result->trial_capacity * 2 : 64;
        result->trials = memory_resize(result->trials, result->trial_capacity, sizeof *result->trials);
    }
    size_t at = place_for(result, trial);
    memmove(&result->trials[at + 1], &result->trials[at], (result->trial_count - at) * sizeof *result->trials);
    result->trials[at] = *trial;
    result->trial_count++;
    widen(&result->tests[trial->test], trial);
    if (trial->end_wall_ms > result->end_wall_ms)
        result->end_wall_ms = trial->end_wall_ms;
}

static void count_cell(const struct cell *cell, struct result_summary *summary)
{
    summary->cells++;
    if (cell->counted > 0) {
        summary->measured_cells++;
        summary->cells_with_losses += tally_lost(&cell->tally) > 0 || cell->counted < cell->ended;
    } else if (cell->unsupported > 0) {
        summary->unsupported_cells++;
    } else if (cell->unprepared > 0) {
        summary->unprepared_cells++;
    } else {
        summary->void_cells++;
    }
}

void result_summarise(const struct result *result, struct result_summary *summary)
{
    *summary = (struct result_summary){0};
    for (size_t test = 0; test < result->test_count; test++) {
        for (size_t rung = 0; rung < result->thread_count; rung++) {
            struct cell cell;
            if (cell_collect(result, test, rung, &cell) && cell.ended > 0)
                count_cell(&cell, summary);
        }
    }
}
