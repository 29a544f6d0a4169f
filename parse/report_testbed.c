/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report_testbed.h"

#include <string.h>

#include "parse/dataset.h"

static const char *or_dash(const char *text)
{
    return text && *text ? text : "-";
}

static void write_run(const char *label, const struct deployment *run, struct document *document)
{
    document_cell(document, label);
    document_cell(document, run->path);
    document_cell(document, or_dash(run->start));
    document_cell(document, or_dash(run->end));
    document_cell(document, !run->tells_end ? "-" : run->interrupted ? "cut short" : "complete");
    document_end_row(document);
}

static void write_runs(const struct dataset *dataset, struct document *document)
{
    static const char *const columns[] = {"deployment", "file", "start", "end", "run"};
    document_table(document);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        document_cell(document, columns[i]);
    document_end_row(document);
    for (size_t d = 0; d < dataset->count; d++)
        for (size_t i = 0; i < deployment_runs(&dataset->items[d]); i++)
            write_run(dataset->items[d].label, deployment_run(&dataset->items[d], i), document);
    document_end_table(document);
}

static bool is_same_everywhere(const struct dataset *dataset, const char *name)
{
    const char *first = fact_list_find(&dataset->items[0].facts, name);
    for (size_t d = 1; d < dataset->count; d++) {
        const char *other = fact_list_find(&dataset->items[d].facts, name);
        if (!first || !other || strcmp(first, other) != 0)
            return false;
    }
    return true;
}

/* The first deployment that tells a fact shows it; the later ones have shown it already. */
static bool is_told_before(const struct dataset *dataset, size_t deployment, const char *name)
{
    for (size_t d = 0; d < deployment; d++)
        if (fact_list_find(&dataset->items[d].facts, name))
            return true;
    return false;
}

static void facts_heading(const struct dataset *dataset, bool is_same, struct document *document)
{
    document_table(document);
    document_cell(document, "");
    for (size_t d = 0; d < (is_same ? 1 : dataset->count); d++)
        document_cell(document, is_same && dataset->count > 1 ? "all" : dataset->items[d].label);
    document_end_row(document);
}

static size_t write_facts(const struct dataset *dataset, bool is_same, struct document *document)
{
    size_t count = 0;
    for (size_t d = 0; d < dataset->count; d++) {
        for (size_t i = 0; i < dataset->items[d].facts.count; i++) {
            const char *name = dataset->items[d].facts.items[i].name;
            if (is_told_before(dataset, d, name) || is_same_everywhere(dataset, name) != is_same)
                continue;
            if (count++ == 0)
                facts_heading(dataset, is_same, document);
            document_cell(document, name);
            for (size_t k = 0; k < (is_same ? 1 : dataset->count); k++)
                document_cell(document, or_dash(fact_list_find(&dataset->items[k].facts, name)));
            document_end_row(document);
        }
    }
    if (count > 0)
        document_end_table(document);
    return count;
}

static void write_command_line(const char *label, const struct deployment *run, struct document *document)
{
    if (run->command_line) {
        document_paragraph(document, "%s, %s:", label, run->path);
        document_code(document, run->command_line);
    } else {
        document_paragraph(document, "%s: %s does not hold the command line.", label, run->path);
    }
}

static void write_command_lines(const struct dataset *dataset, struct document *document)
{
    document_heading(document, 2, "Command lines");
    for (size_t d = 0; d < dataset->count; d++)
        for (size_t i = 0; i < deployment_runs(&dataset->items[d]); i++)
            write_command_line(dataset->items[d].label, deployment_run(&dataset->items[d], i), document);
}

/* What a run was to measure and has no trial of. */
static void write_unmeasured(const struct deployment *deployment, struct document *document)
{
    if (deployment->interrupted)
        document_paragraph(document, "The run of %s was cut short: it holds only a part of what was planned.",
                           deployment->label);
    for (size_t i = 0; i < deployment->plan.unmeasured_count; i++)
        document_paragraph(document, "%s did not begin %s, which was planned.", deployment->label,
                           deployment->plan.unmeasured[i]);
}

static void write_skipped(const struct dataset *dataset, struct document *document)
{
    for (size_t d = 0; d < dataset->count; d++) {
        const struct fact_list *skipped = &dataset->items[d].skipped;
        for (size_t i = 0; i < skipped->count; i++)
            document_paragraph(document, "%s did not run %s, which needs a server %s.", dataset->items[d].label,
                               skipped->items[i].name, skipped->items[i].value);
    }
}

void report_testbed_write(const struct dataset *dataset, struct document *document)
{
    document_heading(document, 2, "Testbeds");
    write_runs(dataset, document);
    if (dataset->count > 1) {
        document_heading(document, 3, "What differs");
        if (write_facts(dataset, false, document) == 0)
            document_paragraph(document, "Nothing that the files tell.");
        document_heading(document, 3, "What is the same");
    }
    if (write_facts(dataset, true, document) == 0)
        document_paragraph(document, "Nothing that the files tell.");
    for (size_t d = 0; d < dataset->count; d++)
        write_unmeasured(&dataset->items[d], document);
    write_skipped(dataset, document);
    write_command_lines(dataset, document);
}
