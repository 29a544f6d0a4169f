/* SPDX-License-Identifier: Apache-2.0 */
#include "model/select.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The next number of "4.2.0"; false when there is none. */
static bool next_component(const char **text, unsigned long *number)
{
    if (!isdigit((unsigned char)**text))
        return false;
    char *end;
    *number = strtoul(*text, &end, 10);
    *text = *end == '.' ? end + 1 : end;
    return true;
}

/* ">=4", ">=4.2", ">=4.2.0": numbers and points to the end. */
static bool is_version_tag(const char *tag)
{
    if (strncmp(tag, ">=", 2) != 0)
        return false;
    const char *text = tag + 2;
    unsigned long number;
    while (next_component(&text, &number))
        ;
    return text > tag + 2 && *text == '\0' && text[-1] != '.';
}

static bool is_new_enough(const char *version, const char *least)
{
    unsigned long wanted, got;
    while (next_component(&least, &wanted)) {
        if (!next_component(&version, &got))
            got = 0;
        if (got != wanted)
            return got > wanted;
    }
    return true;
}

static bool is_unknown(const char *version)
{
    return !version || !isdigit((unsigned char)*version) || strcmp(version, "0.0.0") == 0;
}

bool select_version_allows(const struct testcase *test, const char *version, const char **failed_tag)
{
    for (size_t i = 0; i < test->tag_count && !is_unknown(version); i++)
        if (is_version_tag(test->tags[i]) && !is_new_enough(version, test->tags[i] + 2)) {
            *failed_tag = test->tags[i];
            return false;
        }
    return true;
}
