/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/compile.h"
#include "engine/gen.h"
#include "engine/plan_parts.h"

/* #CUR_DATE: now and an offset in milliseconds. */
struct cur_date {
    struct gen gen;
    struct gen_number offset_ms;
};

static size_t put_cur_date(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct cur_date *date = (const struct cur_date *)gen;
    wire_put_u64(out, (uint64_t)state->wall_ms + (uint64_t)gen_number_next(&date->offset_ms, state));
    *type = WIRE_DATE;
    return 8;
}

const struct gen *gen_make_cur_date(struct compiler *compiler, const json_t *argument)
{
    struct cur_date *date = arena_alloc(&compiler->plan->arena, sizeof *date);
    if (!gen_number_compile(compiler, argument, &date->offset_ms))
        return NULL;
    date->gen.put = put_cur_date;
    date->gen.types = 1u << WIRE_DATE;
    date->gen.size_min = date->gen.size_max = 8;
    return &date->gen;
}
