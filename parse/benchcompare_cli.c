/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/benchcompare_cli.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

#define EXIT_USAGE 2

enum {
    KEY_A = 0x400,
    KEY_B,
    KEY_LABEL,
    KEY_INCLUDE,
    KEY_EXCLUDE,
    KEY_METRIC,
    KEY_ALPHA,
    KEY_NO_CORRECTION,
    KEY_FORMAT,
    KEY_NO_CELLS,
    KEY_FAIL_ON,
    KEY_ALLOW_MISSING,
    KEY_VERIFY,
    KEY_VERIFY_COLUMNS,
};

static const struct argp_option options[] = {
    {"a", KEY_A, "FILE...", 0, "Runs of the baseline: with several, runs are what counts, not their trials", 1},
    {"b", KEY_B, "FILE...", 0, "Runs of the other side", 1},
    {"label", KEY_LABEL, "TEXT", 0, "What a side is called; the first is the baseline's (default: the file's name)", 1},
    {"includeFilter", KEY_INCLUDE, "WORD...", 0,
     "Compare test cases that one of these names, tags or patterns fits; repeated: all must fit", 1},
    {"excludeFilter", KEY_EXCLUDE, "WORD...", 0, "Leave out test cases that all of these fit", 1},
    {"metric", KEY_METRIC, "NAME", 0, "What is compared: ops_per_sec (default), latency_mean_us, latency_p99_us, ...",
     2},
    {"alpha", KEY_ALPHA, "NUMBER", 0,
     "Chance of any verdict in a table where nothing differs: in the trials of two runs, or in several runs a side "
     "(default: 0.05)",
     2},
    {"no-correction", KEY_NO_CORRECTION, NULL, 0, "Take each test case as if it were the only one", 2},
    {"format", KEY_FORMAT, "text|md|csv|json", 0, "How it is printed (default: text)", 3},
    {"no-cells", KEY_NO_CELLS, NULL, 0, "Text and Markdown: one line per test case, none per cell", 3},
    {"fail-on", KEY_FAIL_ON, "any|slower", 0,
     "What makes the exit status 1: any difference (default), or a test case that is slower, mixed or differs "
     "by threads",
     3},
    {"allow-missing", KEY_ALLOW_MISSING, NULL, 0,
     "Let what cannot be compared (missing, void, too few trials or runs), or a word of a filter that fits nothing, "
     "not make the exit status 2",
     3},
    {"verify", KEY_VERIFY, "TABLE", 0, "Check a published table, CSV or Markdown, against its own values instead", 4},
    {"verify-columns", KEY_VERIFY_COLUMNS, "A,B,PCT", 0,
     "Its columns by header: two values and the printed percentage; PCT may be left out", 4},
    {NULL, 'h', NULL, 0, "Same as --help", -1},
    {0},
};

static const char doc[] =
    "Tells which of two or more result files of benchrun or mongo-perf is faster, by how much, "
    "and whether the data can "
    "say so. The first FILE is the baseline.\v"
    "A FILE of - is standard input.\n"
    "Exit status: 0 no difference shown, 1 a difference shown (with --verify: a finding), 2 trouble, or something "
    "cannot be compared (with --verify: nothing could be checked). The manual, benchcompare(1), has the rest.";

/* What is known while words are read. */
struct benchcompare_words {
    struct benchcompare_cli *cli;
    struct word_list *list; /* --a or --b, while words may belong to it */
};

static void append(struct word_list *list, char *word)
{
    list->items = memory_resize(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = word;
}

static enum compare_format read_format(const char *word, struct argp_state *state)
{
    static const char *const names[] = {
        [FORMAT_TEXT] = "text", [FORMAT_MARKDOWN] = "md", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], word) == 0)
            return (enum compare_format)i;
    argp_error(state, "--format: expected text, md, csv or json, got \"%s\"", word);
    return FORMAT_TEXT;
}

static double read_alpha(const char *word, struct argp_state *state)
{
    char *end;
    double alpha = strtod(word, &end);
    if (end == word || *end || !(alpha > 0 && alpha < 1))
        argp_error(state, "--alpha: expected a number between 0 and 1, got \"%s\"", word);
    return alpha;
}

static const struct metric *read_metric(const char *word, struct argp_state *state)
{
    const struct metric *metric = metric_find(word);
    if (!metric) {
        fprintf(state->err_stream, "benchcompare: metrics are:");
        for (size_t i = 0; i < metric_count; i++)
            fprintf(state->err_stream, " %s", metrics[i].name);
        fputc('\n', state->err_stream);
        argp_error(state, "--metric: there is no metric \"%s\"", word);
    }
    return metric;
}

static enum fail_on read_fail_on(const char *word, struct argp_state *state)
{
    if (strcmp(word, "any") != 0 && strcmp(word, "slower") != 0)
        argp_error(state, "--fail-on: expected any or slower, got \"%s\"", word);
    return word[0] == 's' ? FAIL_ON_SLOWER : FAIL_ON_ANY;
}

static size_t count_stdin(const struct word_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += strcmp(list->items[i], "-") == 0;
    return count;
}

static void check_sides(const struct benchcompare_cli *cli, struct argp_state *state)
{
    bool is_pooled = cli->pool_a.count + cli->pool_b.count > 0;
    if (is_pooled && cli->files.count > 0)
        argp_error(state, "\"%s\" stands beside --a and --b; with these every file belongs to one of them",
                   cli->files.items[0]);
    if (is_pooled && (cli->pool_a.count == 0 || cli->pool_b.count == 0))
        argp_error(state, "--a and --b go together: one is missing");
    if (!is_pooled && cli->files.count < 2)
        argp_error(state, "%s; give a baseline and at least one more",
                   cli->files.count ? "there is only one result file" : "there is no result file");
    size_t sides = is_pooled ? 2 : cli->files.count;
    if (cli->labels.count > sides)
        argp_error(state, "%zu labels for %zu sides", cli->labels.count, sides);
    if (count_stdin(&cli->files) + count_stdin(&cli->pool_a) + count_stdin(&cli->pool_b) > 1)
        argp_error(state, "standard input (-) can be read only once");
}

static void check(const struct benchcompare_cli *cli, struct argp_state *state)
{
    if (cli->verify_columns && !cli->verify)
        argp_error(state, "--verify-columns needs --verify");
    if (!cli->verify) {
        check_sides(cli, state);
        return;
    }
    if (cli->files.count + cli->pool_a.count + cli->pool_b.count > 0)
        argp_error(state, "--verify takes one table and no result files");
    if (cli->format == FORMAT_CSV)
        argp_error(state, "--verify prints text, md or json");
}

static void on_word(struct benchcompare_words *parsing, char *word)
{
    if (parsing->cli->filter.open)
        test_filter_add(&parsing->cli->filter, word);
    else
        append(parsing->list ? parsing->list : &parsing->cli->files, word);
}

/* An option ends the list before it. */
static void on_list(struct benchcompare_words *parsing, struct word_list *list, char *word)
{
    parsing->cli->filter.open = NULL;
    parsing->list = list;
    append(list, word);
}

static void on_filter(struct benchcompare_words *parsing, struct filter_groups *groups, const char *word)
{
    parsing->list = NULL;
    test_filter_begin(&parsing->cli->filter, groups, word);
}

static error_t on_setting(struct benchcompare_cli *cli, int key, char *argument, struct argp_state *state)
{
    switch (key) {
    case 'h':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        break;
    case KEY_LABEL:
        append(&cli->labels, argument);
        break;
    case KEY_METRIC:
        cli->compare.metric = read_metric(argument, state);
        break;
    case KEY_ALPHA:
        cli->compare.alpha = read_alpha(argument, state);
        break;
    case KEY_NO_CORRECTION:
        cli->compare.correct = false;
        break;
    case KEY_FORMAT:
        cli->format = read_format(argument, state);
        break;
    case KEY_NO_CELLS:
        cli->with_cells = false;
        break;
    case KEY_FAIL_ON:
        cli->fail_on = read_fail_on(argument, state);
        break;
    case KEY_ALLOW_MISSING:
        cli->allow_missing = cli->filter.allow_missing = true;
        break;
    case KEY_VERIFY:
        cli->verify = argument;
        break;
    case KEY_VERIFY_COLUMNS:
        cli->verify_columns = argument;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t on_option(int key, char *argument, struct argp_state *state)
{
    struct benchcompare_words *parsing = state->input;
    switch (key) {
    case KEY_A:
        on_list(parsing, &parsing->cli->pool_a, argument);
        return 0;
    case KEY_B:
        on_list(parsing, &parsing->cli->pool_b, argument);
        return 0;
    case KEY_INCLUDE:
        on_filter(parsing, &parsing->cli->filter.include, argument);
        return 0;
    case KEY_EXCLUDE:
        on_filter(parsing, &parsing->cli->filter.exclude, argument);
        return 0;
    case ARGP_KEY_ARG:
        on_word(parsing, argument);
        return 0;
    case ARGP_KEY_END:
        check(parsing->cli, state);
        return 0;
    default:
        break;
    }
    error_t known = on_setting(parsing->cli, key, argument, state);
    if (known == 0) {
        parsing->list = NULL;
        parsing->cli->filter.open = NULL;
    }
    return known;
}

void benchcompare_cli_parse(struct benchcompare_cli *cli, int argc, char **argv)
{
    const struct argp argp = {options, on_option, "FILE FILE...\n--a FILE... --b FILE...\n--verify TABLE", doc, NULL,
                              NULL,    NULL};
    *cli = (struct benchcompare_cli){.compare = {.metric = metric_find("ops_per_sec"), .alpha = 0.05, .correct = true},
                                     .with_cells = true};
    struct benchcompare_words parsing = {.cli = cli};
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version = "benchcompare " PACKAGE_VERSION;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &parsing);
}

void benchcompare_cli_release(struct benchcompare_cli *cli)
{
    test_filter_release(&cli->filter);
    free(cli->files.items);
    free(cli->pool_a.items);
    free(cli->pool_b.items);
    free(cli->labels.items);
}
