/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "model/text.h"
#include "parse/benchcompare_cli.h"
#include "parse/benchcompare_verify.h"
#include "parse/compare_csv.h"
#include "parse/compare_gaps.h"
#include "parse/compare_json.h"
#include "parse/compare_report.h"
#include "parse/compare_words.h"
#include "parse/labels.h"
#include "parse/result_reader.h"
#include "parse/same_run.h"

/* Of what cannot be compared, on standard error. */
#define GAPS_PRINTED 20

enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2 };

/* All that is compared: the baseline first. */
struct benchcompare_program {
    struct benchcompare_cli cli;
    struct dataset dataset;
    struct side *sides;
    size_t side_count;
    struct comparison *comparisons; /* each side but the first against it */
    struct message_list warnings;   /* about the comparison as a whole */
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

static bool read_files(struct benchcompare_program *program)
{
    bool ok = read_list(&program->dataset, &program->cli.files);
    ok = read_list(&program->dataset, &program->cli.pool_a) && ok;
    return read_list(&program->dataset, &program->cli.pool_b) && ok;
}

static bool filter_tests(struct benchcompare_program *program)
{
    struct message_list notes;
    struct error err;
    message_list_init(&notes);
    error_init(&err);
    struct deployment **runs = memory_zeroed(program->dataset.count, sizeof(struct deployment *));
    for (size_t i = 0; i < program->dataset.count; i++)
        runs[i] = &program->dataset.items[i];
    bool ok = test_filter_apply(&program->cli.filter, runs, program->dataset.count, &notes, &err);
    free(runs);
    message_list_print("note: ", &notes);
    if (!ok)
        message_print("", "%s", err.message);
    return ok;
}

static void add_side(struct benchcompare_program *program, size_t first_run, size_t run_count)
{
    const struct deployment **runs = memory_zeroed(run_count, sizeof *runs);
    for (size_t i = 0; i < run_count; i++)
        runs[i] = &program->dataset.items[first_run + i];
    side_init(&program->sides[program->side_count++], runs[0]->path, runs, run_count);
    free(runs);
}

/* A side of several runs is called like its first one. */
static void label_sides(struct benchcompare_program *program)
{
    size_t count = program->side_count, given_count = program->cli.labels.count;
    const char **given = memory_zeroed(count, sizeof(char *)), **paths = memory_zeroed(count, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        given[i] = i < given_count ? program->cli.labels.items[i] : NULL;
        paths[i] = program->sides[i].runs[0]->path;
    }
    char **labels = labels_make(given, paths, count);
    for (size_t i = 0; i < count; i++) {
        free(program->sides[i].label);
        program->sides[i].label = labels[i];
    }
    free(labels);
    free(given);
    free(paths);
}

static void make_sides(struct benchcompare_program *program)
{
    const struct benchcompare_cli *cli = &program->cli;
    program->sides = memory_zeroed(program->dataset.count, sizeof *program->sides);
    if (cli->files.count == 0) {
        add_side(program, 0, cli->pool_a.count);
        add_side(program, cli->pool_a.count, cli->pool_b.count);
    }
    for (size_t i = 0; i < cli->files.count; i++)
        add_side(program, i, 1);
    label_sides(program);
}

/* Whether each side holds each run once; where not, it is said. */
static bool check_runs(struct benchcompare_program *program)
{
    struct message_list errors;
    struct same_run_group *groups = memory_zeroed(program->side_count, sizeof *groups);
    for (size_t i = 0; i < program->side_count; i++)
        groups[i] = (struct same_run_group){i ? "--b" : "--a", program->sides[i].runs, program->sides[i].run_count};
    message_list_init(&errors);
    same_run_check(groups, program->side_count, &program->warnings, &errors);
    free(groups);
    bool ok = errors.count == 0;
    message_list_print("", &errors);
    return ok;
}

static void compare_sides(struct benchcompare_program *program)
{
    program->comparisons = memory_zeroed(program->side_count, sizeof *program->comparisons);
    for (size_t i = 1; i < program->side_count; i++)
        comparison_init(&program->comparisons[i - 1], &program->sides[0], &program->sides[i], &program->cli.compare);
}

static void print_report(const struct benchcompare_program *program, bool is_markdown)
{
    struct paper paper;
    paper_init(&paper, stdout, is_markdown);
    for (size_t i = 0; i < program->warnings.count; i++)
        paper_paragraph(&paper, "WARNING: %s", program->warnings.items[i]);
    for (size_t i = 0; i + 1 < program->side_count; i++)
        compare_report_print(&program->comparisons[i], program->cli.with_cells, &paper);
    compare_report_print_notes(&program->cli.compare, program->comparisons[0].evidence, &paper);
}

/* The same for all comparisons of a call: each side is one run, or there are but two. NULL: nothing to say. */
static char *find_luck(const struct benchcompare_program *program)
{
    bool of_trials = program->comparisons[0].evidence == EVIDENCE_TRIALS;
    return of_trials ? compare_words_luck(&program->cli.compare) : NULL;
}

static void print_json(const struct benchcompare_program *program)
{
    json_t *list = json_array();
    for (size_t i = 0; i + 1 < program->side_count; i++)
        json_array_append_new(list, compare_json_make(&program->comparisons[i]));
    json_t *warnings = json_array();
    for (size_t i = 0; i < program->warnings.count; i++)
        json_array_append_new(warnings, text_to_json(program->warnings.items[i]));
    char *luck = find_luck(program);
    json_t *whole = json_pack("{s:s, s:s?, s:o, s:o}", "program", "benchcompare " PACKAGE_VERSION, "note", luck,
                              "warnings", warnings, "comparisons", list);
    compare_json_print(whole, stdout);
    free(luck);
}

static void print_csv(const struct benchcompare_program *program)
{
    struct buffer text = {0};
    compare_csv_header(&text);
    for (size_t i = 0; i + 1 < program->side_count; i++)
        compare_csv_rows(&program->comparisons[i], &text);
    fwrite(text.data, 1, text.size, stdout);
    buffer_release(&text);
    char *luck = find_luck(program);
    if (luck)
        message_print("note: ", "%s", luck);
    free(luck);
}

static void print(const struct benchcompare_program *program)
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

/* NULL when they differ, or are about some cells only. */
static const char *find_common_reason(const struct compare_gaps *gaps)
{
    for (size_t i = 0; i < gaps->count; i++)
        if (gaps->items[i].thread_count > 0 || strcmp(gaps->items[i].reason, gaps->items[0].reason) != 0)
            return NULL;
    return gaps->count > 1 ? gaps->items[0].reason : NULL;
}

/* What a build has to know, even when nobody reads the table. */
static void print_gaps(const struct comparison *comparison, const struct compare_gaps *gaps, const char *what)
{
    const char *common = find_common_reason(gaps);
    message_print("", "%s against %s: %s%s%s", comparison->b->label, comparison->a->label, what, common ? ": " : "",
                  common ? common : "");
    for (size_t i = 0; !common && i < gaps->count && i < GAPS_PRINTED; i++) {
        char *words = compare_gap_words(&gaps->items[i]);
        message_print("", "  %s", words);
        free(words);
    }
    if (!common && gaps->count > GAPS_PRINTED)
        message_print("", "  and %zu more, which are in the output", gaps->count - GAPS_PRINTED);
}

/* Not one verdict: what is left is no comparison, whatever is allowed to be missing. */
static void print_nothing(const struct comparison *comparison, const struct compare_gaps *gaps)
{
    const char *b = comparison->b->label, *a = comparison->a->label;
    if (comparison->case_count == 0)
        message_print("", "%s and %s have no test case in common", a, b);
    else if (gaps->count == 0)
        message_print("", "%s against %s: nothing can be compared, since neither has a number", b, a);
    else
        print_gaps(comparison, gaps, "no test case can be judged");
}

static bool has_difference(const struct comparison *comparison, enum fail_on fail_on)
{
    const size_t *verdicts = comparison->summary.verdicts;
    size_t worse = verdicts[VERDICT_SLOWER] + verdicts[VERDICT_MIXED] + verdicts[VERDICT_UNEVEN];
    return worse > 0 || (fail_on == FAIL_ON_ANY && verdicts[VERDICT_FASTER] > 0);
}

/* What could not be compared is no pass: a build would stay green when the benchmark broke. */
static int judge(const struct comparison *comparison, const struct benchcompare_cli *cli)
{
    struct compare_gaps gaps;
    compare_gaps_make(comparison, &gaps);
    int code = has_difference(comparison, cli->fail_on) ? EXIT_DIFFERENT : EXIT_SAME;
    if (gaps.judged == 0) {
        print_nothing(comparison, &gaps);
        code = EXIT_TROUBLE;
    } else if (gaps.count > 0 && !cli->allow_missing) {
        char *what =
            memory_printf("%zu of %zu test cases cannot be judged as a whole (--allow-missing lets the exit status "
                          "be that of the rest)",
                          gaps.count, comparison->a->test_count);
        print_gaps(comparison, &gaps, what);
        free(what);
        code = EXIT_TROUBLE;
    }
    compare_gaps_release(&gaps);
    return code;
}

static int find_exit_code(const struct benchcompare_program *program)
{
    int worst = EXIT_SAME;
    for (size_t i = 0; i + 1 < program->side_count; i++) {
        int code = judge(&program->comparisons[i], &program->cli);
        worst = code > worst ? code : worst;
    }
    return worst;
}

static int compare(struct benchcompare_program *program)
{
    if (!read_files(program) || !filter_tests(program))
        return EXIT_TROUBLE;
    make_sides(program);
    if (!check_runs(program))
        return EXIT_TROUBLE;
    compare_sides(program);
    print(program);
    message_list_print("warning: ", &program->warnings);
    return find_exit_code(program);
}

static void release(struct benchcompare_program *program)
{
    for (size_t i = 0; program->comparisons && i + 1 < program->side_count; i++)
        comparison_release(&program->comparisons[i]);
    for (size_t i = 0; i < program->side_count; i++)
        side_release(&program->sides[i]);
    free(program->comparisons);
    free(program->sides);
    message_list_release(&program->warnings);
    dataset_release(&program->dataset);
    benchcompare_cli_release(&program->cli);
}

int main(int argc, char **argv)
{
    struct benchcompare_program program = {0};
    interrupt_ignore_file_limit();
    benchcompare_cli_parse(&program.cli, argc, argv);
    int code = program.cli.verify ? benchcompare_verify(&program.cli) : compare(&program);
    release(&program);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        message_print("", "standard output: %s", strerror(errno));
        return EXIT_TROUBLE;
    }
    return code;
}
