/* SPDX-License-Identifier: Apache-2.0 */
#include "base/labellings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"

#define SEED 20170802

/* N choose k; INFINITY may come out of it. */
static double count_ways(size_t a_count, size_t b_count)
{
    double ways = 1;
    for (size_t i = 1; i <= b_count; i++)
        ways = ways * (double)(a_count + i) / (double)i;
    return round(ways);
}

/* The next one in the order of binary numbers, the last thing the highest digit; false after the last. The lowest b
 * that can move up does, and those below it go to the bottom. */
static bool advance(bool *row, size_t all)
{
    size_t low = 0;
    for (size_t i = 0; i + 1 < all; i++) {
        if (row[i] && !row[i + 1]) {
            row[i] = false;
            row[i + 1] = true;
            return true;
        }
        if (row[i]) { /* goes to the bottom */
            row[i] = false;
            row[low++] = true;
        }
    }
    return false;
}

/* What is seen is the last in that order, so the others come before the wrap. */
static void list_all(struct labellings *labellings)
{
    size_t all = labellings->a_count + labellings->b_count;
    bool *row = memory_zeroed(all, sizeof *row);
    for (size_t i = 0; i < labellings->b_count; i++)
        row[i] = true;
    for (size_t k = 1; k < labellings->count; k++) {
        memcpy(labellings->is_b + k * all, row, all * sizeof *row);
        advance(row, all);
    }
    free(row);
}

static void shuffle(bool *row, size_t all, struct rng *rng)
{
    for (size_t i = all; i > 1; i--) {
        size_t k = rng_below_u64(rng, i);
        bool kept = row[i - 1];
        row[i - 1] = row[k];
        row[k] = kept;
    }
}

static void draw(struct labellings *labellings)
{
    size_t all = labellings->a_count + labellings->b_count;
    struct rng rng;
    rng_init(&rng, SEED, 0);
    for (size_t k = 1; k < labellings->count; k++) {
        bool *row = labellings->is_b + k * all;
        memcpy(row, labellings->is_b, all * sizeof *row);
        shuffle(row, all, &rng);
    }
}

void labellings_init(struct labellings *labellings, size_t a_count, size_t b_count, size_t limit)
{
    double ways = count_ways(a_count, b_count);
    bool is_all = ways <= (double)limit;
    *labellings = (struct labellings){.a_count = a_count,
                                      .b_count = b_count,
                                      .count = is_all ? (size_t)ways : limit,
                                      .limit = limit,
                                      .is_all = is_all};
    labellings->is_b = memory_zeroed(labellings->count, (a_count + b_count) * sizeof(bool));
    for (size_t i = 0; i < b_count; i++)
        labellings->is_b[a_count + i] = true;
    if (is_all)
        list_all(labellings);
    else
        draw(labellings);
}

void labellings_release(struct labellings *labellings)
{
    free(labellings->is_b);
    *labellings = (struct labellings){0};
}

const bool *labellings_row(const struct labellings *labellings, size_t number)
{
    return labellings->is_b + number * (labellings->a_count + labellings->b_count);
}

double labellings_smallest_p(size_t a_count, size_t b_count, size_t limit)
{
    if (a_count < 2 || b_count < 2)
        return 1;
    double ways = fmin(count_ways(a_count, b_count), (double)limit);
    return (a_count == b_count ? 2 : 1) / ways;
}
