/* SPDX-License-Identifier: Apache-2.0 */
#include "model/table_marks.h"

#include <math.h>

#include "base/array.h"

#define WIDE_SPREAD 0.10

double table_marks_spread(const struct cell *cell)
{
    return cell->counted >= 2 ? (cell->max - cell->min) / cell->ops_per_sec : NAN;
}

/* Known from the counts alone: a test that inserts nothing and whose operations go to the server updates. Updates of
 * many documents make up for others that matched none, so that not every such case is seen. */
static uint64_t updates_of(const struct cell *cell)
{
    return cell->tally.inserted == 0 ? cell->tally.succeeded - cell->tally.local : 0;
}

static uint64_t found_by_updates(const struct cell *cell)
{
    return cell->tally.matched + cell->tally.upserted;
}

static bool has_failures(const struct cell *cell, size_t planned)
{
    (void)planned;
    return cell->tally.failed + cell->tally.broken > 0;
}

static bool has_abandoned(const struct cell *cell, size_t planned)
{
    (void)planned;
    return cell->tally.abandoned > 0;
}

static bool lacks_setup(const struct cell *cell, size_t planned)
{
    (void)planned;
    return cell->setup_failures.count > 0;
}

static bool found_nothing(const struct cell *cell, size_t planned)
{
    (void)planned;
    return updates_of(cell) > 0 && found_by_updates(cell) == 0;
}

static bool found_too_little(const struct cell *cell, size_t planned)
{
    (void)planned;
    return found_by_updates(cell) > 0 && found_by_updates(cell) < updates_of(cell);
}

static bool lacks_trials(const struct cell *cell, size_t planned)
{
    return cell->counted < planned || cell->counted < cell->ended;
}

static bool is_spread_wide(const struct cell *cell, size_t planned)
{
    (void)planned;
    return table_marks_spread(cell) > WIDE_SPREAD;
}

static const struct {
    char sign[2];
    bool (*applies)(const struct cell *cell, size_t planned);
    const char *meaning;
} marks[] = {
    {"!", has_failures, "operations failed or lost their connection; the rate is of those that succeeded"},
    {"^", has_abandoned, "operations were still under way after the grace; they are abandoned, not in the rate"},
    {"+", lacks_setup, "a part of the set-up failed, as the test allows: it is measured without that"},
    {"?", found_nothing, "no update matched a document: this rate is of updates that had nothing to do"},
    {"~", found_too_little, "some updates matched no document, and those are cheap"},
    {"<", lacks_trials, "fewer trials than planned have a number"},
    {"*", is_spread_wide, "fastest and slowest trial are more than 10 % of the mean apart"},
};

enum word { WORD_UNSUPPORTED, WORD_UNPREPARED, WORD_UNCONFIRMED, WORD_VOID, WORD_NONE };

static const struct {
    const char *word, *meaning;
} words[] = {
    [WORD_UNSUPPORTED] = {"unsup", "unsupported: the server does not know what the test needs"},
    [WORD_UNPREPARED] = {"unprep", "the test could not be prepared"},
    [WORD_UNCONFIRMED] = {"unconf", "unconfirmed: -w 0 asks for no answer, and what is not confirmed has no rate"},
    [WORD_VOID] = {"void", "not one operation succeeded on the server"},
    [WORD_NONE] = {"-", "not measured"},
};

#define MARK_COUNT (COUNT_OF(marks))
#define WORD_COUNT (COUNT_OF(words))

void table_marks_behind(const struct cell *cell, size_t planned, char text[TABLE_MARKS_SIZE], unsigned *used)
{
    size_t length = 0;
    for (size_t i = 0; i < MARK_COUNT; i++) {
        if (!marks[i].applies(cell, planned))
            continue;
        text[length++] = marks[i].sign[0];
        *used |= 1U << i;
    }
    text[length] = '\0';
}

const char *table_marks_instead(const struct cell *cell, unsigned *used)
{
    enum word word = cell->ended == 0                     ? WORD_NONE
                     : cell->unsupported > 0              ? WORD_UNSUPPORTED
                     : cell->unprepared > 0               ? WORD_UNPREPARED
                     : tally_is_unconfirmed(&cell->tally) ? WORD_UNCONFIRMED
                                                          : WORD_VOID;
    *used |= 1U << (MARK_COUNT + word);
    return words[word].word;
}

bool table_marks_legend(unsigned used, size_t i, const char **sign, const char **meaning)
{
    for (size_t bit = 0; bit < MARK_COUNT + WORD_COUNT; bit++) {
        if (!(used >> bit & 1) || i-- > 0)
            continue;
        *sign = bit < MARK_COUNT ? marks[bit].sign : words[bit - MARK_COUNT].word;
        *meaning = bit < MARK_COUNT ? marks[bit].meaning : words[bit - MARK_COUNT].meaning;
        return true;
    }
    return false;
}
