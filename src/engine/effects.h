/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_EFFECTS_H
#define ENGINE_EFFECTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/ejson.h"

/*
 * What steps and operations do to collections, known before anything is sent. For commands one table decides
 * (command_table.h): a command that is not in it, or whose collections are known only when it runs, is an error. So is
 * whatever would write to a collection of the server's own or to benchrun's marks.
 */
enum {
    EFFECT_WRITES = 1, /* documents or indexes; a server makes the collection where there is none */
    EFFECT_MAKES = 2,  /* makes it, or puts another one in its place */
    EFFECT_DROPS = 4,  /* it is gone afterwards */
};

/* One collection. Strings are owned by the list. */
struct effect {
    char *db, *coll;
    unsigned kinds; /* EFFECT_*, together */
};

struct effects {
    struct effect *items;
    size_t count, capacity;
};

/* Each of these adds to the list, which keeps what was added before an error. `own` is the collection that the step or
 * operation is for. */
bool effects_of_step(const json_t *step, const struct ejson_names *own, struct effects *effects, struct error *err);
bool effects_of_op(const json_t *op, const struct ejson_names *own, struct effects *effects, struct error *err);
/* The command of a {"command": ..} step or operation alone. */
bool effects_of_command(const json_t *entry, const struct ejson_names *own, struct effects *effects, struct error *err);
void effects_release(struct effects *effects);

#endif
