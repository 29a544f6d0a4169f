/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_PARTS_H
#define PARSE_COMPARE_PARTS_H

#include "parse/compare.h"

#define COMPARE_DIFFERENT_DEFINITIONS "different definitions"

/* What comparison_init() is made of, in the order it calls them. */

/* The cells of a test case that both sides have, each tested by itself. */
void compare_case_init(struct compare_case *test, const struct side_test *a, const struct side_test *b,
                       const struct compare_options *options);
void compare_case_release(struct compare_case *test);
/* Verdicts of all test cases and, with a correction of their own, of all cells. */
void compare_judge(struct compare_case *cases, size_t count, const struct compare_options *options);
void compare_summarise(struct comparison *comparison);
void compare_summary_release(struct compare_summary *summary);
void compare_testbeds(struct comparison *comparison);

#endif
