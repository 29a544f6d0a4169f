/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/run.h"

/*
 * Tells people how far a run is: on a terminal one line that is written over and over (test k of n, rung, trial, ops/s,
 * failures, time left for the whole run), elsewhere one line per cell. First of all the plan; notes in between. Where
 * the terminal is narrow the name of the test is shortened, then the rest of what is before the numbers.
 */
struct progress {
    FILE *out;
    bool is_terminal;
    unsigned columns;         /* of the terminal, 0: as wide as it gets */
    int64_t (*mono_ns)(void); /* clock_mono_ns(), or a test's */
    int64_t trial_time_ns;
    struct estimate plan;
    const struct target *target; /* this and the plan from on_plan on */
    int64_t start_ns;            /* when the first trial began, 0: not yet */
    int64_t trial_start_ns;      /* set-up included */
    size_t trials_done;          /* trials that took part, for the mean cost */
    const struct result *result; /* these two while a trial runs */
    const struct trial_result *trial;
    size_t shown;      /* columns of the live line that is there, 0: none */
    int64_t outage_ns; /* how long the last outage had been when it was last heard of */
    int64_t outage_limit_ns;
    bool is_waiting;                /* an outage goes on */
    const struct run_options *args; /* NULL: no --printArgs */
    const struct testcase_set *set;
    const size_t *selected;
};

void progress_init(struct progress *progress, FILE *out, bool is_terminal, unsigned columns, int64_t trial_time_ns,
                   int64_t (*mono_ns)(void));
/* --printArgs: from now on every trial begins with a line of what it will do. All three must live as long; `selected`
 * as for run_execute(). */
void progress_print_args(struct progress *progress, const struct run_options *options, const struct testcase_set *set,
                         const size_t *selected);
/* The hooks for run_execute(); `progress` must live as long. */
struct run_listener progress_listener(struct progress *progress);
/* Removes the live line: what follows is printed on a clean one. */
void progress_end(struct progress *progress);

#endif
