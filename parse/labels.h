/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_LABELS_H
#define PARSE_LABELS_H

#include <stddef.h>

/*
 * What result files, or the runs they hold, are called: as the user wants it, else by the file's name without ".json".
 * Files of one name are called by what differs in their paths, as far as their folders tell them apart:
 * a/results.json and b/results.json are "a" and "b", x.json and old/x.json are "x" and "old/x". What is equal even then
 * has " (2)" and so on behind it.
 */

/* given[i] NULL: paths[i] is asked. The caller frees the texts and the list. */
char **labels_make(const char *const *given, const char *const *paths, size_t count);
/* Of one file by itself. */
char *labels_of_path(const char *path);

#endif
