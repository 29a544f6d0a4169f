/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_PROBE_H
#define ENGINE_PROBE_H

#include <bson/bson.h>
#include <stdbool.h>

#include "base/error.h"
#include "engine/target.h"
#include "model/testbed.h"

/* Fills target->testbed: what the server says that really answered, and what this machine is. What a server does not
 * know, or refuses to this user, stays unknown; only a lost connection is an error. */
bool probe_testbed(struct target *target, struct error *err);

/* The parts of it that need no server. A reply may be NULL: it was refused. */
void probe_read_hello(struct testbed *testbed, const bson_t *hello);
void probe_read_build_info(struct testbed *testbed, const bson_t *hello, const bson_t *build_info);
/* After probe_read_build_info(): placeholders of a product are no facts. */
void probe_read_host_info(struct testbed *testbed, const bson_t *host_info);
void probe_read_client(struct testbed *testbed);
/* The libraries of a connection for people: "libmongoc 1.23.1, libbson 1.23.1, OpenSSL 3.0.15". Freed by the caller. */
char *probe_library_versions(void);

#endif
