/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/localserver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/localserver_find.h"
#include "engine/localserver_process.h"
#include "engine/localserver_ready.h"
#include "engine/localserver_record.h"

#define START_PATIENCE_MS 90000 /* a few seconds are usual; a busy machine with a slow disk takes longer */
#define STOP_PATIENCE_MS 10000
#define LOG_QUOTE_BYTES 800

/* One process of it. */
struct local_member {
    struct localserver_record record;
    char *data_path, *log_path;
};

struct localserver {
    struct localserver_choice choice;
    unsigned count;
    struct local_member members[LOCALSERVER_MEMBERS_MAX];
    struct localserver_process children[LOCALSERVER_MEMBERS_MAX]; /* pid 0: not started */
    uint16_t ports[LOCALSERVER_MEMBERS_MAX];
    char *uri;
};

/* The port is free now; another process may take it before the server does, which then ends and says so. */
static bool find_free_port(uint16_t *port, struct error *err)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 &&
              getsockname(fd, (struct sockaddr *)&address, &size) == 0;
    if (!ok)
        error_set(err, "no free port on 127.0.0.1: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    *port = ntohs(address.sin_port);
    return ok;
}

static bool spawn(struct localserver *server, unsigned i, const char *const argv[], struct error *err)
{
    struct local_member *member = &server->members[i];
    return localserver_process_spawn(&server->children[i], argv, member->record.folder, member->log_path, err) &&
           localserver_record_set_server(&member->record, &server->children[i], err);
}

/* One that has been started and does not listen yet. */
static bool is_port_of_another(const struct localserver *server, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (server->ports[k] == server->ports[i])
            return true;
    return false;
}

/* Its Unix socket would lie in /tmp and be left behind by a kill. */
static bool spawn_mongod(struct localserver *server, unsigned i, struct error *err)
{
    do
        if (!find_free_port(&server->ports[i], err))
            return false;
    while (is_port_of_another(server, i));
    char *port_text = memory_printf("%u", server->ports[i]);
    const char *const argv[] = {server->choice.program,
                                "--replSet",
                                "rs0",
                                "--bind_ip",
                                "127.0.0.1",
                                "--port",
                                port_text,
                                "--dbpath",
                                server->members[i].data_path,
                                "--nounixsocket",
                                NULL};
    bool ok = spawn(server, i, argv, err);
    free(port_text);
    return ok;
}

/* Without a configuration of ours it reads the working folder's, the user's or the system's; without --log-file-max
 * its folder grows to gigabytes. */
static bool spawn_embedded(struct localserver *server, unsigned i, struct error *err)
{
    char *config = file_join(server->members[i].record.folder, "empty.toml");
    const char *const argv[] = {server->choice.program,
                                "--host",
                                "127.0.0.1",
                                "--port",
                                "0",
                                "--config",
                                config,
                                "--storage-path",
                                server->members[i].data_path,
                                "--log-file-max",
                                "128MB",
                                "--cache-size",
                                "256M",
                                NULL};
    bool ok = file_replace(config, "", 0, NULL, err) && spawn(server, i, argv, err);
    free(config);
    return ok;
}

static bool start_member(struct localserver *server, unsigned i, struct error *err)
{
    struct local_member *member = &server->members[i];
    if (!localserver_record_create(&member->record, err))
        return false;
    member->data_path = file_join(member->record.folder, "data");
    member->log_path = file_join(member->record.folder, "log");
    return file_make_folders(member->data_path, err) &&
           (server->choice.is_mongod ? spawn_mongod(server, i, err) : spawn_embedded(server, i, err));
}

/* Not retryable writes: they would run at a fraction of the speed on some servers, and benchrun retries nothing. */
static char *make_uri(const struct localserver *server, const char *set_name)
{
    struct buffer uri = {0};
    for (unsigned i = 0; i < server->count; i++)
        buffer_append_printf(&uri, "%s127.0.0.1:%u", i == 0 ? "mongodb://" : ",", server->ports[i]);
    buffer_append_printf(&uri, "/?retryWrites=false%s%s", set_name ? "&replicaSet=" : "", set_name ? set_name : "");
    return buffer_detach(&uri);
}

static bool bring_up(struct localserver *server, unsigned patience_ms, struct error *err)
{
    char *set_name;
    for (unsigned i = 0; i < server->count; i++)
        if (!start_member(server, i, err))
            return false;
    struct localserver_wait wait = {.children = server->children,
                                    .count = server->count,
                                    .deadline_ns = clock_mono_ns() + patience_ms * CLOCK_NS_PER_MS};
    if (!server->choice.is_mongod &&
        !localserver_ready_read_port(&wait, server->members[0].log_path, &server->ports[0], err))
        return false;
    if (!localserver_ready_for_writes(&wait, server->ports, &set_name, err))
        return false;
    server->uri = make_uri(server, set_name);
    free(set_name);
    return true;
}

/* mongod's log: JSON since 4.4, before that "2018-10-09T12:00:00.000+0000 E STORAGE ..". 4.0 calls a start that failed
 * information. */
static bool tells_of_error(const char *line, size_t size)
{
    static const char *const signs[] = {"\"s\":\"E\"", "\"s\":\"F\"", "exception in initAndListen"};
    const char *space = memchr(line, ' ', size);
    size_t rest = space ? size - (size_t)(space - line) : 0;
    if (rest > 2 && space > line + 10 && line[10] == 'T' && (space[1] == 'E' || space[1] == 'F') && space[2] == ' ')
        return true;
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        if (memmem(line, size, signs[i], strlen(signs[i])))
            return true;
    }
    return false;
}

/* The first of them brought the others about. The caller frees; empty when there are none. */
static char *find_errors(const char *log)
{
    struct buffer errors = {0};
    for (const char *at = log; *at;) {
        size_t size = strcspn(at, "\n");
        if (errors.size < LOG_QUOTE_BYTES && tells_of_error(at, size))
            buffer_append_printf(&errors, "%.*s\n", (int)(size < LOG_QUOTE_BYTES ? size : LOG_QUOTE_BYTES), at);
        at += size + (at[size] == '\n');
    }
    return buffer_detach(&errors);
}

static const char *last_lines(const char *log)
{
    size_t size = strlen(log);
    const char *begin = size > LOG_QUOTE_BYTES ? log + size - LOG_QUOTE_BYTES : log;
    const char *newline = begin > log ? strchr(begin, '\n') : NULL;
    return newline && newline[1] ? newline + 1 : begin;
}

static void make_one_line(char *text)
{
    for (size_t i = strlen(text); i > 0 && text[i - 1] == '\n'; i--)
        text[i - 1] = '\0';
    for (char *at = text; *at; at++)
        if (*at == '\n')
            *at = '|';
}

/* The log of the one that ended, if one did: the others are only waiting for it. */
static const char *log_to_quote(const struct localserver *server)
{
    char *how;
    for (unsigned i = 0; i < server->count && server->children[i].pid != 0; i++) {
        if (localserver_process_child_ended(&server->children[i], &how)) {
            free(how);
            return server->members[i].log_path;
        }
    }
    return server->members[0].log_path;
}

/* A mongod that gives up says why, and then much about how it shuts down. */
static void explain_failure(const struct localserver *server, struct error *err)
{
    if (interrupt_signal() && err) {
        error_init(err);
        error_set(err, "interrupted while %s was starting", server->choice.name);
    }
    if (!err || interrupt_signal() || server->children[0].pid == 0)
        return;
    struct buffer log = {0};
    file_read(log_to_quote(server), SIZE_MAX, &log, NULL);
    char *errors = find_errors(buffer_text(&log));
    char *quote = *errors ? memory_strdup(errors) : memory_strdup(last_lines(buffer_text(&log)));
    char *reason = memory_strdup(err->message);
    make_one_line(quote);
    error_init(err);
    error_set(err, "%s: %s; its %s: %s", server->choice.name, reason, *errors ? "errors" : "last lines",
              *quote ? quote : "(none)");
    buffer_release(&log);
    free(reason);
    free(quote);
    free(errors);
}

struct localserver *localserver_start_choice(const struct localserver_choice *choice, unsigned members,
                                             unsigned patience_ms, struct error *err)
{
    if (members > 1 && !choice->is_mongod) {
        error_set(err,
                  "--members %u needs a mongod, and there is only %s, which is always alone: name one "
                  "(--mongod PATH, MONGOD=PATH, or mongod on PATH), or leave --members out",
                  members, choice->name);
        return NULL;
    }
    struct localserver *server = memory_zeroed(1, sizeof *server);
    server->count = members;
    server->choice = (struct localserver_choice){
        .is_mongod = choice->is_mongod, .program = memory_strdup(choice->program), .name = memory_strdup(choice->name)};
    if (bring_up(server, patience_ms, err))
        return server;
    explain_failure(server, err);
    localserver_stop(server);
    return NULL;
}

struct localserver *localserver_start(const char *mongod, unsigned members, struct error *err)
{
    struct localserver_choice choice;
    localserver_sweep();
    if (!localserver_find(&choice, mongod, err))
        return NULL;
    struct localserver *server = localserver_start_choice(&choice, members, START_PATIENCE_MS, err);
    localserver_choice_release(&choice);
    return server;
}

const char *localserver_uri(const struct localserver *server)
{
    return server->uri;
}

const char *localserver_name(const struct localserver *server)
{
    return server->choice.name;
}

/* What cannot be removed now stays written down for the next start. */
static void remove_member(struct local_member *member)
{
    if (member->record.folder)
        localserver_record_remove(&member->record, NULL);
    localserver_record_release(&member->record);
    free(member->data_path);
    free(member->log_path);
}

/* All are asked before one is waited for: their patience runs at the same time. */
void localserver_stop(struct localserver *server)
{
    if (!server)
        return;
    for (unsigned i = 0; i < server->count; i++)
        if (server->children[i].pid != 0)
            kill(-server->children[i].pid, SIGTERM);
    for (unsigned i = 0; i < server->count; i++) {
        if (server->children[i].pid != 0)
            localserver_process_end_child(&server->children[i], STOP_PATIENCE_MS);
        remove_member(&server->members[i]);
    }
    localserver_choice_release(&server->choice);
    free(server->uri);
    free(server);
}

unsigned localserver_sweep(void)
{
    return localserver_record_sweep();
}
