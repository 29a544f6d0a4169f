/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/same_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

/* Some tools round what they write again. */
#define ROUNDING 1e-4

/* Cells that both have. */
struct overlap {
    double tolerance; /* relative */
    bool by_digits;   /* a value of few digits, which two runs can both have, is no evidence */
    size_t equal;     /* values that are evidence */
    bool differs;
};

static bool has_few_digits(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.5g", value);
    return strtod(text, NULL) == value;
}

static void compare_values(double a, double b, struct overlap *overlap)
{
    if (fabs(a - b) <= overlap->tolerance * fabs(a))
        overlap->equal += a != 0 && !(overlap->by_digits && has_few_digits(a));
    else if (!isnan(a) || !isnan(b))
        overlap->differs = true;
}

static void compare_cells(const struct cell_data *a, const struct cell_data *b, struct overlap *overlap)
{
    if (a->trial_count != b->trial_count) {
        overlap->differs = true;
        return;
    }
    for (size_t i = 0; i < a->trial_count; i++)
        compare_values(a->trials[i].ops_per_sec, b->trials[i].ops_per_sec, overlap);
    if (a->trial_count == 0)
        compare_values(a->ops_per_sec, b->ops_per_sec, overlap);
}

static void compare_tests(const struct test_data *a, const struct test_data *b, struct overlap *overlap)
{
    for (size_t i = 0; i < a->cell_count && !overlap->differs; i++) {
        const struct cell_data *other = test_find_cell(b, a->cells[i].threads);
        if (other)
            compare_cells(&a->cells[i], other, overlap);
    }
}

static int by_identity(const void *x, const void *y)
{
    const struct test_data *a = *(const struct test_data *const *)x, *b = *(const struct test_data *const *)y;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->occurrence > b->occurrence) - (a->occurrence < b->occurrence);
}

static const struct test_data **sort_tests(const struct deployment *run)
{
    const struct test_data **tests = memory_zeroed(run->test_count + 1, sizeof(struct test_data *));
    for (size_t i = 0; i < run->test_count; i++)
        tests[i] = &run->tests[i];
    qsort(tests, run->test_count, sizeof *tests, by_identity);
    return tests;
}

static bool has_equal_values(const struct deployment *a, const struct deployment *b, double tolerance, bool by_digits)
{
    const struct test_data **a_tests = sort_tests(a), **b_tests = sort_tests(b);
    struct overlap overlap = {.tolerance = tolerance, .by_digits = by_digits};
    for (size_t i = 0, k = 0; i < a->test_count && k < b->test_count && !overlap.differs;) {
        int order = by_identity(&a_tests[i], &b_tests[k]);
        if (order == 0)
            compare_tests(a_tests[i], b_tests[k], &overlap);
        i += order <= 0;
        k += order >= 0;
    }
    free(a_tests);
    free(b_tests);
    return overlap.equal > 0 && !overlap.differs;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat a_status, b_status;
    return stat(a, &a_status) == 0 && stat(b, &b_status) == 0 && S_ISREG(a_status.st_mode) &&
           a_status.st_dev == b_status.st_dev && a_status.st_ino == b_status.st_ino;
}

static bool is_equal(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static bool is_different(const char *a, const char *b)
{
    return a && b && strcmp(a, b) != 0;
}

const char *same_run_find(const struct deployment *a, const struct deployment *b)
{
    if (is_equal(a->run_id, b->run_id))
        return "both have the same run_id";
    if (is_same_file(a->path, b->path))
        return "both are one file";
    bool is_timed = is_equal(a->start, b->start) && is_equal(a->end, b->end);
    if (is_timed && has_equal_values(a, b, ROUNDING, false))
        return "both began and ended at the same time, with the same values";
    bool claims_to_differ = is_different(a->run_id, b->run_id) || is_different(a->start, b->start);
    return has_equal_values(a, b, 0, claims_to_differ) ? "all values that both have are equal" : NULL;
}

/* The first of some runs that is the same one; *how says by what. */
static const struct deployment *find_same(const struct deployment *run, const struct deployment *const *others,
                                          size_t count, const char **how)
{
    for (size_t i = 0; i < count; i++)
        if ((*how = same_run_find(others[i], run)))
            return others[i];
    return NULL;
}

/* Against the runs before it: those of its own group first, as the same run there is the worse case. */
static void check_run(const struct same_run_group *groups, size_t group, size_t run, struct message_list *warnings,
                      struct message_list *errors)
{
    const struct deployment *own = groups[group].runs[run], *same;
    const char *how;
    if ((same = find_same(own, groups[group].runs, run, &how))) {
        message_list_add(errors, "%s: %s and %s hold the same run (%s); a run counts once: leave one of them out",
                         groups[group].name, same->path, own->path, how);
        return;
    }
    for (size_t g = 0; g < group && !same; g++)
        if ((same = find_same(own, groups[g].runs, groups[g].count, &how)))
            message_list_add(warnings, "%s and %s hold the same run (%s): it is compared with itself", same->path,
                             own->path, how);
}

void same_run_check(const struct same_run_group *groups, size_t count, struct message_list *warnings,
                    struct message_list *errors)
{
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < groups[g].count; i++)
            check_run(groups, g, i, warnings, errors);
}
