/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/memory.h"
#include "engine/compile.h"
#include "engine/gen.h"
#include "engine/plan_parts.h"

/* #SEQ_INT: an int64 that goes on by `step`; a state for each session and seq_id. */
struct seq_int {
    struct gen gen;
    size_t sequence;
    struct gen_number start, step, mod;
    bool unique, has_mod;
};

/* Sessions start 2^40 apart: a million million values each for more than four million sessions. */
#define UNIQUE_SHIFT 40

static size_t put_seq_int(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct seq_int *seq = (const struct seq_int *)gen;
    struct gen_sequence *sequence = &state->sequences[seq->sequence];
    uint64_t value;
    if (sequence->begun)
        value = (uint64_t)sequence->previous + (uint64_t)gen_number_next(&seq->step, state);
    else
        value = (uint64_t)gen_number_next(&seq->start, state) + (seq->unique ? (uint64_t)state->id << UNIQUE_SHIFT : 0);
    sequence->begun = true;
    /* mongo-perf goes on from the reduced value. */
    sequence->previous = seq->has_mod ? (int64_t)value % gen_number_next(&seq->mod, state) : (int64_t)value;
    wire_put_u64(out, (uint64_t)sequence->previous);
    *type = WIRE_INT64;
    return 8;
}

static size_t find_sequence(struct plan *plan, int64_t seq_id)
{
    for (size_t i = 0; i < plan->sequence_count; i++) {
        if (plan->sequence_ids[i] == seq_id)
            return i;
    }
    plan->sequence_ids = memory_resize(plan->sequence_ids, plan->sequence_count + 1, sizeof *plan->sequence_ids);
    plan->sequence_ids[plan->sequence_count] = seq_id;
    return plan->sequence_count++;
}

static bool compile_number(struct compiler *compiler, const json_t *argument, const char *key,
                           struct gen_number *number)
{
    return gen_number_compile(compiler, json_object_get(argument, key), key, number) || compile_at(compiler, key);
}

static bool check_keys(struct compiler *compiler, const json_t *argument)
{
    static const char *const known[] = {"seq_id", "start", "step", "unique", "mod"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)argument, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || strcmp(known[i], key) == 0;
        if (!found) {
            error_set(compiler->err, "unknown key; expected seq_id, start, step, unique or mod");
            return compile_at(compiler, key);
        }
    }
    return true;
}

static bool compile_options(struct compiler *compiler, const json_t *argument, struct seq_int *seq)
{
    const json_t *unique = json_object_get(argument, "unique");
    seq->unique = json_is_true(unique);
    if (unique && !json_is_boolean(unique)) {
        error_set(compiler->err, "expected true or false");
        return compile_at(compiler, "unique");
    }
    seq->has_mod = json_object_get(argument, "mod") != NULL;
    if (!seq->has_mod)
        return true;
    if (!compile_number(compiler, argument, "mod", &seq->mod))
        return false;
    if (seq->mod.low > 0)
        return true;
    error_set(compiler->err, "expected a number greater than 0");
    return compile_at(compiler, "mod");
}

static const struct gen *compile_seq_int(struct compiler *compiler, const char *key, const json_t *argument)
{
    (void)key;
    if (!json_is_object(argument)) {
        error_set(compiler->err, "expected an object with seq_id, start and step");
        return NULL;
    }
    struct seq_int *seq = arena_alloc(&compiler->plan->arena, sizeof *seq);
    struct gen_number seq_id;
    if (!check_keys(compiler, argument) || !compile_number(compiler, argument, "seq_id", &seq_id) ||
        !compile_number(compiler, argument, "start", &seq->start) ||
        !compile_number(compiler, argument, "step", &seq->step) || !compile_options(compiler, argument, seq))
        return NULL;
    if (seq_id.gen) {
        error_set(compiler->err, "expected a plain number");
        return compile_at(compiler, "seq_id"), NULL;
    }
    seq->sequence = find_sequence(compiler->plan, seq_id.low);
    seq->gen.put = put_seq_int;
    seq->gen.types = 1u << WIRE_INT64;
    seq->gen.size_min = seq->gen.size_max = 8;
    seq->gen.low = INT64_MIN;
    seq->gen.high = INT64_MAX;
    if (seq->has_mod) {
        seq->gen.high = seq->mod.high - 1;
        /* Another use of this seq_id may step below zero, and the remainder keeps the sign. */
        seq->gen.low = -seq->gen.high;
    }
    return &seq->gen;
}

const struct gen_kind gen_seq_int = {.name = "#SEQ_INT", .compile = compile_seq_int};
