/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_options.h"

#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli_set.h"

#define SECONDS_A_YEAR 31536000
#define NO_EFFECT "has no effect here"

const char *const cli_section_titles[CLI_SECTIONS_END] = {
    [CLI_WHAT] = "What to run:",
    [CLI_HOW] = "How to measure:",
    [CLI_WHERE] = "Where:",
    [CLI_RESULT] = "The result:",
    [CLI_IGNORED] = "Accepted for the sake of mongo-perf's command lines:",
    [CLI_HELP] = "Help:",
};

#define MONGO_PERF .is_mongo_perf = true
#define OPTION(name_, letter_, kind_, set_, member)                                                                    \
    .name = name_, .letter = letter_, .kind = kind_, .set = set_, .field = offsetof(struct benchrun_cli, member)
#define SWITCH(name_, letter_, member) OPTION(name_, letter_, CLI_BOOL, cli_set_flag, member)
#define VALUE(name_, letter_, set_, member) OPTION(name_, letter_, CLI_VALUE, set_, member)
#define TEXT(name_, letter_, member) VALUE(name_, letter_, cli_set_text, member)
#define LIST(name_, letter_, member) OPTION(name_, letter_, CLI_LIST, cli_set_group, member), .more = cli_set_more

const struct cli_option cli_options[] = {
    {LIST("--testfiles", 'f', file_words), MONGO_PERF, .section = CLI_WHAT, .argument = "FILE...",
     .help = "Definition files, or one folder for its *.json; names that are not here are looked up among the "
             "installed ones"},
    {LIST("--includeFilter", 0, run.include), MONGO_PERF, .section = CLI_WHAT, .argument = "WORD...",
     .help = "Run the tests whose name or tag is one of the words (or whose name matches a pattern); repeated: all "
             "must fit"},
    {LIST("--excludeFilter", 0, run.exclude), MONGO_PERF, .section = CLI_WHAT, .argument = "WORD...",
     .help = "Leave out the tests that fit all of the words; repeated: any"},
    {SWITCH("--allow-missing", 0, run.allow_missing), .section = CLI_WHAT,
     .help = "Go on when a word of a filter is the name or tag of no test"},
    {SWITCH("--list", 0, list), .section = CLI_WHAT, .help = "List the selected tests and stop; needs no server"},
    {SWITCH("--check", 0, check), .section = CLI_WHAT,
     .help = "Report all errors in the definition files and exit; needs no server"},
    {SWITCH("--preflight", 0, preflight), .section = CLI_WHAT,
     .help = "Check whether a run would work, print the findings and exit; needs no -f"},
    {VALUE("--format", 0, cli_set_format, list_as_json), .section = CLI_WHAT, .argument = "text|json",
     .help = "How --list and --preflight write (default text)"},

    {LIST("--threads", 't', thread_words), MONGO_PERF, .section = CLI_HOW, .argument = "N...",
     .help = "Numbers of concurrent connections, in this order (default 1 2 4 8 12 16); \"1 2 4 ... 128\" goes on "
             "doubling"},
    {VALUE("--multidb", 'm', cli_set_raised_count, run.multidb), MONGO_PERF, .section = CLI_HOW, .argument = "N",
     .min = 1, .max = 10000, .help = "Number of databases test0, test1, ... (default 1)"},
    {VALUE("--multicoll", 'c', cli_set_raised_count, run.multicoll), MONGO_PERF, .section = CLI_HOW, .argument = "N",
     .min = 1, .max = 10000, .help = "Collections in each database (default 1)"},
    {VALUE("--trialTime", 0, cli_set_seconds, run.trial_time_ns), MONGO_PERF, .section = CLI_HOW, .argument = "SECONDS",
     .min = 0.001, .max = SECONDS_A_YEAR, .help = "Length of one trial (default 5)"},
    {VALUE("--trialCount", 0, cli_set_count, run.trial_count), MONGO_PERF, .section = CLI_HOW, .argument = "N",
     .min = 1, .max = 1000000, .help = "Trials of each test at each number of connections (default 1)"},
    {VALUE("--grace", 0, cli_set_seconds, run.grace_ns), .section = CLI_HOW, .argument = "SECONDS", .min = 0,
     .max = SECONDS_A_YEAR, .help = "How long operations in flight may go on after a trial (default 30)"},
    {VALUE("--patience", 0, cli_set_seconds, run.patience_ns), .section = CLI_HOW, .argument = "SECONDS", .min = 0,
     .max = SECONDS_A_YEAR,
     .help = "How long a server that has gone, or the next primary of a set, is waited for (default 30)"},
    {VALUE("--seed", 0, cli_set_u64, run.seed), .section = CLI_HOW, .argument = "N",
     .help = "Random data and streams; equal seeds give equal ones (default 1)"},
    {VALUE("--workers", 0, cli_set_count, run.workers), .section = CLI_HOW, .argument = "N", .min = 1, .max = 1000,
     .help = "Threads that drive the connections (default: as many as usable CPUs)"},
    {VALUE("--client", 0, cli_set_client, run.client), .section = CLI_HOW, .argument = "own|driver",
     .help = "Client to use: benchrun's own, or libmongoc with one thread per connection "
             "(default own)"},
    {VALUE("-w", 'w', cli_set_w, run.w), MONGO_PERF, .section = CLI_HOW, .argument = "N|NAME",
     .help = "Write concern: how many members confirm a write, or majority, or a name of your own (default: not sent); "
             "0: none, nothing is confirmed and no rate is given"},
    {OPTION("-j", 'j', CLI_BOOL, cli_set_j, run.j), MONGO_PERF, .section = CLI_HOW,
     .help = "Write concern: wait for the journal (default: false is sent)"},

    {TEXT("--host", 0, host), MONGO_PERF, .section = CLI_WHERE, .argument = "HOST",
     .help = "Server, with or without :PORT (default localhost); also SET/HOST,HOST"},
    {TEXT("--port", 0, port), MONGO_PERF, .section = CLI_WHERE, .argument = "PORT",
     .help = "Port of the server (default 27017)"},
    {TEXT("--replset", 0, replset), MONGO_PERF, .section = CLI_WHERE, .argument = "NAME",
     .help = "Replica set that the host belongs to"},
    {TEXT("--uri", 0, run.uri), .is_secret = true, .section = CLI_WHERE, .argument = "URI",
     .help = "Connection string, instead of --host, --port and --replset (default: MONGODB_URI, if set)"},
    {SWITCH("--local", 0, run.local), .section = CLI_WHERE,
     .help = "Start a throw-away server, measure it, and remove it"},
    {VALUE("--members", 0, cli_set_count, run.local_members), .section = CLI_WHERE, .argument = "N", .min = 1, .max = 7,
     .help = "Number of members in the replica set that --local starts (default 1)"},
    {TEXT("--mongod", 0, run.mongod), .section = CLI_WHERE, .argument = "PATH",
     .help = "The mongod for --local (default: MONGOD, the one on PATH, or else the embedded server)"},
    {TEXT("--username", 'u', username), MONGO_PERF, .section = CLI_WHERE, .argument = "NAME",
     .help = "User to log in as"},
    {VALUE("--password", 'p', cli_set_any_text, run.password), MONGO_PERF, .is_secret = true, .section = CLI_WHERE,
     .argument = "PASSWORD",
     .help = "Password of the user; better in MONGODB_PASSWORD, in a file, or typed when asked"},
    {TEXT("--passwordFile", 0, password_file), .section = CLI_WHERE, .argument = "FILE",
     .help = "File whose first line is the password"},
    {TEXT("--authenticationDatabase", 0, auth_database), .section = CLI_WHERE, .argument = "NAME",
     .help = "Database that knows the user (default: what the URI says, else admin)"},
    {TEXT("--authenticationMechanism", 0, auth_mechanism), .section = CLI_WHERE, .argument = "NAME",
     .help = "SCRAM-SHA-1, SCRAM-SHA-256, MONGODB-X509, PLAIN, ... (default: what the server prefers)"},
    {SWITCH("--tls", 0, tls), .section = CLI_WHERE, .help = "Speak TLS, and verify the server's certificate"},
    {TEXT("--tlsCAFile", 0, tls_ca_file), .section = CLI_WHERE, .argument = "FILE",
     .help = "Authorities that may have signed it (PEM; default: the system's)"},
    {TEXT("--tlsCertificateKeyFile", 0, tls_key_file), .section = CLI_WHERE, .argument = "FILE",
     .help = "Our own certificate and its key (PEM)"},
    {TEXT("--tlsCertificateKeyFilePassword", 0, tls_key_password), .is_secret = true, .section = CLI_WHERE,
     .argument = "PASSWORD", .help = "Password of that key"},
    {SWITCH("--tlsAllowInvalidCertificates", 0, tls_any_certificate), .section = CLI_WHERE,
     .help = "Take any certificate of the server"},
    {SWITCH("--tlsAllowInvalidHostnames", 0, tls_any_hostname), .section = CLI_WHERE,
     .help = "Take a certificate that is for another name"},
    {SWITCH("--force", 0, run.force), .section = CLI_WHERE,
     .help = "Also drop and replace collections that benchrun did not make, and a file that is no result"},
    {SWITCH("--keep", 0, run.keep), .section = CLI_WHERE, .help = "Leave the collections behind"},

    {TEXT("--out", 0, run.out), MONGO_PERF, .section = CLI_RESULT, .argument = "FILE",
     .help =
         "Where the result goes as JSON (default and -: standard output); a result that is there is kept as FILE.1"},
    {SWITCH("--exclude-testbed", 0, run.exclude_testbed), MONGO_PERF, .section = CLI_RESULT,
     .help = "Leave the description of server and client out of the result"},
    {SWITCH("--printArgs", 0, run.print_args), MONGO_PERF, .section = CLI_RESULT,
     .help = "Show before each trial what it will do"},

    {SWITCH("--writeCmd", 0, run.write_cmd), MONGO_PERF, .section = CLI_IGNORED,
     .note = NO_EFFECT ": writes are always commands", .note_unless = "true", .help = "Writes are always commands"},
    {SWITCH("--readCmd", 0, run.read_cmd), MONGO_PERF, .section = CLI_IGNORED,
     .note = NO_EFFECT ": reads are always commands", .help = "Reads are always commands"},
    {SWITCH("--safe", 0, run.safe), MONGO_PERF, .section = CLI_IGNORED, .note = NO_EFFECT ": every reply is read",
     .help = "Every reply is always read"},
    {VALUE("--shell", 's', cli_set_nothing, run), MONGO_PERF, .section = CLI_IGNORED, .argument = "PATH",
     .note = NO_EFFECT ": no shell is used", .help = "No shell is used"},
    {VALUE("--shard", 0, cli_set_shard, run), MONGO_PERF, .section = CLI_IGNORED, .argument = "0",
     .help = "Collections are not sharded: 0 is the only value"},

    {OPTION("--help", 'h', CLI_FLAG, cli_set_flag, help), MONGO_PERF, .section = CLI_HELP,
     .help = "Print this and stop"},
    {OPTION("-?", '?', CLI_FLAG, cli_set_flag, help), .is_alias = true, .section = CLI_HELP},
    {OPTION("--usage", 0, CLI_FLAG, cli_set_flag, usage), .section = CLI_HELP,
     .help = "Print the options in short and stop"},
    {OPTION("--version", 'V', CLI_FLAG, cli_set_flag, version), .section = CLI_HELP,
     .help = "Print the version and those of the libraries, and stop"},
};
const size_t cli_option_count = COUNT_OF(cli_options);
_Static_assert(COUNT_OF(cli_options) <= BENCHRUN_CLI_OPTIONS_MAX, "struct benchrun_cli.given");

static void note_value(struct benchrun_cli *cli, const struct cli_option *option, const char *value)
{
    if (option->note && (!option->note_unless || strcmp(value, option->note_unless) != 0))
        message_list_add(&cli->notes, "%s: %s", option->name, option->note);
}

bool cli_option_apply(struct benchrun_cli *cli, const struct cli_option *option, const char *value, bool is_more,
                      struct error *err)
{
    if (is_more) {
        option->more(cli, option, value);
        return true;
    }
    /* A switch that is turned off is as good as absent. */
    cli->given[option - cli_options] = option->kind != CLI_BOOL || strcmp(value, "false") != 0;
    if (option->set(cli, option, value, err)) {
        note_value(cli, option, value);
        return true;
    }
    error_prefix(err, "%s", option->name);
    return false;
}

bool cli_option_is_given(const struct benchrun_cli *cli, const char *name)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (strcmp(cli_options[i].name, name) == 0)
            return cli->given[i];
    return false;
}

void cli_options_set_defaults(struct benchrun_cli *cli)
{
    *cli = (struct benchrun_cli){.run = {.multidb = 1,
                                         .multicoll = 1,
                                         .local_members = 1,
                                         .trial_time_ns = 5 * CLOCK_NS_PER_SEC,
                                         .trial_count = 1,
                                         .grace_ns = 30 * CLOCK_NS_PER_SEC,
                                         .patience_ns = 30 * CLOCK_NS_PER_SEC,
                                         .seed = 1,
                                         .write_cmd = true}};
}

/* Both of a row at once make no sense. */
static const char *const excluding[][2] = {
    {"--local", "--uri"},
    {"--local", "--host"},
    {"--local", "--port"},
    {"--local", "--replset"},
    {"--local", "--tls"},
    {"--local", "--authenticationMechanism"},
    {"--uri", "--host"},
    {"--uri", "--port"},
    {"--uri", "--replset"},
    {"--local", "--username"},
    {"--local", "--authenticationDatabase"},
    {"--local", "--password"},
    {"--local", "--passwordFile"},
    {"--password", "--passwordFile"},
    {"--list", "--check"},
    {"--list", "--preflight"},
    {"--check", "--preflight"},
};

/* The first of a row makes no sense without the second. */
static const char *const needing[][2] = {
    {"--members", "--local"},
    {"--mongod", "--local"},
    {"--tlsCAFile", "--tls"},
    {"--tlsCertificateKeyFile", "--tls"},
    {"--tlsCertificateKeyFilePassword", "--tlsCertificateKeyFile"},
    {"--tlsAllowInvalidCertificates", "--tls"},
    {"--tlsAllowInvalidHostnames", "--tls"},
};

bool cli_options_check(const struct benchrun_cli *cli, struct error *err)
{
    for (size_t i = 0; i < COUNT_OF(excluding); i++)
        if (cli_option_is_given(cli, excluding[i][0]) && cli_option_is_given(cli, excluding[i][1]))
            error_set(err, "%s and %s exclude each other; give one of them", excluding[i][0], excluding[i][1]);
    if (cli->run.client == RUN_CLIENT_DRIVER && cli_option_is_given(cli, "--workers"))
        error_set(err, "--workers makes no sense with --client driver, which has one thread a connection");
    for (size_t i = 0; i < COUNT_OF(needing); i++)
        if (cli_option_is_given(cli, needing[i][0]) && !cli_option_is_given(cli, needing[i][1]))
            error_set(err, "%s makes sense with %s only", needing[i][0], needing[i][1]);
    if (cli_option_is_given(cli, "--format") && !cli->list && !cli->preflight)
        error_set(err, "--format makes sense with --list and --preflight only");
    if (cli->run.w_given && !cli->run.w_name && cli->run.w == 0 && cli->run.j)
        error_set(err, "-w 0 and -j cannot be combined: -w 0 does not wait for a reply");
    return !err->is_set;
}
