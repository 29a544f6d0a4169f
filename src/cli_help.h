/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

/* --help and --usage: glibc's argp prints the table of options. */
void cli_help_print(FILE *out);
void cli_help_print_usage(FILE *out);

#endif
