/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_CSV_FILES_H
#define PARSE_CSV_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "parse/out_folder.h"
#include "parse/report_data.h"

/*
 * The CSV files of a report: benchparse(1), FILES. What is missing is an empty cell.
 *
 * A file a test: threads, then a column a deployment. `article`: as the jq and paste pipeline of mongo-perf-gnuplot
 * makes it, without a header, ", " between the columns, rows that are not complete left out. tidy.csv: a line a trial
 * of every test. index.csv: which file is which test. missing.csv: tests and rungs that a deployment does not have,
 * cells and trials without a number; *missing is their count.
 */
bool csv_files_write(const struct report_data *data, struct out_folder *folder, bool article, size_t *missing,
                     struct error *err);

#endif
