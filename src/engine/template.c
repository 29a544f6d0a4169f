/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/template.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void template_release(struct template *template)
{
    buffer_release(&template->image);
    free(template->events);
    *template = (struct template){0};
}

static struct template_event *add_event(struct template *template, enum template_event_kind kind, size_t size)
{
    if (template->event_count == template->event_capacity) {
        template->event_capacity = template->event_capacity ? template->event_capacity * 2 : 8;
        template->events = memory_resize(template->events, template->event_capacity, sizeof *template->events);
    }
    struct template_event *event = &template->events[template->event_count++];
    *event = (struct template_event){.kind = kind, .offset = (uint32_t) template->image.size, .size = (uint32_t)size};
    return event;
}

void template_add_bytes(struct template *template, const void *bytes, size_t size)
{
    buffer_append(&template->image, bytes, size);
}

void template_add_index(struct template *template, uint8_t type, size_t index)
{
    char key[24];
    int length = snprintf(key, sizeof key, "%zu", index);
    template_add_bytes(template, &type, 1);
    template_add_bytes(template, key, (size_t)length + 1);
}

void template_add_private(struct template *template, const void *bytes, size_t size)
{
    add_event(template, TEMPLATE_PRIVATE, size);
    template_add_bytes(template, bytes, size);
}

/* The slot's place in the image, zeroed. */
static void add_room(struct template *template, size_t size)
{
    buffer_reserve(&template->image, template->image.size + size);
    memset(template->image.data + template->image.size, 0, size);
    template->image.size += size;
}

void template_add_element(struct template *template, const char *key, const struct gen *gen)
{
    uint8_t type = gen_only_type(gen);
    size_t key_size = strlen(key) + 1;
    struct template_event *event;
    if (type != 0) {
        template_add_bytes(template, &type, 1);
        template_add_bytes(template, key, key_size);
        event = add_event(template, TEMPLATE_VALUE, gen->size_max);
    } else {
        event = add_event(template, TEMPLATE_ELEMENT, 1 + key_size + gen->size_max);
        event->key_size = (uint32_t)(1 + key_size);
        template_add_bytes(template, &type, 1);
        template_add_bytes(template, key, key_size);
    }
    event->gen = gen;
    add_room(template, gen->size_max);
    if (!gen_is_fixed(gen))
        template->varying++;
}

/* Until it is closed, an opening keeps in key_size how many varying slots there were before it. */
size_t template_open(struct template *template)
{
    struct template_event *event = add_event(template, TEMPLATE_OPEN, 4);
    event->key_size = (uint32_t) template->varying;
    add_room(template, 4);
    return template->event_count - 1;
}

void template_close(struct template *template, size_t opening)
{
    struct template_event *event = &template->events[opening];
    if (event->key_size != template->varying) {
        add_event(template, TEMPLATE_CLOSE, 0);
        return;
    }
    uint32_t place = event->offset;
    wire_put_u32(template->image.data + place, (uint32_t)(template->image.size - place));
    event->kind = TEMPLATE_NOTHING;
    event->size = 0;
}

void template_finish(struct template *template)
{
    size_t kept = 0;
    for (size_t i = 0; i < template->event_count; i++) {
        if (template->events[i].kind != TEMPLATE_NOTHING)
            template->events[kept++] = template->events[i];
    }
    template->event_count = kept;
}

void template_measure_shared(const struct template *template, size_t *runs, size_t *size)
{
    *runs = 0;
    *size = 0;
    size_t place = 0;
    for (size_t i = 0; i <= template->event_count; i++) {
        size_t end = i < template->event_count ? template->events[i].offset : template->image.size;
        if (end - place > TEMPLATE_SHARE_MIN) {
            (*runs)++;
            *size += end - place;
        }
        place = i < template->event_count ? end + template->events[i].size : end;
    }
}

struct opening {
    uint8_t *length; /* where it has to be written */
    size_t start;    /* the document's place in the whole */
};

struct rendering {
    uint8_t *pos;      /* where the next private byte goes */
    uint8_t *run;      /* start of the private run that has no iovec yet */
    size_t shared;     /* bytes outside `out` so far */
    struct iovec *iov; /* NULL: everything private */
    int iov_count;
    size_t depth;
    struct opening openings[TEMPLATE_DEPTH_MAX];
};

static void end_private_run(struct rendering *r)
{
    if (r->pos != r->run)
        r->iov[r->iov_count++] = (struct iovec){.iov_base = r->run, .iov_len = (size_t)(r->pos - r->run)};
    r->run = r->pos;
}

static inline void put_constant(struct rendering *r, uint8_t *bytes, size_t size)
{
    if (r->iov && size > TEMPLATE_SHARE_MIN) {
        end_private_run(r);
        r->iov[r->iov_count++] = (struct iovec){.iov_base = bytes, .iov_len = size};
        r->shared += size;
        return;
    }
    memcpy(r->pos, bytes, size);
    r->pos += size;
}

static void put_event(struct rendering *r, const struct template_event *event, const uint8_t *image,
                      struct gen_state *state, const uint8_t *out)
{
    uint8_t type;
    struct opening *opening;
    switch (event->kind) {
    case TEMPLATE_PRIVATE:
        memcpy(r->pos, image, event->size);
        r->pos += event->size;
        break;
    case TEMPLATE_VALUE:
        r->pos += event->gen->put(event->gen, state, r->pos, &type);
        break;
    case TEMPLATE_ELEMENT:
        memcpy(r->pos, image, event->key_size);
        uint8_t *value = r->pos + event->key_size;
        r->pos = value + event->gen->put(event->gen, state, value, &type);
        value[-(ptrdiff_t)event->key_size] = type;
        break;
    case TEMPLATE_OPEN:
        opening = &r->openings[r->depth++];
        *opening = (struct opening){.length = r->pos, .start = (size_t)(r->pos - out) + r->shared};
        r->pos += 4;
        break;
    case TEMPLATE_CLOSE:
        assert(r->depth > 0); /* template_close() has seen to it */
        opening = &r->openings[--r->depth];
        wire_put_u32(opening->length, (uint32_t)((size_t)(r->pos - out) + r->shared - opening->start));
        break;
    case TEMPLATE_NOTHING:
        break;
    }
}

static void begin(struct rendering *r, const struct template_output *output)
{
    r->pos = r->run = output->out;
    r->shared = 0;
    r->iov = output->iov;
    r->iov_count = 0;
    r->depth = 0;
}

/* What comes after the last event. Returns the size of the whole. */
static size_t finish(struct rendering *r, const struct template *template, size_t place, struct template_output *output)
{
    put_constant(r, template->image.data + place, template->image.size - place);
    if (r->iov)
        end_private_run(r);
    output->iov_count = r->iov_count;
    return (size_t)(r->pos - output->out) + r->shared;
}

size_t template_render(const struct template *template, struct gen_state *state, struct template_output *output)
{
    struct rendering r;
    begin(&r, output);
    uint8_t *image = template->image.data;
    size_t place = 0;
    for (size_t i = 0; i < template->event_count; i++) {
        const struct template_event *event = &template->events[i];
        put_constant(&r, image + place, event->offset - place);
        put_event(&r, event, image + event->offset, state, output->out);
        place = event->offset + event->size;
    }
    return finish(&r, template, place, output);
}

size_t template_copy(const struct template *template, struct template_output *output)
{
    struct rendering r;
    begin(&r, output);
    uint8_t *image = template->image.data;
    size_t place = 0;
    for (size_t i = 0; i < template->event_count; i++) {
        const struct template_event *event = &template->events[i];
        put_constant(&r, image + place, event->offset - place);
        memcpy(r.pos, image + event->offset, event->size);
        r.pos += event->size;
        place = event->offset + event->size;
    }
    return finish(&r, template, place, output);
}
