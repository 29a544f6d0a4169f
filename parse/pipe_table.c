/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/pipe_table.h"

#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* A line without its line feed. */
struct line {
    const char *begin, *end;
    size_t number;
};

/* False behind the last line. `{text, text, 0}` is before the first. */
static bool next_line(struct line *line, const char *text, const char *end)
{
    const char *begin = line->number == 0 ? text : line->end + 1;
    if (begin >= end)
        return false;
    const char *feed = memchr(begin, '\n', (size_t)(end - begin));
    *line = (struct line){begin, feed ? feed : end, line->number + 1};
    return true;
}

static bool has_pipe(const struct line *line)
{
    return memchr(line->begin, '|', (size_t)(line->end - line->begin)) != NULL;
}

/* "|---|--:|", "+----+----+". */
static bool is_rule(const struct line *line)
{
    bool has_dash = false, has_corner = false;
    for (const char *at = line->begin; at < line->end; at++) {
        if (!strchr("-+:| \t\r", *at) || *at == '\0')
            return false;
        has_dash = has_dash || *at == '-';
        has_corner = has_corner || *at == '|' || *at == '+';
    }
    return has_dash && has_corner;
}

/* The first line of the table from `line` on, its header; false: there is none. */
static bool find_table(struct line *line, const char *text, const char *end)
{
    struct line before = {text, text, 0};
    while (next_line(line, text, end)) {
        bool is_below = before.number > 0 && has_pipe(&before), is_found = is_rule(line);
        struct line here = *line;
        if (is_found && is_below)
            *line = before;
        if (is_found && (is_below || (next_line(line, text, end) && has_pipe(line))))
            return true;
        before = *line = here;
    }
    return false;
}

bool pipe_table_is_one(const char *text, const char *end)
{
    struct line line = {text, text, 0};
    return find_table(&line, text, end);
}

static void trim(struct line *line)
{
    while (line->begin < line->end && strchr(" \t\r", *line->begin))
        line->begin++;
    while (line->end > line->begin && strchr(" \t\r", line->end[-1]))
        line->end--;
}

/* Whether the | at `at` ends a cell. */
static bool is_bar(const struct line *line, const char *at)
{
    return *at == '|' && (at == line->begin || at[-1] != '\\');
}

static char *copy_cell(struct line cell)
{
    struct buffer text = {0};
    trim(&cell);
    for (const char *at = cell.begin; at < cell.end; at++)
        if (*at != '\\' || at + 1 == cell.end || at[1] != '|')
            buffer_append(&text, at, 1);
    return buffer_detach(&text);
}

/* The bars at both ends are no cells. */
static char **split(struct line line, size_t *count)
{
    char **fields = NULL;
    *count = 0;
    trim(&line);
    if (line.begin < line.end && *line.begin == '|')
        line.begin++;
    if (line.begin < line.end && is_bar(&line, line.end - 1))
        line.end--;
    const char *cell = line.begin;
    for (const char *at = line.begin; at <= line.end; at++) {
        if (at < line.end && !is_bar(&line, at))
            continue;
        fields = memory_resize(fields, *count + 1, sizeof *fields);
        fields[(*count)++] = copy_cell((struct line){cell, at, line.number});
        cell = at + 1;
    }
    return fields;
}

static size_t count_bars(const struct line *line)
{
    size_t count = 0;
    for (const char *at = line->begin; at < line->end; at++)
        count += *at == '|';
    return count;
}

static bool take_line(struct csv_table *table, const struct line *line, struct error *err)
{
    size_t count;
    if (count_bars(line) > CSV_COLUMNS_MAX) {
        error_set(err, "line %zu: more than %d columns", line->number, CSV_COLUMNS_MAX);
        return false;
    }
    if (memchr(line->begin, '\0', (size_t)(line->end - line->begin))) {
        error_set(err, "line %zu: a zero byte; expected text", line->number);
        return false;
    }
    char **fields = split(*line, &count);
    return csv_table_add(table, fields, count, line->number, err);
}

bool pipe_table_read(struct csv_table *table, const char *text, const char *end, struct error *err)
{
    struct line line = {text, text, 0};
    bool has_rules = find_table(&line, text, end), ok = true;
    if (!has_rules) {
        line = (struct line){text, text, 0};
        if (!next_line(&line, text, end))
            return true;
    }
    do {
        if (!is_rule(&line))
            ok = take_line(table, &line, err);
    } while (ok && next_line(&line, text, end) && (!has_rules || has_pipe(&line) || is_rule(&line)));
    if (!ok || !has_rules || !find_table(&line, text, end))
        return ok;
    error_set(err, "line %zu: a second table; expected one", line.number);
    return false;
}
