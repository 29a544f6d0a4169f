/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TEMPLATE_H
#define ENGINE_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/buffer.h"
#include "engine/gen.h"

/*
 * Bytes with slots. `image` holds them as if every slot had its largest size; `events`, in the order of their places,
 * tell where the image is not the truth. What lies between them is constant.
 */
enum template_event_kind {
    TEMPLATE_PRIVATE, /* `size` bytes that a session changes itself (the message header) */
    TEMPLATE_VALUE,   /* a value whose type is known and stands in the image before the key */
    TEMPLATE_ELEMENT, /* type, key and value: the type depends on the value */
    TEMPLATE_OPEN,    /* the int32 length of a document whose size varies */
    TEMPLATE_CLOSE,   /* the end of that document; no bytes */
    TEMPLATE_NOTHING, /* an opening whose document turned out to be of one size; no bytes */
};

struct template_event {
    enum template_event_kind kind;
    uint32_t offset, size; /* in the image */
    uint32_t key_size;     /* ELEMENT: type, key and NUL */
    const struct gen *gen;
};

struct template
{
    struct buffer image;
    struct template_event *events;
    size_t event_count, event_capacity;
    size_t varying; /* slots whose size or type varies */
};

/* Documents inside each other that a template may have. */
#define TEMPLATE_DEPTH_MAX 200
/* Constant runs longer than this are sent from the template and not copied. */
#define TEMPLATE_SHARE_MIN (16u << 10)

void template_release(struct template *template);

/* Building, in the order of the bytes. */
void template_add_bytes(struct template *template, const void *bytes, size_t size);
/* Type and key of element number `index` of an array. */
void template_add_index(struct template *template, uint8_t type, size_t index);
void template_add_private(struct template *template, const void *bytes, size_t size);
/* Type, key and value of a generated element. */
void template_add_element(struct template *template, const char *key, const struct gen *gen);
/* Where a length that counts itself and all up to the close stands. Returns what template_close() wants. */
size_t template_open(struct template *template);
void template_close(struct template *template, size_t opening);
/* After the last close. */
void template_finish(struct template *template);

static inline bool template_is_fixed(const struct template *template)
{
    return template->varying == 0;
}
/* How many runs lie outside the private bytes, and how many bytes those have. */
void template_measure_shared(const struct template *template, size_t *runs, size_t *size);

/*
 * Where a rendered template goes. `iov` NULL: everything to `out`. Else long constant runs are pointed to in the image
 * and the rest lies in `out`; iov needs room for 2 * runs + 1.
 */
struct template_output {
    uint8_t *out;
    struct iovec *iov;
    int iov_count;
};

/* Returns the size of the whole. `out` has room for the image, less the shared runs when there is an iov. */
size_t template_render(const struct template *template, struct gen_state *state, struct template_output *output);
/* Of a template of one size: the layout of template_render(), with the slots left as they are in the image. */
size_t template_copy(const struct template *template, struct template_output *output);

#endif
