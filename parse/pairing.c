/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A test of any deployment, on its way into a row. */
struct entry {
    const struct test_data *test;
    size_t deployment, order;
};

static int by_identity(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->test->name, y->test->name);
    if (order == 0)
        order = (x->test->occurrence > y->test->occurrence) - (x->test->occurrence < y->test->occurrence);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    return a->test->occurrence == b->test->occurrence && strcmp(a->test->name, b->test->name) == 0;
}

static struct entry *collect(const struct dataset *dataset, size_t *count)
{
    *count = 0;
    for (size_t d = 0; d < dataset->count; d++)
        *count += dataset->items[d].test_count;
    struct entry *entries = memory_zeroed(*count + 1, sizeof *entries);
    size_t order = 0;
    for (size_t d = 0; d < dataset->count; d++) {
        for (size_t i = 0; i < dataset->items[d].test_count; i++, order++)
            entries[order] = (struct entry){&dataset->items[d].tests[i], d, order};
    }
    return entries;
}

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static void collect_threads(struct pairing_row *row, size_t deployments)
{
    size_t most = 0;
    for (size_t d = 0; d < deployments; d++)
        most += row->tests[d] ? row->tests[d]->cell_count : 0;
    row->threads = memory_zeroed(most + 1, sizeof *row->threads);
    size_t count = 0;
    for (size_t d = 0; d < deployments; d++)
        for (size_t i = 0; row->tests[d] && i < row->tests[d]->cell_count; i++)
            row->threads[count++] = row->tests[d]->cells[i].threads;
    qsort(row->threads, count, sizeof *row->threads, by_number);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || row->threads[i] != row->threads[i - 1])
            row->threads[row->thread_count++] = row->threads[i];
}

/* `rows` by the order of their first entry; the gaps are the entries that went into an earlier row. */
static void close_gaps(struct pairing *pairing, const struct pairing_row *rows, size_t count)
{
    pairing->rows = memory_zeroed(count + 1, sizeof *pairing->rows);
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].tests)
            continue;
        pairing->rows[pairing->count] = rows[i];
        collect_threads(&pairing->rows[pairing->count++], pairing->dataset->count);
    }
}

void pairing_make(const struct dataset *dataset, struct pairing *pairing)
{
    size_t count;
    struct entry *entries = collect(dataset, &count);
    struct pairing_row *rows = memory_zeroed(count + 1, sizeof *rows), *row = rows;
    *pairing = (struct pairing){.dataset = dataset};
    qsort(entries, count, sizeof *entries, by_identity);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !is_same(&entries[i - 1], &entries[i])) {
            row = &rows[entries[i].order];
            row->title = test_title(entries[i].test->name, entries[i].test->occurrence);
            row->tests = memory_zeroed(dataset->count, sizeof(struct test_data *));
        }
        row->tests[entries[i].deployment] = entries[i].test;
    }
    close_gaps(pairing, rows, count);
    free(rows);
    free(entries);
}

void pairing_release(struct pairing *pairing)
{
    for (size_t i = 0; i < pairing->count; i++) {
        free(pairing->rows[i].title);
        free(pairing->rows[i].tests);
        free(pairing->rows[i].threads);
    }
    free(pairing->rows);
    *pairing = (struct pairing){0};
}

const struct cell_data *pairing_cell(const struct pairing_row *row, size_t deployment, unsigned threads)
{
    return row->tests[deployment] ? test_find_cell(row->tests[deployment], threads) : NULL;
}

const struct test_data *pairing_any(const struct pairing *pairing, const struct pairing_row *row)
{
    size_t deployment = 0;
    while (deployment + 1 < pairing->dataset->count && !row->tests[deployment])
        deployment++;
    return row->tests[deployment];
}
