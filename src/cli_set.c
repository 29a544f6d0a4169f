/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_set.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/uri_options.h"

static void *field_of(struct benchrun_cli *cli, const struct cli_option *option)
{
    return (char *)cli + option->field;
}

bool cli_set_flag(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)err;
    *(bool *)field_of(cli, option) = strcmp(value, "true") == 0;
    return true;
}

bool cli_set_any_text(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)err;
    char **field = field_of(cli, option);
    memory_erase(*field); /* it may be a password */
    *field = memory_strdup(value);
    return true;
}

bool cli_set_text(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    if (value[0] != '\0')
        return cli_set_any_text(cli, option, value, err);
    error_set(err, "the value is empty");
    return false;
}

bool cli_parse_u64(const char *text, uint64_t *number)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    *number = strtoull(text, NULL, 10);
    return errno == 0;
}

static bool parse_count(const struct cli_option *option, const char *value, unsigned *count, struct error *err)
{
    uint64_t number;
    if (!cli_parse_u64(value, &number) || (double)number < option->min || (double)number > option->max) {
        error_set(err, "expected a whole number from %.0f to %.0f, got \"%s\"", option->min, option->max, value);
        return false;
    }
    *count = (unsigned)number;
    return true;
}

bool cli_set_count(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    return parse_count(option, value, field_of(cli, option), err);
}

bool cli_set_raised_count(struct benchrun_cli *cli, const struct cli_option *option, const char *value,
                          struct error *err)
{
    uint64_t number;
    const char *digits = value[0] == '-' ? value + 1 : value;
    if (!cli_parse_u64(digits, &number) || (value[0] != '-' && number > 0))
        return parse_count(option, value, field_of(cli, option), err);
    *(unsigned *)field_of(cli, option) = (unsigned)option->min;
    message_list_add(&cli->notes, "%s: %s is less than %.0f; %.0f is taken", option->name, value, option->min,
                     option->min);
    return true;
}

bool cli_set_u64(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    if (cli_parse_u64(value, field_of(cli, option)))
        return true;
    error_set(err, "expected a whole number from 0 to 18446744073709551615, got \"%s\"", value);
    return false;
}

/* Digits with at most one point among them: no sign, no exponent, no nan. */
static bool is_decimal(const char *text)
{
    size_t whole = strspn(text, "0123456789");
    bool has_point = text[whole] == '.';
    size_t fraction = has_point ? strspn(text + whole + 1, "0123456789") : 0;
    return whole + fraction > 0 && text[whole + has_point + fraction] == '\0';
}

bool cli_set_seconds(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    double number = is_decimal(value) ? strtod(value, NULL) : -1;
    if (number < option->min || number > option->max) {
        error_set(err, "expected seconds from %g to %.0f, such as 5 or 0.5, got \"%s\"", option->min, option->max,
                  value);
        return false;
    }
    *(int64_t *)field_of(cli, option) = llround(number * (double)CLOCK_NS_PER_SEC);
    return true;
}

bool cli_set_group(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)err;
    struct filter_groups *groups = field_of(cli, option);
    groups->items = memory_resize(groups->items, groups->count + 1, sizeof *groups->items);
    groups->items[groups->count++] = (struct filter_group){0};
    cli_set_more(cli, option, value);
    return true;
}

void cli_set_more(struct benchrun_cli *cli, const struct cli_option *option, const char *value)
{
    struct filter_groups *groups = field_of(cli, option);
    struct filter_group *group = &groups->items[groups->count - 1];
    group->words = memory_resize(group->words, group->count + 1, sizeof *group->words);
    group->words[group->count++] = memory_strdup(value);
}

bool cli_set_w(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    struct run_options *run = &cli->run;
    uint64_t number = 0;
    (void)option;
    if (!uri_options_check_value("w", value, err))
        return false;
    bool is_name = !cli_parse_u64(value, &number);
    free(run->w_name);
    /* In any letters, as in a connection string. */
    run->w_name = is_name ? memory_strdup(strcasecmp(value, "majority") == 0 ? "majority" : value) : NULL;
    run->w = (int)number;
    run->w_given = true;
    return true;
}

bool cli_set_j(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)option;
    (void)err;
    cli->run.j = strcmp(value, "true") == 0;
    cli->run.j_given = true;
    return true;
}

bool cli_set_shard(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)cli;
    (void)option;
    if (strcmp(value, "0") == 0)
        return true;
    error_set(err, "only 0 (collections are not sharded) is possible, got \"%s\"", value);
    return false;
}

bool cli_set_format(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)option;
    cli->list_as_json = strcmp(value, "json") == 0;
    if (cli->list_as_json || strcmp(value, "text") == 0)
        return true;
    error_set(err, "expected text or json, got \"%s\"", value);
    return false;
}

bool cli_set_client(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)option;
    bool is_driver = strcmp(value, "driver") == 0;
    cli->run.client = is_driver ? RUN_CLIENT_DRIVER : RUN_CLIENT_OWN;
    if (is_driver || strcmp(value, "own") == 0)
        return true;
    error_set(err, "expected own or driver, got \"%s\"", value);
    return false;
}

bool cli_set_nothing(struct benchrun_cli *cli, const struct cli_option *option, const char *value, struct error *err)
{
    (void)cli;
    (void)option;
    (void)value;
    (void)err;
    return true;
}
