/* SPDX-License-Identifier: Apache-2.0 */
#include "model/result_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/text.h"

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

static bool is_secret(const char *option, size_t length)
{
    static const char properties[] = "authMechanismProperties", password[] = "password";
    size_t tail = sizeof password - 1;
    return (length == sizeof properties - 1 && strncasecmp(option, properties, length) == 0) ||
           (length >= tail && strncasecmp(option + length - tail, password, tail) == 0);
}

/* `options` is empty or begins with '?'. */
static void append_options(struct buffer *out, const char *options)
{
    if (*options)
        buffer_append(out, options++, 1);
    while (*options) {
        size_t length = strcspn(options, "&"), name = strcspn(options, "=&");
        if (name < length && is_secret(options, name)) {
            buffer_append(out, options, name);
            buffer_append_printf(out, "=***");
        } else {
            buffer_append(out, options, length);
        }
        options += length;
        if (*options)
            buffer_append(out, options++, 1);
    }
}

static const char *after_scheme(const char *uri)
{
    const char *end = strstr(uri, "://");
    return end ? end + 3 : uri;
}

/* A password may hold an unescaped '/': whatever stands before the last '@' is no host. */
static const char *after_user(const char *rest)
{
    for (size_t at = strcspn(rest, "?"); at > 0; at--)
        if (rest[at - 1] == '@')
            return rest + at;
    return rest;
}

/* Some mechanisms need no user in the URI. */
static bool has_login(const char *uri)
{
    const char *rest = after_scheme(uri), *options = strchr(rest, '?');
    return after_user(rest) != rest || (options && strcasestr(options, "authMechanism="));
}

char *result_header_public_uri(const char *uri)
{
    struct buffer out = {0};
    const char *rest = after_scheme(uri), *hosts = after_user(rest);
    size_t length = strcspn(hosts, "?");
    buffer_append(&out, uri, (size_t)(rest - uri));
    buffer_append(&out, hosts, length);
    append_options(&out, hosts + length);
    char *text = memory_strdup(buffer_text(&out));
    buffer_release(&out);
    return text;
}

static json_t *public_uri(const char *uri)
{
    if (!uri)
        return json_null();
    char *text = result_header_public_uri(uri);
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
    json_object_set_new(object, "trialTime", json_real(options->trial_time_s));
    json_object_set_new(object, "trialCount", json_integer(options->trial_count));
    json_object_set_new(object, "grace", json_real(options->grace_s));
    json_object_set_new(object, "client", json_string(options->client == RUN_CLIENT_DRIVER ? "driver" : "own"));
    json_object_set_new(object, "workers", options->workers ? json_integer(options->workers) : json_null());
    json_object_set_new(object, "local", json_boolean(options->local));
    json_object_set_new(object, "uri", public_uri(options->uri));
    json_object_set_new(object, "authenticated",
                        json_boolean(options->username || (options->uri && has_login(options->uri))));
    json_object_set_new(object, "authenticationDatabase", text_to_json(options->auth_database));
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
