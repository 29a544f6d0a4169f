/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_WORDS_H
#define TESTS_WORDS_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define WORDS_MAX 64

/* A command line as a test writes it, words apart by "|", as an argv that may be written to. */
struct words {
    int argc;
    char *argv[WORDS_MAX + 2];
    char *copy;
};

static inline void words_split(struct words *words, const char *line)
{
    *words = (struct words){.copy = memory_printf("benchrun|%s", line)};
    for (char *at = words->copy; at && words->argc < WORDS_MAX;) {
        char *bar = strchr(at, '|');
        words->argv[words->argc++] = at;
        if (bar)
            *bar++ = '\0';
        at = bar;
    }
    if (*line == '\0')
        words->argc = 1;
    words->argv[words->argc] = NULL;
}

static inline void words_release(struct words *words)
{
    free(words->copy);
}

#endif
