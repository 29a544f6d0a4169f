/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"

static size_t read_numbers(char **at, double *into)
{
    size_t count = 0;
    do {
        into[count++] = strtod(*at + (**at == ','), at);
    } while (**at == ',');
    return count;
}

static const double *store_numbers(struct oracle_line *line, char **at, size_t *count)
{
    double *first = line->store + line->stored;
    *count = read_numbers(at, first);
    line->stored += *count;
    assert_true(line->stored <= ORACLE_VALUES);
    return first;
}

static void read_line(char *text, struct oracle_line *line)
{
    char *at = text;
    *line = (struct oracle_line){0};
    do {
        struct two_samples *stratum = &line->strata[line->count++];
        at += *at == ';';
        stratum->a = store_numbers(line, &at, &stratum->a_count);
        assert_int_equal(*at, '/');
        at++;
        stratum->b = store_numbers(line, &at, &stratum->b_count);
    } while (*at == ';');
    assert_int_equal(*at, '\t');
    at++;
    line->expected_count = read_numbers(&at, line->expected);
}

void oracle_near(double value, double expected)
{
    bool is_near = fabs(value - expected) <= 1e-10 * fmax(1, fabs(expected)) || fabs(value / expected - 1) <= 1e-9;
    if (!is_near && value != expected) /* infinities are equal, but no number apart */
        fail_msg("%.17g, expected %.17g", value, expected);
}

void oracle_each(const char *kind, size_t at_least, void (*check)(const struct oracle_line *line))
{
    char *path = memory_printf("%s/tests/data/statistics-oracle.tsv", getenv("srcdir") ? getenv("srcdir") : ".");
    struct buffer file = {0};
    assert_true(file_read(path, 1 << 20, &file, NULL));
    size_t found = 0, kind_length = strlen(kind);
    buffer_text(&file);
    char *rest = (char *)file.data, *text;
    while ((text = strsep(&rest, "\n"))) {
        if (strncmp(text, kind, kind_length) != 0 || text[kind_length] != '\t')
            continue;
        struct oracle_line line;
        read_line(text + kind_length + 1, &line);
        check(&line);
        found++;
    }
    assert_true(found >= at_least);
    buffer_release(&file);
    free(path);
}
