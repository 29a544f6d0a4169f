/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/verify_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "model/text.h"
#include "parse/verify_rule.h"

static const char *header_of(const struct verify *verify, int column)
{
    return column >= 0 ? verify->table->headers[column] : NULL;
}

/* "0.01", "0.01 to 10 s". */
static char *describe_precision(const struct verify *verify, int column, const char *unit)
{
    struct range units = printed_precision(&verify->columns[column], verify->table->row_count);
    const char *blank = *unit ? " " : "";
    return units.high > units.low * 1.001 ? memory_printf("%g to %g%s%s", units.low, units.high, blank, unit)
                                          : memory_printf("%g%s%s", units.low, blank, unit);
}

static void print_column(const struct verify *verify, const char *role, int column, const struct paper *paper)
{
    if (column < 0)
        return;
    char *precision = describe_precision(verify, column, verify->columns[column].unit);
    paper_item(paper, "%s is column %s, with a precision of %s", role, header_of(verify, column), precision);
    free(precision);
}

static void print_reading(const struct verify *verify, const struct paper *paper)
{
    print_column(verify, "A", verify->a, paper);
    print_column(verify, "B", verify->b, paper);
    if (verify->percent >= 0) {
        const char *unit = verify->rule->mark == MARK_PERCENT ? "%" : "";
        char *precision = describe_precision(verify, verify->percent, unit);
        paper_item(paper, "%s is taken for %s, with a precision of %s", header_of(verify, verify->percent),
                   verify->rule->name, precision);
        free(precision);
    }
    if (verify->threads >= 0)
        paper_item(paper, "%s is the number of sessions", header_of(verify, verify->threads));
    if (verify->decimal_mark == DECIMAL_COMMA)
        paper_item(paper, "numbers have a decimal comma");
}

/* "100.01 points", "12.3 %"; "" where there is no size. */
static void set_size(struct paper_table *table, size_t column, const struct finding *finding)
{
    const char *unit = finding->is_points ? "points" : "%";
    if (isfinite(finding->off) && finding->off >= 0.095)
        paper_table_set(table, column, "%.2f %s", finding->off, unit);
    else if (isfinite(finding->off))
        paper_table_set(table, column, "%.2g %s", finding->off, unit);
}

static void print_findings(const struct verify *verify, const struct paper *paper)
{
    static const struct paper_column columns[] = {
        {"line", true}, {"row", false}, {"finding", false}, {"off by", true}, {"what", false}};
    struct paper_table table;
    paper_table_init(&table, columns, COUNT_OF(columns));
    for (size_t i = 0; i < verify->finding_count; i++) {
        const struct finding *finding = &verify->findings[i];
        paper_table_add_row(&table, finding->kind == FINDING_REPEAT ? TONE_WARNING : TONE_BAD);
        paper_table_set(&table, 0, "%zu", finding->line);
        paper_table_set(&table, 1, "%s", finding->row);
        paper_table_set(&table, 2, "%s", finding_names[finding->kind]);
        set_size(&table, 3, finding);
        paper_table_set(&table, 4, "%s", finding->message);
    }
    paper_heading(paper, "Findings");
    if (verify->finding_count > 0)
        paper_table_print(paper, &table);
    else
        paper_paragraph(paper, "none");
    paper_table_release(&table);
}

static void print_left_out(const struct verify *verify, const struct paper *paper)
{
    if (verify->left_out_count > 0)
        paper_heading(paper, "Left out");
    for (size_t i = 0; i < verify->left_out_count; i++) {
        const struct left_out *cell = &verify->left_out[i];
        paper_item(paper, "line %zu, column %s: \"%s\" %s", verify->table->lines[cell->row],
                   verify->table->headers[cell->column], csv_table_cell(verify->table, cell->row, cell->column),
                   cell->reason);
    }
}

static void print_remarks(const struct verify *verify, const struct paper *paper)
{
    if (verify->remarks.count > 0)
        paper_heading(paper, "Remarks");
    for (size_t i = 0; i < verify->remarks.count; i++)
        paper_item(paper, "%s", verify->remarks.items[i]);
}

static void print_checked(const struct verify *verify, const struct paper *paper)
{
    const size_t *checked = verify->checked, *cells = verify->cells;
    paper_heading(paper, "Checked");
    if (verify->has_percent)
        paper_item(paper, "%zu of %zu percentages computed again, within the rounding of what they come from",
                   checked[FINDING_VALUE], cells[FINDING_VALUE]);
    paper_item(paper, "%zu of %zu values checked for repeats%s", checked[FINDING_REPEAT], cells[FINDING_REPEAT],
               checked[FINDING_REPEAT] < cells[FINDING_REPEAT] ? "; the others have too few digits" : "");
    if (cells[FINDING_TOTAL] > 0)
        paper_item(paper, "%zu of %zu totals and averages added up again", checked[FINDING_TOTAL],
                   cells[FINDING_TOTAL]);
    if (cells[FINDING_LITTLE] > 0 && checked[FINDING_LITTLE] == 0)
        paper_item(paper, "0 of %zu times throughput * latency / sessions", cells[FINDING_LITTLE]);
    if (checked[FINDING_LITTLE] > 0)
        paper_item(paper, "%zu of %zu times throughput * latency / sessions: %.3g to %.3g; it cannot be over 1",
                   checked[FINDING_LITTLE], cells[FINDING_LITTLE], verify->little_low, verify->little_high);
    paper_paragraph(paper, "%zu finding%s", verify->finding_count, verify->finding_count == 1 ? "" : "s");
}

void verify_report_print(const struct verify *verify, const char *path, const struct paper *paper)
{
    paper_heading(paper, "%s: %zu rows", path, verify->table->row_count);
    print_reading(verify, paper);
    print_findings(verify, paper);
    print_left_out(verify, paper);
    print_remarks(verify, paper);
    print_checked(verify, paper);
}

static void set_text(json_t *object, const char *name, const char *text)
{
    json_object_set_new(object, name, text_to_json(text));
}

static void set_count(json_t *object, const char *name, size_t count)
{
    json_object_set_new(object, name, json_integer((json_int_t)count));
}

static json_t *finding_to_json(const struct finding *finding)
{
    json_t *object = json_object();
    set_count(object, "line", finding->line);
    set_text(object, "row", finding->row);
    set_text(object, "kind", finding_names[finding->kind]);
    json_object_set_new(object, "off", text_number_to_json(finding->off));
    set_text(object, "off_unit", !isfinite(finding->off) ? NULL : finding->is_points ? "points" : "%");
    set_text(object, "message", finding->message);
    return object;
}

static json_t *left_out_to_json(const struct verify *verify, const struct left_out *cell)
{
    json_t *object = json_object();
    set_count(object, "line", verify->table->lines[cell->row]);
    set_text(object, "column", verify->table->headers[cell->column]);
    set_text(object, "text", csv_table_cell(verify->table, cell->row, cell->column));
    set_text(object, "reason", cell->reason);
    return object;
}

static json_t *counts_to_json(const size_t counts[FINDING_KINDS])
{
    json_t *object = json_object();
    set_count(object, "percentages", counts[FINDING_VALUE]);
    set_count(object, "values", counts[FINDING_REPEAT]);
    set_count(object, "totals", counts[FINDING_TOTAL]);
    set_count(object, "throughput_and_latency", counts[FINDING_LITTLE]);
    return object;
}

static void set_lists(json_t *object, const struct verify *verify)
{
    json_t *findings = json_array(), *left_out = json_array(), *remarks = json_array();
    for (size_t i = 0; i < verify->finding_count; i++)
        json_array_append_new(findings, finding_to_json(&verify->findings[i]));
    for (size_t i = 0; i < verify->left_out_count; i++)
        json_array_append_new(left_out, left_out_to_json(verify, &verify->left_out[i]));
    for (size_t i = 0; i < verify->remarks.count; i++)
        json_array_append_new(remarks, text_to_json(verify->remarks.items[i]));
    json_object_set_new(object, "findings", findings);
    json_object_set_new(object, "left_out", left_out);
    json_object_set_new(object, "remarks", remarks);
}

json_t *verify_report_json(const struct verify *verify, const char *path)
{
    json_t *object = json_object();
    set_text(object, "path", path);
    set_count(object, "rows", verify->table->row_count);
    set_text(object, "a", header_of(verify, verify->a));
    set_text(object, "b", header_of(verify, verify->b));
    set_text(object, "percentage", header_of(verify, verify->percent));
    set_text(object, "percentage_is", verify->percent >= 0 ? verify->rule->name : NULL);
    set_text(object, "sessions", header_of(verify, verify->threads));
    set_lists(object, verify);
    json_object_set_new(object, "checked", counts_to_json(verify->checked));
    json_object_set_new(object, "cells", counts_to_json(verify->cells));
    json_object_set_new(object, "busy_low", text_number_to_json(verify->little_low));
    json_object_set_new(object, "busy_high", text_number_to_json(verify->little_high));
    return object;
}
