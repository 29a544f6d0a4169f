/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_CELL_H
#define MODEL_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/result.h"
#include "model/tally.h"

/*
 * What the trials of one cell say together. Interrupted trials are no measurement and take no part; void, unprepared
 * and unsupported ones have no number, but their operations are in the sums.
 */
struct cell {
    const struct trial_result *trials; /* in the order they came, interrupted ones among them */
    size_t trial_count;
    size_t ended;       /* trials that were not interrupted */
    size_t measured;    /* trials in which the clock ran */
    size_t counted;     /* trials with a number */
    size_t unprepared;  /* trials of that state */
    size_t unsupported; /* trials of that state */

    /* Over the counted trials; all NAN when there is none. */
    double ops_per_sec; /* the mean */
    double median, stdev, min, max;
    double server_ops_per_sec; /* the mean of (succeeded - local) / elapsed */

    struct tally tally; /* the sum */
    int64_t elapsed_ns, client_cpu_ns, setup_ns, server_wait_ns, reconnects;
    uint64_t session_ops_min, session_ops_max; /* over the measured trials' sessions */
    struct tally_reasons setup_failures;
};

/* False when the cell has not begun. `cell` points into `result`. */
bool cell_collect(const struct result *result, size_t test, size_t rung, struct cell *cell);
/* Why ops_per_sec is NAN, or why some of its trials have no number ("1 of 3 trials has no number: ..."), in one line;
 * NULL: all trials have one. The caller frees. */
char *cell_reason(const struct cell *cell);
/* Why a trial has no number. */
char *cell_trial_reason(const struct trial_result *trial);
/* What went wrong in a cell that has begun, in one line, the caller frees: its reason, or how many operations did not
 * end well. NULL: nothing. */
char *cell_troubles(const struct cell *cell);

#endif
