/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_NEAREST_FILE_H
#define BASE_NEAREST_FILE_H

#include <stdbool.h>

#include "base/error.h"

/* The path with its last part replaced by the name in the same folder, ending in `end`, that was probably meant
 * (nearest.h); the caller frees. NULL: none is near. */
char *nearest_file(const char *path, const char *end);
/* Whether there is a file of any kind; else the message says the nearest one. */
bool nearest_file_check(const char *path, struct error *err);

#endif
