/* SPDX-License-Identifier: Apache-2.0 */
#include "model/testbed.h"

#include <stdlib.h>

#include "base/memory.h"

void testbed_release(struct testbed *testbed)
{
    free(testbed->product);
    free(testbed->version);
    free(testbed->product_version);
    free(testbed->git_version);
    free(testbed->platform);
    free(testbed->storage_engine);
    free(testbed->default_w);
    free(testbed->topology);
    free(testbed->host);
    free(testbed->server_host_facts);
    free(testbed->client_host);
    free(testbed->client_os);
    free(testbed->client_cpu);
    free(testbed->libmongoc_version);
    free(testbed->libbson_version);
    json_decref(testbed->connection);
    *testbed = (struct testbed){0};
}

char *testbed_describe_product(const struct testbed *testbed)
{
    const char *product = testbed->product ? testbed->product : "unknown";
    const char *version = testbed->version ? testbed->version : "unknown";
    if (testbed->product_version)
        return memory_printf("%s %s (as MongoDB %s)", product, testbed->product_version, version);
    return memory_printf("%s %s", product, version);
}

/* A server may send any bytes: what is not UTF-8 is left out, like what is unknown. */
static void set_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, json_string(text));
}

static json_t *server_to_json(const struct testbed *testbed)
{
    json_t *server = json_object();
    set_text(server, "product", testbed->product);
    set_text(server, "product_version", testbed->product_version);
    set_text(server, "version", testbed->version);
    set_text(server, "git_version", testbed->git_version);
    set_text(server, "platform", testbed->platform);
    set_text(server, "storage_engine", testbed->storage_engine);
    set_text(server, "default_w", testbed->default_w);
    set_text(server, "topology", testbed->topology);
    set_text(server, "host", testbed->host);
    set_text(server, "host_facts", testbed->server_host_facts);
    if (testbed->max_wire_version > 0)
        json_object_set_new(server, "max_wire_version", json_integer(testbed->max_wire_version));
    json_object_set_new(server, "started_by_benchrun", json_boolean(testbed->is_local));
    return server;
}

static json_t *client_to_json(const struct testbed *testbed)
{
    json_t *client = json_object();
    set_text(client, "host", testbed->client_host);
    set_text(client, "os", testbed->client_os);
    set_text(client, "cpu", testbed->client_cpu);
    if (testbed->client_cpus > 0)
        json_object_set_new(client, "cpus", json_integer(testbed->client_cpus));
    set_text(client, "libmongoc", testbed->libmongoc_version);
    set_text(client, "libbson", testbed->libbson_version);
    return client;
}

json_t *testbed_to_json(const struct testbed *testbed)
{
    json_t *object = json_object();
    json_object_set_new(object, "server", server_to_json(testbed));
    json_object_set_new(object, "client", client_to_json(testbed));
    if (testbed->connection)
        json_object_set_new(object, "connection", json_deep_copy(testbed->connection));
    return object;
}
