/* SPDX-License-Identifier: Apache-2.0 */
/* Any JSON array as ops: an error, or a session whose messages are well-formed BSON. */
#include <stdlib.h>

#include <bson/bson.h>

#include "base/buffer.h"
#include "engine/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(struct session_step step)
{
    struct buffer whole = {0};
    for (int i = 0; i < step.iov_count; i++)
        buffer_append(&whole, step.iov[i].iov_base, step.iov[i].iov_len);
    bson_t body;
    if (step.action == SESSION_SEND &&
        (whole.size != step.size || !bson_init_static(&body, whole.data + 21, whole.size - 21) ||
         !bson_validate(&body, BSON_VALIDATE_NONE, NULL)))
        abort();
    buffer_release(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct testcase test = {.name = (char[]){"F.x"}, .ops = json_loadb((const char *)bytes, size, 0, NULL)};
    json_t *concern = json_object();
    struct plan_config config = {.multidb = 1, .multicoll = 2, .sessions = 400, .write_concern = concern};
    struct plan *plan = json_is_array(test.ops) ? plan_new(&test, &config, NULL) : NULL;
    struct session *session = plan ? session_new(plan, 399, 1, 0) : NULL;
    for (int64_t i = 0; session && i < 6; i++) {
        session_start(session, 10);
        check(session_next(session, (struct clock_now){.mono_ns = i}));
        session_abandon(session);
    }
    session_free(session);
    plan_free(plan);
    json_decref(concern);
    json_decref(test.ops);
    return 0;
}
