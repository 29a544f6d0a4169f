/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "parse/verify_parts.h"

/*
 * Is a value twice in a table by chance? Two values in a region with d values per unit of the quantity, printed to a
 * unit u, are equal with the probability d * u for each of them: the birthday problem. A repeated value is called one
 * when all values for which a repetition is as improbable as for it make at most 1 % of a chance pair together, and
 * four times less: so much lower than it is may d look where values are few.
 */
#define CHANCE_MAX (0.01 / 4)
/* Neighbours, on each side, from which the density at a value is taken: the square root of the number of values, also
 * half as many and twice as many; the densest counts. */
#define NEIGHBOURS_MIN 2
/* From so many values on a column where most are repeated is one of few values, e.g. a baseline for several rows. */
#define SHARED_MIN 4

struct place {
    double value, unit; /* the unit without zeros at the end: 1000 is no more surprising than 1 */
    size_t row;
    int column;
    double chance; /* that some other value is equal */
    double pairs;  /* expected pairs by chance among values with at most this chance */
};

struct places {
    struct place *items; /* by value */
    size_t count;
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

static int by_chance(const void *x, const void *y)
{
    const struct place *a = *(struct place *const *)x, *b = *(struct place *const *)y;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

/* More than half of the rows of a column have a value that another row has, too. */
static bool is_shared(const struct place *sorted, size_t count)
{
    size_t repeated = 0;
    for (size_t i = 0; i < count; i++)
        repeated += (i > 0 && sorted[i].value == sorted[i - 1].value) ||
                    (i + 1 < count && sorted[i].value == sorted[i + 1].value);
    return count >= SHARED_MIN && 2 * repeated > count;
}

static void add_column(struct verify *verify, int column, struct places *places)
{
    struct place *added = places->items + places->count;
    size_t count = 0;
    for (size_t i = 0; column >= 0 && i < verify->table->row_count; i++) {
        const struct printed_number *cell = &verify->columns[column].cells[i];
        bool is_value = cell->kind == PRINTED_NUMBER && verify_row_kind(verify, i) == ROW_PLAIN;
        verify->cells[FINDING_REPEAT] += is_value;
        if (is_value && cell->value != 0)
            added[count++] = (struct place){
                .value = cell->value, .unit = 2 * cell->half * pow(10, cell->zeros), .row = i, .column = column};
    }
    qsort(added, count, sizeof *added, by_value);
    if (is_shared(added, count))
        message_list_add(&verify->remarks, "column %s has few different values; repeated ones are not looked for in it",
                         verify->table->headers[column]);
    else
        places->count += count;
}

/* Values per unit of the quantity around the one at `at`. */
static double density(const double *distinct, size_t count, size_t at, size_t reach)
{
    size_t low = at > reach ? at - reach : 0, high = at + reach < count ? at + reach : count - 1;
    return low == high ? INFINITY : (double)(high - low) / (distinct[high] - distinct[low]);
}

/* Equal values count as one. */
static void find_chances(struct places *places)
{
    double *distinct = memory_zeroed(places->count + 1, sizeof *distinct);
    size_t count = 0, at = 0, root = (size_t)sqrt((double)places->count);
    for (size_t i = 0; i < places->count; i++)
        if (count == 0 || distinct[count - 1] != places->items[i].value)
            distinct[count++] = places->items[i].value;
    for (size_t i = 0; i < places->count; i++) {
        struct place *place = &places->items[i];
        at += distinct[at] != place->value;
        for (size_t reach = root / 2; reach <= 2 * root; reach = 2 * reach + 1)
            place->chance =
                fmax(place->chance,
                     density(distinct, count, at, reach < NEIGHBOURS_MIN ? NEIGHBOURS_MIN : reach) * place->unit);
    }
    free(distinct);
}

static void add_up_chances(struct places *places)
{
    struct place **sorted = memory_zeroed(places->count + 1, sizeof *sorted);
    for (size_t i = 0; i < places->count; i++)
        sorted[i] = &places->items[i];
    qsort(sorted, places->count, sizeof *sorted, by_chance);
    double pairs = 0;
    for (size_t i = 0, begin = 0; i < places->count; i++) {
        pairs += sorted[i]->chance;
        if (i + 1 < places->count && sorted[i + 1]->chance == sorted[i]->chance)
            continue;
        for (; begin <= i; begin++)
            sorted[begin]->pairs = pairs;
    }
    free(sorted);
}

/* Equal values of one row say "no change". */
static void report(struct verify *verify, const struct place *first, const struct place *second, size_t *by_luck)
{
    const struct csv_table *table = verify->table;
    if (first->row == second->row)
        return;
    if (second->pairs > CHANCE_MAX) {
        (*by_luck)++;
        return;
    }
    verify_add(verify, FINDING_REPEAT, second->row, NAN, false, "%s in column %s is in line %zu, column %s, too",
               csv_table_cell(table, second->row, (size_t)second->column), table->headers[second->column],
               table->lines[first->row], table->headers[first->column]);
}

void verify_repeats(struct verify *verify)
{
    struct places places = {memory_zeroed(2 * verify->table->row_count + 1, sizeof *places.items), 0};
    size_t by_luck = 0;
    add_column(verify, verify->a, &places);
    add_column(verify, verify->b, &places);
    qsort(places.items, places.count, sizeof *places.items, by_value);
    find_chances(&places);
    add_up_chances(&places);
    for (size_t i = 0; i < places.count; i++)
        verify->checked[FINDING_REPEAT] += places.items[i].pairs <= CHANCE_MAX;
    for (size_t i = 1; i < places.count; i++)
        if (places.items[i].value == places.items[i - 1].value)
            report(verify, &places.items[i - 1], &places.items[i], &by_luck);
    if (by_luck > 0)
        message_list_add(&verify->remarks,
                         "%zu value%s that %s in the table twice %s so few digits that chance may have made %s",
                         by_luck, by_luck == 1 ? "" : "s", by_luck == 1 ? "is" : "are", by_luck == 1 ? "has" : "have",
                         by_luck == 1 ? "it" : "them");
    free(places.items);
}
