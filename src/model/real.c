/* SPDX-License-Identifier: Apache-2.0 */
#include "model/real.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* digits * 10^-places */
struct decimal {
    uint64_t digits;
    unsigned places;
};

static wide power_of_10(unsigned exponent)
{
    wide power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* scaled / unit to the nearest whole number, of two the even one; *distance is what was added or left out. */
static wide divide(wide scaled, wide unit, wide *distance)
{
    wide result = scaled / unit, rest = scaled % unit;
    bool goes_up = 2 * rest > unit || (2 * rest == unit && result % 2 == 1);
    *distance = goes_up ? unit - rest : rest;
    return result + goes_up;
}

/* 17 digits before the point: places for that, and the number times 10^places times 2^shift. */
static wide scale(uint64_t mantissa, unsigned shift, unsigned *places)
{
    wide scaled = mantissa * power_of_10(*places);
    if (scaled >> shift >= power_of_10(17)) { /* log10() was rounded down */
        scaled /= 10;
        --*places;
    } else if (scaled >> shift < power_of_10(16)) {
        scaled *= 10;
        ++*places;
    }
    return scaled;
}

/* In whole numbers, so exactly: of the usual sizes mantissa * 10^places fits 128 bits. A decimal is read as the double
 * that it is less than half a step from, at half a step as the one with the even mantissa; a step is 10^places here. */
static bool find_decimal(double size, struct decimal *decimal)
{
    if (!(size >= 1e-4 && size < 1e15))
        return false;
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(size, &exponent), 53);
    if (mantissa == (uint64_t)1 << 52) /* the step down is half as long */
        return false;
    unsigned shift = (unsigned)(53 - exponent), places = (unsigned)(16 - (int)floor(log10(size)));
    wide scaled = scale(mantissa, shift, &places), distance;
    unsigned drop = 3;
    do {
        drop--;
        decimal->digits = (uint64_t)divide(scaled, power_of_10(drop) << shift, &distance);
    } while (drop > 0 && 2 * distance + mantissa % 2 > power_of_10(places));
    decimal->places = places - drop;
    return true;
}

static void write_decimal(bool is_negative, struct decimal decimal, char text[REAL_SIZE])
{
    for (; decimal.places > 0 && decimal.digits % 10 == 0; decimal.places--)
        decimal.digits /= 10;
    uint64_t unit = (uint64_t)power_of_10(decimal.places);
    snprintf(text, REAL_SIZE, "%s%" PRIu64 ".%0*" PRIu64, is_negative ? "-" : "", decimal.digits / unit,
             (int)decimal.places, decimal.digits % unit);
}

void real_shortest(double number, char text[REAL_SIZE])
{
    struct decimal decimal;
    if (fabs(number) < 1e15 && number == trunc(number)) {
        snprintf(text, REAL_SIZE, "%s%lld", number == 0 && signbit(number) ? "-" : "", (long long)number);
    } else if (find_decimal(fabs(number), &decimal)) {
        write_decimal(number < 0, decimal, text);
    } else {
        for (int precision = 15; precision <= 17; precision++) {
            snprintf(text, REAL_SIZE, "%.*g", precision, number);
            if (strtod(text, NULL) == number)
                break;
        }
    }
}

/* In the locale "C": JSON knows no decimal comma. */
static void format(double number, char text[REAL_SIZE])
{
    real_shortest(number, text);
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
