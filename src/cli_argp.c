/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_argp.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli_options.h"

/* Above every character, so that an option without a letter has none for argp either. */
#define KEY_FIRST 0x400
#define KEY_MORE (KEY_FIRST + BENCHRUN_CLI_OPTIONS_MAX)

struct state {
    struct benchrun_cli *cli;
    const struct cli_option *last;
    struct error *err;
};

static int key_of(size_t position)
{
    return cli_options[position].letter ? cli_options[position].letter : KEY_FIRST + (int)position;
}

static const struct cli_option *option_of(int key)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (key_of(i) == key)
            return &cli_options[i];
    return NULL;
}

static void note_value(struct benchrun_cli *cli, const struct cli_option *option, const char *value)
{
    if (option->note && (!option->note_unless || strcmp(value, option->note_unless) != 0))
        message_list_add(&cli->notes, "%s: %s", option->name, option->note);
}

static error_t on_option(int key, char *argument, struct argp_state *argp)
{
    struct state *state = argp->input;
    const char *value = argument ? argument : "true";
    if (key == KEY_MORE) {
        state->last->more(state->cli, state->last, value);
        return 0;
    }
    const struct cli_option *option = option_of(key);
    if (!option)
        return ARGP_ERR_UNKNOWN;
    state->last = option;
    /* A switch that is turned off is as good as absent. */
    state->cli->given[option - cli_options] = option->kind != CLI_BOOL || strcmp(value, "false") != 0;
    if (option->set(state->cli, option, value, state->err)) {
        note_value(state->cli, option, value);
        return 0;
    }
    error_prefix(state->err, "%s", option->name);
    return EINVAL;
}

/* argp moves --help and --version to group -1 by itself; their heading must be there too. */
static int group_of(int section)
{
    return section == CLI_HELP ? -1 : section;
}

/* In --help a switch is shown without the true|false that may follow, as people write it. */
static struct argp_option argp_option_of(size_t position, bool for_help)
{
    const struct cli_option *option = &cli_options[position];
    return (struct argp_option){.name = option->name[1] == '-' ? option->name + 2 : NULL,
                                .key = key_of(position),
                                .arg = option->kind == CLI_BOOL && !for_help ? "true|false" : option->argument,
                                .flags = option->kind == CLI_BOOL ? OPTION_ARG_OPTIONAL : 0,
                                .doc = option->help,
                                .group = group_of(option->section)};
}

/* Headings, options, the hidden one for further words, and the end mark that argp wants. */
static struct argp_option *make_options(bool for_help)
{
    struct argp_option *all = memory_zeroed(cli_option_count + CLI_SECTIONS_END + 2, sizeof *all);
    size_t count = 0;
    for (int section = 1; section < CLI_SECTIONS_END; section++)
        all[count++] = (struct argp_option){.doc = cli_section_titles[section], .group = group_of(section)};
    for (size_t i = 0; i < cli_option_count; i++)
        all[count++] = argp_option_of(i, for_help);
    all[count] =
        (struct argp_option){.name = &CLI_MORE[2], .key = KEY_MORE, .arg = "WORD", .flags = OPTION_HIDDEN, .group = -1};
    return all;
}

static const char doc[] =
    "Measures how many operations a second a MongoDB-compatible deployment does, test case by test case, at growing "
    "numbers of concurrent connections.\v"
    "A bare word belongs to the list option (with ... above) before it; true or false may follow an option "
    "that is shown without a value. Long options may be shortened.\n"
    "Exit status: 0 all cells measured, 1 could not run, 2 usage or definition error, 3 some cells failed or hold "
    "failures. The manual, benchrun(1), has the rest.\n"
    "Every wait ends: for a connection after 5 s (connectTimeoutMS in --uri), for a primary 5 s "
    "(serverSelectionTimeoutMS), for one command of a set-up 120 s (socketTimeoutMS), for dropped collections to go "
    "120 s, for all connections of a trial 60 s, for operations in flight after a trial --grace, for those that were "
    "abandoned to be done 600 s, for a server that has gone 30 s, for a local server to start 90 s and to stop 10 s.";

static struct argp make_argp(struct argp_option *options)
{
    return (struct argp){.options = options, .parser = on_option, .doc = doc};
}

bool cli_argp_apply(struct benchrun_cli *cli, const struct cli_words *words, struct error *err)
{
    struct argp_option *options = make_options(false);
    struct argp argp = make_argp(options);
    struct state state = {.cli = cli, .err = err};
    char name[] = "benchrun";
    char **argv = cli_words_argv(words, name);
    bool ok =
        argp_parse(&argp, (int)words->count + 1, argv, ARGP_NO_EXIT | ARGP_NO_HELP | ARGP_NO_ERRS, NULL, &state) == 0;
    free(argv);
    free(options);
    return ok;
}

void cli_argp_print_help(FILE *out)
{
    struct argp_option *options = make_options(true);
    struct argp argp = make_argp(options);
    char name[] = "benchrun";
    /* Without its sentence on short options, which says what the list shows. */
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    argp_help(&argp, out, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, name);
    free(options);
}
