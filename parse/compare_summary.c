/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stats.h"
#include "parse/compare_parts.h"

/* A cell with a ratio, once for each group that it is in. */
struct member {
    const char *tag;
    unsigned threads;
    double ratio;
};

struct members {
    struct member *items;
    size_t count, capacity;
};

static void add_member(struct members *members, const char *tag, unsigned threads, double ratio)
{
    if (members->count == members->capacity) {
        members->capacity = members->capacity ? members->capacity * 2 : 256;
        members->items = memory_resize(members->items, members->capacity, sizeof *members->items);
    }
    members->items[members->count++] = (struct member){tag, threads, ratio};
}

static int by_group(const void *x, const void *y)
{
    const struct member *a = x, *b = y;
    int order = a->tag && b->tag ? strcmp(a->tag, b->tag) : 0;
    return order ? order : (a->threads > b->threads) - (a->threads < b->threads);
}

static double mean_of(const struct member *members, size_t count)
{
    double *ratios = memory_zeroed(count + 1, sizeof *ratios);
    for (size_t i = 0; i < count; i++)
        ratios[i] = members[i].ratio;
    double mean = stats_geometric_mean(ratios, count);
    free(ratios);
    return mean;
}

static struct group_ratio *group_members(struct members *members, size_t *group_count)
{
    struct group_ratio *groups = memory_zeroed(members->count + 1, sizeof *groups);
    if (members->count > 0)
        qsort(members->items, members->count, sizeof *members->items, by_group);
    *group_count = 0;
    for (size_t from = 0, to; from < members->count; from = to) {
        const struct member *first = &members->items[from];
        for (to = from + 1; to < members->count && by_group(first, &members->items[to]) == 0; to++)
            ;
        groups[(*group_count)++] =
            (struct group_ratio){first->tag, first->threads, mean_of(first, to - from), to - from};
    }
    return groups;
}

/* The tags of a test case, from the first run that tells. */
static const struct test_data *find_tags(const struct compare_case *test)
{
    const struct side_test *sides[] = {test->a, test->b};
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->part_count; i++)
            if (sides[s]->parts[i]->tag_count > 0)
                return sides[s]->parts[i];
    return NULL;
}

static void take_cell(struct compare_summary *summary, const struct compare_case *test, const struct compare_cell *cell,
                      struct members *rungs, struct members *tags)
{
    if (!cell->in_a || !cell->in_b) {
        summary->one_sided_cells++;
        return;
    }
    if (test->void_reason || isnan(cell->ratio)) {
        summary->void_cells++;
        return;
    }
    summary->cells++;
    summary->smallest_ratio = fmin(summary->smallest_ratio, cell->ratio); /* of NAN and a number the number */
    summary->largest_ratio = fmax(summary->largest_ratio, cell->ratio);
    add_member(rungs, NULL, cell->threads, cell->ratio);
    const struct test_data *tagged = find_tags(test);
    for (size_t i = 0; tagged && i < tagged->tag_count; i++)
        add_member(tags, tagged->tags[i], 0, cell->ratio);
}

void compare_summarise(struct comparison *comparison)
{
    struct compare_summary *summary = &comparison->summary;
    struct members rungs = {0}, tags = {0};
    summary->smallest_ratio = summary->largest_ratio = NAN;
    for (size_t i = 0; i < comparison->case_count; i++) {
        const struct compare_case *test = &comparison->cases[i];
        summary->verdicts[test->verdict]++;
        summary->leader_changes += compare_case_changes(test, comparison->options.metric) > 0;
        for (size_t k = 0; k < test->cell_count; k++)
            take_cell(summary, test, &test->cells[k], &rungs, &tags);
    }
    summary->geometric_mean = mean_of(rungs.items, rungs.count);
    summary->rungs = group_members(&rungs, &summary->rung_count);
    summary->tags = group_members(&tags, &summary->tag_count);
    free(rungs.items);
    free(tags.items);
}

void compare_summary_release(struct compare_summary *summary)
{
    free(summary->rungs);
    free(summary->tags);
}
