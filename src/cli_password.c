/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_password.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli_uri.h"

#define PASSWORD_BYTES_MAX 65536

static void mask_uri(char *uri)
{
    cli_uri_mask(uri, cli_uri_password(uri));
    struct cli_uri_span secret = cli_uri_secret_option(uri, 0);
    while (secret.begin > 0) {
        cli_uri_mask(uri, secret);
        secret = cli_uri_secret_option(uri, secret.begin + 1);
    }
}

void cli_password_erase(char **argv, const struct cli_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const struct cli_word *word = &words->items[i];
        char *value = argv[word->source] + word->offset;
        struct cli_uri_span whole = {0, strlen(value)};
        if (strcmp(word->option->name, "--uri") == 0)
            mask_uri(value);
        else if (word->option->is_secret)
            cli_uri_mask(value, whole);
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
    char *text = memory_strdup(buffer_text(&line));
    buffer_release(&line);
    return text;
}

static bool from_file(const char *path, char **password, struct error *err)
{
    struct buffer content = {0};
    bool ok = file_read(path, PASSWORD_BYTES_MAX, &content, err);
    if (ok) {
        char *text = memory_strdup(buffer_text(&content));
        text[strcspn(text, "\r\n")] = '\0';
        *password = text;
    }
    if (content.data)
        explicit_bzero(content.data, content.capacity);
    buffer_release(&content);
    error_prefix(err, "--passwordFile");
    return ok;
}

static void discard(char *password)
{
    if (password)
        explicit_bzero(password, strlen(password));
    free(password);
}

/* One line from the terminal. NULL at its end or when a signal came. */
static char *read_line(void)
{
    char line[1024];
    ssize_t n = read(STDIN_FILENO, line, sizeof line - 1);
    if (n <= 0)
        return NULL;
    line[n] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    char *copy = memory_strdup(line);
    explicit_bzero(line, sizeof line);
    return copy;
}

/* `who` is "-u NAME" or "the user NAME of the connection string". */
static bool from_terminal(const char *who, const char *username, char **password, struct error *err)
{
    struct termios visible, hidden;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &visible) != 0) {
        error_set(err,
                  "%s has no password, and there is no terminal to ask on; give --passwordFile or "
                  "MONGODB_PASSWORD",
                  who);
        return false;
    }
    hidden = visible;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    char *shown = text_safe(username);
    fprintf(stderr, "Password of %s: ", shown);
    free(shown);
    *password = read_line();
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &visible);
    fputc('\n', stderr);
    if (!*password || !**password)
        error_set(err, "no password was typed");
    return !err->is_set;
}

/* Whether the mechanism proves who one is by a password; the server's choice does. */
static bool needs_password(const struct run_options *run)
{
    static const char *const without[] = {"MONGODB-X509", "MONGODB-AWS", "MONGODB-OIDC", "GSSAPI"};
    static const char option[] = "authMechanism=";
    const char *in_uri = run->uri ? strcasestr(run->uri, option) : NULL;
    const char *mechanism = run->auth_mechanism ? run->auth_mechanism : in_uri ? in_uri + strlen(option) : "";
    size_t length = strcspn(mechanism, "&");
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (strlen(without[i]) == length && strncasecmp(mechanism, without[i], length) == 0)
            return false;
    return true;
}

static bool ask(struct run_options *run, struct error *err)
{
    char *username = run->username ? memory_strdup(run->username) : cli_uri_user(run->uri);
    char *who = memory_printf(run->username ? "-u %s" : "the user %s of the connection string", username);
    bool ok = from_terminal(who, username, &run->password, err);
    free(who);
    free(username);
    return ok;
}

/* No server takes an empty one. */
static void drop_empty(struct run_options *run)
{
    if (!run->password || *run->password)
        return;
    free(run->password);
    run->password = NULL;
}

static bool take_from_uri(struct run_options *run, struct error *err)
{
    if (run->username && cli_uri_has_user(run->uri)) {
        error_set(err, "-u and the connection string both name a user; leave one out");
        return false;
    }
    char *password = cli_uri_take_password(run->uri);
    if (run->password)
        discard(password);
    else
        run->password = password;
    return true;
}

bool cli_password_resolve(struct benchrun_cli *cli, struct error *err)
{
    struct run_options *run = &cli->run;
    if (cli->password_file && !from_file(cli->password_file, &run->password, err))
        return false;
    if (run->uri && !take_from_uri(run, err))
        return false;
    if (!run->username && !(run->uri && cli_uri_has_user(run->uri))) {
        if (run->password)
            error_set(err, "there is a password, but no user; name one with -u");
        return !run->password;
    }
    const char *environment = getenv("MONGODB_PASSWORD");
    drop_empty(run);
    if (!run->password && environment && *environment)
        run->password = memory_strdup(environment);
    return run->password || !needs_password(run) || ask(run, err);
}
