/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_WORDS_H
#define PARSE_COMPARE_WORDS_H

#include "parse/compare.h"

/* Numbers and verdicts as words for people. Texts are the caller's to free. */

/* "9.73k +-1.2%": mean and standard deviation; "-" without a value. */
char *compare_words_sample(const struct sample *sample);
/* "1.098"; "-" when there is none. */
char *compare_words_ratio(double ratio);
/* "1.08 to 1.12", with what confidence it has when that is less than `confidence`; "-". */
char *compare_words_interval(const struct ratio_interval *interval, double confidence);
/* Of the cells: "0.050 at 1 thread to 0.960 at 128"; "-". */
char *compare_words_range(const struct compare_case *test);
/* Of a test case: one ratio where one may stand for all rungs, else "0.050 to 0.960"; and the interval of the one. */
char *compare_words_case_ratio(const struct compare_case *test);
char *compare_words_case_interval(const struct compare_case *test, double confidence);
/* "p 0.0123", "p < 0.0001". */
char *compare_words_p(double p);
/* The verdict with what belongs to it: p, where it is mixed, how many more trials or runs would do, why it is void, and
 * the range of the ratios where no one ratio fits. */
char *compare_words_case(const struct compare_case *test, const struct comparison *comparison);
/* "B / A 1.098, 95 % interval 1.081 to 1.113"; the range where no one ratio may stand for all rungs. "" when void, and
 * where the verdict's words have it already. */
char *compare_words_effect(const struct compare_case *test, const struct comparison *comparison);
/* "" for a cell of which there can be no verdict. */
char *compare_words_cell(const struct compare_cell *cell, const struct comparison *comparison);
/* "b 1-8, a 16-128": which label leads where. */
char *compare_words_leaders(const struct compare_case *test, const struct comparison *comparison);
/* What a verdict on one run a side cannot say, and what would mend that. */
char *compare_words_luck(const struct compare_options *options);
/* test_title() */
char *compare_words_name(const struct side_test *test);

#endif
