/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/run_plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void run_plan_read_options(struct run_plan *plan, const json_t *options)
{
    const json_t *threads = json_object_get(options, "threads");
    json_int_t trials = json_integer_value(json_object_get(options, "trialCount"));
    plan->threads = memory_zeroed(json_array_size(threads) + 1, sizeof *plan->threads);
    for (size_t i = 0; i < json_array_size(threads); i++) {
        json_int_t number = json_integer_value(json_array_get(threads, i));
        if (number >= 1 && number <= INT_MAX)
            plan->threads[plan->thread_count++] = (unsigned)number;
    }
    qsort(plan->threads, plan->thread_count, sizeof *plan->threads, by_number);
    plan->trials = trials >= 1 && trials <= INT_MAX ? (unsigned)trials : 0;
}

void run_plan_read_unmeasured(struct run_plan *plan, const json_t *names)
{
    plan->unmeasured = memory_zeroed(json_array_size(names) + 1, sizeof *plan->unmeasured);
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (name)
            plan->unmeasured[plan->unmeasured_count++] = memory_strdup(name);
    }
    qsort(plan->unmeasured, plan->unmeasured_count, sizeof *plan->unmeasured, by_text);
}

void run_plan_add(struct run_plan *plan, const struct run_plan *other)
{
    plan->threads = memory_resize(plan->threads, plan->thread_count + other->thread_count + 1, sizeof *plan->threads);
    for (size_t i = 0; i < other->thread_count; i++)
        plan->threads[plan->thread_count++] = other->threads[i];
    qsort(plan->threads, plan->thread_count, sizeof *plan->threads, by_number);
    plan->unmeasured =
        memory_resize(plan->unmeasured, plan->unmeasured_count + other->unmeasured_count + 1, sizeof *plan->unmeasured);
    for (size_t i = 0; i < other->unmeasured_count; i++)
        plan->unmeasured[plan->unmeasured_count++] = memory_strdup(other->unmeasured[i]);
    qsort(plan->unmeasured, plan->unmeasured_count, sizeof *plan->unmeasured, by_text);
    plan->trials += other->trials;
}

void run_plan_release(struct run_plan *plan)
{
    for (size_t i = 0; i < plan->unmeasured_count; i++)
        free(plan->unmeasured[i]);
    free(plan->unmeasured);
    free(plan->threads);
    *plan = (struct run_plan){0};
}

size_t run_plan_rungs_left(const struct run_plan *plan, const struct test_data *test, unsigned *rungs)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->thread_count; i++)
        if ((i == 0 || plan->threads[i] != plan->threads[i - 1]) && !test_find_cell(test, plan->threads[i]))
            rungs[count++] = plan->threads[i];
    return count;
}
