/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/localserver_find.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/nearest_file.h"

static bool is_program(const char *path)
{
    return file_is_regular(path) && access(path, X_OK) == 0;
}

/* The server is started in its own folder, so that a relative path would not be found any more. */
static char *absolute_path(const char *path)
{
    if (*path == '/')
        return memory_strdup(path);
    char *here = getcwd(NULL, 0);
    char *absolute = here ? file_join(here, path) : memory_strdup(path);
    free(here);
    return absolute;
}

static char *search_path(const char *word)
{
    const char *path = getenv("PATH");
    for (const char *at = path; at && *at;) {
        size_t length = strcspn(at, ":");
        char *folder = length > 0 ? memory_printf("%.*s", (int)length, at) : memory_strdup(".");
        char *program = file_join(folder, word);
        free(folder);
        if (is_program(program)) {
            char *absolute = absolute_path(program);
            free(program);
            return absolute;
        }
        free(program);
        at += length + (at[length] == ':');
    }
    return NULL;
}

/* `source` is what named it. */
static bool choose_named(struct localserver_choice *choice, const char *source, const char *mongod, struct error *err)
{
    choice->program = strchr(mongod, '/') ? absolute_path(mongod) : search_path(mongod);
    if (choice->program && is_program(choice->program))
        return true;
    if (!choice->program)
        error_set(err, "no program named %s on PATH, expected the path of a mongod", mongod);
    else if (nearest_file_check(mongod, err))
        error_set(err, "%s is not a program that may be run, expected the path of a mongod", mongod);
    error_prefix(err, "%s", source);
    localserver_choice_release(choice);
    return false;
}

/* NULL: neither XDG_CACHE_HOME nor HOME is set. */
static char *embedded_place(void)
{
    char *cache = file_user_folder("XDG_CACHE_HOME", ".cache");
    char *place = cache ? file_join(cache, "benchrun/" LOCALSERVER_EMBEDDED_FOLDER) : NULL;
    free(cache);
    return place;
}

static char *embedded_program(const char *place)
{
    char *program = place ? file_join(place, "secantusdb.scripts/secantusd-rs") : NULL;
    if (program && is_program(program))
        return program;
    free(program);
    return NULL;
}

bool localserver_find(struct localserver_choice *choice, const char *mongod, struct error *err)
{
    *choice = (struct localserver_choice){.is_mongod = true};
    const char *source = mongod ? "--mongod" : "MONGOD";
    if (!mongod)
        mongod = getenv("MONGOD");
    if (mongod && *mongod) {
        if (!choose_named(choice, source, mongod, err))
            return false;
    } else {
        choice->program = search_path("mongod");
    }
    if (choice->program) {
        choice->name = memory_printf("mongod %s", choice->program);
        return true;
    }
    choice->is_mongod = false;
    char *place = embedded_place();
    choice->program = embedded_program(place);
    if (choice->program)
        choice->name = memory_strdup("SecantusDB " LOCALSERVER_EMBEDDED_VERSION " (embedded)");
    else
        error_set(err,
                  "no server to start for --local: name a mongod (--mongod PATH, MONGOD=PATH, or mongod on PATH), or "
                  "fetch the embedded server (tools/fetch-server in the source folder, or " BENCHRUN_DATADIR
                  "/fetch-server) into %s (XDG_CACHE_HOME names another folder)",
                  place ? place : "a cache folder");
    free(place);
    return choice->program != NULL;
}

void localserver_choice_release(struct localserver_choice *choice)
{
    free(choice->program);
    free(choice->name);
    *choice = (struct localserver_choice){0};
}
