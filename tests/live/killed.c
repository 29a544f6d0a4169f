/* SPDX-License-Identifier: Apache-2.0 */
/*
 * killed URI ROUNDS SEED NAMES BENCHRUN WORD...
 *
 * Kills the run `BENCHRUN WORD...` at ROUNDS random moments of its life. After each somebody puts a collection of their
 * own under names that the run uses ("database.collection,..."): under all of them in every other round, else under one
 * of them. The next run, itself killed in a third of the rounds, must leave those whole: same uuid, same documents. In
 * the end all that the killed runs have left is taken over or refused by name, and nothing stays. Prints five tests of
 * TAP, without a plan.
 */
#include <bson/bson.h>
#include <errno.h>
#include <fcntl.h>
#include <mongoc/mongoc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"

enum { DOCUMENTS = 3, REFUSED = 3 };

/* What has reached the server is done by then. */
#define QUIET_NS (150 * CLOCK_NS_PER_MS)

/* A name that the run uses, and the collection that somebody has put there. */
struct name {
    char *db, *coll;
    bool is_somebodys;
    uint8_t uuid[16];
};

struct scene {
    mongoc_client_t *client;
    char **command; /* benchrun and its words */
    struct name *names;
    size_t count;
    struct rng rng;
    int64_t life_ns; /* of a whole run */
    unsigned harmed, taken, being_made;
    unsigned said; /* tests of TAP */
    bool is_bad;
};

static void die(const char *what, const char *why)
{
    printf("Bail out! %s: %s\n", what, why);
    exit(1);
}

static void ok(struct scene *scene, bool good, const char *sentence)
{
    scene->said++;
    scene->is_bad = scene->is_bad || !good;
    printf("%sok %u - %s\n", good ? "" : "not ", scene->said, sentence);
}

static uint64_t draw(struct scene *scene, uint64_t below)
{
    return rng_below_u64(&scene->rng, below);
}

/* Frees `command`; false: the server said no. */
static bool run_command(struct scene *scene, const char *db, bson_t *command, bson_t *reply)
{
    bson_error_t error;
    bool good = mongoc_client_command_simple(scene->client, db, command, NULL, reply, &error);
    if (!good && error.domain != MONGOC_ERROR_SERVER)
        die("the server", error.message);
    bson_destroy(command);
    return good;
}

static bool tell(struct scene *scene, const char *db, bson_t *command)
{
    bson_t reply;
    bool good = run_command(scene, db, command, &reply);
    bson_destroy(&reply);
    return good;
}

/* False: there is no collection of that name. A view has no uuid of its own. */
static bool look(struct scene *scene, const struct name *name, uint8_t uuid[16])
{
    bson_t reply;
    bson_iter_t iter, found;
    const uint8_t *bytes;
    uint32_t size;
    memset(uuid, 0, 16);
    if (!run_command(scene, name->db,
                     BCON_NEW("listCollections", BCON_INT32(1), "filter", "{", "name", BCON_UTF8(name->coll), "}"),
                     &reply))
        die("listCollections", "refused");
    bool there = bson_iter_init(&iter, &reply) && bson_iter_find_descendant(&iter, "cursor.firstBatch.0.name", &found);
    if (there && bson_iter_init(&iter, &reply) &&
        bson_iter_find_descendant(&iter, "cursor.firstBatch.0.info.uuid", &found) && BSON_ITER_HOLDS_BINARY(&found)) {
        bson_iter_binary(&found, NULL, &size, &bytes);
        memcpy(uuid, bytes, size < 16 ? size : 16);
    }
    bson_destroy(&reply);
    return there;
}

static void drop(struct scene *scene, struct name *name)
{
    tell(scene, name->db, BCON_NEW("drop", BCON_UTF8(name->coll)));
    name->is_somebodys = false;
}

static void put(struct scene *scene, struct name *name)
{
    drop(scene, name);
    for (int32_t i = 0; i < DOCUMENTS; i++)
        if (!tell(scene, name->db,
                  BCON_NEW("insert", BCON_UTF8(name->coll), "documents", "[", "{", "_id", BCON_INT32(i), "mine",
                           BCON_BOOL(true), "}", "]")))
            die(name->coll, "somebody could not insert");
    name->is_somebodys = look(scene, name, name->uuid);
}

static bool is_whole(struct scene *scene, const struct name *name)
{
    bson_t reply;
    uint8_t uuid[16];
    bson_iter_t iter;
    if (!look(scene, name, uuid) || memcmp(uuid, name->uuid, sizeof uuid) != 0)
        return false;
    bool counted = run_command(
        scene, name->db, BCON_NEW("count", BCON_UTF8(name->coll), "query", "{", "mine", BCON_BOOL(true), "}"), &reply);
    bool whole = counted && bson_iter_init_find(&iter, &reply, "n") && bson_iter_as_int64(&iter) == DOCUMENTS;
    bson_destroy(&reply);
    return whole;
}

static pid_t begin(const struct scene *scene)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    int null = open("/dev/null", O_RDWR);
    int log = open("run.log", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execv(scene->command[0], scene->command);
    _exit(127);
}

/* Its exit status; -1: it was killed, `after_ns` after its start (never: INT64_MAX). */
static int run(const struct scene *scene, int64_t after_ns)
{
    pid_t child = begin(scene);
    int status;
    if (child < 0)
        die("fork", strerror(errno));
    if (after_ns != INT64_MAX) {
        clock_sleep_ns(after_ns);
        kill(child, SIGKILL);
    }
    if (waitpid(child, &status, 0) != child)
        die("waitpid", strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int64_t moment(struct scene *scene)
{
    return (int64_t)draw(scene, (uint64_t)scene->life_ns);
}

static void check_all(struct scene *scene)
{
    for (size_t i = 0; i < scene->count; i++) {
        struct name *name = &scene->names[i];
        if (!name->is_somebodys || is_whole(scene, name))
            continue;
        printf("# harmed: %s.%s\n", name->db, name->coll);
        scene->harmed++;
    }
}

/* What is refused although nobody but killed runs has been there was being made when one of them died. */
static void take_over(struct scene *scene)
{
    uint8_t uuid[16];
    for (size_t i = 0; i < scene->count; i++)
        if (scene->names[i].is_somebodys)
            drop(scene, &scene->names[i]);
    for (size_t tries = 0; tries <= scene->count && run(scene, INT64_MAX) == REFUSED; tries++) {
        bool found = false;
        for (size_t i = 0; i < scene->count && !found; i++) {
            found = look(scene, &scene->names[i], uuid);
            if (found)
                drop(scene, &scene->names[i]);
        }
        scene->being_made++;
    }
}

static void play_round(struct scene *scene, unsigned number)
{
    run(scene, moment(scene));
    clock_sleep_ns(QUIET_NS);
    size_t one = draw(scene, scene->count);
    for (size_t i = 0; i < scene->count; i++)
        if (number % 2 == 0 || i == one)
            put(scene, &scene->names[i]);
    bool is_killed = number % 3 == 0;
    int status = run(scene, is_killed ? moment(scene) : INT64_MAX);
    if (is_killed)
        clock_sleep_ns(QUIET_NS);
    else if (status != REFUSED)
        scene->taken++;
    check_all(scene);
    if (number % 10 == 9)
        take_over(scene);
}

static void take_names(struct scene *scene, char *list)
{
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
        char *dot = strchr(word, '.');
        scene->names = memory_resize(scene->names, scene->count + 1, sizeof *scene->names);
        scene->names[scene->count++] =
            (struct name){.db = memory_printf("%.*s", (int)(dot - word), word), .coll = memory_strdup(dot + 1)};
    }
}

static bool is_nothing_left(struct scene *scene)
{
    uint8_t uuid[16];
    bool nothing = true;
    for (size_t i = 0; i < scene->count; i++) {
        const struct name marks = {.db = scene->names[i].db, .coll = (char[]){"benchrun_owned"}};
        nothing = nothing && !look(scene, &scene->names[i], uuid) && !look(scene, &marks, uuid);
    }
    return nothing;
}

int main(int argc, char **argv)
{
    struct scene scene = {0};
    if (argc < 6) {
        fputs("usage: killed URI ROUNDS SEED NAMES BENCHRUN WORD...\n", stderr);
        return 2;
    }
    unsigned rounds = (unsigned)atoi(argv[2]);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    mongoc_init();
    scene.client = mongoc_client_new(argv[1]);
    mongoc_client_set_error_api(scene.client, MONGOC_ERROR_API_VERSION_2);
    scene.command = &argv[5];
    take_names(&scene, argv[4]);
    rng_init(&scene.rng, seed, 0);
    printf("# seed %llu\n", (unsigned long long)seed);
    int64_t begin_ns = clock_mono_ns();
    ok(&scene, run(&scene, INT64_MAX) == 0, "a run that is not killed is measured");
    scene.life_ns = clock_mono_ns() - begin_ns;
    for (unsigned i = 0; i < rounds; i++)
        play_round(&scene, i);
    ok(&scene, scene.harmed == 0, "what somebody puts under a name of a killed run is whole afterwards");
    ok(&scene, scene.taken == 0, "and is refused by the next run");
    take_over(&scene);
    ok(&scene, run(&scene, INT64_MAX) == 0, "what killed runs have left is taken over");
    ok(&scene, is_nothing_left(&scene), "and in the end nothing is left");
    printf("# %u runs killed; %u collections were just being made, and were refused\n", rounds, scene.being_made);
    mongoc_client_destroy(scene.client);
    mongoc_cleanup();
    return scene.is_bad;
}
