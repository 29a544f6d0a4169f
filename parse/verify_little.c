/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "parse/verify_parts.h"

/* Sessions that wait for one answer before they ask again are on average throughput * latency of them busy, never more
 * than there are: Little, "A proof for the queuing formula L = lambda W", 1961. A percentile is not a mean. */
static const char *const throughput_words[] = {"throughput", "ops", "tps", "qps", "opss", NULL};
static const char *const latency_words[] = {"latency", "rt", NULL};
static const char *const no_mean_words[] = {"p50",  "p90", "p95", "p99",    "p999",       "95th",
                                            "99th", "max", "min", "median", "percentile", NULL};

/* Less than a part this small busy: the numbers do not belong together. */
#define BUSY_MIN 0.1

/* Rows of one metric and wide tables alike: where throughput and latency of the same thing stand. */
struct pair {
    size_t throughput_row, throughput_column, latency_row, latency_column;
    double seconds; /* of one unit of latency */
};

static double unit_of(const char *text)
{
    static const char *const us[] = {"us", "usec", "microseconds", "\xc2\xb5s", NULL}, *const ms[] = {"ms", "msec",
                                                                                                      "milliseconds",
                                                                                                      NULL};
    static const char *const ns[] = {"ns", "nanoseconds", NULL}, *const s[] = {"s", "sec", "seconds", NULL};
    if (verify_has_word(text, us) || strstr(text, "\xc2\xb5s") || strstr(text, "\xce\xbcs"))
        return 1e-6;
    if (verify_has_word(text, ms))
        return 1e-3;
    if (verify_has_word(text, ns))
        return 1e-9;
    return verify_has_word(text, s) ? 1 : NAN;
}

static bool row_has(const struct verify *verify, size_t row, const char *const *words)
{
    for (size_t c = 0; c < verify->table->column_count; c++)
        if (!verify_is_numeric(verify, c) && verify_has_word(csv_table_cell(verify->table, row, c), words))
            return true;
    return false;
}

static double unit_of_row(const struct verify *verify, size_t row)
{
    double unit = NAN;
    for (size_t c = 0; c < verify->table->column_count && isnan(unit); c++)
        if (!verify_is_numeric(verify, c))
            unit = unit_of(csv_table_cell(verify->table, row, c));
    return unit;
}

/* Whether what the two rows are about is the same: all that is no value, but for one or two cells that name the metric
 * and its unit. */
static bool is_same_thing(const struct verify *verify, size_t x, size_t y)
{
    for (size_t c = 0; c < verify->table->column_count; c++) {
        const char *a = csv_table_cell(verify->table, x, c), *b = csv_table_cell(verify->table, y, c);
        bool is_key = (int)c == verify->threads || !verify_is_numeric(verify, c);
        bool names_metric =
            verify_has_word(a, throughput_words) || verify_has_word(b, latency_words) || !isnan(unit_of(b));
        if (is_key && strcmp(a, b) != 0 && !names_metric)
            return false;
    }
    return true;
}

static void check_pair(struct verify *verify, const struct pair *pair)
{
    const struct printed_column *throughput = &verify->columns[pair->throughput_column];
    const struct printed_column *latency = &verify->columns[pair->latency_column];
    double threads = verify->columns[verify->threads].values[pair->latency_row];
    struct range rate = printed_range(throughput, pair->throughput_row);
    double wait = latency->values[pair->latency_row] * pair->seconds;
    double busy = throughput->values[pair->throughput_row] * wait / threads;
    double least = rate.low * printed_range(latency, pair->latency_row).low * pair->seconds / threads;
    if (isnan(busy) || threads <= 0 || busy <= 0)
        return;
    verify->checked[FINDING_LITTLE]++;
    verify->little_low = fmin(verify->little_low, busy);
    verify->little_high = fmax(verify->little_high, busy);
    if (least > 1 || busy < BUSY_MIN)
        verify_add(verify, FINDING_LITTLE, pair->latency_row,
                   "column %s: throughput %s times latency %s keeps %.3g sessions busy; there are %g",
                   verify->table->headers[pair->latency_column],
                   csv_table_cell(verify->table, pair->throughput_row, pair->throughput_column),
                   csv_table_cell(verify->table, pair->latency_row, pair->latency_column), busy * threads, threads);
}

/* Throughput and latency are rows. */
static void check_rows(struct verify *verify, size_t latency_row)
{
    if (!row_has(verify, latency_row, latency_words) || row_has(verify, latency_row, no_mean_words))
        return;
    for (size_t i = 0; i < verify->table->row_count; i++) {
        if (!row_has(verify, i, throughput_words) || row_has(verify, i, latency_words) ||
            !is_same_thing(verify, i, latency_row))
            continue;
        struct pair pair = {
            .throughput_row = i, .latency_row = latency_row, .seconds = unit_of_row(verify, latency_row)};
        const int columns[] = {verify->a, verify->b};
        for (size_t k = 0; k < 2; k++) {
            if (columns[k] < 0)
                continue;
            pair.throughput_column = pair.latency_column = (size_t)columns[k];
            check_pair(verify, &pair);
        }
        return;
    }
}

/* Throughput and latency are columns: the k-th of one goes with the k-th of the other. */
static void check_columns(struct verify *verify)
{
    size_t latency = 0, count = verify->table->column_count;
    for (size_t c = 0; c < count; c++) {
        if (!verify_is_numeric(verify, c) || !verify_has_word(verify->table->headers[c], throughput_words))
            continue;
        while (latency < count && !(verify_is_numeric(verify, latency) &&
                                    verify_has_word(verify->table->headers[latency], latency_words) &&
                                    !verify_has_word(verify->table->headers[latency], no_mean_words)))
            latency++;
        if (latency == count)
            return;
        for (size_t i = 0; i < verify->table->row_count; i++) {
            struct pair pair = {i, c, i, latency, unit_of(verify->table->headers[latency])};
            check_pair(verify, &pair);
        }
        latency++;
    }
}

void verify_little(struct verify *verify)
{
    if (verify->threads < 0)
        return;
    for (size_t i = 0; i < verify->table->row_count; i++)
        check_rows(verify, i);
    check_columns(verify);
}
