/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "parse/verify_parts.h"

/* Both values are above 0, so that the extremes of a quotient are at the corners. */
static struct range divide(struct range above, struct range below)
{
    return (struct range){above.low / below.high, above.high / below.low};
}

static bool has_row(const struct verify *verify, size_t row)
{
    double a = verify->columns[verify->a].values[row], b = verify->columns[verify->b].values[row];
    struct range low_a = printed_range(&verify->columns[verify->a], row);
    struct range low_b = printed_range(&verify->columns[verify->b], row);
    return a > 0 && b > 0 && low_a.low > 0 && low_b.low > 0 && !isnan(verify->columns[verify->percent].values[row]);
}

/* The percentages that the two values allow. */
static struct range allowed(const struct verify *verify, size_t row, enum percent_rule rule)
{
    struct range a = printed_range(&verify->columns[verify->a], row);
    struct range b = printed_range(&verify->columns[verify->b], row);
    struct range ratio = rule == PERCENT_OF_B ? divide(a, b) : divide(b, a);
    double base = rule == PERCENT_RATIO ? 0 : 1;
    return (struct range){100 * (ratio.low - base), 100 * (ratio.high - base)};
}

static double computed(const struct verify *verify, size_t row, enum percent_rule rule)
{
    double a = verify->columns[verify->a].values[row], b = verify->columns[verify->b].values[row];
    double ratio = rule == PERCENT_OF_B ? a / b : b / a;
    return 100 * (ratio - (rule == PERCENT_RATIO ? 0 : 1));
}

/* Whether the printed number can be the rounding of something in the range; a sliver more, for the binary fractions. */
static bool fits(const struct printed_column *column, double printed, struct range range)
{
    double half = printed_half_unit(column) * (1 + 1e-9);
    return printed >= range.low - half && printed <= range.high + half;
}

static bool row_fits(const struct verify *verify, size_t row, enum percent_rule rule)
{
    const struct printed_column *percent = &verify->columns[verify->percent];
    return fits(percent, percent->values[row], allowed(verify, row, rule));
}

/* The rule that most rows follow. */
static void choose_rule(struct verify *verify)
{
    size_t most = 0;
    for (size_t rule = 0; rule < PERCENT_RULES; rule++) {
        size_t fitting = 0;
        for (size_t i = 0; i < verify->table->row_count; i++)
            fitting += has_row(verify, i) && row_fits(verify, i, (enum percent_rule)rule);
        if (fitting > most) {
            most = fitting;
            verify->rule = (enum percent_rule)rule;
        }
    }
}

/* In a row of averages the mean of the percentages is as good as the percentage of the means. */
static bool is_mean_of_percentages(const struct verify *verify, size_t row)
{
    const struct printed_column *percent = &verify->columns[verify->percent];
    double sum = 0, count = 0;
    if (verify_row_kind(verify, row) != ROW_AVERAGE)
        return false;
    for (size_t i = verify_group_start(verify, row); i < row; i++) {
        if (verify_row_kind(verify, i) != ROW_PLAIN || isnan(percent->values[i]))
            continue;
        sum += percent->values[i];
        count++;
    }
    double half = printed_half_unit(percent);
    return count > 0 && fits(percent, percent->values[row], (struct range){sum / count - half, sum / count + half});
}

/* Where the same percentage is right. */
static size_t find_twin(const struct verify *verify, size_t row)
{
    const double *values = verify->columns[verify->percent].values;
    for (size_t i = 0; i < verify->table->row_count; i++)
        if (i != row && values[i] == values[row] && has_row(verify, i) && row_fits(verify, i, verify->rule))
            return i;
    return row;
}

static void report(struct verify *verify, size_t row)
{
    const struct csv_table *table = verify->table;
    const char *printed = csv_table_cell(table, row, (size_t)verify->percent);
    const char *a = csv_table_cell(table, row, (size_t)verify->a), *b = csv_table_cell(table, row, (size_t)verify->b);
    const struct printed_column *percent = &verify->columns[verify->percent];
    bool is_sign = fits(percent, -percent->values[row], allowed(verify, row, verify->rule));
    double expected = computed(verify, row, verify->rule);
    size_t twin = find_twin(verify, row);
    if (is_sign)
        verify_add(verify, FINDING_SIGN, row, "%s is printed for %s against %s; it has the sign of %.2f %%", printed, b,
                   a, expected);
    else if (twin != row)
        verify_add(verify, FINDING_VALUE, row,
                   "%s is printed for %s against %s; they give %.2f %% (in line %zu the same percentage is right)",
                   printed, b, a, expected, table->lines[twin]);
    else
        verify_add(verify, FINDING_VALUE, row, "%s is printed for %s against %s; they give %.2f %%", printed, b, a,
                   expected);
}

void verify_percentages(struct verify *verify)
{
    if (verify->percent < 0)
        return;
    choose_rule(verify);
    for (size_t i = 0; i < verify->table->row_count; i++) {
        if (!has_row(verify, i))
            continue;
        verify->checked[FINDING_VALUE]++;
        if (!row_fits(verify, i, verify->rule) && !is_mean_of_percentages(verify, i))
            report(verify, i);
    }
}
