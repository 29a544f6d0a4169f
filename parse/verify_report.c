/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/verify_report.h"

#include <math.h>
#include <stdlib.h>

#include "model/text.h"

static const char *header_of(const struct verify *verify, int column)
{
    return column >= 0 ? verify->table->headers[column] : NULL;
}

static const char *const rule_names[PERCENT_RULES] = {"(B - A) / A", "(A - B) / B", "B / A"};

static void print_column(const struct verify *verify, const char *role, int column, const struct paper *paper)
{
    if (column < 0)
        return;
    double precision = 2 * printed_half_unit(&verify->columns[column]);
    if (verify->percent >= 0)
        paper_item(paper, "%s is column %s, with a precision of %g", role, header_of(verify, column), precision);
    else
        paper_item(paper, "%s is column %s", role, header_of(verify, column));
}

static void print_reading(const struct verify *verify, const struct paper *paper)
{
    print_column(verify, "A", verify->a, paper);
    print_column(verify, "B", verify->b, paper);
    if (verify->percent >= 0)
        paper_item(paper, "%s is taken for %s, with a precision of %g %%", header_of(verify, verify->percent),
                   rule_names[verify->rule], 2 * printed_half_unit(&verify->columns[verify->percent]));
    if (verify->threads >= 0)
        paper_item(paper, "%s is the number of sessions", header_of(verify, verify->threads));
}

static void print_findings(const struct verify *verify, const struct paper *paper)
{
    static const struct paper_column columns[] = {{"line", true}, {"row", false}, {"finding", false}, {"what", false}};
    struct paper_table table;
    paper_table_init(&table, columns, 4);
    for (size_t i = 0; i < verify->finding_count; i++) {
        const struct finding *finding = &verify->findings[i];
        paper_table_add_row(&table, finding->kind == FINDING_REPEAT ? TONE_WARNING : TONE_BAD);
        paper_table_set(&table, 0, "%zu", finding->line);
        paper_table_set(&table, 1, "%s", finding->row);
        paper_table_set(&table, 2, "%s", finding_names[finding->kind]);
        paper_table_set(&table, 3, "%s", finding->message);
    }
    if (verify->finding_count > 0)
        paper_table_print(paper, &table);
    paper_table_release(&table);
}

static void print_checked(const struct verify *verify, const struct paper *paper)
{
    const size_t *checked = verify->checked;
    if (verify->percent >= 0)
        paper_item(paper, "%zu percentages computed again, within the rounding of what they come from",
                   checked[FINDING_VALUE]);
    paper_item(paper, "%zu values of four digits or more looked for twice", checked[FINDING_REPEAT]);
    if (checked[FINDING_TOTAL] > 0)
        paper_item(paper, "%zu totals and averages added up again", checked[FINDING_TOTAL]);
    if (checked[FINDING_LITTLE] > 0)
        paper_item(paper, "%zu times throughput * latency / sessions: %.3f to %.3f; it cannot be over 1",
                   checked[FINDING_LITTLE], verify->little_low, verify->little_high);
    paper_paragraph(paper, "%zu finding%s", verify->finding_count, verify->finding_count == 1 ? "" : "s");
}

void verify_report_print(const struct verify *verify, const char *path, const struct paper *paper)
{
    paper_heading(paper, "%s: %zu rows", path, verify->table->row_count);
    print_reading(verify, paper);
    paper_heading(paper, "Findings");
    print_findings(verify, paper);
    paper_heading(paper, "Checked");
    print_checked(verify, paper);
}

static void set_text(json_t *object, const char *name, const char *text)
{
    json_object_set_new(object, name, text_to_json(text));
}

static json_t *finding_to_json(const struct finding *finding)
{
    json_t *object = json_object();
    json_object_set_new(object, "line", json_integer((json_int_t)finding->line));
    set_text(object, "row", finding->row);
    set_text(object, "kind", finding_names[finding->kind]);
    set_text(object, "message", finding->message);
    return object;
}

json_t *verify_report_json(const struct verify *verify, const char *path)
{
    json_t *object = json_object(), *findings = json_array(), *checked = json_object();
    set_text(object, "path", path);
    json_object_set_new(object, "rows", json_integer((json_int_t)verify->table->row_count));
    set_text(object, "a", header_of(verify, verify->a));
    set_text(object, "b", header_of(verify, verify->b));
    set_text(object, "percentage", header_of(verify, verify->percent));
    set_text(object, "percentage_is", verify->percent >= 0 ? rule_names[verify->rule] : NULL);
    set_text(object, "sessions", header_of(verify, verify->threads));
    for (size_t i = 0; i < verify->finding_count; i++)
        json_array_append_new(findings, finding_to_json(&verify->findings[i]));
    json_object_set_new(object, "findings", findings);
    json_object_set_new(checked, "percentages", json_integer((json_int_t)verify->checked[FINDING_VALUE]));
    json_object_set_new(checked, "values", json_integer((json_int_t)verify->checked[FINDING_REPEAT]));
    json_object_set_new(checked, "totals", json_integer((json_int_t)verify->checked[FINDING_TOTAL]));
    json_object_set_new(checked, "throughput_and_latency", json_integer((json_int_t)verify->checked[FINDING_LITTLE]));
    json_object_set_new(object, "checked", checked);
    json_object_set_new(object, "busy_low", text_number_to_json(verify->little_low));
    json_object_set_new(object, "busy_high", text_number_to_json(verify->little_high));
    return object;
}
