/* SPDX-License-Identifier: Apache-2.0 */
#include "model/testcase.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void testcase_set_init(struct testcase_set *set)
{
    *set = (struct testcase_set){0};
}

static void release_test(struct testcase *test)
{
    for (size_t i = 0; i < test->tag_count; i++)
        free(test->tags[i]);
    free(test->tags);
    free(test->name);
    free(test->file);
    json_decref(test->pre);
    json_decref(test->ops);
    json_decref(test->post);
}

void testcase_set_truncate(struct testcase_set *set, size_t count)
{
    while (set->count > count)
        release_test(&set->items[--set->count]);
}

void testcase_set_release(struct testcase_set *set)
{
    testcase_set_truncate(set, 0);
    free(set->items);
    testcase_set_init(set);
}

bool testcase_set_check_names(const struct testcase_set *set, struct message_list *errors)
{
    json_t *first = json_object();
    size_t before = errors->count;
    for (size_t i = 0; i < set->count; i++) {
        const struct testcase *test = &set->items[i];
        const json_t *index = json_object_get(first, test->name);
        const struct testcase *other = index ? &set->items[json_integer_value(index)] : test;
        if (strcmp(other->file, test->file) != 0)
            message_list_add(errors, "%s:%u: the test \"%s\" is also in %s:%u; a name stands for tests of one file",
                             test->file, test->line, test->name, other->file, other->line);
        if (!index)
            json_object_set_new(first, test->name, json_integer((json_int_t)i));
    }
    json_decref(first);
    return errors->count == before;
}

static const char *after_prefix(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

char *testcase_resolve_string(const char *text, const char *db, const char *coll)
{
    const char *rest;
    if (after_prefix(text, "##") || after_prefix(text, "@@"))
        return memory_strdup(text + 1);
    if (!db)
        return memory_strdup(text);
    if ((rest = after_prefix(text, "#B_COLL")))
        return memory_printf("%s%s", coll, rest);
    if ((rest = after_prefix(text, "#B_NS")))
        return memory_printf("%s.%s%s", db, coll, rest);
    if ((rest = after_prefix(text, "#B_DB")))
        return memory_printf("%s%s", db, rest);
    return memory_strdup(text);
}

void testcase_resolve_namespace(const char *ns, const char *own_db, const char *own_coll, char **db, char **coll)
{
    char *text = ns ? testcase_resolve_string(ns, own_db, own_coll) : memory_strdup(own_coll);
    size_t own_length = strlen(own_db);
    const char *dot = ns ? strchr(text, '.') : NULL;
    if (!dot) {
        *db = memory_strdup(own_db);
        *coll = text;
        return;
    }
    if (strncmp(text, own_db, own_length) == 0 && text[own_length] == '.')
        dot = text + own_length;
    *db = memory_printf("%.*s", (int)(dot - text), text);
    *coll = memory_strdup(dot + 1);
    free(text);
}

char *testcase_collection_name(const char *name, unsigned coll_index)
{
    char *text = memory_printf("%s%u", name, coll_index);
    for (size_t i = 0; i < strlen(name); i++)
        if (text[i] == '.')
            text[i] = '_';
    return text;
}
