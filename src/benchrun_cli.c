/* SPDX-License-Identifier: Apache-2.0 */
#include "benchrun_cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "cli_deployment.h"
#include "cli_files.h"
#include "cli_ladder.h"
#include "cli_options.h"
#include "cli_password.h"
#include "cli_rewrite.h"
#include "cli_tls.h"

/* argv into the fields of the table. The password leaves argv before a word is looked at. */
static bool read_words(struct benchrun_cli *cli, int argc, char **argv, struct error *err)
{
    struct cli_words words;
    bool ok = cli_rewrite(argc, argv, &words, err);
    cli_password_erase(argv, &words);
    cli->run.command_line = cli_password_command_line(argc, argv);
    for (size_t i = 0; ok && i < words.count; i++)
        ok = cli_option_apply(cli, words.items[i].option, words.items[i].value, words.items[i].is_more, err);
    cli_words_release(&words);
    return ok;
}

static bool resolve_ladder(struct benchrun_cli *cli, struct error *err)
{
    const struct filter_groups *words = &cli->thread_words;
    struct run_options *run = &cli->run;
    if (words->count == 0) {
        cli_ladder_default(&run->threads, &run->thread_count);
        return true;
    }
    /* Repeated, the last one wins, as in mongo-perf. */
    bool ok = cli_ladder_expand(&words->items[words->count - 1], &run->threads, &run->thread_count, err);
    error_prefix(err, "--threads");
    return ok;
}

/* Nobody is asked for a password where no server is needed. */
static bool resolve_server(struct benchrun_cli *cli, struct error *err)
{
    return cli->list || cli->check ||
           (cli_deployment_resolve(cli, err) && cli_tls_resolve(cli, err) && cli_password_resolve(cli, err));
}

bool benchrun_cli_parse(struct benchrun_cli *cli, int argc, char **argv, struct message_list *errors)
{
    struct error err;
    error_init(&err);
    cli_options_set_defaults(cli);
    bool ok = read_words(cli, argc, argv, &err);
    if (ok && (cli->help || cli->usage || cli->version))
        return true;
    ok = ok && cli_options_check(cli, &err) && resolve_ladder(cli, &err);
    /* Only a preflight may do without. */
    if (ok && (!cli->preflight || cli->file_words.count > 0))
        cli->files_missing = !cli_files_resolve(&cli->run, &cli->file_words, &cli->notes, errors);
    ok = ok && !cli->files_missing && resolve_server(cli, &err);
    if (err.is_set)
        message_list_add(errors, "%s", err.message);
    return ok;
}

void benchrun_cli_release(struct benchrun_cli *cli)
{
    run_options_release(&cli->run);
    filter_groups_release(&cli->file_words);
    filter_groups_release(&cli->thread_words);
    message_list_release(&cli->notes);
    message_list_release(&cli->warnings);
    char *texts[] = {cli->host,           cli->port,          cli->replset,     cli->username,    cli->auth_database,
                     cli->auth_mechanism, cli->password_file, cli->tls_ca_file, cli->tls_key_file};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        free(texts[i]);
    memory_erase(cli->tls_key_password);
    *cli = (struct benchrun_cli){0};
}
