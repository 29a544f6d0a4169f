/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERIFY_H
#define PARSE_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "parse/csv_table.h"
#include "parse/printed.h"

/*
 * Audits a published table against itself: whatever follows from its own numbers is computed again, within what
 * rounding may have done to them.
 */
enum finding_kind {
    FINDING_VALUE,  /* a percentage that its two values do not give */
    FINDING_SIGN,   /* the same with the other sign */
    FINDING_REPEAT, /* a value that occurs twice: perhaps copied into the wrong place */
    FINDING_TOTAL,  /* a total or an average that does not follow */
    FINDING_LITTLE, /* throughput, latency and number of threads that cannot all be true */
    FINDING_KINDS,
};
/* "wrong value", "wrong sign", "repeated value", "wrong total", "Little's law". */
extern const char *const finding_names[FINDING_KINDS];

struct finding {
    enum finding_kind kind;
    size_t line;
    char *row;     /* what the row is about */
    char *message; /* what stands there and what was expected */
};

/* How a percentage follows from two values. */
enum percent_rule { PERCENT_OF_A, PERCENT_OF_B, PERCENT_RATIO, PERCENT_RULES };

struct verify {
    const struct csv_table *table;
    struct printed_column *columns; /* as many as the table has */
    int a, b, percent;              /* columns; -1: none */
    int threads;                    /* column of the number of threads, clients, ...; -1: none */
    enum percent_rule rule;
    struct finding *findings; /* by line */
    size_t finding_count;
    size_t checked[FINDING_KINDS];  /* how many numbers each check could look at */
    double little_low, little_high; /* of throughput * latency / threads; NAN: no such rows */
};

/* `columns` is "A,B", "A,B,PCT" by header, or NULL: found by the headers. False when it names what is not there. The
 * table must outlive `verify`. */
bool verify_init(struct verify *verify, const struct csv_table *table, const char *columns, struct error *err);
void verify_release(struct verify *verify);

#endif
