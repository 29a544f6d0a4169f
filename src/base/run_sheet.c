/* SPDX-License-Identifier: Apache-2.0 */
#include "base/run_sheet.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stats.h"

/* Values are logarithms: below this variance they differ by rounding. */
#define LEAST_VARIANCE 1e-18

static void take_value(struct run_sheet *sheet, size_t place, double value)
{
    size_t column = place % sheet->column_count;
    if (isnan(value))
        return;
    sheet->values[place] = value;
    sheet->has[place] = 1;
    sheet->counts[column]++;
    sheet->sums[column] += value;
    sheet->squares[column] += value * value;
}

static double median_variance(const struct run_sheet *sheet)
{
    double *variances = memory_zeroed(sheet->column_count + 1, sizeof *variances);
    size_t used = 0;
    for (size_t c = 0; c < sheet->column_count; c++) {
        double count = sheet->counts[c];
        if (count >= 2)
            variances[used++] = (sheet->squares[c] - sheet->sums[c] * sheet->sums[c] / count) / (count - 1);
    }
    double median = stats_median(variances, used);
    free(variances);
    return used > 0 ? fmax(median, LEAST_VARIANCE) : LEAST_VARIANCE;
}

static double *zeroes(size_t count)
{
    return memory_zeroed(count + 1, sizeof(double));
}

void run_sheet_init(struct run_sheet *sheet, const double *values, size_t run_count, size_t column_count)
{
    size_t all = run_count * column_count;
    *sheet = (struct run_sheet){.run_count = run_count,
                                .column_count = column_count,
                                .values = zeroes(all),
                                .has = zeroes(all),
                                .counts = zeroes(column_count),
                                .sums = zeroes(column_count),
                                .squares = zeroes(column_count),
                                .b_sums = zeroes(column_count),
                                .b_counts = zeroes(column_count)};
    for (size_t i = 0; i < all; i++)
        take_value(sheet, i, values[i]);
    sheet->floor = median_variance(sheet);
}

void run_sheet_release(struct run_sheet *sheet)
{
    free(sheet->values);
    free(sheet->has);
    free(sheet->counts);
    free(sheet->sums);
    free(sheet->squares);
    free(sheet->b_sums);
    free(sheet->b_counts);
    *sheet = (struct run_sheet){0};
}

static void add_up_b(struct run_sheet *sheet, const bool *is_b)
{
    size_t columns = sheet->column_count;
    for (size_t c = 0; c < columns; c++)
        sheet->b_sums[c] = sheet->b_counts[c] = 0;
    for (size_t r = 0; r < sheet->run_count; r++) {
        for (size_t c = 0; is_b[r] && c < columns; c++) {
            sheet->b_sums[c] += sheet->values[r * columns + c];
            sheet->b_counts[c] += sheet->has[r * columns + c];
        }
    }
}

static double statistic_of(const struct run_sheet *sheet, size_t c)
{
    double b = sheet->b_counts[c], a = sheet->counts[c] - b;
    if (a < 1 || b < 1 || a + b < 3)
        return 0;
    double b_sum = sheet->b_sums[c], a_sum = sheet->sums[c] - b_sum;
    double within = sheet->squares[c] - a_sum * a_sum / a - b_sum * b_sum / b;
    double variance = fmax(within, 0) / (a + b - 2) + sheet->floor;
    return (b_sum / b - a_sum / a) / sqrt(variance * (1 / a + 1 / b));
}

void run_sheet_statistics(struct run_sheet *sheet, const bool *is_b, double *t)
{
    add_up_b(sheet, is_b);
    for (size_t c = 0; c < sheet->column_count; c++)
        t[c] = statistic_of(sheet, c);
}

/* A column's values, a's first, and how many on each side. */
struct column {
    double *values;
    size_t a_count, b_count;
};

static void column_init(struct column *column, const struct run_sheet *sheet, size_t number, size_t a_runs)
{
    *column = (struct column){.values = zeroes(sheet->run_count)};
    for (size_t r = 0; r < sheet->run_count; r++) {
        size_t place = r * sheet->column_count + number;
        if (sheet->has[place] == 0)
            continue;
        column->values[column->a_count + column->b_count] = sheet->values[place];
        *(r < a_runs ? &column->a_count : &column->b_count) += 1;
    }
}

/* The shift at which this labelling gives the difference of the means that was seen: the mean of the b's that it calls
 * a less that of the a's that it calls b, which are as many. NAN when it moves none. */
static double typical_value(const struct column *column, const bool *is_b)
{
    double sum = 0;
    size_t moved = 0;
    for (size_t i = 0; i < column->a_count; i++)
        if (is_b[i]) {
            sum -= column->values[i];
            moved++;
        }
    for (size_t i = column->a_count; i < column->a_count + column->b_count; i++)
        sum += is_b[i] ? 0 : column->values[i];
    return moved > 0 ? sum / (double)moved : NAN;
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double *list_typical(const struct column *column, const struct labellings *labellings, size_t *count)
{
    double *values = zeroes(labellings->count);
    *count = 0;
    for (size_t k = 1; k < labellings->count; k++) {
        values[*count] = typical_value(column, labellings_row(labellings, k));
        *count += !isnan(values[*count]);
    }
    qsort(values, *count, sizeof *values, by_size);
    return values;
}

/* The k-th typical value from either end has k of the labellings at or outside of it, what was seen among them. */
static void set_interval(const struct column *column, const struct labellings *labellings, double confidence,
                         struct shift *shift)
{
    size_t count;
    double *values = list_typical(column, labellings, &count);
    double all = (double)(count + 1), rejected = floor((1 - confidence) * all / 2 * (1 + 1e-12));
    size_t k = rejected >= 1 ? (size_t)rejected : 1;
    if (count > 0) {
        shift->low = values[k - 1];
        shift->high = values[count - k];
        shift->confidence = 1 - 2 * (double)k / all;
    }
    shift->is_widest = rejected < 1;
    shift->is_exact = labellings->is_all;
    free(values);
}

void run_sheet_shift(const struct run_sheet *sheet, size_t number, const struct labellings *labellings,
                     double confidence, struct shift *shift)
{
    *shift = (struct shift){NAN, NAN, NAN, NAN, false, false};
    struct column column;
    column_init(&column, sheet, number, labellings->a_count);
    if (column.a_count > 0 && column.b_count > 0) {
        shift->estimate =
            stats_mean(column.values + column.a_count, column.b_count) - stats_mean(column.values, column.a_count);
        bool has_all = column.a_count == labellings->a_count && column.b_count == labellings->b_count;
        struct labellings own = *labellings;
        if (!has_all)
            labellings_init(&own, column.a_count, column.b_count, labellings->limit);
        set_interval(&column, &own, confidence, shift);
        if (!has_all)
            labellings_release(&own);
    }
    free(column.values);
}
