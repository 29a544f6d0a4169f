/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_BENCHPARSE_CLI_H
#define PARSE_BENCHPARSE_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "parse/test_filter.h"

/* The result files of one deployment. */
struct run_files {
    const char *label; /* NULL: the file's name */
    char **items;
    size_t count; /* more than one: runs that are pooled */
};

/* The command line of benchparse; words are lent from argv. */
struct benchparse_cli {
    struct run_files *deployments;
    size_t deployment_count;
    char **labels; /* the k-th is the k-th deployment's */
    size_t label_count;
    struct test_filter filter;
    const char *out_dir;              /* NULL: nothing is written */
    const char *terminal;             /* png, svg, pdf or dumb */
    unsigned plot_width, plot_height; /* 0: the default */
    unsigned plot_timeout_s;
    bool article_csv, preview, no_plot, markdown, html;
};

/* Does not return on --help, --version (exit code 0) and usage errors (2). */
void benchparse_cli_parse(struct benchparse_cli *cli, int argc, char **argv);
void benchparse_cli_release(struct benchparse_cli *cli);

#endif
