/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/crew.h"

struct lookup {
    char *host;
    char port[8];
    struct addrinfo hints;
    int code, cause; /* of getaddrinfo(), and errno with EAI_SYSTEM */
    struct addrinfo *list;
};

static struct lookup *lookup_new(const char *host, uint16_t port, int family)
{
    struct lookup *lookup = memory_zeroed(1, sizeof *lookup);
    lookup->host = memory_strdup(host);
    snprintf(lookup->port, sizeof lookup->port, "%u", port);
    lookup->hints = (struct addrinfo){.ai_family = family, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    return lookup;
}

static void lookup_free(void *context)
{
    struct lookup *lookup = context;
    if (lookup->list)
        freeaddrinfo(lookup->list);
    free(lookup->host);
    free(lookup);
}

static void look_up(void *context)
{
    struct lookup *lookup = context;
    lookup->code = getaddrinfo(lookup->host, lookup->port, &lookup->hints, &lookup->list);
    lookup->cause = errno;
}

static const char *explain_failure(const struct lookup *lookup)
{
    if (lookup->code == EAI_NONAME || lookup->code == EAI_NODATA)
        return "no address is known for this name";
    return lookup->code == EAI_SYSTEM ? strerrordesc_np(lookup->cause) : gai_strerror(lookup->code);
}

static const char *explain_giving_up(int cause)
{
    if (cause == ETIMEDOUT)
        return "the name service does not answer";
    return cause == EINTR ? "interrupted while its address was looked up" : "no thread to look up its address";
}

struct addrinfo *resolve_host(const char *host, uint16_t port, int family, const struct wait_terms *terms,
                              const char **reason)
{
    struct lookup *lookup = lookup_new(host, port, family);
    look_up(lookup);
    if (lookup->code == EAI_NONAME) {
        lookup->hints.ai_flags = 0;
        if (!crew_call(look_up, lookup_free, lookup, terms, RESOLVE_LIMIT_MS)) {
            *reason = explain_giving_up(errno);
            return NULL;
        }
    }
    struct addrinfo *list = lookup->list;
    lookup->list = NULL;
    if (lookup->code != 0)
        *reason = explain_failure(lookup);
    lookup_free(lookup);
    return list;
}
