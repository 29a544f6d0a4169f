/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_CSV_FILES_H
#define PARSE_CSV_FILES_H

#include "base/buffer.h"
#include "parse/report_data.h"

/* The CSV files of a report, as text appended to `out`: benchparse(1), FILES. What is missing is an empty cell. */

/* Of one test: threads, then a column a deployment. */
void csv_files_wide(const struct report_data *data, const struct pairing_row *row, struct buffer *out);
/* The same as the jq and paste pipeline of mongo-perf-gnuplot makes it: no header, ", " between the columns, rows that
 * are not complete left out. */
void csv_files_article(const struct report_data *data, const struct pairing_row *row, struct buffer *out);
/* One line a trial of every test. */
void csv_files_tidy(const struct report_data *data, struct buffer *out);
/* Which file is which test. */
void csv_files_index(const struct report_data *data, struct buffer *out);
/* Tests that a deployment does not have, rungs that it does not have, cells and trials without a number; nothing but
 * the header when all is there. Returns how many lines follow it. */
size_t csv_files_missing(const struct report_data *data, struct buffer *out);

#endif
