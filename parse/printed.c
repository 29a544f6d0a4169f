/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/printed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/printed_rounding.h"

#define UNITS_MAX 8

enum decimal_mark printed_decimal_mark(const struct csv_table *table)
{
    size_t points = 0, commas = 0;
    for (size_t i = 0; i < table->row_count; i++)
        for (size_t c = 0; c < table->column_count; c++) {
            int vote = printed_number_vote(csv_table_cell(table, i, c));
            points += vote > 0;
            commas += vote < 0;
        }
    if (points + commas == 0 && table->separator == ';')
        return DECIMAL_UNKNOWN;
    return commas > points ? DECIMAL_COMMA : DECIMAL_POINT;
}

/* The unit that most numbers have, of the first few. */
static const char *find_unit(const struct printed_column *column, size_t row_count)
{
    const char *units[UNITS_MAX];
    size_t counts[UNITS_MAX], used = 0, most = 0;
    for (size_t i = 0; i < row_count; i++) {
        size_t k = 0;
        if (column->cells[i].kind != PRINTED_NUMBER)
            continue;
        while (k < used && strcmp(units[k], column->cells[i].unit) != 0)
            k++;
        if (k == UNITS_MAX)
            continue;
        if (k == used) {
            units[used] = column->cells[i].unit;
            counts[used++] = 0;
        }
        counts[k]++;
        most = counts[k] > counts[most] ? k : most;
    }
    return used ? units[most] : "";
}

/* Beside "12 ops/s" a 13 without a unit is one of these; beside "12 ms" it may be anything. */
static bool is_same_unit(const char *of_most, const char *unit)
{
    return strcmp(of_most, unit) == 0 || (*unit == '\0' && strcmp(of_most, "s") != 0);
}

static void refuse_other_units(struct printed_column *column, size_t row_count)
{
    column->unit = find_unit(column, row_count);
    for (size_t i = 0; i < row_count; i++) {
        struct printed_number *cell = &column->cells[i];
        if (cell->kind == PRINTED_NUMBER && !is_same_unit(column->unit, cell->unit)) {
            cell->kind = PRINTED_OTHER_UNIT;
            cell->value = NAN;
        }
    }
}

void printed_column_read(struct printed_column *column, const struct csv_table *table, size_t index,
                         enum decimal_mark mark)
{
    *column = (struct printed_column){.cells = memory_zeroed(table->row_count + 1, sizeof *column->cells)};
    for (size_t i = 0; i < table->row_count; i++)
        printed_number_read(&column->cells[i], csv_table_cell(table, i, index), mark);
    refuse_other_units(column, table->row_count);
    for (size_t i = 0; i < table->row_count; i++) {
        column->count += column->cells[i].kind == PRINTED_NUMBER;
        column->filled += column->cells[i].kind != PRINTED_NOTHING;
    }
    printed_rounding_apply(column, table->row_count);
}

void printed_column_release(struct printed_column *column)
{
    free(column->cells);
    *column = (struct printed_column){0};
}

struct range printed_range(const struct printed_column *column, size_t row)
{
    const struct printed_number *cell = &column->cells[row];
    return (struct range){cell->value - cell->half, cell->value + cell->half};
}

struct range printed_precision(const struct printed_column *column, size_t row_count)
{
    struct range units = {0, 0};
    for (size_t i = 0; i < row_count; i++) {
        double unit = 2 * column->cells[i].half;
        if (column->cells[i].kind != PRINTED_NUMBER)
            continue;
        units.low = units.low == 0 ? unit : fmin(units.low, unit);
        units.high = fmax(units.high, unit);
    }
    return units;
}

bool printed_is_comparable(const struct printed_column *a, const struct printed_column *b)
{
    return is_same_unit(a->unit, b->unit) || is_same_unit(b->unit, a->unit);
}
