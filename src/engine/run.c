/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/connector.h"
#include "engine/limits.h"
#include "engine/plan.h"
#include "engine/preflight.h"
#include "engine/prepare.h"
#include "model/journal.h"
#include "model/result_header.h"
#include "model/schedule.h"
#include "model/select.h"

/* How long a server that has gone may stay away before the run is given up. */
#define SERVER_PATIENCE_NS (30 * CLOCK_NS_PER_SEC)

struct run {
    const struct run_options *options;
    struct target *target;
    const struct run_listener *listener;
    const struct testcase **tests; /* those that run, in order; same positions as result->tests */
    size_t test_count;
    struct result_file *file;
    struct journal *journal;
    struct connector_pool *pool;
    struct schedule schedule;
    struct plan *plan; /* of the cell at hand, NULL before its first trial */
    struct result *result;
};

static void note(const struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(const struct run *run, const char *format, ...)
{
    if (!run->listener->on_note)
        return;
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    run->listener->on_note(text, run->listener->context);
    free(text);
}

static struct prepare_config prepare_config_for(const struct run *run, size_t rung)
{
    const struct run_options *options = run->options;
    return (struct prepare_config){.multidb = options->multidb,
                                   .multicoll = options->multicoll,
                                   .threads = options->threads[rung],
                                   .seed = options->seed,
                                   .force = options->force};
}

static bool estimate(const struct run *run, struct run_plan *plan, struct error *err)
{
    const struct run_options *options = run->options;
    *plan = (struct run_plan){.tests = run->test_count,
                              .rungs = options->thread_count,
                              .cells = run->test_count * options->thread_count,
                              .trials = options->trial_count};
    plan->measuring_ns = (int64_t)((double)(plan->cells * plan->trials) * options->trial_time_s * 1e9);
    for (size_t i = 0; i < run->test_count; i++) {
        for (size_t rung = 0; rung < options->thread_count; rung++) {
            struct prepare_config config = prepare_config_for(run, rung);
            uint64_t documents, bytes;
            if (!prepare_estimate(run->tests[i], &config, &documents, &bytes, err)) {
                error_prefix(err, "%s: %s", run->tests[i]->file, run->tests[i]->name);
                return false;
            }
            plan->documents += documents * plan->trials;
            plan->bytes += bytes * plan->trials;
            plan->setup_bytes = bytes > plan->setup_bytes ? bytes : plan->setup_bytes;
        }
    }
    return true;
}

static void set_reason(struct trial_result *trial, enum trial_state state, int32_t code, const char *message)
{
    trial->state = state;
    trial->code = code;
    snprintf(trial->reason, sizeof trial->reason, "%.*s", (int)sizeof trial->reason - 1, message);
}

/* The next trial of a cell uses the plan of the one before. */
static bool compile(struct run *run, const struct trial_result *trial, struct error *err)
{
    if (trial->trial == 0) {
        plan_free(run->plan);
        run->plan = NULL;
    }
    struct plan_config config = {.multidb = run->options->multidb,
                                 .multicoll = run->options->multicoll,
                                 .sessions = run->options->threads[trial->rung],
                                 .write_concern = run->target->write_concern};
    if (!run->plan)
        run->plan = plan_new(run->tests[trial->test], &config, err);
    return run->plan != NULL;
}

static bool set_up(struct run *run, struct trial_result *trial)
{
    struct prepare_config config = prepare_config_for(run, trial->rung);
    struct prepare_outcome outcome = {.state = TRIAL_UNPREPARED};
    error_init(&outcome.error);
    int64_t begin_ns = clock_mono_ns();
    if (compile(run, trial, &outcome.error))
        prepare_test(run->target, run->tests[trial->test], &config, &outcome);
    trial->setup_ns = clock_mono_ns() - begin_ns;
    if (outcome.state != TRIAL_MEASURED)
        set_reason(trial, outcome.state, outcome.code, outcome.error.message);
    return outcome.state == TRIAL_MEASURED;
}

static void measure(struct run *run, struct trial_result *trial)
{
    const struct run_options *options = run->options;
    struct trial_config config = {.target = run->target,
                                  .pool = run->pool,
                                  .plan = run->plan,
                                  .sessions = options->threads[trial->rung],
                                  .client = options->client,
                                  .workers = options->workers,
                                  .trial = trial->trial,
                                  .seed = options->seed,
                                  .trial_time_ns = (int64_t)(options->trial_time_s * 1e9),
                                  .grace_ns = (int64_t)(options->grace_s * 1e9),
                                  .on_progress = run->listener->on_progress,
                                  .on_wait = run->listener->on_wait,
                                  .context = run->listener->context};
    trial_execute(&config, trial);
    if (trial->abandoned_left > 0)
        note(run,
             "operations of %s that were abandoned or unconfirmed may still be under way on the server; their %u "
             "connection%s closed, later trials may be slower",
             run->tests[trial->test]->name, trial->abandoned_left, trial->abandoned_left == 1 ? " is" : "s are");
}

static void clean_up(struct run *run, const struct trial_result *trial)
{
    if (run->options->keep)
        return;
    struct prepare_config config = prepare_config_for(run, trial->rung);
    struct error err;
    error_init(&err);
    if (!prepare_clean_up(run->target, run->tests[trial->test], &config, &err))
        note(run, "%s: could not clean up: %s", run->tests[trial->test]->name, err.message);
}

static void run_trial(struct run *run, const struct schedule_item *item, struct trial_result *trial)
{
    *trial = (struct trial_result){.test = item->test, .rung = item->rung, .trial = item->trial};
    tally_init(&trial->tally);
    trial->start_wall_ms = clock_wall_ms();
    if (run->listener->on_trial_begin)
        run->listener->on_trial_begin(run->result, trial, run->listener->context);
    if (set_up(run, trial))
        measure(run, trial);
    /* A trial that was measured whole stays one, whatever comes during its clean-up. */
    if (interrupt_signal() && trial->state != TRIAL_MEASURED)
        trial->state = TRIAL_INTERRUPTED;
    clean_up(run, trial);
    trial->end_wall_ms = clock_wall_ms();
}

/* After a cell that could not be prepared: is anybody there still? */
static bool await_server(struct run *run, struct error *err)
{
    int64_t give_up_ns = clock_mono_ns() + SERVER_PATIENCE_NS;
    for (;;) {
        struct error last;
        error_init(&last);
        if (target_is_alive(run->target, &last) || interrupt_signal())
            return true;
        if (clock_mono_ns() >= give_up_ns) {
            error_set(err, "the server has not answered for %d s: %s", (int)(SERVER_PATIENCE_NS / CLOCK_NS_PER_SEC),
                      last.message);
            return false;
        }
        clock_sleep_ns(CLOCK_NS_PER_SEC / 2);
    }
}

static void note_all(const struct run *run, struct message_list *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        note(run, "%s", notes->items[i]);
    message_list_release(notes);
}

static bool write_result(struct run *run, struct error *err)
{
    struct message_list notes;
    message_list_init(&notes);
    bool ok = result_file_write(run->file, run->result, &notes, err);
    note_all(run, &notes);
    return ok;
}

/* After every cell. What is no file (stdout, a pipe) gets the final result only. */
static bool write_interim(struct run *run, struct error *err)
{
    return !result_file_path(run->file) || write_result(run, err);
}

static bool is_last_of_cell(const struct run *run, const struct trial_result *trial)
{
    return trial->trial + 1 == run->options->trial_count || trial->state != TRIAL_MEASURED;
}

static bool store(struct run *run, const struct trial_result *trial, struct error *err)
{
    bool ok = journal_trial(run->journal, run->result, trial, err);
    if (run->listener->on_trial_end)
        run->listener->on_trial_end(run->result, trial, run->listener->context);
    return ok && (!is_last_of_cell(run, trial) || write_interim(run, err));
}

/* What the server does not know on one rung it does not know on the others: they get the same answer unasked. */
static bool store_unsupported_rest(struct run *run, const struct trial_result *first, struct error *err)
{
    schedule_skip_test(&run->schedule);
    for (size_t rung = first->rung + 1; rung < run->options->thread_count; rung++) {
        struct trial_result trial = *first;
        trial.rung = rung;
        trial.trial = 0;
        trial.setup_ns = 0;
        trial.start_wall_ms = trial.end_wall_ms = clock_wall_ms();
        if (!store(run, &trial, err))
            return false;
    }
    return true;
}

static bool after_trial(struct run *run, const struct trial_result *trial, struct error *err)
{
    if (!store(run, trial, err))
        return false;
    if (trial->state == TRIAL_UNSUPPORTED)
        return store_unsupported_rest(run, trial, err);
    if (trial->state == TRIAL_UNPREPARED) {
        schedule_skip_cell(&run->schedule);
        return await_server(run, err);
    }
    return true;
}

static bool climb(struct run *run, struct error *err)
{
    struct schedule_item item;
    while (!interrupt_signal() && schedule_next(&run->schedule, &item)) {
        if (run->result->tests[item.test].skipped) {
            schedule_skip_test(&run->schedule);
            continue;
        }
        struct trial_result trial;
        run_trial(run, &item, &trial);
        if (!after_trial(run, &trial, err))
            return false;
    }
    return true;
}

/* The journal's first line: what is planned. A test whose version tag the server does not reach is in it as skipped. */
static void describe_test(const struct run *run, const struct testcase *test, struct result_test *described)
{
    described->name = memory_strdup(test->name);
    described->file = memory_strdup(test->file);
    memcpy(described->fingerprint, test->fingerprint, sizeof described->fingerprint);
    described->tag_count = test->tag_count;
    described->tags = memory_zeroed(test->tag_count, sizeof *described->tags);
    for (size_t i = 0; i < test->tag_count; i++)
        described->tags[i] = memory_strdup(test->tags[i]);
    const char *tag;
    if (!select_version_allows(test, run->target->testbed.version, &tag)) {
        described->skipped = memory_strdup(tag);
        note(run, "%s: skipped: the server is version %s, the test wants %s", test->name, run->target->testbed.version,
             tag);
    }
}

static void describe(const struct run *run, struct result *plan)
{
    const struct run_options *options = run->options;
    const struct target *target = run->target;
    result_init(plan);
    plan->header = result_header_new(options, &target->testbed, target->write_concern, target->run_id);
    plan->tests = memory_zeroed(run->test_count, sizeof *plan->tests);
    plan->test_count = run->test_count;
    for (size_t i = 0; i < run->test_count; i++)
        describe_test(run, run->tests[i], &plan->tests[i]);
    plan->threads = memory_copy(options->threads, options->thread_count * sizeof *options->threads);
    plan->thread_count = options->thread_count;
    plan->start_wall_ms = clock_wall_ms();
}

static bool begin(struct run *run, struct error *err)
{
    struct message_list notes;
    message_list_init(&notes);
    run->journal = journal_open(result_file_path(run->file), run->target->run_id, &notes, err);
    note_all(run, &notes);
    if (!run->journal)
        return false;
    struct result plan;
    describe(run, &plan);
    bool ok = journal_begin(run->journal, run->result, &plan, err);
    result_release(&plan);
    return ok;
}

/* The trial loop between the first and the last line of the journal. */
static bool carry_out(struct run *run, struct error *err)
{
    if (!begin(run, err))
        return false;
    schedule_init(&run->schedule, 1, run->test_count, run->options->thread_count, run->options->trial_count);
    run->pool = connector_pool_new(run->target, limits_connectors(run->options));
    bool ok = climb(run, err);
    connector_pool_free(run->pool);
    plan_free(run->plan);
    bool complete = ok && !interrupt_signal();
    ok = journal_end(run->journal, run->result, complete, interrupt_signal() != 0, err) && ok;
    ok = write_result(run, err) && ok;
    if (run->file->is_left)
        note(run, "nothing was measured: %s is left as it was", result_file_path(run->file));
    return ok;
}

static void take_tests(struct run *run, const struct testcase_set *set, const size_t *selected, size_t count)
{
    run->tests = memory_zeroed(count + 1, sizeof *run->tests);
    run->test_count = count;
    for (size_t i = 0; i < count; i++)
        run->tests[i] = &set->items[selected[i]];
}

bool run_estimate(const struct run_options *options, const struct testcase_set *set, const size_t *selected,
                  size_t selected_count, struct run_plan *plan, struct error *err)
{
    struct run run = {.options = options};
    take_tests(&run, set, selected, selected_count);
    bool ok = estimate(&run, plan, err);
    free(run.tests);
    return ok;
}

bool run_execute(const struct run_options *options, struct target *target, const struct testcase_set *set,
                 const size_t *selected, size_t selected_count, const struct run_listener *listener,
                 struct result_file *file, struct result *result, struct error *err)
{
    struct run run = {.options = options, .target = target, .listener = listener, .file = file, .result = result};
    take_tests(&run, set, selected, selected_count);
    struct run_plan plan;
    bool ok = estimate(&run, &plan, err) && preflight_check_run(target, options, plan.setup_bytes, err);
    if (ok && listener->on_plan)
        listener->on_plan(&plan, target, listener->context);
    ok = ok && carry_out(&run, err);
    if (!ok && run.journal)
        note(&run, "the trials that have ended are kept in %s", journal_path(run.journal));
    /* The journal goes once the result is out whole. */
    journal_close(run.journal, ok);
    free(run.tests);
    return ok;
}
