/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERIFY_H
#define PARSE_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "parse/csv_table.h"
#include "parse/printed.h"

/*
 * Audits a published table against itself: what follows from its own numbers is computed again, within what rounding
 * may have done to them. What could not be read or checked is listed, so that silence never means "right".
 */
enum finding_kind {
    FINDING_VALUE,  /* a percentage that its two values do not give */
    FINDING_SIGN,   /* the same with the other sign */
    FINDING_REPEAT, /* a value that occurs twice, which chance does not explain: perhaps copied into the wrong place */
    FINDING_TOTAL,  /* a total or an average that does not follow */
    FINDING_LITTLE, /* throughput, latency and number of threads that cannot all be true */
    FINDING_KINDS,
};
/* "wrong value", "wrong sign", "repeated value", "wrong total", "Little's law". */
extern const char *const finding_names[FINDING_KINDS];

struct finding {
    enum finding_kind kind;
    size_t line;
    double off;     /* distance from what was expected; NAN: a repeated value has none */
    bool is_points; /* `off` is in percentage points; else in percent of what was expected */
    char *row;      /* what the row is about */
    char *message;  /* what is printed and what was expected */
};

/* A printed cell that no check could use. */
struct left_out {
    size_t row, column;
    const char *reason; /* constant */
};

/* How a printed change follows from two values; see verify_rule.h. */
struct percent_rule;

struct verify {
    const struct csv_table *table;
    enum decimal_mark decimal_mark;
    struct printed_column *columns;    /* as many as the table has */
    int a, b, percent;                 /* columns; -1: none */
    int threads;                       /* column of the number of threads, clients, ...; -1: none */
    bool has_percent;                  /* a column of percentages was named or found, perhaps without use */
    struct message_list metrics;       /* names of what the rows measure; at least one */
    size_t *row_metrics;               /* of each row the index in `metrics` */
    enum printed_mark header_mark;     /* what the header says of the percentages */
    const struct percent_rule **rules; /* of each metric */
    const struct percent_rule *rule;   /* of most rows, or NULL */
    struct finding *findings;          /* the largest `off` first, those without one last, then by line */
    size_t finding_count;
    struct left_out *left_out; /* by row and column */
    size_t left_out_count;
    bool *is_used;                  /* of each column */
    struct message_list remarks;    /* what a reader should know and is no finding */
    size_t cells[FINDING_KINDS];    /* how many printed numbers each check is for */
    size_t checked[FINDING_KINDS];  /* how many of them it could check */
    double little_low, little_high; /* of throughput * latency / threads; NAN: no such rows */
};

/* `columns` is "A,B", "A,B,PCT" by header, or NULL: found by the headers. False when it names what is not there or
 * holds no numbers, when there is no header row, or no column of values. The table must outlive `verify`. */
bool verify_init(struct verify *verify, const struct csv_table *table, const char *columns, struct error *err);
void verify_release(struct verify *verify);
/* NULL; or, when the audit says nothing about the table, or nothing about its percentages, the reason. Constant. */
const char *verify_nothing_checked(const struct verify *verify);

#endif
