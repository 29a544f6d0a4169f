/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <mongoc/mongoc.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "engine/target.h"
#include "model/uri_option.h"
#include "model/uri_options.h"

static bool is_accepted(const char *options, struct error *err)
{
    char *text = memory_printf("mongodb://h/?%s", options);
    error_init(err);
    bool ok = target_check_uri(text, err);
    free(text);
    return ok;
}

struct values {
    const char *name;
    const char *with;    /* what the option needs beside it */
    const char *good[6]; /* not escaped */
    const char *bad[12];
};

#define NUMBERS "", "-", "1.5", "1e3", "0x1", "+1", "1ms", "99999999999", "true", "01"
#define TRUTHS "", "1", "0", "yes", "no", "t", "y", "-1", "truee", "on"
#define ANY_TEXT ""

static const struct values rows[] = {
    {"appName", "", {"x", "my app", "a;b?c&d", "ü"}, {ANY_TEXT}},
    {"authMechanism", "tlsCertificateKeyFile=k", {"MONGODB-X509", "mongodb-x509"}, {"", "SCRAM", "MONGODB-CR", "X509"}},
    {"authMechanismProperties",
     "authMechanism=MONGODB-AWS",
     {"AWS_SESSION_TOKEN:abc/+=", "aws_session_token:x"},
     {"", "x", "AWS_SESSION_TOKEN", "AWS_SESSION_TOKEN:", ":x", "FOO:bar", "AWS_SESSION_TOKEN:a:b",
      "AWS_SESSION_TOKEN:a,AWS_SESSION_TOKEN:b", "AWS_SESSION_TOKEN:a,"}},
    {"authSource", "authMechanism=MONGODB-AWS", {"$external"}, {ANY_TEXT}},
    {"compressors", "", {"zlib", "snappy,zstd"}, {"", "lz4", "zlib,lz4", "zlib,", ",", "zlib zstd"}},
    {"connectTimeoutMS", "", {"1", "2147483647"}, {"0", "-1", NUMBERS}},
    {"directConnection", "", {"true", "FALSE"}, {TRUTHS}},
    {"heartbeatFrequencyMS", "", {"500"}, {"499", "0", NUMBERS}},
    {"journal", "", {"true", "false"}, {TRUTHS}},
    {"loadBalanced", "", {"true", "false"}, {TRUTHS}},
    {"localThresholdMS", "", {"0", "15"}, {NUMBERS}},
    {"maxConnecting", "", {"1"}, {"0", NUMBERS}},
    {"maxIdleTimeMS", "", {"0"}, {NUMBERS}},
    {"maxPoolSize", "", {"0", "100"}, {NUMBERS}},
    {"maxStalenessSeconds", "readPreference=nearest", {"-1", "90"}, {"0", "89", "-2", "", "1.5", "90s"}},
    {"minPoolSize", "", {"0"}, {NUMBERS}},
    {"readConcernLevel", "", {"local", "majority", "snapshot"}, {"", "Majority", "foo", "local, available", "local,"}},
    {"readPreference", "", {"primary", "secondaryPreferred", "NEAREST"}, {"", "slave", "primary,nearest"}},
    {"readPreferenceTags",
     "readPreference=nearest",
     {"dc:a", "dc:a,rack:1", ""},
     {"dc", "dc:", ":a", "dc:a,", "dc:a:b"}},
    {"replicaSet", "", {"rs0", "r s"}, {ANY_TEXT}},
    {"retryReads", "", {"true", "false"}, {TRUTHS}},
    {"retryWrites", "", {"true", "false"}, {TRUTHS}},
    {"safe", "", {"true", "false"}, {TRUTHS}},
    {"serverSelectionTimeoutMS", "", {"1"}, {"0", NUMBERS}},
    {"serverSelectionTryOnce", "", {"true", "false"}, {TRUTHS}},
    {"slaveOk", "", {"true", "false"}, {TRUTHS}},
    {"socketCheckIntervalMS", "", {"0"}, {NUMBERS}},
    {"socketTimeoutMS", "", {"1"}, {"0", NUMBERS}},
    {"ssl", "", {"true", "false"}, {TRUTHS}},
    {"sslAllowInvalidCertificates", "", {"true", "false"}, {TRUTHS}},
    {"sslAllowInvalidHostnames", "", {"true", "false"}, {TRUTHS}},
    {"sslCertificateAuthorityFile", "", {"/ca.pem"}, {ANY_TEXT}},
    {"sslClientCertificateKeyFile", "", {"/k.pem"}, {ANY_TEXT}},
    {"sslClientCertificateKeyPassword", "tlsCertificateKeyFile=k", {"p;w"}, {ANY_TEXT}},
    {"tls", "", {"true", "false"}, {TRUTHS}},
    {"tlsAllowInvalidCertificates", "", {"true", "false"}, {TRUTHS}},
    {"tlsAllowInvalidHostnames", "", {"true", "false"}, {TRUTHS}},
    {"tlsCAFile", "", {"/ca.pem", "a b"}, {ANY_TEXT}},
    {"tlsCertificateKeyFile", "", {"/k.pem"}, {ANY_TEXT}},
    {"tlsCertificateKeyFilePassword", "tlsCertificateKeyFile=k", {"p@s:s/w%rd#1"}, {ANY_TEXT}},
    {"tlsDisableCertificateRevocationCheck", "", {"true", "false"}, {TRUTHS}},
    {"tlsDisableOCSPEndpointCheck", "", {"true", "false"}, {TRUTHS}},
    {"tlsInsecure", "", {"true", "false"}, {TRUTHS}},
    {"w",
     "",
     {"0", "1", "1000", "majority", "MAJORITY", "dc_1.x-y"},
     {"", "-1", "-3", "1y", "1.5", "1001", "99999999999", "+1", " 1", "major ity", "majority;journal=true", "ü"}},
    {"waitQueueMultiple", "", {"0"}, {NUMBERS}},
    {"waitQueueTimeoutMS", "", {"0"}, {NUMBERS}},
    {"wtimeoutMS", "", {"0", "2147483647"}, {"-1", "2147483648", NUMBERS}},
    {"zlibCompressionLevel", "", {"-1", "0", "9"}, {"-2", "10", "", "x"}},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* These need more of a string than "mongodb://h": addresses() has values of them. */
static bool needs_address(const char *name)
{
    static const char *const names[] = {"canonicalizeHostname", "gssapiServiceName", "srvMaxHosts", "srvServiceName"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found = found || strcmp(names[i], name) == 0;
    return found;
}

static void every_option_has_a_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < uri_option_count; i++) {
        size_t k = 0;
        while (k < ROW_COUNT && strcmp(rows[k].name, uri_option_table[i].name) != 0)
            k++;
        if (k == ROW_COUNT && !needs_address(uri_option_table[i].name))
            fail_msg("no value of %s is tried", uri_option_table[i].name);
    }
}

/* "WITH&NAME=VALUE", the value escaped; the caller frees. */
static char *write_option(const struct values *row, const char *value)
{
    char *encoded = uri_encode(value);
    char *text = memory_printf("%s%s%s=%s", row->with, *row->with ? "&" : "", row->name, encoded);
    free(encoded);
    return text;
}

static void values_are_read_as_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const size_t count = sizeof rows[i].good / sizeof *rows[i].good;
        for (size_t k = 0; k < count && rows[i].good[k]; k++) {
            struct error err;
            char *option = write_option(&rows[i], rows[i].good[k]);
            if (!is_accepted(option, &err))
                fail_msg("%s: %s", option, err.message);
            free(option);
        }
    }
}

/* The message has today's name of the option, and the value if it is no secret. */
static void check_refused(const struct values *row, const char *value)
{
    struct error err;
    char *option = write_option(row, value);
    if (is_accepted(option, &err))
        fail_msg("%s is accepted", option);
    const struct uri_option *known = uri_option_find((struct uri_span){row->name, strlen(row->name)});
    if (!strstr(err.message, known->name))
        assert_string_equal(err.message, known->name);
    if (known->is_secret)
        assert_null(strstr(err.message, "got "));
    free(option);
}

static void other_values_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const size_t count = sizeof rows[i].bad / sizeof *rows[i].bad;
        for (size_t k = 0; k < count && rows[i].bad[k]; k++)
            check_refused(&rows[i], rows[i].bad[k]);
    }
}

static void messages(void **state)
{
    (void)state;
    static const struct {
        const char *options, *message;
    } refused[] = {
        {"w=1y", "option w: expected a whole number from 0 to 1000, majority, or the name of a write concern (letters, "
                 "digits, _ - .), got \"1y\""},
        {"w=1;journal=true",
         "option \"w\" holds an unescaped \";\": options are separated by \"&\"; a literal ; is written %3B"},
        {"w=1?journal=true",
         "option \"w\" holds an unescaped \"?\": options are separated by \"&\"; a literal ? is written %3F"},
        {"appName=x?w=majority",
         "option \"appName\" holds an unescaped \"?\": options are separated by \"&\"; a literal ? is written %3F"},
        {"appName=x\\&w=majority", "option \"appName\" holds an unescaped \"\\\": it is written %5C"},
        {"appName=x y", "option \"appName\" holds an unescaped blank: it is written %20"},
        {"w=1\r", "option \"w\" holds an unescaped control character: it is written %0D"},
        {"foo=1;w=1",
         "option \"foo\" holds an unescaped \";\": options are separated by \"&\"; a literal ; is written %3B"},
        {"appName=%ff", "option \"appName\" holds a \"%\" that begins no escape, or an escape of what is no UTF-8: a "
                        "literal % is written %25"},
        {"appName=a%00b", "option \"appName\" holds a \"%\" that begins no escape, or an escape of what is no UTF-8: a "
                          "literal % is written %25"},
        {"readConcernLevel=me@here",
         "option readConcernLevel: expected one of local, available, majority, linearizable, snapshot"},
        {"w=majority&w=1", "option w is given twice, with different values; give it once"},
        {"w=1&APPNAME=a&W=2", "option w is given twice, with different values; give it once"},
        {"ssl=true&tls=false", "option tls is given twice, with different values; give it once"},
        {"authSource=a", "option authSource (--authenticationDatabase) has no effect without a user: name one with -u "
                         "NAME, or as mongodb://NAME@HOST"},
        {"authMechanism=SCRAM-SHA-256", "option authMechanism (--authenticationMechanism) has no effect without a "
                                        "user: name one with -u NAME, or as mongodb://NAME@HOST"},
        {"authMechanism=MONGODB-X509", "option authMechanism=MONGODB-X509 (--authenticationMechanism) has no effect "
                                       "without tlsCertificateKeyFile (--tlsCertificateKeyFile); give both or none"},
        {"authMechanism=MONGODB-AWS&authSource=a",
         "option authSource (--authenticationDatabase) has no effect with authMechanism=MONGODB-AWS, which knows users "
         "by $external alone; leave it out"},
        {"authMechanism=MONGODB-AWS&authMechanismProperties=SERVICE_NAME:x",
         "option authMechanismProperties: SERVICE_NAME has no effect without authMechanism=GSSAPI"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct error err;
        assert_false(is_accepted(refused[i].options, &err));
        assert_string_equal(err.message, refused[i].message);
    }
}

static void pairs(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "w=1&safe=true",
        "w=0&journal=true",
        "safe=false&journal=true",
        "directConnection=true&loadBalanced=true",
        "loadBalanced=true&replicaSet=r",
        "readPreference=primary&readPreferenceTags=a:b",
        "readPreference=primary&maxStalenessSeconds=90",
        "readPreferenceTags=a:b",
        "maxStalenessSeconds=90",
        "gssapiServiceName=x",
        "canonicalizeHostname=true",
        "authMechanismProperties=SERVICE_NAME:x",
        "tlsCertificateKeyFilePassword=x",
        "tlsInsecure=true&tlsAllowInvalidCertificates=true",
        "tlsInsecure=true&tlsDisableOCSPEndpointCheck=true",
        "tlsAllowInvalidCertificates=true&tlsDisableOCSPEndpointCheck=true",
        "tlsDisableCertificateRevocationCheck=true&tlsDisableOCSPEndpointCheck=true",
        "tls=false&tlsCAFile=x",
        "ssl=false&sslCertificateAuthorityFile=x",
        "tls=false&tlsInsecure=true",
        "srvMaxHosts=1",
        "srvServiceName=x",
    };
    static const char *const accepted[] = {"w=1&journal=true&wtimeoutMS=5",
                                           "safe=true&journal=true",
                                           "w=1&w=1",
                                           "tls=true&ssl=true",
                                           "w=0&journal=false",
                                           "readPreferenceTags=dc:a&readPreferenceTags=&readPreference=nearest",
                                           "directConnection=true&replicaSet=r"};
    struct error err;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (is_accepted(refused[i], &err))
            fail_msg("%s is accepted", refused[i]);
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        if (!is_accepted(accepted[i], &err))
            fail_msg("%s: %s", accepted[i], err.message);
}

static void addresses(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "mongodb://a,b/?directConnection=true",
        "mongodb://a,b/?loadBalanced=true",
        "mongodb+srv://a.b.c/?directConnection=true",
        "mongodb+srv://a.b.c/?srvMaxHosts=1&replicaSet=r",
        "mongodb+srv://a.b.c/?srvServiceName=a--b",
        "mongodb+srv://a.b.c/?srvServiceName=-a",
        "mongodb+srv://a.b.c/?srvServiceName=12",
        "mongodb+srv://a.b.c/?srvMaxHosts=-1",
        "mongodb://u@h/?authMechanism=GSSAPI&authSource=a",
        "mongodb://u@h/?authMechanism=GSSAPI&gssapiServiceName=x&authMechanismProperties=SERVICE_NAME:y",
        "mongodb://u@h/?authMechanism=GSSAPI&authMechanismProperties=CANONICALIZE_HOST_NAME:forward",
        "mongodb://u@h/?authMechanism=SCRAM-SHA-1&gssapiServiceName=x",
    };
    static const char *const accepted[] = {
        "mongodb+srv://a.b.c/?srvMaxHosts=2&srvServiceName=my-db",
        "mongodb://u@h/?authMechanism=GSSAPI&gssapiServiceName=x&canonicalizeHostname=true",
        "mongodb://u@h/?authMechanism=GSSAPI&authMechanismProperties=SERVICE_NAME:y,CANONICALIZE_HOST_NAME:true",
        "mongodb://u@h/?authMechanism=PLAIN&authSource=a",
        "mongodb://u@h/?authSource=a",
    };
    struct error err = {0};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (target_check_uri(refused[i], NULL))
            fail_msg("%s is accepted", refused[i]);
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        if (!target_check_uri(accepted[i], &err))
            fail_msg("%s: %s", accepted[i], err.message);
}

/* What libmongoc has read of `w`, `journal` and a time-out, as text. */
static char *as_libmongoc_reads(const char *name, const mongoc_uri_t *uri)
{
    const mongoc_write_concern_t *concern = mongoc_uri_get_write_concern(uri);
    int32_t w = mongoc_write_concern_get_w(concern);
    if (strcmp(name, "connectTimeoutMS") == 0)
        return memory_printf("%d", mongoc_uri_get_option_as_int32(uri, name, 0));
    if (strcmp(name, "journal") == 0)
        return memory_strdup(mongoc_write_concern_get_journal(concern) ? "true" : "false");
    if (strcmp(name, "appName") == 0)
        return memory_strdup(mongoc_uri_get_appname(uri));
    if (w == MONGOC_WRITE_CONCERN_W_TAG)
        return memory_strdup(mongoc_write_concern_get_wtag(concern));
    return w == MONGOC_WRITE_CONCERN_W_MAJORITY ? memory_strdup("majority") : memory_printf("%d", w);
}

#define ROUNDS 20000
#define SEED 11

/* Pieces of values and what people put between options, thrown together. */
static void accepted_values_are_what_libmongoc_reads(void **state)
{
    (void)state;
    static const char *const names[] = {"w", "journal", "connectTimeoutMS", "appName"};
    static const char *const pieces[] = {"1",  "0", "9", "true", "false", "majority",      "TRUE", "-",   "+",   ".",
                                         "e",  "y", ";", "?",    "&w=2",  "&journal=true", ",",    "%31", "%20", "%3B",
                                         "\\", " ", "=", "@",    "/"};
    struct rng rng;
    rng_init(&rng, SEED, 0);
    size_t accepted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const char *name = names[round % 4];
        char value[128] = "", text[256];
        for (uint64_t i = rng_below(&rng, 4) + 1; i > 0; i--)
            strcat(value, pieces[rng_below(&rng, sizeof pieces / sizeof *pieces)]);
        snprintf(text, sizeof text, "mongodb://h/?%s=%s", name, value);
        if (!target_check_uri(text, NULL))
            continue;
        accepted++;
        struct uri uri;
        assert_true(uri_split(&uri, text, NULL));
        char *ours = uri_options_get(&uri, name);
        mongoc_uri_t *parsed = mongoc_uri_new(text);
        char *theirs = as_libmongoc_reads(name, parsed);
        bool is_same = strcmp(name, "appName") == 0 ? strcmp(ours, theirs) == 0 : strcasecmp(ours, theirs) == 0;
        if (!is_same)
            fail_msg("seed %d: %s: \"%s\" is read as \"%s\"", SEED, text, ours, theirs);
        mongoc_uri_destroy(parsed);
        free(theirs);
        free(ours);
    }
    assert_true(accepted > ROUNDS / 100);
}

static void unknown_names(void **state)
{
    (void)state;
    static const struct {
        const char *given, *meant;
    } guesses[] = {
        {"j", "journal"},
        {"wtimeout", "wtimeoutMS"},
        {"ssl_ca_certs", "tlsCAFile"},
        {"ssl_certfile", "tlsCertificateKeyFile"},
        {"ssl_pem_passphrase", "tlsCertificateKeyFilePassword"},
        {"ssl_cert_reqs", "tlsAllowInvalidCertificates"},
        {"tls_ca_file", "tlsCAFile"},
        {"tls-ca-file", "tlsCAFile"},
        {"tlscafiles", "tlsCAFile"},
        {"authdb", "authSource"},
        {"apName", "appName"},
        {"replica_set", "replicaSet"},
        {"maxpoolsiz", "maxPoolSize"},
        {"timeoutMS", "socketTimeoutMS"},
        {"foo", NULL},
    };
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        const char *guess = uri_option_guess((struct uri_span){guesses[i].given, strlen(guesses[i].given)});
        assert_string_equal(guess ? guess : "none", guesses[i].meant ? guesses[i].meant : "none");
        if (guess)
            assert_non_null(uri_option_find((struct uri_span){guess, strlen(guess)}));
    }
    assert_non_null(uri_option_find((struct uri_span){"TLSCAFILE", 9}));
}

static void check_set(const char *text, const char *name, const char *value, const char *expected)
{
    char *changed = uri_options_set(text, name, value);
    assert_string_equal(changed, expected);
    free(changed);
}

static void setting(void **state)
{
    (void)state;
    check_set("mongodb://h", "tls", "true", "mongodb://h/?tls=true");
    check_set("mongodb://h/", "tls", "true", "mongodb://h/?tls=true");
    check_set("mongodb://u:p@h/db", "tls", "true", "mongodb://u:p@h/db?tls=true");
    check_set("mongodb://h/?ssl=false&w=1&TLS=false", "tls", "true", "mongodb://h/?w=1&tls=true");
    check_set("mongodb://h/db?w=1&", "tlsCAFile", "/a b&c.pem", "mongodb://h/db?w=1&tlsCAFile=%2Fa%20b%26c.pem");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(every_option_has_a_row, "every option has values here"),
        NAMED_TEST(values_are_read_as_written, "every option takes its values"),
        NAMED_TEST(other_values_are_refused, "and refuses all others by its name, without showing a secret"),
        NAMED_TEST(messages, "the message says what was expected and how to write it"),
        NAMED_TEST(pairs, "options that contradict or need each other are named"),
        NAMED_TEST(addresses, "so are those that do not fit the address or the way of logging in"),
        NAMED_TEST(accepted_values_are_what_libmongoc_reads, "whatever is accepted, libmongoc reads the same"),
        NAMED_TEST(unknown_names, "a name that is not known is guessed, also one of another driver"),
        NAMED_TEST(setting, "a value replaces those that are there by any name"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("uri options", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
