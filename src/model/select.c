/* SPDX-License-Identifier: Apache-2.0 */
#include "model/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "model/select_word.h"

/* One --includeFilter or --excludeFilter. */
struct word_group {
    struct select_word **words;
    size_t count;
};

struct groups {
    const char *option;
    struct word_group *items;
    size_t count;
};

static void release_groups(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        for (size_t j = 0; j < groups->items[i].count; j++)
            select_word_free(groups->items[i].words[j]);
        free(groups->items[i].words);
    }
    free(groups->items);
}

static bool prepare_group(struct word_group *group, const struct filter_group *filter, const struct testcase_set *set,
                          struct error *err)
{
    group->words = memory_zeroed(filter->count ? filter->count : 1, sizeof(struct select_word *));
    for (; group->count < filter->count; group->count++) {
        group->words[group->count] = select_word_new(filter->words[group->count], set, err);
        if (!group->words[group->count])
            return false;
    }
    return true;
}

static bool prepare_groups(struct groups *groups, const struct filter_groups *filters, const struct testcase_set *set,
                           struct error *err)
{
    groups->items = memory_zeroed(filters->count ? filters->count : 1, sizeof *groups->items);
    for (size_t i = 0; i < filters->count; i++) {
        groups->count++;
        if (!prepare_group(&groups->items[i], &filters->items[i], set, err)) {
            error_prefix(err, "%s", groups->option);
            return false;
        }
    }
    return true;
}

/* All words are asked, so that each knows afterwards whether it has matched anything. */
static bool count_matches(const struct word_group *group, const struct testcase *test, size_t *count, struct error *err)
{
    *count = 0;
    for (size_t i = 0; i < group->count; i++) {
        bool matches;
        if (!select_word_matches(group->words[i], test, &matches, err))
            return false;
        *count += matches;
    }
    return true;
}

static bool is_included(const struct groups *include, const struct testcase *test, bool *included, struct error *err)
{
    *included = true;
    for (size_t i = 0; i < include->count; i++) {
        size_t matches;
        if (!count_matches(&include->items[i], test, &matches, err)) {
            error_prefix(err, "%s", include->option);
            return false;
        }
        *included &= matches > 0;
    }
    return true;
}

static bool is_excluded(const struct groups *exclude, const struct testcase *test, bool *excluded, struct error *err)
{
    *excluded = false;
    for (size_t i = 0; i < exclude->count; i++) {
        size_t matches;
        if (!count_matches(&exclude->items[i], test, &matches, err)) {
            error_prefix(err, "%s", exclude->option);
            return false;
        }
        *excluded |= matches > 0 && matches == exclude->items[i].count;
    }
    return true;
}

/* Names and tags, for a word that is nearly one of them. */
static const char *find_nearest(const char *word, const struct testcase_set *set)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        count += 1 + set->items[i].tag_count;
    const char **candidates = memory_zeroed(count ? count : 1, sizeof *candidates);
    count = 0;
    for (size_t i = 0; i < set->count; i++) {
        candidates[count++] = set->items[i].name;
        for (size_t j = 0; j < set->items[i].tag_count; j++)
            candidates[count++] = set->items[i].tags[j];
    }
    const char *near = nearest_find(word, candidates, count);
    free(candidates);
    return near;
}

/* Those words that match nothing and look exact, or do not. */
static void list_unmatched(struct buffer *text, const struct groups *groups, const struct testcase_set *set, bool exact)
{
    for (size_t i = 0; i < groups->count; i++)
        for (size_t j = 0; j < groups->items[i].count; j++) {
            const struct select_word *word = groups->items[i].words[j];
            if (select_word_has_matched(word) || select_word_looks_exact(word) != exact)
                continue;
            const char *near = find_nearest(select_word_text(word), set);
            buffer_append_printf(text, "%s\"%s\" matches no test", text->size ? "; " : "", select_word_text(word));
            if (near)
                buffer_append_printf(text, ", did you mean \"%s\"?", near);
        }
}

/* Definitions can, with --list; results, which are selected from as well, come from no definition file. */
static bool can_be_listed(const struct testcase_set *set)
{
    return set->count == 0 || set->items[0].file;
}

/* Beside words that fit, one that is mistyped would go unseen: a test is missing, or is there against the wish. What
 * may be a pattern for tests of other files is noted; what can only be a name is refused. */
static bool judge_unmatched(const struct groups *groups, const struct testcase_set *set, bool allow_missing,
                            struct message_list *notes, struct error *err)
{
    struct buffer names = {0}, patterns = {0};
    list_unmatched(&names, groups, set, true);
    list_unmatched(&patterns, groups, set, false);
    bool ok = names.size == 0 || allow_missing;
    if (!ok)
        error_set(err, "%s: %s (%s--allow-missing goes on without)", groups->option, buffer_text(&names),
                  can_be_listed(set) ? "--list shows names and tags; " : "");
    else if (names.size)
        message_list_add(notes, "%s: %s", groups->option, buffer_text(&names));
    if (patterns.size)
        message_list_add(notes, "%s: %s", groups->option, buffer_text(&patterns));
    buffer_release(&names);
    buffer_release(&patterns);
    return ok;
}

static void say_nothing_selected(const struct testcase_set *set, const struct groups *include, size_t included,
                                 struct error *err)
{
    struct buffer text = {0};
    list_unmatched(&text, include, set, true);
    list_unmatched(&text, include, set, false);
    if (set->count == 0)
        error_set(err, "no test is selected: the files given hold none");
    else if (included > 0)
        error_set(err, "no test is selected: --excludeFilter excludes all %zu tests that --includeFilter selected",
                  included);
    else if (text.size)
        error_set(err, "no test is selected: %s%s", buffer_text(&text),
                  can_be_listed(set) ? " (--list shows names and tags)" : "");
    else
        error_set(err,
                  "no test is selected: none matches all %zu --includeFilter at once; the words of one "
                  "--includeFilter are alternatives",
                  include->count);
    buffer_release(&text);
}

static bool choose(const struct testcase_set *set, const struct groups *include, const struct groups *exclude,
                   size_t *indices, size_t *count, struct error *err)
{
    size_t included_count = 0;
    *count = 0;
    for (size_t i = 0; i < set->count; i++) {
        bool included, excluded;
        if (!is_included(include, &set->items[i], &included, err) ||
            !is_excluded(exclude, &set->items[i], &excluded, err))
            return false;
        included_count += included;
        if (included && !excluded)
            indices[(*count)++] = i;
    }
    if (*count == 0)
        say_nothing_selected(set, include, included_count, err);
    return *count > 0;
}

static bool means_all(const struct filter_groups *include)
{
    return include->count == 1 && include->items[0].count == 1 && strcmp(include->items[0].words[0], "%") == 0;
}

bool select_tests(const struct testcase_set *set, const struct run_options *options, size_t **indices, size_t *count,
                  struct message_list *notes, struct error *err)
{
    const struct filter_groups all = {0}, *include = means_all(&options->include) ? &all : &options->include;
    struct groups included = {.option = "--includeFilter"}, excluded = {.option = "--excludeFilter"};
    *indices = memory_zeroed(set->count ? set->count : 1, sizeof **indices);
    bool ok = prepare_groups(&included, include, set, err) && prepare_groups(&excluded, &options->exclude, set, err) &&
              choose(set, &included, &excluded, *indices, count, err) &&
              judge_unmatched(&included, set, options->allow_missing, notes, err) &&
              judge_unmatched(&excluded, set, options->allow_missing, notes, err);
    release_groups(&included);
    release_groups(&excluded);
    if (!ok) {
        free(*indices);
        *indices = NULL;
        *count = 0;
    }
    return ok;
}
