/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/*
 * The candidate that `word` was probably meant to be: smallest edit distance (insert, delete, replace, swap of
 * neighbours; letters that differ in case only are equal), the first of equals. NULL when none is
 * near enough (more than a third of the longer word differs). The result is one of `candidates`.
 */
const char *nearest_find(const char *word, const char *const *candidates, size_t count);

#endif
