/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PIPE_TABLE_H
#define PARSE_PIPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "parse/csv_table.h"

/* A table with | between its cells, as Markdown and database shells write it: blanks around a cell and the lines made
 * of - + : | do not count, "\|" is a | within a cell, and the text around the table is passed over. */

/* Whether the text has such a table: a line of - + : | below, or above, a line with |. */
bool pipe_table_is_one(const char *text, const char *end);
/* Adds its records to `table`. Without a line of - the whole text is the table. An error names the line; a second table
 * in the text is one. */
bool pipe_table_read(struct csv_table *table, const char *text, const char *end, struct error *err);

#endif
