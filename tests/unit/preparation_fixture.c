/* SPDX-License-Identifier: Apache-2.0 */
#include "preparation_fixture.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"

#include "unit.h"

const struct prepare_config one_collection = {.multidb = 1, .multicoll = 1, .threads = 4, .seed = 1};

static json_t *list_of(const char *text)
{
    json_t *list = json_loads(text ? text : "[]", 0, NULL);
    assert_true(json_is_array(list));
    return list;
}

void fixture_make(struct preparation_fixture *fixture, const char *pre, const char *ops, const char *post)
{
    *fixture = (struct preparation_fixture){0};
    fixture->test.name = memory_strdup("Foo.Bar");
    fixture->test.pre = list_of(pre);
    fixture->test.ops = list_of(ops);
    fixture->test.post = list_of(post);
}

void fixture_free(struct preparation_fixture *fixture)
{
    preparation_free(fixture->preparation);
    free(fixture->test.name);
    json_decref(fixture->test.pre);
    json_decref(fixture->test.ops);
    json_decref(fixture->test.post);
}

void fixture_set_up(struct preparation_fixture *fixture, struct rig *rig, const struct prepare_config *config)
{
    preparation_free(fixture->preparation);
    fixture->preparation = prepare_test(&rig->target, &fixture->test, config, &fixture->outcome);
}

void fixture_expect_ready(const struct preparation_fixture *fixture)
{
    assert_string_equal(fixture->outcome.error.message, "");
    assert_int_equal(fixture->outcome.state, PREPARE_READY);
}

const char *fixture_clean_up(struct preparation_fixture *fixture, struct rig *rig, struct error *err)
{
    error_init(err);
    if (prepare_clean_up(&rig->target, fixture->preparation, err))
        assert_false(err->is_set);
    else
        assert_true(err->is_set);
    return err->message;
}

/* The names of all collections in test0, but system's; the caller frees. */
static char *left_in(struct rig *rig)
{
    bson_t command = BSON_INITIALIZER, reply, entry;
    bson_iter_t iter, batch, list;
    struct buffer names = {0};
    BSON_APPEND_INT32(&command, "listCollections", 1);
    assert_true(target_command(&rig->target, "test0", &command, &reply, NULL, NULL));
    assert_true(bson_iter_init(&iter, &reply) && bson_iter_find_descendant(&iter, "cursor.firstBatch", &batch) &&
                bson_iter_recurse(&batch, &list));
    while (bson_iter_next(&list)) {
        const uint8_t *bytes;
        uint32_t size;
        bson_iter_document(&list, &size, &bytes);
        assert_true(bson_init_static(&entry, bytes, size) && bson_iter_init_find(&iter, &entry, "name"));
        buffer_append_printf(&names, "%s%s", names.size > 0 ? " " : "", bson_iter_utf8(&iter, NULL));
    }
    char *text = memory_strdup(buffer_text(&names));
    buffer_release(&names);
    bson_destroy(&reply);
    bson_destroy(&command);
    return text;
}

void fixture_expect_left(struct rig *rig, const char *expected)
{
    char *names = left_in(rig);
    assert_string_equal(names, expected);
    free(names);
}

void fixture_expect_clean_up(struct preparation_fixture *fixture, struct rig *rig, const char *message)
{
    struct error err;
    assert_string_equal(fixture_clean_up(fixture, rig, &err), message);
}
