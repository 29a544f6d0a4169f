/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_REPORT_PARTS_H
#define PARSE_COMPARE_REPORT_PARTS_H

#include "parse/compare.h"
#include "parse/paper.h"

/* Sections of compare_report_print(), in its order; the ones without anything to tell print nothing. */
void compare_report_print_sides(const struct comparison *comparison, const struct paper *paper);
void compare_report_print_testbeds(const struct comparison *comparison, const struct paper *paper);
void compare_report_print_missing(const struct comparison *comparison, const struct paper *paper);
void compare_report_print_summary(const struct comparison *comparison, const struct paper *paper);

#endif
