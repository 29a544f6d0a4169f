/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TESTBED_H
#define MODEL_TESTBED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What the numbers depend on, as the server that really answered tells it. Strings are owned, NULL is unknown. */
struct testbed {
    char *product;         /* "MongoDB", "SecantusDB", "FerretDB", "benchrun null server (no database)", ... */
    char *version;         /* buildInfo.version: what the server claims to be */
    char *product_version; /* of the product itself, where it is not MongoDB: secantusVersion, ... */
    char *git_version;     /* buildInfo.gitVersion */
    char *
        platform; /* mongo-perf's rule: first word of sysInfo, else buildEnvironment.target_os, else Unknown Platform */
    char *storage_engine;
    char *default_w; /* the server's own, where a write brings none: "majority", "1", ...; NULL before 4.4 */
    char *topology;  /* "standalone", "replica set NAME, N members", "sharded cluster" */
    char *host;      /* host:port that answered */
    char *
        server_host_facts; /* cores, memory, OS of the server's host; NULL when it does not say or cannot be believed */
    int32_t max_wire_version;
    bool is_local;      /* started by --local */
    json_t *connection; /* the options of the connection string as they are in effect, without secrets; NULL: unknown */
    /* the client */
    char *client_host, *client_os, *client_cpu;
    unsigned client_cpus;
    char *libmongoc_version, *libbson_version;
};

void testbed_release(struct testbed *testbed);
/* "MongoDB 8.0.4"; a product that is not MongoDB has a version of its own, and one of MongoDB's that it claims to be:
 * "SecantusDB 0.6.0 (as MongoDB 8.2.11)". The caller frees. */
char *testbed_describe_product(const struct testbed *testbed);
/* A new reference; unknown members are left out. */
json_t *testbed_to_json(const struct testbed *testbed);

#endif
