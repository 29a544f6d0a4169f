/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_CENSUS_H
#define ENGINE_CENSUS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/crew.h"
#include "engine/member.h"
#include "model/run_options.h"

/* Who is where in a deployment: each server is asked by itself, all of them side by side. */

/* Whom to ask, and how. Texts are borrowed. */
struct census_plan {
    const char *address; /* a connection string: its options, its user, its TLS */
    const struct run_options *options;
    const char *app_name;
    const char *hosts; /* who is asked first, "a:1,b:2" as they are written in an address */
    bool asks_named;   /* also whom those name as members of their set */
    /* In the middle of a run: ends soon after one has said that it is the primary, after CENSUS_HURRY_MS at the latest,
     * interrupt or not. */
    bool is_hurried;
    struct crew *crew; /* its threads ask; one that has not answered is told to stop, and comes back a little later */
};

/* A server that accepts connections and says nothing is given up then (or after connectTimeoutMS, if that is less). */
#define CENSUS_ASK_MS 3000
#define CENSUS_HURRY_MS 3000
/* Everybody has answered or given up before that: name service, connection, TLS, greeting. */
#define CENSUS_LONGEST_MS 20000

struct census {
    struct member *members; /* the hosts that were asked, in order, then those that they name */
    size_t count;
};

void census_take(struct census *census, const struct census_plan *plan);
void census_release(struct census *census);

/* Whether "a:1,b:2" holds the name; letters that differ in case are equal. */
bool census_list_has(const char *list, const char *name);
/* Cuts the next name off such a list; the caller frees, NULL: there is none. */
char *census_list_next(const char **list);

#endif
