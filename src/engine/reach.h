/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_REACH_H
#define ENGINE_REACH_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/target.h"

/* Connects target->client to a server that takes writes, and logs in. The error says per host what is wrong, in one
 * line. Blocking, bounded by the address's time-outs. */
bool reach_primary(struct target *target, struct error *err);

/* libmongoc's "No suitable servers found ...: [CAUSE calling hello on 'HOST'] ..." as "HOST: CAUSE; HOST: CAUSE". The
 * caller frees; NULL when the text has no such parts. */
char *reach_describe_causes(const char *text);
/* The same, or the text itself, and what would mend it where that is known. */
char *reach_explain(const char *text, bool with_tls);

#endif
