/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_REPORT_H
#define PARSE_COMPARE_REPORT_H

#include "parse/compare.h"
#include "parse/paper.h"

/* The whole comparison for people: what differs between the testbeds, a table of test cases and their cells (without
 * the cells when told so), the summary. */
void compare_report_print(const struct comparison *comparison, bool with_cells, const struct paper *paper);

/* What holds for all comparisons of a call; said once, after them. */
void compare_report_print_notes(const struct compare_options *options, enum evidence evidence,
                                const struct paper *paper);

#endif
