/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/prepare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/effects.h"
#include "engine/load.h"
#include "engine/marks.h"
#include "engine/server_codes.h"
#include "engine/step.h"

/* A server drops in the background within seconds; mongo-perf would wait a thousand. */
#define PENDING_DROP_LIMIT_NS (120 * CLOCK_NS_PER_SEC)
#define PENDING_DROP_PAUSE_NS (100 * CLOCK_NS_PER_MS)

struct prepare_config prepare_config_for(const struct run_options *options, size_t rung)
{
    return (struct prepare_config){.multidb = options->multidb,
                                   .multicoll = options->multicoll,
                                   .threads = options->threads[rung],
                                   .seed = options->seed,
                                   .force = options->force};
}

/* Different data in every collection and step, the same in every trial. */
static uint64_t seed_of(const struct prepare_config *config, unsigned collection)
{
    return config->seed ^ ((uint64_t)(collection + 1) << 32);
}

struct preparation {
    const struct testcase *test;
    struct prepare_config config;
    struct namespace_set set;
    struct step_context context;
    bool is_touched, is_post_done, is_clean;
};

/* Runs `function` for each of the collections that benchrun names after the test. */
static bool for_each_collection(struct preparation *preparation, bool (*function)(struct preparation *, struct error *),
                                struct error *err)
{
    const struct prepare_config *config = &preparation->config;
    struct step_context *context = &preparation->context;
    bool ok = true;
    for (unsigned i = 0; ok && i < config->multidb * config->multicoll; i++) {
        char *db = memory_printf("test%u", i / config->multicoll);
        char *coll = testcase_collection_name(preparation->test->name, i % config->multicoll);
        context->own = (struct ejson_names){db, coll};
        context->threads = config->threads;
        context->seed = seed_of(config, i);
        ok = function(preparation, err);
        if (!ok)
            error_prefix(err, "%s.%s", db, coll);
        free(db);
        free(coll);
    }
    return ok;
}

static struct namespace_item *own_item(const struct preparation *preparation)
{
    return namespace_set_find(&preparation->set, preparation->context.own.db, preparation->context.own.coll);
}

static bool run_pre(struct preparation *preparation, struct error *err)
{
    if (interrupt_signal()) {
        error_set(err, "interrupted");
        return false;
    }
    return step_run_all(&preparation->context, "pre", preparation->test->pre, err) &&
           step_ensure_collection(&preparation->context, own_item(preparation), err);
}

static bool run_post(struct preparation *preparation, struct error *err)
{
    return own_item(preparation)->state != NAMESPACE_OURS ||
           step_run_all(&preparation->context, "post", preparation->test->post, err);
}

/* What the first operation would make by itself would have no uuid in its mark. */
static bool ensure_for_ops(struct preparation *preparation, struct error *err)
{
    for (size_t i = 0; i < preparation->set.count; i++) {
        struct namespace_item *item = &preparation->set.items[i];
        if ((item->by_ops & EFFECT_WRITES) && !step_ensure_collection(&preparation->context, item, err)) {
            error_prefix(err, "%s.%s", item->db, item->coll);
            return false;
        }
    }
    return true;
}

/* Looks at everything before it touches anything. */
static bool refuse_foreign(const struct namespace_set *set, bool force, struct error *err)
{
    for (size_t i = 0; i < set->count && !force; i++) {
        const struct namespace_item *item = &set->items[i];
        if (item->state != NAMESPACE_FOREIGN)
            continue;
        error_set(err,
                  item->maybe_ours
                      ? "the collection %s.%s is there already; a run of benchrun that was killed was about "
                        "to make it, but nothing shows that it has: look into it, then drop it yourself, "
                        "or let benchrun drop it (--force)"
                      : "the collection %s.%s is there already and was not made by benchrun: rename or drop "
                        "it yourself, or let benchrun drop it (--force)",
                  item->db, item->coll);
        return false;
    }
    return true;
}

static bool drop_all(struct preparation *preparation, bool foreign_too, struct error *err)
{
    struct step_context *context = &preparation->context;
    bool ok = true;
    for (size_t i = 0; i < preparation->set.count; i++) {
        struct namespace_item *item = &preparation->set.items[i];
        if (item->state == NAMESPACE_ABSENT || (item->state == NAMESPACE_FOREIGN && !foreign_too))
            continue;
        if (step_answered(context, marks_drop_collection(context->target, item->db, item->coll, &context->code, err))) {
            item->state = NAMESPACE_ABSENT;
            item->has_uuid = false;
        } else {
            ok = false;
        }
    }
    return ok;
}

static bool wait_for_drops(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err)
{
    int64_t limit_ns = clock_mono_ns() + PENDING_DROP_LIMIT_NS;
    for (;;) {
        bool pending;
        if (!marks_pending_drop(target, set, &pending, code, err))
            return false;
        if (!pending)
            return true;
        if (interrupt_signal() || clock_mono_ns() > limit_ns) {
            error_set(err,
                      "the server is still dropping collections (system.drop.*) after %d s: it waits for a majority of "
                      "the set; is a member down or far behind?",
                      (int)(PENDING_DROP_LIMIT_NS / CLOCK_NS_PER_SEC));
            return false;
        }
        clock_sleep_ns(PENDING_DROP_PAUSE_NS);
    }
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

static bool prepare(struct preparation *preparation, struct error *err)
{
    struct step_context *context = &preparation->context;
    struct target *target = context->target;
    struct namespace_set *set = &preparation->set;
    bool force = preparation->config.force;
    if (!target_is_alive(target, err) || !marks_look(target, set, &context->code, err) ||
        !refuse_foreign(set, force, err))
        return false;
    preparation->is_touched = true;
    if (!drop_all(preparation, force, err) || !step_answered(context, marks_write(target, set, &context->code, err)) ||
        !for_each_collection(preparation, run_pre, err) || !ensure_for_ops(preparation, err) ||
        !wait_for_drops(target, set, &context->code, err))
        return false;
    flush(target);
    return true;
}

static enum prepare_state state_after(bool ok, int32_t code)
{
    if (interrupt_signal())
        return PREPARE_INTERRUPTED;
    if (ok)
        return PREPARE_READY;
    return server_code_is_missing(code) ? PREPARE_UNSUPPORTED : PREPARE_REFUSED;
}

struct preparation *prepare_test(struct target *target, const struct testcase *test,
                                 const struct prepare_config *config, struct prepare_outcome *outcome)
{
    struct preparation *preparation = memory_zeroed(1, sizeof *preparation);
    struct step_context *context = &preparation->context;
    *preparation = (struct preparation){.test = test, .config = *config};
    *context = (struct step_context){.target = target, .set = &preparation->set};
    error_init(&outcome->error);
    bool ok = namespace_set_init(&preparation->set, test, config->multidb, config->multicoll, &outcome->error) &&
              prepare(preparation, &outcome->error);
    outcome->code = ok ? 0 : context->code;
    outcome->state = state_after(ok, outcome->code);
    outcome->setup_failures = context->setup_failures;
    if (preparation->is_touched)
        return preparation;
    preparation_free(preparation);
    return NULL;
}

bool preparation_is_unanswered(const struct preparation *preparation)
{
    return preparation->context.is_unanswered;
}

bool preparation_is_clean(const struct preparation *preparation)
{
    return preparation->is_clean;
}

const struct namespace_set *preparation_collections(const struct preparation *preparation)
{
    return &preparation->set;
}

void preparation_free(struct preparation *preparation)
{
    if (preparation)
        namespace_set_release(&preparation->set);
    free(preparation);
}

/* By somebody else, or by an operation of ours that was given up: nothing tells which. */
static bool check_replaced(const struct namespace_set *set, struct error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].state != NAMESPACE_FOREIGN)
            continue;
        error_set(
            err,
            "%s.%s is not the collection that was made for this test: it has been dropped and made anew since, and "
            "is left alone",
            set->items[i].db, set->items[i].coll);
        return false;
    }
    return true;
}

bool prepare_clean_up(struct target *target, struct preparation *preparation, struct error *err)
{
    struct step_context *context = &preparation->context;
    context->is_unanswered = false;
    if (!target_is_alive(target, err) || !marks_look_again(target, &preparation->set, &context->code, err))
        return false;
    /* Each of these is done whatever became of the one before: nothing of ours is to stay. */
    bool post = preparation->is_post_done || for_each_collection(preparation, run_post, err);
    preparation->is_post_done = true;
    bool drop = drop_all(preparation, false, err);
    preparation->is_clean =
        step_answered(context, marks_strike(target, &preparation->set, &context->code, err)) && drop;
    return preparation->is_clean && post && check_replaced(&preparation->set, err);
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
