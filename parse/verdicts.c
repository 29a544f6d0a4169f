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
    const struct deployment **runs = deployment_list_runs(deployment);
    side_init(side, deployment->label, runs, deployment_runs(deployment));
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
    return test ? verdict_names[verdicts->comparisons[deployment - 1].evidence][test->verdict] : NULL;
}

char *verdicts_ratio_words(const struct verdicts *verdicts, size_t row, size_t deployment)
{
    const struct compare_case *test = case_of(verdicts, row, deployment);
    if (!test)
        return NULL;
    char *ratio = compare_words_case_ratio(test);
    if (!test->has_one_ratio || isnan(test->interval.ratio))
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
    if (!test)
        return NULL;
    const struct comparison *comparison = &verdicts->comparisons[deployment - 1];
    char *verdict = compare_words_case(test, comparison), *effect = compare_words_effect(test, comparison);
    char *words = memory_printf("%s%s%s", verdict, *effect ? "; " : "", effect);
    free(verdict);
    free(effect);
    return words;
}

char *verdicts_explain(const struct verdicts *verdicts)
{
    return memory_printf("A verdict is what benchcompare says of a deployment (B) beside %s (A). With one run of each "
                         "it is about these two "
                         "runs only: van Elteren's rank test of their trials over the numbers of threads, with Holm's "
                         "correction over the "
                         "test cases, and trials of a run share its luck. With several runs of a deployment the runs "
                         "are what counts, by "
                         "a permutation test; it takes %u of each or more.",
                         verdicts->sides[0].label, compare_runs_needed(ALPHA));
}
