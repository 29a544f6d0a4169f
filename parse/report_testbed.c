/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report_testbed.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

#include "parse/dataset.h"

static const char *or_dash(const char *text)
{
    return text && *text ? text : "-";
}

/* "2026-11-30T16:46:50.072Z" as "2026-11-30 16:46:50 UTC"; another text as it is. */
static void time_cell(const char *time, struct document *document)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd";
    size_t length = time ? strlen(time) : 0, i = 0;
    while (i < length && form[i] && (form[i] == 'd' ? time[i] >= '0' && time[i] <= '9' : time[i] == form[i]))
        i++;
    if (form[i] || time[length - 1] != 'Z') {
        document_cell(document, or_dash(time));
        return;
    }
    char *text = memory_printf("%.10s %.8s UTC", time, time + 11);
    document_cell(document, text);
    free(text);
}

static void write_run(const char *label, const struct deployment *run, struct document *document)
{
    document_cell(document, label);
    document_cell(document, run->path);
    time_cell(run->start, document);
    time_cell(run->end, document);
    document_cell(document, !run->tells_end ? "-" : run->interrupted ? "cut short" : "complete");
    document_end_row(document);
}

static void write_runs(const struct dataset *dataset, struct document *document)
{
    static const char *const columns[] = {"deployment", "file", "start", "end", "run"};
    document_table(document);
    for (size_t i = 0; i < COUNT_OF(columns); i++)
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

/* The deployments that tell this value of the fact, NULL: that do not tell. */
static char *list_holders(const struct dataset *dataset, const char *name, const char *value)
{
    struct buffer list = {0};
    for (size_t d = 0; d < dataset->count; d++) {
        const char *told = fact_list_find(&dataset->items[d].facts, name);
        if (value ? told && strcmp(told, value) == 0 : !told)
            buffer_append_printf(&list, "%s%s", list.size ? ", " : "", dataset->items[d].label);
    }
    return buffer_detach(&list);
}

static void difference_row(const struct dataset *dataset, const char *name, const char *value, bool is_first,
                           struct document *document)
{
    char *holders = list_holders(dataset, name, value);
    document_cell(document, is_first ? name : "");
    document_cell(document, value ? value : "-");
    document_cell(document, holders);
    document_end_row(document);
    free(holders);
}

static bool is_value_told_before(const struct dataset *dataset, size_t deployment, const char *name, const char *value)
{
    for (size_t d = 0; d < deployment; d++) {
        const char *earlier = fact_list_find(&dataset->items[d].facts, name);
        if (earlier && strcmp(earlier, value) == 0)
            return true;
    }
    return false;
}

/* A row per value, with those that have it: however many deployments there are, the table is as wide. */
static void write_difference(const struct dataset *dataset, const char *name, struct document *document)
{
    bool is_first = true, is_untold = false;
    document_begin_group(document);
    for (size_t d = 0; d < dataset->count; d++) {
        const char *value = fact_list_find(&dataset->items[d].facts, name);
        is_untold = is_untold || !value;
        if (!value || is_value_told_before(dataset, d, name, value))
            continue;
        difference_row(dataset, name, value, is_first, document);
        is_first = false;
    }
    if (is_untold)
        difference_row(dataset, name, NULL, is_first, document);
}

static void facts_heading(bool is_same, struct document *document)
{
    document_table(document);
    document_cell(document, "what");
    document_cell(document, "value");
    if (!is_same)
        document_cell(document, "deployments");
    document_end_row(document);
}

static void write_fact(const struct dataset *dataset, const struct fact *fact, bool is_same, struct document *document)
{
    if (!is_same) {
        write_difference(dataset, fact->name, document);
        return;
    }
    document_cell(document, fact->name);
    document_cell(document, fact->value);
    document_end_row(document);
}

static size_t write_facts(const struct dataset *dataset, bool is_same, struct document *document)
{
    size_t count = 0;
    for (size_t d = 0; d < dataset->count; d++) {
        for (size_t i = 0; i < dataset->items[d].facts.count; i++) {
            const struct fact *fact = &dataset->items[d].facts.items[i];
            if (is_told_before(dataset, d, fact->name) || is_same_everywhere(dataset, fact->name) != is_same)
                continue;
            if (count++ == 0)
                facts_heading(is_same, document);
            write_fact(dataset, fact, is_same, document);
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
