/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/op.h"
#include "engine/plan_parts.h"

unsigned plan_collection_count(const struct plan_config *config)
{
    return config->multidb * config->multicoll;
}

void plan_names_init(struct plan_names *names, const struct testcase *test, const struct plan_config *config,
                     unsigned number)
{
    names->db = memory_printf("test%u", number / config->multicoll);
    names->coll = testcase_collection_name(test->name, number % config->multicoll);
}

void plan_names_release(struct plan_names *names)
{
    free(names->db);
    free(names->coll);
}

static struct op *add_op(struct plan *plan)
{
    if (plan->op_count == plan->op_capacity) {
        plan->op_capacity = plan->op_capacity ? plan->op_capacity * 2 : 4;
        plan->ops = memory_resize(plan->ops, plan->op_capacity, sizeof *plan->ops);
    }
    struct op *op = &plan->ops[plan->op_count++];
    *op = (struct op){0};
    return op;
}

static bool compile_op(struct compiler *compiler, const json_t *definition)
{
    struct op *op = add_op(compiler->plan);
    op->kind = op_kind(operation_find(json_string_value(json_object_get(definition, "op"))));
    op->delay_ns = json_integer_value(json_object_get(definition, "delay")) * CLOCK_NS_PER_MS;
    if (!op->kind->run)
        compiler->plan->server_op_count++;
    return op->kind->compile(compiler, definition, op);
}

/* The op at this place of the definition, on every collection. */
static bool compile_everywhere(struct compiler *compiler, const json_t *definition)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < plan_collection_count(compiler->config); i++) {
        struct plan_names names;
        plan_names_init(&names, compiler->test, compiler->config, i);
        compiler->names = (struct ejson_names){.db = names.db, .coll = names.coll};
        ok = compile_op(compiler, definition);
        plan_names_release(&names);
    }
    return ok;
}

static bool compile_all(struct compiler *compiler)
{
    const json_t *ops = compiler->test->ops;
    compiler->lets = arena_alloc(&compiler->plan->arena, json_array_size(ops) * sizeof *compiler->lets);
    for (size_t i = 0; i < json_array_size(ops); i++) {
        compiler->op_index = i;
        if (!compile_everywhere(compiler, json_array_get(ops, i))) {
            compile_at_index(compiler, i);
            return compile_at(compiler, "ops");
        }
    }
    return true;
}

/* A session keeps at most so many bytes of ready messages; what comes on top is rendered each time. */
#define PATCHED_SIZE_MAX (1u << 20)

/* Slots of a message of one size, at their places among the private bytes. */
static void list_patches(struct plan *plan, struct op *op)
{
    const struct template *message = &op->message;
    op->patches = arena_alloc(&plan->arena, message->event_count * sizeof *op->patches);
    size_t place = 0, shared = 0;
    for (size_t i = 0; i < message->event_count; i++) {
        const struct template_event *event = &message->events[i];
        if (event->offset - place > TEMPLATE_SHARE_MIN)
            shared += event->offset - place;
        place = event->offset + event->size;
        if (event->kind == TEMPLATE_VALUE)
            op->patches[op->patch_count++] =
                (struct op_patch){.place = (uint32_t)(event->offset - shared), .gen = event->gen};
    }
}

/* Decides how each message is made, and what a session needs for that. */
static void lay_out(struct plan *plan)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        struct op *op = &plan->ops[i];
        if (op->kind->run)
            continue;
        size_t runs, shared;
        template_measure_shared(&op->message, &runs, &shared);
        size_t private = op->message.image.size - shared, iov_count = 2 * runs + 1;
        op->patched = template_is_fixed(&op->message) && plan->private_size + private <= PATCHED_SIZE_MAX;
        if (op->patched) {
            list_patches(plan, op);
            plan->private_size += private;
            plan->iov_count += iov_count;
            continue;
        }
        if (private > plan->scratch_size)
            plan->scratch_size = private;
        if (iov_count > plan->scratch_iov_count)
            plan->scratch_iov_count = iov_count;
    }
}

struct plan *plan_new(const struct testcase *test, const struct plan_config *config, struct error *err)
{
    struct plan *plan = memory_zeroed(1, sizeof *plan);
    plan->sessions = config->sessions;
    /* Not from the seed: two runs with one seed must not make the same ObjectIds. */
    if (getrandom(&plan->oid_middle, sizeof plan->oid_middle, 0) < 0)
        plan->oid_middle = (uint64_t)clock_mono_ns();
    struct compiler compiler = {.plan = plan, .config = config, .test = test, .err = err};
    if (!compile_all(&compiler)) {
        plan_free(plan);
        return NULL;
    }
    lay_out(plan);
    return plan;
}

void plan_free(struct plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->op_count; i++)
        template_release(&plan->ops[i].message);
    free(plan->ops);
    free(plan->sequence_ids);
    free(plan->variables);
    free(plan->double_texts);
    arena_release(&plan->arena);
    free(plan);
}

size_t plan_op_count(const struct plan *plan)
{
    return plan->op_count;
}

size_t plan_server_op_count(const struct plan *plan)
{
    return plan->server_op_count;
}
