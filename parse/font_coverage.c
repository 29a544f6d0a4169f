/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/font_coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void add_range(struct font_coverage *coverage, uint32_t first, uint32_t last)
{
    coverage->ranges = memory_resize(coverage->ranges, coverage->count + 1, sizeof *coverage->ranges);
    coverage->ranges[coverage->count++] = (struct font_range){first, last};
}

static void add_line(struct font_coverage *coverage, const char *line)
{
    static const char mark[] = "charset=";
    const char *at = strstr(line, mark);
    if (!at || !(strstr(line, "fontformat=TrueType") || strstr(line, "fontformat=CFF")))
        return;
    for (at += sizeof mark - 1;;) {
        char *end;
        unsigned long first = strtoul(at, &end, 16), last = first;
        if (end == at)
            return;
        if (*end == '-')
            last = strtoul(end + 1, &end, 16);
        add_range(coverage, (uint32_t)first, (uint32_t)last);
        at = end;
    }
}

static int by_first(const void *a, const void *b)
{
    const struct font_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Ranges that touch become one, so that they can be searched. */
static void merge_ranges(struct font_coverage *coverage)
{
    size_t kept = 0;
    if (coverage->count > 1)
        qsort(coverage->ranges, coverage->count, sizeof *coverage->ranges, by_first);
    for (size_t i = 0; i < coverage->count; i++) {
        struct font_range range = coverage->ranges[i], *last = kept ? &coverage->ranges[kept - 1] : NULL;
        if (!last || range.first > last->last + 1)
            coverage->ranges[kept++] = range;
        else if (range.last > last->last)
            last->last = range.last;
    }
    coverage->count = kept;
}

void font_coverage_read(struct font_coverage *coverage, FILE *list)
{
    char *line = NULL;
    size_t size = 0;
    *coverage = (struct font_coverage){0};
    while (list && getline(&line, &size, list) > 0)
        add_line(coverage, line);
    merge_ranges(coverage);
    free(line);
}

void font_coverage_init(struct font_coverage *coverage)
{
    FILE *list = popen("exec timeout 60 fc-list : fontformat charset 2>/dev/null", "r");
    font_coverage_read(coverage, list);
    if (list)
        pclose(list);
    if (coverage->count > 0)
        return;
    add_range(coverage, 0x20, 0x7E);
    add_range(coverage, 0xA0, 0x17F);
    add_range(coverage, 0x384, 0x45F);
    add_range(coverage, 0x2010, 0x2027);
}

void font_coverage_release(struct font_coverage *coverage)
{
    free(coverage->ranges);
    *coverage = (struct font_coverage){0};
}

bool font_coverage_has(const struct font_coverage *coverage, uint32_t character)
{
    size_t low = 0, high = coverage->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (coverage->ranges[middle].last < character)
            low = middle + 1;
        else
            high = middle;
    }
    return low < coverage->count && coverage->ranges[low].first <= character;
}
