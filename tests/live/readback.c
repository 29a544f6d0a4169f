/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readback URI RESULT DEFINITION...
 *
 * Reads the collections that a run with --keep has left, which are those of each test's last trial, and holds them
 * against what the result says was confirmed:
 *
 *   documents:    loaded + inserted + upserted <= found <= that + what operations without an answer may have added
 *   increments:   modified + upserted          <= found <= that + what operations without an answer may have added
 *
 * A capped collection may have lost documents: there only the upper bound holds. Prints TAP.
 */
#include <bson/bson.h>
#include <jansson.h>
#include <mongoc/mongoc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/docgen.h"
#include "model/testcase.h"

struct facts {
    bool is_capped;
    const char *incremented; /* path of the first field of $inc, NULL: none */
    uint64_t loaded;
    double loaded_sum;        /* of the incremented field */
    uint64_t documents_an_op; /* that one operation may insert */
};

struct confirmed {
    uint64_t inserted, modified, upserted, unanswered;
};

static void die(const char *what, const char *why)
{
    printf("Bail out! %s: %s\n", what, why);
    exit(1);
}

static double number_at(const bson_t *document, const char *path)
{
    bson_iter_t iter, found;
    if (!bson_iter_init(&iter, document) || !bson_iter_find_descendant(&iter, path, &found))
        return 0;
    return bson_iter_as_double(&found);
}

static void add_loaded(struct facts *facts, const json_t *step, const struct ejson_names *names)
{
    struct error err;
    error_init(&err);
    uint64_t count;
    struct docgen *docgen = docgen_new(json_object_get(step, "insert"), names, 1);
    if (!docgen_step_count(step, 1, &count, &err))
        die("definition", err.message);
    for (uint64_t i = 0; i < count; i++) {
        bson_t document = BSON_INITIALIZER;
        if (!docgen_make(docgen, i, &document, &err))
            die("document", err.message);
        if (facts->incremented)
            facts->loaded_sum += number_at(&document, facts->incremented);
        bson_destroy(&document);
    }
    facts->loaded += count;
    docgen_free(docgen);
}

static struct facts facts_of(const struct testcase *test, const struct ejson_names *names)
{
    struct facts facts = {.documents_an_op = 1};
    size_t i;
    json_t *op, *step;
    json_array_foreach(test->ops, i, op) {
        json_t *inc = json_object_get(json_object_get(op, "update"), "$inc");
        if (inc && !facts.incremented)
            facts.incremented = json_object_iter_key(json_object_iter(inc));
        json_t *doc = json_object_get(op, "doc");
        if (json_is_array(doc))
            facts.documents_an_op = json_array_size(doc);
    }
    json_array_foreach(test->pre, i, step) {
        if (json_object_get(step, "insert"))
            add_loaded(&facts, step, names);
        facts.is_capped |= json_is_true(json_object_get(json_object_get(step, "create"), "capped"));
    }
    return facts;
}

static uint64_t member(const json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (!json_is_integer(value))
        die("the result lacks", name);
    return (uint64_t)json_integer_value(value);
}

/* The last trial of the last rung: its collections are the ones that are still there. */
static struct confirmed confirmed_of(json_t *rungs)
{
    const char *key;
    json_t *cell, *last = NULL;
    json_object_foreach(rungs, key, cell) {
        json_t *trials = json_object_get(cell, "trials");
        if (json_array_size(trials) > 0)
            last = json_array_get(trials, json_array_size(trials) - 1);
    }
    json_t *documents = json_object_get(last, "documents"), *operations = json_object_get(last, "operations");
    return (struct confirmed){.inserted = member(documents, "inserted"),
                              .modified = member(documents, "modified"),
                              .upserted = member(documents, "upserted"),
                              .unanswered = member(operations, "abandoned") + member(operations, "broken")};
}

static void count_found(mongoc_collection_t *collection, const char *path, uint64_t *documents, double *sum)
{
    bson_t all = BSON_INITIALIZER;
    mongoc_cursor_t *cursor = mongoc_collection_find_with_opts(collection, &all, NULL, NULL);
    const bson_t *document;
    while (mongoc_cursor_next(cursor, &document)) {
        ++*documents;
        if (path)
            *sum += number_at(document, path);
    }
    bson_error_t error;
    if (mongoc_cursor_error(cursor, &error))
        die("find", error.message);
    mongoc_cursor_destroy(cursor);
    bson_destroy(&all);
}

static bool is_between(const char *what, double low, double found, double high)
{
    bool ok = low <= found && found <= high;
    if (!ok)
        printf("# %s: confirmed %.0f, found %.0f, at most %.0f\n", what, low, found, high);
    return ok;
}

static bool check(mongoc_client_t *client, const struct testcase *test, json_t *rungs)
{
    char *name = testcase_collection_name(test->name, 0);
    struct ejson_names names = {.db = "test0", .coll = name};
    struct facts facts = facts_of(test, &names);
    struct confirmed confirmed = confirmed_of(rungs);
    uint64_t documents = 0;
    double sum = 0;
    mongoc_collection_t *collection = mongoc_client_get_collection(client, names.db, names.coll);
    count_found(collection, facts.incremented, &documents, &sum);
    mongoc_collection_destroy(collection);
    free(name);

    uint64_t expected = facts.loaded + confirmed.inserted + confirmed.upserted;
    uint64_t unsure = confirmed.unanswered * facts.documents_an_op;
    bool ok =
        is_between("documents", facts.is_capped ? 0 : (double)expected, (double)documents, (double)(expected + unsure));
    if (facts.incremented) {
        double increments = sum - facts.loaded_sum, low = (double)(confirmed.modified + confirmed.upserted);
        uint64_t touched = facts.loaded ? facts.loaded : 1;
        ok &= is_between("increments", low, increments, low + (double)(confirmed.unanswered * touched));
    }
    return ok;
}

static const struct testcase *find_test(const struct testcase_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->items[i].name, name) == 0)
            return &set->items[i];
    die("no definition of", name);
    return NULL;
}

static void load_definitions(struct testcase_set *set, char **paths, int count)
{
    struct message_list errors, warnings;
    message_list_init(&errors);
    message_list_init(&warnings);
    testcase_set_init(set);
    for (int i = 0; i < count; i++)
        if (!testcase_set_load(set, paths[i], 1, &errors, &warnings))
            die(paths[i], errors.items[0]);
    message_list_release(&warnings);
    message_list_release(&errors);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        die("usage", "readback URI RESULT DEFINITION...");
    mongoc_init();
    mongoc_client_t *client = mongoc_client_new(argv[1]);
    json_error_t error;
    json_t *result = json_load_file(argv[2], 0, &error);
    if (!client || !result)
        die(argv[2], error.text);
    struct testcase_set set;
    load_definitions(&set, argv + 3, argc - 3);
    json_t *tests = json_object_get(result, "results"), *test;
    size_t i;
    bool all = true;
    printf("1..%zu\n", json_array_size(tests));
    json_array_foreach(tests, i, test) {
        const char *name = json_string_value(json_object_get(test, "name"));
        bool ok = check(client, find_test(&set, name), json_object_get(test, "results"));
        printf("%s %zu - what %s counted is what is there\n", ok ? "ok" : "not ok", i + 1, name);
        all &= ok;
    }
    testcase_set_release(&set);
    json_decref(result);
    mongoc_client_destroy(client);
    mongoc_cleanup();
    return all ? 0 : 1;
}
