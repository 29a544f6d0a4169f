/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/leftovers.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kill.h"

#define KILL_LIMIT_NS CLOCK_NS_PER_SEC
#define PAUSE_NS (100 * CLOCK_NS_PER_MS)

struct leftover {
    char *test;
    struct preparation *preparation;
    enum leftovers_doubt doubt;
    int64_t until_ns; /* how long that, or a command without an answer, is waited for */
};

static void note(const struct leftovers *leftovers, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(const struct leftovers *leftovers, const char *format, ...)
{
    if (!leftovers->on_note)
        return;
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    leftovers->on_note(text, leftovers->context);
    free(text);
}

static void leftover_release(struct leftover *leftover)
{
    preparation_free(leftover->preparation);
    free(leftover->test);
}

/* Whether nothing of ours can arrive any more. */
static bool is_quiet(const struct leftovers *leftovers, struct leftover *leftover)
{
    if (leftover->doubt == LEFTOVERS_NOTHING && !preparation_is_unanswered(leftover->preparation))
        return true;
    unsigned killed;
    if (kill_is_complete(leftovers->target))
        return kill_operations(leftovers->target, KILL_LIMIT_NS, &killed, NULL);
    return leftover->doubt != LEFTOVERS_RUNNING && clock_mono_ns() >= leftover->until_ns;
}

static bool attempt(struct leftovers *leftovers, struct leftover *leftover, struct error *err)
{
    if (!is_quiet(leftovers, leftover)) {
        error_set(err, leftover->doubt != LEFTOVERS_NOTHING
                           ? "operations that were abandoned may still be under way on the server, and would make the "
                             "collections anew"
                           : "a command that got no answer may still be carried out by the server, and would make the "
                             "collections anew");
        return false;
    }
    leftover->doubt = LEFTOVERS_NOTHING;
    struct error failure = {0};
    if (prepare_clean_up(leftovers->target, leftover->preparation, &failure))
        return true;
    if (preparation_is_clean(leftover->preparation)) {
        note(leftovers, "%s: %s", leftover->test, failure.message);
        return true;
    }
    error_set(err, "%s", failure.message);
    leftover->until_ns = clock_mono_ns() + leftovers->patience_ns;
    return false;
}

static void append(struct leftovers *leftovers, const struct leftover *leftover)
{
    if (leftovers->count == leftovers->capacity) {
        leftovers->capacity = leftovers->capacity ? leftovers->capacity * 2 : 4;
        leftovers->items = memory_resize(leftovers->items, leftovers->capacity, sizeof *leftovers->items);
    }
    leftovers->items[leftovers->count++] = *leftover;
}

void leftovers_clean_up(struct leftovers *leftovers, const char *test, struct preparation *preparation,
                        enum leftovers_doubt doubt)
{
    struct error err;
    error_init(&err);
    if (!preparation)
        return;
    struct leftover leftover = {.test = memory_strdup(test),
                                .preparation = preparation,
                                .doubt = doubt,
                                .until_ns = clock_mono_ns() + leftovers->patience_ns};
    if (attempt(leftovers, &leftover, &err)) {
        leftover_release(&leftover);
        return;
    }
    append(leftovers, &leftover);
    note(leftovers, "%s: not cleaned up yet: %s", test, err.message);
}

/* At most until its time has come, or an interrupt; not where the server has gone. */
static void wait_until_quiet(const struct leftovers *leftovers, struct leftover *leftover)
{
    bool is_told = false;
    while (!interrupt_signal() && !leftovers->target->is_hurried && clock_mono_ns() < leftover->until_ns &&
           !is_quiet(leftovers, leftover)) {
        if (!is_told)
            note(leftovers, "%s: waiting until the server is done with what it has not answered (%d s at most)",
                 leftover->test, (int)(leftovers->patience_ns / CLOCK_NS_PER_SEC));
        is_told = true;
        clock_sleep_ns(PAUSE_NS);
    }
}

static bool wait_and_try(struct leftovers *leftovers, struct leftover *leftover, struct error *err)
{
    wait_until_quiet(leftovers, leftover);
    return attempt(leftovers, leftover, err);
}

static void remove_at(struct leftovers *leftovers, size_t index)
{
    leftover_release(&leftovers->items[index]);
    leftovers->items[index] = leftovers->items[--leftovers->count];
}

bool leftovers_make_room(struct leftovers *leftovers, const struct testcase *test, const struct prepare_config *config,
                         struct error *err)
{
    struct namespace_set set;
    if (leftovers->count == 0)
        return true;
    if (!namespace_set_init(&set, test, config->multidb, config->multicoll, err))
        return false;
    bool ok = true;
    for (size_t i = leftovers->count; ok && i-- > 0;) {
        struct leftover *leftover = &leftovers->items[i];
        if (!namespace_set_overlaps(&set, preparation_collections(leftover->preparation)))
            continue;
        ok = wait_and_try(leftovers, leftover, err);
        if (ok)
            remove_at(leftovers, i);
        else
            error_prefix(err, "an earlier trial is not cleaned up yet");
    }
    namespace_set_release(&set);
    return ok;
}

void leftovers_end(struct leftovers *leftovers)
{
    for (size_t i = 0; i < leftovers->count; i++) {
        struct leftover *leftover = &leftovers->items[i];
        struct error err;
        error_init(&err);
        if (!wait_and_try(leftovers, leftover, &err))
            note(
                leftovers,
                "%s: its collections stay on the server: %s; they are marked, and the next run of this test drops them",
                leftover->test, err.message);
        leftover_release(leftover);
    }
    free(leftovers->items);
    leftovers->items = NULL;
    leftovers->count = leftovers->capacity = 0;
}
