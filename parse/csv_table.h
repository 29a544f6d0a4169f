/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_CSV_TABLE_H
#define PARSE_CSV_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define CSV_COLUMNS_MAX 1000

/* A CSV file with a header row, all as text: RFC 4180, also with LF, a byte order mark, and ; or TAB instead of the
 * comma; or a table with | between the cells (parse/pipe_table.h). Lines without anything are left out. Released with
 * csv_table_release(), also after an error. */
struct csv_table {
    char separator; /* , ; TAB or | */
    size_t column_count;
    char **headers;
    size_t row_count, row_capacity;
    char **cells;  /* row by row, column_count each */
    size_t *lines; /* where each row begins, from 1 */
};

/* From memory. An error names the line. */
bool csv_table_read(struct csv_table *table, const char *text, size_t size, struct error *err);
/* Adds a record that begins in `line`, the header row first. Takes `fields`, which are on the heap. */
bool csv_table_add(struct csv_table *table, char **fields, size_t count, size_t line, struct error *err);
void csv_table_release(struct csv_table *table);
const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column);
/* The column of that header; -1: none. */
int csv_table_find(const struct csv_table *table, const char *header);

#endif
