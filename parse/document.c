/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/document.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "parse/svg.h"

#define ROWS_BEGIN "<tbody>\n<tr>"

/* A column of text keeps room for a word, so that no neighbour squeezes it to a letter; a table that is too wide for a
 * small screen scrolls by itself. */
static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:1100px;margin:2em auto;padding:0 1em}"
    "h1,h2,h3{overflow-wrap:anywhere;break-after:avoid}h2{margin-top:2em;border-bottom:1px solid #d8d8d8}"
    "h3{margin-top:2em}p{overflow-wrap:anywhere}"
    ".table{overflow-x:auto;margin:1em 0}table{border-collapse:collapse}"
    "th,td{border:1px solid #d8d8d8;padding:.25em .6em;text-align:left;vertical-align:top;overflow-wrap:anywhere;"
    "min-width:6em}thead th{overflow-wrap:normal;min-width:0}th{background:#f4f4f4}.n{text-align:right;min-width:0}"
    "td.n{white-space:nowrap}"
    "tr,figure{break-inside:avoid}.group{break-inside:avoid}"
    "pre{background:#f4f4f4;padding:.6em;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".plots,.panels{display:grid;gap:.5em;margin:1em "
    "0;grid-template-columns:repeat(auto-fit,minmax(min(100%,30em),1fr))}"
    ".panels{grid-template-columns:repeat(auto-fill,minmax(min(100%,19em),1fr))}"
    "figure{margin:0}svg{display:block;max-width:100%;height:auto}"
    "@media(max-width:600px){body{font-size:13px;margin:1em auto;padding:0 .5em}th,td{padding:.15em "
    ".3em;min-width:4em}}"
    "@media print{@page{size:A4;margin:12mm}body{font-size:10px;max-width:none;margin:0;padding:0}"
    ".table{overflow:visible}th,td{padding:.15em .4em}"
    ".plots{grid-template-columns:1fr 1fr}.panels{grid-template-columns:repeat(3,1fr)}}";

static void append(struct document *document, const char *text)
{
    buffer_append(&document->out, text, strlen(text));
}

static void append_escaped(struct document *document, const char *text)
{
    char *safe = text_safe(text); /* a line break would end a table's row or a heading */
    for (const char *c = safe; *c; c++) {
        const char *entity = document->is_html ? svg_entity(*c) : NULL;
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
        const char *entity = document->is_html ? svg_entity(*c) : NULL;
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
    document->columns = 0;
    buffer_clear(&document->alignments);
    append(document, document->is_html ? "<div class=\"table\"><table>\n<thead>\n<tr>" : "\n|");
}

static void begin_cell(struct document *document, bool is_number)
{
    if (document->is_html)
        buffer_append_printf(&document->out, "<%s%s>", document->in_heading ? "th scope=\"col\"" : "td",
                             is_number ? " class=\"n\"" : "");
    else
        append(document, " ");
    if (document->in_heading) {
        buffer_append_printf(&document->alignments, is_number ? " ---: |" : " --- |");
        document->columns++;
    }
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

/* A name of parts may be broken between them. */
static void append_link_text(struct document *document, const char *text)
{
    if (!document->is_html) {
        append_escaped(document, text);
        return;
    }
    char *copy = memory_strdup(text), *rest = copy, *part;
    while ((part = strsep(&rest, "."))) {
        append_escaped(document, part);
        append(document, rest ? ".<wbr>" : "");
    }
    free(copy);
}

/* `anchor` NULL: the text alone. */
static void append_link(struct document *document, const char *anchor, const char *text)
{
    if (!anchor) {
        append_escaped(document, text);
        return;
    }
    if (document->is_html)
        buffer_append_printf(&document->out, "<a href=\"#%s\">", anchor);
    else
        append(document, "[");
    append_link_text(document, text);
    if (document->is_html)
        append(document, "</a>");
    else
        buffer_append_printf(&document->out, "](#%s)", anchor);
}

void document_link_cell(struct document *document, const char *anchor, const char *text)
{
    begin_cell(document, false);
    append_link(document, anchor, text);
    end_cell(document);
}

void document_end_row(struct document *document)
{
    if (document->is_html)
        append(document, document->in_heading ? "</tr>\n</thead>\n" ROWS_BEGIN : "</tr>\n<tr>");
    else if (document->in_heading)
        buffer_append_printf(&document->out, "\n|%s\n|", buffer_text(&document->alignments));
    else
        append(document, "\n|");
    document->in_heading = false;
}

static bool ends_with(struct document *document, const char *text)
{
    size_t size = strlen(text);
    return document->out.size >= size && memcmp(document->out.data + document->out.size - size, text, size) == 0;
}

/* What the last row's end has begun is taken back. */
void document_begin_group(struct document *document)
{
    if (!document->is_html)
        return;
    bool is_first = ends_with(document, ROWS_BEGIN);
    document->out.size -= strlen(is_first ? ROWS_BEGIN : "<tr>");
    append(document, is_first ? "" : "</tbody>\n");
    append(document, "<tbody class=\"group\">\n<tr>");
}

void document_group_column(struct document *document, const char *column)
{
    if (!document->is_html)
        document_cell(document, column);
}

void document_begin_named_group(struct document *document, const char *anchor, const char *name)
{
    document_begin_group(document);
    document->anchor = anchor;
    document->name = name;
    if (!document->is_html)
        return;
    buffer_append_printf(&document->out, "<th scope=\"rowgroup\" colspan=\"%u\">", document->columns);
    append_link(document, anchor, name);
    append(document, "</th></tr>\n<tr>");
}

void document_begin_named_row(struct document *document)
{
    if (document->is_html)
        return;
    document_link_cell(document, document->anchor, document->name ? document->name : "");
    document->anchor = document->name = NULL;
}

/* So here. */
void document_end_table(struct document *document)
{
    document->out.size -= document->is_html ? strlen("<tr>") : strlen("|");
    if (document->is_html)
        append(document, "</tbody>\n</table></div>\n");
}

void document_begin_pictures(struct document *document, enum document_pictures kind)
{
    if (document->is_html)
        buffer_append_printf(&document->out, "<div class=\"%s\">\n", kind == DOCUMENT_PLOTS ? "plots" : "panels");
}

void document_end_pictures(struct document *document)
{
    if (document->is_html)
        append(document, "</div>\n");
}

void document_picture(struct document *document, const char *file, const char *text)
{
    append(document, "\n![");
    append_escaped(document, text);
    buffer_append_printf(&document->out, "](%s)\n", file);
}

void document_svg(struct document *document, const char *svg, size_t size, const char *text)
{
    append(document, "<figure>");
    svg_append(&document->out, svg, size, ++document->pictures, text);
    append(document, "</figure>\n");
}
