/* SPDX-License-Identifier: Apache-2.0 */
#include "null_target.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#include "unit.h"

static struct nullserver *start(const struct nullserver_config *config)
{
    struct error err;
    error_init(&err);
    struct nullserver *server = nullserver_start(config, &err);
    if (!server)
        fail_msg("%s", err.message);
    return server;
}

void null_target_init(struct null_target *it, const struct nullserver_config *config, const char *options)
{
    *it = (struct null_target){.server = start(config)};
    char *text = memory_printf("mongodb://127.0.0.1:%u/?%s", nullserver_port(it->server), options);
    it->target.uri = mongoc_uri_new(text);
    assert_non_null(it->target.uri);
    it->target.route = route_new_fixed(it->target.uri);
    it->target.app_name = memory_strdup("benchrun-test");
    free(text);
}

void null_target_release(struct null_target *it)
{
    nullserver_stop(it->server);
    target_close(&it->target);
}

void null_target_stop_server(struct null_target *it)
{
    nullserver_stop(it->server);
    it->server = NULL;
}

void null_target_restart_server(struct null_target *it, const struct nullserver_config *config)
{
    struct nullserver_config again = *config;
    again.port = mongoc_uri_get_hosts(it->target.uri)->port;
    it->server = start(&again);
}

static void put_int32(uint8_t *bytes, int32_t value)
{
    int32_t little = BSON_UINT32_TO_LE(value);
    memcpy(bytes, &little, sizeof little);
}

void null_target_append_insert(struct buffer *out, int32_t id, size_t padding)
{
    char *text = memory_zeroed(padding + 1, 1);
    memset(text, 'x', padding);
    bson_t *body = BCON_NEW("insert", "c", "documents", "[", "{", "x", BCON_UTF8(text), "}", "]", "$db", "test");
    uint8_t head[21] = {0};
    put_int32(head, (int32_t)(sizeof head + body->len));
    put_int32(head + 4, id);
    put_int32(head + 12, 2013);
    buffer_append(out, head, sizeof head);
    buffer_append(out, bson_get_data(body), body->len);
    bson_destroy(body);
    free(text);
}

int32_t null_target_response_to(const uint8_t *message)
{
    int32_t little;
    memcpy(&little, message + 8, sizeof little);
    return (int32_t)BSON_UINT32_FROM_LE(little);
}

int64_t null_target_number(const uint8_t *message, size_t size, const char *key)
{
    bson_t body;
    bson_iter_t iter;
    assert_true(size > 21);
    assert_true(bson_init_static(&body, message + 21, size - 21));
    return bson_iter_init_find(&iter, &body, key) ? bson_iter_as_int64(&iter) : -1;
}
