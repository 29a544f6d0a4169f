/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/document.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:1100px;margin:2em auto;padding:0 1em}"
    "h2{margin-top:2em;border-bottom:1px solid #d8d8d8}h3{margin-top:2em;overflow-wrap:anywhere}"
    "table{border-collapse:collapse;margin:1em 0}th,td{border:1px solid #d8d8d8;padding:.25em .6em;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere}th{background:#f4f4f4}.n{text-align:right;white-space:nowrap}"
    "pre{background:#f4f4f4;padding:.6em;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}"
    "svg{max-width:100%;height:auto;display:block;margin:.5em 0}";

static void append(struct document *document, const char *text)
{
    buffer_append(&document->out, text, strlen(text));
}

static const char *html_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void append_escaped(struct document *document, const char *text)
{
    char *safe = text_safe(text); /* a line break would end a table's row or a heading */
    for (const char *c = safe; *c; c++) {
        const char *entity = document->is_html ? html_entity(*c) : NULL;
        if (entity)
            append(document, entity);
        else if (!document->is_html && strchr("\\`*_{}[]<>#|~$&!", *c))
            buffer_append_printf(&document->out, "\\%c", *c);
        else
            buffer_append(&document->out, c, 1);
    }
    free(safe);
}

void document_begin(struct document *document, bool is_html, const char *title)
{
    *document = (struct document){.is_html = is_html};
    if (is_html) {
        append(document, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
        append_escaped(document, title);
        buffer_append_printf(&document->out, "</title>\n<style>%s</style>\n</head>\n<body>\n", style);
    }
    document_heading(document, 1, title);
}

void document_end(struct document *document)
{
    if (document->is_html)
        append(document, "</body>\n</html>\n");
    buffer_release(&document->alignments);
}

void document_heading(struct document *document, unsigned level, const char *text)
{
    document_anchored_heading(document, level, NULL, text);
}

void document_anchored_heading(struct document *document, unsigned level, const char *anchor, const char *text)
{
    if (document->is_html) {
        buffer_append_printf(&document->out, anchor ? "<h%u id=\"%s\">" : "<h%u>", level, anchor);
        append_escaped(document, text);
        buffer_append_printf(&document->out, "</h%u>\n", level);
        return;
    }
    if (document->out.size > 0)
        append(document, "\n");
    if (anchor)
        buffer_append_printf(&document->out, "<a id=\"%s\"></a>\n\n", anchor);
    buffer_append_printf(&document->out, "%.*s ", (int)level, "######");
    append_escaped(document, text);
    append(document, "\n");
}

void document_paragraph(struct document *document, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    append(document, document->is_html ? "<p>" : "\n");
    append_escaped(document, text);
    append(document, document->is_html ? "</p>\n" : "\n");
    free(text);
}

/* Markdown: four blanks before each line, which no text can end as it could end a fence of backticks. */
void document_code(struct document *document, const char *text)
{
    append(document, document->is_html ? "<pre>" : "\n    ");
    for (const char *c = text; *c; c++) {
        const char *entity = document->is_html ? html_entity(*c) : NULL;
        if (entity)
            append(document, entity);
        else
            buffer_append(&document->out, c, 1);
        if (*c == '\n' && !document->is_html)
            append(document, "    ");
    }
    append(document, document->is_html ? "</pre>\n" : "\n");
}

void document_table(struct document *document)
{
    document->in_heading = true;
    buffer_clear(&document->alignments);
    append(document, document->is_html ? "<table>\n<tr>" : "\n|");
}

static void begin_cell(struct document *document, bool is_number)
{
    if (document->is_html)
        buffer_append_printf(&document->out, "<%s%s>", document->in_heading ? "th" : "td",
                             is_number ? " class=\"n\"" : "");
    else
        append(document, " ");
    if (document->in_heading)
        buffer_append_printf(&document->alignments, is_number ? " ---: |" : " --- |");
}

static void end_cell(struct document *document)
{
    append(document, !document->is_html ? " |" : document->in_heading ? "</th>" : "</td>");
}

void document_cell(struct document *document, const char *text)
{
    begin_cell(document, false);
    append_escaped(document, text);
    end_cell(document);
}

void document_number_cell(struct document *document, const char *text)
{
    begin_cell(document, true);
    append_escaped(document, text);
    end_cell(document);
}

void document_link_cell(struct document *document, const char *anchor, const char *text)
{
    begin_cell(document, false);
    if (document->is_html)
        buffer_append_printf(&document->out, "<a href=\"#%s\">", anchor);
    else
        append(document, "[");
    append_escaped(document, text);
    if (document->is_html)
        append(document, "</a>");
    else
        buffer_append_printf(&document->out, "](#%s)", anchor);
    end_cell(document);
}

void document_end_row(struct document *document)
{
    if (document->is_html)
        append(document, "</tr>\n<tr>");
    else if (document->in_heading)
        buffer_append_printf(&document->out, "\n|%s\n|", buffer_text(&document->alignments));
    else
        append(document, "\n|");
    document->in_heading = false;
}

/* What the last row's end has begun is taken back. */
void document_end_table(struct document *document)
{
    document->out.size -= document->is_html ? strlen("<tr>") : strlen("|");
    if (document->is_html)
        append(document, "</table>\n");
}

void document_picture(struct document *document, const char *file, const char *text)
{
    append(document, "\n![");
    append_escaped(document, text);
    buffer_append_printf(&document->out, "](%s)\n", file);
}

void document_svg(struct document *document, const char *svg, size_t size)
{
    buffer_append(&document->out, svg, size);
    append(document, "\n");
}
