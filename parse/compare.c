/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/compare.h"

#include <stdlib.h>

#include "base/memory.h"
#include "parse/compare_parts.h"

static int by_place(const void *x, const void *y)
{
    const struct side_test *a = *(const struct side_test *const *)x, *b = *(const struct side_test *const *)y;
    return (a->place > b->place) - (a->place < b->place);
}

/* A side's tests in the order of its files. The caller frees. */
static const struct side_test **in_order(const struct side *side)
{
    const struct side_test **tests = memory_zeroed(side->test_count + 1, sizeof *tests);
    for (size_t i = 0; i < side->test_count; i++)
        tests[i] = &side->tests[i];
    qsort(tests, side->test_count, sizeof *tests, by_place);
    return tests;
}

static void pair_tests(struct comparison *comparison)
{
    const struct side_test **tests = in_order(comparison->a);
    size_t count = comparison->a->test_count;
    comparison->cases = memory_zeroed(count + 1, sizeof *comparison->cases);
    comparison->only_a = memory_zeroed(count + 1, sizeof *comparison->only_a);
    for (size_t i = 0; i < count; i++) {
        const struct side_test *other = side_find(comparison->b, tests[i]->name, tests[i]->occurrence);
        if (other)
            compare_case_init(&comparison->cases[comparison->case_count++], tests[i], other, &comparison->options);
        else
            comparison->only_a[comparison->only_a_count++] = tests[i];
    }
    free(tests);
}

static void list_only_b(struct comparison *comparison)
{
    comparison->only_b = in_order(comparison->b);
    for (size_t i = 0; i < comparison->b->test_count; i++) {
        const struct side_test *test = comparison->only_b[i];
        if (!side_find(comparison->a, test->name, test->occurrence))
            comparison->only_b[comparison->only_b_count++] = test;
    }
}

void comparison_init(struct comparison *comparison, const struct side *a, const struct side *b,
                     const struct compare_options *options)
{
    *comparison = (struct comparison){.options = *options, .a = a, .b = b};
    comparison->evidence = a->run_count + b->run_count > 2 ? EVIDENCE_RUNS : EVIDENCE_TRIALS;
    pair_tests(comparison);
    list_only_b(comparison);
    if (comparison->evidence == EVIDENCE_RUNS) {
        compare_runs_judge(comparison);
    } else {
        compare_trials_test(comparison);
        compare_trials_judge(comparison);
    }
    compare_summarise(comparison);
    compare_testbeds(comparison);
}

void comparison_release(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->case_count; i++)
        compare_case_release(&comparison->cases[i]);
    for (size_t i = 0; i < comparison->difference_count; i++) {
        free(comparison->differences[i].a);
        free(comparison->differences[i].b);
    }
    compare_summary_release(&comparison->summary);
    free(comparison->differences);
    free(comparison->cases);
    free(comparison->only_a);
    free(comparison->only_b);
    *comparison = (struct comparison){0};
}
