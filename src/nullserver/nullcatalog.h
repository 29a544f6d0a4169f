/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NULLSERVER_NULLCATALOG_H
#define NULLSERVER_NULLCATALOG_H

#include <stdbool.h>

#include "base/buffer.h"
#include "nullserver/nullserver.h"
#include "nullserver/nullwire.h"

/*
 * What collections and indexes there are, by name, for a server that is to answer like MongoDB of an age: commands on
 * what is there already, or is not, get that age's answer. No document is kept; of the documents that are inserted
 * it notes which fields held a text that is too long for an index of MongoDB 4.0.
 */
struct nullcatalog;

struct nullcatalog *nullcatalog_new(enum nullserver_era era);
/* Safe with NULL. */
void nullcatalog_free(struct nullcatalog *catalog);
/* Appends the whole message that answers `request`. False: the command is none of its, or changes nothing of its
 * answer. */
bool nullcatalog_answer(struct nullcatalog *catalog, struct buffer *out, const struct nullwire_request *request);

#endif
