/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "parse/verify_parts.h"
#include "parse/verify_words.h"

/* Sessions that wait for one answer before they ask again are on average throughput * latency of them busy, never more
 * than there are: Little, "A proof for the queuing formula L = lambda W", 1961. Fewer are when something else holds
 * them back, e.g. a target rate. */
static const char *const no_mean_words[] = {"p50",  "p90", "p95", "p99",    "p999",       "95th",
                                            "99th", "max", "min", "median", "percentile", NULL};

/* The product of two averages over several runs is larger than the average of the products; with rates that differ by
 * 20 % from run to run by 4 %. */
#define BUSY_MAX 1.05
/* Below this most sessions wait for something else than an answer. */
#define BUSY_LOW 0.1

/* Where throughput and latency of the same thing are. */
struct pair {
    size_t throughput_row, throughput_column, latency_row, latency_column;
    double seconds; /* of one unit of latency */
};

/* What the operations are that a text is about, a bit each: reads do not keep busy who writes. */
static unsigned operations_of(const char *text)
{
    static const char *const words[][5] = {{"read", "reads", "find", "get"},
                                           {"update", "updates"},
                                           {"insert", "inserts", "load"},
                                           {"write", "writes", "set", "put"},
                                           {"scan", "scans"},
                                           {"delete", "deletes", "remove"},
                                           {"query", "queries"},
                                           {"rmw", "modify"}};
    unsigned operations = 0;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        operations |= verify_has_word(text, words[i]) ? 1u << i : 0;
    return operations;
}

/* What the texts of a row say. */
struct row_words {
    char *key; /* what the row is about, without metric and unit */
    unsigned operations;
    bool is_throughput, is_latency;
    double seconds;
    size_t row;
};

static bool names_metric(const char *cell)
{
    return verify_is_throughput(cell) || verify_is_latency(cell) || !isnan(verify_time_unit(cell));
}

static void read_row(const struct verify *verify, size_t row, struct row_words *words)
{
    struct buffer key = {0};
    bool is_mean = true;
    *words = (struct row_words){.seconds = NAN, .row = row};
    for (size_t c = 0; c < verify->table->column_count; c++) {
        const char *cell = csv_table_cell(verify->table, row, c);
        bool is_text = !verify_is_numeric(verify, c);
        if ((int)c == verify->threads || (is_text && !names_metric(cell)))
            buffer_append_printf(&key, "%s|", cell);
        if (!is_text)
            continue;
        words->operations |= operations_of(cell);
        words->is_throughput = words->is_throughput || verify_is_throughput(cell);
        words->is_latency = words->is_latency || verify_is_latency(cell);
        words->seconds = isnan(words->seconds) ? verify_time_unit(cell) : words->seconds;
        is_mean = is_mean && !verify_has_word(cell, no_mean_words);
    }
    words->is_throughput = words->is_throughput && !words->is_latency;
    words->is_latency = words->is_latency && is_mean;
    words->key = buffer_detach(&key);
}

static int by_key(const void *x, const void *y)
{
    const struct row_words *a = x, *b = y;
    int order = strcmp(a->key, b->key);
    if (order != 0)
        return order;
    if (a->operations != b->operations)
        return a->operations < b->operations ? -1 : 1;
    if (a->is_throughput != b->is_throughput)
        return a->is_throughput ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static void judge(struct verify *verify, const struct pair *pair, double busy, double least)
{
    double threads = verify_value(verify, pair->latency_row, (size_t)verify->threads);
    verify->little_low = fmin(verify->little_low, busy);
    verify->little_high = fmax(verify->little_high, busy);
    if (least > BUSY_MAX)
        verify_add(verify, FINDING_LITTLE, pair->latency_row, 100 * (busy - 1), false,
                   "column %s: throughput %s times latency %s keeps %.3g sessions busy; there are %g",
                   verify->table->headers[pair->latency_column],
                   csv_table_cell(verify->table, pair->throughput_row, pair->throughput_column),
                   csv_table_cell(verify->table, pair->latency_row, pair->latency_column), busy * threads, threads);
}

static void check_pair(struct verify *verify, const struct pair *pair)
{
    const struct printed_column *throughput = &verify->columns[pair->throughput_column];
    const struct printed_column *latency = &verify->columns[pair->latency_column];
    if (latency->cells[pair->latency_row].kind == PRINTED_NOTHING)
        return;
    verify->cells[FINDING_LITTLE]++;
    verify_use_column(verify, (int)pair->throughput_column);
    verify_use_column(verify, (int)pair->latency_column);
    verify_use_column(verify, verify->threads);
    double seconds = strcmp(latency->unit, "s") == 0 ? 1 : pair->seconds;
    double each = seconds / verify_value(verify, pair->latency_row, (size_t)verify->threads);
    double busy = throughput->cells[pair->throughput_row].value * latency->cells[pair->latency_row].value * each;
    double least =
        printed_range(throughput, pair->throughput_row).low * printed_range(latency, pair->latency_row).low * each;
    if (!(busy > 0) || isinf(busy))
        return;
    verify->checked[FINDING_LITTLE]++;
    judge(verify, pair, busy, least);
}

static void check_row_pair(struct verify *verify, const struct row_words *throughput, const struct row_words *latency)
{
    const int columns[] = {verify->a, verify->b};
    for (size_t k = 0; k < 2; k++) {
        if (columns[k] < 0)
            continue;
        size_t column = (size_t)columns[k];
        struct pair pair = {throughput->row, column, latency->row, column, latency->seconds};
        check_pair(verify, &pair);
    }
}

/* Throughput and latency are rows that are else about the same. */
static void check_rows(struct verify *verify)
{
    size_t count = verify->table->row_count;
    struct row_words *rows = memory_zeroed(count, sizeof *rows);
    const struct row_words *throughput = NULL;
    for (size_t i = 0; i < count; i++)
        read_row(verify, i, &rows[i]);
    qsort(rows, count, sizeof *rows, by_key);
    for (size_t i = 0; i < count; i++) {
        if (throughput && (strcmp(throughput->key, rows[i].key) != 0 || throughput->operations != rows[i].operations))
            throughput = NULL;
        if (!throughput && rows[i].is_throughput)
            throughput = &rows[i];
        if (throughput && rows[i].is_latency)
            check_row_pair(verify, throughput, &rows[i]);
    }
    for (size_t i = 0; i < count; i++)
        free(rows[i].key);
    free(rows);
}

static bool is_mean_latency(const struct verify *verify, size_t column)
{
    const char *header = verify->table->headers[column];
    return verify_is_numeric(verify, column) && verify_is_latency(header) && !verify_has_word(header, no_mean_words);
}

/* Throughput and latency are columns: the k-th of one goes with the k-th of the other. */
static void check_columns(struct verify *verify)
{
    size_t latency = 0, count = verify->table->column_count;
    for (size_t c = 0; c < count; c++) {
        const char *header = verify->table->headers[c];
        if (!verify_is_numeric(verify, c) || !verify_is_throughput(header))
            continue;
        while (latency < count && !(is_mean_latency(verify, latency) &&
                                    operations_of(header) == operations_of(verify->table->headers[latency])))
            latency++;
        if (latency == count)
            return;
        for (size_t i = 0; i < verify->table->row_count; i++) {
            struct pair pair = {i, c, i, latency, verify_time_unit(verify->table->headers[latency])};
            check_pair(verify, &pair);
        }
        latency++;
    }
}

void verify_little(struct verify *verify)
{
    if (verify->threads < 0)
        return;
    check_rows(verify);
    check_columns(verify);
    if (verify->little_low < BUSY_LOW)
        message_list_add(
            &verify->remarks,
            "throughput * latency keeps only %.2g of the sessions busy in some row: is there a target rate, "
            "or is the latency in another unit?",
            verify->little_low);
    if (verify->little_high > 1 && verify->little_high <= BUSY_MAX)
        message_list_add(&verify->remarks,
                         "throughput * latency keeps up to %.3f times the sessions busy; averages of several runs can",
                         verify->little_high);
}
