/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule.h"

void schedule_init(struct schedule *schedule, size_t target_count, size_t test_count, size_t rung_count,
                   unsigned trial_count)
{
    *schedule = (struct schedule){
        .target_count = target_count, .test_count = test_count, .rung_count = rung_count, .trial_count = trial_count};
}

static void advance_test(struct schedule *schedule)
{
    struct schedule_item *next = &schedule->next;
    next->trial = 0;
    next->rung = 0;
    if (++next->test == schedule->test_count) {
        next->test = 0;
        next->target++;
    }
}

static void advance_cell(struct schedule *schedule)
{
    schedule->next.trial = 0;
    if (++schedule->next.rung == schedule->rung_count)
        advance_test(schedule);
}

static bool is_done(const struct schedule *schedule)
{
    return schedule->next.target >= schedule->target_count || schedule->test_count == 0 || schedule->rung_count == 0 ||
           schedule->trial_count == 0;
}

bool schedule_next(struct schedule *schedule, struct schedule_item *item)
{
    if (is_done(schedule))
        return false;
    *item = schedule->next;
    if (++schedule->next.trial == schedule->trial_count)
        advance_cell(schedule);
    return true;
}

/* `next` already stands on the item after the one handed out; it is in another test (cell) when that one was the last.
 */
void schedule_skip_test(struct schedule *schedule)
{
    const struct schedule_item *next = &schedule->next;
    if (next->rung != 0 || next->trial != 0)
        advance_test(schedule);
}

void schedule_skip_cell(struct schedule *schedule)
{
    if (schedule->next.trial != 0)
        advance_cell(schedule);
}
