/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the first request of a test as benchrun sends it: the bytes for the floor. Usage: request FILE TEST */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/session.h"

static const struct testcase *find(const struct testcase_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].name, name) == 0)
            return &set->items[i];
    }
    return NULL;
}

static int print_request(const struct testcase *test)
{
    struct error err;
    error_init(&err);
    json_t *write_concern = json_pack("{s:b}", "j", 0);
    struct plan_config config = {.multidb = 1, .multicoll = 1, .sessions = 1, .write_concern = write_concern};
    struct plan *plan = plan_new(test, &config, &err);
    if (plan) {
        struct session *session = session_new(plan, 0, 1, 0);
        session_start(session, INT64_MAX);
        struct session_step step = session_next(session, (struct clock_now){0});
        for (int i = 0; i < step.iov_count; i++)
            fwrite(step.iov[i].iov_base, 1, step.iov[i].iov_len, stdout);
        session_free(session);
    } else {
        fprintf(stderr, "request: %s\n", err.message);
    }
    plan_free(plan);
    json_decref(write_concern);
    return err.is_set;
}

int main(int argc, char **argv)
{
    struct testcase_set set;
    struct message_list errors, warnings;
    testcase_set_init(&set);
    message_list_init(&errors);
    message_list_init(&warnings);
    const struct testcase *test = NULL;
    if (argc == 3 && testcase_set_load(&set, argv[1], 1, &errors, &warnings))
        test = find(&set, argv[2]);
    int code = test ? print_request(test) : 2;
    if (!test)
        fprintf(stderr, "usage: request FILE TEST\n");
    message_list_release(&errors);
    message_list_release(&warnings);
    testcase_set_release(&set);
    return code;
}
