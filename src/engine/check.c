/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/check.h"

#include "engine/namespace.h"
#include "engine/plan.h"
#include "engine/prepare.h"

/* One collection is enough: all of them get the same. */
static bool makes_requests(const struct testcase *test, unsigned sessions, struct error *err)
{
    json_t *concern = json_pack("{s:b}", "j", 0);
    struct plan_config config = {.multidb = 1, .multicoll = 1, .sessions = sessions, .write_concern = concern};
    struct plan *plan = plan_new(test, &config, err);
    plan_free(plan);
    json_decref(concern);
    return plan != NULL;
}

static bool makes_documents(const struct testcase *test, unsigned sessions, uint64_t seed, struct error *err)
{
    struct prepare_config config = {.multidb = 1, .multicoll = 1, .threads = sessions, .seed = seed};
    uint64_t documents, bytes;
    return prepare_estimate(test, &config, &documents, &bytes, err);
}

/* Nothing is sent of a test of which it cannot be told what it would touch. */
static bool keeps_to_its_own(const struct testcase *test, struct error *err)
{
    struct namespace_set set;
    bool ok = namespace_set_init(&set, test, 1, 1, err);
    if (ok)
        namespace_set_release(&set);
    return ok;
}

bool check_test(const struct testcase *test, unsigned sessions, uint64_t seed, struct error *err)
{
    if (keeps_to_its_own(test, err) && makes_documents(test, sessions, seed, err) &&
        makes_requests(test, sessions, err))
        return true;
    error_prefix(err, "%s:%u: %s", test->file, test->line, test->name);
    return false;
}
