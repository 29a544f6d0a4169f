/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/facts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
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

/* Facts that hold addresses of the server. */
static const char *const addresses[] = {"server host", "testbed.connection.hosts"};

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0 &&
           (length == tail || path[length - tail - 1] == '.');
}

static const char *name_of(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(known); i++)
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

/* Of 2015: how w and j were called beside the other options. */
static const char *const flat_w[] = {"writeConcernW", "w"}, *const flat_j[] = {"writeConcernJ", "j"};

static json_t *find_first(const json_t *object, const char *const names[2])
{
    json_t *first = json_object_get(object, names[0]);
    return first ? first : json_object_get(object, names[1]);
}

static bool is_flat_member(const json_t *options, const char *name)
{
    const json_t *value = json_object_get(options, name);
    return value && (value == find_first(options, flat_w) || value == find_first(options, flat_j));
}

static bool is_write_options(const char *path)
{
    return ends_with(path, "writeOptions") || ends_with(path, "crudOptions");
}

static bool is_word(const json_t *value, const char *word)
{
    return json_is_string(value) && strcmp(json_string_value(value), word) == 0;
}

/* The same document as later files have: a w of 0 was not sent, and j was a word. NULL: none of both is there. */
static json_t *flat_write_concern(const json_t *options)
{
    const json_t *w = find_first(options, flat_w), *j = find_first(options, flat_j);
    if (!w && !j)
        return NULL;
    json_t *concern = json_object();
    if (j)
        json_object_set_new(concern, "j", json_boolean(json_is_true(j) || is_word(j, "true")));
    if (json_integer_value(w) != 0)
        json_object_set_new(concern, "w", json_integer(json_integer_value(w)));
    return concern;
}

static void add(struct fact_list *facts, const char *path, json_t *value);

static void add_members(struct fact_list *facts, const char *path, json_t *object)
{
    bool is_options = is_write_options(path);
    json_t *concern = is_options ? flat_write_concern(object) : NULL;
    const char *key;
    json_t *member;
    if (concern)
        add(facts, "options.writeConcern", concern);
    json_decref(concern);
    json_object_foreach(object, key, member) {
        if (is_options && is_flat_member(object, key))
            continue;
        char *longer = memory_printf("%s.%s", path, key);
        add(facts, longer, member);
        free(longer);
    }
}

static void add(struct fact_list *facts, const char *path, json_t *value)
{
    const char *name = name_of(path);
    bool is_whole = name != path; /* a known object, such as the write concern, is one fact */
    if (json_is_object(value) && !is_whole) {
        add_members(facts, path, value);
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

/* Replaces every `old`; the caller's text is freed. */
static char *replace_all(char *text, const char *old)
{
    char *at = strstr(text, old);
    while (at) {
        char *whole = memory_printf("%.*s*%s", (int)(at - text), text, at + strlen(old));
        char *behind = whole + (at - text) + 1;
        free(text);
        text = whole;
        at = strstr(behind, old);
    }
    return text;
}

/* ":41235" becomes ":*" where an address ends. */
static void hide_ports(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        size_t digits = from > text && from[-1] == ':' ? strspn(from, "0123456789") : 0;
        bool is_port = digits > 0 && (!from[digits] || strchr("\",", from[digits]));
        *to++ = is_port ? '*' : *from;
        from += is_port ? digits : 1;
    }
    *to = '\0';
}

static bool is_address(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(addresses); i++)
        if (strcmp(addresses[i], name) == 0)
            return true;
    return false;
}

void facts_hide_run(struct fact_list *facts, const char *run_id)
{
    const char *started = fact_list_find(facts, "started by benchrun");
    bool is_own_server = started && strcmp(started, "true") == 0;
    for (size_t i = 0; i < facts->count; i++) {
        struct fact *fact = &facts->items[i];
        if (run_id && *run_id)
            fact->value = replace_all(fact->value, run_id);
        if (is_own_server && is_address(fact->name))
            hide_ports(fact->value);
    }
}
