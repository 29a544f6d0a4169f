/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/csv_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "parse/pipe_table.h"

struct csv_reading {
    const char *at, *end;
    size_t line;
    char separator;
    struct buffer field;
};

/* Reads a field up to its separator; false at an error. */
static bool read_quoted(struct csv_reading *reading, struct error *err)
{
    size_t begun = reading->line;
    reading->at++;
    while (reading->at < reading->end) {
        char c = *reading->at++;
        if (c == '"') {
            if (reading->at == reading->end || *reading->at != '"')
                return true;
            reading->at++;
        }
        reading->line += c == '\n';
        buffer_append(&reading->field, &c, 1);
    }
    error_set(err, "line %zu: a quoted field has no end", begun);
    return false;
}

static bool is_field_end(const struct csv_reading *reading)
{
    char c = *reading->at;
    return c == reading->separator || c == '\n' ||
           (c == '\r' && reading->at + 1 < reading->end && reading->at[1] == '\n');
}

static bool read_field(struct csv_reading *reading, struct error *err)
{
    buffer_clear(&reading->field);
    if (reading->at < reading->end && *reading->at == '"' && !read_quoted(reading, err))
        return false;
    while (reading->at < reading->end && !is_field_end(reading)) {
        if (*reading->at == '\0') {
            error_set(err, "line %zu: a zero byte; expected text", reading->line);
            return false;
        }
        buffer_append(&reading->field, reading->at++, 1);
    }
    return true;
}

/* One record, its fields the caller's; the line feed behind it is taken. */
static bool read_record(struct csv_reading *reading, char ***fields, size_t *count, struct error *err)
{
    *fields = NULL;
    *count = 0;
    for (;;) {
        if (!read_field(reading, err))
            return false;
        if (*count == CSV_COLUMNS_MAX) {
            error_set(err, "line %zu: more than %d columns", reading->line, CSV_COLUMNS_MAX);
            return false;
        }
        *fields = memory_resize(*fields, *count + 1, sizeof **fields);
        (*fields)[(*count)++] = memory_strdup(buffer_text(&reading->field));
        if (reading->at == reading->end || *reading->at != reading->separator)
            break;
        reading->at++;
    }
    if (reading->at < reading->end) {
        reading->at += *reading->at == '\r' ? 2 : 1;
        reading->line++;
    }
    return true;
}

static void free_fields(char **fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(fields[i]);
    free(fields);
}

static void add_row(struct csv_table *table, char **fields, size_t line)
{
    if (table->row_count == table->row_capacity) {
        table->row_capacity = table->row_capacity ? table->row_capacity * 2 : 64;
        table->cells = memory_resize(table->cells, table->row_capacity, table->column_count * sizeof *table->cells);
        table->lines = memory_resize(table->lines, table->row_capacity, sizeof *table->lines);
    }
    memcpy(table->cells + table->row_count * table->column_count, fields, table->column_count * sizeof *fields);
    table->lines[table->row_count++] = line;
    free(fields);
}

/* What the header row has most of; the comma before others. */
static char find_separator(const char *text, const char *end)
{
    static const char candidates[] = ",;\t|";
    size_t counts[sizeof candidates - 1] = {0}, most = 0;
    for (; text < end && *text != '\n'; text++) {
        const char *found = *text ? strchr(candidates, *text) : NULL;
        if (found)
            counts[found - candidates]++;
    }
    for (size_t i = 1; i < COUNT_OF(counts); i++)
        most = counts[i] > counts[most] ? i : most;
    return candidates[most];
}

static bool read_records(struct csv_table *table, const char *text, const char *end, struct error *err)
{
    struct csv_reading reading = {.at = text, .end = end, .line = 1, .separator = table->separator};
    bool ok = true;
    while (ok && reading.at < reading.end) {
        char **fields;
        size_t count, line = reading.line;
        ok = read_record(&reading, &fields, &count, err);
        if (ok)
            ok = csv_table_add(table, fields, count, line, err);
        else
            free_fields(fields, count);
    }
    buffer_release(&reading.field);
    return ok;
}

static bool is_utf16(const char *text, size_t size)
{
    return size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}

static void trim(char *text)
{
    size_t blanks = strspn(text, " \t"), length = strlen(text + blanks);
    memmove(text, text + blanks, length + 1);
    while (length > 0 && strchr(" \t", text[length - 1]))
        text[--length] = '\0';
}

static void set_headers(struct csv_table *table, char **fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        trim(fields[i]);
    table->headers = fields;
    table->column_count = count;
}

/* What a row of too many fields may come from. */
static const char *advise(const struct csv_table *table, size_t count)
{
    if (table->column_count == 1)
        return "; expected the names of the columns in the first row";
    if (count > table->column_count && table->separator == ',')
        return "; put a number that has a comma in quotes, or separate the columns by semicolons";
    return "";
}

bool csv_table_add(struct csv_table *table, char **fields, size_t count, size_t line, struct error *err)
{
    if (count == 1 && fields[0][0] == '\0') {
        free_fields(fields, count);
        return true;
    }
    if (!table->headers) {
        set_headers(table, fields, count);
        return true;
    }
    if (count != table->column_count) {
        error_set(err, "line %zu: %zu fields; the header row has %zu%s", line, count, table->column_count,
                  advise(table, count));
        free_fields(fields, count);
        return false;
    }
    add_row(table, fields, line);
    return true;
}

bool csv_table_read(struct csv_table *table, const char *text, size_t size, struct error *err)
{
    *table = (struct csv_table){0};
    const char *end = text + size;
    if (is_utf16(text, size)) {
        error_set(err, "UTF-16; expected UTF-8");
        return false;
    }
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    table->separator = pipe_table_is_one(text, end) ? '|' : find_separator(text, end);
    bool ok = table->separator == '|' ? pipe_table_read(table, text, end, err) : read_records(table, text, end, err);
    if (ok && table->row_count == 0) {
        error_set(err, "%s; expected a header row and at least one more",
                  table->headers ? "only a header row" : "empty");
        ok = false;
    }
    return ok;
}

void csv_table_release(struct csv_table *table)
{
    free_fields(table->headers, table->column_count);
    for (size_t i = 0; i < table->row_count * table->column_count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table->lines);
    *table = (struct csv_table){0};
}

const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column)
{
    return table->cells[row * table->column_count + column];
}

int csv_table_find(const struct csv_table *table, const char *header)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->headers[i], header) == 0)
            return (int)i;
    return -1;
}
