/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_CELL_READER_H
#define PARSE_CELL_READER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "parse/dataset.h"

/* What is odd about a cell that could be read all the same. */
struct cell_oddity {
    bool is_refused;     /* it holds an impossible number: the cell has none, and `reason` says which */
    double claimed_mean; /* that its trials do not give: theirs was taken; NAN: none */
};

/*
 * What is under a number of threads in a result file of any age. A value of the wrong type is an error, which
 * begins with the JSON path below `object`; the cell can be released all the same. `cell` comes zeroed but for
 * `threads`.
 *
 * Every trial that any of the lists mentions is one: a list that is shorter than the others ends in null. The file's
 * mean stands where its values give it, to one part in 10,000.
 */
bool cell_read(const json_t *object, struct cell_data *cell, struct cell_oddity *oddity, struct error *err);
/* The members of a trial that cell_read() looks at, NULL behind them: a reader need not keep the others. */
extern const char *const cell_trial_members[];

#endif
