/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Longer words are typed by programs, not by people; they get no guess. */
#define WORD_MAX 128

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Optimal string alignment distance, three rows of the table at a time. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replace = above[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            row[j] = min3(row[j - 1] + 1, above[j] + 1, replace);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]) &&
                two_above[j - 2] + 1 < row[j])
                row[j] = two_above[j - 2] + 1;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *nearest_find(const char *word, const char *const *candidates, size_t count)
{
    size_t length = strlen(word), best_distance = SIZE_MAX;
    const char *best = NULL;
    for (size_t i = 0; i < count && length <= WORD_MAX; i++) {
        size_t other = strlen(candidates[i]);
        if (other > WORD_MAX)
            continue;
        size_t d = distance(word, length, candidates[i], other);
        size_t longer = length > other ? length : other;
        if (d < best_distance && d * 3 <= longer) {
            best_distance = d;
            best = candidates[i];
        }
    }
    return best;
}
