/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "benchrun_cli.h"
#include "cli_argp.h"
#include "list.h"
#include "model/select.h"
#include "model/testcase.h"
#include "run_command.h"

enum { EXIT_DONE = 0, EXIT_USAGE = 2 };

static void print_messages(const struct message_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        fprintf(stderr, "benchrun: %s\n", list->items[i]);
}

/* Everything wrong in every file at once, so that it can be mended at once. */
static bool load_definitions(const struct run_options *options, struct testcase_set *set)
{
    struct message_list errors, warnings;
    message_list_init(&errors);
    message_list_init(&warnings);
    for (size_t i = 0; i < options->file_count; i++)
        testcase_set_load(set, options->files[i], options->seed, &errors, &warnings);
    testcase_set_check_names(set, &errors);
    print_messages(&warnings);
    print_messages(&errors);
    bool ok = errors.count == 0;
    message_list_release(&warnings);
    message_list_release(&errors);
    return ok;
}

static int act_on_selection(const struct benchrun_cli *cli, const struct testcase_set *set)
{
    struct error err;
    error_init(&err);
    size_t *selected, count;
    if (!select_tests(set, &cli->run.include, &cli->run.exclude, &selected, &count, &err)) {
        fprintf(stderr, "benchrun: %s\n", err.message);
        return EXIT_USAGE;
    }
    int exit_code = EXIT_DONE;
    if (!cli->list)
        exit_code = run_command(&cli->run, set, selected, count);
    else if (cli->list_as_json)
        list_print_json(set, selected, count, stdout);
    else
        list_print(set, selected, count, stdout);
    free(selected);
    return exit_code;
}

static int say_good(const struct testcase_set *set, const struct run_options *options)
{
    printf("%zu tests in %zu files are good\n", set->count, options->file_count);
    return EXIT_DONE;
}

static int act_on_definitions(const struct benchrun_cli *cli)
{
    struct testcase_set set;
    testcase_set_init(&set);
    int exit_code = EXIT_USAGE;
    if (load_definitions(&cli->run, &set))
        exit_code = cli->check ? say_good(&set, &cli->run) : act_on_selection(cli, &set);
    testcase_set_release(&set);
    return exit_code;
}

static int act(const struct benchrun_cli *cli)
{
    if (cli->help)
        cli_argp_print_help(stdout);
    else if (cli->version)
        puts("benchrun " PACKAGE_VERSION);
    else
        return act_on_definitions(cli);
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    struct benchrun_cli cli;
    struct message_list errors;
    message_list_init(&errors);
    interrupt_install();
    bool ok = benchrun_cli_parse(&cli, argc, argv, &errors);
    print_messages(&cli.notes);
    print_messages(&errors);
    int exit_code = ok ? act(&cli) : EXIT_USAGE;
    benchrun_cli_release(&cli);
    message_list_release(&errors);
    interrupt_raise_again();
    return exit_code;
}
