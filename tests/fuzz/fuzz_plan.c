/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as ops: an error, or a session whose messages are well-formed BSON. */
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

/* The bytes as the ops of a test; false when the loader refuses them. */
static bool load(struct testcase_set *set, const uint8_t *bytes, size_t size)
{
    struct buffer text = {0};
    struct message_list errors, warnings;
    message_list_init(&errors);
    message_list_init(&warnings);
    buffer_append_printf(&text, "{\"tests\": [{\"name\": \"F.x\", \"ops\": ");
    buffer_append(&text, bytes, size);
    buffer_append_printf(&text, "}]}");
    bool ok = testcase_set_load_bytes(set, "F", text.data, text.size, 1, &errors, &warnings);
    message_list_release(&errors);
    message_list_release(&warnings);
    buffer_release(&text);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct testcase_set set;
    testcase_set_init(&set);
    json_t *concern = json_object();
    struct plan_config config = {.multidb = 1, .multicoll = 2, .sessions = 400, .write_concern = concern};
    struct plan *plan = load(&set, bytes, size) && set.count > 0 ? plan_new(&set.items[0], &config, NULL) : NULL;
    struct session *session = plan ? session_new(plan, 399, 1, 0) : NULL;
    for (int64_t i = 0; session && i < 6; i++) {
        session_start(session, 10);
        check(session_next(session, (struct clock_now){.mono_ns = i}));
        session_abandon(session);
    }
    session_free(session);
    plan_free(plan);
    json_decref(concern);
    testcase_set_release(&set);
    return 0;
}
