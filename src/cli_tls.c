/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_tls.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli_ask.h"
#include "engine/tls_files.h"
#include "model/uri.h"
#include "model/uri_options.h"

#define AUTHORITIES "tlsCAFile"
#define KEY "tlsCertificateKeyFile"
#define PASS_PHRASE "tlsCertificateKeyFilePassword"

static char *get(const struct benchrun_cli *cli, const char *name)
{
    struct uri uri;
    uri_split(&uri, cli->run.uri, NULL);
    return uri_options_get(&uri, name);
}

/* The way by which the file was named. */
static void name_source(const struct benchrun_cli *cli, const char *name, bool is_option, struct error *err)
{
    if (is_option)
        error_prefix(err, "--%s", name);
    else
        error_prefix(err, "%s: %s", cli->run.uri_source, name);
}

static bool ask_pass_phrase(struct benchrun_cli *cli, const char *path, struct error *err)
{
    if (!cli_ask_can()) {
        error_set(err,
                  "%s: its private key is encrypted, and there is no terminal to ask for the pass phrase on; give "
                  "--" PASS_PHRASE ", or " PASS_PHRASE " in the connection string",
                  path);
        return false;
    }
    char *typed = cli_ask_secret("Pass phrase", path);
    if (!typed) {
        error_set(err, "%s: no pass phrase was typed for its private key", path);
        return false;
    }
    char *uri = uri_options_set(cli->run.uri, PASS_PHRASE, typed);
    memory_erase(typed);
    memory_erase(cli->run.uri);
    cli->run.uri = uri;
    return true;
}

static bool check_key(struct benchrun_cli *cli, struct error *err)
{
    char *path = get(cli, KEY), *pass_phrase = get(cli, PASS_PHRASE);
    enum tls_key key = path ? tls_files_check_key(path, pass_phrase, err) : TLS_KEY_GOOD;
    memory_erase(pass_phrase);
    if (key == TLS_KEY_LOCKED && ask_pass_phrase(cli, path, err)) {
        pass_phrase = get(cli, PASS_PHRASE);
        key = tls_files_check_key(path, pass_phrase, err);
        memory_erase(pass_phrase);
    }
    free(path);
    name_source(cli, KEY, cli->tls_key_file, err);
    return key == TLS_KEY_GOOD;
}

static bool check_authorities(const struct benchrun_cli *cli, struct error *err)
{
    char *path = get(cli, AUTHORITIES);
    bool ok = !path || tls_files_check_authorities(path, err);
    free(path);
    name_source(cli, AUTHORITIES, cli->tls_ca_file, err);
    return ok;
}

bool cli_tls_resolve(struct benchrun_cli *cli, struct error *err)
{
    return cli->run.local || (check_authorities(cli, err) && check_key(cli, err));
}
