/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/paper.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "base/text.h"

/* A text that is wider does not make its column wider: one long name is no reason to spread a whole table. */
#define COLUMN_WIDTH_MAX 44

static const char *const tones[] = {[TONE_PLAIN] = "",           [TONE_GOOD] = "\033[32m", [TONE_BAD] = "\033[31m",
                                    [TONE_WARNING] = "\033[33m", [TONE_FAINT] = "\033[2m", [TONE_STRONG] = "\033[1m"};

void paper_init(struct paper *paper, FILE *file, bool is_markdown)
{
    const char *no_colour = getenv("NO_COLOR");
    *paper = (struct paper){file, is_markdown, false};
    paper->has_colour = !is_markdown && !(no_colour && no_colour[0]) && terminal_is_capable(fileno(file));
}

static bool is_markup(char c)
{
    return strchr("\\`*_{}[]<>#|&~", c) != NULL;
}

static void put_text(const struct paper *paper, const char *text)
{
    char *safe = text_safe(text);
    for (const char *c = safe; *c; c++) {
        if (paper->is_markdown && is_markup(*c))
            fputc('\\', paper->file);
        fputc(*c, paper->file);
    }
    free(safe);
}

static void put_in_tone(const struct paper *paper, enum paper_tone tone, const char *text)
{
    bool is_coloured = paper->has_colour && tone != TONE_PLAIN && text[0];
    if (is_coloured)
        fputs(tones[tone], paper->file);
    put_text(paper, text);
    if (is_coloured)
        fputs("\033[0m", paper->file);
}

__attribute__((format(printf, 3, 0))) static void put_format(const struct paper *paper, enum paper_tone tone,
                                                             const char *format, va_list args)
{
    char *text = memory_vprintf(format, args);
    put_in_tone(paper, tone, text);
    free(text);
}

void paper_heading(const struct paper *paper, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs(paper->is_markdown ? "\n## " : "\n", paper->file);
    put_format(paper, TONE_STRONG, format, args);
    fputs(paper->is_markdown ? "\n\n" : "\n", paper->file);
    va_end(args);
}

void paper_paragraph(const struct paper *paper, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_format(paper, TONE_PLAIN, format, args);
    fputs(paper->is_markdown ? "\n\n" : "\n", paper->file);
    va_end(args);
}

void paper_item(const struct paper *paper, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs(paper->is_markdown ? "- " : "  ", paper->file);
    put_format(paper, TONE_PLAIN, format, args);
    fputc('\n', paper->file);
    va_end(args);
}

void paper_table_init(struct paper_table *table, const struct paper_column *columns, size_t column_count)
{
    *table = (struct paper_table){.columns = columns, .column_count = column_count};
}

void paper_table_release(struct paper_table *table)
{
    for (size_t i = 0; i < table->row_count * table->column_count; i++)
        free(table->texts[i]);
    free(table->texts);
    free(table->tones);
    *table = (struct paper_table){0};
}

void paper_table_add_row(struct paper_table *table, enum paper_tone tone)
{
    if (table->row_count == table->row_capacity) {
        table->row_capacity = table->row_capacity ? table->row_capacity * 2 : 64;
        table->texts = memory_resize(table->texts, table->row_capacity, table->column_count * sizeof *table->texts);
        table->tones = memory_resize(table->tones, table->row_capacity, sizeof *table->tones);
    }
    for (size_t i = 0; i < table->column_count; i++)
        table->texts[table->row_count * table->column_count + i] = memory_strdup("");
    table->tones[table->row_count++] = tone;
}

void paper_table_set(struct paper_table *table, size_t column, const char *format, ...)
{
    char **text = &table->texts[(table->row_count - 1) * table->column_count + column];
    va_list args;
    va_start(args, format);
    free(*text);
    *text = memory_vprintf(format, args);
    va_end(args);
}

static size_t *find_widths(const struct paper_table *table)
{
    size_t *widths = memory_zeroed(table->column_count, sizeof *widths);
    for (size_t c = 0; c < table->column_count; c++)
        widths[c] = text_columns(table->columns[c].title);
    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        size_t width = text_columns(table->texts[i]), *widest = &widths[i % table->column_count];
        if (width > *widest && width <= COLUMN_WIDTH_MAX)
            *widest = width;
    }
    return widths;
}

static bool is_empty_column(const struct paper_table *table, size_t column)
{
    for (size_t r = 0; r < table->row_count; r++)
        if (table->texts[r * table->column_count + column][0])
            return false;
    return true;
}

/* The columns that hold something, in their order. */
struct shown_columns {
    size_t *list;
    size_t count;
    size_t *widths; /* of all columns */
};

static void show_columns(const struct paper_table *table, struct shown_columns *shown)
{
    *shown = (struct shown_columns){.list = memory_zeroed(table->column_count + 1, sizeof *shown->list)};
    for (size_t c = 0; c < table->column_count; c++)
        if (!is_empty_column(table, c))
            shown->list[shown->count++] = c;
    shown->widths = find_widths(table);
}

static void put_spaces(const struct paper *paper, size_t count)
{
    fprintf(paper->file, "%*s", (int)count, "");
}

static void put_padded(const struct paper *paper, const char *text, bool is_number, size_t width, enum paper_tone tone)
{
    size_t own = text_columns(text), room = width > own ? width - own : 0;
    if (is_number)
        put_spaces(paper, room);
    put_in_tone(paper, tone, text);
    if (!is_number)
        put_spaces(paper, room);
}

/* The last text of a line has nothing behind it. */
static void print_text_row(const struct paper *paper, const struct paper_table *table,
                           const struct shown_columns *shown, const char *const *texts, enum paper_tone tone)
{
    for (size_t i = 0; i < shown->count; i++) {
        size_t column = shown->list[i];
        bool is_last = i + 1 == shown->count, is_number = table->columns[column].is_number;
        put_padded(paper, texts[column], is_number, is_last && !is_number ? 0 : shown->widths[column], tone);
        fputs(is_last ? "\n" : "  ", paper->file);
    }
}

static void print_text(const struct paper *paper, const struct paper_table *table, const struct shown_columns *shown)
{
    const char **titles = memory_zeroed(table->column_count + 1, sizeof *titles);
    for (size_t c = 0; c < table->column_count; c++)
        titles[c] = table->columns[c].title;
    print_text_row(paper, table, shown, titles, TONE_FAINT);
    for (size_t r = 0; r < table->row_count; r++)
        print_text_row(paper, table, shown, (const char *const *)table->texts + r * table->column_count,
                       table->tones[r]);
    free(titles);
}

static void print_markdown(const struct paper *paper, const struct paper_table *table,
                           const struct shown_columns *shown)
{
    for (size_t i = 0; i < shown->count; i++)
        fprintf(paper->file, "| %s ", table->columns[shown->list[i]].title);
    fputs("|\n", paper->file);
    for (size_t i = 0; i < shown->count; i++)
        fputs(table->columns[shown->list[i]].is_number ? "|---:" : "|---", paper->file);
    fputs("|\n", paper->file);
    for (size_t r = 0; r < table->row_count; r++) {
        for (size_t i = 0; i < shown->count; i++) {
            fputs("| ", paper->file);
            put_text(paper, table->texts[r * table->column_count + shown->list[i]]);
            fputc(' ', paper->file);
        }
        fputs("|\n", paper->file);
    }
    fputc('\n', paper->file);
}

void paper_table_print(const struct paper *paper, const struct paper_table *table)
{
    struct shown_columns shown;
    show_columns(table, &shown);
    if (paper->is_markdown)
        print_markdown(paper, table, &shown);
    else
        print_text(paper, table, &shown);
    free(shown.list);
    free(shown.widths);
}
