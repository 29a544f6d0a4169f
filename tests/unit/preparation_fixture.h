/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PREPARATION_FIXTURE_H
#define TESTS_PREPARATION_FIXTURE_H

#include "command_rig.h"
#include "engine/prepare.h"

/* A rig `rig` with these scripts. */
#define RIG(rig, ...)                                                                                                  \
    static const struct rig_reply replies[] = {__VA_ARGS__};                                                           \
    struct rig rig;                                                                                                    \
    rig_init(&rig, replies, sizeof replies / sizeof *replies)

/* What listCollections and find answer. */
#define BATCH(documents) "{\"cursor\": {\"id\": 0, \"ns\": \"test0.x\", \"firstBatch\": [" documents "]}, \"ok\": 1}"
#define EMPTY BATCH("")
#define UUID(text) "{\"$binary\": {\"base64\": \"" text "AAAAAAAAAAAAAAAAAA==\", \"subType\": \"04\"}}"
#define COLLECTION(name, text) "{\"name\": \"" name "\", \"info\": {\"uuid\": " UUID(text) "}}"
#define MARKS "{\"name\": \"benchrun_owned\", \"info\": {}}"

/* The test "Foo.Bar", whose collection is test0.Foo_Bar0, from its set-up to its clean-up. */
struct preparation_fixture {
    struct testcase test;
    struct prepare_outcome outcome;
    struct preparation *preparation; /* of the last set-up */
};

extern const struct prepare_config one_collection;

/* Lists in JSON; NULL: none. */
void fixture_make(struct preparation_fixture *fixture, const char *pre, const char *ops, const char *post);
void fixture_free(struct preparation_fixture *fixture);
/* May be repeated. */
void fixture_set_up(struct preparation_fixture *fixture, struct rig *rig, const struct prepare_config *config);
/* Fails the test with the set-up's error, if there is one. */
void fixture_expect_ready(const struct preparation_fixture *fixture);
/* The error; "": none. */
const char *fixture_clean_up(struct preparation_fixture *fixture, struct rig *rig, struct error *err);
void fixture_expect_clean_up(struct preparation_fixture *fixture, struct rig *rig, const char *error);
/* The names of all collections in test0, with blanks. */
void fixture_expect_left(struct rig *rig, const char *names);

#endif
