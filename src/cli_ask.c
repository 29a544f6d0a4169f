/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

bool cli_ask_can(void)
{
    struct termios shown;
    return isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &shown) == 0;
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

char *cli_ask_secret(const char *what, const char *whom)
{
    struct termios shown = {0}, hidden;
    tcgetattr(STDIN_FILENO, &shown);
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    char *safe = text_safe(whom);
    fprintf(stderr, "%s of %s: ", what, safe);
    free(safe);
    char *line = read_line();
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
    fputc('\n', stderr);
    if (line && *line)
        return line;
    memory_erase(line);
    return NULL;
}
