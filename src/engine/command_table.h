/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_COMMAND_TABLE_H
#define ENGINE_COMMAND_TABLE_H

/* Where a command names the collections that it writes, makes or drops. */
enum command_form {
    COMMAND_READS,      /* nowhere: it changes no collection */
    COMMAND_OWN,        /* its first value is a collection of its database */
    COMMAND_FULL,       /* its first value is "database.collection" */
    COMMAND_CAPPED,     /* "toCollection", of its database */
    COMMAND_RENAME,     /* first value and "to", both "database.collection" */
    COMMAND_BULK,       /* "nsInfo": [{"ns": "database.collection"}] */
    COMMAND_AGGREGATE,  /* $out and $merge of its pipeline */
    COMMAND_MAP_REDUCE, /* "out" */
    COMMAND_EXPLAIN,    /* the command that is its first value */
    COMMAND_FSYNC,      /* nowhere, without "lock" */
    COMMAND_REFUSED,    /* it cannot be told */
};

/* One server command, by the name that is its first key; names are case-sensitive. */
struct command_row {
    const char *name;
    enum command_form form;
    unsigned effect;    /* EFFECT_* of effects.h on the collection that is named */
    const char *reason; /* REFUSED: why, and what to do instead */
};

/* NULL: not in the table. */
const struct command_row *command_table_find(const char *name);
/* All rows, for tests and suggestions; NULL after the last. */
const struct command_row *command_table_row(unsigned number);

#endif
