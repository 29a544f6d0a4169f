/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_GAPS_H
#define PARSE_COMPARE_GAPS_H

#include "parse/compare.h"

/*
 * What cannot be compared although A, the baseline, has it: test cases and cells that B lacks, cells in which a side
 * has no number, or errors, and the other has one, test cases that are defined differently, and those with too few
 * trials or runs for any verdict. It is no pass: silence would read as "no difference". What only B has is new and no
 * gap; neither is a cell in which neither side has a number.
 */
struct compare_gap {
    const struct side_test *test;
    unsigned *threads; /* the cells; none: the whole test case */
    size_t thread_count;
    char *reason; /* of the first cell */
};

struct compare_gaps {
    struct compare_gap *items; /* in A's order */
    size_t count;
    size_t judged; /* test cases that have a verdict about a difference: what is left when gaps are allowed */
};

void compare_gaps_make(const struct comparison *comparison, struct compare_gaps *gaps);
void compare_gaps_release(struct compare_gaps *gaps);
/* "Insert.Empty at 8 16 threads: no success in B"; the caller frees. */
char *compare_gap_words(const struct compare_gap *gap);

#endif
