/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NULLSERVER_NULLREPLY_H
#define NULLSERVER_NULLREPLY_H

#include <stdint.h>

#include "base/buffer.h"
#include "nullserver/nullserver.h"
#include "nullserver/nullwire.h"

/* What the server says of itself in hello. */
struct nullreply_identity {
    uint16_t port;
    const char *replica_set; /* this and the following as in struct nullserver_config */
    enum nullserver_role role;
    enum nullserver_era era;
    const char *members, *me, *primary, *version;
    uint64_t term; /* how often a primary was elected */
};

/* Whether the command changes data: those are the ones that faults happen to. */
bool nullreply_is_write(const char *command);
/* Whether it can be answered though no data can be touched. */
bool nullreply_is_about_itself(const char *command);
/* Appends the whole message that says ok to `request`. */
void nullreply_append(struct buffer *out, const struct nullwire_request *request,
                      const struct nullreply_identity *identity);
/* Appends "ok 0" with code 10107. */
void nullreply_append_not_primary(struct buffer *out, const struct nullwire_request *request);

#endif
