/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TRIAL_FIELDS_H
#define MODEL_TRIAL_FIELDS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "model/cell.h"
#include "model/result.h"

/* The counters and times of a trial, one table for journal, result file and the sums of a cell: a new one is a member
 * of struct trial_result, a row, and its line in schema and manual. */

void trial_fields_to_json(const struct trial_result *trial, json_t *object);
/* Of the sums. */
void trial_fields_of_cell_to_json(const struct cell *cell, json_t *object);
/* A missing one is 0. */
bool trial_fields_from_json(const json_t *object, struct trial_result *trial, struct error *err);
void trial_fields_add(struct cell *cell, const struct trial_result *trial);

#endif
