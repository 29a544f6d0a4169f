/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "parse/verify_parts.h"

static bool find_named(const struct csv_table *table, const char *header, int *column, struct error *err)
{
    *column = csv_table_find(table, header);
    if (*column >= 0)
        return true;
    const char *near = nearest_find(header, (const char *const *)table->headers, table->column_count);
    error_set(err, "there is no column \"%s\"%s%s%s", header, near ? "; did you mean \"" : "", near ? near : "",
              near ? "\"" : "");
    return false;
}

/* "A,B" or "A,B,PCT". */
static bool read_names(struct verify *verify, const char *columns, struct error *err)
{
    int *const places[] = {&verify->a, &verify->b, &verify->percent};
    char *copy = memory_strdup(columns), *rest = copy, *word;
    size_t count = 0;
    bool ok = true;
    while (ok && (word = strsep(&rest, ","))) {
        if (count == 3) {
            error_set(err, "more than three columns; expected A,B or A,B,PCT");
            ok = false;
        } else {
            ok = find_named(verify->table, word, places[count++], err);
        }
    }
    if (ok && count < 2) {
        error_set(err, "one column; expected A,B or A,B,PCT");
        ok = false;
    }
    free(copy);
    return ok;
}

/* What a column without numbers holds. */
static const char *first_text(const struct verify *verify, int column)
{
    for (size_t i = 0; i < verify->table->row_count; i++)
        if (verify->columns[column].cells[i].kind != PRINTED_NOTHING)
            return csv_table_cell(verify->table, i, (size_t)column);
    return csv_table_cell(verify->table, 0, (size_t)column);
}

static bool check_named(const struct verify *verify, struct error *err)
{
    const int named[] = {verify->a, verify->b, verify->percent};
    for (size_t i = 0; i < 3; i++) {
        if (named[i] < 0 || verify->columns[named[i]].count > 0)
            continue;
        error_set(err, "column \"%s\" holds no numbers, but \"%s\"; expected a column of numbers",
                  verify->table->headers[named[i]], first_text(verify, named[i]));
        return false;
    }
    if (verify->a == verify->b || verify->a == verify->percent || verify->b == verify->percent) {
        error_set(err, "one column is named twice; expected A,B or A,B,PCT");
        return false;
    }
    if (!printed_is_comparable(&verify->columns[verify->a], &verify->columns[verify->b])) {
        error_set(err, "column \"%s\" is in \"%s\" and column \"%s\" in \"%s\"; expected one unit",
                  verify->table->headers[verify->a], verify->columns[verify->a].unit, verify->table->headers[verify->b],
                  verify->columns[verify->b].unit);
        return false;
    }
    return true;
}

static bool find_all_named(struct verify *verify, const char *columns, struct error *err)
{
    if (!read_names(verify, columns, err) || !check_named(verify, err))
        return false;
    verify->has_percent = verify->percent >= 0;
    return true;
}

static void remark_unused(struct verify *verify, bool is_named)
{
    const char *reason = is_named               ? "it is not named"
                         : verify->percent >= 0 ? "another column of percentages is"
                                                : "most of its rows do not follow from two columns of values";
    for (size_t c = 0; c < verify->table->column_count; c++) {
        const char *header = verify->table->headers[c];
        if ((int)c == verify->percent || !verify_is_percentage(verify, c))
            continue;
        if (verify->columns[c].count > 0)
            message_list_add(&verify->remarks, "column %s looks like percentages and is not checked: %s", header,
                             reason);
        else
            message_list_add(&verify->remarks, "column %s is named as a percentage and holds no numbers, but \"%s\"",
                             header, first_text(verify, (int)c));
    }
}

static bool begins_as_number(const char *text)
{
    return isdigit((unsigned char)text[strspn(text, " (+-~<>$")]);
}

/* The first cell of the column that looks like a number and is not read as one; false: there is none. */
static bool find_unread(const struct verify *verify, size_t column, size_t *row)
{
    const struct printed_number *cells = verify->columns[column].cells;
    for (*row = 0; *row < verify->table->row_count; (*row)++)
        if (cells[*row].kind != PRINTED_NUMBER && begins_as_number(csv_table_cell(verify->table, *row, column)))
            return true;
    return false;
}

/* Why there may be no values: columns that only look like numbers. */
static void remark_unread(struct verify *verify)
{
    const struct csv_table *table = verify->table;
    size_t row;
    for (size_t c = 0; c < table->column_count; c++)
        if (!verify_is_numeric(verify, c) && find_unread(verify, c, &row))
            message_list_add(&verify->remarks, "column %s is not taken for numbers: \"%s\" in line %zu %s",
                             table->headers[c], csv_table_cell(table, row, c), table->lines[row],
                             verify_unread_reason(verify->columns[c].cells[row].kind));
}

static void explain_none(const struct verify *verify, struct error *err)
{
    size_t row;
    for (size_t c = 0; c < verify->table->column_count; c++)
        if (find_unread(verify, c, &row))
            error_set(err, "no column of values is found: in line %zu \"%s\" %s", verify->table->lines[row],
                      csv_table_cell(verify->table, row, c), verify_unread_reason(verify->columns[c].cells[row].kind));
    error_set(err, "no column of values is found; name them with --verify-columns A,B,PCT");
}

bool verify_find_columns(struct verify *verify, const char *columns, struct error *err)
{
    size_t all;
    for (size_t c = 0; c < verify->table->column_count && verify->threads < 0; c++)
        if (verify_is_threads(verify, c))
            verify->threads = (int)c;
    if (!(columns ? find_all_named(verify, columns, err) : verify_search_columns(verify, err)))
        return false;
    if (verify->a < 0) {
        explain_none(verify, err);
        return false;
    }
    remark_unused(verify, columns != NULL);
    if (verify->percent >= 0)
        verify_choose_rules(verify, verify->table->row_count, &all);
    else if (verify->has_percent)
        remark_unread(verify);
    return true;
}
