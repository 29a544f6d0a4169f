/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/cell.h"
#include "model/table.h"
#include "trial_args.h"

#define DURATION_SIZE 32
#define NAME_COLUMNS_MIN 6 /* of a name that is cut: three of it and "..." */

static size_t trials_in_all(const struct estimate *plan)
{
    return plan->tests * plan->rungs * plan->trials;
}

/* Trials behind this one, in the order of the ladder. */
static size_t trials_behind(const struct estimate *plan, const struct trial_result *trial)
{
    size_t position = (trial->test * plan->rungs + trial->rung) * plan->trials + trial->trial + 1;
    size_t all = trials_in_all(plan);
    return position < all ? all - position : 0;
}

/* What is left if the trials to come cost as much as those that are done, set-up included; before the first has ended,
 * their trial time alone. */
static int64_t time_left_ns(const struct progress *p)
{
    int64_t now_ns = p->mono_ns(), each_ns = p->trial_time_ns;
    if (p->trials_done > 0)
        each_ns = (p->trial_start_ns - p->start_ns) / (int64_t)p->trials_done;
    int64_t rest_ns = each_ns - (now_ns - p->trial_start_ns);
    return (int64_t)trials_behind(&p->plan, p->trial) * each_ns + (rest_ns > 0 ? rest_ns : 0);
}

/* At most a line of the terminal: the cursor must not reach the next one. */
static void show(struct progress *p, const char *text)
{
    size_t size = p->columns > 1 ? text_bytes(text, p->columns - 1) : strlen(text);
    char *visible = memory_printf("%.*s", (int)size, text);
    size_t columns = text_columns(visible);
    int rest = p->shown > columns ? (int)(p->shown - columns) : 0;
    fprintf(p->out, "\r%s%*s", visible, rest, "");
    if (rest > 0) /* the cursor goes back to the end of the text */
        fprintf(p->out, "\r%s", visible);
    fflush(p->out);
    p->shown = columns;
    free(visible);
}

static void clear(struct progress *p)
{
    if (p->shown == 0)
        return;
    fprintf(p->out, "\r%*s\r", (int)p->shown, "");
    fflush(p->out);
    p->shown = 0;
}

static void append_count(struct buffer *line, uint64_t count, const char *noun)
{
    buffer_append_printf(line, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

static void append_position(struct buffer *line, const struct progress *p, const struct trial_result *trial)
{
    buffer_append_printf(line, "[%zu/%zu] ", trial->test + 1, p->plan.tests);
}

static void append_numbers(struct buffer *line, double ops_per_sec, uint64_t failures)
{
    char rate[TABLE_NUMBER_SIZE];
    table_format_rate(ops_per_sec, rate);
    buffer_append_printf(line, "%s ops/s, ", rate);
    append_count(line, failures, "failure");
}

static void append_outage(struct buffer *line, const struct progress *p)
{
    buffer_append_printf(line, "waiting for a server that takes writes, %.0f s of %g s", clock_seconds(p->outage_ns),
                         clock_seconds(p->outage_limit_ns));
}

/* What the live line can do without, for want of room. */
enum part { WITH_NAME = 1, WITH_RUNG = 2, WITH_POSITION = 4, WITH_TRIAL = 8, WITH_ABOUT = 16 };

/* What follows the name of the test. `now` is NULL during the set-up. */
static void append_state(struct buffer *line, const struct progress *p, const struct trial_progress *now,
                         unsigned parts)
{
    if (parts & WITH_NAME)
        buffer_append_printf(line, ", ");
    if (parts & WITH_RUNG)
        append_count(line, p->result->threads[p->trial->rung], "thread");
    if (p->plan.trials > 1 && parts & WITH_TRIAL)
        buffer_append_printf(line, ", trial %u/%u", p->trial->trial + 1, p->plan.trials);
    if (parts & WITH_RUNG)
        buffer_append_printf(line, ": ");
    if (p->is_waiting) {
        append_outage(line, p);
        return;
    }
    if (now && now->elapsed_ns > 0)
        append_numbers(line, (double)now->succeeded / clock_seconds(now->elapsed_ns), now->failed + now->broken);
    else
        buffer_append_printf(line, "preparing");
    char left[DURATION_SIZE];
    table_format_duration(time_left_ns(p), left, sizeof left);
    buffer_append_printf(line, ", %s%s left", parts & WITH_ABOUT ? "about " : "", left);
}

/* As much of the name as finds room; false: too little of it does. */
static bool append_name(struct buffer *line, const char *name, size_t room)
{
    if (text_columns(name) <= room)
        buffer_append_printf(line, "%s", name);
    else if (room >= NAME_COLUMNS_MIN)
        buffer_append_printf(line, "%.*s...", (int)text_bytes(name, room - 3), name);
    else
        return false;
    return true;
}

/* The live line with these parts; false: it finds no room. */
static bool compose(struct buffer *line, const struct progress *p, const char *name, const struct trial_progress *now,
                    unsigned parts)
{
    struct buffer state = {0};
    buffer_clear(line);
    if (parts & WITH_POSITION)
        append_position(line, p, p->trial);
    append_state(&state, p, now, parts);
    size_t taken = text_columns(buffer_text(line)) + text_columns(buffer_text(&state)) + 1;
    size_t room = p->columns == 0 ? SIZE_MAX : p->columns > taken ? p->columns - taken : 0;
    bool fits = parts & WITH_NAME ? append_name(line, name, room) : p->columns >= taken;
    buffer_append_printf(line, "%s", buffer_text(&state));
    buffer_release(&state);
    return fits;
}

/* The name gives way first, then what is needed less; rate, failures and time left stay. */
static void show_trial(struct progress *p, const struct trial_progress *now)
{
    static const unsigned forms[] = {
        WITH_NAME | WITH_RUNG | WITH_POSITION | WITH_TRIAL | WITH_ABOUT,
        WITH_NAME | WITH_RUNG | WITH_POSITION | WITH_TRIAL,
        WITH_NAME | WITH_RUNG | WITH_POSITION,
        WITH_NAME | WITH_RUNG,
        WITH_RUNG,
        0,
    };
    struct buffer line = {0};
    char *name = text_safe(p->result->tests[p->trial->test].name);
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (compose(&line, p, name, now, forms[i]))
            break;
    show(p, buffer_text(&line));
    free(name);
    buffer_release(&line);
}

static void print_cell(struct progress *p, const struct result *result, const struct trial_result *trial)
{
    struct cell cell;
    if (!cell_collect(result, trial->test, trial->rung, &cell))
        return;
    struct buffer line = {0};
    append_position(&line, p, trial);
    buffer_append_printf(&line, "%s, ", result->tests[trial->test].name);
    append_count(&line, result->threads[trial->rung], "thread");
    buffer_append_printf(&line, ": ");
    if (cell.counted > 0) {
        append_numbers(&line, cell.ops_per_sec, cell.tally.failed + cell.tally.broken);
        if (cell.tally.abandoned > 0)
            buffer_append_printf(&line, ", %" PRIu64 " abandoned", cell.tally.abandoned);
    } else {
        char *reason = cell_reason(&cell);
        buffer_append_printf(&line, "%s", reason);
        free(reason);
    }
    text_print_line(p->out, "%s", buffer_text(&line));
    fflush(p->out);
    buffer_release(&line);
}

static const char *known(const char *text)
{
    return text ? text : "unknown";
}

static void append_ladder(struct buffer *line, const struct estimate *plan)
{
    append_count(line, plan->tests, "test");
    buffer_append_printf(line, " x ");
    append_count(line, plan->rungs, "rung");
    buffer_append_printf(line, " = ");
    append_count(line, plan->cells, "cell");
    buffer_append_printf(line, " of ");
    append_count(line, plan->trials, "trial");
}

static void append_costs(struct buffer *line, const struct estimate *plan)
{
    char time[DURATION_SIZE], bytes[DURATION_SIZE];
    table_format_duration(plan->measuring_ns, time, sizeof time);
    table_format_bytes(plan->bytes, bytes, sizeof bytes);
    buffer_append_printf(line, ": %s of measuring, ", time);
    if (plan->documents == 0) {
        buffer_append_printf(line, "nothing to load");
        return;
    }
    append_count(line, plan->documents, "document");
    buffer_append_printf(line, " (about %s) to load", bytes);
}

/* What is sent; where no w is, the server adds that of its default. */
static void append_write_concern(struct buffer *line, const struct target *target)
{
    const char *default_w = json_object_get(target->write_concern, "w") ? NULL : target->testbed.default_w;
    char *text = json_dumps(target->write_concern, JSON_PRESERVE_ORDER);
    buffer_append_printf(line, "write concern %s", text);
    if (default_w)
        buffer_append_printf(line, " (no w is sent: the server's default is %s)", default_w);
    free(text);
}

static void on_plan(const struct estimate *plan, const struct target *target, void *context)
{
    struct progress *p = context;
    const struct testbed *testbed = &target->testbed;
    p->plan = *plan;
    p->target = target;
    struct buffer line = {0};
    char *product = testbed_describe_product(testbed);
    text_print_line(p->out, "%s, %s, at %s", product, known(testbed->topology), known(testbed->host));
    free(product);
    append_write_concern(&line, target);
    text_print_line(p->out, "%s", buffer_text(&line));
    buffer_clear(&line);
    append_ladder(&line, plan);
    append_costs(&line, plan);
    text_print_line(p->out, "%s", buffer_text(&line));
    fflush(p->out);
    buffer_release(&line);
}

static void print_args(struct progress *p, const struct trial_result *trial)
{
    clear(p);
    trial_args_print(&p->set->items[p->selected[trial->test]], p->args, p->target->write_concern, trial, p->out);
    fflush(p->out);
}

static void on_trial_begin(const struct result *result, const struct trial_result *trial, void *context)
{
    struct progress *p = context;
    p->trial_start_ns = p->mono_ns();
    if (p->start_ns == 0)
        p->start_ns = p->trial_start_ns;
    p->result = result;
    p->trial = trial;
    p->is_waiting = false;
    if (p->args)
        print_args(p, trial);
    if (p->is_terminal)
        show_trial(p, NULL);
}

static void on_progress(const struct trial_progress *now, void *context)
{
    struct progress *p = context;
    p->is_waiting = false;
    if (p->is_terminal && p->trial)
        show_trial(p, now);
}

static void on_trial_end(const struct result *result, const struct trial_result *trial, void *context)
{
    struct progress *p = context;
    if (p->trial) /* what an unsupported test leaves out has no beginning */
        p->trials_done++;
    p->trial = NULL;
    clear(p); /* the result may go to the same terminal next */
    bool ends_cell =
        trial->trial + 1 == p->plan.trials || trial->state == TRIAL_UNPREPARED || trial->state == TRIAL_UNSUPPORTED;
    if (!p->is_terminal && ends_cell && trial->state != TRIAL_INTERRUPTED)
        print_cell(p, result, trial);
}

static void on_note(const char *text, void *context)
{
    struct progress *p = context;
    clear(p);
    text_print_line(p->out, "note: %s", text);
    fflush(p->out);
}

/* Once in a line that stays, and on a terminal with the time that goes by. */
static void on_outage(const char *reason, int64_t waited_ns, int64_t limit_ns, void *context)
{
    struct progress *p = context;
    bool is_new = p->outage_ns == 0 || waited_ns < p->outage_ns;
    p->outage_ns = waited_ns;
    p->outage_limit_ns = limit_ns;
    if (is_new) {
        clear(p);
        text_print_line(p->out, "note: waiting for a server that takes writes, %g s at most: %s",
                        clock_seconds(limit_ns), reason);
        fflush(p->out);
    }
    p->is_waiting = true;
    if (p->is_terminal && p->trial)
        show_trial(p, NULL);
}

static void on_wait(unsigned owed, void *context)
{
    struct progress *p = context;
    clear(p);
    fprintf(p->out, "note: waiting for %u abandoned operation%s to end on the server\n", owed, owed == 1 ? "" : "s");
    fflush(p->out);
}

void progress_init(struct progress *progress, FILE *out, bool is_terminal, unsigned columns, int64_t trial_time_ns,
                   int64_t (*mono_ns)(void))
{
    *progress = (struct progress){
        .out = out, .is_terminal = is_terminal, .columns = columns, .trial_time_ns = trial_time_ns, .mono_ns = mono_ns};
}

void progress_print_args(struct progress *progress, const struct run_options *options, const struct testcase_set *set,
                         const size_t *selected)
{
    progress->args = options;
    progress->set = set;
    progress->selected = selected;
}

struct run_listener progress_listener(struct progress *progress)
{
    return (struct run_listener){.on_plan = on_plan,
                                 .on_trial_begin = on_trial_begin,
                                 .on_progress = on_progress,
                                 .on_trial_end = on_trial_end,
                                 .on_note = on_note,
                                 .on_wait = on_wait,
                                 .on_outage = on_outage,
                                 .context = progress};
}

void progress_end(struct progress *progress)
{
    clear(progress);
}
