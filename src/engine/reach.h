/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_REACH_H
#define ENGINE_REACH_H

#include <stdbool.h>

/* Why a server cannot be reached, in words for people. */

/* libmongoc's "No suitable servers found ...: [CAUSE calling hello on 'HOST'] ..." as "HOST: CAUSE; HOST: CAUSE". The
 * caller frees; NULL when the text has no such parts. */
char *reach_describe_causes(const char *text);
/* The same, or the text itself, and what would mend it where that is known. */
char *reach_explain(const char *text, bool with_tls);

#endif
