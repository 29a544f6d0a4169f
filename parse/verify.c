/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/verify.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "parse/verify_parts.h"

const char *const finding_names[FINDING_KINDS] = {"wrong value", "wrong sign", "repeated value", "wrong total",
                                                  "Little's law"};

static bool is_listed(const char *word, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && strncasecmp(*words, word, length) == 0)
            return true;
    return false;
}

/* Counts the words of a text, and those of them that are listed. */
static void count_words(const char *text, const char *const *words, size_t *all, size_t *listed)
{
    *all = *listed = 0;
    while (*text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '%')
            length++;
        if (length) {
            (*all)++;
            *listed += is_listed(text, length, words);
        }
        text += length ? length : 1;
    }
}

bool verify_has_word(const char *text, const char *const *words)
{
    size_t all, listed;
    count_words(text, words, &all, &listed);
    return listed > 0;
}

bool verify_is_numeric(const struct verify *verify, size_t column)
{
    return verify->columns[column].count * 2 > verify->table->row_count;
}

/* Of a cell that says nothing else: "average runtime" is the name of something, not the average of what is above. */
static enum row_kind kind_of_cell(const char *text)
{
    static const char *const total[] = {"total", "totals", "sum", NULL};
    static const char *const average[] = {"average", "averages", "avg", "mean", NULL};
    static const char *const fillers[] = {"total", "totals",  "sum", "average", "averages", "avg", "mean",
                                          "grand", "overall", "of",  "the",     "all",      NULL};
    size_t all, listed;
    count_words(text, fillers, &all, &listed);
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
    /* Total and average of the same rows may stand below each other. */
    while (row > 0 && verify_row_kind(verify, row - 1) != ROW_PLAIN)
        row--;
    while (row > 0 && verify_row_kind(verify, row - 1) == ROW_PLAIN)
        row--;
    return row;
}

/* "latency us E, threads 1": what is no number, and the threads. */
static char *describe_row(const struct verify *verify, size_t row)
{
    struct buffer text = {0};
    for (size_t c = 0; c < verify->table->column_count; c++) {
        const char *cell = csv_table_cell(verify->table, row, c);
        if ((int)c == verify->threads)
            buffer_append_printf(&text, "%s%s %s", text.size ? " " : "", verify->table->headers[c], cell);
        else if (isnan(verify->columns[c].values[row]) && *cell)
            buffer_append_printf(&text, "%s%s", text.size ? " " : "", cell);
    }
    char *words = memory_strdup(buffer_text(&text));
    buffer_release(&text);
    return words;
}

void verify_add(struct verify *verify, enum finding_kind kind, size_t row, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    verify->findings = memory_resize(verify->findings, verify->finding_count + 1, sizeof *verify->findings);
    verify->findings[verify->finding_count++] =
        (struct finding){kind, verify->table->lines[row], describe_row(verify, row), memory_vprintf(format, args)};
    va_end(args);
}

static int by_line(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    if (a->line != b->line)
        return (a->line > b->line) - (a->line < b->line);
    return (a->kind > b->kind) - (a->kind < b->kind);
}

bool verify_init(struct verify *verify, const struct csv_table *table, const char *columns, struct error *err)
{
    *verify = (struct verify){
        .table = table, .a = -1, .b = -1, .percent = -1, .threads = -1, .little_low = NAN, .little_high = NAN};
    verify->columns = memory_zeroed(table->column_count, sizeof *verify->columns);
    for (size_t c = 0; c < table->column_count; c++)
        printed_column_read(&verify->columns[c], table, c);
    if (!verify_find_columns(verify, columns, err))
        return false;
    verify_percentages(verify);
    verify_repeats(verify);
    verify_totals(verify);
    verify_little(verify);
    if (verify->finding_count > 1)
        qsort(verify->findings, verify->finding_count, sizeof *verify->findings, by_line);
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
    free(verify->findings);
    free(verify->columns);
    *verify = (struct verify){0};
}
