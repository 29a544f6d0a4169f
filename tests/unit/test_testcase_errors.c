/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a file, its tests, steps and operations, and the line and path that say so. */
#include "testcase_check.h"

/* A text and all complaints about it. */
struct row {
    const char *text, *complaints;
};

#define INSERT "{\"op\": \"insert\", \"doc\": {}}"
#define TEST(ops)                                                                                                      \
    "{\"tests\": [\n{\"name\": \"T\", \"tags\": [\"a\"],\n \"pre\": [{\"drop\": {}}],\n \"ops\": [" ops "]}\n]}\n"
#define PRE(step) "{\"tests\": [\n{\"name\": \"T\",\n \"pre\": [\n  " step "],\n \"ops\": [" INSERT "]}\n]}\n"

static const struct row syntax_rows[] = {
    {"", "x.json:1: /: the file is empty; expected an object with \"tests\"\n"},
    {" \n", "x.json:1: /: the file is empty; expected an object with \"tests\"\n"},
    {"{\"tests\": [{\"name\": \"x\"", "x.json:1:23: /tests/0/name: not valid JSON: the file ends in the middle\n"},
    {"{\"tests\": [\n"
     "  {\"name\": \"a\",}\n"
     "]}",
     "x.json:2:16: /tests/0/name: not valid JSON: a comma before the closing bracket\n"},
    {"{\"tests\": [1,\n"
     "2,\n"
     "]}",
     "x.json:3:1: /tests/2: not valid JSON: a comma before the closing bracket\n"},
    {"{\"tests\": [{\"name\": \"a\",\n"
     " \"ops\": [],\n"
     " \"ops\": []}]}",
     "x.json:3:6: /tests/0/ops: not valid JSON: duplicate object key near '\"ops\"'\n"},
    {"{\"tests\": \"a\\u0000b\"}", "x.json:1:20: /tests: not valid JSON: a text cannot hold \\u0000\n"},
    {"{\"tests\": \n"
     "[tru]}",
     "x.json:2:4: /tests/0: not valid JSON: invalid token near 'tru'\n"},
    {"{\"tests\": [99999999999999999999]}",
     "x.json:1:31: /tests/0: not valid JSON: too big integer near '99999999999999999999'\n"},
    {"{\"tests\": [\001]}", "x.json:1:12: /tests/0: not valid JSON: invalid token near '?'\n"},
    {"{\"tests\": []} x", "x.json:1:15: /: not valid JSON: end of file expected near 'x'\n"},
};

static const struct row shape_rows[] = {
    {"[]",
     "x.json:1: /: no definition: expected an object with \"tests\" (or \"pre\" and \"ops\", as mongoebench has)\n"},
    {"{\"a\": 1}",
     "x.json:1: /: no definition: expected an object with \"tests\" (or \"pre\" and \"ops\", as mongoebench has)\n"},
    {"{\"tests\": {}}", "x.json:1: /tests: expected \"tests\", a list of at least one test\n"},
    {"{\"tests\": []}", "x.json:1: /tests: expected \"tests\", a list of at least one test\n"},
    {"{\"tests\": [1]}", "x.json:1: /tests/0: a test: expected an object\n"},
    {"{\"tests\": [],\n"
     " \"def\": {}}",
     "x.json:2: /def: unknown key \"def\" in a definition file: did you mean \"defs\"?\n"
     "x.json:1: /tests: expected \"tests\", a list of at least one test\n"},
    {"{\"defs\": 3, \"tests\": []}", "x.json:1: /defs: \"defs\": expected an object\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\", \"tag\": [],\n"
     " \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}\n"
     "]}\n",
     "x.json:2: /tests/0/tag: unknown key \"tag\" in a test: did you mean \"tags\"?\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\", \"comment\": \"why\", \"@comment\": 3,\n"
     " \"ops\": [{\"op\": \"insert\", \"doc\": {}, \"_comment\": \"why\"},\n"
     "         {\"op\": \"insert\", \"doc\": {\"@coment\": 1, \"@comment\": [\"a\", 1]}}]}\n"
     "]}\n",
     "x.json:2: /tests/0/@comment: \"@comment\": expected a text or a list of texts\n"
     "x.json:4: /tests/0/ops/1/doc/@comment: \"@comment\": expected a text or a list of texts\n"
     "x.json:2: /tests/0/comment: unknown key \"comment\" in a test: did you mean \"@comment\"?\n"
     "x.json:3: /tests/0/ops/0/_comment: unknown key \"_comment\" in op insert: did you mean \"@comment\"?\n"
     "x.json:4: /tests/0/ops/1/doc/@coment: unknown key \"@coment\" in an object (a literal @ is written @@): did "
     "you mean \"@comment\"?\n"},
    {"{\"$schema\": 3, \"tests\": [{\"name\": \"a\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}]}",
     "x.json:1: /$schema: \"$schema\": expected a text, where the schema is\n"},
    {"{\"@comment\": \"x\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}",
     "x.json:1: /@comment: unknown key \"@comment\" in a mongoebench file: expected one of \"$schema\", \"pre\", "
     "\"ops\"\n"},
    {"{\"tests\": [\n"
     "{\"ops\": [{\"op\": \"insert\", \"doc\": {}}]}\n"
     "]}\n",
     "x.json:2: /tests/0: a test needs a \"name\"\n"},
    {"{\"tests\": [\n"
     "{\"name\": 3, \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}\n"
     "]}\n",
     "x.json:2: /tests/0/name: \"name\": expected a text, not empty and without control characters\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\\n\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}\n"
     "]}\n",
     "x.json:2: /tests/0/name: \"name\": expected a text, not empty and without control characters\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\", \"tags\": \"x\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}\n"
     "]}\n",
     "x.json:2: /tests/0/tags: \"tags\": expected a list\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\", \"tags\": [\"x\",\n"
     " 3], \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}\n"
     "]}\n",
     "x.json:3: /tests/0/tags/1: a tag: expected a text\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\",\n"
     " \"ops\": []}\n"
     "]}\n",
     "x.json:3: /tests/0/ops: \"ops\": expected at least one operation\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\"}\n"
     "]}\n",
     "x.json:2: /tests/0: a test needs \"ops\"\n"},
    {"{\"tests\": [\n"
     "{\"name\": \"a\", \"pre\": {}, \"ops\": {}}\n"
     "]}\n",
     "x.json:2: /tests/0/pre: \"pre\": expected a list\n"
     "x.json:2: /tests/0/ops: \"ops\": expected a list\n"},
    {"{\"tests\": [{\"each\": [],\n"
     " \"test\": {\"name\": \"a\", \"ops\": []}}]}",
     "x.json:1: /tests/0/each: \"each\": expected a list of lists of objects {parameter: value, ..}\n"},
    {"{\"tests\": [{\"each\": [[{\"p\": 1}], [{\"p\": 2}]],\n"
     " \"test\": {\"name\": \"a${p}\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}}]}",
     "x.json:1: /tests/0/each/1/0/p: the parameter \"p\" is in two lists\n"},
    {"{\"tests\": [{\"each\": [[{}]]}]}", "x.json:1: /tests/0: a family needs \"test\": an object\n"},
    {"{\"tests\": [{\"each\": [[{\"abc\": 1}]],\n"
     " \"test\": {\"name\": \"${abd}\", \"ops\": [{\"op\": \"insert\", \"doc\": {\"x\": \"${abc}${q}\"}}]}}]}",
     "x.json:2: /tests/0/test/name: no parameter is called \"abd\": did you mean \"abc\"?\n"
     "x.json:2: /tests/0/test/ops/0/doc/x: no parameter is called \"q\"; parameters are made by \"each\"\n"},
    {"{\"tests\": [{\"each\": [[{\"a\": \"${b}\", \"b\": \"${a}\"}]],\n"
     " \"test\": {\"name\": \"${a}\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}}]}",
     "x.json:1: /tests/0/each/0/0/b: parameters refer to each other in a circle\n"},
    {"{\"tests\": [{\"each\": [[{\"a\": [1]}]],\n"
     " \"test\": {\"name\": \"x${a}\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}}]}",
     "x.json:1: /tests/0/each/0/0/a: a parameter inside a longer text is a string, a number, true or false\n"},
    {"{\"defs\": {\"d\": \"${p}\"}, \"tests\": [{\"each\": [[{\"p\": 1}]],\n"
     " \"test\": {\"name\": \"x\", \"ops\": [{\"op\": \"insert\", \"doc\": {\"x\": {\"@use\": \"d\"}}}]}}]}",
     "x.json:1: /defs/d: ${p}: a def sees no parameters\n"},
    {"{\"defs\": {\"a\": {\"x\": {\"@use\": \"b\"}},\n"
     " \"b\": [{\"@use\": \"a\"}]}, \"tests\": [{\"name\": \"T\", \"ops\": [{\"op\": \"insert\", \"doc\": {}}]}]}",
     "x.json:2: /defs/b/0/@use: the def \"a\" uses itself\n"},
    {"{\"defs\": {\"abc\": 1}, \"tests\": [{\"name\": \"T\", \"ops\": [{\"op\": \"insert\",\n"
     " \"doc\": {\"x\": {\"@use\": \"abd\"}}}]}]}",
     "x.json:2: /tests/0/ops/0/doc/x/@use: no def is called \"abd\": did you mean \"abc\"?\n"},
    {"{\"defs\": {\"abc\": 1}, \"tests\": [{\"name\": \"T\", \"ops\": [{\"op\": \"insert\",\n"
     " \"doc\": {\"@use\": \"abc\", \"y\": 1}}]}]}",
     "x.json:2: /tests/0/ops/0/doc/@use: \"@use\" with other keys: expected a def that is an object\n"},
};

static const struct row step_rows[] = {
    {PRE("3"), "x.json:4: /tests/0/pre/0: a step: expected an object with one of \"drop\", \"create\", \"index\", "
               "\"command\" or \"insert\"\n"},
    {PRE("{}"),
     "x.json:4: /tests/0/pre/0: a step needs one of \"drop\", \"create\", \"index\", \"command\" or \"insert\"\n"},
    {PRE("{\"dorp\": {}}"), "x.json:4: /tests/0/pre/0/dorp: unknown key \"dorp\" in a step: did you mean \"drop\"?\n"},
    {PRE("{\"drop\": {}, \"create\": {}}"),
     "x.json:4: /tests/0/pre/0/create: a step does one thing: this one has \"drop\" already\n"},
    {PRE("{\"drop\": {\"a\": 1}}"), "x.json:4: /tests/0/pre/0/drop: \"drop\": expected {}, got {\"a\": 1}\n"},
    {PRE("{\"create\": []}"), "x.json:4: /tests/0/pre/0/create: \"create\": expected an object of options, got []\n"},
    {PRE("{\"index\": {}}"),
     "x.json:4: /tests/0/pre/0/index: \"index\": expected an object with at least one key, got {}\n"},
    {PRE("{\"index\": {\"a\": 1}, \"option\": {}}"),
     "x.json:4: /tests/0/pre/0/option: unknown key \"option\" in a step index: did you mean \"options\"?\n"},
    {PRE("{\"command\": {}}"),
     "x.json:4: /tests/0/pre/0/command: \"command\": expected an object with at least one key, got {}\n"},
    {PRE("{\"command\": {\"ping\": 1}, \"ns\": \"x\"}"), "x.json:4: /tests/0/pre/0/ns: unknown key \"ns\" in a step "
                                                         "command: expected one of \"command\", \"mayFail\", \"db\"\n"},
    {PRE("{\"command\": {\"ping\": 1}, \"db\": 3}"), "x.json:4: /tests/0/pre/0/db: \"db\": expected a name, got 3\n"},
    {PRE("{\"drop\": {}, \"mayFail\": 26}"),
     "x.json:4: /tests/0/pre/0/mayFail: \"mayFail\": expected a list of at least one error code of a server\n"},
    {PRE("{\"drop\": {}, \"mayFail\": []}"),
     "x.json:4: /tests/0/pre/0/mayFail: \"mayFail\": expected a list of at least one error code of a server\n"},
    {PRE("{\"drop\": {}, \"mayFail\": [26, 0]}"),
     "x.json:4: /tests/0/pre/0/mayFail/1: \"mayFail\": expected a whole number from 1 to 2147483647, got 0\n"},
    {PRE("{\"drop\": {}, \"mayFail\": [\"26\"]}"),
     "x.json:4: /tests/0/pre/0/mayFail/0: \"mayFail\": expected a whole number from 1 to 2147483647, got \"26\"\n"},
    {PRE("{\"insert\": []}"),
     "x.json:4: /tests/0/pre/0/insert: \"insert\": expected a document or a list of at least one\n"},
    {PRE("{\"insert\": 3}"), "x.json:4: /tests/0/pre/0/insert: expected a document\n"},
    {PRE("{\"insert\": {}, \"count\": -1}"),
     "x.json:4: /tests/0/pre/0/count: \"count\": expected a whole number from 0 to 10000000000, got -1\n"},
    {PRE("{\"insert\": {}, \"count\": 1.5}"),
     "x.json:4: /tests/0/pre/0/count: \"count\": expected a whole number from 0 to 10000000000, got 1.5\n"},
    {PRE("{\"insert\": {}, \"count\": 99999999999999}"),
     "x.json:4: /tests/0/pre/0/count: \"count\": expected a whole number from 0 to 10000000000, got 99999999999999\n"},
    {PRE("{\"insert\": {}, \"count\": {\"perThread\": 10000000001}}"),
     "x.json:4: /tests/0/pre/0/count/perThread: \"perThread\": expected a whole number from 0 to 10000000000, got "
     "10000000001\n"},
    {PRE("{\"insert\": {}, \"count\": {\"perThred\": 1}}"),
     "x.json:4: /tests/0/pre/0/count: \"count\": expected a whole number or {\"perThread\": n}\n"},
    {PRE("{\"insert\": {}, \"ns\": \"\"}"), "x.json:4: /tests/0/pre/0/ns: \"ns\": expected a name, got \"\"\n"},
    {PRE("{\"insert\": {\"x\": {\"#SEQ_INT\": {}}}}"),
     "x.json:4: /tests/0/pre/0/insert/x/#SEQ_INT: #SEQ_INT is for operations; documents of pre count with #INDEX\n"},
    {PRE("{\"create\": {\"x\": {\"#RAND_INT\": [0, 1]}}}"),
     "x.json:4: /tests/0/pre/0/create/x/#RAND_INT: #RAND_INT is for operations and documents, not for what is read "
     "once\n"},
    {PRE("{\"insert\": {\"a\": {\"@pad\": {\"to\": 99}}, \"b\": {\"@pad\": {\"to\": 99}}}}"),
     "x.json:4: /tests/0/pre/0/insert/b/@pad: a second \"@pad\" in one document\n"},
};

static const struct row op_rows[] = {
    {TEST("3"), "x.json:4: /tests/0/ops/0: an operation: expected an object {\"op\": .., ..}\n"},
    {TEST("{\"doc\": {}}"), "x.json:4: /tests/0/ops/0: an operation needs \"op\": \"insert\", \"update\" or \"let\"\n"},
    {TEST("{\"op\": 3}"), "x.json:4: /tests/0/ops/0/op: unknown op 3: expected \"insert\", \"update\" or \"let\"\n"},
    {TEST("{\"op\": \"instert\"}"), "x.json:4: /tests/0/ops/0/op: unknown op \"instert\": did you mean \"insert\"?\n"},
    {TEST("{\"op\": \"frobnicate\"}"),
     "x.json:4: /tests/0/ops/0/op: unknown op \"frobnicate\": expected \"insert\", \"update\" or \"let\"\n"},
    {TEST("{\"op\": \"find\", \"query\": {}}"),
     "x.json:4: /tests/0/ops/0/op: op \"find\" is not supported; expected \"insert\", \"update\" or \"let\"\n"},
    {TEST("{\"op\": \"insert\"}"), "x.json:4: /tests/0/ops/0: op insert needs \"doc\"\n"},
    {TEST("{\"op\": \"update\", \"query\": {}}"), "x.json:4: /tests/0/ops/0: op update needs \"update\"\n"},
    {TEST("{\"op\": \"let\", \"target\": \"x\"}"), "x.json:4: /tests/0/ops/0: op let needs \"value\"\n"},
    {TEST("{\"op\": \"insert\", \"doc\": {},\n \"dely\": 3}"),
     "x.json:5: /tests/0/ops/0/dely: unknown key \"dely\" in op insert: did you mean \"delay\"?\n"},
    {TEST("{\"op\": \"insert\", \"doc\": {}, \"query\": {}}"),
     "x.json:4: /tests/0/ops/0/query: \"query\" is no field of op insert\n"},
    {TEST("{\"op\": \"update\", \"query\": {}, \"update\": {},\n \"check\": \"x\"}"),
     "x.json:5: /tests/0/ops/0/check: \"check\" is not supported\n"},
    {TEST("{\"op\": \"update\", \"query\": {}, \"update\": [{}]}"),
     "x.json:4: /tests/0/ops/0/update: \"update\": expected a document, got [{}]\n"},
    {TEST("{\"op\": \"update\", \"query\": {}, \"update\": {}, \"multi\": 1}"),
     "x.json:4: /tests/0/ops/0/multi: \"multi\": expected true or false, got 1\n"},
    {TEST("{\"op\": \"insert\", \"doc\": {}, \"ns\": \"x\"}"),
     "x.json:4: /tests/0/ops/0/ns: \"ns\": expected a namespace: \"database.collection\" or \"#B_NS..\", got \"x\"\n"},
    {TEST("{\"op\": \"insert\", \"doc\": {}, \"delay\": -1}"),
     "x.json:4: /tests/0/ops/0/delay: \"delay\": expected milliseconds, a whole number from 0 to 3600000, got -1\n"},
    {TEST("{\"op\": \"insert\", \"doc\": {}, \"writeCmd\": false}"),
     "x.json:4: /tests/0/ops/0/writeCmd: \"writeCmd\": expected true (nothing else is supported), got false\n"},
    {TEST("{\"op\": \"insert\", \"doc\": {}, \"writeConcern\": {\"w\": 0}}"),
     "x.json:4: /tests/0/ops/0/writeConcern: \"writeConcern\": expected {} or {\"j\": false}; the write concern is set "
     "with -w and -j, got {\"w\": 0}\n"},
    {TEST("{\"op\": \"let\", \"target\": \"\", \"value\": 1}"),
     "x.json:4: /tests/0/ops/0/target: \"target\": expected a text, got \"\"\n"},
};

static void expect_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct loaded loaded = load_text(rows[i].text, 1);
        expect_messages(rows[i].text, &loaded.errors, rows[i].complaints);
        assert_false(loaded.ok);
        assert_int_equal(loaded.set.count, 0);
        release_loaded(&loaded);
    }
}

static void syntax_mistakes(void **state)
{
    (void)state;
    expect_rows(syntax_rows, sizeof syntax_rows / sizeof *syntax_rows);
}

static void shape_mistakes(void **state)
{
    (void)state;
    expect_rows(shape_rows, sizeof shape_rows / sizeof *shape_rows);
}

static void step_mistakes(void **state)
{
    (void)state;
    expect_rows(step_rows, sizeof step_rows / sizeof *step_rows);
}

static void op_mistakes(void **state)
{
    (void)state;
    expect_rows(op_rows, sizeof op_rows / sizeof *op_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(syntax_mistakes, "text that is no JSON is named with line and column"),
        NAMED_TEST(shape_mistakes, "mistakes in files, tests and families are named with line and path"),
        NAMED_TEST(step_mistakes, "mistakes in steps are named with line and path"),
        NAMED_TEST(op_mistakes, "mistakes in operations are named with line and path"),
    };
    return cmocka_run_group_tests_name("testcase_errors", tests, NULL, NULL);
}
