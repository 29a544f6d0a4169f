/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/member.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"

static bool is_true(const bson_t *document, const char *key)
{
    bson_iter_t iter;
    return bson_iter_init_find(&iter, document, key) && bson_iter_as_bool(&iter);
}

static char *text_of(const bson_t *document, const char *key)
{
    bson_iter_t iter;
    bool found = bson_iter_init_find(&iter, document, key) && BSON_ITER_HOLDS_UTF8(&iter);
    return found ? memory_strdup(bson_iter_utf8(&iter, NULL)) : NULL;
}

static char *hosts_of(const bson_t *hello)
{
    static const char *const keys[] = {"hosts", "passives", "arbiters"};
    struct buffer out = {0};
    bson_iter_t iter, child;
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (!bson_iter_init_find(&iter, hello, keys[i]) || !BSON_ITER_HOLDS_ARRAY(&iter) ||
            !bson_iter_recurse(&iter, &child))
            continue;
        while (bson_iter_next(&child))
            if (BSON_ITER_HOLDS_UTF8(&child))
                buffer_append_printf(&out, "%s%s", out.size > 0 ? "," : "", bson_iter_utf8(&child, NULL));
    }
    return buffer_detach(&out);
}

static enum member_state state_of(const bson_t *hello, const char *set)
{
    bson_iter_t iter;
    if (bson_iter_init_find(&iter, hello, "msg") && BSON_ITER_HOLDS_UTF8(&iter) &&
        strcmp(bson_iter_utf8(&iter, NULL), "isdbgrid") == 0)
        return MEMBER_MONGOS;
    if (is_true(hello, "isreplicaset"))
        return MEMBER_UNINITIATED;
    bool writable = is_true(hello, "isWritablePrimary") || is_true(hello, "ismaster");
    if (!set)
        return writable ? MEMBER_STANDALONE : MEMBER_OTHER;
    if (writable)
        return MEMBER_PRIMARY;
    if (is_true(hello, "hidden"))
        return MEMBER_HIDDEN;
    if (is_true(hello, "secondary"))
        return MEMBER_SECONDARY;
    return is_true(hello, "arbiterOnly") ? MEMBER_ARBITER : MEMBER_OTHER;
}

void member_init(struct member *member, const char *host, const bson_t *hello)
{
    *member = (struct member){.host = memory_strdup(host), .state = MEMBER_UNREACHABLE};
    if (!hello)
        return;
    member->set = text_of(hello, "setName");
    member->primary = text_of(hello, "primary");
    member->hosts = hosts_of(hello);
    member->state = state_of(hello, member->set);
    bson_iter_t iter;
    if (bson_iter_init_find(&iter, hello, "electionId") && BSON_ITER_HOLDS_OID(&iter))
        bson_oid_copy(bson_iter_oid(&iter), &member->election);
}

void member_release(struct member *member)
{
    char *texts[] = {member->host, member->set, member->primary, member->hosts, member->cause};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        free(texts[i]);
    *member = (struct member){0};
}

bool member_is_newer_primary(const struct member *member, const struct member *other)
{
    return bson_oid_compare(&member->election, &other->election) > 0;
}

bool member_takes_writes(const struct member *member)
{
    return member->state == MEMBER_STANDALONE || member->state == MEMBER_MONGOS || member->state == MEMBER_PRIMARY;
}

const char *member_state_text(enum member_state state)
{
    switch (state) {
    case MEMBER_UNREACHABLE:
        return "unreachable";
    case MEMBER_STANDALONE:
        return "a standalone server";
    case MEMBER_MONGOS:
        return "a mongos";
    case MEMBER_PRIMARY:
        return "PRIMARY";
    case MEMBER_SECONDARY:
        return "SECONDARY";
    case MEMBER_HIDDEN:
        return "SECONDARY (hidden)";
    case MEMBER_ARBITER:
        return "ARBITER";
    case MEMBER_OTHER:
        return "neither PRIMARY nor SECONDARY";
    case MEMBER_UNINITIATED:
        return "a member of a replica set that has not been initiated";
    }
    return "";
}
