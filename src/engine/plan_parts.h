/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_PLAN_PARTS_H
#define ENGINE_PLAN_PARTS_H

#include "engine/arena.h"
#include "engine/op.h"
#include "engine/plan.h"

/* What a plan consists of: for the compiler that fills it and the session that runs it. */
struct plan_variable {
    const char *name;
    size_t size_max;
};

struct plan {
    struct op *ops; /* one round */
    size_t op_count, op_capacity, server_op_count;
    unsigned sessions;

    int64_t *sequence_ids; /* place = place in gen_state.sequences */
    size_t sequence_count;
    struct plan_variable *variables; /* place = place in gen_state.variables */
    size_t variable_count;
    struct gen_double_text *double_texts;
    size_t double_text_count;

    /* What a session has to set aside. */
    size_t private_size; /* bytes of the messages that it patches in place */
    size_t iov_count;    /* and their iovecs */
    size_t scratch_size; /* the largest message that is rendered anew each time */
    size_t scratch_iov_count;

    uint64_t oid_middle; /* random, 40 bits */
    struct arena arena;
};

/* The database and collection with this number, counted through the databases' collections: test<i>.<name><j>. */
struct plan_names {
    char *db, *coll;
};

void plan_names_init(struct plan_names *names, const struct testcase *test, const struct plan_config *config,
                     unsigned number);
void plan_names_release(struct plan_names *names);
unsigned plan_collection_count(const struct plan_config *config);

#endif
