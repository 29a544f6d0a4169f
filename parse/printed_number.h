/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PRINTED_NUMBER_H
#define PARSE_PRINTED_NUMBER_H

#include <stdbool.h>

/* One number as somebody printed it for people: "1,234.50", "-12.5 %", "(12.5%)", "1.62x", "1.2k", "850 us",
 * "1.0E3", "**9.5***", "12.3 ms +- 0.4". What was rounded away is not known, so that it means a range. */
enum printed_kind {
    PRINTED_NOTHING,    /* empty, a dash, n/a */
    PRINTED_NUMBER,     /* the rest of the struct holds */
    PRINTED_TEXT,       /* no number that can only be read in one way */
    PRINTED_AMBIGUOUS,  /* 1.234 where nothing says what the point means */
    PRINTED_OTHER_UNIT, /* a number of another unit than most of its column */
};

enum printed_mark { MARK_NONE, MARK_PERCENT, MARK_TIMES };

enum decimal_mark {
    DECIMAL_POINT,
    DECIMAL_COMMA,
    DECIMAL_UNKNOWN, /* a number whose only mark could group thousands as well is ambiguous */
};

#define PRINTED_UNIT_SIZE 16

struct printed_number {
    enum printed_kind kind;
    enum printed_mark mark;
    double value;                 /* NAN but for PRINTED_NUMBER; times in seconds */
    double half;                  /* the unrounded value is at most this far away: half a unit of the last digit */
    int decimals;                 /* digits after the decimal mark */
    int place;                    /* the last digit counts 10^place, before factors such as 60 s a minute */
    int digits;                   /* without zeros in front */
    int zeros;                    /* of the digits, zeros at the end; 0 when all are 0 */
    char unit[PRINTED_UNIT_SIZE]; /* "s" for all times; empty for none and for k, M, G, T alone */
};

void printed_number_read(struct printed_number *number, const char *text, enum decimal_mark mark);
/* +1: the text is a number only with a decimal point, -1: only with a decimal comma; 0: says nothing. */
int printed_number_vote(const char *text);

#endif
