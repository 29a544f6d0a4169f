/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_BENCHCOMPARE_CLI_H
#define PARSE_BENCHCOMPARE_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "parse/compare.h"
#include "parse/test_filter.h"

enum compare_format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON };
enum fail_on { FAIL_ON_ANY, FAIL_ON_SLOWER };

/* Words of the command line that files or labels are. */
struct word_list {
    char **items;
    size_t count;
};

struct benchcompare_cli {
    struct word_list files;  /* one side each, the first is the baseline */
    struct word_list pool_a; /* --a and --b, instead of `files` */
    struct word_list pool_b;
    struct word_list labels;
    struct test_filter filter;
    struct compare_options compare;
    enum compare_format format;
    enum fail_on fail_on;
    bool allow_missing; /* what cannot be compared makes no trouble by itself */
    bool with_cells;
    const char *verify;         /* a published table to be checked instead, or NULL */
    const char *verify_columns; /* "A,B,PCT", or NULL: by header */
};

/* On a mistake prints it and exits with 2; --help and --version exit with 0. */
void benchcompare_cli_parse(struct benchcompare_cli *cli, int argc, char **argv);
void benchcompare_cli_release(struct benchcompare_cli *cli);

#endif
