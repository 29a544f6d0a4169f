/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_H
#define PARSE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strata_fit.h"
#include "parse/metric.h"
#include "parse/side.h"

/*
 * Side b against side a, the baseline. A ratio is b / a; faster and slower are said of b, whichever direction of the
 * metric is the better one.
 *
 * The verdict is per test case. What counts as one piece of evidence depends on how many runs there are:
 *
 * One run a side: the trials. Van Elteren's test over the rungs, corrected by Holm over the test cases of the table; a
 * test case is mixed when b is faster at some rungs and slower at others, each at alpha (ranktest_crossover()), and the
 * square of that p, which is a p against "no difference at any rung", stands Holm's correction over the table too. A
 * rung takes part with two trials a side or more: one trial says nothing about its own spread. Trials of a run share
 * what happened to the run, so such a verdict is about these two runs and never about the deployments; its name says
 * so. Where neither shows a difference but no one ratio fits the rungs (base/strata_fit.h), some of them differ: the
 * test case is uneven. That is asked at a fifth of alpha, of runs at a fiftieth, since it comes on top of the
 * other two.
 *
 * Several runs on a side: the runs (base/runtest.h).
 */
enum evidence { EVIDENCE_TRIALS, EVIDENCE_RUNS, EVIDENCE_COUNT };

enum verdict {
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICT_MIXED,
    VERDICT_UNEVEN, /* rungs differ in their ratios, so that not all of them can be 1; which are not is not known */
    VERDICT_NONE_SHOWN,
    VERDICT_TOO_FEW, /* no result of trials, or runs, as few as these could be called in this table */
    VERDICT_VOID,
    VERDICT_COUNT,
};
/* "faster", "these runs differ: B faster", "too few runs", ... */
extern const char *const verdict_names[EVIDENCE_COUNT][VERDICT_COUNT];

struct compare_options {
    const struct metric *metric;
    double alpha; /* in (0, 1) */
    bool correct; /* Holm */
};

/* By what factor b exceeds a: of trials Hodges and Lehmann's shift of the logarithms (base/shift.h), of runs the shift
 * of their means (base/run_sheet.h). NAN: unknown. */
struct ratio_interval {
    double ratio, low, high;
    double confidence; /* less than 1 - alpha where trials or runs are too few for that */
    bool is_exact;     /* not by the normal approximation, nor from some labellings only */
};

struct compare_cell {
    unsigned threads;
    bool in_a, in_b;
    struct sample a, b;
    char *void_reason; /* NULL: can be compared; else the cell takes no part in anything */
    double ratio;      /* of the means; NAN when void or only one side has it */
    struct ratio_interval interval;
    struct stratum stratum; /* of its trials' logarithms, when it was tested */
    /* The cell's own test, Mann-Whitney or of runs: secondary. p is NAN when it was not tested. */
    double p, p_adjusted;
    double sign; /* of its statistic: +1: b is larger, -1: smaller, 0 */
    bool is_exact;
    enum verdict verdict;
};

struct compare_case {
    const struct side_test *a, *b;
    struct compare_cell *cells; /* by threads; all rungs that a side has */
    size_t cell_count;
    size_t compared; /* cells with a ratio */
    size_t tested;   /* of those, rungs of the test */
    char *void_reason;
    double p, p_adjusted; /* NAN when void */
    double sign;          /* of the statistic: +1: b is larger, -1: smaller, 0 */
    double crossover_p, crossover_p_adjusted;
    double fit_p, fit_p_adjusted; /* of "one ratio fits all rungs"; NAN when that was not tested */
    bool is_exact;                /* p */
    bool has_one_ratio;           /* `interval` may stand for all rungs: there is but one, or the test did not reject */
    struct ratio_interval interval;
    double geometric_mean; /* of the ratios of its cells */
    enum verdict verdict;
    unsigned more; /* VERDICT_TOO_FEW: that many more trials a cell and side, or runs a side, would do; 0: no number up
                      to 1000 would */
};

struct group_ratio {
    const char *tag;  /* NULL in the list of rungs */
    unsigned threads; /* 0 in the list of tags */
    double geometric_mean;
    size_t cells;
};

/* Cells left out of the means are counted by why; each in one. */
struct compare_summary {
    size_t verdicts[VERDICT_COUNT];
    double geometric_mean, smallest_ratio, largest_ratio; /* NAN without a cell */
    size_t cells, void_cells, one_sided_cells;
    struct group_ratio *rungs, *tags;
    size_t rung_count, tag_count;
    size_t leader_changes; /* test cases in which it changes */
};

/* What the numbers depend on, where the sides differ. */
struct fact_difference {
    const char *name;
    char *a, *b;               /* several values of one side are joined by " | "; NULL: not told */
    size_t a_values, b_values; /* how many different ones its runs tell */
};

struct comparison {
    struct compare_options options;
    enum evidence evidence;
    const struct side *a, *b;
    struct compare_case *cases; /* test cases that both sides have, in a's order */
    size_t case_count;
    const struct side_test **only_a, **only_b;
    size_t only_a_count, only_b_count;
    struct fact_difference *differences;
    size_t difference_count;
    size_t different_definitions; /* test cases */
    struct compare_summary summary;
};

/* Both sides must outlive it. */
void comparison_init(struct comparison *comparison, const struct side *a, const struct side *b,
                     const struct compare_options *options);
void comparison_release(struct comparison *comparison);

/* So many runs a side can show a difference at alpha; 0: no number up to 1000 can. */
unsigned compare_runs_needed(double alpha);

/* The cells with the smallest and the largest ratio; false when no cell has one. */
bool compare_case_range(const struct compare_case *test, const struct compare_cell **smallest,
                        const struct compare_cell **largest);

/* Who leads at which rung is known of mixed test cases only. +1: b is faster in this cell; -1: a is; 0: not known, or
 * the interval of the ratio holds 1. Each side leads somewhere: where no interval says so, at the rung that tells most.
 */
int compare_case_leader(const struct compare_case *test, size_t cell, const struct metric *metric);
/* Rungs from first on in which the same side leads, those without a leader among them: fills `last`, returns as above.
 * The next stretch begins behind `last`. */
int compare_case_stretch(const struct compare_case *test, const struct metric *metric, size_t first, size_t *last);
/* How often the leader changes along the ladder. */
size_t compare_case_changes(const struct compare_case *test, const struct metric *metric);

#endif
