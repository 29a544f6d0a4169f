/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_REWRITE_H
#define CLI_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli_options.h"

/* A value and its option, and where in argv it is. */
struct cli_word {
    const struct cli_option *option;
    char *value;   /* "true" for a switch without one */
    bool is_more;  /* a further word of a list option */
    size_t source; /* index in argv */
    size_t offset; /* where the value begins in argv[source] */
};

struct cli_words {
    struct cli_word *items;
    size_t count;
    size_t capacity;
};

/*
 * mongo-perf's command line, read as Python's argparse reads it, as options with their values. Pure: no output, argv is
 * left alone.
 *
 *   - a long option may be cut to a prefix that is unique among mongo-perf's options, else among all;
 *   - a bare word belongs to the list option before it; after any other option it is an error;
 *   - true or false may follow a boolean option;
 *   - a word that begins with "-" and names no option is a value if it is a negative number or holds a blank;
 *   - after "--" every word is a value.
 */
bool cli_rewrite(int argc, char *const argv[], struct cli_words *words, struct error *err);
/* Erases the values: there may be a password among them. */
void cli_words_release(struct cli_words *words);

#endif
