/* SPDX-License-Identifier: Apache-2.0 */
#include "model/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Length of the valid UTF-8 character at `at`, 0 if there is none (RFC 3629: no surrogates, nothing over U+10FFFF, no
 * longer form than needed). */
static size_t character_length(const unsigned char *at)
{
    if (at[0] < 0x80)
        return 1;
    size_t length = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    if (at[0] < 0xC2 || at[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool is_overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool is_outside = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F);
    return is_overlong || is_outside ? 0 : length;
}

json_t *text_to_json(const char *text)
{
    if (!text)
        return json_null();
    char *copy = memory_strdup(text);
    for (size_t i = 0; copy[i];) {
        size_t length = character_length((const unsigned char *)copy + i);
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
