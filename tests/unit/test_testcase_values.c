/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with values, constructs and operators, and the line and path that say so. */
#include "testcase_check.h"

/* A text and all complaints about it. */
struct row {
    const char *text, *complaints;
};

#define TEST(ops)                                                                                                      \
    "{\"tests\": [\n{\"name\": \"T\", \"tags\": [\"a\"],\n \"pre\": [{\"drop\": {}}],\n \"ops\": [" ops "]}\n]}\n"
#define DOC(doc) TEST("{\"op\": \"insert\",\n  \"doc\": " doc "}")

static const struct row value_rows[] = {
    {DOC("3"), "x.json:5: /tests/0/ops/0/doc: expected a document\n"},
    {DOC("[]"), "x.json:5: /tests/0/ops/0/doc: \"doc\": expected a document or a list of at least one\n"},
    {DOC("[{}, 3]"), "x.json:5: /tests/0/ops/0/doc/1: expected a document\n"},
    {DOC("{\"#RAND_INT\": [0, 1]}"), "x.json:5: /tests/0/ops/0/doc: expected a document\n"},
    {DOC("{\"x\": {\"#RAND_INT\": [5, 1]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [5, 1]\n"},
    {DOC("{\"x\": {\"#RAND_INT\": [0, 1, 2, 3]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [0, 1, 2, 3]\n"},
    {DOC("{\"x\": {\"#RAND_INT\": [0, 2147483648]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [0, 2147483648]\n"},
    {DOC("{\"x\": {\"#RAND_INT_PLUS_THREAD\": [0, 1, 2]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT_PLUS_THREAD: #RAND_INT_PLUS_THREAD: expected [min, max], whole 32-bit "
     "numbers with max > min, got [0, 1, 2]\n"},
    {DOC("{\"x\": {\"#RND_INT\": [1, 2]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RND_INT: unknown operator \"#RND_INT\": did you mean \"#RAND_INT\"?\n"},
    {DOC("{\"x\": {\"#CYCEL\": []}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#CYCEL: unknown operator \"#CYCEL\": did you mean \"#CYCLE\"?\n"},
    {DOC("{\"x\": {\"#RAND_INT\": [1, 2], \"y\": 1}}"), "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT: an operator is the "
                                                        "only key of its object; a literal key is ##RAND_INT\n"},
    {DOC("{\"x\": {\"#SEQ_INT\": {\"seq_id\": 0, \"start\": 0}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#SEQ_INT: #SEQ_INT: expected {\"seq_id\", \"start\", \"step\"}, whole 32-bit "
     "numbers, and perhaps \"unique\" (true or false), \"mod\" (from 1), got {\"seq_id\": 0, \"start\": 0}\n"},
    {DOC("{\"x\": {\"#SEQ_INT\": {\"seq_id\": 0, \"start\": 0, \"step\": 1, \"mod\": 0}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#SEQ_INT: #SEQ_INT: expected {\"seq_id\", \"start\", \"step\"}, whole 32-bit "
     "numbers, and perhaps \"unique\" (true or false), \"mod\" (from 1), got {\"seq_id\": 0, \"start\": 0, \"step\": "
     "1, \"mod\": 0}\n"},
    {DOC("{\"x\": {\"#SEQ_INT\": {\"seq_id\": 0, \"start\": 0, \"step\": 1, \"uniq\": true}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#SEQ_INT: #SEQ_INT: expected {\"seq_id\", \"start\", \"step\"}, whole 32-bit "
     "numbers, and perhaps \"unique\" (true or false), \"mod\" (from 1), got {\"seq_id\": 0, \"start\": 0, \"step\": "
     "1, \"uniq\": true}\n"},
    {DOC("{\"x\": {\"#RAND_STRING\": [0]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_STRING: #RAND_STRING: expected [length] with a length from 1 to 16777216; "
     "in documents of pre also [length, \"ASCII characters\"], got [0]\n"},
    {DOC("{\"x\": {\"#RAND_STRING\": [3, \"abc\"]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_STRING: #RAND_STRING: expected [length] with a length from 1 to 16777216; "
     "in documents of pre also [length, \"ASCII characters\"], got [3, \"abc\"]\n"},
    {DOC("{\"x\": {\"#CONCAT\": [\"a\"]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#CONCAT: #CONCAT: expected a list of two "
     "or more texts, numbers, dates, true, false or operators that give such, got [\"a\"]\n"},
    {DOC("{\"x\": {\"#CONCAT\": [\"a\", null]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#CONCAT: #CONCAT: expected a list of two or more texts, numbers, dates, true, "
     "false or operators that give such, got [\"a\", null]\n"},
    {DOC("{\"x\": {\"#OID\": 1}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#OID: #OID: expected to be the value of a field \"_id\", got 1\n"},
    {DOC("{\"x\": {\"#VARIABLE\": \"v\"}}"), "x.json:5: /tests/0/ops/0/doc/x/#VARIABLE: #VARIABLE: expected the name "
                                             "of a variable that a \"let\" before it sets, got \"v\"\n"},
    {DOC("{\"x\": {\"#CUR_DATE\": \"now\"}}"), "x.json:5: /tests/0/ops/0/doc/x/#CUR_DATE: #CUR_DATE: expected a whole "
                                               "number of milliseconds (or #RAND_INT, #VARIABLE), got \"now\"\n"},
    {DOC("{\"x\": {\"#INDEX\": {}}}"), "x.json:5: /tests/0/ops/0/doc/x/#INDEX: #INDEX of \"doc\" is for documents of "
                                       "an insert step; here write \"of\": \"item\" or \"field\"\n"},
    {DOC("{\"x\": {\"#INDEX\": {\"of\": \"field\"}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#INDEX: \"of\": \"field\" needs a @fields around it\n"},
    {DOC("{\"x\": {\"#INDEX\": {\"of\": \"item\"}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#INDEX: \"of\": \"item\" needs a counting @list or #ARRAY around it\n"},
    {DOC("{\"x\": {\"#INDEX\": {\"of\": \"docs\"}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#INDEX/of: \"of\": expected \"doc\", \"item\" or \"field\"\n"},
    {DOC("{\"x\": {\"#CYCLE\": [1]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#CYCLE: #CYCLE outside of documents needs a counting @list or #ARRAY around it\n"},
    {DOC("{\"x\": {\"#RAND_DOUBLE\": [0, 0, 1]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_DOUBLE: #RAND_DOUBLE: expected "
     "[lo, hi, step], numbers with step > 0 and hi > lo\n"},
    {DOC("{\"x\": {\"#ARRAY\": {\"count\": 2}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#ARRAY: #ARRAY: expected {\"count\": "
     "n, \"value\": v}, n a whole number from 0, #RAND_INT or #INDEX\n"},
    {DOC("{\"x\": {\"#ARRAY\": {\"count\": {\"#RAND_INT\": [0, 2]}, \"value\": 1}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#ARRAY: \"count\" of an #ARRAY outside of documents: expected a whole number\n"},
    {DOC("{\"x\": \"#abc\"}"), "x.json:5: /tests/0/ops/0/doc/x: \"#abc\": a text that begins with # is #B_COLL, #B_NS "
                               "or #B_DB; a literal # is written ##\n"},
    {DOC("{\"x\": \"@abc\"}"),
     "x.json:5: /tests/0/ops/0/doc/x: \"@abc\": a literal @ at the beginning is written @@\n"},
    {DOC("{\"@feilds\": {}}"), "x.json:5: /tests/0/ops/0/doc/@feilds: unknown key \"@feilds\" in an object (a literal "
                               "@ is written @@): did you mean \"@fields\"?\n"},
    {DOC("{\"x\": {\"@list\": []}}"), "x.json:5: /tests/0/ops/0/doc/x/@list: \"@list\" is for an element of a list\n"},
    {DOC("{\"x\": [{\"@list\": 3}]}"), "x.json:5: /tests/0/ops/0/doc/x/0/@list: \"@list\": expected a list\n"},
    {DOC("{\"x\": [{\"@list\": [1], \"count\": -1}]}"),
     "x.json:5: /tests/0/ops/0/doc/x/0/count: \"count\": expected a whole number from 0, got -1\n"},
    {DOC("{\"x\": [{\"@list\": [1], \"from\": 1}]}"),
     "x.json:5: /tests/0/ops/0/doc/x/0/from: \"from\" needs a \"count\"\n"},
    {DOC("{\"x\": [{\"@list\": [1], \"cuont\": 1}]}"),
     "x.json:5: /tests/0/ops/0/doc/x/0/cuont: unknown key \"cuont\" in @list: did you mean \"count\"?\n"},
    {DOC("{\"x\": {\"@string\": [\"a\"]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/@string: \"@string\": expected [\"text\", times]\n"},
    {DOC("{\"x\": {\"@string\": [1, 2]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/@string/0: \"@string\": expected [\"text\", times]\n"},
    {DOC("{\"@fields\": {\"count\": 2, \"name\": \"a\", \"value\": 1}}"),
     "x.json:5: /tests/0/ops/0/doc/@fields/name: a second field \"a\" in one object\n"},
    {DOC("{\"@fields\": {\"count\": 2, \"value\": 1}}"), "x.json:5: /tests/0/ops/0/doc/@fields: \"@fields\" needs "
                                                         "\"value\", and either \"count\" and \"name\" or \"names\"\n"},
    {DOC("{\"@fields\": {\"names\": [1], \"value\": 1}}"),
     "x.json:5: /tests/0/ops/0/doc/@fields/names: \"names\": expected a list of texts\n"},
    {DOC("{\"@fields\": {\"count\": 1, \"name\": \"a{doc}\", \"value\": 1}}"),
     "x.json:5: /tests/0/ops/0/doc/@fields/name: {doc} is for documents of an insert step\n"},
    {DOC("{\"x\": 1, \"@fields\": {\"names\": [\"x\"], \"value\": 1}}"),
     "x.json:5: /tests/0/ops/0/doc/@fields/names: a second field \"x\" in one object\n"},
    {DOC("{\"x\": {\"@pad\": {\"to\": 4}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/@pad/to: \"to\": expected a whole number from 5 to 16777216, got 4\n"},
    {DOC("{\"x\": {\"@pad\": {\"to\": 9, \"char\": \"ab\"}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/@pad/char: \"char\": expected one visible ASCII character\n"},
    {DOC("{\"x\": \"abc\", \"p\": {\"@pad\": {\"to\": 20}}}"),
     "x.json:5: /tests/0/ops/0/doc: \"@pad\": the document has 24 bytes already, more than 20\n"},
    {DOC("{\"x\": {\"#RAND_INT_PLUS_THREAD\": [0, 5]}, \"p\": {\"@pad\": {\"to\": 100}}}"),
     "x.json:5: /tests/0/ops/0/doc: \"@pad\" in an operation: the size of #RAND_INT_PLUS_THREAD is not known before\n"},
    {DOC("{\"a\": {\"p\": {\"@pad\": {\"to\": 100}}}}"),
     "x.json:5: /tests/0/ops/0/doc: \"@pad\" is for a field of the document itself\n"},
    {DOC("{\"x\": {\"#RAND_INT\": [0, {\"#RAND_INT\": [0, 9]}]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [0, {\"#RAND_INT\": [0, 9]}]\n"},
    {DOC("{\"x\": {\"#RAND_INT\": [0, {\"#RAND_INT\": [1, 100000, 100000]}]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [0, {\"#RAND_INT\": [1, 100000, 100000]}]\n"},
    {DOC("{\"x\": {\"#RAND_INT\": [0, {\"#RAND_STRING\": [1]}]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [0, {\"#RAND_STRING\": [1]}]\n"},
    {DOC("{\"x\": {\"#RAND_STRING\": [{\"#RAND_INT\": [1, 9]}]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#RAND_STRING: #RAND_STRING: expected [length] with a length from 1 to 16777216; "
     "in documents of pre also [length, \"ASCII characters\"], got [{\"#RAND_INT\": [1, 9]}]\n"},
    {DOC("{\"x\": {\"#CONCAT\": [\"a\", {\"$oid\": \"507f191e810c19729de860ea\"}]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#CONCAT: #CONCAT: expected a list of two or more texts, numbers, dates, true, "
     "false or operators that give such, got [\"a\", {\"$oid\": \"507f191e810c19729de860ea\"}]\n"},
    {TEST("{\"op\": \"let\", \"target\": \"v\", \"value\": \"text\"},\n {\"op\": \"insert\", \"doc\": {\"x\": "
          "{\"#RAND_INT\": [0, {\"#VARIABLE\": \"v\"}]}}}"),
     "x.json:5: /tests/0/ops/1/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [0, {\"#VARIABLE\": \"v\"}]\n"},
    {TEST("{\"op\": \"let\", \"target\": \"v\", \"value\": {\"#SEQ_INT\": {\"seq_id\": 0, \"start\": 0, \"step\": "
          "1}}},\n "
          "{\"op\": \"insert\", \"doc\": {\"x\": {\"#RAND_INT\": [{\"#VARIABLE\": \"v\"}, 9]}}}"),
     "x.json:5: /tests/0/ops/1/doc/x/#RAND_INT: #RAND_INT: expected [min, max] or [min, max, mult], whole 32-bit "
     "numbers (or #RAND_INT, #VARIABLE) with max > min, got [{\"#VARIABLE\": \"v\"}, 9]\n"},
    {TEST("{\"op\": \"let\", \"target\": \"v\", \"value\": [1]},\n {\"op\": \"insert\", \"doc\": {\"x\": {\"#CONCAT\": "
          "[\"a\", {\"#VARIABLE\": \"v\"}]}}}"),
     "x.json:5: /tests/0/ops/1/doc/x/#CONCAT: #CONCAT: expected a list of two or more texts, numbers, dates, true, "
     "false or operators that give such, got [\"a\", {\"#VARIABLE\": \"v\"}]\n"},
    {TEST("{\"op\": \"let\", \"target\": \"v\", \"value\": 1},\n {\"op\": \"let\", \"target\": \"v\", \"value\": "
          "{\"a\": "
          "[{\"#CONCAT\": [\"a\", {\"#VARIABLE\": \"v\"}]}]}}"),
     "x.json:5: /tests/0/ops/1: op let: the variable \"v\" cannot be set from itself\n"},
    {DOC("{\"x\": {\"#CUR_DATE\": 9007199254740993}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#CUR_DATE: #CUR_DATE: expected a whole number of milliseconds (or #RAND_INT, "
     "#VARIABLE), got 9007199254740993\n"},
    {DOC("{\"x\": {\"$oid\": \"z\"}}"), "x.json:5: /tests/0/ops/0/doc/x: expected extended JSON, got {\"$oid\": ..} "
                                        "with a value it cannot have: Invalid input string \"z\", looking for OID\n"},
};

static const struct row limit_rows[] = {
    {DOC("[{\"@list\": [{\"x\": 1}], \"count\": 1000000000000}]"),
     "x.json:5: /tests/0/ops/0/doc/0: the file expands to more than 64 MiB here\n"},
    {DOC("{\"x\": {\"@string\": [\"abc\", 99999999999999]}}"),
     "x.json:5: /tests/0/ops/0/doc/x/@string: the file expands to more than 64 MiB here\n"},
    {DOC("{\"@fields\": {\"count\": 2147483647, \"name\": \"{}\", \"value\": 1}}"),
     "x.json:5: /tests/0/ops/0/doc/@fields: the file expands to more than 64 MiB here\n"},
    {DOC("{\"x\": {\"#ARRAY\": {\"count\": 9999999999, \"value\": 1}}}"),
     "x.json:5: /tests/0/ops/0/doc/x/#ARRAY/value: the file expands to more than 64 MiB here\n"},
    {DOC("{\"x\": [{\"@list\": [{\"@list\": [{\"@list\": [1], \"count\": 2000}], \"count\": 2000}], \"count\": "
         "2000}]}"),
     "x.json:5: /tests/0/ops/0/doc/x/0: the file expands to more than 64 MiB here\n"},
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

static void value_mistakes(void **state)
{
    (void)state;
    expect_rows(value_rows, sizeof value_rows / sizeof *value_rows);
}

static void limit_mistakes(void **state)
{
    (void)state;
    expect_rows(limit_rows, sizeof limit_rows / sizeof *limit_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(value_mistakes, "mistakes in values are named with line and path"),
        NAMED_TEST(limit_mistakes, "what would be too large is refused before it is made"),
    };
    return cmocka_run_group_tests_name("testcase_values", tests, NULL, NULL);
}
