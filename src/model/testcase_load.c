/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "model/deffile.h"
#include "model/defmeasure.h"
#include "model/defop.h"
#include "model/defstep.h"
#include "model/deftext.h"
#include "model/fingerprint.h"
#include "model/testcase.h"

#define FILE_BYTES_MAX ((size_t)64 << 20)
#define FAMILY_TESTS_MAX 10000

/* One file being loaded into a set. */
struct file_load {
    struct defsource *source;
    struct testcase_set *set;
    struct defexpand expand;
    uint64_t seed;
    json_t *names; /* name -> line */
};

static const struct defparams no_params = {0};

static bool has_complaints(const struct file_load *load)
{
    return load->source->error_count > 0;
}

/* A list that has to be a list in the file itself; a missing one is NULL. */
static json_t *expand_list(struct file_load *load, const struct defref *list, const char *what,
                           defexpand_element *element)
{
    struct defref value = *list;
    if (!list->value)
        return json_array();
    if (!defexpand_resolve(&load->expand, &value))
        return json_array();
    if (!json_is_array(value.value)) {
        defsource_error(load->source, &value, "\"%s\": expected a list", what);
        return json_array();
    }
    if (!defmeasure_fits(&load->expand, &value, 1))
        return json_array();
    load->expand.place = DEFPLACE_OPTIONS;
    return defexpand_array(&load->expand, &value, element, NULL);
}

static char *expand_name(struct file_load *load, const struct defref *test)
{
    struct defref name = defref_member(test, "name");
    struct deftext_numbers numbers = {0};
    if (!name.value) {
        defsource_error(load->source, test, "a test needs a \"name\"");
        return NULL;
    }
    if (!defexpand_resolve(&load->expand, &name))
        return NULL;
    char *text = json_is_string(name.value)
                     ? deftext_expand(&load->expand, json_string_value(name.value), &name, &numbers)
                     : memory_strdup("");
    bool is_plain = text && *text;
    for (const char *c = text; c && *c; c++)
        is_plain &= (unsigned char)*c >= 0x20 && *c != 0x7f;
    if (text && !is_plain) {
        defsource_error(load->source, &name, "\"name\": expected a text, not empty and without control characters");
        free(text);
        return NULL;
    }
    return text;
}

/* An element of "tags": plain text, nothing in it is escaped. */
static json_t *expand_tag(struct defexpand *expand, const struct defref *ref, void *unused)
{
    (void)unused;
    struct deftext_numbers numbers = {.number = expand->round};
    if (!json_string_length(ref->value)) {
        defsource_error(expand->source, ref, "a tag: expected a text");
        return NULL;
    }
    char *text = deftext_expand(expand, json_string_value(ref->value), ref, &numbers);
    json_t *tag = text ? json_string(text) : NULL;
    free(text);
    return tag;
}

static void take_tags(struct testcase *test, json_t *tags)
{
    test->tag_count = json_array_size(tags);
    test->tags = memory_zeroed(test->tag_count, sizeof *test->tags);
    for (size_t i = 0; i < test->tag_count; i++)
        test->tags[i] = memory_strdup(json_string_value(json_array_get(tags, i)));
    json_decref(tags);
}

struct body {
    json_t *pre, *ops, *post;
};

static void release_body(struct body *body)
{
    json_decref(body->pre);
    json_decref(body->ops);
    json_decref(body->post);
}

/* The same for equal seeds, whatever else is in the file: each test draws from a stream of its own name. */
static struct body expand_body(struct file_load *load, const struct defref *test, const char *name, uint64_t seed)
{
    struct defref pre = defref_member(test, "pre"), ops = defref_member(test, "ops"),
                  post = defref_member(test, "post");
    defexpand_element *step = load->source->is_literal ? defstep_expand_command : defstep_expand;
    rng_init(&load->expand.rng, seed, XXH3_64bits(name, strlen(name)));
    load->expand.has_drawn = false;
    json_object_clear(load->expand.variables);
    struct body body = {.pre = expand_list(load, &pre, "pre", step)};
    body.ops = expand_list(load, &ops, "ops", defop_expand);
    body.post = expand_list(load, &post, "post", step);
    if (!ops.value)
        defsource_error(load->source, test, "a test needs \"ops\"");
    else if (json_array_size(body.ops) == 0 && !has_complaints(load))
        defsource_error(load->source, &ops, "\"ops\": expected at least one operation");
    return body;
}

static void fingerprint_body(const struct body *body, char text[FINGERPRINT_SIZE])
{
    json_t *whole = json_pack("{sOsOsO}", "pre", body->pre, "ops", body->ops, "post", body->post);
    fingerprint_json(whole, text);
    json_decref(whole);
}

static void append_test(struct file_load *load, struct testcase test)
{
    struct testcase_set *set = load->set;
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? set->capacity * 2 : 16;
        set->items = memory_resize(set->items, set->capacity, sizeof *set->items);
    }
    set->items[set->count++] = test;
}

static void note_name(struct file_load *load, const char *name, const struct defref *at, unsigned line)
{
    const json_t *before = json_object_get(load->names, name);
    if (before)
        defsource_warning(load->source, at,
                          "a second test \"%s\" (the first is in line %" JSON_INTEGER_FORMAT
                          "); both run, in this order",
                          name, json_integer_value(before));
    else
        json_object_set_new(load->names, name, json_integer(line));
}

/* Takes `name`, NULL when there was something to complain about it. */
static void load_body(struct file_load *load, const struct defref *test, char *name)
{
    struct defref tags = defref_member(test, "tags");
    json_t *tag_list = expand_list(load, &tags, "tags", expand_tag);
    struct body body = expand_body(load, test, name ? name : "", load->seed);
    if (has_complaints(load)) {
        release_body(&body);
        json_decref(tag_list);
        free(name);
        return;
    }
    struct testcase item = {.name = name, .file = memory_strdup(load->source->path)};
    if (load->expand.has_drawn) {
        struct body canonical = expand_body(load, test, name, 0);
        fingerprint_body(&canonical, item.fingerprint);
        release_body(&canonical);
    } else {
        fingerprint_body(&body, item.fingerprint);
    }
    item.pre = body.pre;
    item.ops = body.ops;
    item.post = body.post;
    item.line = defsource_line(load->source, test);
    take_tags(&item, tag_list);
    note_name(load, name, test, item.line);
    append_test(load, item);
}

static void check_keys(struct file_load *load, const struct defref *object, const char *what, const char *const *known,
                       size_t count)
{
    struct defview view = {0};
    bool was_literal = load->source->is_literal;
    load->source->is_literal = true; /* no @use here: the members as they are */
    defexpand_open(&load->expand, object, &view);
    load->source->is_literal = was_literal;
    defview_check_keys(&load->expand, &view, what, known, count);
    defview_release(&view);
}

static void load_test(struct file_load *load, const struct defref *test)
{
    static const char *const known[] = {"name", "tags", "pre", "ops", "post"};
    if (!json_is_object(test->value)) {
        defsource_error(load->source, test, "a test: expected an object");
        return;
    }
    check_keys(load, test, "a test", known, COUNT_OF(known));
    load_body(load, test, expand_name(load, test));
}

/* "each" is a list of lists of objects; *total is how many tests it makes. */
static bool check_each(struct file_load *load, const struct defref *each, size_t *total)
{
    bool ok = json_array_size(each->value) > 0;
    *total = 1;
    for (size_t i = 0; ok && i < json_array_size(each->value); i++) {
        struct defref list = defref_element(each, i);
        ok = json_array_size(list.value) > 0;
        for (size_t k = 0; k < json_array_size(list.value); k++)
            ok = ok && json_is_object(json_array_get(list.value, k));
        if (ok && json_array_size(list.value) > FAMILY_TESTS_MAX / *total) {
            defsource_error(load->source, each, "\"each\" makes more than %d tests", FAMILY_TESTS_MAX);
            return false;
        }
        *total *= json_array_size(list.value);
    }
    if (!ok)
        defsource_error(load->source, each, "\"each\": expected a list of lists of objects {parameter: value, ..}");
    return ok;
}

/* Member number `index` of the product, the last list fastest. */
static void choose_rows(const struct defref *each, size_t index, const json_t **rows)
{
    for (size_t i = json_array_size(each->value); i-- > 0;) {
        const json_t *list = json_array_get(each->value, i);
        rows[i] = json_array_get(list, index % json_array_size(list));
        index /= json_array_size(list);
    }
}

/* A parameter comes from one list only. */
static bool check_parameters(struct file_load *load, const struct defref *each, const json_t *const *rows)
{
    json_t *seen = json_object();
    bool ok = true;
    for (size_t i = 0; i < json_array_size(each->value); i++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)rows[i], key, value) {
            struct defref row = {rows[i], NULL, NULL, 0, each->params};
            struct defref member = defref_member(&row, key);
            if (json_object_get(seen, key)) {
                defsource_error(load->source, &member, "the parameter \"%s\" is in two lists", key);
                ok = false;
            }
            json_object_set_new(seen, key, json_true());
        }
    }
    json_decref(seen);
    return ok;
}

static void load_family(struct file_load *load, const struct defref *family)
{
    static const char *const known[] = {"each", "test"};
    struct defref each = defref_member(family, "each"), test = defref_member(family, "test");
    size_t total;
    check_keys(load, family, "a family of tests", known, COUNT_OF(known));
    if (!json_is_object(test.value))
        defsource_error(load->source, test.value ? &test : family, "a family needs \"test\": an object");
    if (!check_each(load, &each, &total) || !json_is_object(test.value))
        return;
    const json_t **rows = memory_zeroed(json_array_size(each.value), sizeof *rows);
    struct defparams params = {rows, json_array_size(each.value), false};
    test.params = &params;
    for (size_t i = 0; i < total && !load->expand.is_over && !load->source->is_exhausted; i++) {
        choose_rows(&each, i, rows);
        if (check_parameters(load, &each, rows))
            load_test(load, &test);
    }
    free(rows);
}

static void load_tests(struct file_load *load, const struct defref *root)
{
    static const char *const known[] = {"$schema", "defs", "tests"};
    struct defref defs = defref_member(root, "defs"), tests = defref_member(root, "tests");
    deffile_drop_comments(load->source, root);
    check_keys(load, root, "a definition file", known, COUNT_OF(known));
    if (defs.value && !json_is_object(defs.value)) {
        defsource_error(load->source, &defs, "\"defs\": expected an object");
        return;
    }
    if (json_array_size(tests.value) == 0)
        defsource_error(load->source, tests.value ? &tests : root, "expected \"tests\", a list of at least one test");
    load->expand.defs = defs.value;
    if (!deffile_check_defs(load->source, &defs))
        return;
    for (size_t i = 0; i < json_array_size(tests.value); i++) {
        struct defref test = defref_element(&tests, i);
        if (json_object_get(test.value, "each"))
            load_family(load, &test);
        else
            load_test(load, &test);
    }
}

/* The file's name without folder and ".json". */
static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = memory_strdup(slash ? slash + 1 : path);
    char *end = strrchr(name, '.');
    if (end && end != name && strcmp(end, ".json") == 0)
        *end = '\0';
    return name;
}

static void load_mongoebench(struct file_load *load, const struct defref *root)
{
    static const char *const known[] = {"$schema", "pre", "ops"};
    load->source->is_literal = true;
    check_keys(load, root, "a mongoebench file", known, COUNT_OF(known));
    load_body(load, root, base_name(load->source->path));
}

static void warn_unused(struct file_load *load, const struct defref *root)
{
    struct defref defs = defref_member(root, "defs");
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)defs.value, name, value) {
        struct defref def = defref_member(&defs, name);
        if (!json_object_get(load->expand.used_defs, name))
            defsource_warning(load->source, &def, "the def \"%s\" is not used", name);
    }
}

static void load_root(struct file_load *load)
{
    struct defref root = {.value = load->source->root, .params = &no_params};
    struct defref schema = defref_member(&root, "$schema");
    bool has_tests = json_object_get(root.value, "tests") || json_object_get(root.value, "defs");
    if (schema.value && !json_is_string(schema.value))
        defsource_error(load->source, &schema, "\"$schema\": expected a text, where the schema is");
    if (!has_tests && json_object_get(root.value, "ops"))
        load_mongoebench(load, &root);
    else if (has_tests)
        load_tests(load, &root);
    else
        defsource_error(
            load->source, &root,
            "no definition: expected an object with \"tests\" (or \"pre\" and \"ops\", as mongoebench has)");
    if (!has_complaints(load))
        warn_unused(load, &root);
}

bool testcase_set_load_bytes(struct testcase_set *set, const char *path, const void *bytes, size_t size, uint64_t seed,
                             struct message_list *errors, struct message_list *warnings)
{
    struct defsource source = {.path = path, .text = bytes, .size = size, .errors = errors, .warnings = warnings};
    size_t tests_before = set->count;
    source.first_error = errors->count;
    if (deffile_parse(&source)) {
        struct file_load load = {.source = &source, .set = set, .seed = seed, .names = json_object()};
        load.expand.source = &source;
        load.expand.used_defs = json_object();
        load.expand.variables = json_object();
        load_root(&load);
        json_decref(load.names);
        json_decref(load.expand.used_defs);
        json_decref(load.expand.variables);
    }
    json_decref(source.root);
    bool ok = errors->count == source.first_error;
    if (!ok)
        testcase_set_truncate(set, tests_before);
    return ok;
}

static bool has_file(const struct testcase_set *set, const char *path)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->items[i].file, path) == 0)
            return true;
    return false;
}

bool testcase_set_load(struct testcase_set *set, const char *path, uint64_t seed, struct message_list *errors,
                       struct message_list *warnings)
{
    struct buffer text = {0};
    struct error err;
    error_init(&err);
    if (!deffile_check_name(path, errors))
        return false;
    if (has_file(set, path)) {
        message_list_add(warnings, "%s: named twice, read once", path);
        return true;
    }
    bool ok = file_read(path, FILE_BYTES_MAX, &text, &err);
    if (ok)
        ok = testcase_set_load_bytes(set, path, text.data, text.size, seed, errors, warnings);
    else
        message_list_add(errors, "%s", err.message);
    buffer_release(&text);
    return ok;
}
