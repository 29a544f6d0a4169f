/* SPDX-License-Identifier: Apache-2.0 */
#include "localserver_rig.h"

#include <fcntl.h>
#include <mongoc/mongoc.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "engine/localserver_find.h"
#include "engine/localserver_process.h"

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
    setenv("MONGOD", stand_in_mongod(), 1);
    assert_true(localserver_find(&choice, NULL, NULL));
    assert_string_equal(choice.program, stand_in_mongod());
    localserver_choice_release(&choice);
    assert_true(localserver_find(&choice, "mongod", NULL));
    assert_string_not_equal(choice.program, stand_in_mongod());
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
    struct localserver *server = localserver_start(stand_in_mongod(), 1, &err);
    if (!server)
        fail_msg("%s", err.message);
    assert_non_null(strstr(localserver_uri(server), "replicaSet=rs0"));
    assert_non_null(strstr(localserver_name(server), stand_in_mongod()));
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

static void three_mongods_become_one_replica_set(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    struct localserver *server = localserver_start(stand_in_mongod(), 3, &err);
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
    struct localserver *server = localserver_start(stand_in_mongod(), 1, NULL);
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
    assert_true(localserver_find(&choice, stand_in_mongod(), &err));
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
    struct localserver *server = localserver_start(stand_in_mongod(), 1, &err);
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

static void one_member_that_dies_ends_all(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    setenv("MONGOD_MODE", "die-third", 1);
    assert_null(localserver_start(stand_in_mongod(), 3, &err));
    assert_non_null(strstr(err.message, "exit status 1; its last lines: the third does not want to"));
    assert_noted_processes_have_ended(3);
    assert_nothing_is_left();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SANDBOXED_TEST(no_server_names_both_ways, "without any server the error names both ways to get one"),
        SANDBOXED_TEST(mongod_comes_before_the_embedded_server, "a mongod is preferred to the embedded server"),
        SANDBOXED_TEST(a_named_mongod_must_be_a_program, "a named mongod that cannot be run is an error"),
        SANDBOXED_TEST(mongod_becomes_a_replica_set, "mongod becomes a one-node replica set, and leaves nothing"),
        SANDBOXED_TEST(three_mongods_become_one_replica_set, "three mongods become one replica set, and leave nothing"),
        SANDBOXED_TEST(one_member_that_dies_ends_all, "one member that dies is quoted, and ends the others"),
        SANDBOXED_TEST(the_embedded_server_has_no_members, "members of an embedded server are refused"),
        SANDBOXED_TEST(no_descriptor_is_handed_on, "no descriptor is handed on to the server"),
        SANDBOXED_TEST(a_server_that_dies_is_quoted, "a server that dies at once is quoted"),
        SANDBOXED_TEST(errors_are_quoted_before_last_lines,
                       "of a log that tells errors from the rest, errors are quoted"),
        SANDBOXED_TEST(a_set_that_takes_its_time_is_waited_for, "a set that is made without an answer is waited for"),
        SANDBOXED_TEST(a_server_that_never_listens_is_ended, "a server that never listens is ended"),
        SANDBOXED_TEST(a_server_that_never_answers_is_ended, "a server that never answers is ended"),
        SANDBOXED_TEST(a_program_that_cannot_run_is_named, "a program that cannot run is named with the reason"),
    };
    return cmocka_run_group_tests(tests, localserver_rig_setup, localserver_rig_teardown);
}
