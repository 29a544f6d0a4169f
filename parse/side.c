/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/side.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct entry {
    const struct test_data *test;
    size_t run, place;
};

static int by_identity(const char *name, size_t occurrence, const char *other_name, size_t other_occurrence)
{
    int order = strcmp(name, other_name);
    return order ? order : (occurrence > other_occurrence) - (occurrence < other_occurrence);
}

static int by_entry(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    int order = by_identity(a->test->name, a->test->occurrence, b->test->name, b->test->occurrence);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static struct entry *list_entries(const struct side *side, size_t *count)
{
    size_t all = 0;
    for (size_t i = 0; i < side->run_count; i++)
        all += side->runs[i]->test_count;
    struct entry *entries = memory_zeroed(all + 1, sizeof *entries);
    *count = 0;
    for (size_t i = 0; i < side->run_count; i++) {
        for (size_t k = 0; k < side->runs[i]->test_count; k++) {
            entries[*count] = (struct entry){&side->runs[i]->tests[k], i, *count};
            (*count)++;
        }
    }
    qsort(entries, all, sizeof *entries, by_entry);
    return entries;
}

static void add_entry(struct side *side, const struct entry *entry)
{
    const struct test_data *test = entry->test;
    size_t count = side->test_count;
    if (count == 0 || by_identity(test->name, test->occurrence, side->tests[count - 1].name,
                                  side->tests[count - 1].occurrence) != 0) {
        side->tests[side->test_count++] =
            (struct side_test){.name = test->name,
                               .occurrence = test->occurrence,
                               .place = entry->place,
                               .parts = memory_zeroed(side->run_count, sizeof *side->tests->parts),
                               .runs = memory_zeroed(side->run_count, sizeof *side->tests->runs)};
    }
    struct side_test *last = &side->tests[side->test_count - 1];
    last->runs[last->part_count] = entry->run;
    last->parts[last->part_count++] = test;
}

void side_init(struct side *side, const char *label, const struct deployment *const *runs, size_t run_count)
{
    *side = (struct side){.label = memory_strdup(label), .run_count = run_count};
    side->runs = memory_copy(runs, run_count * sizeof *runs);
    size_t count;
    struct entry *entries = list_entries(side, &count);
    side->tests = memory_zeroed(count + 1, sizeof *side->tests);
    for (size_t i = 0; i < count; i++)
        add_entry(side, &entries[i]);
    free(entries);
}

void side_release(struct side *side)
{
    for (size_t i = 0; i < side->test_count; i++) {
        free(side->tests[i].parts);
        free(side->tests[i].runs);
    }
    free(side->tests);
    free(side->runs);
    free(side->label);
    *side = (struct side){0};
}

static int by_test(const void *x, const void *y)
{
    const struct side_test *a = x, *b = y;
    return by_identity(a->name, a->occurrence, b->name, b->occurrence);
}

const struct side_test *side_find(const struct side *side, const char *name, size_t occurrence)
{
    struct side_test key = {.name = name, .occurrence = occurrence};
    return bsearch(&key, side->tests, side->test_count, sizeof key, by_test);
}

bool side_test_has(const struct side_test *test, unsigned threads)
{
    for (size_t i = 0; i < test->part_count; i++)
        if (test_find_cell(test->parts[i], threads))
            return true;
    return false;
}
