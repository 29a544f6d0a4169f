/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/uri.h"
#include "model/uri_secrets.h"

struct row {
    const char *text, *masked, *shown;
};

static const struct row rows[] = {
    {"mongodb://h:27017", "mongodb://h:27017", "mongodb://h:27017"},
    {"mongodb://u:s3cret@h/db", "mongodb://u:***@h/db", "mongodb://h/db"},
    {"mongodb://u:x@h", "mongodb://u:*@h", "mongodb://h"},
    {"mongodb://u:@h", "mongodb://u:@h", "mongodb://h"},
    {"mongodb+srv://u@h", "mongodb+srv://u@h", "mongodb+srv://h"},
    {"mongodb://u:p@h:27017,i/?w=1&replicaSet=r", "mongodb://u:*@h:27017,i/?w=1&replicaSet=r",
     "mongodb://h:27017,i/?w=1&replicaSet=r"},
    /* Characters that should have been escaped. */
    {"mongodb://u:s3cret@s:s/s3cret@h/db", "mongodb://u:***@h/db", "mongodb://h/db"},
    {"mongodb://u:s3/s3cret@h/?appName=a@b", "mongodb://u:***@h/?appName=a@b", "mongodb://h/?appName=a@b"},
    {"mongodb://u:s3c?s3cret@h", "mongodb://u:***@h", "mongodb://h"},
    {"mongodb://u:s3@y?s3cret@h", "mongodb://u:***@h", "mongodb://h"},
    {"mongodb://u:s3/c?s3cret@h", "mongodb://u:***@h", "mongodb://h"},
    {"mongodb://u:12/c?s3cret@h", "mongodb://u:12/c?***", "mongodb://u:12/c?***"},
    /* Options: secrets, and whatever is not known. */
    {"mongodb://h/?tlsCertificateKeyFilePassword=s3cret&w=1", "mongodb://h/?tlsCertificateKeyFilePassword=***&w=1",
     "mongodb://h/?tlsCertificateKeyFilePassword=***&w=1"},
    {"mongodb://h/?SSLClientCertificateKeyPassword=s3;cret&w=1", "mongodb://h/?SSLClientCertificateKeyPassword=***&w=1",
     "mongodb://h/?SSLClientCertificateKeyPassword=***&w=1"},
    {"mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:s3cret", "mongodb://h/?authMechanismProperties=***",
     "mongodb://h/?authMechanismProperties=***"},
    {"mongodb://h/?fooAuthMechanismProperties=s3cret", "mongodb://h/?fooAuthMechanismProperties=***",
     "mongodb://h/?fooAuthMechanismProperties=***"},
    {"mongodb://h/?w=1&passwd=s3cret&appName=x", "mongodb://h/?w=1&passwd=***&appName=x",
     "mongodb://h/?w=1&passwd=***&appName=x"},
    {"mongodb://h/?appName=x;password=s3cret", "mongodb://h/?appName=x;password=***",
     "mongodb://h/?appName=x;password=***"},
    {"mongodb://h/?w=1?pass=s3cret;w=2", "mongodb://h/?w=1?pass=***", "mongodb://h/?w=1?pass=***"},
    {"mongodb://h/?appName=a@b", "mongodb://h/?appName=a@b", "mongodb://h/?appName=a@b"},
    {"s3cret", "s3cret", "s3cret"},
    {"", "", ""},
};

static void secrets_are_masked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].text);
        char *text = memory_strdup(rows[i].text), *shown = uri_secrets_public(text);
        uri_secrets_mask(text);
        assert_string_equal(text, rows[i].masked);
        assert_string_equal(shown, rows[i].shown);
        /* Nothing is left behind the new end. */
        for (size_t k = strlen(text); k <= length; k++)
            assert_int_equal(text[k], 0);
        free(text);
        free(shown);
    }
}

static void passwords_are_taken_out(void **state)
{
    (void)state;
    static const struct row taken[] = {
        {"mongodb://u:p%40ss@h/?w=1", "mongodb://u@h/?w=1", "p@ss"},
        {"mongodb://u:@h", "mongodb://u@h", ""},
        {"mongodb://u@h", "mongodb://u@h", NULL},
        {"mongodb://h", "mongodb://h", NULL},
        {"mongodb://[::1]:2,h/db", "mongodb://[::1]:2,h/db", NULL},
        {"", "", NULL},
        {"mongodb://a:1,b:2/?x=y@z:w", "mongodb://a:1,b:2/?x=y@z:w", NULL},
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        size_t length = strlen(taken[i].text);
        char *text = memory_strdup(taken[i].text), *password = uri_take_password(text);
        assert_string_equal(text, taken[i].masked);
        if (taken[i].shown)
            assert_string_equal(password, taken[i].shown);
        else
            assert_null(password);
        for (size_t k = strlen(text); k <= length; k++)
            assert_int_equal(text[k], 0);
        memory_erase(password);
        free(text);
    }
}

static void users(void **state)
{
    (void)state;
    char *user = uri_user("mongodb://u%2Bv:p@h"), *with = uri_with_user("mongodb://h/?w=1", "u@v:w/x%");
    assert_string_equal(user, "u+v");
    assert_string_equal(with, "mongodb://u%40v%3Aw%2Fx%25@h/?w=1");
    assert_null(uri_user("mongodb://h"));
    free(user);
    user = uri_user(with);
    assert_string_equal(user, "u@v:w/x%");
    free(user);
    free(with);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(secrets_are_masked, "passwords, secrets and values of unknown options are masked, and erased"),
        NAMED_TEST(passwords_are_taken_out, "a password is taken out and leaves nothing behind"),
        NAMED_TEST(users, "a user of any characters is written and read"),
    };
    return cmocka_run_group_tests_name("uri secrets", tests, NULL, NULL);
}
