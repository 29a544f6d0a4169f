/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "engine/secure.h"

/* "[CAUSE calling hello on 'HOST']": the last quoted word is the host. A cause may hold brackets itself (IPv6). */
static void append_cause(struct buffer *out, const char *at, size_t size)
{
    static const char between[] = " calling hello on '";
    static const char unresolved[] = "Failed to resolve '";
    const char *separator = memmem(at, size, between, strlen(between));
    buffer_append_printf(out, "%s", out->size > 0 ? "; " : "");
    if (size > strlen(unresolved) && strncmp(at, unresolved, strlen(unresolved)) == 0) {
        buffer_append_printf(out, "%.*s: no address is known for this name", (int)(size - strlen(unresolved) - 1),
                             at + strlen(unresolved));
        return;
    }
    if (!separator) {
        buffer_append_printf(out, "%.*s", (int)size, at);
        return;
    }
    const char *host = separator + strlen(between);
    size_t host_size = size - (size_t)(host - at);
    const char *quote = memrchr(host, '\'', host_size);
    buffer_append_printf(out, "%.*s: %.*s", (int)(quote ? (size_t)(quote - host) : host_size), host,
                         (int)(separator - at), at);
}

char *reach_describe_causes(const char *text)
{
    struct buffer out = {0};
    const char *colon = strstr(text, ": [");
    const char *at = *text == '[' ? text + 1 : colon ? colon + 3 : NULL;
    while (at) {
        const char *next = strstr(at, "] [");
        const char *end = next ? next : strrchr(at, ']');
        if (!end)
            break;
        append_cause(&out, at, (size_t)(end - at));
        at = next ? next + 3 : NULL;
    }
    return out.size > 0 ? buffer_detach(&out) : NULL;
}

/* What mends it, by a piece of libmongoc's or OpenSSL's words. The first that fits. */
static const struct {
    const char *piece;
    bool with_tls, without_tls;
    const char *hint;
} hints[] = {
    {"certificate verify failed (10)", true, false, "the server's certificate has expired and must be renewed"},
    {"certificate verify failed (9)", true, false, "the server's certificate is not valid yet; is the clock right?"},
    {"certificate verify failed (62)", true, false,
     "the certificate is for another name: use that name, or --tlsAllowInvalidHostnames"},
    {"certificate verify failed (64)", true, false,
     "the certificate is for another address: use a name that is in it, or --tlsAllowInvalidHostnames"},
    {"certificate verify failed", true, false, "name the authority that has signed the certificate with --tlsCAFile"},
    {"alert certificate required", true, false, "the server wants a certificate of ours: --tlsCertificateKeyFile"},
    {"alert unknown ca", true, false,
     "the server does not know the authority that has signed our certificate (--tlsCertificateKeyFile)"},
    {"alert certificate expired", true, false, "our certificate (--tlsCertificateKeyFile) has expired"},
    {"alert bad certificate", true, false, "the server refuses our certificate (--tlsCertificateKeyFile)"},
    {"wrong version number", true, false, "the server seems to speak no TLS: leave out --tls"},
    {"packet length too long", true, false, "the server seems to speak no TLS: leave out --tls"},
    {"TLS handshake failed: Connection timed out", true, false, "it may speak no TLS: leave out --tls"},
    {"TLS handshake failed", true, false,
     "does the server speak TLS, and does it want a certificate of ours "
     "(--tlsCertificateKeyFile)?"},
    {"closed", true, false,
     "does the server speak TLS, and does it want a certificate of ours "
     "(--tlsCertificateKeyFile)?"},
    {"timeout", true, false, "if it is there, it may speak no TLS: leave out --tls"},
    {"closed", false, true, "a server that wants TLS does this: add --tls"},
    {"Failed to receive", false, true, "a server that wants TLS does this: add --tls"},
};

/* Takes over `text`. */
static char *add(char *text, const char *before, const char *more, const char *behind)
{
    char *longer = memory_printf("%s%s%s%s", text, before, more, behind);
    free(text);
    return longer;
}

char *reach_explain(const char *text, bool with_tls)
{
    char *causes = reach_describe_causes(text);
    const char *reason = with_tls ? secure_reason() : NULL;
    if (!causes)
        causes = memory_strdup(text);
    if (reason && !strstr(causes, reason))
        causes = add(causes, " OpenSSL: ", reason, "");
    for (size_t i = 0; i < COUNT_OF(hints); i++) {
        bool fits = with_tls ? hints[i].with_tls : hints[i].without_tls;
        if (!fits || !strstr(causes, hints[i].piece))
            continue;
        return add(causes, " (", hints[i].hint, ")");
    }
    return causes;
}
