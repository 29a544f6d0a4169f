/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/prepare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/load.h"
#include "engine/marks.h"
#include "engine/server_codes.h"
#include "engine/step.h"

/* A server drops in the background within seconds; mongo-perf would wait a thousand. */
#define PENDING_DROP_LIMIT_NS (120 * CLOCK_NS_PER_SEC)
#define PENDING_DROP_PAUSE_NS (100 * CLOCK_NS_PER_MS)

/* Different data in every collection and step, the same in every trial. */
static uint64_t seed_of(const struct prepare_config *config, unsigned collection)
{
    return config->seed ^ ((uint64_t)(collection + 1) << 32);
}

/* Runs `function` for each of the collections that benchrun names after the test. */
static bool for_each_collection(struct step_context *context, const struct testcase *test,
                                const struct prepare_config *config,
                                bool (*function)(struct step_context *, const struct testcase *, struct error *),
                                struct error *err)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < config->multidb * config->multicoll; i++) {
        char *db = memory_printf("test%u", i / config->multicoll);
        char *coll = testcase_collection_name(test->name, i % config->multicoll);
        context->own = (struct ejson_names){db, coll};
        context->threads = config->threads;
        context->seed = seed_of(config, i);
        ok = function(context, test, err);
        if (!ok)
            error_prefix(err, "%s.%s", db, coll);
        free(db);
        free(coll);
    }
    return ok;
}

static bool run_pre(struct step_context *context, const struct testcase *test, struct error *err)
{
    if (interrupt_signal()) {
        error_set(err, "interrupted");
        return false;
    }
    return step_run_all(context, "pre", test->pre, err) &&
           step_ensure_collection(context, namespace_set_find(context->set, context->own.db, context->own.coll), err);
}

static bool run_post(struct step_context *context, const struct testcase *test, struct error *err)
{
    const struct namespace_item *item = namespace_set_find(context->set, context->own.db, context->own.coll);
    return item->state != NAMESPACE_OURS || step_run_all(context, "post", test->post, err);
}

/* Looks at everything before it touches anything. */
static bool refuse_foreign(const struct namespace_set *set, bool force, struct error *err)
{
    for (size_t i = 0; i < set->count && !force; i++) {
        const struct namespace_item *item = &set->items[i];
        if (item->state != NAMESPACE_FOREIGN)
            continue;
        error_set(err,
                  "the collection %s.%s is there already and was not made by benchrun: rename or drop it yourself, or "
                  "let benchrun drop it (--force)",
                  item->db, item->coll);
        return false;
    }
    return true;
}

static bool drop_all(struct target *target, struct namespace_set *set, bool foreign_too, int32_t *code,
                     struct error *err)
{
    bool ok = true;
    for (size_t i = 0; i < set->count; i++) {
        struct namespace_item *item = &set->items[i];
        if (item->state == NAMESPACE_ABSENT || (item->state == NAMESPACE_FOREIGN && !foreign_too))
            continue;
        if (marks_drop_collection(target, item->db, item->coll, code, err))
            item->state = NAMESPACE_ABSENT;
        else
            ok = false;
    }
    return ok;
}

static bool wait_for_drops(struct target *target, const struct namespace_set *set, bool pending, int32_t *code,
                           struct error *err)
{
    int64_t limit_ns = clock_mono_ns() + PENDING_DROP_LIMIT_NS;
    while (pending) {
        if (interrupt_signal() || clock_mono_ns() > limit_ns) {
            error_set(err,
                      "the server is still dropping collections (system.drop.*) after %d s: it waits for a majority of "
                      "the set; is a member down or far behind?",
                      (int)(PENDING_DROP_LIMIT_NS / CLOCK_NS_PER_SEC));
            return false;
        }
        clock_sleep_ns(PENDING_DROP_PAUSE_NS);
        if (!marks_pending_drop(target, set, &pending, code, err))
            return false;
    }
    return true;
}

/* What it cannot or may not do is no failure of the test; it is asked once. */
static void flush(struct target *target)
{
    if (target->flush_refusal)
        return;
    bson_t command = BSON_INITIALIZER;
    struct error reason = {0};
    BSON_APPEND_INT32(&command, "fsync", 1);
    int32_t code;
    if (!target_command(target, "admin", &command, NULL, &code, &reason) && code != 0)
        target->flush_refusal = memory_strdup(reason.message);
    bson_destroy(&command);
}

static bool prepare(struct step_context *context, const struct testcase *test, const struct prepare_config *config,
                    struct error *err)
{
    struct target *target = context->target;
    struct namespace_set *set = context->set;
    int32_t *code = &context->code;
    bool pending;
    if (!target_is_alive(target, err) || !marks_look(target, set, code, err) ||
        !refuse_foreign(set, config->force, err) || !drop_all(target, set, config->force, code, err) ||
        !marks_write(target, set, code, err) || !for_each_collection(context, test, config, run_pre, err) ||
        !marks_fill(target, set, &pending, code, err) || !wait_for_drops(target, set, pending, code, err))
        return false;
    flush(target);
    return true;
}

void prepare_test(struct target *target, const struct testcase *test, const struct prepare_config *config,
                  struct prepare_outcome *outcome)
{
    struct namespace_set set;
    struct step_context context = {.target = target, .set = &set};
    error_init(&outcome->error);
    namespace_set_init(&set, test, config->multidb, config->multicoll);
    bool ok = prepare(&context, test, config, &outcome->error);
    namespace_set_release(&set);
    outcome->code = ok ? 0 : context.code;
    if (interrupt_signal())
        outcome->state = TRIAL_INTERRUPTED;
    else if (ok)
        outcome->state = TRIAL_MEASURED;
    else
        outcome->state = server_code_is_missing(context.code) ? TRIAL_UNSUPPORTED : TRIAL_UNPREPARED;
}

static bool clean_up(struct step_context *context, const struct testcase *test, const struct prepare_config *config,
                     struct error *err)
{
    struct target *target = context->target;
    struct namespace_set *set = context->set;
    int32_t code;
    if (!target_is_alive(target, err) || !marks_look(target, set, &code, err))
        return false;
    /* Each of these is done whatever became of the one before: nothing of ours is to stay. */
    bool post = for_each_collection(context, test, config, run_post, err);
    bool drop = drop_all(target, set, false, &code, err);
    return (drop && marks_strike(target, set, &code, err)) && post;
}

bool prepare_clean_up(struct target *target, const struct testcase *test, const struct prepare_config *config,
                      struct error *err)
{
    struct namespace_set set;
    struct step_context context = {.target = target, .set = &set};
    namespace_set_init(&set, test, config->multidb, config->multicoll);
    bool ok = clean_up(&context, test, config, err);
    namespace_set_release(&set);
    return ok;
}

bool prepare_estimate(const struct testcase *test, const struct prepare_config *config, uint64_t *documents,
                      uint64_t *bytes, struct error *err)
{
    uint64_t one_documents = 0, one_bytes = 0;
    char *coll = testcase_collection_name(test->name, 0);
    const struct ejson_names names = {"test0", coll};
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(test->pre); i++) {
        const struct load_config load = {json_array_get(test->pre, i), &names, names.db, coll, config->threads,
                                         seed_of(config, 0) + i};
        if (json_object_get(load.step, "insert") && !load_estimate(&load, &one_documents, &one_bytes, err)) {
            error_prefix(err, "/pre/%zu/insert", i);
            ok = false;
        }
    }
    free(coll);
    uint64_t collections = (uint64_t)config->multidb * config->multicoll;
    *documents = one_documents * collections;
    *bytes = one_bytes * collections;
    return ok;
}
