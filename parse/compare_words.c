/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/compare_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/table.h"

char *compare_words_sample(const struct sample *sample)
{
    char mean[TABLE_NUMBER_SIZE];
    if (sample->count == 0)
        return memory_strdup("-");
    table_format_rate(sample->mean, mean);
    if (sample->count == 1)
        return memory_strdup(mean);
    return memory_printf("%s \xc2\xb1%.1f%%", mean, 100 * sample->stdev / sample->mean);
}

static int decimals_of(double ratio)
{
    return ratio < 0.0995 ? 5 : ratio < 9.995 ? 3 : ratio < 99.95 ? 2 : 0;
}

char *compare_words_ratio(double ratio)
{
    if (isnan(ratio))
        return memory_strdup("-");
    bool is_readable = ratio >= 0.000995 && ratio < 999999.5;
    return is_readable ? memory_printf("%.*f", decimals_of(ratio), ratio) : memory_printf("%.3g", ratio);
}

char *compare_words_range(const struct compare_case *test)
{
    const struct compare_cell *smallest, *largest;
    if (!compare_case_range(test, &smallest, &largest))
        return memory_strdup("-");
    char *low = compare_words_ratio(smallest->ratio), *high = compare_words_ratio(largest->ratio);
    char *text = memory_printf("%s at %u thread%s to %s at %u", low, smallest->threads, text_plural(smallest->threads),
                               high, largest->threads);
    free(low);
    free(high);
    return text;
}

char *compare_words_case_ratio(const struct compare_case *test)
{
    const struct compare_cell *smallest, *largest;
    if (test->has_one_ratio)
        return compare_words_ratio(isnan(test->interval.ratio) ? test->geometric_mean : test->interval.ratio);
    if (!compare_case_range(test, &smallest, &largest))
        return memory_strdup("-");
    char *low = compare_words_ratio(smallest->ratio), *high = compare_words_ratio(largest->ratio);
    char *text = memory_printf("%s to %s", low, high);
    free(low);
    free(high);
    return text;
}

char *compare_words_case_interval(const struct compare_case *test, double confidence)
{
    return test->has_one_ratio ? compare_words_interval(&test->interval, confidence) : memory_strdup("-");
}

char *compare_words_interval(const struct ratio_interval *interval, double confidence)
{
    if (isnan(interval->low) || interval->confidence <= 0)
        return memory_strdup("-");
    char *low = compare_words_ratio(interval->low), *high = compare_words_ratio(interval->high);
    bool is_short = interval->confidence < confidence - 1e-9;
    char *text = is_short ? memory_printf("%s to %s (%.0f %%)", low, high, 100 * interval->confidence)
                          : memory_printf("%s to %s", low, high);
    free(low);
    free(high);
    return text;
}

char *compare_words_p(double p)
{
    return p < 0.0001 ? memory_strdup("p < 0.0001") : memory_printf("p %.4f", p);
}

/* Returns the last one. */
static unsigned append_rungs(struct buffer *text, const struct compare_case *test, const struct metric *metric,
                             int leader)
{
    unsigned last = 0;
    for (size_t i = 0; i < test->cell_count; i++)
        if (compare_case_leader(test, i, metric) == leader)
            buffer_append_printf(text, " %u", last = test->cells[i].threads);
    return last;
}

static const char *lead_in(const struct comparison *comparison)
{
    return comparison->evidence == EVIDENCE_TRIALS ? "these runs differ: B " : "mixed: ";
}

static char *mixed_words(const struct compare_case *test, const struct comparison *comparison)
{
    struct buffer text = {0};
    buffer_append_printf(&text, "%sfaster at", lead_in(comparison));
    append_rungs(&text, test, comparison->options.metric, 1);
    buffer_append_printf(&text, ", slower at");
    unsigned last = append_rungs(&text, test, comparison->options.metric, -1);
    buffer_append_printf(&text, " thread%s", text_plural(last));
    return buffer_detach(&text);
}

static char *too_few_words(const struct compare_case *test, const struct comparison *comparison)
{
    const char *name = verdict_names[comparison->evidence][VERDICT_TOO_FEW];
    if (test->more == 0)
        return memory_printf("%s (no number of them would do: nothing can be tested)", name);
    if (comparison->evidence == EVIDENCE_RUNS)
        return memory_printf("%s (%u more per side would do)", name, test->more);
    return memory_printf("%s (%u more per cell and side would do in this table)", name, test->more);
}

static char *uneven_words(const struct compare_case *test, const struct comparison *comparison)
{
    char *p = compare_words_p(test->fit_p_adjusted);
    char *words = memory_printf("%s (%s)", verdict_names[comparison->evidence][VERDICT_UNEVEN], p);
    free(p);
    return words;
}

static char *verdict_words(const struct compare_case *test, const struct comparison *comparison)
{
    if (test->verdict == VERDICT_VOID)
        return memory_printf("void (%s)", test->void_reason);
    if (test->verdict == VERDICT_MIXED)
        return mixed_words(test, comparison);
    if (test->verdict == VERDICT_TOO_FEW)
        return too_few_words(test, comparison);
    if (test->verdict == VERDICT_UNEVEN)
        return uneven_words(test, comparison);
    char *p = compare_words_p(test->p_adjusted);
    const char *how = test->is_exact                            ? ""
                      : comparison->evidence == EVIDENCE_TRIALS ? " by approximation"
                                                                : " by sampling";
    char *words = memory_printf("%s (%s%s)", verdict_names[comparison->evidence][test->verdict], p, how);
    free(p);
    return words;
}

static void append_rest(struct buffer *text, size_t rungs, const char *why)
{
    if (rungs > 0)
        buffer_append_printf(text, "; %zu rung%s %s", rungs, rungs == 1 ? "" : "s", why);
}

/* One ratio was shown not to fit. Beside a verdict of no difference that would be a contradiction. */
static bool is_misfit(const struct compare_case *test, const struct comparison *comparison)
{
    return test->verdict < VERDICT_NONE_SHOWN && test->fit_p_adjusted <= comparison->options.alpha;
}

static void append_misfit(struct buffer *text, const struct compare_case *test, const struct comparison *comparison)
{
    if (!is_misfit(test, comparison))
        return;
    char *range = compare_words_range(test);
    buffer_append_printf(text, "; no one ratio fits: %s", range);
    free(range);
}

/* A verdict says what it leaves out: rungs that are void, and those with a single trial beside others with more. */
char *compare_words_case(const struct compare_case *test, const struct comparison *comparison)
{
    struct buffer text = {0};
    char *words = verdict_words(test, comparison);
    buffer_append_printf(&text, "%s", words);
    free(words);
    size_t void_cells = 0;
    for (size_t i = 0; i < test->cell_count; i++)
        void_cells += test->cells[i].void_reason != NULL;
    if (test->verdict != VERDICT_VOID) {
        append_rest(&text, void_cells, "void");
        append_rest(&text, test->tested > 0 ? test->compared - test->tested : 0, "with a single trial left out");
        append_misfit(&text, test, comparison);
    }
    return buffer_detach(&text);
}

static char *ratio_and_interval(const struct compare_case *test, double confidence)
{
    char *ratio = compare_words_case_ratio(test), *interval = compare_words_case_interval(test, confidence);
    bool has_interval = strcmp(interval, "-") != 0;
    char *words = has_interval ? memory_printf("B / A %s, %.4g %% interval %s", ratio, 100 * confidence, interval)
                               : memory_printf("B / A %s", ratio);
    free(ratio);
    free(interval);
    return words;
}

char *compare_words_effect(const struct compare_case *test, const struct comparison *comparison)
{
    if (test->verdict == VERDICT_VOID || is_misfit(test, comparison))
        return memory_strdup("");
    if (test->has_one_ratio)
        return ratio_and_interval(test, 1 - comparison->options.alpha);
    char *range = compare_words_range(test), *words = memory_printf("B / A %s", range);
    free(range);
    return words;
}

char *compare_words_cell(const struct compare_cell *cell, const struct comparison *comparison)
{
    if (!cell->in_a || !cell->in_b)
        return memory_printf("only %s has it", cell->in_a ? "A" : "B");
    if (cell->void_reason)
        return memory_printf("void (%s)", cell->void_reason);
    if (isnan(cell->p) || cell->verdict == VERDICT_TOO_FEW)
        return memory_strdup("");
    char *p = compare_words_p(cell->p);
    char *words = memory_printf("cell: %s (%s alone)", verdict_names[comparison->evidence][cell->verdict], p);
    free(p);
    return words;
}

char *compare_words_leaders(const struct compare_case *test, const struct comparison *comparison)
{
    struct buffer text = {0};
    for (size_t first = 0, last = 0; first < test->cell_count; first = last + 1) {
        int leader = compare_case_stretch(test, comparison->options.metric, first, &last);
        buffer_append_printf(&text, "%s%s %u", first ? ", " : "",
                             leader > 0   ? "B"
                             : leader < 0 ? "A"
                                          : "neither",
                             test->cells[first].threads);
        if (last > first)
            buffer_append_printf(&text, "-%u", test->cells[last].threads);
    }
    return buffer_detach(&text);
}

char *compare_words_luck(const struct compare_options *options)
{
    unsigned needed = compare_runs_needed(options->alpha);
    char *runs = needed > 0 ? memory_printf("at least %u runs", needed) : memory_strdup("many runs");
    char *words = memory_printf("Each side is one run, and trials of a run share its luck: a verdict here is about "
                                "these two runs only. The next "
                                "run of the same server may differ from its last one by as much. To compare "
                                "deployments, make %s of each, taken "
                                "in turn, and give them as --a FILE... --b FILE...",
                                runs);
    free(runs);
    return words;
}

char *compare_words_name(const struct side_test *test)
{
    return test_title(test->name, test->occurrence);
}
