/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SET_H
#define CLI_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli_options.h"

/* Setters for the table of options: each turns one value into the field that the option names. The message says what
 * was expected and what was given. */
bool cli_set_flag(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
/* char *; cli_set_text() refuses the empty one. */
bool cli_set_any_text(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
bool cli_set_text(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
/* unsigned; from min to max. */
bool cli_set_count(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
/* The same, what is too small is raised to min with a note. */
bool cli_set_raised_count(struct benchrun_cli *cli, const struct cli_option *option, const char *value,
                          struct error *err);
bool cli_set_u64(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
/* double; from min to max, decimals allowed. */
bool cli_set_seconds(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
/* A group of its own in a struct filter_groups, and a further word of the last group. */
bool cli_set_group(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
void cli_set_more(struct benchrun_cli *cli, const struct cli_option *option, const char *value);
bool cli_set_w(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
bool cli_set_j(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
bool cli_set_shard(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
bool cli_set_format(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
bool cli_set_client(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);
/* Takes the value and does nothing with it. */
bool cli_set_nothing(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err);

/* All of `text` as a whole number in decimal digits. */
bool cli_parse_u64(const char *text, uint64_t *number);

#endif
