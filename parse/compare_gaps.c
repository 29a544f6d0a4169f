/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/compare_gaps.h"

#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"
#include "parse/compare_words.h"

static struct compare_gap *add(struct compare_gaps *gaps, const struct side_test *test, size_t cells)
{
    struct compare_gap *gap = &gaps->items[gaps->count++];
    *gap = (struct compare_gap){.test = test, .threads = memory_zeroed(cells + 1, sizeof *gap->threads)};
    return gap;
}

static bool is_gap(const struct compare_cell *cell)
{
    return cell->in_a && isnan(cell->ratio) && cell->a.count + cell->b.count > 0;
}

static bool lacks_all(const struct compare_case *test)
{
    for (size_t i = 0; i < test->cell_count; i++)
        if (test->cells[i].in_a && !is_gap(&test->cells[i]))
            return false;
    return true;
}

static void add_cells(struct compare_gaps *gaps, const struct compare_case *test)
{
    struct compare_gap *gap = NULL;
    for (size_t i = 0; i < test->cell_count; i++) {
        const struct compare_cell *cell = &test->cells[i];
        if (!is_gap(cell))
            continue;
        if (!gap) {
            gap = add(gaps, test->a, test->cell_count);
            gap->reason = memory_strdup(cell->void_reason ? cell->void_reason : "B does not have it");
        }
        gap->threads[gap->thread_count++] = cell->threads;
    }
}

static bool is_judged(enum verdict verdict)
{
    return verdict != VERDICT_TOO_FEW && verdict != VERDICT_VOID;
}

/* As a whole, unless it has a verdict, or is void for those of its cells that are no gaps. */
static void add_case(struct compare_gaps *gaps, const struct compare_case *test, const struct comparison *comparison)
{
    if (is_judged(test->verdict) || (test->compared == 0 && !lacks_all(test))) {
        add_cells(gaps, test);
    } else {
        struct compare_gap *gap = add(gaps, test->a, 0);
        gap->reason = compare_words_case(test, comparison);
    }
    gaps->judged += is_judged(test->verdict);
}

void compare_gaps_make(const struct comparison *comparison, struct compare_gaps *gaps)
{
    size_t next = 0, lacking = 0;
    size_t most = comparison->case_count + comparison->only_a_count;
    *gaps = (struct compare_gaps){.items = memory_zeroed(most + 1, sizeof *gaps->items)};
    while (next < comparison->case_count || lacking < comparison->only_a_count) {
        const struct side_test *lack = lacking < comparison->only_a_count ? comparison->only_a[lacking] : NULL;
        const struct compare_case *test = next < comparison->case_count ? &comparison->cases[next] : NULL;
        if (test && (!lack || test->a->place < lack->place)) {
            add_case(gaps, test, comparison);
            next++;
        } else {
            add(gaps, lack, 0)->reason = memory_strdup("B does not have it");
            lacking++;
        }
    }
}

void compare_gaps_release(struct compare_gaps *gaps)
{
    for (size_t i = 0; i < gaps->count; i++) {
        free(gaps->items[i].threads);
        free(gaps->items[i].reason);
    }
    free(gaps->items);
    *gaps = (struct compare_gaps){0};
}

char *compare_gap_words(const struct compare_gap *gap)
{
    struct buffer text = {0};
    char *name = compare_words_name(gap->test);
    buffer_append_printf(&text, "%s%s", name, gap->thread_count > 0 ? " at" : "");
    for (size_t i = 0; i < gap->thread_count; i++)
        buffer_append_printf(&text, " %u", gap->threads[i]);
    if (gap->thread_count > 0)
        buffer_append_printf(&text, " thread%s", text_plural(gap->threads[gap->thread_count - 1]));
    buffer_append_printf(&text, ": %s", gap->reason);
    char *words = buffer_detach(&text);
    free(name);
    return words;
}
