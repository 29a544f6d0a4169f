/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DOCUMENT_H
#define PARSE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * A text for people as Markdown or as HTML. Whatever is handed in as `text` is shown as it stands: characters that mean
 * something in either language are escaped here and nowhere else.
 */
struct document {
    struct buffer out;
    bool is_html;
    bool in_heading;           /* the row that is being written is a table's first */
    struct buffer alignments;  /* of a Markdown table, written below its first row */
    unsigned columns;          /* of the table */
    const char *anchor, *name; /* of the group that begins; lent; NULL: its first row has been written */
    unsigned pictures;         /* that became part of it */
};

enum document_pictures { DOCUMENT_PLOTS, DOCUMENT_PANELS /* small ones */ };

void document_begin(struct document *document, bool is_html, const char *title);
void document_end(struct document *document);
void document_heading(struct document *document, unsigned level, const char *text);
/* A heading that document_link_cell() leads to; `anchor` is of letters, digits and "._-". */
void document_anchored_heading(struct document *document, unsigned level, const char *anchor, const char *text);
void document_paragraph(struct document *document, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* In letters of one width, line breaks kept. */
void document_code(struct document *document, const char *text);

/* Tables: rows of cells; the first is the heading, and a number cell in it makes its column one of numbers. */
void document_table(struct document *document);
void document_cell(struct document *document, const char *text);
void document_number_cell(struct document *document, const char *text);
void document_link_cell(struct document *document, const char *anchor, const char *text);
void document_end_row(struct document *document);
void document_end_table(struct document *document);

/* Rows that belong together, begun between two rows; they are not torn apart when they are printed. */
void document_begin_group(struct document *document);
/* The same with a name, which links to `anchor` unless that is NULL: in HTML a line above the group's rows, in Markdown
 * a column before the others, whose heading is `column`; each row of such a table begins with
 * document_begin_named_row(). */
void document_group_column(struct document *document, const char *column);
void document_begin_named_group(struct document *document, const char *anchor, const char *name);
void document_begin_named_row(struct document *document);

/* Pictures that are beside each other where there is room for it. */
void document_begin_pictures(struct document *document, enum document_pictures kind);
void document_end_pictures(struct document *document);
/* A picture in a file beside the document (Markdown), and one that becomes part of it (HTML): one <svg> element. `text`
 * says what it shows to those who do not see it. The ids of the element are made unique in the document. */
void document_picture(struct document *document, const char *file, const char *text);
void document_svg(struct document *document, const char *svg, size_t size, const char *text);

#endif
