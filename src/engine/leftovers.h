/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LEFTOVERS_H
#define ENGINE_LEFTOVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/prepare.h"

/*
 * Cleans up after trials, and keeps what cannot be cleaned up yet. A collection that is dropped while something of ours
 * may still be written to it would be made anew by the server, unmarked: it stays, with its mark, until that has ended.
 * So it has when the server lists no operation of this run any more; of a server that does not list them all, it is
 * supposed after `patience_ns`, but not of an operation that was seen to go on. What fails, as in an outage, is tried
 * again before the next set-up on the same collections, and at the end of the run.
 */

/* What a trial has left under way in the server, as far as can be told. */
enum leftovers_doubt {
    LEFTOVERS_NOTHING,
    LEFTOVERS_UNKNOWN, /* operations of which no answer can come any more */
    LEFTOVERS_RUNNING, /* operations that have not answered for all the patience there is */
};

struct leftovers {
    struct target *target;
    int64_t patience_ns;
    void (*on_note)(const char *text, void *context); /* for people; may be NULL */
    void *context;
    struct leftover *items; /* owned */
    size_t count, capacity;
};

/* Takes the preparation of a test that is over (NULL: nothing was touched). */
void leftovers_clean_up(struct leftovers *leftovers, const char *test, struct preparation *preparation,
                        enum leftovers_doubt doubt);
/* Before a set-up: cleans up what is left in the collections of the test; waits for it if need be. */
bool leftovers_make_room(struct leftovers *leftovers, const struct testcase *test, const struct prepare_config *config,
                         struct error *err);
/* The end of the run: tries for the last time, says what stays, and releases all. */
void leftovers_end(struct leftovers *leftovers);

#endif
