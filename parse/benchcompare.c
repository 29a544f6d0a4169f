/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "parse/benchcompare_cli.h"
#include "parse/benchcompare_verify.h"
#include "parse/compare_csv.h"
#include "parse/compare_json.h"
#include "parse/compare_report.h"
#include "parse/result_reader.h"

enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2 };

/* All that is compared: the baseline first. */
struct program {
    struct benchcompare_cli cli;
    struct dataset dataset;
    struct side *sides;
    size_t side_count;
    struct comparison *comparisons; /* each side but the first against it */
};

/* Every file is read, so that all that is wrong is said at once. */
static bool read_list(struct dataset *dataset, const struct word_list *files)
{
    bool ok = true;
    dataset->items = memory_resize(dataset->items, dataset->count + files->count + 1, sizeof *dataset->items);
    for (size_t i = 0; i < files->count; i++) {
        struct error err;
        error_init(&err);
        if (!result_reader_read(files->items[i], NULL, &dataset->items[dataset->count++], &err)) {
            message_print("", "%s", err.message);
            ok = false;
        }
        message_list_print("warning: ", &dataset->items[dataset->count - 1].warnings);
    }
    return ok;
}

static bool read_files(struct program *program)
{
    bool ok = read_list(&program->dataset, &program->cli.files);
    ok = read_list(&program->dataset, &program->cli.pool_a) && ok;
    return read_list(&program->dataset, &program->cli.pool_b) && ok;
}

/* Files of one name in different folders are told apart by their paths. */
static const char *find_label(const struct program *program, size_t side, size_t first_run)
{
    const struct dataset *dataset = &program->dataset;
    if (side < program->cli.labels.count)
        return program->cli.labels.items[side];
    for (size_t i = 0; i < dataset->count; i++)
        if (i != first_run && strcmp(dataset->items[i].label, dataset->items[first_run].label) == 0)
            return dataset->items[first_run].path;
    return dataset->items[first_run].label;
}

static void add_side(struct program *program, size_t first_run, size_t run_count)
{
    const struct deployment **runs = memory_zeroed(run_count, sizeof *runs);
    for (size_t i = 0; i < run_count; i++)
        runs[i] = &program->dataset.items[first_run + i];
    const char *label = find_label(program, program->side_count, first_run);
    side_init(&program->sides[program->side_count++], label, runs, run_count);
    free(runs);
}

static void make_sides(struct program *program)
{
    const struct benchcompare_cli *cli = &program->cli;
    program->sides = memory_zeroed(program->dataset.count, sizeof *program->sides);
    if (cli->files.count == 0) {
        add_side(program, 0, cli->pool_a.count);
        add_side(program, cli->pool_a.count, cli->pool_b.count);
    }
    for (size_t i = 0; i < cli->files.count; i++)
        add_side(program, i, 1);
}

static void compare_sides(struct program *program)
{
    program->comparisons = memory_zeroed(program->side_count, sizeof *program->comparisons);
    for (size_t i = 1; i < program->side_count; i++)
        comparison_init(&program->comparisons[i - 1], &program->sides[0], &program->sides[i], &program->cli.compare);
}

static void print_report(const struct program *program, bool is_markdown)
{
    struct paper paper;
    paper_init(&paper, stdout, is_markdown);
    for (size_t i = 0; i + 1 < program->side_count; i++)
        compare_report_print(&program->comparisons[i], program->cli.with_cells, &paper);
    compare_report_print_notes(&program->cli.compare, &paper);
}

static void print_json(const struct program *program)
{
    json_t *list = json_array();
    for (size_t i = 0; i + 1 < program->side_count; i++)
        json_array_append_new(list, compare_json_make(&program->comparisons[i]));
    json_t *whole = json_pack("{s:s, s:s, s:o}", "program", "benchcompare " PACKAGE_VERSION, "note",
                              COMPARE_REPORT_LUCK, "comparisons", list);
    compare_json_print(whole, stdout);
}

static void print_csv(const struct program *program)
{
    struct buffer text = {0};
    compare_csv_header(&text);
    for (size_t i = 0; i + 1 < program->side_count; i++)
        compare_csv_rows(&program->comparisons[i], &text);
    fwrite(text.data, 1, text.size, stdout);
    buffer_release(&text);
    message_print("note: ", "%s", COMPARE_REPORT_LUCK);
}

static void print(const struct program *program)
{
    switch (program->cli.format) {
    case FORMAT_TEXT:
    case FORMAT_MARKDOWN:
        print_report(program, program->cli.format == FORMAT_MARKDOWN);
        break;
    case FORMAT_CSV:
        print_csv(program);
        break;
    case FORMAT_JSON:
        print_json(program);
        break;
    }
}

/* Nothing in common is trouble: silence would read as "no difference". */
static int find_exit_code(const struct program *program)
{
    int code = EXIT_SAME;
    for (size_t i = 0; i + 1 < program->side_count; i++) {
        const struct comparison *comparison = &program->comparisons[i];
        const size_t *verdicts = comparison->summary.verdicts;
        size_t different = verdicts[VERDICT_SLOWER] + verdicts[VERDICT_MIXED];
        if (program->cli.fail_on == FAIL_ON_ANY)
            different += verdicts[VERDICT_FASTER];
        if (comparison->case_count == 0) {
            message_print("", "%s and %s have no test case in common", comparison->a->label, comparison->b->label);
            return EXIT_TROUBLE;
        }
        code = different > 0 ? EXIT_DIFFERENT : code;
    }
    return code;
}

static int compare(struct program *program)
{
    if (!read_files(program))
        return EXIT_TROUBLE;
    make_sides(program);
    compare_sides(program);
    print(program);
    return find_exit_code(program);
}

static void release(struct program *program)
{
    for (size_t i = 0; program->comparisons && i + 1 < program->side_count; i++)
        comparison_release(&program->comparisons[i]);
    for (size_t i = 0; i < program->side_count; i++)
        side_release(&program->sides[i]);
    free(program->comparisons);
    free(program->sides);
    dataset_release(&program->dataset);
    benchcompare_cli_release(&program->cli);
}

int main(int argc, char **argv)
{
    struct program program = {0};
    benchcompare_cli_parse(&program.cli, argc, argv);
    int code = program.cli.verify ? benchcompare_verify(&program.cli) : compare(&program);
    release(&program);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        message_print("", "standard output: %s", strerror(errno));
        return EXIT_TROUBLE;
    }
    return code;
}
