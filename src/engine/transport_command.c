/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/transport_parts.h"
#include "engine/wire.h"

static void prepare(struct transport *transport)
{
    transport->reply = memory_aligned(_Alignof(bson_t), sizeof *transport->reply);
    bson_init(transport->reply);
}

/* The document of the OP_MSG without the header before it and $db at its end: libmongoc adds its own. */
static void take_command(struct transport *transport, const struct iovec *iov, int iov_count, const char *db,
                         bson_t *command)
{
    size_t size = 0, at = 0;
    for (int i = 0; i < iov_count; i++)
        size += iov[i].iov_len;
    if (size > transport->command_capacity) {
        transport->command = memory_resize(transport->command, size, 1);
        transport->command_capacity = size;
    }
    for (int i = 0; i < iov_count; at += iov[i++].iov_len)
        memcpy(transport->command + at, iov[i].iov_base, iov[i].iov_len);
    uint8_t *document = transport->command + WIRE_BODY_AT;
    size -= WIRE_BODY_AT + sizeof "\x02$db" + 4 + strlen(db) + 1;
    document[size - 1] = 0;
    wire_put_u32(document, (uint32_t)size);
    bson_init_static(command, document, size);
}

enum transport_status transport_command(struct transport *transport, int64_t limit_ns, const char *db,
                                        const struct iovec *iov, int iov_count, const uint8_t **reply, size_t *size)
{
    bson_t command;
    bson_error_t error = {0};
    if (transport->is_lost)
        return TRANSPORT_CLOSED;
    if (!transport->reply)
        prepare(transport);
    transport->terms.limit_ns = limit_ns;
    if (transport->peer->socket)
        stream_read_ahead(transport->peer->socket);
    take_command(transport, iov, iov_count, db, &command);
    bson_destroy(transport->reply);
    mongoc_client_write_command_with_opts(transport->peer->client, db, &command, NULL, transport->reply, &error);
    if (!bson_has_field(transport->reply, "ok")) {
        peer_explain(transport->peer, &error);
        return transport_lose(transport, EIO, "%s", error.message);
    }
    *reply = bson_get_data(transport->reply);
    *size = transport->reply->len;
    return TRANSPORT_DONE;
}
