/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_JOURNAL_LINE_H
#define MODEL_JOURNAL_LINE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "model/result.h"

/* The lines of a journal (journal.h) as JSON. New references. */
json_t *journal_line_begin(const struct result *plan);
json_t *journal_line_trial(const struct trial_result *trial);
json_t *journal_line_end(bool complete, bool interrupted, int64_t end_wall_ms);

/* Applies one line of any kind to `result`, which is empty before the first. On failure `result` may hold a part. */
bool journal_line_apply(const json_t *line, struct result *result, struct error *err);

#endif
