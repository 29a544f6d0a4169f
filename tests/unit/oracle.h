/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "base/ranks.h"

#include "unit.h"

#define ORACLE_STRATA 16
#define ORACLE_VALUES 2048

/* One line of tests/data/statistics-oracle.tsv. */
struct oracle_line {
    struct two_samples strata[ORACLE_STRATA];
    size_t count;
    double expected[ORACLE_VALUES];
    size_t expected_count;
    double store[ORACLE_VALUES];
    size_t stored;
};

/* Calls `check` for each line of a kind, of which there must be some. */
void oracle_each(const char *kind, size_t at_least, void (*check)(const struct oracle_line *line));
/* To nine digits, or ten places. */
void oracle_near(double value, double expected);

#endif
