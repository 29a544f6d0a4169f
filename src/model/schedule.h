/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_SCHEDULE_H
#define MODEL_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

/* One trial to run. `target` is a position in the run's list of targets, `test` in its list of selected tests, `rung`
 * in the ladder. */
struct schedule_item {
    size_t target, test, rung;
    unsigned trial;
};

/* The ladder: for each test, for each rung, for each trial. Pure: no clock, no I/O. */
struct schedule {
    size_t target_count, test_count, rung_count;
    unsigned trial_count;
    struct schedule_item next;
};

void schedule_init(struct schedule *schedule, size_t target_count, size_t test_count, size_t rung_count,
                   unsigned trial_count);
/* False when nothing is left. */
bool schedule_next(struct schedule *schedule, struct schedule_item *item);
/* Leaves out what is left of the test (it is unsupported here) or of the cell (it cannot be prepared). */
void schedule_skip_test(struct schedule *schedule);
void schedule_skip_cell(struct schedule *schedule);

#endif
