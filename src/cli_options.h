/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "benchrun_cli.h"

enum cli_kind {
    CLI_FLAG,  /* takes no word */
    CLI_BOOL,  /* true or false may follow; alone it means true */
    CLI_VALUE, /* takes one word */
    CLI_LIST,  /* takes every word up to the next option */
};

/* One option: all that the parser, --help and the checks know of it. */
struct cli_option {
    const char *name; /* as typed: "--uri", "-w" */
    char letter;      /* 'f' for -f; 0: none */
    enum cli_kind kind;
    bool is_mongo_perf; /* prefixes that are unique among these keep their meaning whatever else is in the table */
    bool is_secret;     /* its value holds a password */
    bool is_alias;      /* another spelling of the row before */
    int section;        /* enum cli_section */
    const char *argument, *help;

    /* Called for each value, "true" for a bare flag. The first word of a list comes to `set`, the others to `more`. */
    bool (*set)(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
    void (*more)(struct benchrun_cli *cli, const struct cli_option *option, const char *value);
    size_t field;                   /* offset in struct benchrun_cli of what `set` fills */
    double min, max;                /* of a number */
    const char *note, *note_unless; /* said when the option is given with another value than note_unless */
};

extern const struct cli_option cli_options[];
extern const size_t cli_option_count;

/* Hands one value to its option; `is_more` marks a further word of a list. What is refused is prefixed with the
 * option. */
bool cli_option_apply(struct benchrun_cli *cli, const struct cli_option *option, const char *value, bool is_more,
                      struct error *err);
/* By the name that the table has; the name must be there. */
bool cli_option_is_given(const struct benchrun_cli *cli, const char *name);
/* The defaults of every option. */
void cli_options_set_defaults(struct benchrun_cli *cli);
/* Options that exclude or need each other. */
bool cli_options_check(const struct benchrun_cli *cli, struct error *err);
/* The headings of --help. */
enum cli_section { CLI_WHAT = 1, CLI_HOW, CLI_WHERE, CLI_RESULT, CLI_IGNORED, CLI_HELP, CLI_SECTIONS_END };
extern const char *const cli_section_titles[CLI_SECTIONS_END];

#endif
