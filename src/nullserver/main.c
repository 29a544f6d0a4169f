/* SPDX-License-Identifier: Apache-2.0 */
/* The null server as a process of its own, for the bench: its CPU time is not the client's. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/descriptors.h"
#include "base/interrupt.h"
#include "base/message.h"
#include "nullserver/nullset.h"
#include "nullserver/nullwire.h"

static const char *const fault_names[] = {
    [NULLSERVER_OK] = "ok",
    [NULLSERVER_NEVER_ANSWER] = "never-answer",
    [NULLSERVER_CLOSE_MIDDLE] = "close-middle",
    [NULLSERVER_CLOSE] = "close",
    [NULLSERVER_GARBAGE_LENGTH] = "garbage-length",
    [NULLSERVER_WRONG_ID] = "wrong-id",
    [NULLSERVER_NOT_PRIMARY] = "not-primary",
    [NULLSERVER_SLOW] = "slow",
    [NULLSERVER_MUTE] = "mute",
    [NULLSERVER_UNASKED] = "unasked",
    [NULLSERVER_PIECES] = "pieces",
    [NULLSERVER_LOCKED] = "locked",
    [NULLSERVER_HANGUP] = "hangup",
    [NULLSERVER_REFUSE] = "refuse",
};
enum { FAULT_COUNT = COUNT_OF(fault_names) };

static const char *const role_names[] = {
    [NULLSERVER_PRIMARY] = "primary",         [NULLSERVER_MONGOS] = "mongos",   [NULLSERVER_SECONDARY] = "secondary",
    [NULLSERVER_HIDDEN] = "hidden",           [NULLSERVER_ARBITER] = "arbiter", [NULLSERVER_RECOVERING] = "recovering",
    [NULLSERVER_UNINITIATED] = "uninitiated",
};
enum { ROLE_COUNT = COUNT_OF(role_names) };

static const char *const era_names[] = {
    [NULLSERVER_NO_ERA] = "none", [NULLSERVER_4_0] = "4.0", [NULLSERVER_8_0] = "8.0"};
enum { ERA_COUNT = COUNT_OF(era_names) };

enum {
    KEY_AFTER = 256,
    KEY_TIMES,
    KEY_SLOW,
    KEY_LIKE,
    KEY_ROLE,
    KEY_MEMBERS,
    KEY_ME,
    KEY_PRIMARY,
    KEY_VERSION,
    KEY_ANSWER,
    KEY_LATE,
    KEY_SET,
    KEY_ELECTION,
    KEY_VACANCY
};

#define ANSWERS_MAX 16

/* What the words say. */
struct words {
    struct nullserver_config server;
    struct nullserver_script answers[ANSWERS_MAX];
    struct buffer replies[ANSWERS_MAX];
    struct nullset_config set; /* no members: a single server */
    bool is_late;
};

static const struct argp_option option_table[] = {
    {"port", 'p', "PORT", 0, "Listen on this port of 127.0.0.1 (default: any free one)", 0},
    {"replset", 'r', "NAME", 0, "Say to be a member of this replica set", 0},
    {"role", KEY_ROLE, "ROLE", 0,
     "What to be: primary (default), mongos, secondary, hidden, arbiter, recovering, uninitiated", 0},
    {"members", KEY_MEMBERS, "HOST:PORT,...", 0, "The members of the set (default: itself)", 0},
    {"me", KEY_ME, "HOST:PORT", 0, "Its own name in the set (default: its address)", 0},
    {"primary", KEY_PRIMARY, "HOST:PORT", 0, "The primary of the set, where it is another", 0},
    {"claim", KEY_VERSION, "VERSION", 0, "The version that it claims to be (default: 0.0.0, none)", 0},
    {"fault", 'f', "FAULT", 0,
     "What happens to writes: ok, never-answer, close-middle, close, garbage-length, wrong-id, not-primary, slow, "
     "mute, unasked, pieces; or to all that comes: locked, hangup, refuse",
     0},
    {"fault-after", KEY_AFTER, "N", 0, "The first N writes of a connection are answered well", 0},
    {"fault-times", KEY_TIMES, "N", 0, "Only N faults, then well again", 0},
    {"answer", KEY_ANSWER, "COMMAND:TIMES:CODE:TEXT", 0,
     "Answer the command with this error, or with ok where CODE is 0; TIMES 0: always, else so often, then by the next "
     "--answer of that command",
     0},
    {"late", KEY_LATE, 0, 0, "The fault begins with the first SIGUSR2, and ends with the next", 0},
    {"set", KEY_SET, "N", 0, "A replica set of N servers instead, rs0 or --replset; prints all addresses", 0},
    {"election-ms", KEY_ELECTION, "MS", 0, "With --set: how often another member is elected (default: never)", 0},
    {"vacancy-ms", KEY_VACANCY, "MS", 0, "With --set: how long there is no primary before that (default: 0)", 0},
    {"like", KEY_LIKE, "VERSION", 0,
     "Answer like that MongoDB where collections and indexes are there already, or not: 4.0, 8.0 (default: none, ok to "
     "everything)",
     0},
    {"slow-ms", KEY_SLOW, "MS", 0, "How late --fault slow answers (default: 1000)", 0},
    {0},
};

static unsigned long parse_number(struct argp_state *state, const char *text, unsigned long max)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > max)
        argp_error(state, "%s: expected a whole number up to %lu", text, max);
    return value;
}

static int parse_name(struct argp_state *state, const char *text, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], text) == 0)
            return i;
    }
    argp_error(state, "%s: no such name, see --help", text);
    return 0;
}

static void append_answer(struct buffer *reply, unsigned long code, const char *text)
{
    size_t document = nullwire_document_begin(reply);
    nullwire_append_int32(reply, "ok", code == 0);
    if (code > 0) {
        nullwire_append_int32(reply, "code", (int32_t)code);
        nullwire_append_string(reply, "errmsg", text);
    }
    nullwire_document_end(reply, document);
}

static void parse_answer(struct argp_state *state, struct words *words, char *text)
{
    char *command = strsep(&text, ":"), *times = strsep(&text, ":"), *code = strsep(&text, ":");
    size_t i = words->server.script_count++;
    if (!code || !text || i == ANSWERS_MAX) {
        argp_error(state, "--answer: expected COMMAND:TIMES:CODE:TEXT, at most %d of them", ANSWERS_MAX);
        return;
    }
    append_answer(&words->replies[i], parse_number(state, code, INT32_MAX), text);
    words->answers[i] = (struct nullserver_script){.command = command,
                                                   .reply = words->replies[i].data,
                                                   .reply_size = words->replies[i].size,
                                                   .times = (unsigned)parse_number(state, times, INT32_MAX)};
    words->server.scripts = words->answers;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct words *words = state->input;
    struct nullserver_config *config = &words->server;
    switch (key) {
    case 'p':
        config->port = (uint16_t)parse_number(state, arg, 65535);
        return 0;
    case 'r':
        config->replica_set = arg;
        return 0;
    case 'f':
        config->fault = (enum nullserver_fault)parse_name(state, arg, fault_names, FAULT_COUNT);
        return 0;
    case KEY_ROLE:
        config->role = (enum nullserver_role)parse_name(state, arg, role_names, ROLE_COUNT);
        return 0;
    case KEY_MEMBERS:
        config->members = arg;
        return 0;
    case KEY_ME:
        config->me = arg;
        return 0;
    case KEY_PRIMARY:
        config->primary = arg;
        return 0;
    case KEY_VERSION:
        config->version = arg;
        return 0;
    case KEY_AFTER:
        config->fault_after = parse_number(state, arg, UINT32_MAX);
        return 0;
    case KEY_TIMES:
        config->fault_times = parse_number(state, arg, UINT32_MAX);
        return 0;
    case KEY_ANSWER:
        parse_answer(state, words, arg);
        return 0;
    case KEY_LIKE:
        config->era = (enum nullserver_era)parse_name(state, arg, era_names, ERA_COUNT);
        return 0;
    case KEY_SLOW:
        config->slow_ms = (unsigned)parse_number(state, arg, 3600000);
        return 0;
    case KEY_LATE:
        words->is_late = true;
        return 0;
    case KEY_SET:
        words->set.members = (unsigned)parse_number(state, arg, NULLSET_MEMBERS_MAX);
        return 0;
    case KEY_ELECTION:
        words->set.election_ms = (unsigned)parse_number(state, arg, 3600000);
        return 0;
    case KEY_VACANCY:
        words->set.vacancy_ms = (unsigned)parse_number(state, arg, 3600000);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

struct service {
    struct nullserver *server;
    enum nullserver_role role;
    enum nullserver_fault fault; /* that SIGUSR2 begins and ends */
    bool has_fault;
};

/* SIGUSR1: an election, won or lost. */
static void change_role(struct service *service)
{
    service->role = service->role == NULLSERVER_PRIMARY ? NULLSERVER_SECONDARY : NULLSERVER_PRIMARY;
    nullserver_set_role(service->server, service->role);
}

static void change_fault(struct service *service)
{
    service->has_fault = !service->has_fault;
    nullserver_set_fault(service->server, service->has_fault ? service->fault : NULLSERVER_OK);
}

static void serve_until_interrupted(struct service *service, const sigset_t *signals)
{
    const struct timespec moment = {.tv_nsec = 100 * CLOCK_NS_PER_MS};
    while (!interrupt_signal()) {
        int number = sigtimedwait(signals, NULL, &moment);
        if (number == SIGUSR1 && service->server)
            change_role(service);
        else if (number == SIGUSR2 && service->server)
            change_fault(service);
    }
}

static bool run_one(const struct words *words, const sigset_t *signals, struct error *err)
{
    struct nullserver_config config = words->server;
    struct service service = {.role = config.role, .fault = config.fault, .has_fault = !words->is_late};
    config.fault = service.has_fault ? config.fault : NULLSERVER_OK;
    service.server = nullserver_start(&config, err);
    if (!service.server)
        return false;
    printf("127.0.0.1:%u\n", nullserver_port(service.server));
    fflush(stdout);
    serve_until_interrupted(&service, signals);
    nullserver_stop(service.server);
    return true;
}

static bool run_set(const struct words *words, const sigset_t *signals, struct error *err)
{
    struct nullset_config config = words->set;
    struct service none = {0};
    config.name = words->server.replica_set ? words->server.replica_set : "rs0";
    struct nullset *set = nullset_start(&config, err);
    if (!set)
        return false;
    printf("%s\n", nullset_hosts(set));
    fflush(stdout);
    serve_until_interrupted(&none, signals);
    nullset_stop(set);
    return true;
}

/* Blocked before there is a second thread, which inherits it. */
static void block(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGUSR1);
    sigaddset(signals, SIGUSR2);
    sigprocmask(SIG_BLOCK, signals, NULL);
}

int main(int argc, char **argv)
{
    struct words words = {.server = {.slow_ms = 1000}};
    struct argp argp = {option_table,
                        parse_option,
                        NULL,
                        "A server that says ok to everything and stores nothing; prints its address and runs until it "
                        "is interrupted. SIGUSR1 makes a primary a secondary, and any other the primary.",
                        NULL,
                        NULL,
                        NULL};
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &words);
    interrupt_install();
    descriptors_allow_most();
    sigset_t signals;
    block(&signals);
    struct error err;
    error_init(&err);
    bool ok = words.set.members > 0 ? run_set(&words, &signals, &err) : run_one(&words, &signals, &err);
    if (!ok)
        message_print("", "%s", err.message);
    for (size_t i = 0; i < words.server.script_count; i++)
        buffer_release(&words.replies[i]);
    return ok ? 0 : 1;
}
