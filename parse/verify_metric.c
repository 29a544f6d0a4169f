/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "parse/verify_parts.h"
#include "parse/verify_words.h"

/* A table of more metrics than this has one in each row, and a row alone has no convention. */
#define METRICS_MAX 64

static const char *const metric_words[] = {"metric",    "metrics",  "measure", "measurement", "indicator",
                                           "statistic", "quantity", "unit",    "units",       NULL};
static const char *const time_words[] = {"time", "times", "runtime", "duration", "elapsed", "delay",
                                         "p50",  "p90",   "p95",     "p99",      "p999",    NULL};

bool verify_is_time(const struct verify *verify, size_t row)
{
    for (size_t c = 0; c < verify->table->column_count; c++) {
        const char *cell = csv_table_cell(verify->table, row, c);
        if (verify_is_numeric(verify, c) || verify_is_throughput(cell))
            continue;
        if (verify_is_latency(cell) || verify_has_word(cell, time_words))
            return true;
        /* "ops/s" has seconds, too. */
        if (!isnan(verify_time_unit(cell)) && !strchr(cell, '/'))
            return true;
    }
    return false;
}

/* What the columns that are called metric or unit hold. Where no column is: whether the row is a time. */
static char *name_metric(const struct verify *verify, size_t row)
{
    struct buffer text = {0};
    bool has_column = false;
    for (size_t c = 0; c < verify->table->column_count; c++) {
        if (verify_is_numeric(verify, c) || !verify_has_word(verify->table->headers[c], metric_words))
            continue;
        buffer_append_printf(&text, "%s%s", has_column ? " " : "", csv_table_cell(verify->table, row, c));
        has_column = true;
    }
    if (!has_column)
        buffer_append_printf(&text, "%s", verify_is_time(verify, row) ? "latency or time" : "other metrics");
    return buffer_detach(&text);
}

static size_t find_metric(struct verify *verify, char *name)
{
    for (size_t i = 0; i < verify->metrics.count; i++)
        if (strcmp(verify->metrics.items[i], name) == 0)
            return i;
    message_list_add(&verify->metrics, "%s", name);
    return verify->metrics.count - 1;
}

void verify_find_metrics(struct verify *verify)
{
    verify->row_metrics = memory_zeroed(verify->table->row_count, sizeof *verify->row_metrics);
    for (size_t i = 0; i < verify->table->row_count && verify->metrics.count <= METRICS_MAX; i++) {
        char *name = name_metric(verify, i);
        verify->row_metrics[i] = find_metric(verify, name);
        free(name);
    }
    if (verify->metrics.count > METRICS_MAX) {
        message_list_release(&verify->metrics);
        message_list_add(&verify->metrics, "all rows");
        memset(verify->row_metrics, 0, verify->table->row_count * sizeof *verify->row_metrics);
    }
    verify->rules = memory_zeroed(verify->metrics.count, sizeof *verify->rules);
}
