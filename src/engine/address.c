/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/address.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/uri.h"

static bool is_option(const char *option, const char *name)
{
    size_t length = strlen(name);
    return strncasecmp(option, name, length) == 0 && option[length] == '=';
}

static void append_option(struct buffer *out, const char *option, size_t length)
{
    char last = out->size > 0 ? (char)out->data[out->size - 1] : '\0';
    buffer_append(out, "&", last != '?');
    buffer_append(out, option, length);
}

/* What only a name service is asked for says nothing of hosts that are named. */
static bool is_kept(const char *option, bool direct)
{
    if (is_option(option, "srvMaxHosts") || is_option(option, "srvServiceName"))
        return false;
    return !direct || (!is_option(option, "replicaSet") && !is_option(option, "directConnection"));
}

static void append_options(struct buffer *out, const char *options, bool direct)
{
    while (*options) {
        size_t length = strcspn(options, "&");
        if (is_kept(options, direct))
            append_option(out, options, length);
        options += length + (options[length] == '&');
    }
    if (direct)
        append_option(out, "directConnection=true", strlen("directConnection=true"));
}

char *address_for_hosts(const char *address, const char *hosts, bool direct)
{
    const char *authority = strstr(address, "://") + 3;
    const char *end = authority + strcspn(authority, "/?");
    const char *at = memrchr(authority, '@', (size_t)(end - authority));
    const char *own_hosts = at ? at + 1 : authority;
    const char *query = strchr(end, '?');
    struct buffer out = {0};
    /* It may hold the password of a key: no copy of it is left behind where the buffer was before it grew. */
    buffer_reserve(&out, strlen(address) + strlen(hosts) + sizeof "mongodb:///?&directConnection=true");
    buffer_append(&out, "mongodb://", strlen("mongodb://"));
    buffer_append(&out, authority, (size_t)(own_hosts - authority));
    buffer_append_printf(&out, "%s", hosts);
    buffer_append(&out, end, query ? (size_t)(query - end) : strlen(end));
    buffer_append_printf(&out, "%s?", *end == '/' ? "" : "/");
    append_options(&out, query ? query + 1 : "", direct);
    buffer_append(&out, "", 1);
    return (char *)out.data;
}

char *address_of_host(const mongoc_host_list_t *host)
{
    return host->family == AF_UNIX ? uri_encode(host->host) : memory_strdup(host->host_and_port);
}

char *address_list_hosts(const mongoc_host_list_t *hosts, int32_t most)
{
    struct buffer list = {0};
    for (int32_t count = 0; hosts && (most == 0 || count < most); hosts = hosts->next, count++) {
        char *name = address_of_host(hosts);
        buffer_append_printf(&list, "%s%s", count > 0 ? "," : "", name);
        free(name);
    }
    return buffer_detach(&list);
}
