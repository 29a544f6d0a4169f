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
    bool in_heading;          /* the row that is being written is a table's first */
    struct buffer alignments; /* of a Markdown table, written below its first row */
};

void document_begin(struct document *document, bool is_html, const char *title);
void document_end(struct document *document);
void document_heading(struct document *document, unsigned level, const char *text);
/* A heading that document_link() leads to; `anchor` is of letters, digits and "._-". */
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

/* A picture that stands beside the document (Markdown), and one that becomes part of it (HTML): from "<svg" on. */
void document_picture(struct document *document, const char *file, const char *text);
void document_svg(struct document *document, const char *svg, size_t size);

#endif
