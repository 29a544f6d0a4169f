/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "parse/verify_parts.h"

/* Numbers of fewer digits occur twice by chance. */
#define DIGITS_MIN 4

struct place {
    double value;
    size_t row;
    int column;
};

static int by_value(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    if (a->value != b->value)
        return (a->value > b->value) - (a->value < b->value);
    if (a->row != b->row)
        return (a->row > b->row) - (a->row < b->row);
    return (a->column > b->column) - (a->column < b->column);
}

static size_t count_digits(double value, int decimals)
{
    double units = fabs(value) * pow(10, decimals);
    size_t digits = 0, zeros = 0;
    bool in_zeros = true;
    units = round(units);
    while (units >= 1 && digits < 30) {
        bool is_zero = fmod(units, 10) == 0;
        in_zeros = in_zeros && is_zero;
        zeros += in_zeros;
        digits++;
        units = floor(units / 10);
    }
    return digits - zeros;
}

static void add_column(const struct verify *verify, int column, struct place *places, size_t *count)
{
    if (column < 0)
        return;
    const struct printed_column *printed = &verify->columns[column];
    for (size_t i = 0; i < verify->table->row_count; i++) {
        double value = printed->values[i];
        if (!isnan(value) && verify_row_kind(verify, i) == ROW_PLAIN &&
            count_digits(value, printed->decimals) >= DIGITS_MIN)
            places[(*count)++] = (struct place){value, i, column};
    }
}

/* Equal values of one row say "no change" and are none of our business. */
static void report(struct verify *verify, const struct place *first, const struct place *second)
{
    const struct csv_table *table = verify->table;
    if (first->row == second->row)
        return;
    verify_add(verify, FINDING_REPEAT, second->row, "%s in column %s stands in line %zu, column %s, too",
               csv_table_cell(table, second->row, (size_t)second->column), table->headers[second->column],
               table->lines[first->row], table->headers[first->column]);
}

void verify_repeats(struct verify *verify)
{
    struct place *places = memory_zeroed(2 * verify->table->row_count + 1, sizeof *places);
    size_t count = 0;
    add_column(verify, verify->a, places, &count);
    add_column(verify, verify->b, places, &count);
    qsort(places, count, sizeof *places, by_value);
    for (size_t i = 1; i < count; i++)
        if (places[i].value == places[i - 1].value)
            report(verify, &places[i - 1], &places[i]);
    verify->checked[FINDING_REPEAT] = count;
    free(places);
}
