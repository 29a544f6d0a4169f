/* SPDX-License-Identifier: Apache-2.0 */
/* mongodb+srv://, with a name service of our own: the functions with the names of libc's stand in for them. */
#include "engine/srv.h"

#include <arpa/nameser.h>
#include <dlfcn.h>
#include <netdb.h>
#include <resolv.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "null_set.h"

#include "unit.h"

/* What the name service says; ports in the order of the hosts a.test.local, b.test.local. No ports: nothing. */
static struct {
    uint16_t ports[2];
    const char *txt;
} zone;

static void put16(struct buffer *out, unsigned value)
{
    uint8_t bytes[] = {(uint8_t)(value >> 8), (uint8_t)value};
    buffer_append(out, bytes, sizeof bytes);
}

static void put_name(struct buffer *out, const char *name)
{
    while (*name) {
        uint8_t size = (uint8_t)strcspn(name, ".");
        buffer_append(out, &size, 1);
        buffer_append(out, name, size);
        name += size + (name[size] == '.');
    }
    buffer_append(out, "", 1);
}

/* Name, type, class, an hour to live, and the data. */
static void put_record(struct buffer *out, const char *name, unsigned type, const struct buffer *data)
{
    put_name(out, name);
    put16(out, type);
    put16(out, ns_c_in);
    put16(out, 0);
    put16(out, 3600);
    put16(out, (unsigned)data->size);
    buffer_append(out, data->data, data->size);
}

static void put_service(struct buffer *out, const char *name, unsigned port, const char *host)
{
    struct buffer data = {0};
    put16(&data, 0);
    put16(&data, 5);
    put16(&data, port);
    put_name(&data, host);
    put_record(out, name, ns_t_srv, &data);
    buffer_release(&data);
}

static void put_text(struct buffer *out, const char *name, const char *text)
{
    struct buffer data = {0};
    uint8_t size = (uint8_t)strlen(text);
    buffer_append(&data, &size, 1);
    buffer_append(&data, text, size);
    put_record(out, name, ns_t_txt, &data);
    buffer_release(&data);
}

static unsigned count_answers(int type)
{
    if (type == ns_t_txt)
        return zone.txt != NULL;
    return (zone.ports[0] != 0) + (unsigned)(zone.ports[1] != 0);
}

int res_nsearch(res_state resolver, const char *name, int class, int type, unsigned char *answer, int size)
{
    struct buffer out = {0};
    (void)resolver;
    put16(&out, 1);
    put16(&out, 0x8180);
    put16(&out, 1);
    put16(&out, count_answers(type));
    put16(&out, 0);
    put16(&out, 0);
    put_name(&out, name);
    put16(&out, (unsigned)type);
    put16(&out, (unsigned)class);
    if (type == ns_t_txt && zone.txt)
        put_text(&out, name, zone.txt);
    if (type == ns_t_srv && zone.ports[0])
        put_service(&out, name, zone.ports[0], "a.test.local");
    if (type == ns_t_srv && zone.ports[1])
        put_service(&out, name, zone.ports[1], "b.test.local");
    int length = (int)out.size;
    assert_true(length <= size);
    memcpy(answer, out.data, out.size);
    buffer_release(&out);
    return length;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
    int (*call)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");
    memcpy(&call, &symbol, sizeof call);
    bool is_ours = !(hints->ai_flags & AI_NUMERICHOST) && strstr(name, ".test.local");
    return call(is_ours ? "127.0.0.1" : name, service, hints, list);
}

static void hosts_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *txt, *address, *expected;
    } rows[] = {
        {NULL, "mongodb+srv://cluster.test.local", "mongodb://a.test.local:27018,b.test.local:27019/?tls=true"},
        {NULL, "mongodb+srv://u@cluster.test.local/db?tls=false&srvMaxHosts=1",
         "mongodb://u@a.test.local:27018/db?tls=false"},
        {"replicaSet=rs&authSource=other", "mongodb+srv://u@cluster.test.local/?w=2",
         "mongodb://u@a.test.local:27018,b.test.local:27019/?w=2&tls=true&replicaSet=rs&authSource=other"},
        {"replicaSet=rs&authSource=other", "mongodb+srv://u@cluster.test.local/?authSource=own&replicaSet=mine",
         "mongodb://u@a.test.local:27018,b.test.local:27019/?authSource=own&replicaSet=mine&tls=true"},
    };
    zone.ports[0] = 27018;
    zone.ports[1] = 27019;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        zone.txt = rows[i].txt;
        char *text = srv_resolve(rows[i].address, &err);
        if (!text)
            fail_msg("%s", err.message);
        assert_string_equal(text, rows[i].expected);
        free(text);
    }
    zone.txt = NULL;
}

static void a_name_without_hosts_is_told(void **state)
{
    (void)state;
    struct error err = {0};
    zone.ports[0] = zone.ports[1] = 0;
    assert_null(srv_resolve("mongodb+srv://cluster.test.local", &err));
    assert_non_null(strstr(err.message, "the name service has no hosts: "));
}

static void a_set_behind_a_name_is_followed(void **state)
{
    (void)state;
    struct error err = {0};
    struct nullset *set = nullset_start(&(struct nullset_config){.members = 3, .name = "rs"}, &err);
    struct target target;
    const struct run_options options = {.patience_ns = 5 * CLOCK_NS_PER_SEC};
    assert_non_null(set);
    zone.ports[0] = nullserver_port(nullset_member(set, 1));
    zone.ports[1] = nullserver_port(nullset_member(set, 2));
    zone.txt = "replicaSet=rs";
    if (!target_open(&target, &options, "mongodb+srv://cluster.test.local/?tls=false", NULL, NULL, &err))
        fail_msg("%s", err.message);
    for (int i = 0; i < 3; i++) {
        nullset_elect(set, i);
        if (!target_is_alive(&target, &err))
            fail_msg("%s", err.message);
    }
    assert_true(target_close(&target));
    nullset_stop(set);
    zone.txt = NULL;
}

int main(void)
{
    target_library_init();
    const struct CMUnitTest tests[] = {
        NAMED_TEST(hosts_are_named, "a name stands for its hosts, with the options that are there for it"),
        NAMED_TEST(a_name_without_hosts_is_told, "a name without hosts is an error"),
        NAMED_TEST(a_set_behind_a_name_is_followed, "the set behind a name is followed through elections"),
    };
    int failed = cmocka_run_group_tests_name("srv", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
