/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/connector.h"
#include "engine/kill.h"
#include "engine/leftovers.h"
#include "engine/limits.h"
#include "engine/marks.h"
#include "engine/plan.h"
#include "engine/preflight.h"
#include "engine/prepare.h"
#include "engine/server_codes.h"
#include "model/journal.h"
#include "model/result_header.h"
#include "model/schedule.h"
#include "model/select.h"

/* How often a trial is begun whose server is lost before it is measured. */
enum { ATTEMPTS_MAX = 3 };
/* After so many set-ups and clean-ups in a row that got no answer in time, or a trial whose operations got none, an
 * answer to a ping proves nothing. */
enum { SILENT_MAX = 2 };
/* What has got no answer for so long is taken to have ended, where the server does not list it. */
#define UNANSWERED_NS (30 * CLOCK_NS_PER_SEC)

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
    struct leftovers leftovers;
    struct plan *plan; /* of the cell at hand, NULL before its first trial */
    struct result *result;
    unsigned silences; /* set-ups and clean-ups without an answer since the last set-up that was whole */
    struct error gone; /* why no further trial can be run */
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

static enum trial_state trial_state_after(enum prepare_state state)
{
    static const enum trial_state states[] = {[PREPARE_READY] = TRIAL_MEASURED,
                                              [PREPARE_REFUSED] = TRIAL_UNPREPARED,
                                              [PREPARE_UNSUPPORTED] = TRIAL_UNSUPPORTED,
                                              [PREPARE_INTERRUPTED] = TRIAL_INTERRUPTED};
    return states[state];
}

/* *preparation: what there is to clean up. */
static bool set_up(struct run *run, struct trial_result *trial, struct preparation **preparation)
{
    const struct testcase *test = run->tests[trial->test];
    struct prepare_config config = prepare_config_for(run->options, trial->rung);
    struct prepare_outcome outcome = {.state = PREPARE_REFUSED};
    error_init(&outcome.error);
    int64_t begin_ns = clock_mono_ns();
    *preparation = NULL;
    if (compile(run, trial, &outcome.error) && leftovers_make_room(&run->leftovers, test, &config, &outcome.error))
        *preparation = prepare_test(run->target, test, &config, &outcome);
    trial->setup_ns = clock_mono_ns() - begin_ns;
    trial->setup_failures = outcome.setup_failures;
    if (outcome.setup_failures.count > 0 && trial->trial == 0)
        note(run, "%s: measured although a step of its set-up failed: %s", test->name,
             outcome.setup_failures.items[0].text);
    if (outcome.state != PREPARE_READY)
        set_reason(trial, trial_state_after(outcome.state), outcome.code, outcome.error.message);
    return outcome.state == PREPARE_READY;
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
                                  .trial_time_ns = options->trial_time_ns,
                                  .grace_ns = options->grace_ns,
                                  .patience_ns = UNANSWERED_NS,
                                  .on_progress = run->listener->on_progress,
                                  .on_wait = run->listener->on_wait,
                                  .context = run->listener->context};
    if (!trial_execute(&config, trial)) {
        run->target->has_strays = true;
        error_set(&run->gone, "%s", trial->reason);
    }
    if (trial->abandoned_left > 0)
        note(run,
             "operations of %s that were abandoned or unconfirmed may still be under way on the server; their %" PRId64
             " "
             "connection%s closed, later trials may be slower",
             run->tests[trial->test]->name, trial->abandoned_left, trial->abandoned_left == 1 ? " is" : "s are");
}

/* An operation whose connection was lost may go on as well; of a server that does not list it, it is taken for ended.
 * What a former primary still does reaches the set no more. */
static enum leftovers_doubt doubt_after(const struct run *run, const struct trial_result *trial, const char *host)
{
    if (run->target->in_set && strcmp(host, peer_host(run->target->peer)) != 0)
        return LEFTOVERS_NOTHING;
    if (trial->abandoned_left > 0)
        return run->options->client == RUN_CLIENT_DRIVER ? LEFTOVERS_UNKNOWN : LEFTOVERS_RUNNING;
    return trial->tally.broken > 0 && kill_is_complete(run->target) ? LEFTOVERS_UNKNOWN : LEFTOVERS_NOTHING;
}

/* `host`: who was the primary when the trial began. */
static void clean_up(struct run *run, const struct trial_result *trial, struct preparation *preparation,
                     const char *host)
{
    if (run->options->keep) {
        preparation_free(preparation);
        return;
    }
    leftovers_clean_up(&run->leftovers, run->tests[trial->test]->name, preparation, doubt_after(run, trial, host));
}

/* A server that refuses it, for whatever reason, does answer. */
static bool carries_out_writes(struct run *run, struct error *err)
{
    json_t *majority = json_pack("{s:s}", "w", "majority");
    struct error reason = {0};
    int32_t code;
    bool ok = target_confirms(run->target, "test0", MARKS_COLLECTION, majority, &code, &reason) ||
              (code != 0 && code != SERVER_WRITE_CONCERN_FAILED && !server_code_is_not_primary(code));
    json_decref(majority);
    if (!ok)
        error_set(err, "it answers a ping, but carries out no write (a lock, a lost majority, a full disk?): %s",
                  reason.message);
    return ok;
}

/* Whether the server can do what a trial needs. */
static bool is_fit(struct run *run, struct error *err)
{
    return target_is_alive(run->target, err) && (run->silences < SILENT_MAX || carries_out_writes(run, err));
}

/* As long as --patience allows; where that is not enough, no further trial is run. */
static void await_server(struct run *run, struct trial_result *trial)
{
    struct outage outage;
    struct error reason;
    int64_t asked_ns;
    bool is_here;
    outage_init(&outage, run->options->patience_ns, run->listener->on_outage, run->listener->context);
    do {
        error_init(&reason);
        asked_ns = clock_mono_ns();
        is_here = is_fit(run, &reason);
    } while (!is_here && outage_goes_on(&outage, asked_ns, reason.message));
    trial->server_wait_ns += outage_length_ns(&outage);
    if (is_here || interrupt_signal())
        return;
    error_set(&run->gone, "no server has taken writes for %g s (--patience): %s",
              clock_seconds(run->options->patience_ns), reason.message);
    /* What is left to do must not take long. */
    run->target->is_hurried = true;
}

/* After a set-up or a clean-up: whether it got no answer in time. Only a whole set-up proves that the server answers:
 * what was not asked for is no answer. */
static bool was_silent(struct run *run, unsigned timeouts_before)
{
    bool is_silent = run->target->terms.timeouts != timeouts_before;
    run->silences += is_silent;
    return is_silent;
}

/* *is_lost: the server, or its being the primary, was lost before anything was measured. */
static void attempt_trial(struct run *run, struct trial_result *trial, bool *is_lost)
{
    const struct wait_terms *terms = &run->target->terms;
    unsigned timeouts = terms->timeouts, connections = terms->connections;
    char *host = memory_strdup(peer_host(run->target->peer));
    struct preparation *preparation;
    bool is_prepared = set_up(run, trial, &preparation), is_silent = was_silent(run, timeouts);
    if (is_prepared) {
        run->silences = 0;
        measure(run, trial);
    }
    if (trial->abandoned_left > 0)
        run->silences = SILENT_MAX;
    bool is_unprepared = trial->state == TRIAL_UNPREPARED;
    /* A trial that was measured whole stays one, whatever comes during its clean-up. */
    if (interrupt_signal() && trial->state != TRIAL_MEASURED)
        trial->state = TRIAL_INTERRUPTED;
    if (!run->target->has_strays)
        await_server(run, trial);
    *is_lost = is_unprepared && !is_silent && !run->gone.is_set &&
               (server_code_is_not_primary(trial->code) || terms->connections != connections);
    timeouts = terms->timeouts;
    clean_up(run, trial, preparation, host);
    free(host);
    was_silent(run, timeouts);
}

static void try_trial(struct run *run, struct trial_result *trial)
{
    bool is_lost;
    await_server(run, trial);
    if (run->gone.is_set || interrupt_signal()) {
        set_reason(trial, interrupt_signal() ? TRIAL_INTERRUPTED : TRIAL_UNPREPARED, 0, run->gone.message);
        return;
    }
    attempt_trial(run, trial, &is_lost);
    for (unsigned i = 1; is_lost && i < ATTEMPTS_MAX && !interrupt_signal(); i++) {
        note(run, "%s: begun anew, since the server was lost before it was measured: %s", run->tests[trial->test]->name,
             trial->reason);
        set_reason(trial, TRIAL_UNPREPARED, 0, "");
        attempt_trial(run, trial, &is_lost);
    }
}

static void run_trial(struct run *run, const struct schedule_item *item, struct trial_result *trial)
{
    *trial = (struct trial_result){.test = item->test, .rung = item->rung, .trial = item->trial};
    tally_init(&trial->tally);
    trial->start_wall_ms = clock_wall_ms();
    if (run->listener->on_trial_begin)
        run->listener->on_trial_begin(run->result, trial, run->listener->context);
    try_trial(run, trial);
    trial->end_wall_ms = clock_wall_ms();
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
    if (trial->state == TRIAL_UNPREPARED)
        schedule_skip_cell(&run->schedule);
    if (trial->state != TRIAL_UNPREPARED || !run->gone.is_set)
        return true;
    error_set(err, "%s", run->gone.message);
    return false;
}

static bool climb(struct run *run, struct error *err)
{
    struct schedule_item item;
    while (!interrupt_signal() && schedule_next(&run->schedule, &item)) {
        if (run->result->tests[item.test].skipped) {
            schedule_skip_test(&run->schedule);
            continue;
        }
        if (run->gone.is_set) {
            error_set(err, "%s", run->gone.message);
            return false;
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

static void end_connections(struct run *run)
{
    if (run->target->has_strays)
        return;
    plan_free(run->plan);
    if (connector_pool_free(run->pool, CONNECTOR_END_MS))
        return;
    run->target->has_strays = true;
    note(run, "a thread that opens connections does not come back from libmongoc; it is left behind");
}

/* The trial loop between the first and the last line of the journal. */
static bool carry_out(struct run *run, struct error *err)
{
    if (!begin(run, err))
        return false;
    schedule_init(&run->schedule, 1, run->test_count, run->options->thread_count, run->options->trial_count);
    run->pool = connector_pool_new(run->target, limits_connectors(run->options));
    run->leftovers = (struct leftovers){.target = run->target,
                                        .patience_ns = UNANSWERED_NS,
                                        .on_note = run->listener->on_note,
                                        .context = run->listener->context};
    bool ok = climb(run, err);
    leftovers_end(&run->leftovers);
    bool complete = ok && !interrupt_signal();
    ok = journal_end(run->journal, run->result, complete, interrupt_signal() != 0, err) && ok;
    ok = write_result(run, err) && ok;
    if (run->file->is_left)
        note(run, "nothing was measured: %s is left as it was", result_file_path(run->file));
    /* Last, since a thread may not come back. */
    end_connections(run);
    return ok;
}

static void take_tests(struct run *run, const struct testcase_set *set, const size_t *selected, size_t count)
{
    run->tests = memory_zeroed(count + 1, sizeof *run->tests);
    run->test_count = count;
    for (size_t i = 0; i < count; i++)
        run->tests[i] = &set->items[selected[i]];
}

bool run_execute(const struct run_options *options, struct target *target, const struct testcase_set *set,
                 const size_t *selected, size_t selected_count, const struct run_listener *listener,
                 struct result_file *file, struct result *result, struct error *err)
{
    struct run run = {.options = options, .target = target, .listener = listener, .file = file, .result = result};
    take_tests(&run, set, selected, selected_count);
    struct estimate estimate;
    bool ok = estimate_run(&estimate, options, set, selected, selected_count, err) &&
              preflight_check_run(target, options, estimate.setup_bytes, err);
    if (ok && listener->on_plan)
        listener->on_plan(&estimate, target, listener->context);
    ok = ok && carry_out(&run, err);
    bool has_trials = result->trial_count > 0;
    if (!ok && run.journal && has_trials)
        note(&run, "the trials that have ended are kept in %s", journal_path(run.journal));
    /* The journal goes once the result is out whole, or when there is nothing in it to keep. */
    journal_close(run.journal, ok || !has_trials);
    free(run.tests);
    return ok;
}
