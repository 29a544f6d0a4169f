/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_REWRITE_H
#define CLI_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli_options.h"

/* The option that hands a further word to the list option before it. No user can write it: it is not in the table. */
#define CLI_MORE "--,"

/* A word for argp, and where in the original argv its value stands. */
struct cli_word {
    char *text;                      /* "--threads=1", "--,=2", "-w1" */
    const struct cli_option *option; /* whose value it is */
    size_t source;                   /* index in argv */
    size_t offset;                   /* where the value begins in argv[source] */
};

struct cli_words {
    struct cli_word *items;
    size_t count;
    size_t capacity;
};

/*
 * mongo-perf's command line, read as Python's argparse reads it, turned into words that argp takes: every option by its
 * full name with its value attached. Pure: no output, argv is left alone.
 *
 *   - a long option may be cut to a prefix that is unique among mongo-perf's options, else among all;
 *   - a bare word belongs to the list option before it; after any other option it is an error;
 *   - true or false may follow a boolean option;
 *   - a word that begins with "-" and names no option is a value if it is a negative number or holds a blank;
 *   - after "--" every word is a value.
 */
bool cli_rewrite(int argc, char *const argv[], struct cli_words *words, struct error *err);
/* The texts as an argv, argv[0] being `program`: NULL-terminated, words->count + 1 long. The caller frees the array. */
char **cli_words_argv(const struct cli_words *words, char *program);
/* Erases the texts: there may be a password in them. */
void cli_words_release(struct cli_words *words);

#endif
