/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SAMPLE_RESULT_H
#define TESTS_SAMPLE_RESULT_H

#include <jansson.h>
#include <stdbool.h>

#include "model/result.h"

/* A run with -u somebody, password s3cret and seed 7. New reference. */
json_t *sample_header(bool exclude_testbed);
/* A plan as journal_begin() takes it: three tests (the third skipped), rungs 1, 2 and 128. The caller releases it. */
void sample_plan(struct result *plan);
/* A measured trial of one second with `succeeded` operations, each one insert of 100 microseconds. */
struct trial_result sample_trial(size_t test, size_t rung, unsigned number, uint64_t succeeded);
/* One without a number. */
struct trial_result sample_lost_trial(size_t test, size_t rung, enum trial_state state, int32_t code, const char *why);
/* The plan and some trials of every kind, added in order. */
#define SAMPLE_TRIALS 9
void sample_trials(struct trial_result trials[SAMPLE_TRIALS]);
void sample_result(struct result *result);

#endif
