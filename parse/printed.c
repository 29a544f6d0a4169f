/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/printed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define DIGITS_MAX 40
#define ENDING_MIN 3

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* Appends '-' for any minus, nothing for a plus. */
static const char *take_sign(const char *text, char *digits, size_t *length)
{
    static const char minus[] = "\xe2\x88\x92";
    bool is_long = strncmp(text, minus, 3) == 0;
    if (is_long || *text == '-')
        digits[(*length)++] = '-';
    return is_long ? text + 3 : *text == '-' || *text == '+' ? text + 1 : text;
}

/* Digits with a comma before each group of three, or without any; NULL when commas stand elsewhere. */
static const char *take_whole(const char *text, char *digits, size_t *length)
{
    size_t in_group = 0;
    bool has_groups = false;
    for (; is_digit(*text) || *text == ','; text++) {
        if (*text == ',') {
            if (in_group == 0 || in_group > 3 || (has_groups && in_group != 3))
                return NULL;
            has_groups = true;
            in_group = 0;
        } else if (*length >= DIGITS_MAX) {
            return NULL;
        } else {
            digits[(*length)++] = *text;
            in_group++;
        }
    }
    return has_groups && in_group != 3 ? NULL : text;
}

bool printed_read(const char *text, double *value, int *decimals)
{
    char digits[DIGITS_MAX * 2 + 4];
    size_t length = 0;
    *decimals = 0;
    text = take_sign(skip_blanks(text), digits, &length);
    size_t signs = length;
    text = take_whole(text, digits, &length);
    if (!text || length == signs)
        return false;
    if (*text == '.') {
        digits[length++] = *text++;
        for (; is_digit(*text) && *decimals < DIGITS_MAX; text++, (*decimals)++)
            digits[length++] = *text;
    }
    digits[length] = '\0';
    text = skip_blanks(text);
    text = skip_blanks(*text == '%' ? text + 1 : text);
    *value = strtod(digits, NULL);
    return *text == '\0';
}

/* Whether the digit before the last `dropped` ones is 0 in every number, printed with `decimals` decimals. */
static bool all_end_in_zero(const struct printed_column *column, size_t row_count)
{
    double unit = pow(10, -column->decimals);
    bool has_other = false;
    for (size_t i = 0; i < row_count; i++) {
        if (isnan(column->values[i]))
            continue;
        double units = column->values[i] / unit;
        if (fabs(units - 10 * round(units / 10)) > 0.1)
            return false;
        has_other = has_other || column->values[i] != 0;
    }
    return has_other && column->count >= ENDING_MIN;
}

void printed_column_read(struct printed_column *column, const struct csv_table *table, size_t index)
{
    *column = (struct printed_column){.values = memory_zeroed(table->row_count + 1, sizeof(double))};
    for (size_t i = 0; i < table->row_count; i++) {
        int decimals;
        if (!printed_read(csv_table_cell(table, i, index), &column->values[i], &decimals)) {
            column->values[i] = NAN;
            continue;
        }
        column->count++;
        column->decimals = decimals > column->decimals ? decimals : column->decimals;
    }
    while (column->decimals > -15 && all_end_in_zero(column, table->row_count))
        column->decimals--;
}

void printed_column_release(struct printed_column *column)
{
    free(column->values);
    *column = (struct printed_column){0};
}

double printed_half_unit(const struct printed_column *column)
{
    return 0.5 * pow(10, -column->decimals);
}

struct range printed_range(const struct printed_column *column, size_t row)
{
    double half = printed_half_unit(column);
    return (struct range){column->values[row] - half, column->values[row] + half};
}
