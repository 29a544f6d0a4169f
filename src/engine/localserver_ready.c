/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/localserver_ready.h"

#include <arpa/inet.h>
#include <mongoc/mongoc.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/connect.h"
#include "engine/server_codes.h"

#define POLL_NS (20 * CLOCK_NS_PER_MS)
#define LOG_LIMIT_BYTES (16 << 20)
#define ACCEPT_LIMIT_MS 1000

static bool are_all_running(const struct localserver_wait *wait, struct error *err)
{
    char *how;
    for (unsigned i = 0; i < wait->count; i++) {
        if (localserver_process_child_ended(&wait->children[i], &how)) {
            error_set(err, "it ended before it was ready, with %s", how);
            free(how);
            return false;
        }
    }
    return true;
}

static bool may_wait_on(const struct localserver_wait *wait, struct error *err)
{
    if (!are_all_running(wait, err))
        return false;
    if (interrupt_signal() != 0) {
        error_set(err, "interrupted while it was starting");
        return false;
    }
    if (clock_mono_ns() >= wait->deadline_ns) {
        error_set(err, "it does not answer");
        return false;
    }
    clock_sleep_ns(POLL_NS);
    return true;
}

static bool find_port(const char *log_path, uint16_t *port)
{
    static const char words[] = "listening on 127.0.0.1:";
    struct buffer log = {0};
    bool found = false;
    if (file_read(log_path, LOG_LIMIT_BYTES, &log, NULL)) {
        const char *at = strstr(buffer_text(&log), words);
        char *end;
        unsigned long value = at ? strtoul(at + strlen(words), &end, 10) : 0;
        /* Without the newline only a part of the number may be there yet. */
        found = value > 0 && value <= UINT16_MAX && *end == '\n';
        *port = (uint16_t)value;
    }
    buffer_release(&log);
    return found;
}

bool localserver_ready_read_port(const struct localserver_wait *wait, const char *log_path, uint16_t *port,
                                 struct error *err)
{
    while (!find_port(log_path, port))
        if (!may_wait_on(wait, err))
            return false;
    return true;
}

/* Cheap, and without libmongoc's pause of five seconds after a refused connection. */
static bool accepts_connections(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct wait_terms terms = {0};
    int fd = connect_address((const struct sockaddr *)&address, sizeof address, &terms, ACCEPT_LIMIT_MS);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* isMaster, not hello: servers before 4.4.2 know only this one, and all later ones know it too. */
static bool ask(mongoc_client_t *client, const char *command, const bson_t *argument, bson_t *reply,
                bson_error_t *error)
{
    bson_t request = BSON_INITIALIZER;
    if (argument)
        BSON_APPEND_DOCUMENT(&request, command, argument);
    else
        BSON_APPEND_INT32(&request, command, 1);
    bool ok = mongoc_client_command_simple(client, "admin", &request, NULL, reply, error);
    bson_destroy(&request);
    return ok;
}

static bool reply_bool(const bson_t *reply, const char *key)
{
    bson_iter_t iter;
    return bson_iter_init_find(&iter, reply, key) && bson_iter_as_bool(&iter);
}

static char *reply_text(const bson_t *reply, const char *key)
{
    bson_iter_t iter;
    if (!bson_iter_init_find(&iter, reply, key) || !BSON_ITER_HOLDS_UTF8(&iter))
        return NULL;
    return memory_strdup(bson_iter_utf8(&iter, NULL));
}

static void append_config(bson_t *config, const uint16_t ports[], unsigned count)
{
    bson_t members;
    BSON_APPEND_UTF8(config, "_id", "rs0");
    BSON_APPEND_ARRAY_BEGIN(config, "members", &members);
    for (unsigned i = 0; i < count; i++) {
        char key[16], host[32];
        bson_t member;
        snprintf(key, sizeof key, "%u", i);
        snprintf(host, sizeof host, "127.0.0.1:%u", ports[i]);
        BSON_APPEND_DOCUMENT_BEGIN(&members, key, &member);
        BSON_APPEND_INT32(&member, "_id", (int32_t)i);
        BSON_APPEND_UTF8(&member, "host", host);
        bson_append_document_end(&members, &member);
    }
    bson_append_array_end(config, &members);
}

/* False: it is refused. An answer that does not come in time, on a slow disk, may be a yes all the same: looking on
 * tells, and being asked twice the server says that it has a set, or is about to. */
static bool initiate_set(mongoc_client_t *client, const uint16_t ports[], unsigned count, struct error *err)
{
    bson_t config = BSON_INITIALIZER, reply;
    bson_error_t error = {0};
    append_config(&config, ports, count);
    bool ok = ask(client, "replSetInitiate", &config, &reply, &error) || error.domain != MONGOC_ERROR_SERVER ||
              error.code == SERVER_ALREADY_INITIALIZED;
    if (!ok)
        error_set(err, "replSetInitiate: %s", error.message);
    bson_destroy(&reply);
    bson_destroy(&config);
    return ok;
}

enum state { STATE_SILENT, STATE_WITHOUT_SET, STATE_ELECTING, STATE_PRIMARY };

/* A member of several need not be the primary itself: whom it names, the driver finds. */
static enum state look_at(mongoc_client_t *client, char **set_name)
{
    bson_t reply;
    enum state state = STATE_SILENT;
    *set_name = NULL;
    if (ask(client, "isMaster", NULL, &reply, NULL)) {
        *set_name = reply_text(&reply, "setName");
        char *primary = reply_text(&reply, "primary");
        if (reply_bool(&reply, "ismaster") || (*set_name && primary))
            state = STATE_PRIMARY;
        else
            state = *set_name ? STATE_ELECTING : STATE_WITHOUT_SET;
        free(primary);
    }
    bson_destroy(&reply);
    return state;
}

static bool wait_for_primary(const struct localserver_wait *wait, mongoc_client_t *client, const uint16_t ports[],
                             char **set_name, struct error *err)
{
    for (;;) {
        enum state state = look_at(client, set_name);
        if (state == STATE_PRIMARY)
            return true;
        free(*set_name);
        *set_name = NULL;
        if (state == STATE_WITHOUT_SET && !initiate_set(client, ports, wait->count, err))
            return false;
        if (!may_wait_on(wait, err))
            return false;
    }
}

static mongoc_client_t *new_client(uint16_t port)
{
    char *uri = memory_printf("mongodb://127.0.0.1:%u/?directConnection=true&connectTimeoutMS=1000&"
                              "socketTimeoutMS=10000&serverSelectionTimeoutMS=1000",
                              port);
    mongoc_client_t *client = mongoc_client_new(uri);
    mongoc_client_set_error_api(client, MONGOC_ERROR_API_VERSION_2);
    free(uri);
    return client;
}

bool localserver_ready_for_writes(const struct localserver_wait *wait, const uint16_t ports[], char **set_name,
                                  struct error *err)
{
    for (unsigned i = 0; i < wait->count; i++)
        while (!accepts_connections(ports[i]))
            if (!may_wait_on(wait, err))
                return false;
    mongoc_client_t *client = new_client(ports[0]);
    bool ok = wait_for_primary(wait, client, ports, set_name, err);
    mongoc_client_destroy(client);
    return ok;
}
