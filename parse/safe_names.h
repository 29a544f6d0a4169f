/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_SAFE_NAMES_H
#define PARSE_SAFE_NAMES_H

#include <stddef.h>

#include "parse/pairing.h"

/*
 * A file name for each test case: letters, digits, '.', '_' and '-' of its name, others replaced by '_', at most some
 * 100 bytes, beginning with a letter or digit; unique also where case does not count, never one of the report's own
 * ("index", "overview", ...) and never a device of Windows ("nul", "aux.x"). Parts of it are joined with '+', which no
 * name has: "Insert.Empty+latency.png".
 */
char **safe_names_make(const struct pairing *pairing);
void safe_names_free(char **names, size_t count);

#endif
