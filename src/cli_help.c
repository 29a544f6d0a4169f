/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_help.h"

#include <argp.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "cli_options.h"
#include "exit_status.h"

/* Above every character, so that an option without a letter has none for argp either. */
#define KEY_FIRST 0x400

/* argp moves --help and --version to group -1 by itself; their heading must be there too. */
static int group_of(int section)
{
    return section == CLI_HELP ? -1 : section;
}

/* A switch is shown without the true|false that may follow, as people write it. */
static struct argp_option argp_option_of(size_t position)
{
    const struct cli_option *option = &cli_options[position];
    return (struct argp_option){.name = option->name[1] == '-' ? option->name + 2 : NULL,
                                .key = option->letter ? option->letter : KEY_FIRST + (int)position,
                                .arg = option->argument,
                                .flags = option->is_alias ? OPTION_ALIAS : 0,
                                .doc = option->help,
                                .group = group_of(option->section)};
}

/* Headings, options, and the end mark that argp wants. */
static struct argp_option *make_options(void)
{
    struct argp_option *all = memory_zeroed(cli_option_count + CLI_SECTIONS_END + 1, sizeof *all);
    size_t count = 0;
    for (int section = 1; section < CLI_SECTIONS_END; section++)
        all[count++] = (struct argp_option){.doc = cli_section_titles[section], .group = group_of(section)};
    for (size_t i = 0; i < cli_option_count; i++)
        all[count++] = argp_option_of(i);
    return all;
}

static const char doc[] =
    "Measures how many operations per second a MongoDB-compatible deployment does, test case by test case, at growing "
    "numbers of concurrent connections.\v"
    "A bare word belongs to the list option (with ... above) before it; true or false may follow an option "
    "that is shown without a value. Long options may be shortened.\n"
    "The manual, benchrun(1), has the rest.\n"
    "Every wait ends: for a name to be looked up after 10 s, for a connection 5 s (connectTimeoutMS in --uri), for one "
    "command of a set-up 120 s (socketTimeoutMS), for dropped collections to go 120 s, for all connections of a trial "
    "60 s, for operations in flight after a trial --grace, for those that were abandoned to be done 600 s (30 s "
    "without an answer), for a server that has gone, or a primary, --patience, for a thread that hangs in a library "
    "60 s, for a local server to start 90 s and to stop 10 s.\n"
    "Exit status:";

static char *make_doc(void)
{
    struct buffer text = {0};
    buffer_append_printf(&text, "%s", doc);
    for (int code = EXIT_GOOD; code <= EXIT_CELLS_BAD; code++)
        buffer_append_printf(&text, "\n  %d  %s", code, exit_statuses[code].meaning);
    return buffer_detach(&text);
}

static void print(FILE *out, unsigned what)
{
    struct argp_option *options = make_options();
    char *text = make_doc();
    struct argp argp = {.options = options, .doc = text};
    char name[] = "benchrun";
    /* Without its sentence on short options, which says what the list shows. */
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    argp_help(&argp, out, what, name);
    free(text);
    free(options);
}

void cli_help_print(FILE *out)
{
    print(out, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
}

void cli_help_print_usage(FILE *out)
{
    print(out, ARGP_HELP_USAGE);
}
