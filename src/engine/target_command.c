/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/target.h"

#include <stdlib.h>

#include "base/clock.h"
#include "engine/batch.h"
#include "engine/login.h"
#include "engine/reach.h"
#include "engine/server_codes.h"

static const char *command_name(const bson_t *command)
{
    bson_iter_t iter;
    return bson_iter_init(&iter, command) && bson_iter_next(&iter) ? bson_iter_key(&iter) : "";
}

static const char *text_field(const bson_t *document, const char *key)
{
    bson_iter_t iter;
    bool found = bson_iter_init_find(&iter, document, key) && BSON_ITER_HOLDS_UTF8(&iter);
    return found ? bson_iter_utf8(&iter, NULL) : NULL;
}

/* Some answers have none: a mongos gives none where a shard has refused its fsync. */
static int32_t code_field(const bson_t *document)
{
    bson_iter_t iter;
    int32_t code = bson_iter_init_find(&iter, document, "code") ? (int32_t)bson_iter_as_int64(&iter) : 0;
    return code ? code : SERVER_UNKNOWN_ERROR;
}

static void report(const bson_t *document, const char *name, const char *db, int32_t *code, struct error *err)
{
    const char *message = text_field(document, "errmsg");
    const char *code_name = text_field(document, "codeName");
    *code = code_field(document);
    error_set(err, "%s on %s: %s (code %d%s%s)", name, db, message ? message : "refused without a message", *code,
              code_name ? " " : "", code_name ? code_name : "");
}

static void report_connection(const bson_error_t *reason, const char *name, const char *db, struct error *err)
{
    char *causes = reach_describe_causes(reason->message);
    if (causes)
        error_set(err, "no server can be reached: %s", causes);
    else
        error_set(err, "%s on %s: %s", name, db, reason->message);
    free(causes);
}

/* The results of a bulkWrite are listed one by one; the failed one is among the first unless there are very many. */
static bool find_bulk_error(const bson_t *reply, bson_t *document)
{
    bson_iter_t iter, list;
    bool more =
        bson_iter_init_find(&iter, reply, "nErrors") && bson_iter_as_int64(&iter) > 0 && batch_open(reply, &list);
    while (more && batch_next(&list, document))
        if (bson_iter_init_find(&iter, document, "ok") && !bson_iter_as_bool(&iter))
            return true;
    return false;
}

/* A write may fail in a reply whose "ok" is 1. */
static bool has_write_error(const bson_t *reply, bson_t *document)
{
    bson_iter_t iter, child;
    const uint8_t *bytes;
    uint32_t size;
    if (bson_iter_init_find(&iter, reply, "writeErrors") && BSON_ITER_HOLDS_ARRAY(&iter) &&
        bson_iter_recurse(&iter, &child) && bson_iter_next(&child) && BSON_ITER_HOLDS_DOCUMENT(&child)) {
        bson_iter_document(&child, &size, &bytes);
        return bson_init_static(document, bytes, size);
    }
    if (bson_iter_init_find(&iter, reply, "writeConcernError") && BSON_ITER_HOLDS_DOCUMENT(&iter)) {
        bson_iter_document(&iter, &size, &bytes);
        return bson_init_static(document, bytes, size);
    }
    return find_bulk_error(reply, document);
}

static bool run_on(struct peer *peer, const char *db, const bson_t *command, bson_t *reply, int32_t *code,
                   struct error *err)
{
    bson_t failure;
    bson_error_t reason = {0};
    unsigned timeouts = peer->terms->timeouts;
    int64_t begin_ns = clock_mono_ns();
    bool ok = mongoc_client_command_simple(peer->client, db, command, NULL, reply, &reason);
    if (!ok && reason.domain == MONGOC_ERROR_SERVER) {
        report(reply, command_name(command), db, code, err);
    } else if (!ok && peer->terms->timeouts != timeouts) {
        error_set(err, "%s on %s: no answer for %.1f s", command_name(command), db,
                  (double)(clock_mono_ns() - begin_ns) / (double)CLOCK_NS_PER_SEC);
    } else if (!ok) {
        peer_explain(peer, &reason);
        report_connection(&reason, command_name(command), db, err);
    } else if (has_write_error(reply, &failure)) {
        report(&failure, command_name(command), db, code, err);
        ok = false;
    }
    return ok;
}

bool target_command(struct target *target, const char *db, const bson_t *command, bson_t *reply, int32_t *code,
                    struct error *err)
{
    struct error reason = {0};
    bson_t own_reply;
    int32_t own_code;
    bson_t *answer = reply ? reply : &own_reply;
    int32_t *code_out = code ? code : &own_code;
    *code_out = 0;
    if (target->is_hurried)
        target->terms.limit_ns = clock_mono_ns() + TARGET_BRIEF_MS * CLOCK_NS_PER_MS;
    bool ok = run_on(target->peer, db, command, answer, code_out, &reason);
    char *advice = !ok && *code_out == SERVER_UNAUTHORIZED ? login_advice(target, db) : NULL;
    if (!ok)
        error_set(err, "%s%s%s", reason.message, advice ? "; " : "", advice ? advice : "");
    free(advice);
    target->terms.limit_ns = 0;
    if (!reply)
        bson_destroy(&own_reply);
    return ok;
}

bool target_command_brief(struct target *target, const char *db, const bson_t *command, bson_t *reply, int32_t *code,
                          struct error *err)
{
    bool was_hurried = target->is_hurried;
    target->is_hurried = true;
    bool ok = target_command(target, db, command, reply, code, err);
    target->is_hurried = was_hurried;
    return ok;
}

/* {delete: coll, deletes: [{q: {_id: ""}, limit: 1}], writeConcern: ...}. The server has a part of the time that the
 * command has, so that its own words are heard. */
static bson_t *make_proof(const char *coll, const json_t *concern)
{
    json_t *timed = json_deep_copy(concern);
    json_object_set_new(timed, "wtimeout", json_integer(TARGET_BRIEF_MS / 2));
    json_t *command = json_pack("{s:s, s:[{s:{s:s}, s:i}], s:o}", "delete", coll, "deletes", "q", "_id", "", "limit", 1,
                                "writeConcern", timed);
    char *text = json_dumps(command, JSON_PRESERVE_ORDER);
    bson_t *document = bson_new_from_json((const uint8_t *)text, -1, NULL);
    json_decref(command);
    free(text);
    return document;
}

bool target_confirms(struct target *target, const char *db, const char *coll, const json_t *concern, int32_t *code,
                     struct error *err)
{
    bson_t *command = make_proof(coll, concern);
    bool ok = target_command_brief(target, db, command, NULL, code, err);
    bson_destroy(command);
    return ok;
}
