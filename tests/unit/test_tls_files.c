/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "engine/secure.h"
#include "engine/target.h"
#include "engine/tls_files.h"
#include "nullserver/nullserver.h"

#define PASS_PHRASE "s3cret"

static char folder[] = "/tmp/test_tls_files.XXXXXX";

static EVP_PKEY *make_key(void)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    assert_non_null(key);
    return key;
}

static X509 *make_certificate(EVP_PKEY *key)
{
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
    return certificate;
}

/* NULL: not in the file. With a pass phrase the key is encrypted. */
static void write_pem(const char *path, X509 *certificate, EVP_PKEY *key, const char *pass_phrase)
{
    FILE *file = fopen(path, "w");
    if (certificate)
        PEM_write_X509(file, certificate);
    if (key)
        PEM_write_PrivateKey(file, key, pass_phrase ? EVP_aes_256_cbc() : NULL, (const unsigned char *)pass_phrase,
                             pass_phrase ? (int)strlen(pass_phrase) : 0, NULL, NULL);
    fclose(file);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("folder", 0700) != 0 || mkfifo("pipe", 0600) != 0 ||
        symlink("nowhere", "dangling.pem") != 0)
        return -1;
    EVP_PKEY *key = make_key(), *other = make_key(), *rsa = EVP_RSA_gen(2048);
    X509 *certificate = make_certificate(key);
    write_pem("certificate.pem", certificate, NULL, NULL);
    write_pem("key.pem", NULL, key, NULL);
    write_pem("both.pem", certificate, key, NULL);
    write_pem("mismatch.pem", certificate, other, NULL);
    write_pem("other_kind.pem", certificate, rsa, NULL);
    write_pem("locked.pem", certificate, key, PASS_PHRASE);
    write_text("empty.pem", "");
    write_text("text.pem", "no PEM\n");
    write_text("broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    write_text("broken_key.pem", "");
    write_pem("broken_key.pem", certificate, NULL, NULL);
    FILE *file = fopen("broken_key.pem", "a");
    fputs("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", file);
    fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    EVP_PKEY_free(rsa);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    return chdir("/") == 0 && file_remove_tree(folder, NULL) ? 0 : -1;
}

struct row {
    const char *path, *message; /* behind the path; NULL: it is good */
};

static void check_message(const struct row *row, bool ok, const struct error *err)
{
    char *message = row->message ? memory_printf("%s%s", row->path, row->message) : memory_strdup("");
    assert_int_equal(ok, row->message == NULL);
    assert_string_equal(err->message, message);
    free(message);
}

#define AUTHORITIES ", expected the certificates of the authorities that may sign the server's (PEM)"

static void authorities(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"certificate.pem", NULL},
        {"both.pem", NULL},
        {"key.pem", ": holds a private key and no certificate" AUTHORITIES},
        {"empty.pem", ": is empty" AUTHORITIES},
        {"text.pem", ": holds no certificate (-----BEGIN CERTIFICATE-----)" AUTHORITIES},
        {"folder", ": is a folder" AUTHORITIES},
        {"pipe", ": is no regular file, and each connection reads it anew" AUTHORITIES},
        {"broken.pem", ": OpenSSL cannot read its certificates: wrong tag"},
        {"dangling.pem", ": No such file or directory"},
        {"certficate.pem", ": No such file or directory; did you mean certificate.pem?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        bool ok = tls_files_check_authorities(rows[i].path, &err);
        check_message(&rows[i], ok, &err);
    }
}

#define OURS ", expected our certificate and its private key (PEM)"

#define MISMATCH ": its private key does not belong to its first certificate; put the key of that one into the file"

static void keys(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"both.pem", NULL},
        {"key.pem", ": holds a private key and no certificate" OURS},
        {"certificate.pem", ": holds a certificate and no private key, expected both in one file (PEM)"},
        {"mismatch.pem", MISMATCH},
        {"other_kind.pem", MISMATCH},
        {"empty.pem", ": is empty" OURS},
        {"folder", ": is a folder" OURS},
        {"broken_key.pem", ": OpenSSL cannot read its private key: unsupported"},
        {"both.pm", ": No such file or directory; did you mean both.pem?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        enum tls_key key = tls_files_check_key(rows[i].path, NULL, &err);
        check_message(&rows[i], key == TLS_KEY_GOOD, &err);
    }
}

static void locked_keys(void **state)
{
    (void)state;
    struct error err = {0};
    assert_int_equal(tls_files_check_key("locked.pem", NULL, &err), TLS_KEY_LOCKED);
    assert_false(err.is_set);
    assert_int_equal(tls_files_check_key("locked.pem", PASS_PHRASE, &err), TLS_KEY_GOOD);
    assert_int_equal(tls_files_check_key("both.pem", PASS_PHRASE, &err), TLS_KEY_GOOD);
    assert_int_equal(tls_files_check_key("locked.pem", "", &err), TLS_KEY_BAD);
    assert_string_equal(err.message, "locked.pem: the pass phrase does not open its private key");
    char longer[5000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(tls_files_check_key("locked.pem", longer, NULL), TLS_KEY_BAD);
}

/* A file that changes during a run: no connection may stop to ask, and each says why it failed. */
static void connections_never_ask(void **state)
{
    (void)state;
    static const struct {
        const char *file, *pass_phrase, *cause;
    } rows[] = {{"locked.pem", NULL, ""},
                {"locked.pem", "", ""},
                {"mismatch.pem", "", "key values mismatch"},
                {"empty.pem", "", "no start line"}};
    struct error err = {0};
    struct nullserver *server = nullserver_start(&(struct nullserver_config){0}, &err);
    char *text = memory_printf("mongodb://127.0.0.1:%u", nullserver_port(server));
    mongoc_uri_t *uri = mongoc_uri_new(text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const mongoc_ssl_opt_t tls = {.pem_file = rows[i].file, .pem_pwd = rows[i].pass_phrase};
        bson_error_t error = {0};
        struct wait_terms terms = {0};
        struct stream *holder;
        struct stream *socket = stream_connect(mongoc_uri_get_hosts(uri), 1000, &terms, &holder, &error);
        assert_null(secure_stream(socket, &tls, mongoc_uri_get_hosts(uri), 1000, &error));
        assert_non_null(strstr(error.message, ": TLS cannot be set up: "));
        if (!strstr(error.message, rows[i].cause))
            assert_string_equal(error.message, rows[i].cause);
    }
    mongoc_uri_destroy(uri);
    free(text);
    nullserver_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(authorities, "what is wrong with a file of authorities is said with its cause"),
        NAMED_TEST(keys, "so it is of a certificate and its key"),
        NAMED_TEST(locked_keys, "a key that is encrypted wants its pass phrase"),
        NAMED_TEST(connections_never_ask, "a connection whose files have changed asks nobody and says why"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("tls files", tests, make_files, remove_files);
    target_library_cleanup();
    return failed;
}
