/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_RUN_PLAN_H
#define PARSE_RUN_PLAN_H

#include <jansson.h>

#include "parse/dataset.h"

/* What a run was to measure, as far as its file tells: benchrun's does, mongo-perf's does not. */

/* Of the member "options": the ladder and the number of trials. */
void run_plan_read_options(struct run_plan *plan, const json_t *options);
/* Of the member "unmeasured": test cases of which no trial has ended. */
void run_plan_read_unmeasured(struct run_plan *plan, const json_t *names);
/* Adds what another run was to measure. */
void run_plan_add(struct run_plan *plan, const struct run_plan *other);
void run_plan_release(struct run_plan *plan);

/* Rungs of the ladder that the test does not have, ascending; `rungs` has room for the whole ladder. Returns how many.
 */
size_t run_plan_rungs_left(const struct run_plan *plan, const struct test_data *test, unsigned *rungs);

#endif
