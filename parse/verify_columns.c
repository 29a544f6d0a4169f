/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "parse/verify_parts.h"

static const char *const thread_words[] = {"threads", "thread",   "clients", "client", "connections",
                                           "users",   "sessions", "workers", NULL};
static const char *const percent_words[] = {"pct",  "percent", "percentage", "%",       "improvement", "change",
                                            "diff", "gain",    "delta",      "speedup", NULL};

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
static bool find_all_named(struct verify *verify, const char *columns, struct error *err)
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

static bool is_value_column(const struct verify *verify, int column)
{
    const char *header = verify->table->headers[column];
    return verify_is_numeric(verify, (size_t)column) && !verify_has_word(header, thread_words) &&
           !verify_has_word(header, percent_words);
}

/* The last column that is called a percentage, and the two columns of values before it; without such two, those after
 * it. Without a percentage the last two columns of values, or the only one. */
static void find_by_header(struct verify *verify)
{
    int count = (int)verify->table->column_count;
    for (int c = count - 1; c >= 0 && verify->percent < 0; c--)
        if (verify_is_numeric(verify, (size_t)c) && verify_has_word(verify->table->headers[c], percent_words))
            verify->percent = c;
    int end = verify->percent >= 0 ? verify->percent : count;
    for (int c = end - 1; c >= 0 && verify->a < 0; c--) {
        if (!is_value_column(verify, c))
            continue;
        if (verify->b < 0)
            verify->b = c;
        else
            verify->a = c;
    }
    if (verify->a < 0) {
        verify->a = verify->b;
        verify->b = -1;
    }
    if (verify->b < 0)
        verify->percent = -1;
}

bool verify_find_columns(struct verify *verify, const char *columns, struct error *err)
{
    for (size_t c = 0; c < verify->table->column_count && verify->threads < 0; c++)
        if (verify_is_numeric(verify, c) && verify_has_word(verify->table->headers[c], thread_words))
            verify->threads = (int)c;
    if (columns)
        return find_all_named(verify, columns, err);
    find_by_header(verify);
    if (verify->a >= 0)
        return true;
    error_set(err, "no column of values is found; name them with --verify-columns A,B,PCT");
    return false;
}
