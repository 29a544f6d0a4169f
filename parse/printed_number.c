/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/printed_number.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "parse/printed_spelling.h"

#define DIGITS_MAX 40
#define EXPONENT_DIGITS_MAX 3

static bool is_nothing(const char *text)
{
    static const char *const words[] = {"n/a", "n.a.", "na", "nan", "null", "none"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return text[strspn(text, "-")] == '\0';
}

/* The state of reading one number. */
struct number_reading {
    char *at;          /* within the text, which is cut up */
    char point, group; /* the decimal mark, and what may group thousands besides blanks, ' and _ */
    bool is_negative;
    char digits[DIGITS_MAX + 1];
    size_t count;
};

static bool take_digits(struct number_reading *reading, size_t most)
{
    for (size_t i = 0; i < most && isdigit((unsigned char)*reading->at); i++) {
        if (reading->count == DIGITS_MAX)
            return false;
        reading->digits[reading->count++] = *reading->at++;
    }
    return true;
}

/* In parentheses a number is negative, unless it has a sign. */
static void take_sign(struct number_reading *reading, char *text)
{
    char *close = *text == '(' ? strchr(text, ')') : NULL;
    if (close) {
        memmove(close, close + 1, strlen(close));
        text++;
        text += strspn(text, " ");
    }
    reading->is_negative = *text == '-' || (close && *text != '+');
    reading->at = text + (*text == '-' || *text == '+');
    reading->at += strspn(reading->at, " ");
}

static bool is_group(const char *at, char mark)
{
    return *at == mark && isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]) &&
           isdigit((unsigned char)at[3]) && !isdigit((unsigned char)at[4]);
}

/* Digits, in groups of three behind a first of one to three, or without any. */
static bool take_whole(struct number_reading *reading)
{
    size_t run = strspn(reading->at, "0123456789");
    bool may_group = run >= 1 && run <= 3 && *reading->at != '0';
    if (!take_digits(reading, DIGITS_MAX + 1))
        return false;
    char mark = *reading->at;
    may_group = may_group && mark && (mark == reading->group || strchr(" '_", mark));
    while (may_group && is_group(reading->at, mark)) {
        reading->at++;
        if (!take_digits(reading, 3))
            return false;
    }
    return true;
}

static bool take_fraction(struct number_reading *reading, int *decimals)
{
    size_t whole = reading->count;
    if (*reading->at == reading->point) {
        reading->at++;
        if (!take_digits(reading, DIGITS_MAX + 1))
            return false;
    }
    *decimals = (int)(reading->count - whole);
    return reading->count > 0;
}

/* "e+3"; anything else is left for the unit. */
static int take_exponent(struct number_reading *reading)
{
    char *at = reading->at;
    if (*at != 'e' && *at != 'E')
        return 0;
    at++;
    bool is_negative = *at == '-';
    at += *at == '-' || *at == '+';
    size_t count = strspn(at, "0123456789");
    if (count == 0 || count > EXPONENT_DIGITS_MAX)
        return 0;
    int exponent = atoi(at);
    reading->at = at + count;
    return is_negative ? -exponent : exponent;
}

/* A unit of time in seconds. */
struct time_unit {
    const char *name;
    int power;
    double factor;
};

static const struct time_unit *find_time(const char *name)
{
    static const struct time_unit units[] = {{"ns", -9, 1},     {"us", -6, 1}, {"usec", -6, 1}, {"ms", -3, 1},
                                             {"msec", -3, 1},   {"s", 0, 1},   {"sec", 0, 1},   {"secs", 0, 1},
                                             {"seconds", 0, 1}, {"min", 0, 60}};
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

static enum printed_mark find_mark(const char *name)
{
    static const struct {
        const char *name;
        enum printed_mark mark;
    } marks[] = {{"%", MARK_PERCENT}, {"percent", MARK_PERCENT}, {"pct", MARK_PERCENT},
                 {"x", MARK_TIMES},   {"X", MARK_TIMES},         {"times", MARK_TIMES}};
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (strcmp(marks[i].name, name) == 0)
            return marks[i].mark;
    return MARK_NONE;
}

/* A unit that is not known means what it means, as long as its column has no other. */
static bool set_unit(struct printed_number *number, const char *name)
{
    size_t length = strlen(name);
    bool is_word = length == 0 || isalpha((unsigned char)name[0]) || name[0] == '/';
    for (size_t i = 0; i < length; i++)
        is_word = is_word && (isalpha((unsigned char)name[i]) || strchr("/. ", name[i]));
    if (!is_word || length >= PRINTED_UNIT_SIZE)
        return false;
    memcpy(number->unit, name, length + 1);
    return true;
}

/* A factor before a unit: "k", "M ops/s". */
static const char *take_thousands(struct printed_number *number, const char *name)
{
    static const char letters[] = "kKMGT";
    static const int powers[] = {3, 3, 6, 9, 12};
    const char *found = *name ? strchr(letters, *name) : NULL;
    if (!found || (name[1] != '\0' && name[1] != ' '))
        return name;
    number->place += powers[found - letters];
    return name + 1 + strspn(name + 1, " ");
}

static bool take_unit(struct printed_number *number, const char *name, double *factor)
{
    const struct time_unit *time = find_time(name);
    number->mark = find_mark(name);
    if (number->mark != MARK_NONE)
        return true;
    if (!time)
        return set_unit(number, take_thousands(number, name));
    number->place += time->power;
    *factor = time->factor;
    return set_unit(number, "s");
}

/* Without blanks on both sides, and marks of footnotes in front. */
static char *trim(char *text)
{
    text += strspn(text, " *");
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
    return text;
}

/* "12.3 ms +- 0.4" and "12.3 +- 0.4 ms": the spread is left out, its unit is that of the number. */
static char *cut_spread(char *text)
{
    char *ascii = strstr(text, "+/-"), *spread = ascii ? ascii : strchr(text, PRINTED_PLUS_MINUS);
    if (!spread)
        return trim(text);
    char *unit = spread + (ascii ? 3 : 1);
    unit = trim(unit + strspn(unit, "0123456789., "));
    *spread = '\0';
    char *own = trim(text);
    return *own == '\0' && find_mark(unit) == MARK_NONE ? unit : own;
}

static void set_value(struct printed_number *number, const struct number_reading *reading, double factor)
{
    char text[DIGITS_MAX + 20];
    const char *digits = reading->digits + strspn(reading->digits, "0");
    number->digits = (int)strlen(digits);
    for (int i = number->digits; i > 0 && digits[i - 1] == '0'; i--)
        number->zeros++;
    snprintf(text, sizeof text, "%s%se%d", reading->is_negative ? "-" : "", reading->digits, number->place);
    double value = strtod(text, NULL) * factor, half = 0.5 * pow(10, number->place) * factor;
    if (!isfinite(value) || !isfinite(half))
        return;
    number->value = value;
    number->half = half;
    number->kind = PRINTED_NUMBER;
}

static void read_plain(struct printed_number *number, char *text, struct number_reading *reading)
{
    double factor = 1;
    take_sign(reading, text);
    bool is_factor = (*reading->at == 'x' || *reading->at == 'X') && isdigit((unsigned char)reading->at[1]);
    reading->at += is_factor;
    if (!take_whole(reading) || !take_fraction(reading, &number->decimals))
        return;
    number->place = take_exponent(reading) - number->decimals;
    bool ok = is_factor ? *reading->at == '\0' : take_unit(number, cut_spread(reading->at), &factor);
    number->mark = is_factor ? MARK_TIMES : number->mark;
    if (ok)
        set_value(number, reading, factor);
}

static void read_with(struct printed_number *number, const char *text, bool is_comma)
{
    char plain[PRINTED_TEXT_SIZE];
    struct number_reading reading = {.point = is_comma ? ',' : '.', .group = is_comma ? '.' : ','};
    *number = (struct printed_number){.kind = PRINTED_TEXT, .value = NAN};
    if (!printed_spell_out(text, plain))
        return;
    char *content = printed_strip(plain);
    if (is_nothing(content))
        number->kind = PRINTED_NOTHING;
    else
        read_plain(number, content, &reading);
}

void printed_number_read(struct printed_number *number, const char *text, enum decimal_mark mark)
{
    struct printed_number other;
    read_with(number, text, mark == DECIMAL_COMMA);
    if (mark != DECIMAL_UNKNOWN || number->kind != PRINTED_NUMBER)
        return;
    read_with(&other, text, true);
    if (other.kind == PRINTED_NUMBER && other.value != number->value)
        *number = (struct printed_number){.kind = PRINTED_AMBIGUOUS, .value = NAN};
}

int printed_number_vote(const char *text)
{
    struct printed_number point, comma;
    read_with(&point, text, false);
    read_with(&comma, text, true);
    return (point.kind == PRINTED_NUMBER) - (comma.kind == PRINTED_NUMBER);
}
