/* SPDX-License-Identifier: Apache-2.0 */
#include "benchrun_cli.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "unit.h"
#include "words.h"

struct parsed {
    struct benchrun_cli cli;
    struct message_list errors;
    struct words words;
    bool ok;
};

static void parse(struct parsed *p, const char *line)
{
    message_list_init(&p->errors);
    words_split(&p->words, line);
    p->ok = benchrun_cli_parse(&p->cli, p->words.argc, p->words.argv, &p->errors);
}

static void release(struct parsed *p)
{
    benchrun_cli_release(&p->cli);
    message_list_release(&p->errors);
    words_release(&p->words);
}

static char folder[] = "/tmp/benchrun-test-XXXXXX";

static void make_file(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
}

/* Every test runs in a folder with a.json, a folder d with three files, and data/testcases/installed.json. */
static int enter_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    mkdir("d", 0700);
    mkdir("empty", 0700);
    mkdir("data", 0700);
    mkdir("data/testcases", 0700);
    const char *names[] = {"a.json", "d/b.json",       "d/B.json",
                           "d/c.js", "d/.hidden.json", "data/testcases/installed.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        make_file(names[i]);
    struct error err;
    error_init(&err);
    char *data = file_join(folder, "data");
    setenv("BENCHRUN_DATADIR", data, 1);
    free(data);
    unsetenv("MONGODB_URI");
    unsetenv("MONGODB_PASSWORD");
    FILE *password = fopen("password", "w");
    fputs("from the file\nsecond line\n", password);
    fclose(password);
    FILE *marked = fopen("marked", "w");
    fprintf(marked, "%sfrom the file\r\n", "\xEF\xBB\xBF");
    fclose(marked);
    /* Nobody there to be asked. */
    return freopen("/dev/null", "r", stdin) ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && file_remove_tree(folder, NULL) ? 0 : -1;
}

static void defaults(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, "-f|a.json");
    assert_true(p.ok);
    const struct run_options *run = &p.cli.run;
    assert_int_equal(run->thread_count, 6);
    assert_int_equal(run->threads[4], 12);
    assert_true(run->trial_time_ns == 5 * CLOCK_NS_PER_SEC);
    assert_true(run->grace_ns == 30 * CLOCK_NS_PER_SEC);
    assert_true(run->patience_ns == 30 * CLOCK_NS_PER_SEC);
    assert_int_equal(run->client, RUN_CLIENT_OWN);
    assert_int_equal(run->workers, 0);
    assert_int_equal(run->trial_count, 1);
    assert_int_equal(run->multidb, 1);
    assert_int_equal(run->multicoll, 1);
    assert_int_equal(run->seed, 1);
    assert_string_equal(run->uri, "mongodb://localhost:27017/");
    assert_true(run->write_cmd);
    assert_false(run->read_cmd || run->safe || run->w_given || run->j_given || run->local);
    assert_null(run->out);
    release(&p);
}

static void everything(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, "-f|a.json|-t|8|1|-m|2|-c|3|--trialTime|0.5|--trialCount|4|--grace|0|--patience|2.5|--seed|"
              "18446744073709551615|-w|2|-j|"
              "--out|o|--exclude-testbed|--printArgs|--keep|--force|--includeFilter|a|b|"
              "--includeFilter|c|--excludeFilter|%|--workers|3|--client|own");
    assert_true(p.ok);
    const struct run_options *run = &p.cli.run;
    assert_int_equal(run->thread_count, 2);
    assert_int_equal(run->threads[0], 8);
    assert_int_equal(run->multidb, 2);
    assert_int_equal(run->multicoll, 3);
    assert_true(run->trial_time_ns == 500 * CLOCK_NS_PER_MS);
    assert_int_equal(run->trial_count, 4);
    assert_true(run->grace_ns == 0);
    assert_true(run->patience_ns == 2500 * CLOCK_NS_PER_MS);
    assert_true(run->seed == UINT64_MAX);
    assert_int_equal(run->workers, 3);
    assert_true(run->w_given && run->w == 2 && run->j_given && run->j);
    assert_string_equal(run->out, "o");
    assert_true(run->exclude_testbed && run->print_args && run->keep && run->force);
    assert_int_equal(run->include.count, 2);
    assert_int_equal(run->include.items[0].count, 2);
    assert_string_equal(run->include.items[1].words[0], "c");
    assert_string_equal(run->exclude.items[0].words[0], "%");
    release(&p);
}

static void check_ladder(const char *line, const char *expected)
{
    struct parsed p;
    parse(&p, line);
    struct buffer text = {0};
    for (size_t i = 0; i < p.cli.run.thread_count; i++)
        buffer_append_printf(&text, "%s%u", i ? " " : "", p.cli.run.threads[i]);
    assert_true(p.ok);
    assert_string_equal(buffer_text(&text), expected);
    buffer_release(&text);
    release(&p);
}

static void ladders(void **state)
{
    (void)state;
    check_ladder("-f|a.json|-t|1|2|4|...|128", "1 2 4 8 16 32 64 128");
    check_ladder("-f|a.json|-t|3|...|12|100", "3 6 12 100");
    check_ladder("-f|a.json|-t|1|2|-t|1000|3", "1000 3");
}

struct refusal {
    const char *given, *message;
};

static void check_refusals(const struct refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct parsed p;
        parse(&p, rows[i].given);
        assert_false(p.ok);
        assert_int_equal(p.errors.count, 1);
        if (!strstr(p.errors.items[0], rows[i].message))
            assert_string_equal(p.errors.items[0], rows[i].message);
        release(&p);
    }
}

#define REFUSED(...)                                                                                                   \
    const struct refusal rows[] = {__VA_ARGS__};                                                                       \
    (void)state;                                                                                                       \
    check_refusals(rows, sizeof rows / sizeof *rows)

static void numbers(void **state)
{
    REFUSED({"-f|a.json|-t|0", "got \"0\""}, {"-f|a.json|-t|-1", "got \"-1\""}, {"-f|a.json|-t|1.5", "got \"1.5\""},
            {"-f|a.json|-t|1e3", "got \"1e3\""}, {"-f|a.json|-t|4|4", "4 is there twice"},
            {"-f|a.json|-t|99999999999999999999", "whole numbers from 1"}, {"-f|a.json|-t|", "got \"\""},
            {"-f|a.json|-t|1,2,4|8", "1 2 4 instead of \"1,2,4\""},
            {"-f|a.json|-t|1|2|...|100", "doubling 2 does not lead to 100"},
            {"-f|a.json|-t|1|3|...|27", "3 is not twice 1"}, {"-f|a.json|-t|...|8", "number before it"},
            {"-f|a.json|-t|1|2|...", "number after it"}, {"-f|a.json|-t|4|...|...|8", "put a number between them"},
            {"-f|a.json|-t|8|...|4", "does not lead to 4"}, {"-f|a.json|-t|8|...|8", "does not lead to 8"},
            {"-f|a.json|-t|8|2|4|...|16", "8 is there twice"},
            {"-f|a.json|--trialTime|0", "--trialTime: expected seconds"},
            {"-f|a.json|--trialTime|-1", "expected seconds"}, {"-f|a.json|--trialTime|nan", "got \"nan\""},
            {"-f|a.json|--trialTime|1e3", "got \"1e3\""}, {"-f|a.json|--trialTime|.", "got \".\""},
            {"-f|a.json|--trialCount|0", "whole number from 1"}, {"-f|a.json|--trialCount|1.5", "whole number"},
            {"-f|a.json|--grace|-1", "expected seconds"}, {"-f|a.json|--patience|-1", "expected seconds"},
            {"-f|a.json|--seed|-1", "whole number"}, {"-f|a.json|--seed|18446744073709551616", "whole number"},
            {"-f|a.json|-m|x", "whole number"}, {"-f|a.json|-w|0|-j", "cannot be combined"},
            {"-f|a.json|-w|1001", "from 0 to 1000"},
            {"-f|a.json|-w|1y", "-w: expected a whole number from 0 to 1000, majority"},
            {"-f|a.json|-w|majority;j", "got \"majority;j\""}, {"-f|a.json|-w|-1", "whole number"},
            {"-f|a.json|--shard|1", "only 0"}, {"-f|a.json|--workers|0", "whole number from 1"},
            {"-f|a.json|--client|mine", "expected own or driver"}, {"-f|a.json|--list|--format|xml", "json"},
            {"-f|a.json|--out|", "--out: the value is empty"});
}

static void ladders_in_other_words(void **state)
{
    REFUSED({"-f|a.json|-t|1,2,4", "are separate words, without commas and quotes: 1 2 4 instead of \"1,2,4\""},
            {"-f|a.json|-t|1 2 ... 8", "1 2 ... 8 instead of \"1 2 ... 8\""},
            {"-f|a.json|-t|1;2\t4", "1 2 4 instead of"}, {"-f|a.json|-t|1|..|8", "and \"...\" for the doublings"},
            {"-f|a.json|-t|1..8", "got \"1..8\""}, {"-f|a.json|-t|1-8", "got \"1-8\""});
}

static void contradictions(void **state)
{
    REFUSED(
        {"-f|a.json|--local|--uri|mongodb://h", "--local and --uri exclude each other"},
        {"-f|a.json|--local|--host|h", "exclude"}, {"-f|a.json|--uri|mongodb://h|--port|1", "exclude"},
        {"-f|a.json|--uri|mongodb://h|--replset|r", "exclude"}, {"-f|a.json|--local|-u|u|-p|p", "exclude"},
        {"-f|a.json|--mongod|/m", "--mongod makes sense with --local only"},
        {"-f|a.json|--client|driver|--workers|2", "--workers makes no sense with --client driver"},
        {"-f|a.json|--format|json", "--format makes sense with --list and --preflight only"},
        {"--list", "-f testcases"}, {"-f|a.json|-u|u", "no terminal"}, {"-f|a.json|-p|secret", "no user"},
        {"-f|a.json|--passwordFile|password", "no user"}, {"-f|a.json|-u|u|--passwordFile|nowhere", "nowhere"},
        {"-f|a.json|--uri|mongodb://u:p@h|-u|v", "both name a user"},
        {"-f|a.json|-u|u|--passwordFile|/dev/null", "--passwordFile: /dev/null: the first line is empty"},
        {"-f|a.json|--uri|mongodb://u%2Bv@h", "the user u+v (--uri) has no password"},
        {"-f|a.json|--uri|mongodb://u:@h", "the user u (--uri) has an empty password"},
        {"-f|a.json|--local|--authenticationDatabase|a", "--local and --authenticationDatabase exclude"},
        {"-f|a.json|--local|-p|p", "exclude"},
        {"-f|a.json|--authenticationDatabase|a", "authSource (--authenticationDatabase) has no effect without a user"},
        {"-f|a.json|-u|\377|-p|p", "-u: the name of the user must be UTF-8"},
        {"-f|a.json|--uri|mongodb://h/?w=0|-j", "--uri: w=0 and -j exclude each other"},
        {"-f|a.json|--uri|mongodb://h/?safe=false|-j", "--uri: w=0 and -j exclude each other"},
        {"-f|a.json|--uri|mongodb://h/?journal=true|-w|0", "--uri: -w 0 and journal=true exclude each other"});
}

static void hosts(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"--host|h", "mongodb://h:27017/"},
        {"--port|99", "mongodb://localhost:99/"},
        {"--host|h:1|--replset|r s", "mongodb://h:1/?replicaSet=r%20s"},
        {"--host|set/a,b:2|--port|3", NULL},
        {"--host|set/a,b:2", "mongodb://a:27017,b:2/?replicaSet=set"},
        {"--host|::1", "mongodb://[::1]:27017/"},
        {"--host|[::1]:5", "mongodb://[::1]:5/"},
        {"--host|h:1|--port|1", "mongodb://h:1/"},
        {"--uri|mongodb://u@h/?authMechanism=MONGODB-AWS&appName=y",
         "mongodb://u@h/?authMechanism=MONGODB-AWS&appName=y"},
        {"--host|h|-u|j o@e|-p|p|--authenticationMechanism|PLAIN|--authenticationDatabase|a b|--tls",
         "mongodb://j%20o%40e@h:27017/?authMechanism=PLAIN&authSource=a%20b&tls=true"},
        {"--uri|mongodb://h/db?authSource=x&ssl=false&w=1|-u|u|-p|p|--authenticationDatabase|y|--tls",
         "mongodb://u@h/db?w=1&authSource=y&tls=true"},
        {"--uri|mongodb://h/?authMechanism=SCRAM-SHA-1|-u|u|-p|p", "mongodb://u@h/?authMechanism=SCRAM-SHA-1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed p;
        char *line = memory_printf("-f|a.json|%s", rows[i].given);
        parse(&p, line);
        assert_int_equal(p.ok, rows[i].message != NULL);
        if (p.ok)
            assert_string_equal(p.cli.run.uri, rows[i].message);
        release(&p);
        free(line);
    }
}

static void bad_hosts(void **state)
{
    REFUSED({"-f|a.json|--host|u:secret@h", "--host: \"u:***@h\" is no host name"},
            {"-f|a.json|--host|u:p@h", "users go in -u"},
            {"-f|a.json|--host|mongodb://h", "connection strings in --uri"}, {"-f|a.json|--host|a,,b", "no host name"},
            {"-f|a.json|--port|0", "--port"}, {"-f|a.json|--port|65536", "--port"}, {"-f|a.json|--port|x", "--port"},
            {"-f|a.json|--host|s/h|--replset|r", "replica set"});
}

static void environment_is_asked_last(void **state)
{
    (void)state;
    struct parsed p;
    setenv("MONGODB_URI", "mongodb://u:p%40ss@env/", 1);
    parse(&p, "-f|a.json");
    assert_true(p.ok);
    assert_string_equal(p.cli.run.uri, "mongodb://u@env/");
    assert_string_equal(p.cli.run.password, "p@ss");
    release(&p);
    parse(&p, "-f|a.json|--port|1");
    assert_string_equal(p.cli.run.uri, "mongodb://localhost:1/");
    release(&p);
    unsetenv("MONGODB_URI");
    parse(&p, "-f|a.json|--local");
    assert_true(p.ok && p.cli.run.local && !p.cli.run.uri);
    release(&p);
}

static void passwords_come_from_four_places(void **state)
{
    (void)state;
    setenv("MONGODB_PASSWORD", "from the environment", 1);
    static const struct refusal rows[] = {
        {"-f|a.json|-u|u|-p|p@s:s/w%rd#1", "p@s:s/w%rd#1"},
        {"-f|a.json|-u|u|--passwordFile|password", "from the file"},
        {"-f|a.json|-u|u", "from the environment"},
        {"-f|a.json|--uri|mongodb://u:in%20uri@h", "in uri"},
        {"-f|a.json|--uri|mongodb://u@h|-p|x", "x"},
        {"-f|a.json|--uri|mongodb://u@h", "from the environment"},
        {"-f|a.json|-u|u|-p|", "from the environment"},
        {"-f|a.json", NULL},
        {"-f|a.json|-u|u|--passwordFile|marked", "from the file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed p;
        parse(&p, rows[i].given);
        assert_true(p.ok);
        if (rows[i].message)
            assert_string_equal(p.cli.run.password, rows[i].message);
        else
            assert_null(p.cli.run.password);
        release(&p);
    }
    unsetenv("MONGODB_PASSWORD");
}

static void passwords_leave_argv(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"-f|a.json|-u|u|-p|s3cret", "benchrun -f a.json -u u -p ***"},
        {"-f|a.json|-u|u|-ps3cret", "benchrun -f a.json -u u -p***"},
        {"-f|a.json|-u|u|--pass=s3cret", "benchrun -f a.json -u u --pass=***"},
        {"-f|a.json|--uri|mongodb://u:s3cret@h/db", "benchrun -f a.json --uri mongodb://u:***@h/db"},
        {"-f|a.json|--uri=mongodb://u:s3/s3cret@h/db", "benchrun -f a.json --uri=mongodb://u:***@h/db"},
        {"-f|a.json|--uri=mongodb://u:s3c?s3cret@h", "benchrun -f a.json --uri=mongodb://u:***@h"},
        {"-f|a.json|--bogus|-p|s3cret", NULL},
        {"-f|it's a.json|-u|", "benchrun -f 'it'\\''s a.json' -u ''"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed p;
        parse(&p, rows[i].given);
        for (int k = 0; rows[i].message && k < p.words.argc; k++)
            assert_null(strstr(p.words.argv[k], "s3cret"));
        if (rows[i].message)
            assert_string_equal(p.cli.run.command_line, rows[i].message);
        for (size_t k = 0; k < p.errors.count; k++)
            assert_null(strstr(p.errors.items[k], "s3cret"));
        release(&p);
    }
}

static void malformed_uris(void **state)
{
    REFUSED({"-f|a.json|--uri|mongo://h:27017", "mongo"}, {"-f|a.json|--uri|mongodb://", "host"},
            {"-f|a.json|--uri|mongodb://h::27017", ""}, {"-f|a.json|--uri|mongodb://h:65536", "65536"},
            {"-f|a.json|--uri|mongodb://a:b:c@h", "%3A"}, {"-f|a.json|--uri|mongodb://u%w:p@h", "%"},
            {"-f|a.json|--uri|mongodb://u:w%p@h", "%25"}, {"-f|a.json|--uri|mongodb://u:p@s@h", "%40"},
            {"-f|a.json|--uri|mongodb://u:1/2@h", "%2F"}, {"-f|a.json|--uri|", "empty"});
}

static void check_files(const char *line, const char *expected)
{
    struct parsed p;
    parse(&p, line);
    struct buffer text = {0};
    const struct run_options *run = &p.cli.run;
    for (size_t i = 0; i < run->file_count; i++) {
        bool inside = strncmp(run->files[i], folder, strlen(folder)) == 0;
        buffer_append_printf(&text, "%s%s", i ? " " : "", run->files[i] + (inside ? strlen(folder) : 0));
    }
    assert_string_equal(buffer_text(&text), expected);
    assert_true(p.ok);
    buffer_release(&text);
    release(&p);
}

static void files(void **state)
{
    (void)state;
    check_files("-f|d", "d/B.json d/b.json");
    check_files("-f|a.json|d|d/b.json", "a.json d/b.json");
    check_files("-f|d|-f|a.json", "d/B.json d/b.json a.json");
    check_files("-f|installed.json|testcases/installed.json", "/data/testcases/installed.json");
    check_files("-f|testcases", "/data/testcases/installed.json");
    check_files("-f|a.json|-f|a.json", "a.json");
}

static void missing_files_are_all_listed(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, "-f|no1.json|a.json|no2.json|testcases/*|installed.js");
    assert_false(p.ok);
    assert_int_equal(p.errors.count, 4);
    assert_non_null(strstr(p.errors.items[0], "no1.json"));
    assert_non_null(strstr(p.errors.items[1], "no2.json"));
    assert_non_null(strstr(p.errors.items[2], "-f testcases"));
    assert_non_null(strstr(p.errors.items[3], "installed.json"));
    release(&p);
}

static void no_files(void **state)
{
    REFUSED({"-f|empty", "no *.json"}, {"-f|d|empty", "no definition file"}, {"", "-f"});
}

static void notes(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"-f|a.json|-s|mongo", "--shell"},          {"-f|a.json|--safe", "--safe"},
        {"-f|a.json|--readCmd", "--readCmd"},       {"-f|a.json|-m|0", "1 is taken"},
        {"-f|a.json|-c|-5", "-5 is less"},          {"-f|a.json|--writeCmd|false", "--writeCmd"},
        {"-f|a.json|d", "d: is a folder"},          {"-f|a.json|a.json", "given twice"},
        {"-f|a.json|--writeCmd|true", NULL},        {"-f|a.json|--shard|0", NULL},
        {"-f|a.json|--local|false|--host|h", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed p;
        parse(&p, rows[i].given);
        assert_true(p.ok);
        assert_int_equal(p.cli.notes.count, rows[i].message ? 1 : 0);
        if (rows[i].message)
            assert_non_null(strstr(p.cli.notes.items[0], rows[i].message));
        assert_int_equal(p.cli.run.multidb, 1);
        release(&p);
    }
}

static void no_server_is_needed_to_list(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, "-f|a.json|--list|--format|json|-u|u");
    assert_true(p.ok && p.cli.list && p.cli.list_as_json);
    release(&p);
    parse(&p, "--help|-f|nowhere");
    assert_true(p.ok && p.cli.help);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(defaults, "the defaults are mongo-perf's"),
        NAMED_TEST(everything, "every option reaches its field"),
        NAMED_TEST(ladders, "three dots go on doubling, the last -t wins"),
        NAMED_TEST(numbers, "bad numbers are refused with what was expected"),
        NAMED_TEST(ladders_in_other_words, "a ladder that is written another way is refused with the right one"),
        NAMED_TEST(contradictions, "options that contradict or miss each other are refused"),
        NAMED_TEST(hosts, "host, port and set become a connection string"),
        NAMED_TEST(bad_hosts, "malformed hosts and ports are refused"),
        NAMED_TEST(environment_is_asked_last, "the environment gives what the command line does not"),
        NAMED_TEST(passwords_come_from_four_places, "a password comes from -p, a file, the URI or the environment"),
        NAMED_TEST(passwords_leave_argv, "no password stays in argv, the command line or a message"),
        NAMED_TEST(malformed_uris, "a malformed connection string is refused"),
        NAMED_TEST(files, "files, folders and installed names are found"),
        NAMED_TEST(missing_files_are_all_listed, "all missing files are listed"),
        NAMED_TEST(no_files, "no definition file at all is refused"),
        NAMED_TEST(notes, "what has no effect is accepted with a note"),
        NAMED_TEST(no_server_is_needed_to_list, "--list and --help ask for no server and no password"),
    };
    return cmocka_run_group_tests_name("cli_options", tests, enter_folder, leave_folder);
}
