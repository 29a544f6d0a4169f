/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_password.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest_file.h"
#include "cli_ask.h"
#include "model/uri.h"
#include "model/uri_options.h"
#include "model/uri_secrets.h"

#define PASSWORD_BYTES_MAX 65536
#define BYTE_ORDER_MARK "\xEF\xBB\xBF" /* editors of Windows begin a file with it */

static void mask(char *value)
{
    size_t length = strlen(value), stars = length < 3 ? length : 3;
    memset(value, '*', stars);
    explicit_bzero(value + stars, length - stars);
}

void cli_password_erase(char **argv, const struct cli_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const struct cli_word *word = &words->items[i];
        char *value = argv[word->source] + word->offset;
        if (strcmp(word->option->name, "--uri") == 0)
            uri_secrets_mask(value);
        else if (word->option->is_secret)
            mask(value);
    }
}

static void append_quoted(struct buffer *line, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-*";
    bool is_plain = *word && word[strspn(word, plain)] == '\0';
    buffer_append(line, "'", !is_plain);
    for (; *word; word++)
        buffer_append_printf(line, *word == '\'' ? "'\\''" : "%c", *word);
    buffer_append(line, "'", !is_plain);
}

char *cli_password_command_line(int argc, char **argv)
{
    struct buffer line = {0};
    for (int i = 0; i < argc; i++) {
        buffer_append(&line, " ", i > 0);
        append_quoted(&line, argv[i]);
    }
    return buffer_detach(&line);
}

/* Takes over `password`. */
static void set_password(struct run_options *run, char *password, const char *source, const char *detail)
{
    run->password = password;
    free(run->password_source);
    run->password_source = memory_printf("%s%s%s", source, *detail ? " " : "", detail);
}

static bool from_file(struct run_options *run, const char *path, struct error *err)
{
    struct buffer content = {0};
    bool ok = nearest_file_check(path, err) && file_read(path, PASSWORD_BYTES_MAX, &content, err);
    if (ok) {
        const char *whole = buffer_text(&content);
        bool is_text = strlen(whole) == content.size;
        char *text = memory_strdup(whole + (strncmp(whole, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0));
        text[strcspn(text, "\r\n")] = '\0';
        ok = *text && is_text;
        if (!ok)
            error_set(err, "%s: %s; expected the password in the first line", path,
                      is_text ? "the first line is empty" : "the file is no text");
        set_password(run, text, "--passwordFile", path);
    }
    if (content.data)
        explicit_bzero(content.data, content.capacity);
    buffer_release(&content);
    error_prefix(err, "--passwordFile");
    return ok;
}

/* -p, a file, the connection string: the first that gives one, even an empty one. */
static bool take_given(struct benchrun_cli *cli, struct error *err)
{
    struct run_options *run = &cli->run;
    char *in_uri = uri_take_password(run->uri);
    bool ok = true;
    if (run->password)
        set_password(run, run->password, "-p", "");
    else if (cli->password_file)
        ok = from_file(run, cli->password_file, err);
    else if (in_uri)
        set_password(run, memory_strdup(in_uri), run->uri_source, "");
    memory_erase(in_uri);
    return ok;
}

static bool take_environment(struct run_options *run)
{
    const char *password = getenv("MONGODB_PASSWORD");
    if (password && *password)
        set_password(run, memory_strdup(password), "MONGODB_PASSWORD", "");
    return run->password;
}

static bool take_typed(struct run_options *run, bool was_empty, struct error *err)
{
    char *user = uri_user(run->uri);
    bool can = cli_ask_can();
    char *typed = can ? cli_ask_secret("Password", user) : NULL;
    if (typed)
        set_password(run, typed, "the terminal", "");
    else if (can)
        error_set(err, "no password was typed for the user %s", user);
    else
        error_set(err,
                  "the user %s (%s) has %s password, and there is no terminal to ask on; give --passwordFile or "
                  "MONGODB_PASSWORD",
                  user, run->user_source, was_empty ? "an empty" : "no");
    free(user);
    return typed != NULL;
}

/* What the mechanism proves who one is by: a password, something else, or either. */
enum need { NEEDS_PASSWORD, MAY_HAVE_PASSWORD, NO_PASSWORD };

static enum need find_need(const struct run_options *run)
{
    static const char name[] = "authMechanism";
    struct uri uri;
    uri_split(&uri, run->uri, NULL);
    if (uri_options_say(&uri, name, "MONGODB-X509"))
        return NO_PASSWORD;
    bool may = uri_options_say(&uri, name, "MONGODB-AWS") || uri_options_say(&uri, name, "GSSAPI");
    return may ? MAY_HAVE_PASSWORD : NEEDS_PASSWORD;
}

/* What is given must be of use. */
static bool check_given(const struct run_options *run, enum need need, struct error *err)
{
    if (!run->password)
        return true;
    if (need == NO_PASSWORD)
        error_set(err, "%s gives a password, and MONGODB-X509 has no use for one: leave it out", run->password_source);
    else if (!run->user_source)
        error_set(err, "%s gives a password, but no user is named; name one with -u", run->password_source);
    else if (!uri_can_hold(run->password))
        error_set(err, "%s gives a password that is no UTF-8", run->password_source);
    else
        return true;
    return false;
}

/* No server takes an empty password. */
static bool drop_empty(struct run_options *run)
{
    if (!run->password || *run->password)
        return false;
    memory_erase(run->password);
    free(run->password_source);
    run->password = run->password_source = NULL;
    return true;
}

bool cli_password_resolve(struct benchrun_cli *cli, struct error *err)
{
    struct run_options *run = &cli->run;
    if (run->local)
        return true;
    enum need need = find_need(run);
    if (!take_given(cli, err) || !check_given(run, need, err))
        return false;
    if (!run->user_source || need == NO_PASSWORD)
        return true;
    bool was_empty = drop_empty(run);
    bool ok = run->password || take_environment(run) || need != NEEDS_PASSWORD || take_typed(run, was_empty, err);
    return ok && check_given(run, need, err);
}
