/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/settle.h"
#include "engine/worker.h"

/* Opening 128 connections with TLS and SCRAM takes seconds; a server that needs a minute is not going to be measured.
 */
#define RESERVE_LIMIT_NS (60 * CLOCK_NS_PER_SEC)
#define PROGRESS_EVERY_NS (250 * CLOCK_NS_PER_MS)

struct trial {
    const struct trial_config *config;
    struct slot *slots; /* one a session */
    struct worker *workers;
    unsigned worker_count; /* those that were set up */
    struct crew *crew;
    struct gate gate;
};

static unsigned choose_workers(const struct trial_config *config)
{
    if (config->client == RUN_CLIENT_DRIVER)
        return config->sessions;
    unsigned workers = config->workers ? config->workers : cpus_usable();
    return workers < config->sessions ? workers : config->sessions;
}

static void make_slots(struct trial *trial)
{
    const struct trial_config *config = trial->config;
    trial->slots = memory_zeroed(config->sessions, sizeof *trial->slots);
    for (unsigned i = 0; i < config->sessions; i++) {
        trial->slots[i].index = i;
        trial->slots[i].session = session_new(config->plan, i, config->seed, config->trial);
        trial->slots[i].transport = connector_take(config->pool, i);
    }
}

/* Neighbours go to one worker, so that two do not write to one cache line. */
static bool make_workers(struct trial *trial, struct error *err)
{
    const struct trial_config *config = trial->config;
    unsigned count = choose_workers(config);
    trial->workers = memory_aligned(WORKER_CACHE_LINE, count * sizeof *trial->workers);
    bool ok = true;
    for (unsigned i = 0; ok && i < count; i++) {
        struct worker *worker = &trial->workers[trial->worker_count++];
        unsigned first = (unsigned)((uint64_t)config->sessions * i / count);
        unsigned last = (unsigned)((uint64_t)config->sessions * (i + 1) / count);
        ok = worker_init(worker, trial->slots + first, last - first, config->pool, err);
        worker->context.through_driver = config->client == RUN_CLIENT_DRIVER;
        worker->gate = &trial->gate;
        worker->trial_time_ns = config->trial_time_ns;
        worker->grace_ns = config->grace_ns;
    }
    return ok;
}

static bool start_workers(struct trial *trial, struct error *err)
{
    gate_init(&trial->gate, trial->worker_count);
    for (unsigned i = 0; i < trial->worker_count; i++) {
        if (worker_start(&trial->workers[i], trial->crew, err))
            continue;
        gate_cancel(&trial->gate);
        return false;
    }
    return true;
}

static int64_t gate_time(struct trial *trial)
{
    pthread_mutex_lock(&trial->gate.opened.lock);
    int64_t start_ns = trial->gate.start_ns;
    pthread_mutex_unlock(&trial->gate.opened.lock);
    return start_ns;
}

static void report_progress(struct trial *trial)
{
    struct trial_progress progress = {0};
    int64_t start_ns = gate_time(trial);
    if (!trial->config->on_progress || start_ns == 0)
        return;
    progress.elapsed_ns = clock_mono_ns() - start_ns;
    for (unsigned i = 0; i < trial->worker_count; i++) {
        struct worker_progress *from = &trial->workers[i].progress;
        progress.succeeded += atomic_load_explicit(&from->succeeded, memory_order_relaxed);
        progress.failed += atomic_load_explicit(&from->failed, memory_order_relaxed);
        progress.broken += atomic_load_explicit(&from->broken, memory_order_relaxed);
    }
    trial->config->on_progress(&progress, trial->config->context);
}

/* False: they are late. What counts are the looks at a clock that is past the end: a process that was stopped meanwhile
 * is not late. */
static bool wait_for_workers(struct trial *trial)
{
    const struct trial_config *config = trial->config;
    int64_t length_ns = config->trial_time_ns + config->grace_ns, begin_ns = clock_mono_ns();
    unsigned late = 0;
    while (!crew_wait(trial->crew, clock_mono_ns() + PROGRESS_EVERY_NS)) {
        bool is_over = clock_mono_ns() - begin_ns > length_ns || interrupt_signal();
        if (is_over && ++late > TRIAL_LATE_S * CLOCK_NS_PER_SEC / PROGRESS_EVERY_NS)
            return false;
        report_progress(trial);
    }
    return true;
}

static void note_session(struct trial_result *out, bool is_first, uint64_t succeeded)
{
    if (is_first || succeeded < out->session_ops_min)
        out->session_ops_min = succeeded;
    if (is_first || succeeded > out->session_ops_max)
        out->session_ops_max = succeeded;
}

/* The divisor: gate to the later of the trial time and the last completion that counts. */
static void merge(const struct trial *trial, struct trial_result *out)
{
    const struct trial_config *config = trial->config;
    int64_t start_ns = trial->gate.start_ns;
    tally_init(&out->tally);
    for (unsigned i = 0; i < config->sessions; i++) {
        const struct tally *tally = session_tally(trial->slots[i].session);
        tally_add(&out->tally, tally);
        note_session(out, i == 0, tally->succeeded);
        out->reconnects += trial->slots[i].reconnects;
    }
    out->elapsed_ns = config->trial_time_ns;
    if (out->tally.last_counted_ns - start_ns > out->elapsed_ns)
        out->elapsed_ns = out->tally.last_counted_ns - start_ns;
    out->state = TRIAL_MEASURED;
    for (unsigned i = 0; i < trial->worker_count; i++) {
        out->client_cpu_ns += trial->workers[i].cpu_ns;
        if (trial->workers[i].was_interrupted)
            out->state = TRIAL_INTERRUPTED;
    }
}

static void settle(const struct trial *trial, struct trial_result *out)
{
    const struct trial_config *config = trial->config;
    int64_t patience_ns = config->grace_ns > config->patience_ns ? config->grace_ns : config->patience_ns;
    struct settle_outcome outcome;
    settle_abandoned(config->target, trial->slots, config->sessions, patience_ns, config->on_wait, config->context,
                     &outcome);
    out->abandoned_killed = outcome.killed;
    out->abandoned_left = outcome.left;
    out->settle_ns = outcome.waited_ns;
}

/* False: a worker has not come back. */
static bool run(struct trial *trial, struct trial_result *out, struct error *err)
{
    if (!make_workers(trial, err))
        return true;
    bool ok = start_workers(trial, err);
    if (!wait_for_workers(trial)) {
        error_set(err, "a thread does not come back from libmongoc, %d s after the end of the trial", TRIAL_LATE_S);
        return false;
    }
    if (ok) {
        merge(trial, out);
        settle(trial, out);
    }
    gate_release(&trial->gate);
    return true;
}

static void release(struct trial *trial)
{
    for (unsigned i = 0; trial->slots && i < trial->config->sessions; i++) {
        slot_give_back(&trial->slots[i], trial->config->pool);
        session_free(trial->slots[i].session);
    }
    for (unsigned i = 0; i < trial->worker_count; i++)
        worker_release(&trial->workers[i]);
    crew_free(trial->crew);
    free(trial->workers);
    free(trial->slots);
    free(trial);
}

bool trial_execute(const struct trial_config *config, struct trial_result *out)
{
    struct trial *trial = memory_zeroed(1, sizeof *trial);
    struct error err;
    bool all_back = true;
    error_init(&err);
    *trial = (struct trial){.config = config, .crew = crew_new()};
    out->state = TRIAL_UNPREPARED;
    if (connector_pool_reserve(config->pool, config->sessions, clock_mono_ns() + RESERVE_LIMIT_NS, &err)) {
        make_slots(trial);
        all_back = run(trial, out, &err);
    }
    if (all_back)
        release(trial);
    if (out->state == TRIAL_UNPREPARED) {
        snprintf(out->reason, sizeof out->reason, "%.*s", (int)sizeof out->reason - 1, err.message);
        if (interrupt_signal())
            out->state = TRIAL_INTERRUPTED;
    }
    return all_back;
}
