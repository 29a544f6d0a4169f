/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_OPVALUE_H
#define MODEL_OPVALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Up to here a double holds every whole number. */
#define OPVALUE_EXACT_MAX (INT64_C(1) << 53)

/* What an expanded value can turn out to be, as far as the arguments of other operators depend on it. */
struct opvalue {
    enum {
        OPVALUE_NUMBER, /* int32, int64 or double, from `low` to `high` with fractions cut off */
        OPVALUE_TEXT,   /* a string, date, true or false: can be put into a text, as a number can */
        OPVALUE_OTHER,
    } gives;
    int64_t low, high;
};

/*
 * `variables` holds what opvalue_store() put there. #RAND_INT_PLUS_THREAD grows with the number of sessions, which is
 * not known here: its range is that of the first session, and the plan refuses what becomes too large.
 */
struct opvalue opvalue_of(const json_t *value, const json_t *variables);
/* What #VARIABLE of this name gives from now on. */
void opvalue_store(json_t *variables, const char *name, const json_t *value);

#endif
