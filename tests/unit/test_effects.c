/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/effects.h"

#include <string.h>

#include "base/buffer.h"
#include "engine/command_table.h"

#include "unit.h"

static const struct ejson_names own = {"test0", "Foo0"};

/* "test0.a:W test0.b:MD" or the error. */
static const char *describe(bool ok, const struct effects *effects, const struct error *err, struct buffer *text)
{
    for (size_t i = 0; ok && i < effects->count; i++) {
        const struct effect *effect = &effects->items[i];
        buffer_append_printf(text, "%s%s.%s:%s%s%s", i > 0 ? " " : "", effect->db, effect->coll,
                             effect->kinds & EFFECT_WRITES ? "W" : "", effect->kinds & EFFECT_MAKES ? "M" : "",
                             effect->kinds & EFFECT_DROPS ? "D" : "");
    }
    if (!ok)
        buffer_append_printf(text, "%s", err->message);
    return buffer_text(text);
}

static void expect(bool (*function)(const json_t *, const struct ejson_names *, struct effects *, struct error *),
                   const char *json, const char *expected)
{
    struct effects effects = {0};
    struct buffer text = {0};
    struct error err = {0};
    json_t *entry = json_loads(json, 0, NULL);
    if (!entry)
        fail_msg("%s", json);
    bool ok = function(entry, &own, &effects, &err);
    const char *got = describe(ok, &effects, &err, &text);
    if (strncmp(got, expected, strlen(expected)) != 0 || (ok && strcmp(got, expected) != 0))
        fail_msg("%s: expected %s, got %s", json, expected, got);
    json_decref(entry);
    effects_release(&effects);
    buffer_release(&text);
}

/* One for each row of the table, and what else its form allows. */
static const struct {
    const char *command, *expected;
} rows[] = {
    {"{\"insert\": \"a\", \"documents\": [{}]}", "test0.a:W"},
    {"{\"update\": \"#B_COLL\", \"updates\": []}", "test0.Foo0:W"},
    {"{\"delete\": \"#B_COLL_x\", \"deletes\": []}", "test0.Foo0_x:W"},
    {"{\"findAndModify\": \"a.b\", \"remove\": true}", "test0.a.b:W"},
    {"{\"findandmodify\": \"a\"}", "test0.a:W"},
    {"{\"bulkWrite\": 1, \"ops\": [], \"nsInfo\": [{\"ns\": \"d.a\"}, {\"ns\": \"#B_NS\"}]}", "d.a:W test0.Foo0:W"},
    {"{\"aggregate\": \"a\", \"pipeline\": []}", ""},
    {"{\"aggregate\": 1, \"pipeline\": [{\"$currentOp\": {}}]}", ""},
    {"{\"aggregate\": \"a\", \"pipeline\": [{\"$match\": {}}, {\"$out\": \"b\"}]}", "test0.b:M"},
    {"{\"aggregate\": \"a\", \"pipeline\": [{\"$out\": {\"db\": \"d\", \"coll\": \"b\"}}]}", "d.b:M"},
    {"{\"aggregate\": \"a\", \"pipeline\": [{\"$merge\": \"b\"}]}", "test0.b:W"},
    {"{\"aggregate\": \"a\", \"pipeline\": [{\"$merge\": {\"into\": \"b\", \"on\": \"_id\"}}]}", "test0.b:W"},
    {"{\"aggregate\": \"a\", \"pipeline\": [{\"$merge\": {\"into\": {\"db\": \"d\", \"coll\": \"b\"}}}]}", "d.b:W"},
    {"{\"mapReduce\": \"a\", \"out\": \"b\"}", "test0.b:M"},
    {"{\"mapreduce\": \"a\", \"out\": {\"inline\": 1}}", ""},
    {"{\"mapReduce\": \"a\", \"out\": {\"inline\": 1, \"replace\": \"b\"}}", "test0.b:M"},
    {"{\"mapReduce\": \"a\", \"out\": {\"normal\": \"b\"}}", "test0.b:M"},
    {"{\"mapReduce\": \"a\", \"out\": {\"merge\": \"b\"}}", "test0.b:M"},
    {"{\"mapReduce\": \"a\", \"out\": {\"reduce\": \"b\", \"db\": \"d\"}}", "d.b:M"},
    {"{\"mapReduce\": \"a\", \"out\": {\"replace\": \"b\", \"db\": \"#B_DB\"}}", "test0.b:M"},
    {"{\"explain\": {\"delete\": \"a\", \"deletes\": []}}", "test0.a:W"},
    {"{\"create\": \"a\", \"viewOn\": \"b\", \"pipeline\": [{\"$match\": {}}]}", "test0.a:M"},
    {"{\"drop\": \"a\"}", "test0.a:D"},
    {"{\"renameCollection\": \"d.a\", \"to\": \"e.b\", \"dropTarget\": true}", "d.a:D e.b:M"},
    {"{\"cloneCollectionAsCapped\": \"a\", \"toCollection\": \"b\", \"size\": 1}", "test0.b:M"},
    {"{\"convertToCapped\": \"a\", \"size\": 1}", "test0.a:WM"},
    {"{\"collMod\": \"a\"}", "test0.a:W"},
    {"{\"createIndexes\": \"a\", \"indexes\": []}", "test0.a:W"},
    {"{\"dropIndexes\": \"a\", \"index\": \"*\"}", "test0.a:W"},
    {"{\"deleteIndexes\": \"a\", \"index\": \"*\"}", "test0.a:W"},
    {"{\"reIndex\": \"a\"}", "test0.a:W"},
    {"{\"compact\": \"a\"}", "test0.a:W"},
    {"{\"validate\": \"a\", \"repair\": true}", "test0.a:W"},
    {"{\"shardCollection\": \"test0.a\", \"key\": {}}", "test0.a:W"},
    {"{\"fsync\": 1}", ""},
    {"{\"fsync\": 1, \"lock\": true}", "\"lock\" stops the writes of everybody"},
    {"{\"$eval\": \"db.a.drop()\"}", "the command $eval is refused: what it writes is not known"},
    {"{\"applyOps\": []}", "the command applyOps is refused: what it writes is not known"},
    {"{\"clone\": \"host\"}", "the command clone is refused: "},
    {"{\"cloneCollection\": \"d.a\"}", "the command cloneCollection is refused: "},
    {"{\"copydb\": 1}", "the command copydb is refused: "},
    {"{\"doTxn\": []}", "the command doTxn is refused: "},
    {"{\"eval\": \"\"}", "the command eval is refused: "},
    {"{\"dropDatabase\": 1}", "the command dropDatabase is refused: it takes along what benchrun did not make"},
    {"{\"repairDatabase\": 1}", "the command repairDatabase is refused: "},
};

enum { COUNT = sizeof rows / sizeof *rows };

static void expect_command(const char *command, const char *expected)
{
    struct buffer entry = {0};
    buffer_append_printf(&entry, "{\"command\": %s}", command);
    expect(effects_of_command, buffer_text(&entry), expected);
    buffer_release(&entry);
}

static bool is_tried(const char *name)
{
    struct buffer start = {0};
    bool found = false;
    buffer_append_printf(&start, "{\"%s\":", name);
    for (size_t i = 0; i < COUNT; i++)
        found = found || strncmp(rows[i].command, buffer_text(&start), start.size) == 0;
    buffer_release(&start);
    return found;
}

static void every_row(void **state)
{
    (void)state;
    const struct command_row *row;
    struct buffer command = {0};
    for (size_t i = 0; i < COUNT; i++)
        expect_command(rows[i].command, rows[i].expected);
    for (unsigned i = 0; (row = command_table_row(i)); i++) {
        assert_ptr_equal(command_table_find(row->name), row);
        if (row->form != COMMAND_READS) {
            if (!is_tried(row->name))
                fail_msg("no test for %s", row->name);
            continue;
        }
        buffer_clear(&command);
        buffer_append_printf(&command, "{\"%s\": \"a\"}", row->name);
        expect_command(buffer_text(&command), "");
    }
    buffer_release(&command);
}

static void unknown_commands(void **state)
{
    (void)state;
    static const char *const names[] = {
        "shutdown", "createUser", "replSetReconfig",   "Drop",       "INSERT", "dropIndex",   "x",
        "",         "profile",    "commitTransaction", "writeBacks", "killOp", "fsyncUnlock", "godinsert"};
    struct buffer command = {0}, message = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        buffer_clear(&command);
        buffer_clear(&message);
        buffer_append_printf(&command, "{\"%s\": 1}", names[i]);
        buffer_append_printf(&message, "the command %s is refused: benchrun does not know which collections", names[i]);
        expect_command(buffer_text(&command), buffer_text(&message));
    }
    expect_command("{\"Drop\": \"a\"}",
                   "the command Drop is refused: benchrun does not know which collections it writes "
                   "or drops, and touches its own only; did you mean drop?");
    expect_command("{}", "expected a command");
    buffer_release(&command);
    buffer_release(&message);
}

static void names_known_too_late(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "{\"drop\": {\"#RAND_STRING\": [5]}}",
        "{\"drop\": {\"$symbol\": \"users\"}}",
        "{\"insert\": 1}",
        "{\"renameCollection\": \"test0.a\"}",
        "{\"bulkWrite\": 1, \"nsInfo\": [{\"ns\": {\"#CONCAT\": [\"a\", \"b\"]}}]}",
        "{\"aggregate\": 1, \"pipeline\": [{\"$out\": {\"#RAND_STRING\": [5]}}]}",
        "{\"aggregate\": 1, \"pipeline\": [{\"$out\": {\"s3\": {}}}]}",
        "{\"aggregate\": 1, \"pipeline\": [{\"$merge\": {\"on\": \"_id\"}}]}",
        "{\"mapReduce\": \"a\"}",
        "{\"mapReduce\": \"a\", \"out\": {\"\": \"b\"}}",
        "{\"cloneCollectionAsCapped\": \"a\"}",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct effects effects = {0};
        struct error err = {0};
        json_t *entry = json_pack("{s:o}", "command", json_loads(commands[i], 0, NULL));
        assert_false(effects_of_command(entry, &own, &effects, &err));
        if (!strstr(err.message, "expected a name; one that is known only when the command runs may be anybody's"))
            fail_msg("%s: %s", commands[i], err.message);
        json_decref(entry);
        effects_release(&effects);
    }
    expect_command("{\"aggregate\": \"a\", \"pipeline\": {\"#VARIABLE\": \"p\"}}",
                   "pipeline: expected a list of stages");
    expect_command("{\"bulkWrite\": 1}", "nsInfo: expected a list");
    expect_command("{\"renameCollection\": \"a\", \"to\": \"test0.b\"}",
                   "renameCollection: expected \"database.collection\", got \"a\"");
    expect_command("{\"explain\": 1}", "expected a command");
}

static void stages_inside(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "{\"aggregate\": \"a\", \"pipeline\": [{\"$lookup\": {\"from\": \"b\", \"pipeline\": [{\"$out\": \"c\"}]}}]}",
        "{\"aggregate\": \"a\", \"pipeline\": [{\"$facet\": {\"x\": [{\"$merge\": \"c\"}]}}]}",
        "{\"aggregate\": \"a\", \"pipeline\": [{\"$unionWith\": {\"coll\": \"b\", \"pipeline\": [{\"$out\": "
        "\"c\"}]}}]}",
        "{\"create\": \"a\", \"viewOn\": \"b\", \"pipeline\": [{\"$out\": \"c\"}]}",
        "{\"collMod\": \"a\", \"viewOn\": \"b\", \"pipeline\": [{\"$merge\": \"c\"}]}",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        expect_command(commands[i], i == 1 || i == 4 ? "$merge: allowed only as" : "$out: allowed only as");
    expect(effects_of_step, "{\"create\": {\"viewOn\": \"b\", \"pipeline\": [{\"$out\": \"c\"}]}}",
           "$out: allowed only as");
}

static void collections_of_others(void **state)
{
    (void)state;
    static const char servers[] = "%s is a collection of the server's own";
    static const char *const names[] = {"admin.a", "config.a", "local.a", "d.system.users", "test0.system.js"};
    struct buffer step = {0}, message = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        buffer_clear(&step);
        buffer_clear(&message);
        buffer_append_printf(&step, "{\"insert\": {}, \"ns\": \"%s\"}", names[i]);
        buffer_append_printf(&message, servers, names[i]);
        expect(effects_of_step, buffer_text(&step), buffer_text(&message));
    }
    expect(effects_of_command, "{\"command\": {\"insert\": \"a\"}, \"db\": \"admin\"}", "admin.a is a collection of");
    expect(effects_of_op, "{\"op\": \"insert\", \"ns\": \"test0.system.indexes\", \"doc\": {}}",
           "test0.system.indexes is a collection of");
    expect(effects_of_command,
           "{\"command\": {\"renameCollection\": \"test0.a\", \"to\": \"admin.b\"}, \"db\": \"admin\"}",
           "admin.b is a collection of");
    expect(effects_of_step, "{\"drop\": {}, \"ns\": \"benchrun_owned\"}",
           "test0.benchrun_owned is where benchrun notes");
    expect(effects_of_op, "{\"op\": \"update\", \"ns\": \"d.benchrun_owned\"}", "d.benchrun_owned is where");
    expect_command("{\"drop\": \"\"}", "\"test0.\" is no database and collection");
    buffer_release(&step);
    buffer_release(&message);
}

static void envelope(void **state)
{
    (void)state;
    expect_command(
        "{\"insert\": \"a\", \"$db\": \"prod\"}",
        "\"$db\": benchrun itself says where and how a command is sent; leave it out and name the database by "
        "\"db\" (in a mongoebench file, by \"ns\")");
    expect_command("{\"ping\": true, \"$db\": true}", "\"$db\": ");
    expect_command("{\"find\": \"a\", \"lsid\": {}}", "\"lsid\": ");
    expect_command("{\"insert\": \"a\", \"txnNumber\": 1, \"autocommit\": false}", "\"txnNumber\": ");
    expect_command("{\"explain\": {\"insert\": \"a\", \"$db\": \"prod\"}}", "\"$db\": ");
    expect(effects_of_step, "{\"create\": {\"$db\": \"prod\"}}", "\"$db\": ");
    expect(effects_of_step, "{\"create\": {\"create\": \"b\"}}", "\"create\" is no option");
}

static void steps_and_operations(void **state)
{
    (void)state;
    expect(effects_of_step, "{\"drop\": {}}", "test0.Foo0:D");
    expect(effects_of_step, "{\"create\": {}, \"ns\": \"#B_COLL_x\"}", "test0.Foo0_x:M");
    expect(effects_of_step, "{\"index\": {\"a\": 1}, \"ns\": \"d.a.b\"}", "d.a.b:W");
    expect(effects_of_step, "{\"insert\": {}, \"ns\": \"#B_NS_x\"}", "test0.Foo0_x:W");
    expect(effects_of_step, "{\"command\": {\"drop\": \"users\"}, \"db\": \"#B_DB\"}", "test0.users:D");
    expect(effects_of_step, "{\"command\": {\"drop\": \"users\"}, \"db\": \"prod\"}", "prod.users:D");
    expect(effects_of_op, "{\"op\": \"insert\", \"doc\": {}}", "test0.Foo0:W");
    expect(effects_of_op, "{\"op\": \"update\", \"ns\": \"d.a\"}", "d.a:W");
    expect(effects_of_op, "{\"op\": \"let\", \"target\": \"x\", \"value\": 1}", "");
    expect(effects_of_op, "{\"op\": \"command\", \"ns\": \"d\", \"command\": {\"drop\": \"a\"}}", "d.a:D");
    expect(effects_of_op, "{\"op\": \"command\", \"command\": {\"count\": \"a\"}}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(every_row, "every command of the table writes, makes and drops what the table says"),
        NAMED_TEST(unknown_commands, "a command that is not in the table is refused, with a suggestion"),
        NAMED_TEST(names_known_too_late, "a collection that is known only when the command runs is refused"),
        NAMED_TEST(stages_inside, "$out and $merge are refused inside of other stages and in views"),
        NAMED_TEST(collections_of_others, "the server's own collections and the marks are written by no test"),
        NAMED_TEST(envelope, "a command cannot say where it is sent or belong to a transaction"),
        NAMED_TEST(steps_and_operations, "steps and operations are on their own collection or the one they name"),
    };
    return cmocka_run_group_tests_name("effects", tests, NULL, NULL);
}
