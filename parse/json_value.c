/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/json_value.h"

#include <stdlib.h>

#include "base/memory.h"

const char *json_kind_name(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string", [JSON_INTEGER] = "a number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",     [JSON_NULL] = "null",
    };
    return value ? names[json_typeof(value)] : "nothing";
}

void json_set_text(char **text, const json_t *value)
{
    free(*text);
    *text = json_is_string(value) ? memory_strdup(json_string_value(value)) : NULL;
}
