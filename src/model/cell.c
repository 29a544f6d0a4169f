/* SPDX-License-Identifier: Apache-2.0 */
#include "model/cell.h"
#include "model/trial_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/stats.h"

static bool comes_before(const struct trial_result *trial, size_t test, size_t rung)
{
    return trial->test < test || (trial->test == test && trial->rung < rung);
}

/* result.trials is sorted by test and rung. */
static void find_trials(const struct result *result, size_t test, size_t rung, struct cell *cell)
{
    size_t low = 0, high = result->trial_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (comes_before(&result->trials[middle], test, rung))
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < result->trial_count && result->trials[end].test == test && result->trials[end].rung == rung)
        end++;
    cell->trials = end > low ? &result->trials[low] : NULL;
    cell->trial_count = cell->trials ? end - low : 0;
}

static void add_session_ops(struct cell *cell, const struct trial_result *trial)
{
    if (trial->state != TRIAL_MEASURED)
        return;
    if (cell->measured++ == 0 || trial->session_ops_min < cell->session_ops_min)
        cell->session_ops_min = trial->session_ops_min;
    if (trial->session_ops_max > cell->session_ops_max)
        cell->session_ops_max = trial->session_ops_max;
}

static void add_trial(struct cell *cell, const struct trial_result *trial, double *values)
{
    cell->ended++;
    cell->unprepared += trial->state == TRIAL_UNPREPARED;
    cell->unsupported += trial->state == TRIAL_UNSUPPORTED;
    trial_fields_add(cell, trial);
    tally_add(&cell->tally, &trial->tally);
    tally_reasons_add(&cell->setup_failures, &trial->setup_failures);
    add_session_ops(cell, trial);
    double value = trial_ops_per_sec(trial);
    if (!isnan(value))
        values[cell->counted++] = value;
}

static double server_mean(const struct cell *cell)
{
    double sum = 0;
    for (size_t i = 0; i < cell->trial_count; i++) {
        double value = trial_server_ops_per_sec(&cell->trials[i]);
        sum += isnan(value) ? 0 : value;
    }
    return cell->counted ? sum / (double)cell->counted : NAN;
}

static void summarise(struct cell *cell, const double *values)
{
    cell->ops_per_sec = stats_mean(values, cell->counted);
    cell->median = stats_median(values, cell->counted);
    cell->stdev = stats_stdev(values, cell->counted);
    cell->server_ops_per_sec = server_mean(cell);
    cell->min = cell->max = cell->counted ? values[0] : NAN;
    for (size_t i = 1; i < cell->counted; i++) {
        cell->min = fmin(cell->min, values[i]);
        cell->max = fmax(cell->max, values[i]);
    }
}

bool cell_collect(const struct result *result, size_t test, size_t rung, struct cell *cell)
{
    *cell = (struct cell){0};
    tally_init(&cell->tally);
    find_trials(result, test, rung, cell);
    double *values = memory_zeroed(cell->trial_count + 1, sizeof *values);
    for (size_t i = 0; i < cell->trial_count; i++)
        if (cell->trials[i].state != TRIAL_INTERRUPTED)
            add_trial(cell, &cell->trials[i], values);
    summarise(cell, values);
    free(values);
    return cell->trial_count > 0;
}

static const struct tally_reason *most_frequent(const struct tally_reasons *reasons)
{
    const struct tally_reason *most = NULL;
    for (size_t i = 0; i < reasons->count; i++)
        if (!most || reasons->items[i].count > most->count)
            most = &reasons->items[i];
    return most;
}

static bool append_class(struct buffer *text, uint64_t count, const char *what)
{
    if (count > 0)
        buffer_append_printf(text, "%s%" PRIu64 " %s", text->size ? ", " : "", count, what);
    return count > 0;
}

static void append_failed(struct buffer *text, const struct tally *tally)
{
    const struct tally_reason *most = most_frequent(&tally->failures);
    if (append_class(text, tally->failed, "failed") && most)
        buffer_append_printf(text, " (mostly code %" PRId32 ": %s)", most->code, most->text);
}

/* The code of these is no server's. */
static void append_broken(struct buffer *text, const struct tally *tally)
{
    const struct tally_reason *most = most_frequent(&tally->breaks);
    if (append_class(text, tally->broken, "broken") && most)
        buffer_append_printf(text, " (mostly: %s)", most->text);
}

static char *tally_reason_text(const struct tally *tally)
{
    if (tally->started == 0)
        return memory_strdup("no operation was started");
    if (tally->started == tally->local)
        return memory_printf("nothing was asked of the server: all %" PRIu64 " operations are local", tally->local);
    if (tally_is_unconfirmed(tally))
        return memory_printf("%" PRIu64 " operations were sent and none confirmed: the write concern asks for no "
                             "answer (w: 0), so there is no rate",
                             tally->unconfirmed);
    struct buffer text = {0};
    append_failed(&text, tally);
    append_broken(&text, tally);
    append_class(&text, tally->abandoned, "abandoned");
    append_class(&text, tally->unconfirmed, "unconfirmed");
    char *whole = memory_printf("no operation succeeded%s%s", text.size ? ": " : "", buffer_text(&text));
    buffer_release(&text);
    return whole;
}

char *cell_trial_reason(const struct trial_result *trial)
{
    switch (trial->state) {
    case TRIAL_UNPREPARED:
        return memory_printf("could not be prepared: %s", trial->reason);
    case TRIAL_UNSUPPORTED:
        return memory_printf("unsupported here: %s", trial->reason);
    case TRIAL_INTERRUPTED:
        return memory_strdup("interrupted");
    case TRIAL_MEASURED:
        break;
    }
    if (!trial_is_void(trial))
        return memory_strdup("the clock did not run");
    return tally_reason_text(&trial->tally);
}

/* The first of the trials that have no number, as if it were all. */
static char *lost_trials_reason(const struct cell *cell)
{
    const struct trial_result *lost = cell->trials;
    while (lost->state == TRIAL_INTERRUPTED || !isnan(trial_ops_per_sec(lost)))
        lost++;
    size_t count = cell->ended - cell->counted;
    char *reason = cell_trial_reason(lost);
    char *text = memory_printf("%zu of %zu trials %s no number%s: %s", count, cell->ended, count == 1 ? "has" : "have",
                               count == 1 ? "" : ", first", reason);
    free(reason);
    return text;
}

char *cell_reason(const struct cell *cell)
{
    if (cell->counted > 0)
        return cell->counted < cell->ended ? lost_trials_reason(cell) : NULL;
    for (size_t i = 0; i < cell->trial_count; i++)
        if (cell->trials[i].state == TRIAL_UNSUPPORTED || cell->trials[i].state == TRIAL_UNPREPARED)
            return cell_trial_reason(&cell->trials[i]);
    return cell->ended ? tally_reason_text(&cell->tally) : memory_strdup("interrupted");
}

static void append_trouble(struct buffer *text, uint64_t count, uint64_t started, const char *what)
{
    if (count > 0)
        buffer_append_printf(text, "%s%" PRIu64 " of %" PRIu64 " operations %s", text->size ? "; " : "", count, started,
                             what);
}

char *cell_troubles(const struct cell *cell)
{
    const struct tally *tally = &cell->tally;
    if (cell->counted == 0)
        return cell_reason(cell);
    struct buffer text = {0};
    append_trouble(&text, tally->failed, tally->started, "failed");
    if (tally->failed > 0)
        buffer_append_printf(&text, ", first: %s (code %" PRId32 ")", tally->failures.items[0].text,
                             tally->failures.items[0].code);
    append_trouble(&text, tally->broken, tally->started, "lost their connection");
    if (tally->broken > 0)
        buffer_append_printf(&text, ", first: %s", tally->breaks.items[0].text);
    append_trouble(&text, tally->abandoned, tally->started, "were abandoned");
    if (cell->setup_failures.count > 0)
        buffer_append_printf(&text, "%smeasured although a step of the set-up failed: %s", text.size ? "; " : "",
                             cell->setup_failures.items[0].text);
    char *lost = cell_reason(cell);
    if (lost)
        buffer_append_printf(&text, "%s%s", text.size ? "; " : "", lost);
    char *whole = text.size ? buffer_detach(&text) : NULL;
    free(lost);
    return whole;
}
