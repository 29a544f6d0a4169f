/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/benchparse_cli.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

#define EXIT_USAGE 2
#define SIDE_MIN 10
#define SIDE_MAX 10000

enum {
    KEY_ARTICLE_CSV = 0x400,
    KEY_TERMINAL,
    KEY_PREVIEW,
    KEY_NO_PLOT,
    KEY_MARKDOWN,
    KEY_HTML,
    KEY_PLOT_TIMEOUT,
    KEY_RUNS,
    KEY_INCLUDE,
    KEY_EXCLUDE,
    KEY_ALLOW_MISSING,
    KEY_SIZE
};

static const struct argp_option options[] = {
    {"out-dir", 'o', "DIR", 0, "Folder for all that is made (default: report)", 1},
    {"label", 'l', "TEXT", 0, "What a deployment is called; the first is the first file's (default: the file's name)",
     1},
    {"runs", KEY_RUNS, "LABEL", 0,
     "The files up to the next option are runs of one deployment of this name, whose trials are pooled", 1},
    {"includeFilter", KEY_INCLUDE, "WORD...", 0,
     "Take test cases that one of these names, tags or patterns fits; repeated: all must fit", 1},
    {"excludeFilter", KEY_EXCLUDE, "WORD...", 0, "Leave out test cases that all of these fit", 1},
    {"allow-missing", KEY_ALLOW_MISSING, NULL, 0, "Go on where a name in a filter fits no test case", 1},
    {"article-csv", KEY_ARTICLE_CSV, NULL, 0,
     "CSV of each test as mongo-perf-gnuplot makes it: no header, \", \" between columns, complete rows only", 1},
    {"terminal", KEY_TERMINAL, "png|svg|pdf|dumb", 0, "What the plots are drawn as (default: png)", 1},
    {"size", KEY_SIZE, "WIDTHxHEIGHT", 0,
     "Size of the plot of a test: pixels, of dumb characters (default: 900 and as high as it needs; dumb 100x30)", 1},
    {"preview", KEY_PREVIEW, NULL, 0, "Draw the plots here, as text; without --out-dir no file is written", 1},
    {"no-plot", KEY_NO_PLOT, NULL, 0, "Write the scripts for gnuplot and do not run them", 1},
    {"plot-timeout", KEY_PLOT_TIMEOUT, "SECONDS", 0, "Time that gnuplot may take for one script (default: 120)", 1},
    {"md", KEY_MARKDOWN, NULL, 0, "Also write report.md, with tables and the plots", 1},
    {"html", KEY_HTML, NULL, 0, "Also write report.html, one file with all tables and plots in it", 1},
    {NULL, 'h', NULL, 0, "Same as --help", -1},
    {0},
};

static const char doc[] = "Makes CSV files and plots, a test case each, of result files of benchrun or mongo-perf.\v"
                          "A FILE of - is standard input.\n"
                          "Exit status: 0 done, 1 something could not be written or gnuplot has failed, 2 usage or a "
                          "broken result file. The manual, benchparse(1), has the rest.";

static bool is_terminal(const char *word)
{
    static const char *const known[] = {"png", "svg", "pdf", "dumb"};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (strcmp(known[i], word) == 0)
            return true;
    return false;
}

/* A whole number from 1. */
static unsigned read_number(const char *text, unsigned most, const char *option, struct argp_state *state)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || number < 1 || number > most)
        argp_error(state, "%s: expected a whole number from 1 to %u, got \"%s\"", option, most, text);
    return (unsigned)number;
}

static unsigned read_side(const char *text, char **end)
{
    unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, end, 10) : 0;
    return number <= SIDE_MAX ? (unsigned)number : 0;
}

static void read_size(struct benchparse_cli *cli, const char *text, struct argp_state *state)
{
    char *end = NULL;
    cli->plot_width = read_side(text, &end);
    cli->plot_height = end && *end == 'x' ? read_side(end + 1, &end) : 0;
    if (!end || *end || cli->plot_width < SIDE_MIN || cli->plot_height < SIDE_MIN)
        argp_error(state, "--size: expected WIDTHxHEIGHT, each from %d to %d, got \"%s\"", SIDE_MIN, SIDE_MAX, text);
}

static void append(char ***words, size_t *count, char *word)
{
    *words = memory_resize(*words, *count + 1, sizeof **words);
    (*words)[(*count)++] = word;
}

/* What the parser works on. */
struct benchparse_words {
    struct benchparse_cli *cli;
    bool is_pooling; /* the next file is one more run of the last deployment */
};

static void add_deployment(struct benchparse_cli *cli, const char *label)
{
    cli->deployments = memory_resize(cli->deployments, cli->deployment_count + 1, sizeof *cli->deployments);
    cli->deployments[cli->deployment_count++] = (struct run_files){.label = label};
}

static void add_file(struct benchparse_words *parsing, char *file)
{
    struct benchparse_cli *cli = parsing->cli;
    if (!parsing->is_pooling)
        add_deployment(cli, NULL);
    struct run_files *last = &cli->deployments[cli->deployment_count - 1];
    append(&last->items, &last->count, file);
}

/* A list of words goes up to the next option. */
static void on_word(struct benchparse_words *parsing, char *word)
{
    if (parsing->cli->filter.open)
        test_filter_add(&parsing->cli->filter, word);
    else
        add_file(parsing, word);
}

/* Each label goes to its deployment. */
static void hand_out_labels(struct benchparse_cli *cli, struct argp_state *state)
{
    if (cli->label_count > cli->deployment_count)
        argp_error(state, "%zu labels for %zu files; a label belongs to a file", cli->label_count,
                   cli->deployment_count);
    for (size_t i = 0; i < cli->deployment_count; i++) {
        if (cli->deployments[i].count == 0)
            argp_error(state, "--runs %s: no file follows; give the result files of its runs behind it",
                       cli->deployments[i].label);
        if (cli->label_count > 0 && cli->deployments[i].label)
            argp_error(state, "--label beside --runs; give every deployment its label by --runs LABEL FILE...");
        if (i < cli->label_count)
            cli->deployments[i].label = cli->labels[i];
    }
}

static void check(struct benchparse_cli *cli, struct argp_state *state)
{
    if (cli->deployment_count == 0)
        argp_error(state, "no result file; give at least one, or - for standard input");
    hand_out_labels(cli, state);
    size_t from_stdin = 0;
    for (size_t i = 0; i < cli->deployment_count; i++)
        for (size_t k = 0; k < cli->deployments[i].count; k++)
            from_stdin += strcmp(cli->deployments[i].items[k], "-") == 0;
    if (from_stdin > 1)
        argp_error(state, "standard input (-) can be read only once");
    if (cli->preview && cli->no_plot)
        argp_error(state, "--preview and --no-plot exclude each other; give one of them");
}

static error_t on_setting(struct benchparse_cli *cli, int key, char *argument, struct argp_state *state)
{
    switch (key) {
    case 'h':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        break;
    case 'o':
        cli->out_dir = argument;
        if (!*argument)
            argp_error(state, "--out-dir: the value is empty");
        break;
    case 'l':
        append(&cli->labels, &cli->label_count, argument);
        break;
    case KEY_RUNS:
        add_deployment(cli, argument);
        break;
    case KEY_INCLUDE:
        test_filter_begin(&cli->filter, &cli->filter.include, argument);
        break;
    case KEY_EXCLUDE:
        test_filter_begin(&cli->filter, &cli->filter.exclude, argument);
        break;
    case KEY_ALLOW_MISSING:
        cli->filter.allow_missing = true;
        break;
    case KEY_TERMINAL:
        cli->terminal = argument;
        if (!is_terminal(argument))
            argp_error(state, "--terminal: expected png, svg, pdf or dumb, got \"%s\"", argument);
        break;
    case KEY_SIZE:
        read_size(cli, argument, state);
        break;
    case KEY_PLOT_TIMEOUT:
        cli->plot_timeout_s = read_number(argument, 86400, "--plot-timeout", state);
        break;
    case KEY_ARTICLE_CSV:
        cli->article_csv = true;
        break;
    case KEY_PREVIEW:
        cli->preview = true;
        break;
    case KEY_NO_PLOT:
        cli->no_plot = true;
        break;
    case KEY_MARKDOWN:
        cli->markdown = true;
        break;
    case KEY_HTML:
        cli->html = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t on_option(int key, char *argument, struct argp_state *state)
{
    struct benchparse_words *parsing = state->input;
    if (key == ARGP_KEY_ARG) {
        on_word(parsing, argument);
        return 0;
    }
    if (key == ARGP_KEY_END) {
        check(parsing->cli, state);
        return 0;
    }
    struct filter_group *open = parsing->cli->filter.open;
    parsing->cli->filter.open = NULL;
    error_t known = on_setting(parsing->cli, key, argument, state);
    if (known == 0)
        parsing->is_pooling = key == KEY_RUNS;
    else
        parsing->cli->filter.open = open;
    return known;
}

void benchparse_cli_parse(struct benchparse_cli *cli, int argc, char **argv)
{
    const struct argp argp = {options, on_option, "FILE...\n--runs LABEL FILE... [--runs LABEL FILE...]...", doc, NULL,
                              NULL,    NULL};
    *cli = (struct benchparse_cli){.terminal = "png", .plot_timeout_s = 120};
    struct benchparse_words parsing = {.cli = cli};
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version = "benchparse " PACKAGE_VERSION;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &parsing);
    if (!cli->out_dir && (!cli->preview || cli->markdown || cli->html))
        cli->out_dir = "report";
}

void benchparse_cli_release(struct benchparse_cli *cli)
{
    for (size_t i = 0; i < cli->deployment_count; i++)
        free(cli->deployments[i].items);
    free(cli->deployments);
    free(cli->labels);
    test_filter_release(&cli->filter);
}
