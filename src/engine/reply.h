/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_REPLY_H
#define ENGINE_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reply_verdict {
    REPLY_SUCCEEDED,
    REPLY_FAILED,    /* the server said no: code and text */
    REPLY_MALFORMED, /* no reply to our request: text says why */
};

/* What the reply to a write command says. */
struct reply {
    enum reply_verdict verdict;
    int32_t code;     /* of the first error; 0: the server gave none */
    const char *text; /* not NUL-terminated; within the message or constant */
    size_t text_size;
    int64_t n, n_modified, upserted; /* 0 where the reply has none or is malformed; never negative */
};

/* One whole wire message. Nothing in it is trusted; no allocation. */
void reply_parse(const uint8_t *message, size_t size, uint32_t request_id, struct reply *reply);
/* Its document alone, for who has no message. */
void reply_parse_document(const uint8_t *document, size_t size, struct reply *reply);

#endif
