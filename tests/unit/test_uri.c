/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "engine/target.h"

struct row {
    const char *uri, *message;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct error err;
        error_init(&err);
        assert_false(target_check_uri(rows[i].uri, &err));
        assert_string_equal(err.message, rows[i].message);
    }
}

static void test_scheme(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"mongo://h:27017", "unknown scheme \"mongo://\", expected mongodb:// or mongodb+srv://"},
        {"http://u:secret@h", "unknown scheme \"http://\", expected mongodb:// or mongodb+srv://"},
        {"h:27017", "no scheme, expected mongodb://HOST[:PORT]"},
        {"u:secret@h://x", "no scheme, expected mongodb://HOST[:PORT]"},
        {"", "no scheme, expected mongodb://HOST[:PORT]"},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

static void test_hosts(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"mongodb://", "no host, expected mongodb://HOST[:PORT]"},
        {"mongodb://u:p@", "no host, expected mongodb://HOST[:PORT]"},
        {"mongodb:///db", "no host, expected mongodb://HOST[:PORT]"},
        {"mongodb://h::27017",
         "more than one \":\" in host \"h::27017\", expected HOST:PORT, an IPv6 address as [ADDRESS]:PORT"},
        {"mongodb://h:65536", "port \"65536\" of host \"h\", expected a number from 1 to 65535"},
        {"mongodb://h:0", "port \"0\" of host \"h\", expected a number from 1 to 65535"},
        {"mongodb://h:99999999999999999999",
         "port \"99999999999999999999\" of host \"h\", expected a number from 1 to 65535"},
        {"mongodb://h:27o17", "port \"27o17\" of host \"h\", expected a number from 1 to 65535"},
        {"mongodb://h:-1", "port \"-1\" of host \"h\", expected a number from 1 to 65535"},
        {"mongodb://h:", "no port after \"h:\", expected a number from 1 to 65535"},
        {"mongodb://:27017", "no host before \":27017\", expected HOST:PORT"},
        {"mongodb://a,,b", "an empty name in the list of hosts, expected HOST[:PORT][,HOST[:PORT]...]"},
        {"mongodb://a,", "an empty name in the list of hosts, expected HOST[:PORT][,HOST[:PORT]...]"},
        {"mongodb://,a", "an empty name in the list of hosts, expected HOST[:PORT][,HOST[:PORT]...]"},
        {"mongodb://h h", "host \"h h\" holds a character that no host name has, or is longer than 255 bytes"},
        {"mongodb://h%3A27018", "a \"%\" in host \"h%3A27018\", expected it in the path of a local socket only: "
                                "%2FFOLDER%2FNAME.sock"},
        {"mongodb://%2Ftmp%2Fmongodb-27017", "a \"%\" in host \"%2Ftmp%2Fmongodb-27017\", expected it in the path of a "
                                             "local socket only: %2FFOLDER%2FNAME.sock"},
        {"mongodb+srv://cluster.example",
         "\"cluster.example\" after mongodb+srv://, expected a name of three parts or more, such as db.example.net"},
        {"mongodb://[::1", "\"[\" without \"]\" in host \"[::1\", expected [IPv6 address]:PORT"},
        {"mongodb://[::1]27017", "\"27017\" after \"[::1]\", expected :PORT"},
        {"mongodb://[::1]:70000", "port \"70000\" of host \"[::1]\", expected a number from 1 to 65535"},
        {"mongodb://[zz]", "\"[zz]\" is no IPv6 address"},
        {"mongodb+srv://a,b", "more than one host in a mongodb+srv:// address, expected one"},
        {"mongodb+srv://a:1", "a port in a mongodb+srv:// address: its name service has the ports"},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

#define NO_ESCAPE "begins no escape such as %40, or escapes what is no UTF-8: write a literal % as %25"

static void test_user(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"mongodb://a:b:c@h", "an unescaped \":\" in the user name or password: write it as %3A"},
        {"mongodb://a:b@c@h", "an unescaped \"@\" in the user name or password: write it as %40"},
        {"mongodb://a:b/c@h", "an unescaped \"/\" in the user name or password: write it as %2F"},
        {"mongodb://a:b@c/d@h", "an unescaped \"/\" in the user name or password: write it as %2F"},
        {"mongodb://a\\:b:c@h", "an unescaped \"\\\" in the user name or password: write it as %5C"},
        {"mongodb://u%w:p@h", "a \"%\" in the user name that " NO_ESCAPE},
        {"mongodb://u:p%w@h", "a \"%\" in the password that " NO_ESCAPE},
        {"mongodb://u:p%4@h", "a \"%\" in the password that " NO_ESCAPE},
        {"mongodb://u:p%00@h", "a \"%\" in the password that " NO_ESCAPE},
        {"mongodb://u:p%ff@h", "a \"%\" in the password that " NO_ESCAPE},
        {"mongodb://@h", "an empty user name before \"@\", expected mongodb://USER:PASSWORD@HOST"},
        {"mongodb://:p@h", "an empty user name before \"@\", expected mongodb://USER:PASSWORD@HOST"},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

static void test_rest(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"mongodb://u:p@shard-0/h1:27017,h2:27017/db",
         "\":\" in the database name: read were the host \"shard-0\" and the database \"h1:27017,h2:27017/db\"; hosts "
         "are separated by commas"},
        {"mongodb://h?w=1", "no \"/\" before \"?\", expected mongodb://HOST/?NAME=VALUE"},
        {"mongodb://h/?w", "option \"w\" has no value, expected NAME=VALUE"},
        {"mongodb://h/?w=", "option \"w\" has an empty value"},
        {"mongodb://h/?=1", "an option without a name after \"?\" or \"&\", expected NAME=VALUE"},
        {"mongodb://h/a%2Fb", "\"/\" in the database name: read were the host \"h\" and the database \"a%2Fb\"; hosts "
                              "are separated by commas"},
        {"mongodb://h/a%zz", "a \"%\" in the database name that begins no escape, or escapes what is no UTF-8: write a "
                             "literal % as %25"},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

static void test_no_secret(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "mongodb://u:secret:x@h",     "mongodb://u:x:secret@h",     "mongodb://u:secret%@h",
        "mongodb://u:secret@x@h",     "mongodb://u:x@secret@h",     "mongodb://u:secret/x@h",
        "mongodb://u:x/secret@h",     "mongodb://u:secret?x@h",     "mongodb://u:x?secret@h",
        "mongodb://u:x@secret?y@h",   "mongodb://u:x@y?secret@h",   "mongodb://u:x@y/secret@h",
        "mongodb://u:x@secret/y@h",   "mongo://u:secret@h",         "u:secret@h",
        "mongodb://u:secret@h:99999", "mongodb://u:secret@h/?w=-1", "mongodb://u:[secret?x@h",
        "mongodb://u:secret@",        "mongodb://u:secret@h/?a",    "mongodb://u:secret@h/?w=-3",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err;
        error_init(&err);
        assert_false(target_check_uri(rows[i], &err));
        assert_null(strstr(err.message, "secret"));
        assert_null(strchr(err.message, '\n'));
    }
}

static void test_good(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "mongodb://h",
        "mongodb://h/",
        "mongodb://h:1",
        "mongodb://h:65535/db",
        "mongodb://a:1,b:2,[::1]:3/db?replicaSet=rs0&w=majority",
        "mongodb://[::1]",
        "mongodb://u:p%40s%3As%2Fw%25rd%231@h",
        "mongodb://u@h",
        "mongodb://u:@h",
        "mongodb://h/?appName=me@here",
        "mongodb://h_x-1.example/?w=2&journal=true&wtimeoutMS=100",
        "mongodb://%2Ftmp%2Fmongodb-27017.sock",
        "mongodb+srv://cluster.example.com",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err;
        error_init(&err);
        target_check_uri(rows[i], &err);
        assert_string_equal(err.message, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_scheme, "an address without a known scheme is refused"),
        NAMED_TEST(test_hosts, "a malformed host or port is named"),
        NAMED_TEST(test_user, "an unescaped character in user or password is named with its escape"),
        NAMED_TEST(test_rest, "a malformed database or option is named"),
        NAMED_TEST(test_no_secret, "no message holds a piece of a password"),
        NAMED_TEST(test_good, "what is well-formed is accepted"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("uri", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
