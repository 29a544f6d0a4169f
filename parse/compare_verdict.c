/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "parse/compare_parts.h"

#define MORE_MAX 1000

const char *const verdict_names[EVIDENCE_COUNT][VERDICT_COUNT] = {
    [EVIDENCE_TRIALS] = {"these runs differ: B faster", "these runs differ: B slower", "these runs differ: mixed",
                         "these runs differ: by threads", "no difference shown", "too few trials", "void"},
    [EVIDENCE_RUNS] = {"faster", "slower", "mixed", "differs by threads", "no difference shown", "too few runs",
                       "void"},
};

void compare_set_interval(struct ratio_interval *interval, const struct shift *shift)
{
    *interval = (struct ratio_interval){exp(shift->estimate), exp(shift->low), exp(shift->high), shift->confidence,
                                        shift->is_exact};
}

/* Of alpha. The tests of runs use up all of it in steps that some hundred labellings make. */
static const double uneven_parts[EVIDENCE_COUNT] = {[EVIDENCE_TRIALS] = 0.2, [EVIDENCE_RUNS] = 0.02};

enum verdict compare_direction(double sign, const struct metric *metric)
{
    return metric_direction(metric, exp(sign)) > 0 ? VERDICT_FASTER : VERDICT_SLOWER;
}

void compare_judge_fit(struct compare_case *test, double alpha, enum evidence evidence)
{
    bool shows_nothing = test->verdict == VERDICT_NONE_SHOWN || test->verdict == VERDICT_TOO_FEW;
    test->has_one_ratio = test->compared == 1 || test->fit_p_adjusted > alpha;
    if (shows_nothing && test->fit_p_adjusted <= uneven_parts[evidence] * alpha)
        test->verdict = VERDICT_UNEVEN;
}

unsigned compare_find_more(bool (*would_do)(const void *context, unsigned more), const void *context)
{
    unsigned low = 0, high = MORE_MAX + 1;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (would_do(context, middle))
            high = middle;
        else
            low = middle;
    }
    return high <= MORE_MAX ? high : 0;
}
