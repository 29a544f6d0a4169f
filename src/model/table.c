/* SPDX-License-Identifier: Apache-2.0 */
#include "model/table.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stats.h"
#include "base/text.h"
#include "model/cell.h"
#include "model/table_marks.h"

#define MESSAGES_MAX 12

struct grid_cell {
    struct cell cell;
    char number[TABLE_NUMBER_SIZE]; /* or the word in its place */
    char marks[TABLE_MARKS_SIZE];
};

/* The table's content, computed before anything is printed. */
struct grid {
    const struct result *result;
    size_t *tests; /* rows: positions in result->tests */
    char **names;  /* rows, made safe */
    size_t row_count, column_count;
    struct grid_cell *cells; /* row by row */
    size_t name_width;
    size_t *number_widths, *mark_widths; /* a column */
    unsigned used_marks;
    size_t planned_trials; /* a cell, 0: unknown */
};

static struct grid_cell *grid_at(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->column_count + column];
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void fill_cell(struct grid *grid, size_t row, size_t column)
{
    struct grid_cell *at = grid_at(grid, row, column);
    cell_collect(grid->result, grid->tests[row], column, &at->cell);
    if (at->cell.counted > 0) {
        table_format_rate(at->cell.ops_per_sec, at->number);
        table_marks_behind(&at->cell, grid->planned_trials, at->marks, &grid->used_marks);
    } else {
        snprintf(at->number, sizeof at->number, "%s", table_marks_instead(&at->cell, &grid->used_marks));
    }
    grid->number_widths[column] = larger(grid->number_widths[column], strlen(at->number));
    grid->mark_widths[column] = larger(grid->mark_widths[column], strlen(at->marks));
}

static size_t planned_trials(const struct result *result)
{
    const json_t *options = json_object_get(result->header, "options");
    return (size_t)json_integer_value(json_object_get(options, "trialCount"));
}

static void grid_init(struct grid *grid, const struct result *result)
{
    *grid = (struct grid){.result = result, .column_count = result->thread_count};
    grid->planned_trials = planned_trials(result);
    grid->tests = memory_zeroed(result->test_count + 1, sizeof *grid->tests);
    for (size_t test = 0; test < result->test_count; test++)
        if (result->tests[test].start_wall_ms != 0)
            grid->tests[grid->row_count++] = test;
    grid->names = memory_zeroed(grid->row_count, sizeof *grid->names);
    for (size_t row = 0; row < grid->row_count; row++)
        grid->names[row] = text_safe(result->tests[grid->tests[row]].name);
    grid->cells = memory_zeroed(grid->row_count * grid->column_count + 1, sizeof *grid->cells);
    grid->number_widths = memory_zeroed(grid->column_count + 1, sizeof *grid->number_widths);
    grid->mark_widths = memory_zeroed(grid->column_count + 1, sizeof *grid->mark_widths);
    grid->name_width = strlen("ops/s at threads");
    for (size_t column = 0; column < grid->column_count; column++) {
        char rung[16];
        grid->number_widths[column] = (size_t)snprintf(rung, sizeof rung, "%u", result->threads[column]);
        for (size_t row = 0; row < grid->row_count; row++)
            fill_cell(grid, row, column);
    }
    for (size_t row = 0; row < grid->row_count; row++)
        grid->name_width = larger(grid->name_width, text_columns(grid->names[row]));
}

static void grid_release(struct grid *grid)
{
    for (size_t row = 0; row < grid->row_count; row++)
        free(grid->names[row]);
    free(grid->names);
    free(grid->tests);
    free(grid->cells);
    free(grid->number_widths);
    free(grid->mark_widths);
}

static size_t column_width(const struct grid *grid, size_t column)
{
    return 2 + grid->number_widths[column] + grid->mark_widths[column];
}

/* The first column that does not fit beside those from `first`; at least one fits always. */
static size_t block_end(const struct grid *grid, size_t first, unsigned width)
{
    size_t used = grid->name_width + column_width(grid, first), end = first + 1;
    while (end < grid->column_count && (width == 0 || used + column_width(grid, end) <= width))
        used += column_width(grid, end++);
    return end;
}

static void print_name(const struct grid *grid, const char *name, FILE *out)
{
    fprintf(out, "%s%*s", name, (int)(grid->name_width - text_columns(name)), "");
}

static void print_heading(const struct grid *grid, size_t first, size_t end, FILE *out)
{
    print_name(grid, "ops/s at threads", out);
    for (size_t column = first; column < end; column++) {
        int padding = column + 1 < end ? (int)grid->mark_widths[column] : 0;
        fprintf(out, "  %*u%*s", (int)grid->number_widths[column], grid->result->threads[column], padding, "");
    }
    fputc('\n', out);
}

static void print_row(const struct grid *grid, size_t row, size_t first, size_t end, FILE *out)
{
    print_name(grid, grid->names[row], out);
    for (size_t column = first; column < end; column++) {
        const struct grid_cell *at = grid_at(grid, row, column);
        int padding = column + 1 < end ? (int)(grid->mark_widths[column] - strlen(at->marks)) : 0;
        fprintf(out, "  %*s%s%*s", (int)grid->number_widths[column], at->number, at->marks, padding, "");
    }
    fputc('\n', out);
}

static void print_legend(const struct grid *grid, FILE *out)
{
    const char *sign, *meaning;
    for (size_t i = 0; table_marks_legend(grid->used_marks, i, &sign, &meaning); i++)
        fprintf(out, "%s%-6s %s\n", i == 0 ? "\n" : "", sign, meaning);
}

struct widest {
    size_t row, column;
    double spread;
};

/* Spreads of the cells that have one, and the largest with its place. */
static size_t collect_spreads(const struct grid *grid, double *spreads, struct widest *widest)
{
    size_t count = 0;
    *widest = (struct widest){.spread = -1};
    for (size_t row = 0; row < grid->row_count; row++) {
        for (size_t column = 0; column < grid->column_count; column++) {
            double spread = table_marks_spread(&grid_at(grid, row, column)->cell);
            if (isnan(spread))
                continue;
            spreads[count++] = spread;
            if (spread > widest->spread)
                *widest = (struct widest){row, column, spread};
        }
    }
    return count;
}

static void format_percent(double part, char text[TABLE_NUMBER_SIZE])
{
    unsigned tenths = part < 1e6 ? (unsigned)lround(part * 1000) : UINT_MAX;
    snprintf(text, TABLE_NUMBER_SIZE, "%u.%u %%", tenths / 10, tenths % 10);
}

static void print_spread(const struct grid *grid, FILE *out)
{
    struct widest widest;
    double *spreads = memory_zeroed(grid->row_count * grid->column_count + 1, sizeof *spreads);
    size_t count = collect_spreads(grid, spreads, &widest);
    if (count == 0) {
        fprintf(out, "\nWith one trial per cell the spread is unknown; use --trialCount 3 or more.\n");
    } else {
        unsigned threads = grid->result->threads[widest.column];
        char median[TABLE_NUMBER_SIZE], largest[TABLE_NUMBER_SIZE];
        format_percent(stats_median(spreads, count), median);
        format_percent(widest.spread, largest);
        fprintf(out,
                "\nSpread of trials within a cell (fastest less slowest, of the mean): median %s, largest %s "
                "(%s at %u thread%s).\n",
                median, largest, grid->names[widest.row], threads, text_plural(threads));
    }
    free(spreads);
}

static void print_troubles(const struct grid *grid, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
        const struct cell *cell = &grid->cells[i].cell;
        char *trouble = cell->ended > 0 ? cell_troubles(cell) : NULL;
        if (trouble && count == 0)
            fputc('\n', out);
        if (trouble && count++ < MESSAGES_MAX)
            text_print_line(out, "%s at %u: %s", grid->names[i / grid->column_count],
                            grid->result->threads[i % grid->column_count], trouble);
        free(trouble);
    }
    if (count > MESSAGES_MAX)
        fprintf(out, "... and %zu more cell%s; the result file has them all.\n", count - MESSAGES_MAX,
                count == MESSAGES_MAX + 1 ? "" : "s");
}

static void print_tests_left_out(const struct grid *grid, FILE *out)
{
    const struct result *result = grid->result;
    size_t unreached = 0;
    for (size_t i = 0; i < result->test_count; i++) {
        if (result->tests[i].skipped)
            text_print_line(out, "Skipped: %s needs a server %s.", result->tests[i].name, result->tests[i].skipped);
        else
            unreached += result->tests[i].start_wall_ms == 0;
    }
    if (unreached > 0)
        fprintf(out, "%zu of %zu tests %s not reached.\n", unreached, result->test_count,
                unreached == 1 ? "was" : "were");
    if (!result->complete && result->header)
        fprintf(out, "The run was %s; cells that had not ended are not measured.\n",
                result->interrupted ? "interrupted" : "cut short");
}

void table_print(const struct result *result, unsigned width, FILE *out)
{
    struct grid grid;
    grid_init(&grid, result);
    for (size_t first = 0, end; grid.row_count > 0 && first < grid.column_count; first = end) {
        end = block_end(&grid, first, width);
        if (first > 0)
            fputc('\n', out);
        print_heading(&grid, first, end, out);
        for (size_t row = 0; row < grid.row_count; row++)
            print_row(&grid, row, first, end, out);
    }
    if (grid.row_count > 0) {
        print_legend(&grid, out);
        print_spread(&grid, out);
        print_troubles(&grid, out);
    }
    print_tests_left_out(&grid, out);
    grid_release(&grid);
}
