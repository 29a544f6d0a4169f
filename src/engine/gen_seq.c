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
    int64_t start, step, mod; /* mod 0: none */
    bool unique;
};

/* Sessions start 2^40 apart: a million million values each for more than four million sessions. */
#define UNIQUE_SHIFT 40

static size_t put_seq_int(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct seq_int *seq = (const struct seq_int *)gen;
    struct gen_sequence *sequence = &state->sequences[seq->sequence];
    uint64_t value;
    if (sequence->begun)
        value = (uint64_t)sequence->previous + (uint64_t)seq->step;
    else
        value = (uint64_t)seq->start + (seq->unique ? (uint64_t)state->id << UNIQUE_SHIFT : 0);
    sequence->begun = true;
    /* mongo-perf goes on from the reduced value. */
    sequence->previous = seq->mod ? (int64_t)value % seq->mod : (int64_t)value;
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

static int64_t number_at(const json_t *argument, const char *key)
{
    int64_t number = 0;
    ejson_is_whole(json_object_get(argument, key), &number);
    return number;
}

const struct gen *gen_make_seq_int(struct compiler *compiler, const json_t *argument)
{
    struct seq_int *seq = arena_alloc(&compiler->plan->arena, sizeof *seq);
    seq->start = number_at(argument, "start");
    seq->step = number_at(argument, "step");
    seq->mod = number_at(argument, "mod");
    seq->unique = json_is_true(json_object_get(argument, "unique"));
    seq->sequence = find_sequence(compiler->plan, number_at(argument, "seq_id"));
    seq->gen.put = put_seq_int;
    seq->gen.types = 1u << WIRE_INT64;
    seq->gen.size_min = seq->gen.size_max = 8;
    seq->gen.low = INT64_MIN;
    seq->gen.high = INT64_MAX;
    if (seq->mod) {
        seq->gen.high = seq->mod - 1;
        /* Another use of this seq_id may step below zero, and the remainder keeps the sign. */
        seq->gen.low = -seq->gen.high;
    }
    return &seq->gen;
}
