/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_OPERATION_H
#define MODEL_OPERATION_H

/*
 * The kinds of operations: the one table. defop.c has the fields of each, engine/op.c the makers of their messages,
 * both by these ids; a maker relies on what defop.c checks.
 */
enum operation_id { OPERATION_INSERT, OPERATION_UPDATE, OPERATION_LET, OPERATION_COUNT };

/* Indexed by enum operation_id. */
extern const char *const operation_names[OPERATION_COUNT];

/* OPERATION_COUNT: there is no kind of this name. */
enum operation_id operation_find(const char *name);

#endif
