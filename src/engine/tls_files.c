/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/tls_files.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/ui.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/nearest_file.h"

/* All certificates of a system are some 220 KB. */
#define FILE_BYTES_MAX (16 << 20)

static int refuse(UI *ui)
{
    (void)ui;
    return 0;
}

void tls_files_forbid_prompts(void)
{
    UI_METHOD *silent = UI_create_method("benchrun asks by itself");
    UI_method_set_opener(silent, refuse);
    UI_set_default_method(silent);
}

/* The first of those that OpenSSL has put down is the cause of the others. */
static const char *find_reason(void)
{
    const char *reason = ERR_reason_error_string(ERR_peek_error());
    return reason ? reason : "OpenSSL does not say why";
}

/* The kinds of blocks in a file of PEM. */
struct blocks {
    bool certificate, key;
};

static bool holds(const struct buffer *content, const char *words)
{
    return content->size > 0 && memmem(content->data, content->size, words, strlen(words));
}

static bool read_blocks(const char *path, const char *expected, struct blocks *blocks, struct error *err)
{
    struct stat st;
    struct buffer content = {0};
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        error_set(err, "%s: is %s, expected %s", path,
                  S_ISDIR(st.st_mode) ? "a folder" : "no regular file, and each connection reads it anew", expected);
        return false;
    }
    if (!nearest_file_check(path, err) || !file_read(path, FILE_BYTES_MAX, &content, err))
        return false;
    *blocks = (struct blocks){holds(&content, "CERTIFICATE-----"), holds(&content, "PRIVATE KEY-----")};
    if (!blocks->certificate)
        error_set(err, "%s: %s, expected %s", path,
                  content.size == 0 ? "is empty"
                  : blocks->key     ? "holds a private key and no certificate"
                                    : "holds no certificate (-----BEGIN CERTIFICATE-----)",
                  expected);
    if (content.data)
        explicit_bzero(content.data, content.size);
    buffer_release(&content);
    return blocks->certificate;
}

bool tls_files_check_authorities(const char *path, struct error *err)
{
    struct blocks blocks;
    if (!read_blocks(path, "the certificates of the authorities that may sign the server's (PEM)", &blocks, err))
        return false;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    ERR_clear_error();
    bool ok = SSL_CTX_load_verify_locations(context, path, NULL) == 1;
    if (!ok)
        error_set(err, "%s: OpenSSL cannot read its certificates: %s", path, find_reason());
    SSL_CTX_free(context);
    return ok;
}

struct question {
    const char *pass_phrase;
    bool was_asked;
};

static int answer(char *out, int size, int is_for_writing, void *context)
{
    struct question *question = context;
    (void)is_for_writing;
    question->was_asked = true;
    size_t length = question->pass_phrase ? strlen(question->pass_phrase) : 0;
    if (length >= (size_t)size)
        return 0;
    memcpy(out, question->pass_phrase ? question->pass_phrase : "", length);
    return (int)length;
}

static bool is_mismatch(void)
{
    unsigned long code = ERR_peek_last_error();
    int reason = ERR_GET_REASON(code);
    if (ERR_GET_LIB(code) == ERR_LIB_SSL)
        return reason == SSL_R_NO_CERTIFICATE_ASSIGNED; /* none of the key's kind: RSA and EC, for example */
    return ERR_GET_LIB(code) == ERR_LIB_X509 &&
           (reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH);
}

/* In the order of libmongoc. */
static enum tls_key load(SSL_CTX *context, const char *path, struct question *question, struct error *err)
{
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, path) != 1)
        error_set(err, "%s: OpenSSL cannot read its certificate: %s", path, find_reason());
    else if (SSL_CTX_use_PrivateKey_file(context, path, SSL_FILETYPE_PEM) == 1 &&
             SSL_CTX_check_private_key(context) == 1)
        return TLS_KEY_GOOD;
    else if (is_mismatch())
        error_set(err,
                  "%s: its private key does not belong to its first certificate; put the key of that one into the file",
                  path);
    else if (question->was_asked && !question->pass_phrase)
        return TLS_KEY_LOCKED;
    else if (question->was_asked)
        error_set(err, "%s: the pass phrase does not open its private key", path);
    else
        error_set(err, "%s: OpenSSL cannot read its private key: %s", path, find_reason());
    return TLS_KEY_BAD;
}

enum tls_key tls_files_check_key(const char *path, const char *pass_phrase, struct error *err)
{
    struct blocks blocks;
    if (!read_blocks(path, "our certificate and its private key (PEM)", &blocks, err))
        return TLS_KEY_BAD;
    if (!blocks.key) {
        error_set(err, "%s: holds a certificate and no private key, expected both in one file (PEM)", path);
        return TLS_KEY_BAD;
    }
    struct question question = {.pass_phrase = pass_phrase};
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_default_passwd_cb(context, answer);
    SSL_CTX_set_default_passwd_cb_userdata(context, &question);
    enum tls_key key = load(context, path, &question, err);
    SSL_CTX_free(context);
    return key;
}
