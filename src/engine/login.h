/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOGIN_H
#define ENGINE_LOGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/target.h"

/* Whom the server knows us as, and what people can do when that is not enough. */

/* Logs in on target->peer. Blocking, bounded by the time-outs of the address. */
bool login_prove(struct target *target, struct error *err);
/* Whether we may do what every test does first; a refusal for any other reason than missing rights is none. */
bool login_check_rights(struct target *target, struct error *err);
/* What mends a SERVER_UNAUTHORIZED of a command on `db`; the caller frees. NULL: what an administrator may do. */
char *login_advice(const struct target *target, const char *db);

#endif
