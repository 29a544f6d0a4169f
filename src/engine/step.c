/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "engine/already.h"
#include "engine/effects.h"
#include "engine/load.h"
#include "engine/marks.h"

bool step_answered(struct step_context *context, bool ok)
{
    context->is_unanswered = context->is_unanswered || (!ok && context->code == 0);
    return ok;
}

static struct namespace_item *find(const struct step_context *context, const struct effect *effect)
{
    return namespace_set_find(context->set, effect->db, effect->coll);
}

static const char *command_name(const bson_t *command)
{
    bson_iter_t iter;
    return bson_iter_init(&iter, command) && bson_iter_next(&iter) ? bson_iter_key(&iter) : "";
}

/* An insert is whole when the server confirms as many documents as it was sent. */
static bool is_confirmed(const char *db, const bson_t *command, const bson_t *reply, struct error *err)
{
    bson_iter_t iter, documents;
    int64_t sent = 0, confirmed = -1;
    if (strcmp(command_name(command), "insert") != 0 || !bson_iter_init_find(&iter, command, "documents") ||
        !bson_iter_recurse(&iter, &documents))
        return true;
    while (bson_iter_next(&documents))
        sent++;
    if (bson_iter_init_find(&iter, reply, "n"))
        confirmed = bson_iter_as_int64(&iter);
    if (confirmed != sent)
        error_set(err, "insert on %s: the server confirmed %" PRId64 " of %" PRId64 " documents", db,
                  confirmed < 0 ? 0 : confirmed, sent);
    return confirmed == sent;
}

/* `is_ours`: it is about a collection that we have made, or have found absent and are to drop. */
static bool send_command(struct step_context *context, const char *db, const bson_t *command, bool is_ours,
                         struct error *err)
{
    bson_t reply;
    struct error refusal = {0};
    bool ok = step_answered(context, target_command(context->target, db, command, &reply, &context->code, &refusal));
    if (ok)
        ok = is_confirmed(db, command, &reply, &refusal);
    else if (context->code != 0 && is_ours)
        ok = already_so(context->target, db, command, context->code, &refusal);
    bson_destroy(&reply);
    if (ok)
        context->code = 0;
    else
        error_set(err, "%s", refusal.message);
    return ok;
}

static bool create(struct step_context *context, struct namespace_item *item, const json_t *options, struct error *err);

/* In a clean-up it may be somebody's by now. */
static bool is_allowed(const struct namespace_item *item, struct error *err)
{
    if (item->state != NAMESPACE_FOREIGN)
        return true;
    error_set(err, "%s.%s is not the collection that was made for this test any more", item->db, item->coll);
    return false;
}

/* What a server would make by itself is made first, so that its mark has a uuid before anything is in it. */
static bool before(struct step_context *context, const struct effects *effects, struct error *err)
{
    for (size_t i = 0; i < effects->count; i++) {
        struct namespace_item *item = find(context, &effects->items[i]);
        bool is_written = effects->items[i].kinds & EFFECT_WRITES;
        if (!is_allowed(item, err) || (is_written && !step_ensure_collection(context, item, err)))
            return false;
    }
    for (size_t i = 0; i < effects->count; i++)
        if (effects->items[i].kinds & EFFECT_MAKES)
            find(context, &effects->items[i])->is_being_made = true;
    return true;
}

static bool after(struct step_context *context, const struct effects *effects, struct error *err)
{
    for (size_t i = 0; i < effects->count; i++) {
        struct namespace_item *item = find(context, &effects->items[i]);
        unsigned kinds = effects->items[i].kinds;
        if ((kinds & EFFECT_MAKES) && !step_answered(context, marks_made(context->target, item, &context->code, err)))
            return false;
        if (kinds == EFFECT_DROPS)
            item->state = NAMESPACE_ABSENT;
    }
    return true;
}

/* A command that was refused makes nothing. */
static void forget_making(struct step_context *context, const struct effects *effects)
{
    for (size_t i = 0; context->code != 0 && i < effects->count; i++)
        find(context, &effects->items[i])->is_being_made = false;
}

static bool is_drop_of_nothing(const struct step_context *context, const struct effects *effects)
{
    return effects->count == 1 && effects->items[0].kinds == EFFECT_DROPS &&
           find(context, &effects->items[0])->state == NAMESPACE_ABSENT;
}

static bool carry_out(struct step_context *context, const char *db, const bson_t *command,
                      const struct effects *effects, struct error *err)
{
    if (is_drop_of_nothing(context, effects))
        return true;
    if (!before(context, effects, err))
        return false;
    bool is_ours = effects->count == 1 && find(context, &effects->items[0])->state == NAMESPACE_OURS;
    if (send_command(context, db, command, is_ours, err))
        return after(context, effects, err);
    forget_making(context, effects);
    return false;
}

/* A command on one collection. */
static bool carry_out_on(struct step_context *context, struct namespace_item *item, const bson_t *command,
                         unsigned kinds, struct error *err)
{
    struct effect effect = {item->db, item->coll, kinds};
    const struct effects effects = {.items = &effect, .count = 1};
    return carry_out(context, item->db, command, &effects, err);
}

static bool create(struct step_context *context, struct namespace_item *item, const json_t *options, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    BSON_APPEND_UTF8(&command, "create", item->coll);
    bool ok = (!options || ejson_append_all(&command, options, &context->own, err)) &&
              carry_out_on(context, item, &command, EFFECT_MAKES, err);
    bson_destroy(&command);
    return ok;
}

bool step_ensure_collection(struct step_context *context, struct namespace_item *item, struct error *err)
{
    if (item->state == NAMESPACE_ABSENT)
        return create(context, item, NULL, err);
    return is_allowed(item, err);
}

static bool run_drop(struct step_context *context, struct namespace_item *item, const json_t *step, struct error *err)
{
    (void)step;
    bson_t command = BSON_INITIALIZER;
    BSON_APPEND_UTF8(&command, "drop", item->coll);
    bool ok = carry_out_on(context, item, &command, EFFECT_DROPS, err);
    bson_destroy(&command);
    return ok;
}

static bool run_create(struct step_context *context, struct namespace_item *item, const json_t *step, struct error *err)
{
    return create(context, item, json_object_get(step, "create"), err);
}

/* "a_1_b_-1": the name that the shell gives an index. The caller frees. */
static char *index_name(const json_t *key)
{
    struct buffer name = {0};
    const char *field;
    json_t *value;
    json_t *fields = json_deep_copy(key);
    json_object_foreach(fields, field, value) {
        buffer_append_printf(&name, "%s%s_", name.size > 0 ? "_" : "", field);
        if (json_is_string(value))
            buffer_append_printf(&name, "%s", json_string_value(value));
        else
            buffer_append_printf(&name, "%.15g", json_number_value(value));
    }
    json_decref(fields);
    return buffer_detach(&name);
}

static bool append_index(bson_t *index, const struct step_context *context, const json_t *step, struct error *err)
{
    const json_t *key = json_object_get(step, "index");
    const json_t *options = json_object_get(step, "options");
    bson_t keys;
    BSON_APPEND_DOCUMENT_BEGIN(index, "key", &keys);
    bool ok = ejson_append_all(&keys, key, &context->own, err);
    bson_append_document_end(index, &keys);
    if (ok && !json_object_get(options, "name")) {
        char *name = index_name(key);
        BSON_APPEND_UTF8(index, "name", name);
        free(name);
    }
    return ok && (!options || ejson_append_all(index, options, &context->own, err));
}

static bool run_index(struct step_context *context, struct namespace_item *item, const json_t *step, struct error *err)
{
    bson_t command = BSON_INITIALIZER, indexes, index;
    BSON_APPEND_UTF8(&command, "createIndexes", item->coll);
    BSON_APPEND_ARRAY_BEGIN(&command, "indexes", &indexes);
    BSON_APPEND_DOCUMENT_BEGIN(&indexes, "0", &index);
    bool ok = append_index(&index, context, step, err);
    bson_append_document_end(&indexes, &index);
    bson_append_array_end(&command, &indexes);
    ok = ok && carry_out_on(context, item, &command, EFFECT_WRITES, err);
    bson_destroy(&command);
    return ok;
}

static bool run_insert(struct step_context *context, struct namespace_item *item, const json_t *step, struct error *err)
{
    const struct load_config config = {step, &context->own, item->db, item->coll, context->threads, context->seed};
    return step_ensure_collection(context, item, err) &&
           load_documents(context->target, &config, &context->code, &context->is_unanswered, err);
}

static bool run_command_step(struct step_context *context, const json_t *step, struct error *err)
{
    const char *db = json_string_value(json_object_get(step, "db"));
    char *resolved = testcase_resolve_string(db ? db : context->own.db, context->own.db, context->own.coll);
    struct effects effects = {0};
    bson_t command = BSON_INITIALIZER;
    bool ok = effects_of_command(step, &context->own, &effects, err) &&
              ejson_append_all(&command, json_object_get(step, "command"), &context->own, err) &&
              carry_out(context, resolved, &command, &effects, err);
    bson_destroy(&command);
    effects_release(&effects);
    free(resolved);
    return ok;
}

static struct namespace_item *find_named(const struct step_context *context, const json_t *step)
{
    struct effect named = {0};
    testcase_resolve_namespace(json_string_value(json_object_get(step, "ns")), context->own.db, context->own.coll,
                               &named.db, &named.coll);
    struct namespace_item *item = find(context, &named);
    free(named.db);
    free(named.coll);
    return item;
}

static bool run_step(struct step_context *context, const json_t *step, const char **kind, struct error *err)
{
    static const struct {
        const char *kind;
        bool (*run)(struct step_context *, struct namespace_item *, const json_t *, struct error *);
    } kinds[] = {{"drop", run_drop}, {"create", run_create}, {"index", run_index}, {"insert", run_insert}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (!json_object_get(step, kinds[i].kind))
            continue;
        *kind = kinds[i].kind;
        return kinds[i].run(context, find_named(context, step), step, err);
    }
    *kind = "command";
    return run_command_step(context, step, err);
}

/* A refusal that the definition expects from some servers: remembered, and the set-up goes on. */
static bool is_tolerated(struct step_context *context, const json_t *step, const struct error *refusal)
{
    const json_t *codes = json_object_get(step, "mayFail");
    for (size_t i = 0; context->code != 0 && i < json_array_size(codes); i++) {
        if (json_integer_value(json_array_get(codes, i)) != context->code)
            continue;
        tally_reason_add(&context->setup_failures, context->code, refusal->message, strlen(refusal->message), 1);
        context->code = 0;
        return true;
    }
    return false;
}

bool step_run_all(struct step_context *context, const char *name, const json_t *steps, struct error *err)
{
    uint64_t seed = context->seed;
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, i);
        const char *kind;
        struct error failure = {0};
        /* Each step draws from a stream of its own. */
        context->seed = seed + i;
        ok = run_step(context, step, &kind, &failure);
        if (!ok) {
            error_prefix(&failure, "/%s/%zu/%s", name, i, kind);
            ok = is_tolerated(context, step, &failure);
        }
        if (!ok)
            error_set(err, "%s", failure.message);
    }
    context->seed = seed;
    return ok;
}
