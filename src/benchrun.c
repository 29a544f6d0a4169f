/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/interrupt.h"
#include "benchrun_cli.h"
#include "cli_argp.h"

enum { EXIT_DONE = 0, EXIT_USAGE = 2 };

static void print_messages(const struct message_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        fprintf(stderr, "benchrun: %s\n", list->items[i]);
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
    if (ok && cli.help)
        cli_argp_print_help(stdout);
    if (ok && cli.version)
        puts("benchrun " PACKAGE_VERSION);
    benchrun_cli_release(&cli);
    message_list_release(&errors);
    return ok ? EXIT_DONE : EXIT_USAGE;
}
