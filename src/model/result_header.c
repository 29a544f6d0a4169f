/* SPDX-License-Identifier: Apache-2.0 */
#include "model/result_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/text.h"
#include "model/uri.h"
#include "model/uri_options.h"
#include "model/uri_secrets.h"

/* Requests are commands in OP_MSG whatever was asked for; getLastError is never sent. Strings as in mongo-perf. */
json_t *result_header_crud_options(const json_t *write_concern)
{
    json_t *object = json_object();
    json_object_set_new(object, "safeGLE", json_string("false"));
    json_object_set_new(object, "writeConcern", json_deep_copy(write_concern));
    json_object_set_new(object, "writeCmdMode", json_string("true"));
    json_object_set_new(object, "readCmdMode", json_string("true"));
    return object;
}

static json_t *basic_fields(const struct testbed *testbed, const json_t *write_concern)
{
    json_t *object = json_object();
    json_object_set_new(object, "commit", text_to_json(testbed->git_version));
    json_object_set_new(object, "platform", text_to_json(testbed->platform));
    json_object_set_new(object, "version", text_to_json(testbed->version));
    json_object_set_new(object, "crudOptions", result_header_crud_options(write_concern));
    return object;
}

static json_t *filters(const struct filter_groups *groups)
{
    json_t *list = json_array();
    for (size_t i = 0; i < groups->count; i++) {
        json_t *words = json_array();
        for (size_t k = 0; k < groups->items[i].count; k++)
            json_array_append_new(words, text_to_json(groups->items[i].words[k]));
        json_array_append_new(list, words);
    }
    return list;
}

/* Some mechanisms need no user in the URI. */
static bool has_login(const char *text)
{
    struct uri uri;
    if (!text || !uri_split(&uri, text, NULL))
        return false;
    char *mechanism = uri_options_get(&uri, "authMechanism");
    bool has_mechanism = mechanism != NULL;
    free(mechanism);
    return uri.has_user || has_mechanism;
}

static json_t *auth_source(const char *text)
{
    struct uri uri;
    char *source = text && uri_split(&uri, text, NULL) ? uri_options_get(&uri, "authSource") : NULL;
    json_t *json = text_to_json(source);
    free(source);
    return json;
}

static json_t *public_uri(const char *uri)
{
    if (!uri)
        return json_null();
    char *text = uri_secrets_public(uri);
    json_t *json = text_to_json(text);
    free(text);
    return json;
}

static json_t *list_of_threads(const struct run_options *options)
{
    json_t *list = json_array();
    for (size_t i = 0; i < options->thread_count; i++)
        json_array_append_new(list, json_integer(options->threads[i]));
    return list;
}

static json_t *list_of_files(const struct run_options *options)
{
    json_t *list = json_array();
    for (size_t i = 0; i < options->file_count; i++)
        json_array_append_new(list, text_to_json(options->files[i]));
    return list;
}

/* Named like the command line's long options. */
static json_t *effective_options(const struct run_options *options, const json_t *write_concern)
{
    json_t *object = json_object();
    json_object_set_new(object, "testfiles", list_of_files(options));
    json_object_set_new(object, "threads", list_of_threads(options));
    json_object_set_new(object, "multidb", json_integer(options->multidb));
    json_object_set_new(object, "multicoll", json_integer(options->multicoll));
    json_object_set_new(object, "trialTime", json_real(clock_seconds(options->trial_time_ns)));
    json_object_set_new(object, "trialCount", json_integer(options->trial_count));
    json_object_set_new(object, "grace", json_real(clock_seconds(options->grace_ns)));
    json_object_set_new(object, "patience", json_real(clock_seconds(options->patience_ns)));
    json_object_set_new(object, "client", json_string(options->client == RUN_CLIENT_DRIVER ? "driver" : "own"));
    json_object_set_new(object, "workers", options->workers ? json_integer(options->workers) : json_null());
    json_object_set_new(object, "local", json_boolean(options->local));
    json_object_set_new(object, "uri", public_uri(options->uri));
    json_object_set_new(object, "authenticated", json_boolean(has_login(options->uri)));
    json_object_set_new(object, "authenticationDatabase", auth_source(options->uri));
    json_object_set_new(object, "writeConcern", json_deep_copy(write_concern));
    json_object_set_new(object, "includeFilter", filters(&options->include));
    json_object_set_new(object, "excludeFilter", filters(&options->exclude));
    json_object_set_new(object, "shard", json_integer(0));
    json_object_set_new(object, "keep", json_boolean(options->keep));
    json_object_set_new(object, "force", json_boolean(options->force));
    return object;
}

/* Numbers over 2^53 lose digits in most JSON readers: those are written as text. */
static json_t *seed_to_json(uint64_t seed)
{
    if (seed <= UINT64_C(1) << 53)
        return json_integer((json_int_t)seed);
    char *text = memory_printf("%llu", (unsigned long long)seed);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static json_t *program(void)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string("benchrun"));
    json_object_set_new(object, "version", json_string(PACKAGE_VERSION));
    return object;
}

static json_t *testbed_member(const struct run_options *options, const struct testbed *testbed)
{
    if (!options->exclude_testbed)
        return testbed_to_json(testbed);
    json_t *object = json_object();
    json_object_set_new(object, "product", text_to_json(testbed->product));
    return json_pack("{s:o}", "server", object);
}

json_t *result_header_new(const struct run_options *options, const struct testbed *testbed, const json_t *write_concern,
                          const char *run_id)
{
    json_t *header = json_object();
    if (!options->exclude_testbed)
        json_object_set_new(header, "basicFields", basic_fields(testbed, write_concern));
    json_object_set_new(header, "storageEngine", text_to_json(testbed->storage_engine));
    json_object_set_new(header, "format", json_integer(RESULT_FORMAT));
    json_object_set_new(header, "program", program());
    json_object_set_new(header, "run_id", text_to_json(run_id));
    json_object_set_new(header, "command_line", text_to_json(options->command_line));
    json_object_set_new(header, "options", effective_options(options, write_concern));
    json_object_set_new(header, "seed", seed_to_json(options->seed));
    json_object_set_new(header, "testbed", testbed_member(options, testbed));
    return header;
}
