/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gen_document.h"

#include "engine/compile.h"
#include "engine/plan_parts.h"

struct document_fields {
    struct gen gen;
    struct template template;
};

static size_t put_document(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct document_fields *document = (const struct document_fields *)gen;
    struct template_output output = {.out = out};
    *type = gen_only_type(gen);
    return template_render(&document->template, state, &output);
}

/* The template's memory moves to the arena, which does not know templates. */
static void settle(struct arena *arena, struct template *template)
{
    struct template settled = *template;
    settled.image.data = arena_copy(arena, template->image.data, template->image.size);
    settled.events = arena_copy(arena, template->events, template->event_count * sizeof *template->events);
    template_release(template);
    *template = settled;
}

const struct gen *gen_document(struct compiler *compiler, const json_t *container)
{
    struct template template = {0};
    if (!compile_nested(compiler, &template, container)) {
        template_release(&template);
        return NULL;
    }
    template_finish(&template);
    uint8_t type = json_is_array(container) ? WIRE_ARRAY : WIRE_DOCUMENT;
    size_t size = template.image.size;
    if (size > DOCUMENT_BYTES_MAX) {
        error_set(compiler->err, "the value has %zu bytes; expected at most %d (16 MiB)", size, DOCUMENT_BYTES_MAX);
        template_release(&template);
        return NULL;
    }
    struct arena *arena = &compiler->plan->arena;
    if (template.event_count == 0) {
        const struct gen *constant = gen_constant(compiler, type, template.image.data, size);
        template_release(&template);
        return constant;
    }
    struct document_fields *document = arena_alloc(arena, sizeof *document);
    document->gen.put = put_document;
    document->gen.types = gen_type_bit(type);
    document->gen.size_max = size;
    document->gen.size_min = template_is_fixed(&template) ? size : 0;
    settle(arena, &template);
    document->template = template;
    return &document->gen;
}
