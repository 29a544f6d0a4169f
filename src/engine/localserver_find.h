/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOCALSERVER_FIND_H
#define ENGINE_LOCALSERVER_FIND_H

#include <stdbool.h>

#include "base/error.h"

/* The embedded server's folder under the user's cache folder, as tools/fetch-server makes it. */
#define LOCALSERVER_EMBEDDED_VERSION "0.6.0b17"
#define LOCALSERVER_EMBEDDED_FOLDER "secantusdb-" LOCALSERVER_EMBEDDED_VERSION

/* Which server --local starts. */
struct localserver_choice {
    bool is_mongod; /* else the embedded one */
    char *program;  /* absolute path; owned */
    char *name;     /* for people; owned */
};

/*
 * `mongod` (NULL: the environment's MONGOD) names a program, by path or as a word to look up on PATH, and nothing else
 * will do then; else `mongod` on PATH, else the embedded server. Looks only, starts nothing.
 */
bool localserver_find(struct localserver_choice *choice, const char *mongod, struct error *err);
void localserver_choice_release(struct localserver_choice *choice);

#endif
