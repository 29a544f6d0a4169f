/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/route.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "engine/address.h"
#include "engine/condition.h"
#include "engine/settings.h"

/* After a look that has found nothing the next one begins no sooner: many may ask for it. */
#define PAUSE_NS (100 * CLOCK_NS_PER_MS)

struct route {
    const struct run_options *options;
    char *address, *app_name;
    char *set; /* NULL: none is followed */
    struct crew *crew;

    struct condition changed; /* its lock is for all that follows */
    mongoc_uri_t **places;
    size_t place_count;
    char *members; /* who is to be asked; NULL: nobody */
    unsigned generation;
    bool is_looking;
    int64_t looked_ns; /* the end of the last look */
    char *failure;     /* what it has said; NULL: found */
};

static struct route *new_route(void)
{
    struct route *route = memory_zeroed(1, sizeof *route);
    condition_init(&route->changed);
    return route;
}

static void release_places(mongoc_uri_t **places, size_t count)
{
    for (size_t i = 0; places && i < count; i++)
        mongoc_uri_destroy(places[i]);
    free(places);
}

/* One for each of the hosts. NULL: one of them cannot be written in an address. */
static mongoc_uri_t **make_places(const struct route *route, const char *hosts, size_t *count, struct error *err)
{
    mongoc_uri_t **places = NULL;
    char *host;
    *count = 0;
    while ((host = census_list_next(&hosts))) {
        char *address = address_for_hosts(route->address, host, true);
        mongoc_uri_t *place = settings_make_uri(address, route->options, route->app_name, err);
        memory_erase(address);
        free(host);
        if (!place) {
            release_places(places, *count);
            return NULL;
        }
        places = memory_resize(places, *count + 1, sizeof *places);
        places[(*count)++] = place;
    }
    return places;
}

struct route *route_new(const struct run_options *options, const char *address, const char *app_name,
                        const struct discovery *found, struct crew *crew, struct error *err)
{
    struct route *route = new_route();
    route->options = options;
    route->address = memory_strdup(address);
    route->app_name = memory_strdup(app_name);
    route->members = found->members ? memory_strdup(found->members) : NULL;
    route->set = found->set ? memory_strdup(found->set) : NULL;
    route->crew = crew;
    route->places = make_places(route, found->hosts, &route->place_count, err);
    if (!route->places) {
        route_free(route);
        return NULL;
    }
    return route;
}

struct route *route_new_fixed(const mongoc_uri_t *uri)
{
    struct route *route = new_route();
    route->places = memory_zeroed(1, sizeof *route->places);
    route->places[0] = mongoc_uri_copy(uri);
    route->place_count = 1;
    return route;
}

void route_free(struct route *route)
{
    if (!route)
        return;
    release_places(route->places, route->place_count);
    condition_release(&route->changed);
    memory_erase(route->address);
    free(route->app_name);
    free(route->set);
    free(route->members);
    free(route->failure);
    free(route);
}

/* With the lock held. */
static void wait_for_looker(struct route *route)
{
    int64_t until_ns = clock_mono_ns() + ROUTE_LOOK_MS * CLOCK_NS_PER_MS;
    while (route->is_looking && clock_mono_ns() < until_ns)
        condition_wait(&route->changed, until_ns);
}

mongoc_uri_t *route_take(struct route *route, unsigned index, unsigned *generation)
{
    pthread_mutex_lock(&route->changed.lock);
    wait_for_looker(route);
    mongoc_uri_t *place = mongoc_uri_copy(route->places[index % route->place_count]);
    *generation = route->generation;
    pthread_mutex_unlock(&route->changed.lock);
    return place;
}

unsigned route_generation(struct route *route)
{
    pthread_mutex_lock(&route->changed.lock);
    unsigned generation = route->generation;
    pthread_mutex_unlock(&route->changed.lock);
    return generation;
}

struct sight {
    mongoc_uri_t **places;
    size_t count;
    char *members;
    struct error error;
};

/* Without the lock: only the looker changes `members`. */
static void look(const struct route *route, struct sight *sight)
{
    struct census census;
    struct discovery found;
    const struct census_plan plan = {.address = route->address,
                                     .options = route->options,
                                     .app_name = route->app_name,
                                     .hosts = route->members,
                                     .asks_named = true,
                                     .is_hurried = true,
                                     .crew = route->crew};
    *sight = (struct sight){0};
    census_take(&census, &plan);
    if (discover_judge(&census, route->set, false, &found, &sight->error) == DISCOVER_FOUND) {
        sight->places = make_places(route, found.hosts, &sight->count, &sight->error);
        sight->members = memory_strdup(found.members ? found.members : route->members);
    }
    discovery_release(&found);
    census_release(&census);
}

/* "the set has no primary:\n  a: x\n  b: y" as "the set has no primary: a: x; b: y". */
static char *on_one_line(const char *text)
{
    struct buffer line = {0};
    for (const char *at = text; *at; at += strcspn(at, "\n")) {
        const char *separator = at == text ? "" : line.data[line.size - 1] == ':' ? " " : "; ";
        at += strspn(at, "\n ");
        buffer_append_printf(&line, "%s%.*s", separator, (int)strcspn(at, "\n"), at);
    }
    return buffer_detach(&line);
}

static void take_sight(struct route *route, const struct sight *sight)
{
    free(route->failure);
    route->failure = sight->places ? NULL : on_one_line(sight->error.message);
    if (!sight->places) {
        free(sight->members);
        return;
    }
    release_places(route->places, route->place_count);
    free(route->members);
    route->places = sight->places;
    route->place_count = sight->count;
    route->members = sight->members;
    route->generation++;
}

/* With the lock held, which it lets go meanwhile. */
static void look_for_all(struct route *route)
{
    struct sight sight;
    route->is_looking = true;
    pthread_mutex_unlock(&route->changed.lock);
    look(route, &sight);
    pthread_mutex_lock(&route->changed.lock);
    take_sight(route, &sight);
    route->is_looking = false;
    route->looked_ns = clock_mono_ns();
    pthread_cond_broadcast(&route->changed.changed);
}

bool route_look(struct route *route, unsigned generation, struct error *err)
{
    pthread_mutex_lock(&route->changed.lock);
    bool can_ask = route->members != NULL;
    if (can_ask)
        wait_for_looker(route);
    bool is_fresh = route->failure && clock_mono_ns() - route->looked_ns < PAUSE_NS;
    if (can_ask && route->generation == generation && !route->is_looking && !is_fresh)
        look_for_all(route);
    bool is_found = route->generation != generation;
    if (can_ask && !is_found)
        error_set(err, "%s", route->failure ? route->failure : "the primary is still being looked for");
    pthread_mutex_unlock(&route->changed.lock);
    return is_found;
}
