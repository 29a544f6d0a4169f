/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/trial_errors.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An entry names the test without its variant. */
static size_t plain_length(const char *name)
{
    const char *variant = strstr(name, " (variant ");
    return variant ? (size_t)(variant - name) : strlen(name);
}

static int compare_plain(const char *a, const char *b)
{
    size_t a_length = plain_length(a), b_length = plain_length(b);
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* By name, then as they are in the file. */
static int by_name(const void *a, const void *b)
{
    const struct test_data *x = *(struct test_data *const *)a, *y = *(struct test_data *const *)b;
    int order = compare_plain(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

static struct test_data **sort_tests(struct deployment *deployment)
{
    struct test_data **tests = memory_zeroed(deployment->test_count + 1, sizeof(struct test_data *));
    for (size_t i = 0; i < deployment->test_count; i++)
        tests[i] = &deployment->tests[i];
    qsort(tests, deployment->test_count, sizeof *tests, by_name);
    return tests;
}

/* Of sorted tests the first with this name or a later one. */
static size_t first_of(struct test_data *const *tests, size_t count, const char *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_plain(tests[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* NULL: the entry is of another test, or says nothing new. */
static struct trial_data *find_place(struct test_data *test, unsigned threads, size_t trial)
{
    struct cell_data *cell = test_find_cell(test, threads);
    if (!cell || trial > cell->trial_count)
        return NULL;
    if (trial == cell->trial_count) {
        cell->trials = memory_resize(cell->trials, ++cell->trial_count, sizeof *cell->trials);
        cell->trials[trial] = (struct trial_data){.ops_per_sec = NAN, .errors = -1};
    }
    struct trial_data *found = &cell->trials[trial];
    return isnan(found->ops_per_sec) && !found->reason ? found : NULL;
}

static char *reason_of(const json_t *error)
{
    const char *message = json_string_value(json_object_get(error, "message"));
    long long code = json_integer_value(json_object_get(error, "code"));
    char *number = memory_printf("%lld", code);
    bool is_told = code == 0 || (message && strstr(message, number));
    free(number);
    if (!message)
        return code ? memory_printf("code %lld", code) : NULL;
    return is_told ? memory_strdup(message) : memory_printf("code %lld: %s", code, message);
}

static void apply(const json_t *entry, struct test_data *const *tests, size_t count)
{
    const json_t *test = json_object_get(entry, "test");
    const char *name = json_string_value(json_is_object(test) ? json_object_get(test, "name") : test);
    json_int_t threads = json_integer_value(json_object_get(entry, "threadCount"));
    const json_t *trial = json_object_get(entry, "trial");
    if (!name || threads < 1 || threads > INT_MAX || !json_is_integer(trial) || json_integer_value(trial) < 0)
        return;
    struct trial_data *place = NULL;
    for (size_t i = first_of(tests, count, name); !place && i < count && compare_plain(tests[i]->name, name) == 0; i++)
        place = find_place(tests[i], (unsigned)threads, (size_t)json_integer_value(trial));
    if (place)
        place->reason = reason_of(json_object_get(entry, "error"));
}

void trial_errors_apply(const json_t *errors, struct deployment *deployment)
{
    struct test_data **tests = sort_tests(deployment);
    for (size_t i = 0; i < json_array_size(errors); i++)
        apply(json_array_get(errors, i), tests, deployment->test_count);
    free(tests);
}
