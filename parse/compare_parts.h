/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_PARTS_H
#define PARSE_COMPARE_PARTS_H

#include "base/shift.h"
#include "parse/compare.h"

#define COMPARE_DIFFERENT_DEFINITIONS "different definitions"

/* What comparison_init() is made of, in the order it calls them. */

/* The cells of a test case that both sides have, nothing tested. */
void compare_case_init(struct compare_case *test, const struct side_test *a, const struct side_test *b,
                       const struct compare_options *options);
void compare_case_release(struct compare_case *test);
/* Whether every run tells a fingerprint of the definition, the same one. */
bool compare_case_is_defined_alike(const struct compare_case *test);
/* With one run a side: tests of the trials; then verdicts of all test cases and, corrected by themselves, all cells. */
void compare_trials_test(struct comparison *comparison);
void compare_trials_judge(struct comparison *comparison);
/* With several runs: tests of the runs and their verdicts. */
void compare_runs_judge(struct comparison *comparison);
void compare_summarise(struct comparison *comparison);
void compare_summary_release(struct compare_summary *summary);
void compare_testbeds(struct comparison *comparison);

void compare_set_interval(struct ratio_interval *interval, const struct shift *shift);
/* faster or slower, for the sign of a statistic. */
enum verdict compare_direction(double sign, const struct metric *metric);
/* has_one_ratio, and whether that makes a verdict where there is no other, when fit_p_adjusted is known. */
void compare_judge_fit(struct compare_case *test, double alpha, enum evidence evidence);
/* The smallest number up to 1000 with which `would_do` says true, or 0; with a larger number it says so, too. */
unsigned compare_find_more(bool (*would_do)(const void *context, unsigned more), const void *context);

#endif
