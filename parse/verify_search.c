/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "parse/verify_parts.h"
#include "parse/verify_words.h"

/* Columns among which the values of a percentage are looked for by trying. */
#define VALUES_MAX 12
/* On so many rows. */
#define SAMPLE_MAX 1000
/* So many rows have to follow from two columns that were found by trying. */
#define FOLLOWERS_MIN 3

/* Called so, and whole numbers: "thread cycles" are something else. */
bool verify_is_threads(const struct verify *verify, size_t column)
{
    static const char *const words[] = {"threads", "thread",   "clients", "client", "connections",
                                        "users",   "sessions", "workers", NULL};
    static const char *const shares[] = {"per", NULL};
    const char *header = verify->table->headers[column];
    if (!verify_is_numeric(verify, column) || !verify_has_word(header, words) || verify_has_word(header, shares))
        return false;
    for (size_t i = 0; i < verify->table->row_count; i++)
        if (verify->columns[column].cells[i].decimals > 0)
            return false;
    return true;
}

static bool is_called_percentage(const char *header)
{
    static const char *const words[] = {"pct",  "percent", "percentage", "%",       "improvement", "change", "changed",
                                        "diff", "gain",    "delta",      "speedup", "ratio",       "factor", NULL};
    return verify_has_word(header, words) || strstr(header, "\xce\x94"); /* a Greek delta */
}

static bool is_marked(const struct printed_column *column, size_t row_count)
{
    size_t marked = 0;
    for (size_t i = 0; i < row_count; i++)
        marked += column->cells[i].mark != MARK_NONE;
    return marked * 2 > column->count;
}

static bool has_called_percentage(const struct verify *verify)
{
    for (size_t c = 0; c < verify->table->column_count; c++)
        if (verify->columns[c].count > 0 && is_called_percentage(verify->table->headers[c]))
            return true;
    return false;
}

bool verify_is_percentage(const struct verify *verify, size_t column)
{
    return is_called_percentage(verify->table->headers[column]) ||
           (is_marked(&verify->columns[column], verify->table->row_count) && !has_called_percentage(verify));
}

/* What the search for columns goes through, in their order. */
struct candidates {
    int values[VALUES_MAX]; /* the last ones */
    size_t value_count, all_values;
    int percents[VALUES_MAX];
    size_t percent_count;
};

static void add_last(int *list, size_t *count, int column)
{
    if (*count == VALUES_MAX)
        memmove(list, list + 1, --*count * sizeof *list);
    list[(*count)++] = column;
}

static void find_candidates(struct verify *verify, struct candidates *found)
{
    *found = (struct candidates){.value_count = 0};
    for (size_t c = 0; c < verify->table->column_count; c++) {
        if (verify_is_percentage(verify, c)) {
            verify->has_percent = true;
            if (verify->columns[c].count > 0)
                add_last(found->percents, &found->percent_count, (int)c);
        } else if (verify_is_numeric(verify, c) && !verify_is_threads(verify, c)) {
            add_last(found->values, &found->value_count, (int)c);
            found->all_values++;
        }
    }
}

static void set_columns(struct verify *verify, int a, int b, int percent)
{
    verify->a = a;
    verify->b = b;
    verify->percent = percent;
}

/* Sets the columns; true when at least half of the rows follow, and more than `*followers`, which is set. */
static bool try_columns(struct verify *verify, int a, int b, int percent, size_t *followers)
{
    size_t all;
    set_columns(verify, a, b, percent);
    if (!printed_is_comparable(&verify->columns[a], &verify->columns[b]))
        return false;
    size_t count = verify_choose_rules(verify, SAMPLE_MAX, &all);
    if (count <= *followers || count * 2 < all)
        return false;
    *followers = count;
    return true;
}

/* The two values before a percentage; with one before, that and the next behind; else the two behind. */
static bool pair_by_place(const struct candidates *found, int percent, int *a, int *b)
{
    size_t before = 0;
    while (before < found->value_count && found->values[before] < percent)
        before++;
    if (found->value_count < 2)
        return false;
    size_t first = before >= 2 ? before - 2 : 0;
    *a = found->values[first];
    *b = found->values[first + 1];
    return true;
}

static bool find_by_place(struct verify *verify, const struct candidates *found)
{
    for (size_t i = found->percent_count; i-- > 0;) {
        int a, b, percent = found->percents[i];
        size_t followers = 0;
        if (pair_by_place(found, percent, &a, &b) && try_columns(verify, a, b, percent, &followers))
            return true;
    }
    return false;
}

/* Two columns of which the most rows of one of the percentages follow. */
static bool find_by_trying(struct verify *verify, const struct candidates *found)
{
    int best[3] = {-1, -1, -1};
    size_t followers = FOLLOWERS_MIN - 1;
    for (size_t p = found->percent_count; p-- > 0;)
        for (size_t b = found->value_count; b-- > 1;)
            for (size_t a = b; a-- > 0;)
                if (try_columns(verify, found->values[a], found->values[b], found->percents[p], &followers))
                    memcpy(best, (int[]){verify->a, verify->b, verify->percent}, sizeof best);
    if (best[0] < 0)
        return false;
    set_columns(verify, best[0], best[1], best[2]);
    return true;
}

/* Where there are only two values the percentage behind one of them is theirs, though most rows do not follow. */
static bool find_without_choice(struct verify *verify, const struct candidates *found)
{
    int percent = found->percent_count ? found->percents[found->percent_count - 1] : -1;
    if (found->all_values != 2 || percent < found->values[0] ||
        !printed_is_comparable(&verify->columns[found->values[0]], &verify->columns[found->values[1]]))
        return false;
    set_columns(verify, found->values[0], found->values[1], percent);
    return true;
}

static void take_last_values(struct verify *verify, const struct candidates *found)
{
    size_t count = found->value_count;
    int last = count ? found->values[count - 1] : -1;
    if (count > 1)
        set_columns(verify, found->values[count - 2], last, -1);
    else
        set_columns(verify, last, -1, -1);
}

/* Names are above columns of numbers, numbers are not. */
static bool check_headers(const struct verify *verify, struct error *err)
{
    size_t names = 0, numbers = 0;
    for (size_t c = 0; c < verify->table->column_count; c++) {
        struct printed_number header;
        printed_number_read(&header, verify->table->headers[c], verify->decimal_mark);
        bool is_numeric = verify_is_numeric(verify, c), is_number = header.kind == PRINTED_NUMBER;
        numbers += is_numeric && is_number;
        names += is_numeric && !is_number && header.kind != PRINTED_NOTHING;
    }
    if (names > 0 || numbers == 0)
        return true;
    error_set(err, "there is no header row: the first row holds numbers; put the names of the columns above it, or "
                   "name columns with --verify-columns A,B,PCT");
    return false;
}

bool verify_search_columns(struct verify *verify, struct error *err)
{
    struct candidates found;
    if (!check_headers(verify, err))
        return false;
    find_candidates(verify, &found);
    if (!find_by_place(verify, &found) && !find_by_trying(verify, &found) && !find_without_choice(verify, &found))
        take_last_values(verify, &found);
    return true;
}
