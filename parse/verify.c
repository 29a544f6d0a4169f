/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "parse/verify_parts.h"

const char *const finding_names[FINDING_KINDS] = {"wrong value", "wrong sign", "repeated value", "wrong total",
                                                  "Little's law"};

double verify_value(const struct verify *verify, size_t row, size_t column)
{
    return verify->columns[column].cells[row].value;
}

bool verify_is_numeric(const struct verify *verify, size_t column)
{
    return verify->columns[column].count * 2 > verify->columns[column].filled;
}

/* "latency us E, threads 1": what is no number, and the threads. */
static char *describe_row(const struct verify *verify, size_t row)
{
    struct buffer text = {0};
    for (size_t c = 0; c < verify->table->column_count; c++) {
        const char *cell = csv_table_cell(verify->table, row, c);
        if ((int)c == verify->threads)
            buffer_append_printf(&text, "%s%s %s", text.size ? " " : "", verify->table->headers[c], cell);
        else if (isnan(verify_value(verify, row, c)) && *cell)
            buffer_append_printf(&text, "%s%s", text.size ? " " : "", cell);
    }
    return buffer_detach(&text);
}

/* "61.73" where the others of the column end in 0. */
static void remark_finer(struct verify *verify, int column)
{
    const struct printed_column *printed = &verify->columns[column];
    if (printed->finer_count > 0)
        message_list_add(
            &verify->remarks,
            "column %s: all but %zu of %zu numbers end in zeros that do not count; \"%s\" in line %zu is printed finer",
            verify->table->headers[column], printed->finer_count, printed->padded_count,
            csv_table_cell(verify->table, printed->finer_row, (size_t)column),
            verify->table->lines[printed->finer_row]);
}

void verify_add(struct verify *verify, enum finding_kind kind, size_t row, double off, bool is_points,
                const char *format, ...)
{
    va_list args;
    va_start(args, format);
    verify->findings = memory_resize(verify->findings, verify->finding_count + 1, sizeof *verify->findings);
    verify->findings[verify->finding_count++] = (struct finding){
        kind, verify->table->lines[row], off, is_points, describe_row(verify, row), memory_vprintf(format, args)};
    va_end(args);
}

void verify_leave_out(struct verify *verify, size_t row, int column, const char *reason)
{
    verify->left_out = memory_resize(verify->left_out, verify->left_out_count + 1, sizeof *verify->left_out);
    verify->left_out[verify->left_out_count++] = (struct left_out){row, (size_t)column, reason};
}

const char *verify_unread_reason(enum printed_kind kind)
{
    return kind == PRINTED_AMBIGUOUS    ? "may have thousands or decimals; nothing in the table says which"
           : kind == PRINTED_OTHER_UNIT ? "has another unit than most of its column"
                                        : "is not read as a number";
}

void verify_use_column(struct verify *verify, int column)
{
    if (column < 0 || verify->is_used[column])
        return;
    verify->is_used[column] = true;
    for (size_t i = 0; i < verify->table->row_count; i++) {
        enum printed_kind kind = verify->columns[column].cells[i].kind;
        if (kind != PRINTED_NOTHING && kind != PRINTED_NUMBER)
            verify_leave_out(verify, i, column, verify_unread_reason(kind));
    }
    remark_finer(verify, column);
}

static double size_of(const struct finding *finding)
{
    return isnan(finding->off) ? -1 : finding->off;
}

static int by_size(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    if (size_of(a) != size_of(b))
        return size_of(a) < size_of(b) ? 1 : -1;
    if (a->line != b->line)
        return (a->line > b->line) - (a->line < b->line);
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static int by_place(const void *x, const void *y)
{
    const struct left_out *a = x, *b = y;
    if (a->row != b->row)
        return (a->row > b->row) - (a->row < b->row);
    return (a->column > b->column) - (a->column < b->column);
}

static void sort(struct verify *verify)
{
    if (verify->finding_count > 1)
        qsort(verify->findings, verify->finding_count, sizeof *verify->findings, by_size);
    if (verify->left_out_count > 1)
        qsort(verify->left_out, verify->left_out_count, sizeof *verify->left_out, by_place);
}

bool verify_init(struct verify *verify, const struct csv_table *table, const char *columns, struct error *err)
{
    *verify = (struct verify){
        .table = table, .a = -1, .b = -1, .percent = -1, .threads = -1, .little_low = NAN, .little_high = NAN};
    verify->decimal_mark = printed_decimal_mark(table);
    verify->columns = memory_zeroed(table->column_count, sizeof *verify->columns);
    verify->is_used = memory_zeroed(table->column_count, sizeof *verify->is_used);
    for (size_t c = 0; c < table->column_count; c++)
        printed_column_read(&verify->columns[c], table, c, verify->decimal_mark);
    verify_find_metrics(verify);
    if (!verify_find_columns(verify, columns, err))
        return false;
    verify_use_column(verify, verify->a);
    verify_use_column(verify, verify->b);
    verify_use_column(verify, verify->percent);
    verify_percentages(verify);
    verify_repeats(verify);
    verify_totals(verify);
    verify_little(verify);
    sort(verify);
    return true;
}

void verify_release(struct verify *verify)
{
    for (size_t i = 0; i < verify->finding_count; i++) {
        free(verify->findings[i].row);
        free(verify->findings[i].message);
    }
    for (size_t c = 0; verify->columns && c < verify->table->column_count; c++)
        printed_column_release(&verify->columns[c]);
    message_list_release(&verify->metrics);
    message_list_release(&verify->remarks);
    free(verify->row_metrics);
    free(verify->rules);
    free(verify->findings);
    free(verify->left_out);
    free(verify->is_used);
    free(verify->columns);
    *verify = (struct verify){0};
}

const char *verify_nothing_checked(const struct verify *verify)
{
    size_t checked = 0;
    for (size_t kind = 0; kind < FINDING_KINDS; kind++)
        checked += verify->checked[kind];
    if (verify->has_percent && verify->checked[FINDING_VALUE] == 0)
        return "no percentage could be checked; what is left out and the remarks say why";
    return checked == 0
               ? "nothing could be checked: there are no percentages and totals, and too few or too short values"
               : NULL;
}
