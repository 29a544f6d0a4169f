/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "parse/paper_parts.h"

/* Where lines are not folded, a text that is wider does not make its column wider: one long name is no reason to spread
 * a whole table. */
#define COLUMN_WIDTH_MAX 44
/* Nor is one made narrower than this to make the table fit. */
#define COLUMN_WIDTH_MIN 10
/* The last column holds sentences: narrower than this they are better off in lines of their own, below the others. */
#define SENTENCE_WIDTH_MIN 24
#define SENTENCE_INDENT 6
#define BETWEEN_COLUMNS 2

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

/* Texts that are wider than `most` do not count. */
static size_t *find_widths(const struct paper_table *table, size_t most)
{
    size_t *widths = memory_zeroed(table->column_count, sizeof *widths);
    for (size_t c = 0; c < table->column_count; c++)
        widths[c] = text_columns(table->columns[c].title);
    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        size_t width = text_columns(table->texts[i]), *widest = &widths[i % table->column_count];
        if (width > *widest && width <= most)
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
    size_t *widths;  /* of all columns */
    size_t sentence; /* the column that is printed below the others, which are `count` without it */
    bool has_sentence;
};

static size_t whole_width(const struct shown_columns *shown)
{
    size_t width = shown->count > 0 ? BETWEEN_COLUMNS * (shown->count - 1) : 0;
    for (size_t i = 0; i < shown->count; i++)
        width += shown->widths[shown->list[i]];
    return width;
}

/* Makes a column narrower by what is too much, but not narrower than `least`. */
static void narrow(size_t *width, size_t least, size_t too_much)
{
    size_t room = *width > least ? *width - least : 0;
    *width -= too_much < room ? too_much : room;
}

/* The widest column of text that can become narrower, or NULL. */
static size_t *find_widest(const struct paper_table *table, const struct shown_columns *shown)
{
    size_t *widest = NULL;
    for (size_t i = 0; i < shown->count; i++) {
        size_t *width = &shown->widths[shown->list[i]];
        if (!table->columns[shown->list[i]].is_number && *width > COLUMN_WIDTH_MIN && (!widest || *width > *widest))
            widest = width;
    }
    return widest;
}

/* First the last column becomes narrower, then it goes below the others, then they become narrower. */
static void fit(const struct paper_table *table, struct shown_columns *shown, size_t columns)
{
    size_t *widest, last = shown->list[shown->count - 1];
    if (whole_width(shown) > columns && shown->count > 1 && !table->columns[last].is_number) {
        narrow(&shown->widths[last], SENTENCE_WIDTH_MIN, whole_width(shown) - columns);
        shown->has_sentence = whole_width(shown) > columns;
        shown->sentence = last;
        shown->count -= shown->has_sentence;
    }
    while (whole_width(shown) > columns && (widest = find_widest(table, shown)))
        narrow(widest, COLUMN_WIDTH_MIN, 1);
}

static void show_columns(const struct paper *paper, const struct paper_table *table, struct shown_columns *shown)
{
    *shown = (struct shown_columns){.list = memory_zeroed(table->column_count + 1, sizeof *shown->list)};
    for (size_t c = 0; c < table->column_count; c++)
        if (!is_empty_column(table, c))
            shown->list[shown->count++] = c;
    shown->widths = find_widths(table, paper->columns ? SIZE_MAX : COLUMN_WIDTH_MAX);
    if (paper->columns && shown->count > 0)
        fit(table, shown, paper->columns);
}

/* `length` bytes of a text in its column; `is_last`: nothing comes behind it in this line. */
static void put_padded(const struct paper *paper, const char *text, size_t length, bool is_number, size_t width,
                       bool is_last, enum paper_tone tone)
{
    char *piece = memory_printf("%.*s", (int)length, text);
    size_t own = text_columns(piece), room = width > own ? width - own : 0;
    if (is_number)
        paper_put_spaces(paper, room);
    paper_put_in_tone(paper, tone, piece);
    if (!is_number && !is_last)
        paper_put_spaces(paper, room);
    free(piece);
}

/* What is left to print of each shown column, the last of them that has anything; 0: nothing. */
static size_t count_left(const struct shown_columns *shown, const char *const *rests)
{
    size_t count = shown->count;
    while (count > 0 && !*rests[shown->list[count - 1]])
        count--;
    return count;
}

/* A text that its column is too narrow for goes on in the next line. */
static void print_text_row(const struct paper *paper, const struct paper_table *table,
                           const struct shown_columns *shown, const char *const *texts, enum paper_tone tone)
{
    const char **rests = memory_copy(texts, table->column_count * sizeof(char *));
    for (size_t left; (left = count_left(shown, rests)) > 0;) {
        for (size_t i = 0; i < left; i++) {
            size_t column = shown->list[i], length = paper_first_line(paper, rests[column], shown->widths[column]);
            put_padded(paper, rests[column], length, table->columns[column].is_number, shown->widths[column],
                       i + 1 == left, tone);
            fputs(i + 1 < left ? "  " : "\n", paper->file);
            rests[column] = paper_skip_blanks(rests[column] + length);
        }
    }
    if (shown->has_sentence && *texts[shown->sentence]) {
        paper_put_spaces(paper, SENTENCE_INDENT);
        paper_put_lines(paper, SENTENCE_INDENT, SENTENCE_INDENT, tone, texts[shown->sentence]);
    }
    free(rests);
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
            paper_put_text(paper, table->texts[r * table->column_count + shown->list[i]]);
            fputc(' ', paper->file);
        }
        fputs("|\n", paper->file);
    }
    fputc('\n', paper->file);
}

void paper_table_print(const struct paper *paper, const struct paper_table *table)
{
    struct shown_columns shown;
    show_columns(paper, table, &shown);
    if (paper->is_markdown)
        print_markdown(paper, table, &shown);
    else
        print_text(paper, table, &shown);
    free(shown.list);
    free(shown.widths);
}
