/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_JSON_VALUE_H
#define PARSE_JSON_VALUE_H

#include <jansson.h>

/* "an object", "a string", ...; "nothing" for NULL: for messages. */
const char *json_kind_name(const json_t *value);
/* Frees *text and sets it to a copy of the string; NULL where `value` is none. */
void json_set_text(char **text, const json_t *value);

#endif
