/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_LOCALSERVER_RIG_H
#define TESTS_LOCALSERVER_RIG_H

#include <sys/types.h>

#include "engine/localserver.h"
#include "unit.h"

/* Each test has a folder of its own for everything that a local server needs: run-time folder, temporary files, cache,
 * PATH, and the notes of the stand-in for mongod. */
#define SANDBOXED_TEST(function, sentence)                                                                             \
    {                                                                                                                  \
        (sentence), (function), make_sandbox, remove_sandbox, NULL                                                     \
    }

/* Of the group of tests. */
int localserver_rig_setup(void **state);
int localserver_rig_teardown(void **state);
int make_sandbox(void **state);
int remove_sandbox(void **state);

/* The path of tests/server/mongod. */
const char *stand_in_mongod(void);

/* Texts are the caller's to free. */
char *in_sandbox(const char *name);
void write_text(const char *path, const char *text);
/* An executable file of that name in the sandbox. */
void make_program(const char *name);
size_t count_entries(const char *name);
void assert_nothing_is_left(void);

/* What the stand-ins have noted. */
char *read_notes(void);
pid_t noted_pid(void);
void assert_noted_processes_have_ended(unsigned expected);

#endif
