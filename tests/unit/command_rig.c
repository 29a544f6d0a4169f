/* SPDX-License-Identifier: Apache-2.0 */
#include "command_rig.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "engine/open.h"

#include "unit.h"

static char *without_envelope(const bson_t *command, const char *run_id)
{
    bson_t copy = BSON_INITIALIZER;
    bson_copy_to_excluding_noinit(command, &copy, "lsid", "$db", "$clusterTime", "$readPreference", NULL);
    char *json = bson_as_relaxed_extended_json(&copy, NULL);
    char *text = memory_strdup(json);
    bson_free(json);
    bson_destroy(&copy);
    char *id = strstr(text, run_id);
    for (; id; id = strstr(id, run_id)) {
        memcpy(id, "RUN", 3);
        memmove(id + 3, id + strlen(run_id), strlen(id + strlen(run_id)) + 1);
    }
    return text;
}

static void on_started(const mongoc_apm_command_started_t *event)
{
    struct rig *rig = mongoc_apm_command_started_get_context(event);
    const bson_t *command = mongoc_apm_command_started_get_command(event);
    const char *name = mongoc_apm_command_started_get_command_name(event);
    bson_iter_t iter;
    bool has_coll = bson_iter_init_find(&iter, command, name) && BSON_ITER_HOLDS_UTF8(&iter);
    buffer_append_printf(&rig->trace, "%s %s%s%s\n", name, mongoc_apm_command_started_get_database_name(event),
                         has_coll ? "." : "", has_coll ? bson_iter_utf8(&iter, NULL) : "");
    assert_true(rig->command_count < RIG_COMMANDS_MAX);
    rig->commands[rig->command_count++] = without_envelope(command, rig->target.run_id);
}

static void add_script(struct rig *rig, const struct rig_reply *reply)
{
    bson_error_t reason;
    bson_t *document = bson_new_from_json((const uint8_t *)reply->json, -1, &reason);
    if (!document)
        fail_msg("%s: %s", reply->json, reason.message);
    assert_true(rig->reply_count < RIG_REPLIES_MAX);
    rig->replies[rig->reply_count] = document;
    rig->scripts[rig->reply_count++] =
        (struct nullserver_script){reply->command, bson_get_data(document), document->len, reply->times};
}

void rig_init(struct rig *rig, const struct rig_reply *replies, size_t count)
{
    rig_init_on(rig, &(struct nullserver_config){0}, replies, count);
}

void rig_init_on(struct rig *rig, const struct nullserver_config *base, const struct rig_reply *replies, size_t count)
{
    *rig = (struct rig){0};
    for (size_t i = 0; i < count; i++)
        add_script(rig, &replies[i]);
    struct error err = {0};
    struct nullserver_config config = *base;
    config.scripts = rig->scripts;
    config.script_count = rig->reply_count;
    config.record = true;
    rig->server = nullserver_start(&config, &err);
    if (!rig->server)
        fail_msg("%s", err.message);
    char *uri = memory_printf("mongodb://127.0.0.1:%u", nullserver_port(rig->server));
    const struct run_options options = {0};
    if (!target_open(&rig->target, &options, uri, NULL, NULL, &err))
        fail_msg("%s", err.message);
    free(uri);
    mongoc_apm_callbacks_t *callbacks = mongoc_apm_callbacks_new();
    mongoc_apm_set_command_started_cb(callbacks, on_started);
    mongoc_client_set_apm_callbacks(rig->target.peer->client, callbacks, rig);
    mongoc_apm_callbacks_destroy(callbacks);
}

void rig_release(struct rig *rig)
{
    mongoc_client_set_apm_callbacks(rig->target.peer->client, NULL, NULL);
    target_close(&rig->target);
    nullserver_stop(rig->server);
    rig_forget(rig);
    buffer_release(&rig->trace);
    for (size_t i = 0; i < rig->reply_count; i++)
        bson_destroy(rig->replies[i]);
}

const char *rig_trace(struct rig *rig)
{
    return buffer_text(&rig->trace);
}

const char *rig_command(const struct rig *rig, const char *name, size_t k)
{
    char *start = memory_printf("{ \"%s\" : ", name);
    const char *found = NULL;
    for (size_t i = 0; i < rig->command_count && !found; i++) {
        if (strncmp(rig->commands[i], start, strlen(start)) == 0 && k-- == 0)
            found = rig->commands[i];
    }
    free(start);
    assert_non_null(found);
    return found;
}

void rig_forget(struct rig *rig)
{
    for (size_t i = 0; i < rig->command_count; i++)
        free(rig->commands[i]);
    rig->command_count = 0;
    buffer_clear(&rig->trace);
}
