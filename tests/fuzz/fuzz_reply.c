/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a reply: a verdict whose text lies where it may be read. */
#include <stdlib.h>

#include "engine/reply.h"
#include "engine/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct reply reply;
    /* Answers whatever it says it answers: the rest is to be reached. */
    uint32_t request_id = size >= WIRE_HEADER_SIZE ? wire_get_u32(bytes + WIRE_RESPONSE_TO_AT) : 0;
    reply_parse(bytes, size, request_id, &reply);
    if (reply.n < 0 || reply.n_modified < 0 || reply.upserted < 0)
        abort();
    if (reply.verdict == REPLY_MALFORMED && reply.text_size == 0)
        abort();
    unsigned sum = 0;
    for (size_t i = 0; i < reply.text_size; i++)
        sum += (unsigned char)reply.text[i];
    return sum == 0 && reply.text_size > size ? -1 : 0;
}
