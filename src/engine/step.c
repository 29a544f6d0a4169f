/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/step.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "engine/load.h"
#include "engine/marks.h"

static bool create(struct step_context *context, struct namespace_item *item, const json_t *options, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    BSON_APPEND_UTF8(&command, "create", item->coll);
    bool ok = !options || ejson_append_all(&command, options, &context->own, err);
    ok = ok && target_command(context->target, item->db, &command, NULL, &context->code, err);
    bson_destroy(&command);
    if (ok)
        item->state = NAMESPACE_OURS;
    return ok;
}

bool step_ensure_collection(struct step_context *context, struct namespace_item *item, struct error *err)
{
    return item->state != NAMESPACE_ABSENT || create(context, item, NULL, err);
}

static bool run_drop(struct step_context *context, struct namespace_item *item, const json_t *step, struct error *err)
{
    (void)step;
    if (item->state == NAMESPACE_ABSENT)
        return true;
    item->state = NAMESPACE_ABSENT;
    return marks_drop_collection(context->target, item->db, item->coll, &context->code, err);
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
    json_object_foreach(fields, field, value)
    {
        buffer_append_printf(&name, "%s%s_", name.size > 0 ? "_" : "", field);
        if (json_is_string(value))
            buffer_append_printf(&name, "%s", json_string_value(value));
        else
            buffer_append_printf(&name, "%.15g", json_number_value(value));
    }
    json_decref(fields);
    char *copy = memory_strdup(buffer_text(&name));
    buffer_release(&name);
    return copy;
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
    if (!step_ensure_collection(context, item, err))
        return false;
    bson_t command = BSON_INITIALIZER, indexes, index;
    BSON_APPEND_UTF8(&command, "createIndexes", item->coll);
    BSON_APPEND_ARRAY_BEGIN(&command, "indexes", &indexes);
    BSON_APPEND_DOCUMENT_BEGIN(&indexes, "0", &index);
    bool ok = append_index(&index, context, step, err);
    bson_append_document_end(&indexes, &index);
    bson_append_array_end(&command, &indexes);
    ok = ok && target_command(context->target, item->db, &command, NULL, &context->code, err);
    bson_destroy(&command);
    return ok;
}

static bool run_insert(struct step_context *context, struct namespace_item *item, const json_t *step, struct error *err)
{
    const struct load_config config = {step, &context->own, item->db, item->coll, context->threads, context->seed};
    return step_ensure_collection(context, item, err) && load_documents(context->target, &config, &context->code, err);
}

static struct namespace_item *find(const struct step_context *context, const char *ns)
{
    char *db, *coll;
    namespace_resolve(ns, &context->own, &db, &coll);
    struct namespace_item *item = namespace_set_find(context->set, db, coll);
    free(db);
    free(coll);
    return item;
}

static bool send_command(struct step_context *context, const json_t *command, const char *db, struct error *err)
{
    char *resolved = testcase_resolve_string(db ? db : context->own.db, context->own.db, context->own.coll);
    bson_t document = BSON_INITIALIZER;
    bool ok = ejson_append_all(&document, command, &context->own, err) &&
              target_command(context->target, resolved, &document, NULL, &context->code, err);
    bson_destroy(&document);
    free(resolved);
    return ok;
}

static bool is_command(const char *name, const char *expected)
{
    return name && strcmp(name, expected) == 0;
}

/* The collection that a command writes to is made first, unless making or dropping it is what the command does. */
static bool run_command(struct step_context *context, json_t *step, struct error *err)
{
    json_t *command = json_object_get(step, "command");
    const char *db = json_string_value(json_object_get(step, "db"));
    const char *name = json_object_iter_key(json_object_iter(command));
    const char *coll = db ? NULL : namespace_of_command(command);
    struct namespace_item *written = coll ? find(context, coll) : NULL;
    if (is_command(name, "dropDatabase")) {
        error_set(err, "dropDatabase would drop what benchrun did not make: drop collections instead");
        return false;
    }
    bool drops = written && is_command(name, "drop");
    bool creates = written && is_command(name, "create");
    if (drops)
        return run_drop(context, written, step, err);
    if (written && !creates && !step_ensure_collection(context, written, err))
        return false;
    bool ok = send_command(context, command, db, err);
    if (ok && creates)
        written->state = NAMESPACE_OURS;
    return ok;
}

static bool run_step(struct step_context *context, json_t *step, const char **kind, struct error *err)
{
    static const struct {
        const char *kind;
        bool (*run)(struct step_context *, struct namespace_item *, const json_t *, struct error *);
    } kinds[] = {{"drop", run_drop}, {"create", run_create}, {"index", run_index}, {"insert", run_insert}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!json_object_get(step, kinds[i].kind))
            continue;
        *kind = kinds[i].kind;
        struct namespace_item *item = find(context, json_string_value(json_object_get(step, "ns")));
        return kinds[i].run(context, item, step, err);
    }
    *kind = "command";
    return run_command(context, step, err);
}

bool step_run_all(struct step_context *context, const char *name, const json_t *steps, struct error *err)
{
    uint64_t seed = context->seed;
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(steps); i++) {
        const char *kind;
        /* Each step draws from a stream of its own. */
        context->seed = seed + i;
        ok = run_step(context, json_array_get(steps, i), &kind, err);
        if (!ok)
            error_prefix(err, "/%s/%zu/%s", name, i, kind);
    }
    context->seed = seed;
    return ok;
}
