/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/printed_rounding.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Exact digits end in 0 once in ten times: how many numbers it takes until that is no chance. */
#define PADDED_MIN 3
#define ROUNDED_MIN 10
#define EXCEPTION_FROM 5
#define EXCEPTIONS 10 /* one in so many */
/* Significant digits: at least so many digits are kept, and so many numbers without others are evidence. */
#define SIGNIFICANT_MIN 3
#define SIGNIFICANT_MAX 15
#define SIGNIFICANT_COUNT_MIN 6

/* Numbers that are looked at together: of one count of decimals, or all of a column. */
struct group {
    struct printed_number **cells;
    int *known; /* of each cell of the column: the place of the last digit that was measured */
    size_t *rows;
    size_t count;
};

static bool is_nearly_all(size_t part, size_t all)
{
    size_t exceptions = all < EXCEPTION_FROM ? 0 : all < 2 * EXCEPTIONS ? 1 : all / EXCEPTIONS;
    return part + exceptions >= all;
}

static void gather(struct group *group, const struct printed_column *column, size_t row_count, int decimals)
{
    group->count = 0;
    for (size_t i = 0; i < row_count; i++) {
        struct printed_number *cell = &column->cells[i];
        if (cell->kind != PRINTED_NUMBER || (decimals >= 0 && cell->decimals != decimals))
            continue;
        group->cells[group->count] = cell;
        group->rows[group->count++] = i;
    }
}

/* Whether the zero before the last `dropped` ones is padding in these numbers, too. 0 itself says nothing. */
static bool is_padded(const struct group *group, int decimals, int dropped)
{
    size_t numbers = 0, ending = 0, long_enough = 0;
    for (size_t i = 0; i < group->count; i++) {
        numbers += group->cells[i]->digits > 0;
        ending += group->cells[i]->zeros > dropped;
        long_enough += group->cells[i]->digits - dropped > 2;
    }
    bool is_left = dropped >= decimals;
    return numbers >= (is_left ? ROUNDED_MIN : PADDED_MIN) && is_nearly_all(ending, numbers) &&
           (!is_left || 2 * long_enough >= numbers);
}

/* Numbers that were rounded end in another digit than 0 nine times in ten; 1000, 2000, 3000 were chosen. */
static bool is_tight(const struct group *group, int dropped)
{
    size_t numbers = 0, tight = 0;
    for (size_t i = 0; i < group->count; i++) {
        numbers += group->cells[i]->digits > 0;
        tight += group->cells[i]->digits > 0 && group->cells[i]->zeros == dropped;
    }
    return 2 * tight >= numbers;
}

static int count_padding(const struct group *group, int decimals)
{
    int dropped = 0;
    while (is_padded(group, decimals, dropped))
        dropped++;
    return dropped > decimals && !is_tight(group, dropped) ? decimals : dropped;
}

static void drop_padding(struct printed_column *column, const struct group *group, int decimals)
{
    int dropped = count_padding(group, decimals);
    for (size_t i = 0; dropped && i < group->count; i++) {
        const struct printed_number *cell = group->cells[i];
        bool is_finer = cell->digits > 0 && cell->zeros < dropped;
        if (!is_finer)
            group->known[group->rows[i]] = cell->place + dropped;
        else if (column->finer_count++ == 0 || group->rows[i] < column->finer_row)
            column->finer_row = group->rows[i];
        column->padded_count++;
    }
}

static int find_first_place(const struct group *group)
{
    int first = INT_MAX;
    for (size_t i = 0; i < group->count; i++)
        first = group->cells[i]->place < first ? group->cells[i]->place : first;
    return first;
}

/* How many digits beyond the `significant` first ones a number has when it is written down to the place `first`. */
static int beyond(const struct printed_number *cell, int first, int significant)
{
    return cell->digits == 0 ? 0 : cell->digits + cell->place - first - significant;
}

static bool is_rounded_to(const struct printed_number *cell, int significant)
{
    return cell->digits - cell->zeros <= significant;
}

/* Digits that others have and a number lacks are evidence as its zeros are. Most numbers have to use all digits. */
static bool are_rounded_to(const struct group *group, int first, int significant)
{
    size_t longer = 0, ending = 0, evidence = 0, tight = 0, long_enough = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct printed_number *cell = group->cells[i];
        bool is_rounded = is_rounded_to(cell, significant);
        longer += cell->digits > significant;
        ending += cell->digits > significant && is_rounded;
        evidence += is_rounded && beyond(cell, first, significant) > 0;
        long_enough += cell->digits >= significant;
        tight += cell->digits - cell->zeros == significant;
    }
    return longer > 0 && evidence >= SIGNIFICANT_COUNT_MIN && is_nearly_all(ending, longer) && 2 * tight >= long_enough;
}

static void drop_insignificant(const struct group *group)
{
    int first = find_first_place(group), significant = SIGNIFICANT_MIN;
    while (significant <= SIGNIFICANT_MAX && !are_rounded_to(group, first, significant))
        significant++;
    for (size_t i = 0; significant <= SIGNIFICANT_MAX && i < group->count; i++) {
        const struct printed_number *cell = group->cells[i];
        int rest = beyond(cell, first, significant), *known = &group->known[group->rows[i]];
        if (rest > 0 && is_rounded_to(cell, significant) && first + rest > *known)
            *known = first + rest;
    }
}

static void widen(struct printed_column *column, size_t row_count, const int *known)
{
    for (size_t i = 0; i < row_count; i++) {
        struct printed_number *cell = &column->cells[i];
        cell->half *= pow(10, known[i] - cell->place);
    }
}

void printed_rounding_apply(struct printed_column *column, size_t row_count)
{
    struct group group = {.cells = memory_zeroed(row_count + 1, sizeof *group.cells),
                          .known = memory_zeroed(row_count + 1, sizeof *group.known),
                          .rows = memory_zeroed(row_count + 1, sizeof *group.rows)};
    int most = 0;
    for (size_t i = 0; i < row_count; i++) {
        group.known[i] = column->cells[i].place;
        most = column->cells[i].decimals > most ? column->cells[i].decimals : most;
    }
    for (int decimals = 0; decimals <= most; decimals++) {
        gather(&group, column, row_count, decimals);
        drop_padding(column, &group, decimals);
        drop_insignificant(&group);
    }
    gather(&group, column, row_count, -1);
    drop_insignificant(&group);
    widen(column, row_count, group.known);
    free(group.rows);
    free(group.known);
    free(group.cells);
}
