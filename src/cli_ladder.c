/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_ladder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "cli_set.h"

#define SEPARATORS ",; \t\n"

struct ladder {
    unsigned *rungs;
    size_t count;
    bool is_doubling; /* "..." has been read, its end not yet */
};

static bool add(struct ladder *ladder, unsigned rung, struct error *err)
{
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->rungs[i] == rung)
            error_set(err, "%u is there twice", rung);
    ladder->rungs = memory_resize(ladder->rungs, ladder->count + 1, sizeof *ladder->rungs);
    ladder->rungs[ladder->count++] = rung;
    return !err->is_set;
}

static bool begin_doubling(struct ladder *ladder, struct error *err)
{
    size_t n = ladder->count;
    if (n == 0)
        error_set(err, "\"...\" continues a doubling and needs a number before it");
    else if (ladder->is_doubling)
        error_set(err, "\"...\" cannot follow \"...\" directly; put a number between them (1 ... 8 ... 64)");
    else if (n > 1 && ladder->rungs[n - 1] != 2 * ladder->rungs[n - 2])
        error_set(err, "\"...\" continues a doubling, but %u is not twice %u", ladder->rungs[n - 1],
                  ladder->rungs[n - 2]);
    else
        return ladder->is_doubling = true;
    return false;
}

static bool end_doubling(struct ladder *ladder, unsigned end, struct error *err)
{
    ladder->is_doubling = false;
    unsigned first = ladder->rungs[ladder->count - 1], rung = first;
    while (rung < end)
        rung *= 2;
    if (rung != end || end == first) {
        error_set(err, "doubling %u does not lead to %u; the end of \"...\" may be %u", first, end,
                  end > first ? rung : 2 * first);
        return false;
    }
    bool ok = true;
    for (rung = first * 2; ok && rung <= end; rung *= 2)
        ok = add(ladder, rung, err);
    return ok;
}

/* A list in one word: "1,2,4", or "1 2 4" in quotes. */
static bool refuse_list(const char *word, struct error *err)
{
    char *apart = memory_strdup(word);
    for (char *c = apart; *c; c++)
        *c = strchr(SEPARATORS, *c) ? ' ' : *c;
    error_set(err, "the numbers are separate words, without commas and quotes: %s instead of \"%s\"", apart, word);
    free(apart);
    return false;
}

static bool take_word(struct ladder *ladder, const char *word, struct error *err)
{
    if (strcmp(word, "...") == 0)
        return begin_doubling(ladder, err);
    if (strpbrk(word, SEPARATORS))
        return refuse_list(word, err);
    uint64_t number;
    if (!cli_parse_u64(word, &number) || number < 1 || number > CLI_LADDER_RUNG_MAX) {
        error_set(err, "expected whole numbers from 1 to %d, and \"...\" for the doublings between two, got \"%s\"",
                  CLI_LADDER_RUNG_MAX, word);
        return false;
    }
    return ladder->is_doubling ? end_doubling(ladder, (unsigned)number, err) : add(ladder, (unsigned)number, err);
}

bool cli_ladder_expand(const struct filter_group *words, unsigned **threads, size_t *count, struct error *err)
{
    struct ladder ladder = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < words->count; i++)
        ok = take_word(&ladder, words->words[i], err);
    if (ok && ladder.is_doubling) {
        error_set(err, "\"...\" needs a number after it, such as 128");
        ok = false;
    }
    *threads = ladder.rungs;
    *count = ladder.count;
    return ok;
}

void cli_ladder_default(unsigned **threads, size_t *count)
{
    static const unsigned rungs[] = {1, 2, 4, 8, 12, 16};
    *threads = memory_copy(rungs, sizeof rungs);
    *count = COUNT_OF(rungs);
}
