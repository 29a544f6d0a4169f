/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/verdicts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/compare_words.h"

#define ALPHA 0.05

static bool is_of(const struct compare_case *test, const struct test_data *data)
{
    return test->a->occurrence == data->occurrence && strcmp(test->a->name, data->name) == 0;
}

/* Both are in the order of the first deployment. */
static void find_cases(struct verdicts *verdicts, const struct pairing *pairing, size_t deployment)
{
    const struct comparison *comparison = &verdicts->comparisons[deployment - 1];
    size_t next = 0;
    for (size_t row = 0; row < pairing->count && next < comparison->case_count; row++) {
        const struct test_data *test = pairing->rows[row].tests[0];
        if (test && is_of(&comparison->cases[next], test))
            verdicts->cases[row * verdicts->deployments + deployment] = &comparison->cases[next++];
    }
}

static void init_side(struct side *side, const struct deployment *deployment)
{
    size_t count = deployment_runs(deployment);
    const struct deployment **runs = memory_zeroed(count, sizeof(struct deployment *));
    for (size_t i = 0; i < count; i++)
        runs[i] = deployment_run(deployment, i);
    side_init(side, deployment->label, runs, count);
    free(runs);
}

void verdicts_make(struct verdicts *verdicts, const struct pairing *pairing)
{
    const struct dataset *dataset = pairing->dataset;
    const struct compare_options options = {.metric = metric_find("ops_per_sec"), .alpha = ALPHA, .correct = true};
    *verdicts = (struct verdicts){.deployments = dataset->count};
    verdicts->sides = memory_zeroed(dataset->count, sizeof *verdicts->sides);
    verdicts->comparisons = memory_zeroed(dataset->count, sizeof *verdicts->comparisons);
    verdicts->cases = memory_zeroed(pairing->count * dataset->count + 1, sizeof(struct compare_case *));
    for (size_t d = 0; d < dataset->count; d++) {
        init_side(&verdicts->sides[d], &dataset->items[d]);
        if (d == 0)
            continue;
        comparison_init(&verdicts->comparisons[d - 1], &verdicts->sides[0], &verdicts->sides[d], &options);
        find_cases(verdicts, pairing, d);
    }
}

void verdicts_release(struct verdicts *verdicts)
{
    for (size_t d = 0; d < verdicts->deployments; d++) {
        if (d > 0)
            comparison_release(&verdicts->comparisons[d - 1]);
        side_release(&verdicts->sides[d]);
    }
    free(verdicts->comparisons);
    free(verdicts->sides);
    free(verdicts->cases);
}

static const struct compare_case *case_of(const struct verdicts *verdicts, size_t row, size_t deployment)
{
    return verdicts->cases[row * verdicts->deployments + deployment];
}

struct ratio_interval verdicts_interval(const struct verdicts *verdicts, size_t row, size_t deployment,
                                        unsigned threads)
{
    const struct compare_case *test = case_of(verdicts, row, deployment);
    for (size_t i = 0; test && i < test->cell_count; i++) {
        const struct ratio_interval *interval = &test->cells[i].interval;
        bool is_known = interval->low > 0 && isfinite(interval->high) && interval->confidence > 0;
        if (test->cells[i].threads == threads && is_known)
            return *interval;
    }
    return (struct ratio_interval){NAN, NAN, NAN, NAN, false};
}

const char *verdicts_name(const struct verdicts *verdicts, size_t row, size_t deployment)
{
    const struct compare_case *test = case_of(verdicts, row, deployment);
    return test ? verdict_names[test->verdict] : NULL;
}

char *verdicts_ratio_words(const struct verdicts *verdicts, size_t row, size_t deployment)
{
    const struct compare_case *test = case_of(verdicts, row, deployment);
    if (!test)
        return NULL;
    bool has_interval = !isnan(test->interval.ratio);
    char *ratio = compare_words_ratio(has_interval ? test->interval.ratio : test->geometric_mean);
    if (!has_interval)
        return ratio;
    char *interval = compare_words_interval(&test->interval, 1 - ALPHA);
    char *words = memory_printf("%s (%s)", ratio, interval);
    free(interval);
    free(ratio);
    return words;
}

char *verdicts_words(const struct verdicts *verdicts, size_t row, size_t deployment)
{
    const struct compare_case *test = case_of(verdicts, row, deployment);
    return test ? compare_words_case(test, &verdicts->comparisons[deployment - 1]) : NULL;
}
