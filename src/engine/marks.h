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
 *   {_id: collection, uuid: null, run: id}
 *
 * The uuid is filled in as soon as the server has made the collection, and the entry is struck out after it has been
 * dropped; the last entry takes the collection of marks along. A collection is ours when the mark's uuid is the
 * server's. A mark without a uuid proves nothing: whoever made it may have been killed before it made anything. Where
 * the server gives no uuids (before 3.6, and for views) a collection is ours only in the run that marked it.
 */
#define MARKS_COLLECTION "benchrun_owned"

/* All of these go through the databases of the set; on failure *code is the server's code, 0: none. */

/* Finds out which collections of the set are there and whose they are, by the marks. */
bool marks_look(struct target *target, struct namespace_set *set, int32_t *code, struct error *err);
/* The same for a set that this run has made, by what it knows of it. */
bool marks_look_again(struct target *target, struct namespace_set *set, int32_t *code, struct error *err);
/* Marks all collections of the set. They must be absent. */
bool marks_write(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err);
/* The item has just been made: learns its uuid and fills it in. */
bool marks_made(struct target *target, struct namespace_item *item, int32_t *code, struct error *err);
/* Strikes out this run's marks of all collections of the set that are not ours, or not any more. */
bool marks_strike(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err);
/* Whether the server is still dropping collections in a database of the set. */
bool marks_pending_drop(struct target *target, const struct namespace_set *set, bool *pending_drop, int32_t *code,
                        struct error *err);

/* {drop: coll}; one that is not there is no error. */
bool marks_drop_collection(struct target *target, const char *db, const char *coll, int32_t *code, struct error *err);

#endif
