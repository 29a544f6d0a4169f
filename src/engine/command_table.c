/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/command_table.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "engine/effects.h"

static const char unknowable[] = "what it writes is not known before it has run";
static const char others[] = "it takes along what benchrun did not make; name the collections instead";

static const struct command_row rows[] = {
    {"insert", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"update", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"delete", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"findAndModify", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"findandmodify", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"bulkWrite", COMMAND_BULK, EFFECT_WRITES, NULL},
    {"aggregate", COMMAND_AGGREGATE, 0, NULL},
    {"mapReduce", COMMAND_MAP_REDUCE, EFFECT_MAKES, NULL},
    {"mapreduce", COMMAND_MAP_REDUCE, EFFECT_MAKES, NULL},
    {"explain", COMMAND_EXPLAIN, 0, NULL},

    {"create", COMMAND_OWN, EFFECT_MAKES, NULL},
    {"drop", COMMAND_OWN, EFFECT_DROPS, NULL},
    {"renameCollection", COMMAND_RENAME, 0, NULL},
    {"cloneCollectionAsCapped", COMMAND_CAPPED, EFFECT_MAKES, NULL},
    {"convertToCapped", COMMAND_OWN, EFFECT_WRITES | EFFECT_MAKES, NULL},
    {"collMod", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"createIndexes", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"dropIndexes", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"deleteIndexes", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"reIndex", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"compact", COMMAND_OWN, EFFECT_WRITES, NULL},
    {"validate", COMMAND_OWN, EFFECT_WRITES, NULL}, /* with "repair" or "fixMultikey" */
    {"shardCollection", COMMAND_FULL, EFFECT_WRITES, NULL},
    {"enableSharding", COMMAND_READS, 0, NULL},

    {"buildInfo", COMMAND_READS, 0, NULL},
    {"buildinfo", COMMAND_READS, 0, NULL},
    {"collStats", COMMAND_READS, 0, NULL},
    {"collstats", COMMAND_READS, 0, NULL},
    {"connectionStatus", COMMAND_READS, 0, NULL},
    {"count", COMMAND_READS, 0, NULL},
    {"currentOp", COMMAND_READS, 0, NULL},
    {"dataSize", COMMAND_READS, 0, NULL},
    {"datasize", COMMAND_READS, 0, NULL},
    {"dbStats", COMMAND_READS, 0, NULL},
    {"dbstats", COMMAND_READS, 0, NULL},
    {"distinct", COMMAND_READS, 0, NULL},
    {"find", COMMAND_READS, 0, NULL},
    {"fsync", COMMAND_FSYNC, 0, NULL},
    {"geoNear", COMMAND_READS, 0, NULL},
    {"geoSearch", COMMAND_READS, 0, NULL},
    {"getCmdLineOpts", COMMAND_READS, 0, NULL},
    {"getLastError", COMMAND_READS, 0, NULL},
    {"getlasterror", COMMAND_READS, 0, NULL},
    {"getMore", COMMAND_READS, 0, NULL},
    {"getParameter", COMMAND_READS, 0, NULL},
    {"group", COMMAND_READS, 0, NULL},
    {"hello", COMMAND_READS, 0, NULL},
    {"hostInfo", COMMAND_READS, 0, NULL},
    {"isMaster", COMMAND_READS, 0, NULL},
    {"ismaster", COMMAND_READS, 0, NULL},
    {"listCollections", COMMAND_READS, 0, NULL},
    {"listCommands", COMMAND_READS, 0, NULL},
    {"listDatabases", COMMAND_READS, 0, NULL},
    {"listIndexes", COMMAND_READS, 0, NULL},
    {"notExist", COMMAND_READS, 0, NULL}, /* a test of mongo-perf measures how fast it is refused */
    {"parallelCollectionScan", COMMAND_READS, 0, NULL},
    {"ping", COMMAND_READS, 0, NULL},
    {"planCacheClear", COMMAND_READS, 0, NULL},
    {"replSetGetStatus", COMMAND_READS, 0, NULL},
    {"serverStatus", COMMAND_READS, 0, NULL},
    {"setParameter", COMMAND_READS, 0, NULL}, /* changes the server, and no collection */
    {"top", COMMAND_READS, 0, NULL},
    {"touch", COMMAND_READS, 0, NULL},
    {"whatsmyuri", COMMAND_READS, 0, NULL},

    {"$eval", COMMAND_REFUSED, 0, unknowable},
    {"applyOps", COMMAND_REFUSED, 0, unknowable},
    {"clone", COMMAND_REFUSED, 0, unknowable},
    {"cloneCollection", COMMAND_REFUSED, 0, unknowable},
    {"copydb", COMMAND_REFUSED, 0, unknowable},
    {"doTxn", COMMAND_REFUSED, 0, unknowable},
    {"eval", COMMAND_REFUSED, 0, unknowable},
    {"dropDatabase", COMMAND_REFUSED, 0, others},
    {"repairDatabase", COMMAND_REFUSED, 0, others},
};

enum { ROW_COUNT = COUNT_OF(rows) };

const struct command_row *command_table_find(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

const struct command_row *command_table_row(unsigned number)
{
    return number < ROW_COUNT ? &rows[number] : NULL;
}
