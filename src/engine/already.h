/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_ALREADY_H
#define ENGINE_ALREADY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/target.h"

/*
 * Whether a command that a server has refused asked for what is so already. MongoDB up to 6.x refuses a drop of what is
 * absent (code 26) and a create of what is there (48), newer ones accept both; each refuses an index that is there
 * under another name (85, or 68). `db` and `command` are as they were sent, on a collection that is ours; `refusal`
 * holds the server's answer. What is there is compared with what was asked for, as the server lists it: to go on with
 * other options would be to measure something else. Then false, and before the refusal comes what differs.
 */
bool already_so(struct target *target, const char *db, const bson_t *command, int32_t code, struct error *refusal);

#endif
