/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIST_H
#define LIST_H

#include <stdio.h>

#include "model/testcase.h"

/* --list: the tests of `set` at `indices`, one a line in columns (name, tags, file), or as a JSON array of objects with
 * name, tags and file. */
void list_print(const struct testcase_set *set, const size_t *indices, size_t count, FILE *out);
void list_print_json(const struct testcase_set *set, const size_t *indices, size_t count, FILE *out);

#endif
