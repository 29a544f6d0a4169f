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
/* "p 0.0123", "p < 0.0001". */
char *compare_words_p(double p);
/* The verdict with what belongs to it: p, where it is mixed, how many more trials would do, why it is void. */
char *compare_words_case(const struct compare_case *test, const struct comparison *comparison);
char *compare_words_cell(const struct compare_cell *cell);
/* "b 1-8, a 16-128": which label leads where. */
char *compare_words_leaders(const struct compare_case *test, const struct comparison *comparison);
/* test_title() */
char *compare_words_name(const struct side_test *test);

#endif
