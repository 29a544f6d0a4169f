/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/localserver.h"

#include <dirent.h>
#include <fcntl.h>
#include <mongoc/mongoc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/localserver_find.h"
#include "engine/localserver_process.h"
#include "engine/localserver_record.h"

#include "unit.h"

/* A folder for everything that a test makes: run-time folder, temporary files, cache, the stand-in's notes. */
static char sandbox[128];
static char *stand_in; /* tests/server/mongod */

static char *in_sandbox(const char *name)
{
    return file_join(sandbox, name);
}

static void set_folder(const char *variable, const char *name)
{
    char *path = in_sandbox(name);
    assert_true(file_make_folders(path, NULL));
    setenv(variable, path, 1);
    free(path);
}

static int make_sandbox(void **state)
{
    (void)state;
    snprintf(sandbox, sizeof sandbox, "/tmp/benchrun-test-XXXXXX");
    assert_non_null(mkdtemp(sandbox));
    set_folder("XDG_RUNTIME_DIR", "run");
    set_folder("TMPDIR", "tmp");
    set_folder("XDG_CACHE_HOME", "cache");
    set_folder("PATH", "bin");
    char *notes = in_sandbox("notes");
    setenv("MONGOD_NOTES", notes, 1);
    free(notes);
    unsetenv("MONGOD");
    unsetenv("MONGOD_MODE");
    return 0;
}

static int remove_sandbox(void **state)
{
    (void)state;
    return file_remove_tree(sandbox, NULL) ? 0 : -1;
}

static char *read_notes(void)
{
    char *path = in_sandbox("notes");
    struct buffer text = {0};
    file_read(path, 1 << 20, &text, NULL);
    free(path);
    char *copy = memory_strdup(buffer_text(&text));
    buffer_release(&text);
    return copy;
}

static pid_t noted_pid(void)
{
    char *notes = read_notes();
    long pid = 0;
    sscanf(notes, "pid %ld", &pid);
    free(notes);
    return (pid_t)pid;
}

static size_t count_entries(const char *name)
{
    char *path = in_sandbox(name);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    free(path);
    return count;
}

static void assert_nothing_is_left(void)
{
    assert_int_equal(count_entries("tmp"), 0);
    assert_int_equal(count_entries("run"), 0);
}

static struct localserver_process sleeper(void)
{
    const char *const argv[] = {"/bin/sleep", "60", NULL};
    struct localserver_process child;
    assert_true(localserver_process_spawn(&child, argv, sandbox, "/dev/null", NULL));
    return child;
}

static void write_text(const char *path, const char *text)
{
    assert_true(file_replace(path, text, strlen(text), NULL, NULL));
}

static void make_program(const char *name)
{
    char *path = in_sandbox(name);
    char *folder = memory_strdup(path);
    *strrchr(folder, '/') = '\0';
    assert_true(file_make_folders(folder, NULL));
    write_text(path, "#!/bin/sh\n");
    assert_int_equal(chmod(path, 0755), 0);
    free(folder);
    free(path);
}

static void no_server_names_both_ways(void **state)
{
    (void)state;
    struct error err;
    struct localserver_choice choice;
    error_init(&err);
    assert_false(localserver_find(&choice, NULL, &err));
    assert_non_null(strstr(err.message, "--mongod PATH"));
    assert_non_null(strstr(err.message, "tools/fetch-server"));
    error_init(&err);
    assert_null(localserver_start(NULL, 1, &err));
    assert_non_null(strstr(err.message, "--mongod PATH"));
    assert_nothing_is_left();
}

static void mongod_comes_before_the_embedded_server(void **state)
{
    (void)state;
    struct localserver_choice choice;
    make_program("cache/benchrun/" LOCALSERVER_EMBEDDED_FOLDER "/secantusdb.scripts/secantusd-rs");
    assert_true(localserver_find(&choice, NULL, NULL));
    assert_false(choice.is_mongod);
    assert_string_equal(choice.name, "SecantusDB " LOCALSERVER_EMBEDDED_VERSION " (embedded)");
    localserver_choice_release(&choice);
    make_program("bin/mongod");
    assert_true(localserver_find(&choice, NULL, NULL));
    assert_true(choice.is_mongod);
    localserver_choice_release(&choice);
    setenv("MONGOD", stand_in, 1);
    assert_true(localserver_find(&choice, NULL, NULL));
    assert_string_equal(choice.program, stand_in);
    localserver_choice_release(&choice);
    assert_true(localserver_find(&choice, "mongod", NULL));
    assert_string_not_equal(choice.program, stand_in);
    localserver_choice_release(&choice);
}

static void a_named_mongod_must_be_a_program(void **state)
{
    (void)state;
    struct error err;
    struct localserver_choice choice;
    make_program("bin/mongod");
    char *plain_file = in_sandbox("plain");
    write_text(plain_file, "no program");
    const char *wrong[] = {"/nowhere/mongod", "nomongod", plain_file, "/tmp"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error_init(&err);
        assert_false(localserver_find(&choice, wrong[i], &err));
        assert_non_null(strstr(err.message, wrong[i]));
    }
    free(plain_file);
}

static void mongod_becomes_a_replica_set(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    struct localserver *server = localserver_start(stand_in, 1, &err);
    if (!server)
        fail_msg("%s", err.message);
    assert_non_null(strstr(localserver_uri(server), "replicaSet=rs0"));
    assert_non_null(strstr(localserver_name(server), stand_in));
    char *notes = read_notes();
    assert_non_null(strstr(notes, "--replSet rs0 --bind_ip 127.0.0.1 --port "));
    assert_non_null(strstr(notes, "command replSetInitiate"));
    free(notes);
    pid_t pid = noted_pid();
    assert_int_equal(getpgid(pid), pid);
    localserver_stop(server);
    struct localserver_process process;
    assert_false(localserver_process_look(pid, &process));
    assert_nothing_is_left();
}

/* Counts what the stand-ins have noted: the lines that begin with these words. */
static unsigned count_notes(const char *words)
{
    unsigned count = 0;
    char *notes = read_notes();
    for (const char *at = notes; (at = strstr(at, words)); at += strlen(words))
        count += at == notes || at[-1] == '\n';
    free(notes);
    return count;
}

static void assert_noted_processes_have_ended(unsigned expected)
{
    unsigned count = 0;
    char *notes = read_notes();
    for (const char *at = notes; (at = strstr(at, "pid ")); at += strlen("pid ")) {
        struct localserver_process process;
        assert_false(localserver_process_look((pid_t)strtol(at + strlen("pid "), NULL, 10), &process));
        count++;
    }
    free(notes);
    assert_int_equal(count, expected);
}

static void three_mongods_become_one_replica_set(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    struct localserver *server = localserver_start(stand_in, 3, &err);
    if (!server)
        fail_msg("%s", err.message);
    assert_int_equal(count_entries("tmp"), 3);
    assert_int_equal(count_entries("run/benchrun"), 3);
    assert_int_equal(count_notes("arguments --replSet rs0 "), 3);
    assert_int_equal(count_notes("command replSetInitiate"), 1);
    mongoc_uri_t *uri = mongoc_uri_new(localserver_uri(server));
    unsigned hosts = 0;
    for (const mongoc_host_list_t *host = mongoc_uri_get_hosts(uri); host; host = host->next)
        hosts++;
    assert_int_equal(hosts, 3);
    assert_string_equal(mongoc_uri_get_replica_set(uri), "rs0");
    /* The driver finds the primary among them. */
    mongoc_client_t *client = mongoc_client_new_from_uri(uri);
    bson_t ping = BSON_INITIALIZER;
    BSON_APPEND_INT32(&ping, "ping", 1);
    bson_error_t error;
    assert_true(mongoc_client_command_simple(client, "admin", &ping, NULL, NULL, &error));
    bson_destroy(&ping);
    mongoc_client_destroy(client);
    mongoc_uri_destroy(uri);
    localserver_stop(server);
    assert_noted_processes_have_ended(3);
    assert_nothing_is_left();
}

static void the_embedded_server_has_no_members(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    make_program("cache/benchrun/" LOCALSERVER_EMBEDDED_FOLDER "/secantusdb.scripts/secantusd-rs");
    assert_null(localserver_start(NULL, 3, &err));
    assert_non_null(strstr(err.message, "--members 3 needs a mongod"));
    assert_non_null(strstr(err.message, "--mongod PATH"));
    assert_nothing_is_left();
}

static void no_descriptor_is_handed_on(void **state)
{
    (void)state;
    int fd = open("/dev/null", O_RDONLY); /* not close-on-exec */
    struct localserver *server = localserver_start(stand_in, 1, NULL);
    assert_non_null(server);
    localserver_stop(server);
    close(fd);
    char *notes = read_notes();
    /* 3 is the stand-in's own, of the listing. */
    assert_non_null(strstr(notes, "descriptors 0 1 2 3\n"));
    free(notes);
}

static void assert_start_fails(const char *mode, unsigned patience_ms, const char *words)
{
    struct error err;
    struct localserver_choice choice;
    error_init(&err);
    setenv("MONGOD_MODE", mode, 1);
    assert_true(localserver_find(&choice, stand_in, &err));
    assert_null(localserver_start_choice(&choice, 1, patience_ms, &err));
    localserver_choice_release(&choice);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
    struct localserver_process process;
    assert_false(localserver_process_look(noted_pid(), &process));
    assert_nothing_is_left();
}

static void a_server_that_dies_is_quoted(void **state)
{
    (void)state;
    assert_start_fails("die", 60000,
                       "exit status 1; its last lines: first line|an old line|exception: this mongod does not want to");
}

static void errors_are_quoted_before_last_lines(void **state)
{
    (void)state;
    assert_start_fails("die-40", 60000,
                       "its errors: 2018-10-09T12:00:00.100+0000 E STORAGE  [initandlisten] Failed to set up the "
                       "storage engine|2018-10-09T12:00:00.200+0000 I STORAGE  [initandlisten] exception in "
                       "initAndListen: Location1: no");
    assert_start_fails(
        "die-44", 60000,
        "its errors: {\"t\":{\"$date\":\"2020-07-30T12:00:00.100+00:00\"},\"s\":\"E\",  \"c\":\"CONTROL\", "
        " \"msg\":\"Address in use\"}");
}

static void a_set_that_takes_its_time_is_waited_for(void **state)
{
    (void)state;
    struct error err = {0};
    setenv("MONGOD_MODE", "slow-set", 1);
    struct localserver *server = localserver_start(stand_in, 1, &err);
    if (!server)
        fail_msg("%s", err.message);
    assert_non_null(strstr(localserver_uri(server), "replicaSet=rs0"));
    localserver_stop(server);
    char *notes = read_notes();
    const char *first = strstr(notes, "command replSetInitiate");
    assert_true(first && strstr(first + 1, "command replSetInitiate"));
    free(notes);
    assert_nothing_is_left();
}

static void a_server_that_never_listens_is_ended(void **state)
{
    (void)state;
    assert_start_fails("deaf", 1000, "it does not answer");
}

static void a_server_that_never_answers_is_ended(void **state)
{
    (void)state;
    assert_start_fails("mute", 1000, "it does not answer");
}

static void a_program_that_cannot_run_is_named(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    char *path = in_sandbox("bin/broken");
    write_text(path, "#!/nowhere/interpreter\n");
    chmod(path, 0755);
    assert_null(localserver_start(path, 1, &err));
    assert_non_null(strstr(err.message, "bin/broken: cannot start it: No such file"));
    free(path);
    assert_nothing_is_left();
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
    struct localserver *server = localserver_start(stand_in, 1, NULL);
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
        struct localserver *server = localserver_start(stand_in, 1, NULL);
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
        struct localserver *server = localserver_start(stand_in, 3, NULL);
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

static void one_member_that_dies_ends_all(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    setenv("MONGOD_MODE", "die-third", 1);
    assert_null(localserver_start(stand_in, 3, &err));
    assert_non_null(strstr(err.message, "exit status 1; its last lines: the third does not want to"));
    assert_noted_processes_have_ended(3);
    assert_nothing_is_left();
}

/* The system kills the script; what it has started lives on. */
static void a_killed_run_leaves_no_server_of_a_script(void **state)
{
    (void)state;
    char *path = in_sandbox("bin/wrapper");
    char *text = memory_printf("#!/bin/sh\n'%s' \"$@\"\nexit $?\n", stand_in);
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

#define SANDBOXED_TEST(function, sentence)                                                                             \
    {                                                                                                                  \
        (sentence), (function), make_sandbox, remove_sandbox, NULL                                                     \
    }

int main(void)
{
    const char *srcdir = getenv("srcdir");
    char *relative = memory_printf("%s/tests/server/mongod", srcdir ? srcdir : ".");
    stand_in = realpath(relative, NULL);
    free(relative);
    if (!stand_in)
        return 99;
    mongoc_init();
    const struct CMUnitTest tests[] = {
        SANDBOXED_TEST(no_server_names_both_ways, "without any server the error names both ways to get one"),
        SANDBOXED_TEST(mongod_comes_before_the_embedded_server, "a mongod is preferred to the embedded server"),
        SANDBOXED_TEST(a_named_mongod_must_be_a_program, "a named mongod that cannot be run is an error"),
        SANDBOXED_TEST(mongod_becomes_a_replica_set, "mongod becomes a one-node replica set, and leaves nothing"),
        SANDBOXED_TEST(three_mongods_become_one_replica_set, "three mongods become one replica set, and leave nothing"),
        SANDBOXED_TEST(one_member_that_dies_ends_all, "one member that dies is quoted, and ends the others"),
        SANDBOXED_TEST(a_killed_run_takes_all_members_along, "kill -9 of a run ends every member"),
        SANDBOXED_TEST(the_embedded_server_has_no_members, "members of an embedded server are refused"),
        SANDBOXED_TEST(no_descriptor_is_handed_on, "no descriptor is handed on to the server"),
        SANDBOXED_TEST(a_server_that_dies_is_quoted, "a server that dies at once is quoted"),
        SANDBOXED_TEST(errors_are_quoted_before_last_lines,
                       "of a log that tells errors from the rest, errors are quoted"),
        SANDBOXED_TEST(a_set_that_takes_its_time_is_waited_for, "a set that is made without an answer is waited for"),
        SANDBOXED_TEST(a_server_that_never_listens_is_ended, "a server that never listens is ended"),
        SANDBOXED_TEST(a_server_that_never_answers_is_ended, "a server that never answers is ended"),
        SANDBOXED_TEST(a_program_that_cannot_run_is_named, "a program that cannot run is named with the reason"),
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
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mongoc_cleanup();
    free(stand_in);
    return failed;
}
