/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "parse/verify_parts.h"
#include "parse/verify_words.h"

/* Columns among which the parts of a total column are looked for: every choice of them is tried on the first rows. */
#define PARTS_MAX 12
#define SAMPLE_MAX 1000
/* In fewer rows small numbers add up by chance. */
#define FOLLOWING_MIN 3

/* Of a cell that says nothing else: "average runtime" is the name of something, not the average of what is above. */
static enum row_kind kind_of_cell(const char *text)
{
    static const char *const total[] = {"total", "totals", "sum", NULL};
    static const char *const average[] = {"average", "averages", "avg", "mean", NULL};
    static const char *const fillers[] = {"total", "totals",  "sum", "average", "averages", "avg", "mean",
                                          "grand", "overall", "of",  "the",     "all",      NULL};
    size_t all, listed;
    verify_count_words(text, fillers, &all, &listed);
    if (all == 0 || listed < all)
        return ROW_PLAIN;
    return verify_has_word(text, average) ? ROW_AVERAGE : verify_has_word(text, total) ? ROW_TOTAL : ROW_PLAIN;
}

enum row_kind verify_row_kind(const struct verify *verify, size_t row)
{
    for (size_t c = 0; c < verify->table->column_count; c++) {
        enum row_kind kind = kind_of_cell(csv_table_cell(verify->table, row, c));
        if (kind != ROW_PLAIN)
            return kind;
    }
    return ROW_PLAIN;
}

size_t verify_group_start(const struct verify *verify, size_t row)
{
    /* Total and average of the same rows may be below each other. */
    while (row > 0 && verify_row_kind(verify, row - 1) != ROW_PLAIN)
        row--;
    while (row > 0 && verify_row_kind(verify, row - 1) == ROW_PLAIN)
        row--;
    return row;
}

static double off_by(double printed, double expected)
{
    return 100 * fabs(printed - expected) / fabs(expected);
}

/* Whether the ranges, a sliver wider for the binary fractions, have something in common. */
static bool overlap(struct range x, struct range y)
{
    double slack = 1e-9 * (x.high - x.low) + 1e-14 * fabs(x.high);
    return x.low <= y.high + slack && y.low <= x.high + slack;
}

/* What a row of totals or averages should have. False: no number is above. */
static bool expect_row(const struct verify *verify, size_t row, size_t column, struct range *expected)
{
    double count = 0;
    *expected = (struct range){0, 0};
    for (size_t i = verify_group_start(verify, row); i < row; i++) {
        struct range range = printed_range(&verify->columns[column], i);
        if (verify_row_kind(verify, i) != ROW_PLAIN || isnan(range.low))
            continue;
        expected->low += range.low;
        expected->high += range.high;
        count++;
    }
    if (verify_row_kind(verify, row) == ROW_AVERAGE)
        *expected = (struct range){expected->low / count, expected->high / count};
    return count > 0;
}

static void check_cell(struct verify *verify, size_t row, int column)
{
    static const char *const kinds[] = {"", "sum", "average"};
    struct range expected;
    if (column < 0 || verify->columns[column].cells[row].kind == PRINTED_NOTHING)
        return;
    const struct printed_column *printed = &verify->columns[column];
    verify->cells[FINDING_TOTAL]++;
    if (isnan(printed->cells[row].value) || !expect_row(verify, row, (size_t)column, &expected))
        return;
    verify->checked[FINDING_TOTAL]++;
    double middle = (expected.low + expected.high) / 2;
    int decimals = printed->cells[row].decimals;
    if (!overlap(printed_range(printed, row), expected))
        verify_add(verify, FINDING_TOTAL, row, off_by(printed->cells[row].value, middle), false,
                   "%s in column %s; the %s of the rows above is %.*f",
                   csv_table_cell(verify->table, row, (size_t)column), verify->table->headers[column],
                   kinds[verify_row_kind(verify, row)], decimals > 0 ? decimals : 2, middle);
}

/* Columns that may be parts of a total; bit i of a choice is columns[i]. */
struct parts {
    size_t columns[PARTS_MAX];
    size_t count;
};

static struct range add_parts(const struct verify *verify, const struct parts *parts, unsigned choice, size_t row)
{
    struct range sum = {0, 0};
    for (size_t i = 0; i < parts->count; i++) {
        if (!(choice >> i & 1))
            continue;
        struct range range = printed_range(&verify->columns[parts->columns[i]], row);
        sum = (struct range){sum.low + range.low, sum.high + range.high};
    }
    return sum;
}

static bool follows(const struct verify *verify, size_t total, const struct parts *parts, unsigned choice, size_t row)
{
    return overlap(printed_range(&verify->columns[total], row), add_parts(verify, parts, choice, row));
}

/* The choice of at least two columns that most rows add up from; 0: none that half of them do. */
static unsigned find_choice(const struct verify *verify, size_t total, const struct parts *parts)
{
    size_t rows = verify->table->row_count < SAMPLE_MAX ? verify->table->row_count : SAMPLE_MAX, most = 0;
    unsigned best = 0;
    for (unsigned choice = 1; choice < 1u << parts->count; choice++) {
        size_t count = 0;
        for (size_t i = 0; (choice & (choice - 1)) && i < rows; i++)
            count += follows(verify, total, parts, choice, i);
        if (count >= FOLLOWING_MIN && 2 * count > rows && count > most) {
            most = count;
            best = choice;
        }
    }
    return best;
}

static void check_part_sum(struct verify *verify, size_t total, const struct parts *parts, unsigned choice, size_t row)
{
    struct range sum = add_parts(verify, parts, choice, row);
    double printed = verify_value(verify, row, total), middle = (sum.low + sum.high) / 2;
    verify->cells[FINDING_TOTAL] += verify->columns[total].cells[row].kind != PRINTED_NOTHING;
    if (isnan(printed) || isnan(middle))
        return;
    verify->checked[FINDING_TOTAL]++;
    if (!follows(verify, total, parts, choice, row))
        verify_add(verify, FINDING_TOTAL, row, off_by(printed, middle), false,
                   "%s in column %s; in most rows its parts add up, here they are %.10g",
                   csv_table_cell(verify->table, row, total), verify->table->headers[total], middle);
}

static void check_total_column(struct verify *verify, size_t total)
{
    struct parts parts = {.count = 0};
    for (size_t c = 0; c < verify->table->column_count && parts.count < PARTS_MAX; c++)
        if (c != total && (int)c != verify->percent && (int)c != verify->threads && verify_is_numeric(verify, c))
            parts.columns[parts.count++] = c;
    unsigned choice = find_choice(verify, total, &parts);
    if (choice == 0)
        return;
    for (size_t i = 0; i < verify->table->row_count; i++)
        check_part_sum(verify, total, &parts, choice, i);
    verify_use_column(verify, (int)total);
    for (size_t i = 0; i < parts.count; i++)
        if (choice >> i & 1)
            verify_use_column(verify, (int)parts.columns[i]);
}

void verify_totals(struct verify *verify)
{
    static const char *const words[] = {"total", "sum", NULL};
    for (size_t i = 0; i < verify->table->row_count; i++) {
        if (verify_row_kind(verify, i) == ROW_PLAIN)
            continue;
        check_cell(verify, i, verify->a);
        check_cell(verify, i, verify->b);
    }
    for (size_t c = 0; c < verify->table->column_count; c++)
        if (verify_is_numeric(verify, c) && verify_has_word(verify->table->headers[c], words))
            check_total_column(verify, c);
}
