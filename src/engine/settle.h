/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SETTLE_H
#define ENGINE_SETTLE_H

#include <stdint.h>

#include "engine/slot.h"
#include "engine/target.h"

/* What has become of the operations that a trial has abandoned, or sent without asking for an answer. */
struct settle_outcome {
    unsigned killed; /* ended by killOp */
    unsigned left;   /* may still be under way in the server, their connections closed */
    int64_t waited_ns;
};

/*
 * After a trial, on the main thread: sees to it that what was abandoned does not go on in the server behind the next
 * cell's back. First killOp, then wait for the answers that are still owed; a connection whose answer has come serves
 * the next cell. Gives up when no answer has come for `patience_ns`, when the server does not answer a ping, after ten
 * minutes, or two seconds after an interrupt: what is owed then counts as left. So does what went through the driver,
 * which reads no late answer, unless the server shows that it has ended. Before a wait of more than a second on_wait
 * (may be NULL) is told once how many are owed.
 */
void settle_abandoned(struct target *target, struct slot *slots, unsigned count, int64_t patience_ns,
                      void (*on_wait)(unsigned owed, void *context), void *context, struct settle_outcome *outcome);

#endif
