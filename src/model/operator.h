/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_OPERATOR_H
#define MODEL_OPERATOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/defexpand.h"

/*
 * The operators of the language: one row each, the only judge of their arguments. The expansion goes by this table. The
 * document generator (docvalue_compile.c) and the plan (engine/gen.c) hang their makers on its ids; a maker relies on
 * what is checked here and asserts it.
 */
enum operator_id {
    OPERATOR_RAND_INT,
    OPERATOR_RAND_INT_PLUS_THREAD,
    OPERATOR_SEQ_INT,
    OPERATOR_RAND_STRING,
    OPERATOR_CONCAT,
    OPERATOR_OID,
    OPERATOR_VARIABLE,
    OPERATOR_CUR_DATE,
    OPERATOR_INDEX,
    OPERATOR_CYCLE,
    OPERATOR_RAND_DOUBLE,
    OPERATOR_SHUFFLED_INT,
    OPERATOR_ARRAY,
    OPERATOR_COUNT
};

/* Where an operator stays, to be evaluated anew for each operation or document. */
enum { OPERATOR_STAYS_IN_OPS = 1, OPERATOR_STAYS_IN_DOCUMENTS = 2 };

struct operator_row {
    const char *name;
    unsigned stays;
    const char *expects; /* the argument, in words for messages */
    /* Whether the expanded argument is good. */
    bool (*check)(const json_t *argument, const struct defexpand *expand);
    /* For operators that are evaluated where they do not stay, in place of `check`: what the argument at `at` expands
     * to, complaints included. */
    json_t *(*expand)(struct defexpand *expand, const struct defref *at);
};

/* Indexed by enum operator_id. */
extern const struct operator_row operator_rows[OPERATOR_COUNT];

/* OPERATOR_COUNT: there is no operator of this name. */
enum operator_id operator_find(const char *name);
/* The same for a value: OPERATOR_COUNT when it is no operator. *argument may be NULL. */
enum operator_id operator_of(const json_t *value, const json_t **argument);
/* The name that was probably meant, or NULL. */
const char *operator_nearest(const char *name);

/* The letters that #RAND_STRING draws from unless it is given others. */
#define OPERATOR_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
#define OPERATOR_LETTER_COUNT 64

/* How many values [lo, hi, step] of #RAND_DOUBLE stands for: lo, lo + step, .. below hi. 0: the three are no such list.
 */
uint64_t operator_step_count(const json_t *argument);

#endif
