/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PAPER_H
#define PARSE_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A report for people as plain text or as Markdown: headings, paragraphs, lists and tables. What is handed in is plain
 * text of any origin: control characters become '?', what Markdown would take for markup is escaped.
 */
struct paper {
    FILE *file;
    bool is_markdown;
    bool has_colour;  /* of a terminal; not with Markdown */
    unsigned columns; /* that lines are folded at; 0: at none, as for a file or a pipe */
};

/* With Markdown when asked for. On a terminal folded at its width, and in colour unless NO_COLOR is set
 * (https://no-color.org). */
void paper_init(struct paper *paper, FILE *file, bool is_markdown);
void paper_heading(const struct paper *paper, const char *format, ...) __attribute__((format(printf, 2, 3)));
void paper_paragraph(const struct paper *paper, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One entry of a list, under a heading or a paragraph. */
void paper_item(const struct paper *paper, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum paper_tone { TONE_PLAIN, TONE_GOOD, TONE_BAD, TONE_WARNING, TONE_FAINT, TONE_STRONG };

struct paper_column {
    const char *title;
    bool is_number; /* aligned right */
};

/* Rows of `column_count` texts each, owned by the table. Released with paper_table_release(). */
struct paper_table {
    const struct paper_column *columns;
    size_t column_count;
    char **texts;
    enum paper_tone *tones; /* one a row */
    size_t row_count, row_capacity;
};

void paper_table_init(struct paper_table *table, const struct paper_column *columns, size_t column_count);
void paper_table_release(struct paper_table *table);
/* A new row of empty texts. */
void paper_table_add_row(struct paper_table *table, enum paper_tone tone);
/* Text of the last row. */
void paper_table_set(struct paper_table *table, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Columns without any text are left out. */
void paper_table_print(const struct paper *paper, const struct paper_table *table);

#endif
