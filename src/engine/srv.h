/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SRV_H
#define ENGINE_SRV_H

#include "base/error.h"

bool srv_is_named(const char *address);
/* A mongodb+srv:// address as the list of hosts that its name service has at the moment, with the options that are
 * there too; the caller frees. NULL: `err` says why, within RESOLVE_LIMIT_MS. */
char *srv_resolve(const char *address, struct error *err);

#endif
