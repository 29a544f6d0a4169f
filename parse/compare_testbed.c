/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "parse/compare_parts.h"

static bool has_difference(const struct comparison *comparison, const char *name)
{
    for (size_t i = 0; i < comparison->difference_count; i++)
        if (strcmp(comparison->differences[i].name, name) == 0)
            return true;
    return false;
}

/* Files of test cases may have other names or places where the test cases are the same. */
static bool is_settled(const struct comparison *comparison, const char *name)
{
    if (strcmp(name, "options.testfiles") != 0)
        return false;
    for (size_t i = 0; i < comparison->case_count; i++)
        if (!compare_case_is_defined_alike(&comparison->cases[i]))
            return false;
    return comparison->case_count > 0;
}

static void compare_fact(struct comparison *comparison, const char *name)
{
    if (has_difference(comparison, name) || is_settled(comparison, name))
        return;
    struct fact_difference fact = {.name = name};
    fact.a = fact_join(comparison->a->runs, comparison->a->run_count, name, &fact.a_values);
    fact.b = fact_join(comparison->b->runs, comparison->b->run_count, name, &fact.b_values);
    bool is_same = fact.a_values <= 1 && fact.b_values <= 1 && fact.a_values == fact.b_values &&
                   (!fact.a || strcmp(fact.a, fact.b) == 0);
    if (is_same) {
        free(fact.a);
        free(fact.b);
        return;
    }
    comparison->differences =
        memory_resize(comparison->differences, comparison->difference_count + 1, sizeof *comparison->differences);
    comparison->differences[comparison->difference_count++] = fact;
}

/* What is most likely to explain a difference in speed, first; the rest as the files have it. */
static void compare_important(struct comparison *comparison)
{
    static const char *const names[] = {"product",     "server version", "product version", "storage engine",
                                        "topology",    "write concern",  "server host",     "server machine",
                                        "client host", "client CPU"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        compare_fact(comparison, names[i]);
}

static void compare_runs(struct comparison *comparison, const struct side *side)
{
    for (size_t i = 0; i < side->run_count; i++)
        for (size_t k = 0; k < side->runs[i]->facts.count; k++)
            compare_fact(comparison, side->runs[i]->facts.items[k].name);
}

void compare_testbeds(struct comparison *comparison)
{
    compare_important(comparison);
    compare_runs(comparison, comparison->a);
    compare_runs(comparison, comparison->b);
    for (size_t i = 0; i < comparison->case_count; i++) {
        const char *reason = comparison->cases[i].void_reason;
        comparison->different_definitions += reason && strcmp(reason, COMPARE_DIFFERENT_DEFINITIONS) == 0;
    }
}
