/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_caption.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"

#define DATE_SIZE 10

/* What the cells of a plot have. */
struct material {
    size_t least_trials, most_trials; /* of a point; 0 and 0: unknown */
    bool has_trial_bars, has_deviation_bars, has_untold;
    bool has_median, has_mean_latency;
    double least_confidence, most_confidence; /* of the ratio's intervals; NAN: none */
};

static void look_at_latency(struct material *material, const struct cell_data *cell)
{
    if (!cell->latency)
        return;
    bool has_median = !isnan(cell->latency->us[LATENCY_P50]);
    material->has_median = material->has_median || has_median;
    material->has_mean_latency = material->has_mean_latency || !has_median;
}

static void look_at_trials(struct material *material, const struct cell_data *cell)
{
    size_t trials = cell_values(cell, NULL);
    if (isnan(cell->ops_per_sec))
        return;
    material->has_trial_bars = material->has_trial_bars || trials > 1;
    material->has_deviation_bars = material->has_deviation_bars || (trials == 0 && !isnan(cell->stdev));
    trials = trials ? trials : cell->trials_summarised;
    material->has_untold = material->has_untold || trials == 0;
    if (trials == 0)
        return;
    if (material->most_trials == 0 || trials < material->least_trials)
        material->least_trials = trials;
    if (trials > material->most_trials)
        material->most_trials = trials;
}

static void look_at_row(struct material *material, const struct report_data *data, const struct pairing_row *row)
{
    size_t position = (size_t)(row - data->pairing.rows);
    for (size_t d = 0; d < data->dataset.count; d++) {
        for (size_t i = 0; row->tests[d] && i < row->tests[d]->cell_count; i++) {
            const struct cell_data *cell = &row->tests[d]->cells[i];
            double confidence = verdicts_interval(&data->verdicts, position, d, cell->threads).confidence;
            look_at_trials(material, cell);
            look_at_latency(material, cell);
            material->least_confidence = fmin(material->least_confidence, confidence);
            material->most_confidence = fmax(material->most_confidence, confidence);
        }
    }
}

static const char *throughput_bars(const struct material *material)
{
    if (material->has_trial_bars && material->has_deviation_bars)
        return "bars: slowest to fastest trial, of a mean alone its standard deviation";
    return material->has_trial_bars       ? "bars: slowest to fastest trial"
           : material->has_deviation_bars ? "bars: standard deviation of the trials"
                                          : "no bars: a single trial has no spread";
}

static const char *latency_points(const struct material *material)
{
    if (material->has_median && material->has_mean_latency)
        return "Points: median latency, bars: fastest operation to 99 %; where a file has no percentiles mean and "
               "slowest";
    return material->has_median ? "Points: median latency; bars: fastest operation to 99 %"
                                : "Points: mean latency; bars: fastest to slowest operation";
}

static void add_ratio(const struct material *material, struct message_list *sentences)
{
    static const char points[] = "Points: ratio of the means";
    double least = 100 * material->least_confidence, most = 100 * material->most_confidence;
    if (isnan(least))
        message_list_add(sentences, "%s; no bars: too few trials for an interval.", points);
    else if (most - least < 0.5)
        message_list_add(sentences, "%s; bars: %.0f %% interval of each cell.", points, least);
    else
        message_list_add(sentences, "%s; bars: interval of each cell, of %.0f to %.0f %% by its trials.", points, least,
                         most);
}

static void add_points(const struct material *material, enum plot_kind kind, struct message_list *sentences)
{
    switch (kind) {
    case PLOT_THROUGHPUT:
        message_list_add(sentences, "Points: mean of the trials; %s.", throughput_bars(material));
        break;
    case PLOT_LATENCY:
        message_list_add(sentences, "%s.", latency_points(material));
        break;
    case PLOT_RATIO:
        add_ratio(material, sentences);
        break;
    case PLOT_SCALING:
        message_list_add(sentences, "Points: mean of the trials; %s, over the mean at 1 thread.",
                         throughput_bars(material));
        break;
    case PLOT_KINDS:
        break;
    }
}

static char *trials_words(const struct material *material)
{
    if (material->most_trials == 0)
        return memory_strdup("number of trials unknown");
    const char *rest = material->has_untold ? ", of some unknown" : "";
    if (material->least_trials == material->most_trials)
        return memory_printf("%zu trial%s per point%s", material->most_trials, text_plural(material->most_trials),
                             rest);
    return memory_printf("%zu to %zu trials per point%s", material->least_trials, material->most_trials, rest);
}

/* "1 run each", "3 runs each", or each deployment's number. */
static void append_runs(const struct dataset *dataset, struct buffer *text)
{
    size_t first = deployment_runs(&dataset->items[0]);
    bool is_same = true;
    for (size_t d = 0; d < dataset->count; d++)
        is_same = is_same && deployment_runs(&dataset->items[d]) == first;
    if (is_same) {
        buffer_append_printf(text, "%zu run%s%s", first, text_plural(first), dataset->count > 1 ? " each" : "");
        return;
    }
    for (size_t d = 0; d < dataset->count; d++) {
        size_t runs = deployment_runs(&dataset->items[d]);
        buffer_append_printf(text, "%s%s: %zu run%s", d ? ", " : "", dataset->items[d].label, runs, text_plural(runs));
    }
}

static bool is_date(const char *text)
{
    static const char form[] = "0000-00-00";
    for (size_t i = 0; i < DATE_SIZE; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

/* From the first run's day to the last one's. */
static void append_days(const struct dataset *dataset, struct buffer *text)
{
    const char *first = NULL, *last = NULL;
    for (size_t d = 0; d < dataset->count; d++) {
        for (size_t i = 0; i < deployment_runs(&dataset->items[d]); i++) {
            const char *start = deployment_run(&dataset->items[d], i)->start;
            if (!start || !is_date(start))
                continue;
            first = !first || strncmp(start, first, DATE_SIZE) < 0 ? start : first;
            last = !last || strncmp(start, last, DATE_SIZE) > 0 ? start : last;
        }
    }
    if (first)
        buffer_append_printf(text, "; measured %.10s", first);
    if (first && strncmp(first, last, DATE_SIZE) != 0)
        buffer_append_printf(text, " to %.10s", last);
}

/* "4.0.3", "SecantusDB 0.5.3 as 8.2.11"; NULL: the file does not say. */
static char *server_words(const struct deployment *deployment)
{
    const char *product = fact_list_find(&deployment->facts, "product");
    const char *product_version = fact_list_find(&deployment->facts, "product version");
    const char *version = fact_list_find(&deployment->facts, "server version");
    if (!version && !product_version)
        return NULL;
    bool is_another = version && product_version && strcmp(product_version, version) != 0;
    return memory_printf("%s%s%s%s%s", product ? product : "", product ? " " : "",
                         product_version ? product_version : version, is_another ? " as " : "",
                         is_another ? version : "");
}

static char *client_words(const struct deployment *deployment)
{
    const char *name = fact_list_find(&deployment->facts, "program.name");
    const char *version = fact_list_find(&deployment->facts, "program.version");
    return name ? memory_printf("%s %s", name, version ? version : "") : NULL;
}

/* Once where it is the same everywhere. */
static void add_versions(const struct dataset *dataset, char *(*words_of)(const struct deployment *),
                         const char *heading, struct message_list *sentences)
{
    struct buffer text = {0};
    char *first = words_of(&dataset->items[0]);
    bool is_same = true, is_told = false;
    for (size_t d = 0; d < dataset->count; d++) {
        char *words = words_of(&dataset->items[d]);
        is_same = is_same && words && first && strcmp(words, first) == 0;
        is_told = is_told || words;
        buffer_append_printf(&text, "%s%s: %s", d ? "; " : "", dataset->items[d].label, words ? words : "unknown");
        free(words);
    }
    if (is_told)
        message_list_add(sentences, "%s %s.", heading, is_same ? first : buffer_text(&text));
    buffer_release(&text);
    free(first);
}

void plot_caption_make(const struct report_data *data, const struct pairing_row *const *rows, size_t row_count,
                       enum plot_kind kind, struct message_list *sentences)
{
    struct material material = {.least_confidence = NAN, .most_confidence = NAN};
    struct buffer text = {0};
    for (size_t i = 0; i < row_count; i++)
        look_at_row(&material, data, rows[i]);
    add_points(&material, kind, sentences);
    char *trials = trials_words(&material);
    buffer_append_printf(&text, "%s, ", trials);
    append_runs(&data->dataset, &text);
    append_days(&data->dataset, &text);
    message_list_add(sentences, "%s.", buffer_text(&text));
    add_versions(&data->dataset, server_words, "Server:", sentences);
    add_versions(&data->dataset, client_words, "Client:", sentences);
    buffer_release(&text);
    free(trials);
}

/* How many bytes of the text are the next line: as many words as fit. */
static size_t line_of(const char *text, size_t columns)
{
    size_t most = text_bytes(text, columns), end = most;
    if (!text[most])
        return most;
    while (end > 0 && text[end] != ' ')
        end--;
    return end > 0 ? end : most;
}

void plot_caption_fold(const struct message_list *sentences, size_t columns, struct message_list *lines)
{
    for (size_t i = 0; i < sentences->count; i++) {
        const char *rest = sentences->items[i];
        while (*rest) {
            size_t size = line_of(rest, columns);
            message_list_add(lines, "%.*s", (int)size, rest);
            rest += size;
            rest += strspn(rest, " ");
        }
    }
}
