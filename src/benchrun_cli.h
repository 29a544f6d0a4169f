/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCHRUN_CLI_H
#define BENCHRUN_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/run_options.h"

#define BENCHRUN_CLI_OPTIONS_MAX 64

/* What the words on the command line say: `run` is for the engine, the rest for the program alone. */
struct benchrun_cli {
    struct run_options run;
    bool help, usage, version, list, check, preflight;
    bool list_as_json;            /* --format json, of --preflight too */
    struct message_list notes;    /* for people: what was accepted without effect, skipped or changed */
    struct message_list warnings; /* of the connection string and the files that it names */

    /* As written, before they become run.files, run.threads, run.uri and run.password. */
    struct filter_groups file_words, thread_words;
    char *host, *port, *replset;
    char *username, *auth_database, *auth_mechanism;
    char *password_file;
    bool tls, tls_any_certificate, tls_any_hostname;
    char *tls_ca_file, *tls_key_file, *tls_key_password;
    bool given[BENCHRUN_CLI_OPTIONS_MAX]; /* by position in the table of options */
    bool files_missing;                   /* some of -f: run.files are those that are there */
};

/*
 * Fills `cli` from argv and the environment. A password is taken out of argv before anything else happens. Adds to
 * `errors` (one line each, for stderr and exit code 2) and returns false when the words make no sense, a definition
 * file is missing, or a password was wanted and there is nobody to ask. benchrun_cli_release() in either case.
 */
bool benchrun_cli_parse(struct benchrun_cli *cli, int argc, char **argv, struct message_list *errors);
void benchrun_cli_release(struct benchrun_cli *cli);

#endif
