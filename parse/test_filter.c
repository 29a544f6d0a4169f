/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/test_filter.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/select.h"

void test_filter_begin(struct test_filter *filter, struct filter_groups *groups, const char *word)
{
    groups->items = memory_resize(groups->items, groups->count + 1, sizeof *groups->items);
    filter->open = &groups->items[groups->count++];
    *filter->open = (struct filter_group){0};
    test_filter_add(filter, word);
}

void test_filter_add(struct test_filter *filter, const char *word)
{
    struct filter_group *group = filter->open;
    group->words = memory_resize(group->words, group->count + 1, sizeof *group->words);
    group->words[group->count++] = memory_strdup(word);
}

void test_filter_release(struct test_filter *filter)
{
    filter_groups_release(&filter->include);
    filter_groups_release(&filter->exclude);
    *filter = (struct test_filter){0};
}

/* All tests of all runs, those that were not measured behind the others of their run; names and tags are lent. */
static void list_tests(struct deployment *const *runs, size_t count, struct testcase_set *set)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += runs[i]->test_count + runs[i]->plan.unmeasured_count;
    *set = (struct testcase_set){.items = memory_zeroed(all + 1, sizeof *set->items), .capacity = all + 1};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < runs[i]->test_count; k++) {
            const struct test_data *test = &runs[i]->tests[k];
            set->items[set->count++] =
                (struct testcase){.name = test->name, .tags = test->tags, .tag_count = test->tag_count};
        }
        for (size_t k = 0; k < runs[i]->plan.unmeasured_count; k++)
            set->items[set->count++] = (struct testcase){.name = runs[i]->plan.unmeasured[k]};
    }
}

static void keep_tests(struct deployment *run, const bool *is_kept)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->test_count; i++) {
        if (is_kept[i])
            run->tests[kept++] = run->tests[i];
        else
            test_release(&run->tests[i]);
    }
    run->test_count = kept;
}

static void keep_unmeasured(struct run_plan *plan, const bool *is_kept)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->unmeasured_count; i++) {
        if (is_kept[i])
            plan->unmeasured[kept++] = plan->unmeasured[i];
        else
            free(plan->unmeasured[i]);
    }
    plan->unmeasured_count = kept;
}

static void keep(struct deployment *const *runs, size_t count, const bool *is_kept)
{
    for (size_t i = 0; i < count; i++) {
        size_t tests = runs[i]->test_count, unmeasured = runs[i]->plan.unmeasured_count;
        keep_tests(runs[i], is_kept);
        keep_unmeasured(&runs[i]->plan, is_kept + tests);
        is_kept += tests + unmeasured;
    }
}

bool test_filter_apply(const struct test_filter *filter, struct deployment *const *runs, size_t count,
                       struct message_list *notes, struct error *err)
{
    struct testcase_set set;
    size_t *chosen, chosen_count;
    if (filter->include.count + filter->exclude.count == 0)
        return true;
    list_tests(runs, count, &set);
    const struct run_options options = {
        .include = filter->include, .exclude = filter->exclude, .allow_missing = filter->allow_missing};
    bool ok = select_tests(&set, &options, &chosen, &chosen_count, notes, err);
    if (ok) {
        bool *is_kept = memory_zeroed(set.count + 1, sizeof *is_kept);
        for (size_t i = 0; i < chosen_count; i++)
            is_kept[chosen[i]] = true;
        keep(runs, count, is_kept);
        free(is_kept);
        free(chosen);
    }
    free(set.items);
    return ok;
}
