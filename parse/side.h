/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_SIDE_H
#define PARSE_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parse/dataset.h"
#include "parse/metric.h"

/* A test case of one side: what each of its runs has under this name, the k-th of it. */
struct side_test {
    const char *name;
    size_t occurrence;
    size_t place;                   /* in the order of the files */
    const struct test_data **parts; /* one per run that has it */
    size_t *runs;                   /* which of the side's runs that is */
    size_t part_count;
};

/* One side of a comparison: one run or several. The runs stay the caller's. */
struct side {
    char *label;
    const struct deployment **runs;
    size_t run_count;
    struct side_test *tests; /* by name and occurrence */
    size_t test_count;
};

/* What one run says of a cell. */
struct run_value {
    size_t run;
    double log; /* mean of the logarithms of its trials */
};

/* A cell's numbers on one side, of all runs together. */
struct sample {
    double *values; /* one a trial, above 0, in the order they were made */
    size_t count;
    struct run_value *runs; /* those that have a value, in order */
    size_t run_count;
    size_t lost;                  /* trials without a number, or with 0 */
    double mean, stdev, min, max; /* population standard deviation; NAN without a value */
    int64_t errors;               /* -1: not told */
    char *reason;                 /* why trials have no number, where a file says it */
    const char *failure;          /* the first failed operation, where a file says it */
    const char *setup_failure;    /* the first step of the set-up that was refused; NULL: none */
};

void side_init(struct side *side, const char *label, const struct deployment *const *runs, size_t run_count);
void side_release(struct side *side);
/* NULL when there is none. */
const struct side_test *side_find(const struct side *side, const char *name, size_t occurrence);
/* Whether any run has the cell. */
bool side_test_has(const struct side_test *test, unsigned threads);

void sample_collect(struct sample *sample, const struct side_test *test, unsigned threads, const struct metric *metric);
void sample_release(struct sample *sample);

#endif
