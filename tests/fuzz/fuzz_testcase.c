/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a definition file: complaints, or tests that are whole, do not depend on when they are read, and that
 * the plan and the document generator can rely on. */
#include <stdlib.h>

#include "engine/plan.h"
#include "model/docgen.h"
#include "model/testcase.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct testcase_set load(const uint8_t *bytes, size_t size)
{
    struct testcase_set set;
    struct message_list errors, warnings;
    testcase_set_init(&set);
    message_list_init(&errors);
    message_list_init(&warnings);
    bool ok = testcase_set_load_bytes(&set, "fuzz.json", bytes, size, 1, &errors, &warnings);
    if (ok == (errors.count > 0) || ok == (set.count == 0))
        abort();
    message_list_release(&errors);
    message_list_release(&warnings);
    return set;
}

static void make(const struct testcase *test)
{
    static const struct ejson_names names = {"test0", "F0"};
    json_t *concern = json_object(), *step;
    struct plan_config config = {.multidb = 1, .multicoll = 2, .sessions = 400, .write_concern = concern};
    plan_free(plan_new(test, &config, NULL));
    json_decref(concern);
    size_t i;
    json_array_foreach(test->pre, i, step) {
        const json_t *template = json_object_get(step, "insert");
        if (!template || (json_is_array(template) && json_array_size(template) == 0))
            continue;
        struct docgen *docgen = docgen_new(template, &names, 1);
        for (uint64_t number = 0; number < 4; number++) {
            bson_t document = BSON_INITIALIZER;
            docgen_make(docgen, number, &document, NULL);
            bson_destroy(&document);
        }
        docgen_free(docgen);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct testcase_set one = load(bytes, size), again = load(bytes, size);
    for (size_t i = 0; i < one.count; i++)
        if (json_array_size(one.items[i].ops) == 0 || !json_equal(one.items[i].ops, again.items[i].ops) ||
            !json_equal(one.items[i].pre, again.items[i].pre))
            abort();
    for (size_t i = 0; i < one.count && i < 8; i++)
        make(&one.items[i]);
    testcase_set_release(&one);
    testcase_set_release(&again);
    return 0;
}
