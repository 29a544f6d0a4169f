/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/benchparse_cli.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define EXIT_USAGE 2

enum { KEY_ARTICLE_CSV = 0x400, KEY_TERMINAL, KEY_PREVIEW, KEY_NO_PLOT, KEY_MARKDOWN, KEY_HTML, KEY_PLOT_TIMEOUT };

static const struct argp_option options[] = {
    {"out-dir", 'o', "DIR", 0, "Folder for all that is made (default: report)", 1},
    {"label", 'l', "TEXT", 0, "What a deployment is called; the first is the first file's (default: the file's name)",
     1},
    {"article-csv", KEY_ARTICLE_CSV, NULL, 0,
     "CSV of each test as mongo-perf-gnuplot makes it: no header, \", \" between columns, complete rows only", 1},
    {"terminal", KEY_TERMINAL, "png|svg|pdf|dumb", 0, "What the plots are drawn as (default: png)", 1},
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
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
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

static void append(char ***words, size_t *count, char *word)
{
    *words = memory_resize(*words, *count + 1, sizeof **words);
    (*words)[(*count)++] = word;
}

static void check(const struct benchparse_cli *cli, struct argp_state *state)
{
    if (cli->file_count == 0)
        argp_error(state, "no result file; give at least one, or - for standard input");
    if (cli->label_count > cli->file_count)
        argp_error(state, "%zu labels for %zu files; a label belongs to a file", cli->label_count, cli->file_count);
    size_t from_stdin = 0;
    for (size_t i = 0; i < cli->file_count; i++)
        from_stdin += strcmp(cli->files[i], "-") == 0;
    if (from_stdin > 1)
        argp_error(state, "standard input (-) can be read only once");
    if (cli->preview && cli->no_plot)
        argp_error(state, "--preview and --no-plot exclude each other; give one of them");
}

static error_t on_option(int key, char *argument, struct argp_state *state)
{
    struct benchparse_cli *cli = state->input;
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
    case KEY_TERMINAL:
        cli->terminal = argument;
        if (!is_terminal(argument))
            argp_error(state, "--terminal: expected png, svg, pdf or dumb, got \"%s\"", argument);
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
    case ARGP_KEY_ARG:
        append(&cli->files, &cli->file_count, argument);
        break;
    case ARGP_KEY_END:
        check(cli, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void benchparse_cli_parse(struct benchparse_cli *cli, int argc, char **argv)
{
    const struct argp argp = {options, on_option, "FILE...", doc, NULL, NULL, NULL};
    *cli = (struct benchparse_cli){.terminal = "png", .plot_timeout_s = 120};
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version = "benchparse " PACKAGE_VERSION;
    argp_parse(&argp, argc, argv, 0, NULL, cli);
    if (!cli->out_dir && (!cli->preview || cli->markdown || cli->html))
        cli->out_dir = "report";
}

void benchparse_cli_release(struct benchparse_cli *cli)
{
    free(cli->files);
    free(cli->labels);
}
