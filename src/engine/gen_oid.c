/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "engine/compile.h"
#include "engine/gen.h"
#include "engine/plan_parts.h"

/* Big-endian, as the ObjectId specification wants it: 4 bytes of seconds, 5 random ones, 3 of a counter. */
static size_t put_oid(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    (void)gen;
    uint64_t seconds = (uint64_t)(state->wall_ms / 1000);
    uint64_t head = htobe64(seconds << 32 | state->oid_middle >> 8);
    uint32_t tail = htobe32((uint32_t)state->oid_middle << 24 | (state->oid_counter++ & 0xFFFFFF));
    memcpy(out, &head, 8);
    memcpy(out + 8, &tail, 4);
    *type = WIRE_OBJECT_ID;
    return 12;
}

const struct gen *gen_make_oid(struct compiler *compiler, const json_t *argument)
{
    (void)argument;
    struct gen *gen = arena_alloc(&compiler->plan->arena, sizeof *gen);
    gen->put = put_oid;
    gen->types = 1u << WIRE_OBJECT_ID;
    gen->size_min = gen->size_max = 12;
    return gen;
}
