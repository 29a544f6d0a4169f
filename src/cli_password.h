/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_PASSWORD_H
#define CLI_PASSWORD_H

#include <stdbool.h>

#include "base/error.h"
#include "benchrun_cli.h"
#include "cli_rewrite.h"

/* Overwrites what is a password in argv: the value of -p, and the part between ":" and "@" of --uri. */
void cli_password_erase(char **argv, const struct cli_words *words);
/* argv as one line for a shell; erase first. The caller frees. */
char *cli_password_command_line(int argc, char **argv);

/*
 * Puts the password into run.password: from -p, --passwordFile, the connection string (which then holds none),
 * MONGODB_PASSWORD, or typed on the terminal, and says in run.password_source where it came from. A password without a
 * user or for a mechanism that takes none, and a user without a password when there is no terminal, are errors.
 */
bool cli_password_resolve(struct benchrun_cli *cli, struct error *err);

#endif
