/* SPDX-License-Identifier: Apache-2.0 */
#include "model/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

json_t *text_to_json(const char *text)
{
    if (!text)
        return json_null();
    char *copy = memory_strdup(text);
    for (size_t i = 0, size = strlen(copy); i < size;) {
        uint32_t character;
        size_t length = text_read_character(copy + i, size - i, &character);
        if (length == 0)
            copy[i++] = '?';
        else
            i += length;
    }
    json_t *json = json_string_nocheck(copy);
    free(copy);
    return json;
}

json_t *text_number_to_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}
