/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_PLAN_H
#define ENGINE_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/testcase.h"

/*
 * A test case's ops compiled for the wire: for each op ready OP_MSG bytes and the slots in them (offset, generator).
 * Read-only once made, shared by all sessions of a rung. Ops are repeated adjacently a collection: op 1 on every
 * collection, op 2 on every collection, ...
 */
struct plan;

struct plan_config {
    unsigned multidb, multicoll; /* collections test<i>.<name><j> */
    unsigned sessions;           /* the rung: decides which integers may outgrow 32 bits */
    const json_t *write_concern; /* as sent with each write, never NULL: {"j": false} by default */
};

/* `test` must outlive the plan. Refused with a JSON path (/ops/0/doc: ...): operators with bad arguments, documents
 * over 16 MiB, commands over what a server accepts. */
struct plan *plan_new(const struct testcase *test, const struct plan_config *config, struct error *err);
void plan_free(struct plan *plan);
/* Ops in one round (collections included), and how many of them go to the server. */
size_t plan_op_count(const struct plan *plan);
size_t plan_server_op_count(const struct plan *plan);

#endif
