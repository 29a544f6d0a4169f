/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_ROUTE_H
#define ENGINE_ROUTE_H

#include <mongoc/mongoc.h>
#include <stdbool.h>

#include "base/error.h"
#include "engine/discover.h"
#include "model/run_options.h"

/*
 * Where operations are sent now: the primary of a set, the routers of a cluster, or a single server. Shared by all who
 * open connections; any thread may call these. After a loss one of them looks for the primary, and the others wait for
 * what he finds.
 */
struct route;

/* How long route_look() takes at the most. */
#define ROUTE_LOOK_MS (2 * CENSUS_HURRY_MS)

/* To what was found. `options` and the crew, whose threads ask, must live as long; the rest is copied. NULL: `err` says
 * why. */
struct route *route_new(const struct run_options *options, const char *address, const char *app_name,
                        const struct discovery *found, struct crew *crew, struct error *err);
/* Always to the one server, or load balancer, that `uri` names. */
struct route *route_new_fixed(const mongoc_uri_t *uri);
/* Safe with NULL. */
void route_free(struct route *route);

/* Where connection number `index` leads, a copy that the caller destroys. Waits while somebody looks. *generation
 * stands for this place: it changes when another look has found one, be it the same. */
mongoc_uri_t *route_take(struct route *route, unsigned index, unsigned *generation);
unsigned route_generation(struct route *route);
/* What was taken with this generation leads nowhere any more: finds out where it leads now, or that somebody has done
 * so since. False: nowhere; then `err` says who is what, and stays unset where there is nobody to ask. */
bool route_look(struct route *route, unsigned generation, struct error *err);

#endif
