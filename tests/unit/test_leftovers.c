/* SPDX-License-Identifier: Apache-2.0 */
/* What a run that was killed leaves of its local servers, and who ends and removes it. */
#include "localserver_rig.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "engine/localserver_process.h"
#include "engine/localserver_record.h"

static struct localserver_process sleeper(void)
{
    const char *const argv[] = {"/bin/sleep", "60", NULL};
    struct localserver_process child;
    char *folder = in_sandbox("bin");
    assert_true(localserver_process_spawn(&child, argv, folder, "/dev/null", NULL));
    free(folder);
    return child;
}

/* What kill -9 of a run leaves: here the server outlives its parent, as it may where the system does not kill it. */
static void leave_record(struct localserver_process owner, struct localserver_process server, char **folder)
{
    struct localserver_record record;
    assert_true(localserver_record_create(&record, NULL));
    char *file = file_join(record.folder, "journal");
    write_text(file, "x");
    free(file);
    record.owner = owner;
    assert_true(localserver_record_set_server(&record, &server, NULL));
    *folder = memory_strdup(record.folder);
    localserver_record_release(&record);
}

static struct localserver_process ended(void)
{
    struct localserver_process process = sleeper();
    localserver_process_end_child(&process, 1000);
    return process;
}

static void leftovers_are_ended_and_removed(void **state)
{
    (void)state;
    char *folder;
    struct localserver_process server = sleeper();
    leave_record(ended(), server, &folder);
    assert_int_equal(localserver_sweep(), 1);
    char *how = NULL;
    assert_true(localserver_process_child_ended(&server, &how));
    assert_string_equal(how, "signal 15 (Terminated)");
    free(how);
    localserver_process_end_child(&server, 1000);
    assert_false(file_is_folder(folder));
    free(folder);
    assert_nothing_is_left();
}

static void a_reused_pid_is_not_killed(void **state)
{
    (void)state;
    char *folder;
    struct localserver_process server = sleeper();
    struct localserver_process earlier = {.pid = server.pid, .start_ticks = server.start_ticks - 1};
    leave_record(ended(), earlier, &folder);
    assert_int_equal(localserver_sweep(), 1);
    assert_true(localserver_process_is_alive(&server));
    localserver_process_end_child(&server, 1000);
    assert_false(file_is_folder(folder));
    free(folder);
    assert_nothing_is_left();
}

static void a_living_owner_keeps_its_server(void **state)
{
    (void)state;
    char *folder;
    struct localserver_process owner, server = sleeper();
    assert_true(localserver_process_look(getpid(), &owner));
    leave_record(owner, server, &folder);
    assert_int_equal(localserver_sweep(), 0);
    assert_true(localserver_process_is_alive(&server));
    localserver_process_end_child(&server, 1000);
    assert_true(file_is_folder(folder));
    assert_int_equal(count_entries("run/benchrun"), 1);
    free(folder);
}

static void a_record_removes_no_other_folder(void **state)
{
    (void)state;
    char *record = in_sandbox("run/benchrun/server-0123456789abcdef");
    char *precious = in_sandbox("precious");
    assert_true(file_make_folders(precious, NULL));
    char *runtime = localserver_record_runtime_folder(NULL);
    char *text = memory_printf("owner 999999999 1\nserver 0 0\nfolder %s\n", precious);
    write_text(record, text);
    assert_int_equal(localserver_sweep(), 0);
    assert_true(file_is_folder(precious));
    assert_false(file_is_regular(record));
    free(text);
    free(runtime);
    free(precious);
    free(record);
}

static void a_runtime_folder_open_to_others_is_refused(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    unsetenv("XDG_RUNTIME_DIR");
    char *name = memory_printf("tmp/benchrun-%lu", (unsigned long)geteuid());
    char *path = in_sandbox(name);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, 0777), 0);
    assert_null(localserver_record_runtime_folder(&err));
    assert_non_null(strstr(err.message, "0700"));
    assert_int_equal(chmod(path, 0700), 0);
    char *runtime = localserver_record_runtime_folder(NULL);
    assert_string_equal(runtime, path);
    free(runtime);
    free(path);
    free(name);
}

static void a_stubborn_process_is_killed(void **state)
{
    (void)state;
    setenv("MONGOD_MODE", "stubborn", 1);
    struct localserver *server = localserver_start(stand_in_mongod(), 1, NULL);
    assert_non_null(server);
    struct localserver_process process;
    assert_true(localserver_process_look(noted_pid(), &process));
    assert_true(localserver_process_end_stranger(&process, 200));
    localserver_stop(server);
    assert_nothing_is_left();
}

/* kill -9 of the run: the system ends the server, the next start removes what it wrote. */
static void a_killed_run_takes_its_server_along(void **state)
{
    (void)state;
    pid_t run = fork();
    if (run == 0) {
        struct localserver *server = localserver_start(stand_in_mongod(), 1, NULL);
        kill(getpid(), server ? SIGKILL : SIGABRT);
    }
    int status;
    assert_int_equal(waitpid(run, &status, 0), run);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(count_entries("tmp"), 1);
    assert_int_equal(localserver_sweep(), 1);
    struct localserver_process process;
    assert_false(localserver_process_look(noted_pid(), &process));
    assert_nothing_is_left();
}

static void a_killed_run_takes_all_members_along(void **state)
{
    (void)state;
    pid_t run = fork();
    if (run == 0) {
        struct localserver *server = localserver_start(stand_in_mongod(), 3, NULL);
        kill(getpid(), server ? SIGKILL : SIGABRT);
    }
    int status;
    assert_int_equal(waitpid(run, &status, 0), run);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(count_entries("tmp"), 3);
    assert_int_equal(localserver_sweep(), 3);
    assert_noted_processes_have_ended(3);
    assert_nothing_is_left();
}

/* The system kills the script; what it has started lives on. */
static void a_killed_run_leaves_no_server_of_a_script(void **state)
{
    (void)state;
    char *path = in_sandbox("bin/wrapper");
    char *text = memory_printf("#!/bin/sh\n'%s' \"$@\"\nexit $?\n", stand_in_mongod());
    write_text(path, text);
    chmod(path, 0755);
    pid_t run = fork();
    if (run == 0) {
        struct localserver *server = localserver_start(path, 1, NULL);
        kill(getpid(), server ? SIGKILL : SIGABRT);
    }
    int status;
    assert_int_equal(waitpid(run, &status, 0), run);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    struct localserver_process process;
    assert_true(localserver_process_look(noted_pid(), &process));
    assert_int_equal(localserver_sweep(), 1);
    assert_false(localserver_process_is_alive(&process));
    assert_nothing_is_left();
    free(text);
    free(path);
}

/* The number of an ended server's group may have become somebody else's. */
static void a_group_without_the_mark_is_left_alone(void **state)
{
    (void)state;
    char *folder;
    struct localserver_process other = sleeper(), server = {.pid = other.pid, .start_ticks = other.start_ticks + 1};
    leave_record(ended(), server, &folder);
    assert_int_equal(localserver_sweep(), 1);
    assert_true(localserver_process_is_alive(&other));
    localserver_process_end_child(&other, 1000);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SANDBOXED_TEST(a_killed_run_takes_all_members_along, "kill -9 of a run ends every member"),
        SANDBOXED_TEST(leftovers_are_ended_and_removed, "what a killed run left is ended and removed"),
        SANDBOXED_TEST(a_reused_pid_is_not_killed, "another process with the recorded pid is not touched"),
        SANDBOXED_TEST(a_living_owner_keeps_its_server, "the server of a living run is left alone"),
        SANDBOXED_TEST(a_record_removes_no_other_folder, "a record removes no folder that is not a server's"),
        SANDBOXED_TEST(a_runtime_folder_open_to_others_is_refused, "a run-time folder open to others is refused"),
        SANDBOXED_TEST(a_stubborn_process_is_killed, "a server that ignores SIGTERM is killed"),
        SANDBOXED_TEST(a_killed_run_takes_its_server_along, "kill -9 of a run ends its server"),
        SANDBOXED_TEST(a_killed_run_leaves_no_server_of_a_script, "the next run ends what a wrapper script has left"),
        SANDBOXED_TEST(a_group_without_the_mark_is_left_alone, "a group that is not the server's is left alone"),
    };
    return cmocka_run_group_tests(tests, localserver_rig_setup, localserver_rig_teardown);
}
