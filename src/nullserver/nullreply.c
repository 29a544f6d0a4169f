/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nullreply.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"

typedef void reply_fn(struct buffer *out, const struct nullwire_request *request,
                      const struct nullreply_identity *identity);

static void append_marker(struct buffer *out)
{
    nullwire_append_bool(out, "benchrunNullServer", true);
}

/* "a:1,b:2" as an array. */
static void append_members(struct buffer *out, const char *members)
{
    size_t hosts = nullwire_nested_begin(out, "hosts", true);
    char index[16], name[256];
    for (unsigned i = 0; *members; i++) {
        size_t length = strcspn(members, ",");
        snprintf(index, sizeof index, "%u", i);
        snprintf(name, sizeof name, "%.*s", (int)length, members);
        nullwire_append_string(out, index, name);
        members += length + (members[length] == ',');
    }
    nullwire_document_end(out, hosts);
}

static void append_state(struct buffer *out, const struct nullreply_identity *identity)
{
    enum nullserver_role role = identity->role;
    nullwire_append_bool(out, "secondary", role == NULLSERVER_SECONDARY || role == NULLSERVER_HIDDEN);
    if (role == NULLSERVER_HIDDEN)
        nullwire_append_bool(out, "hidden", true);
    if (role == NULLSERVER_ARBITER)
        nullwire_append_bool(out, "arbiterOnly", true);
}

/* As MongoDB makes the id of an election: one that is later is greater. */
static void append_election(struct buffer *out, uint64_t term)
{
    uint8_t id[NULLWIRE_OID_SIZE] = {0x7F, 0xFF, 0xFF, 0xFF};
    for (int i = 0; i < 8; i++)
        id[NULLWIRE_OID_SIZE - 1 - i] = (uint8_t)(term >> (8 * i));
    nullwire_append_oid(out, "electionId", id);
}

static void append_set(struct buffer *out, const struct nullreply_identity *identity)
{
    char address[32];
    snprintf(address, sizeof address, "127.0.0.1:%u", identity->port);
    const char *me = identity->me ? identity->me : address;
    const char *primary = identity->role == NULLSERVER_PRIMARY ? me : identity->primary;
    nullwire_append_string(out, "setName", identity->replica_set);
    nullwire_append_int32(out, "setVersion", 1);
    append_state(out, identity);
    append_members(out, identity->members ? identity->members : me);
    if (primary)
        nullwire_append_string(out, "primary", primary);
    nullwire_append_string(out, "me", me);
    if (identity->role == NULLSERVER_PRIMARY)
        append_election(out, identity->term);
}

/* What an age says of itself. */
static const struct {
    const char *version;
    int32_t numbers[4], wire_version;
} eras[] = {
    [NULLSERVER_NO_ERA] = {"0.0.0", {0, 0, 0, 0}, 21},
    [NULLSERVER_4_0] = {"4.0.0", {4, 0, 0, 0}, 7},
    [NULLSERVER_8_0] = {"8.0.0", {8, 0, 0, 0}, 25},
};

static void reply_hello(struct buffer *out, const struct nullwire_request *request,
                        const struct nullreply_identity *identity)
{
    (void)request;
    bool writable = identity->role == NULLSERVER_PRIMARY || identity->role == NULLSERVER_MONGOS;
    nullwire_append_bool(out, "helloOk", true);
    nullwire_append_bool(out, "isWritablePrimary", writable);
    nullwire_append_bool(out, "ismaster", writable);
    if (identity->role == NULLSERVER_MONGOS)
        nullwire_append_string(out, "msg", "isdbgrid");
    else if (identity->role == NULLSERVER_UNINITIATED)
        nullwire_append_bool(out, "isreplicaset", true);
    else if (identity->replica_set)
        append_set(out, identity);
    nullwire_append_int32(out, "maxBsonObjectSize", 16777216);
    nullwire_append_int32(out, "maxMessageSizeBytes", NULLWIRE_MESSAGE_MAX);
    nullwire_append_int32(out, "maxWriteBatchSize", 100000);
    nullwire_append_date(out, "localTime", clock_wall_ms());
    nullwire_append_int32(out, "logicalSessionTimeoutMinutes", 30);
    nullwire_append_int32(out, "minWireVersion", 0);
    nullwire_append_int32(out, "maxWireVersion", eras[identity->era].wire_version);
    nullwire_append_bool(out, "readOnly", false);
    append_marker(out);
}

static void reply_build_info(struct buffer *out, const struct nullwire_request *request,
                             const struct nullreply_identity *identity)
{
    static const char *const keys[] = {"0", "1", "2", "3"};
    (void)request;
    nullwire_append_string(out, "version", identity->version ? identity->version : eras[identity->era].version);
    size_t array = nullwire_nested_begin(out, "versionArray", true);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        nullwire_append_int32(out, keys[i], eras[identity->era].numbers[i]);
    nullwire_document_end(out, array);
    nullwire_append_string(out, "gitVersion", "none");
    nullwire_append_int32(out, "maxBsonObjectSize", 16777216);
    append_marker(out);
}

static void reply_count(struct buffer *out, const struct nullwire_request *request,
                        const struct nullreply_identity *identity)
{
    (void)identity;
    nullwire_append_int32(out, "n", (int32_t)request->statements);
}

static void reply_update(struct buffer *out, const struct nullwire_request *request,
                         const struct nullreply_identity *identity)
{
    reply_count(out, request, identity);
    nullwire_append_int32(out, "nModified", (int32_t)request->statements);
}

static void reply_find_and_modify(struct buffer *out, const struct nullwire_request *request,
                                  const struct nullreply_identity *identity)
{
    (void)request;
    (void)identity;
    nullwire_append_null(out, "value");
}

static void reply_cursor(struct buffer *out, const struct nullwire_request *request,
                         const struct nullreply_identity *identity)
{
    (void)identity;
    const char *db = nullwire_find_string(request->body, "$db");
    const char *collection = nullwire_find_string(request->body, request->command);
    char name[256];
    snprintf(name, sizeof name, "%s.%s", db ? db : "test", collection ? collection : "$cmd");
    size_t cursor = nullwire_nested_begin(out, "cursor", false);
    nullwire_append_int64(out, "id", 0);
    nullwire_append_string(out, "ns", name);
    size_t batch = nullwire_nested_begin(out, "firstBatch", true);
    nullwire_document_end(out, batch);
    nullwire_document_end(out, cursor);
}

static void append_empty_array(struct buffer *out, const char *key)
{
    size_t array = nullwire_nested_begin(out, key, true);
    nullwire_document_end(out, array);
}

static void reply_current_op(struct buffer *out, const struct nullwire_request *request,
                             const struct nullreply_identity *identity)
{
    (void)request;
    (void)identity;
    append_empty_array(out, "inprog");
}

static void reply_databases(struct buffer *out, const struct nullwire_request *request,
                            const struct nullreply_identity *identity)
{
    (void)request;
    (void)identity;
    append_empty_array(out, "databases");
    nullwire_append_int64(out, "totalSize", 0);
}

/* The two that the bench sends come first. What is not here is answered with nothing but ok. */
static const struct {
    const char *command;
    reply_fn *reply;
    bool is_write;
} replies[] = {
    {"insert", reply_count, true},
    {"update", reply_update, true},
    {"delete", reply_count, true},
    {"findAndModify", reply_find_and_modify, true},
    {"bulkWrite", NULL, true},
    {"hello", reply_hello, false},
    {"isMaster", reply_hello, false},
    {"ismaster", reply_hello, false},
    {"buildInfo", reply_build_info, false},
    {"buildinfo", reply_build_info, false},
    {"find", reply_cursor, false},
    {"aggregate", reply_cursor, false},
    {"listCollections", reply_cursor, false},
    {"listIndexes", reply_cursor, false},
    {"count", reply_count, false},
    {"currentOp", reply_current_op, false},
    {"listDatabases", reply_databases, false},
};
enum { REPLY_COUNT = COUNT_OF(replies) };

static size_t find_reply(const char *command)
{
    size_t i = 0;
    while (i < REPLY_COUNT && strcmp(replies[i].command, command) != 0)
        i++;
    return i;
}

bool nullreply_is_about_itself(const char *command)
{
    static const char *const names[] = {
        "hello",        "isMaster",     "ismaster",        "ping",      "buildInfo",           "buildinfo",
        "serverStatus", "hostInfo",     "endSessions",     "currentOp", "getDefaultRWConcern", "dbStats",
        "saslStart",    "saslContinue", "connectionStatus"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], command) == 0)
            return true;
    return false;
}

bool nullreply_is_write(const char *command)
{
    size_t i = find_reply(command);
    return i < REPLY_COUNT && replies[i].is_write;
}

void nullreply_append(struct buffer *out, const struct nullwire_request *request,
                      const struct nullreply_identity *identity)
{
    size_t message = nullwire_reply_begin(out, request);
    size_t document = nullwire_document_begin(out);
    size_t i = find_reply(request->command);
    if (i < REPLY_COUNT && replies[i].reply)
        replies[i].reply(out, request, identity);
    nullwire_append_double(out, "ok", 1);
    nullwire_document_end(out, document);
    nullwire_reply_end(out, message);
}

void nullreply_append_not_primary(struct buffer *out, const struct nullwire_request *request)
{
    size_t message = nullwire_reply_begin(out, request);
    size_t document = nullwire_document_begin(out);
    nullwire_append_double(out, "ok", 0);
    nullwire_append_int32(out, "code", 10107);
    nullwire_append_string(out, "codeName", "NotWritablePrimary");
    nullwire_append_string(out, "errmsg", "not primary");
    nullwire_document_end(out, document);
    nullwire_reply_end(out, message);
}
