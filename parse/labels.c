/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/labels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* A path without what says nothing: empty steps, ".", and ".json" at the end. */
struct steps {
    char *text; /* the steps, each with a NUL behind it */
    char **items;
    size_t count;
};

static void cut_ending(char *name)
{
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0)
        name[length - 5] = '\0';
}

static void steps_init(struct steps *steps, const char *path)
{
    *steps = (struct steps){.text = memory_strdup(path), .items = memory_zeroed(strlen(path) + 1, sizeof(char *))};
    char *rest = steps->text, *step;
    while ((step = strsep(&rest, "/")))
        if (*step && strcmp(step, ".") != 0)
            steps->items[steps->count++] = step;
    if (steps->count > 0)
        cut_ending(steps->items[steps->count - 1]);
}

static void steps_release(struct steps *steps)
{
    free(steps->text);
    free(steps->items);
}

static char *join(const struct steps *steps, size_t first, size_t behind)
{
    struct buffer text = {0};
    for (size_t i = first; i < behind; i++)
        buffer_append_printf(&text, "%s%s", i > first ? "/" : "", steps->items[i]);
    return buffer_detach(&text);
}

char *labels_of_path(const char *path)
{
    struct steps steps;
    steps_init(&steps, path);
    char *label = steps.count > 0 ? memory_strdup(steps.items[steps.count - 1]) : memory_strdup(path);
    steps_release(&steps);
    return label;
}

/* How many steps two paths share at the begin, or at the end. */
static size_t count_shared(const struct steps *a, const struct steps *b, bool from_end)
{
    size_t count = 0;
    while (count < a->count && count < b->count &&
           strcmp(a->items[from_end ? a->count - 1 - count : count],
                  b->items[from_end ? b->count - 1 - count : count]) == 0)
        count++;
    return count;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Labels of the paths in `group`, all of one name. */
static void tell_apart(const struct steps *all, const size_t *group, size_t count, char **labels)
{
    const struct steps *first = &all[group[0]];
    size_t before = SIZE_MAX, behind = SIZE_MAX, shortest = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        before = least(before, count_shared(first, &all[group[i]], false));
        behind = least(behind, count_shared(first, &all[group[i]], true));
        shortest = least(shortest, all[group[i]].count);
    }
    if (before == shortest) /* one path is there twice */
        before = shortest > 0 ? shortest - 1 : 0;
    bool needs_name = before + behind >= shortest;
    for (size_t i = 0; i < count; i++) {
        const struct steps *own = &all[group[i]];
        free(labels[group[i]]);
        labels[group[i]] = join(own, before, needs_name ? own->count : own->count - behind);
    }
}

static bool is_taken(char *const *labels, size_t count, const char *label)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(labels[i], label) == 0)
            return true;
    return false;
}

static void number_equal(char **labels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *label = memory_strdup(labels[i]);
        for (unsigned number = 2; is_taken(labels, i, label); number++) {
            free(label);
            label = memory_printf("%s (%u)", labels[i], number);
        }
        free(labels[i]);
        labels[i] = label;
    }
}

/* Those from `first` on that are called by their path, and alike; none if earlier ones are, too. */
static size_t find_group(const char *const *given, char *const *names, size_t first, size_t count, size_t *group)
{
    size_t found = 0;
    for (size_t i = 0; i < first; i++)
        if (!given[i] && strcmp(names[i], names[first]) == 0)
            return 0;
    for (size_t i = first; i < count; i++)
        if (!given[i] && strcmp(names[i], names[first]) == 0)
            group[found++] = i;
    return found;
}

char **labels_make(const char *const *given, const char *const *paths, size_t count)
{
    char **labels = memory_zeroed(count + 1, sizeof *labels), **names = memory_zeroed(count + 1, sizeof *names);
    struct steps *steps = memory_zeroed(count + 1, sizeof *steps);
    size_t *group = memory_zeroed(count + 1, sizeof *group);
    for (size_t i = 0; i < count; i++) {
        steps_init(&steps[i], given[i] ? "" : paths[i]);
        names[i] = given[i] ? memory_strdup(given[i]) : labels_of_path(paths[i]);
        labels[i] = memory_strdup(names[i]);
    }
    for (size_t i = 0; i < count; i++) {
        size_t alike = given[i] ? 0 : find_group(given, names, i, count, group);
        if (alike > 1)
            tell_apart(steps, group, alike, labels);
    }
    number_equal(labels, count);
    for (size_t i = 0; i < count; i++) {
        steps_release(&steps[i]);
        free(names[i]);
    }
    free(names);
    free(steps);
    free(group);
    return labels;
}
