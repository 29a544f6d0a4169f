/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_ARGP_H
#define CLI_ARGP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "benchrun_cli.h"
#include "cli_rewrite.h"

/* glibc's argp, fed from the table of options. */

/* Hands every word to its option's setter, in order; the first refusal ends it, prefixed with the option. */
bool cli_argp_apply(struct benchrun_cli *cli, const struct cli_words *words, struct error *err);
/* The text of --help. */
void cli_argp_print_help(FILE *out);

#endif
