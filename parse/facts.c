/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/facts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

/* Ends of paths, as they stand in files of different ages, and what they are called here. */
static const struct {
    const char *path, *name;
} known[] = {
    {"testbed.server.product", "product"},
    {"testbed.server.product_version", "product version"},
    {"basicFields.version", "server version"},
    {"server_version", "server version"},
    {"testbed.server.version", "server version"},
    {"basicFields.commit", "server commit"},
    {"server_git_hash", "server commit"},
    {"testbed.server.git_version", "server commit"},
    {"basicFields.platform", "server platform"},
    {"testbed.server.platform", "server platform"},
    {"storageEngine", "storage engine"},
    {"server_storage_engine", "storage engine"},
    {"testbed.server.storage_engine", "storage engine"},
    {"testbed.server.default_w", "default write concern"},
    {"topology", "topology"},
    {"testbed.server.host", "server host"},
    {"testbed.server.host_facts", "server machine"},
    {"testbed.server.max_wire_version", "wire version"},
    {"testbed.server.started_by_benchrun", "started by benchrun"},
    {"crudOptions.writeConcern", "write concern"},
    {"writeOptions.writeConcern", "write concern"},
    {"options.writeConcern", "write concern"},
    {"crudOptions.writeCmdMode", "write commands"},
    {"writeOptions.writeCmdMode", "write commands"},
    {"crudOptions.readCmdMode", "read commands"},
    {"crudOptions.safeGLE", "getLastError"},
    {"writeOptions.safeGLE", "getLastError"},
    {"testbed.client.host", "client host"},
    {"testbed.client.os", "client system"},
    {"testbed.client.cpu", "client CPU"},
    {"testbed.client.cpus", "client CPUs"},
    {"testbed.client.libmongoc", "client libmongoc"},
    {"testbed.client.libbson", "client libbson"},
};

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0 &&
           (length == tail || path[length - tail - 1] == '.');
}

static const char *name_of(const char *path)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends_with(path, known[i].path))
            return known[i].name;
    return path;
}

static char *text_of(const json_t *value)
{
    if (json_is_string(value))
        return memory_strdup(json_string_value(value));
    char *json = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
    char *text = memory_strdup(json ? json : "");
    free(json);
    return text;
}

static void add(struct fact_list *facts, const char *path, json_t *value)
{
    const char *name = name_of(path);
    bool is_whole = name != path; /* a known object, such as the write concern, is one fact */
    if (json_is_object(value) && !is_whole) {
        const char *key;
        json_t *member;
        json_object_foreach(value, key, member)
        {
            char *longer = memory_printf("%s.%s", path, key);
            add(facts, longer, member);
            free(longer);
        }
        return;
    }
    if (json_is_null(value) || strcasestr(path, "password") || fact_list_find(facts, name))
        return;
    char *text = text_of(value);
    fact_list_add(facts, name, text);
    free(text);
}

void facts_add_member(struct fact_list *facts, const char *name, json_t *value)
{
    add(facts, name, value);
}
