/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "parse/compare_report_parts.h"

static void print_side(char letter, const struct side *side, const struct paper *paper)
{
    for (size_t i = 0; i < side->run_count; i++) {
        const struct deployment *run = side->runs[i];
        paper_item(paper, "%c = %s: %s%s%s%s", letter, side->label, run->path, run->start ? ", begun " : "",
                   run->start ? run->start : "", run->interrupted ? ", INTERRUPTED: the run was cut short" : "");
    }
}

void compare_report_print_sides(const struct comparison *comparison, const struct paper *paper)
{
    paper_heading(paper, "%s against %s", comparison->b->label, comparison->a->label);
    print_side('A', comparison->a, paper);
    print_side('B', comparison->b, paper);
}

/* Facts that one side alone tells: by name only. */
static void print_untold(const struct comparison *comparison, bool of_a, const struct paper *paper)
{
    struct buffer text = {0};
    for (size_t i = 0; i < comparison->difference_count; i++) {
        const struct fact_difference *fact = &comparison->differences[i];
        if (of_a ? fact->a && !fact->b : fact->b && !fact->a)
            buffer_append_printf(&text, "%s%s", text.size ? ", " : "", fact->name);
    }
    if (text.size)
        paper_item(paper, "only %c tells: %s", of_a ? 'A' : 'B', buffer_text(&text));
    buffer_release(&text);
}

static void print_told(const struct comparison *comparison, const struct paper *paper)
{
    static const struct paper_column columns[] = {{"what", false}, {"A", false}, {"B", false}};
    struct paper_table table;
    paper_table_init(&table, columns, 3);
    for (size_t i = 0; i < comparison->difference_count; i++) {
        const struct fact_difference *fact = &comparison->differences[i];
        if (!fact->a || !fact->b)
            continue;
        paper_table_add_row(&table, TONE_PLAIN);
        paper_table_set(&table, 0, "%s", fact->name);
        paper_table_set(&table, 1, "%s", fact->a);
        paper_table_set(&table, 2, "%s", fact->b);
    }
    if (table.row_count)
        paper_table_print(paper, &table);
    paper_table_release(&table);
}

static void warn_of_mixture(const struct comparison *comparison, bool of_a, const struct paper *paper)
{
    struct buffer text = {0};
    for (size_t i = 0; i < comparison->difference_count; i++) {
        const struct fact_difference *fact = &comparison->differences[i];
        if ((of_a ? fact->a_values : fact->b_values) > 1)
            buffer_append_printf(&text, "%s%s", text.size ? ", " : "", fact->name);
    }
    if (text.size)
        paper_item(paper, "WARNING: the runs of %c count as runs of one deployment, but they differ in: %s",
                   of_a ? 'A' : 'B', buffer_text(&text));
    buffer_release(&text);
}

void compare_report_print_testbeds(const struct comparison *comparison, const struct paper *paper)
{
    paper_heading(paper, "Testbeds");
    if (comparison->difference_count == 0 && comparison->different_definitions == 0)
        paper_paragraph(paper, "No difference is known.");
    print_told(comparison, paper);
    print_untold(comparison, true, paper);
    print_untold(comparison, false, paper);
    warn_of_mixture(comparison, true, paper);
    warn_of_mixture(comparison, false, paper);
    if (comparison->different_definitions > 0)
        paper_item(paper, "%zu test case%s defined differently: void below", comparison->different_definitions,
                   comparison->different_definitions == 1 ? " is" : "s are");
}
