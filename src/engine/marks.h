/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_MARKS_H
#define ENGINE_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/namespace.h"
#include "engine/target.h"

/*
 * What benchrun makes is written down in the collection MARKS_COLLECTION of its database before it is made:
 *
 *   {_id: collection, uuid: null, run: id, absent: true}
 *
 * `absent` records that the collection was not there at that time; the uuid is filled in once it has been created, and
 * the entry is struck out after it has been dropped; the last entry takes the collection along. A collection is ours
 * when the mark's uuid is the server's, or, where one of them is missing, when the mark says that it was absent.
 */
#define MARKS_COLLECTION "benchrun_owned"

/* All of these go through the databases of the set; on failure *code is the server's code, 0: none. */

/* Finds out which collections of the set are there and whose they are. */
bool marks_look(struct target *target, struct namespace_set *set, int32_t *code, struct error *err);
/* Marks all collections of the set. They must be absent. */
bool marks_write(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err);
/* Fills in the uuids of those that are there by now. *pending_drop: the server is still dropping collections. */
bool marks_fill(struct target *target, struct namespace_set *set, bool *pending_drop, int32_t *code, struct error *err);
/* Strikes out the marks of all collections of the set. */
bool marks_strike(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err);
/* Whether the server is still dropping collections in a database of the set. */
bool marks_pending_drop(struct target *target, const struct namespace_set *set, bool *pending_drop, int32_t *code,
                        struct error *err);

/* {drop: coll}; one that is not there is no error. */
bool marks_drop_collection(struct target *target, const char *db, const char *coll, int32_t *code, struct error *err);

#endif
