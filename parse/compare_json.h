/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_JSON_H
#define PARSE_COMPARE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "parse/compare.h"

/* All that a comparison holds; numbers that are not there are null. New reference. */
json_t *compare_json_make(const struct comparison *comparison);
/* Prints it with the shortest numbers that read back the same, and gives the reference up. */
void compare_json_print(json_t *json, FILE *file);

#endif
