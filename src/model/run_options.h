/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_RUN_OPTIONS_H
#define MODEL_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One --includeFilter or --excludeFilter with its words. */
struct filter_group {
    char **words;
    size_t count;
};

/* What carries the operations of a trial. */
enum run_client {
    RUN_CLIENT_OWN,    /* ready bytes on connections that libmongoc has opened */
    RUN_CLIENT_DRIVER, /* libmongoc's public calls, one thread a session: to see what a driver costs */
};

struct filter_groups {
    struct filter_group *items;
    size_t count;
};

void filter_groups_release(struct filter_groups *groups);

/*
 * What the command line and the environment asked for, defaults filled in. Filled by benchrun_cli, const from then on;
 * shared by all threads. All strings are owned by the struct; NULL means "not given".
 */
struct run_options {
    char **files; /* -f: definition files as found, folders already resolved */
    size_t file_count;
    unsigned *threads; /* the ladder, in the order given, no number twice, each >= 1 */
    size_t thread_count;
    unsigned multidb;      /* databases test0..testN-1, >= 1 */
    unsigned multicoll;    /* collections a database, >= 1 */
    int64_t trial_time_ns; /* > 0 */
    unsigned trial_count;  /* >= 1 */
    int64_t grace_ns;      /* how long operations in flight may go on after the trial, >= 0 */
    int64_t patience_ns;   /* how long a server, or a primary, that has gone is waited for, >= 0 */
    uint64_t seed;
    enum run_client client;
    unsigned workers; /* threads that drive sessions; 0: as many as usable CPUs; of no meaning with the driver */

    /* The deployment. At most one of `local` and `uri` is set; without a connection string the CLI has built `uri` from
     * --host, --port and --replset. What other options say of user and TLS is in it as well, but never a user's
     * password. */
    bool local;
    unsigned local_members;  /* of the replica set that `local` makes, 1 to 7 */
    char *mongod;            /* --mongod; NULL: MONGOD, then PATH, then the embedded server */
    char *uri;               /* may hold the password of a key; erased, as `password`, by run_options_release() */
    const char *uri_source;  /* for people: "--uri", "MONGODB_URI", "--host", ...; NULL: nobody named a server */
    const char *user_source; /* "-u" or the connection string's; NULL: no user */
    char *password;
    char *password_source; /* "-p", "--passwordFile secret.txt", ...; NULL: no password */

    bool w_given;
    char *w_name; /* "majority" or a tag; NULL: `w` is meant */
    int w;        /* >= 0; 0: nothing is confirmed */
    bool j_given;
    bool j;
    bool write_cmd, read_cmd, safe; /* accepted as in mongo-perf, not acted on */

    struct filter_groups include, exclude;
    bool allow_missing; /* a filter word that fits no test is no error */

    char *out; /* --out; NULL: result JSON to stdout */
    bool exclude_testbed;
    bool print_args;
    bool keep;
    bool force;
    char *command_line; /* the words as given, the password replaced by "***", for the result */
};

void run_options_release(struct run_options *options);

#endif
