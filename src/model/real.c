/* SPDX-License-Identifier: Apache-2.0 */
#include "model/real.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the locale "C": JSON knows no decimal comma. */
static void format(double number, char text[REAL_SIZE])
{
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, REAL_SIZE, "%.*g", precision, number);
        if (strtod(text, NULL) == number)
            break;
    }
    if (!strpbrk(text, ".einf"))
        strcat(text, ".0");
}

static locale_t enter_c_locale(locale_t *c_locale)
{
    *c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL);
    return uselocale(*c_locale);
}

static void leave_c_locale(locale_t before, locale_t c_locale)
{
    uselocale(before);
    freelocale(c_locale);
}

void real_format(double number, char text[REAL_SIZE])
{
    locale_t c_locale, before = enter_c_locale(&c_locale);
    format(number, text);
    leave_c_locale(before, c_locale);
}

/* The shell asks for capital letters only, so 1e+300 becomes 1e+300.0. */
void real_format_shell(double number, char text[REAL_SIZE])
{
    locale_t c_locale, before = enter_c_locale(&c_locale);
    snprintf(text, REAL_SIZE, "%.16g", number);
    leave_c_locale(before, c_locale);
    if (!strpbrk(text, ".EN"))
        strcat(text, ".0");
}

/* Length of the string that begins at `at`, quotes included. */
static size_t string_length(const char *at)
{
    const char *end = at + 1;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    return (size_t)(end - at) + (*end == '"');
}

/* Moves `length` bytes down to *to, and *to behind them. */
static void keep(char **to, const char *from, size_t length)
{
    memmove(*to, from, length);
    *to += length;
}

/* Fewer digits than 16 cannot be shortened, and an exponent may already be shorter than printf() writes it. */
static bool shorten(const char *number, size_t length, char shorter[REAL_SIZE])
{
    if (length <= 16 || strcspn(number, ".eE") >= length)
        return false;
    format(strtod(number, NULL), shorter);
    return strlen(shorter) < length;
}

void real_shorten_json(char *json)
{
    char *to = json, shorter[REAL_SIZE];
    locale_t c_locale, before = enter_c_locale(&c_locale);
    for (const char *from = json; *from;) {
        size_t length = *from == '"' ? string_length(from) : strspn(from, "+-.0123456789eE");
        if (*from != '"' && shorten(from, length, shorter)) {
            keep(&to, shorter, strlen(shorter));
        } else {
            length = length > 0 ? length : 1;
            keep(&to, from, length);
        }
        from += length;
    }
    *to = '\0';
    leave_c_locale(before, c_locale);
}
