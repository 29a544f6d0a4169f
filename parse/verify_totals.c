/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "parse/verify_parts.h"

/* Columns among which the parts of a total column are looked for: every choice of them is tried. */
#define PARTS_MAX 12

/* The number that a row of totals or averages should have, and by how much rounding may have moved it. False: no
 * number stands above. */
static bool expect_row(const struct verify *verify, size_t row, size_t column, double *expected, double *slack)
{
    const struct printed_column *printed = &verify->columns[column];
    double sum = 0, count = 0;
    for (size_t i = verify_group_start(verify, row); i < row; i++) {
        if (verify_row_kind(verify, i) != ROW_PLAIN || isnan(printed->values[i]))
            continue;
        sum += printed->values[i];
        count++;
    }
    bool is_average = verify_row_kind(verify, row) == ROW_AVERAGE;
    double half = printed_half_unit(printed);
    *expected = is_average ? sum / count : sum;
    *slack = half + (is_average ? half : half * count);
    return count > 0;
}

static void check_row(struct verify *verify, size_t row)
{
    static const char *const kinds[] = {"", "sum", "average"};
    for (size_t c = 0; c < verify->table->column_count; c++) {
        double expected, slack, printed = verify->columns[c].values[row];
        bool is_value = (int)c == verify->a || (int)c == verify->b;
        if (!is_value || isnan(printed) || !expect_row(verify, row, c, &expected, &slack))
            continue;
        verify->checked[FINDING_TOTAL]++;
        if (fabs(printed - expected) > slack * (1 + 1e-9))
            verify_add(verify, FINDING_TOTAL, row, "%s in column %s; the %s of the rows above is %.*f",
                       csv_table_cell(verify->table, row, c), verify->table->headers[c],
                       kinds[verify_row_kind(verify, row)],
                       verify->columns[c].decimals > 0 ? verify->columns[c].decimals : 2, expected);
    }
}

/* Columns that may be parts of a total; bit i of a choice is parts[i]. */
struct parts {
    size_t columns[PARTS_MAX];
    size_t count;
};

static bool add_parts(const struct verify *verify, const struct parts *parts, unsigned choice, size_t row, double *sum,
                      double *slack)
{
    *sum = *slack = 0;
    for (size_t i = 0; i < parts->count; i++) {
        const struct printed_column *column = &verify->columns[parts->columns[i]];
        if (!(choice >> i & 1))
            continue;
        *sum += column->values[row];
        *slack += printed_half_unit(column);
    }
    return !isnan(*sum);
}

static bool follows(const struct verify *verify, size_t total, const struct parts *parts, unsigned choice, size_t row)
{
    const struct printed_column *column = &verify->columns[total];
    double sum, slack;
    return add_parts(verify, parts, choice, row, &sum, &slack) &&
           fabs(sum - column->values[row]) <= (slack + printed_half_unit(column)) * (1 + 1e-9);
}

static size_t count_following(const struct verify *verify, size_t total, const struct parts *parts, unsigned choice)
{
    size_t count = 0;
    for (size_t i = 0; i < verify->table->row_count; i++)
        count += follows(verify, total, parts, choice, i);
    return count;
}

/* The choice of at least two columns that most rows add up from; 0: none that half of them do. */
static unsigned find_choice(const struct verify *verify, size_t total, const struct parts *parts)
{
    size_t most = verify->columns[total].count / 2;
    unsigned best = 0;
    for (unsigned choice = 1; choice < 1u << parts->count; choice++) {
        size_t count = (choice & (choice - 1)) ? count_following(verify, total, parts, choice) : 0;
        if (count > most) {
            most = count;
            best = choice;
        }
    }
    return best;
}

static void check_total_column(struct verify *verify, size_t total)
{
    struct parts parts = {.count = 0};
    for (size_t c = 0; c < verify->table->column_count && parts.count < PARTS_MAX; c++)
        if (c != total && (int)c != verify->percent && (int)c != verify->threads && verify_is_numeric(verify, c))
            parts.columns[parts.count++] = c;
    unsigned choice = find_choice(verify, total, &parts);
    for (size_t i = 0; choice && i < verify->table->row_count; i++) {
        double sum, slack;
        if (isnan(verify->columns[total].values[i]) || !add_parts(verify, &parts, choice, i, &sum, &slack))
            continue;
        verify->checked[FINDING_TOTAL]++;
        if (!follows(verify, total, &parts, choice, i))
            verify_add(verify, FINDING_TOTAL, i, "%s in column %s; in most rows its parts add up, here they are %.10g",
                       csv_table_cell(verify->table, i, total), verify->table->headers[total], sum);
    }
}

void verify_totals(struct verify *verify)
{
    static const char *const words[] = {"total", "sum", NULL};
    for (size_t i = 0; i < verify->table->row_count; i++)
        if (verify_row_kind(verify, i) != ROW_PLAIN)
            check_row(verify, i);
    for (size_t c = 0; c < verify->table->column_count; c++)
        if (verify_is_numeric(verify, c) && verify_has_word(verify->table->headers[c], words))
            check_total_column(verify, c);
}
