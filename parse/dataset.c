/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/run_plan.h"

#define NO_NAME "(no name)"

const char *const latency_members[LATENCY_KINDS] = {
    "latency_mean_us", "latency_min_us",  "latency_p50_us", "latency_p95_us",
    "latency_p99_us",  "latency_p999_us", "latency_max_us",
};

void fact_list_add(struct fact_list *list, const char *name, const char *value)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 32;
        list->items = memory_resize(list->items, list->capacity, sizeof *list->items);
    }
    list->items[list->count++] = (struct fact){memory_strdup(name), memory_strdup(value)};
}

const char *fact_list_find(const struct fact_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return list->items[i].value;
    return NULL;
}

static void fact_list_release(struct fact_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].value);
    }
    free(list->items);
}

char *fact_join(const struct deployment *const *runs, size_t run_count, const char *name, size_t *values)
{
    char *joined = NULL;
    *values = 0;
    for (size_t i = 0; i < run_count; i++) {
        const char *value = fact_list_find(&runs[i]->facts, name);
        bool is_new = value != NULL;
        for (size_t k = 0; k < i && is_new; k++) {
            const char *earlier = fact_list_find(&runs[k]->facts, name);
            is_new = !earlier || strcmp(earlier, value) != 0;
        }
        if (!is_new)
            continue;
        (*values)++;
        char *longer = joined ? memory_printf("%s | %s", joined, value) : memory_strdup(value);
        free(joined);
        joined = longer;
    }
    return joined;
}

static int by_threads(const void *a, const void *b)
{
    const struct cell_data *x = a, *y = b;
    return (x->threads > y->threads) - (x->threads < y->threads);
}

void test_sort_cells(struct test_data *test)
{
    if (test->cell_count > 1)
        qsort(test->cells, test->cell_count, sizeof *test->cells, by_threads);
}

struct cell_data *test_find_cell(const struct test_data *test, unsigned threads)
{
    struct cell_data key = {.threads = threads};
    return test->cells ? bsearch(&key, test->cells, test->cell_count, sizeof key, by_threads) : NULL;
}

size_t cell_values(const struct cell_data *cell, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < cell->trial_count; i++) {
        double value = cell->trials[i].ops_per_sec;
        if (value != value)
            continue;
        if (values)
            values[count] = value;
        count++;
    }
    return count;
}

bool cell_is_first_of_run(const struct cell_data *cell, size_t trial)
{
    return trial == 0 || cell->trials[trial].run != cell->trials[trial - 1].run;
}

int64_t cell_errors(const struct cell_data *cell)
{
    int64_t sum = -1;
    for (size_t i = 0; i < cell->trial_count; i++)
        if (cell->trials[i].errors >= 0)
            sum = (sum < 0 ? 0 : sum) + cell->trials[i].errors;
    return sum;
}

#define REASONS_MAX 3

/* Adds the text unless it is there; false when no more are wanted. */
static bool add_reason(const char **reasons, size_t *count, const char *reason)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(reasons[i], reason) == 0)
            return true;
    reasons[(*count)++] = reason;
    return *count < REASONS_MAX;
}

char *cell_why(const struct cell_data *cell)
{
    const char *reasons[REASONS_MAX];
    size_t count = 0;
    /* Beside trials with a number the cell's own reason counts those without one, too. */
    if (cell->reason && isnan(cell->ops_per_sec))
        return memory_strdup(cell->reason);
    for (size_t i = 0; i < cell->trial_count; i++)
        if (cell->trials[i].reason && !add_reason(reasons, &count, cell->trials[i].reason))
            break;
    char *all = count > 0 ? memory_strdup(reasons[0]) : NULL;
    for (size_t i = 1; i < count; i++) {
        char *longer = memory_printf("%s; %s", all, reasons[i]);
        free(all);
        all = longer;
    }
    return all;
}

/* By name, then as they stand in the file. */
static int by_name(const void *a, const void *b)
{
    const struct test_data *x = *(struct test_data *const *)a, *y = *(struct test_data *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

void deployment_number_tests(struct deployment *deployment)
{
    struct test_data **sorted = memory_zeroed(deployment->test_count + 1, sizeof *sorted);
    for (size_t i = 0; i < deployment->test_count; i++)
        sorted[i] = &deployment->tests[i];
    qsort(sorted, deployment->test_count, sizeof *sorted, by_name);
    for (size_t i = 0; i < deployment->test_count; i++) {
        bool is_same = i > 0 && strcmp(sorted[i]->name, sorted[i - 1]->name) == 0;
        sorted[i]->occurrence = is_same ? sorted[i - 1]->occurrence + 1 : 1;
    }
    free(sorted);
}

/* Ends with " [" digits "]", or is what stands for no name. */
static bool looks_like_title(const char *name)
{
    const char *bracket = strrchr(name, '[');
    if (!bracket || bracket == name || bracket[-1] != ' ')
        return strcmp(name, NO_NAME) == 0;
    size_t digits = strspn(bracket + 1, "0123456789");
    return digits > 0 && strcmp(bracket + 1 + digits, "]") == 0;
}

char *test_title(const char *name, size_t occurrence)
{
    bool has_number = occurrence > 1 || looks_like_title(name);
    const char *shown = *name ? name : NO_NAME;
    return has_number ? memory_printf("%s [%zu]", shown, occurrence) : memory_strdup(shown);
}

void cell_release(struct cell_data *cell)
{
    for (size_t i = 0; i < cell->trial_count; i++) {
        free(cell->trials[i].latency);
        free(cell->trials[i].reason);
    }
    free(cell->trials);
    free(cell->latency);
    free(cell->counts);
    free(cell->reason);
    free(cell->failure);
    free(cell->setup_failure);
}

void test_release(struct test_data *test)
{
    for (size_t i = 0; i < test->cell_count; i++)
        cell_release(&test->cells[i]);
    for (size_t i = 0; i < test->tag_count; i++)
        free(test->tags[i]);
    free(test->cells);
    free(test->tags);
    free(test->name);
    free(test->fingerprint);
    free(test->start);
    free(test->end);
}

size_t deployment_runs(const struct deployment *deployment)
{
    return deployment->run_count > 0 ? deployment->run_count : 1;
}

const struct deployment *deployment_run(const struct deployment *deployment, size_t k)
{
    return deployment->run_count > 0 ? &deployment->runs[k] : deployment;
}

const struct deployment **deployment_list_runs(const struct deployment *deployment)
{
    size_t count = deployment_runs(deployment);
    const struct deployment **runs = memory_zeroed(count, sizeof(struct deployment *));
    for (size_t i = 0; i < count; i++)
        runs[i] = deployment_run(deployment, i);
    return runs;
}

void deployment_release(struct deployment *deployment)
{
    for (size_t i = 0; i < deployment->run_count; i++)
        deployment_release(&deployment->runs[i]);
    free(deployment->runs);
    for (size_t i = 0; i < deployment->test_count; i++)
        test_release(&deployment->tests[i]);
    free(deployment->tests);
    fact_list_release(&deployment->facts);
    fact_list_release(&deployment->skipped);
    free(deployment->label);
    free(deployment->path);
    free(deployment->start);
    free(deployment->end);
    free(deployment->run_id);
    free(deployment->command_line);
    message_list_release(&deployment->warnings);
    run_plan_release(&deployment->plan);
    *deployment = (struct deployment){0};
}

void dataset_release(struct dataset *dataset)
{
    for (size_t i = 0; i < dataset->count; i++)
        deployment_release(&dataset->items[i]);
    free(dataset->items);
    *dataset = (struct dataset){0};
}
