/* SPDX-License-Identifier: Apache-2.0 */
/* command URI DATABASE JSON: runs the command and prints the reply as Relaxed Extended JSON; exit 1 when it says no. */
#include <bson/bson.h>
#include <mongoc/mongoc.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: command URI DATABASE JSON\n", stderr);
        return 2;
    }
    mongoc_init();
    bson_error_t error = {0};
    mongoc_client_t *client = mongoc_client_new(argv[1]);
    bson_t *command = bson_new_from_json((const uint8_t *)argv[3], -1, &error), reply;
    if (!client || !command) {
        fprintf(stderr, "command: cannot use %s or %s: %s\n", argv[1], argv[3], error.message);
        return 2;
    }
    bool ok = mongoc_client_command_simple(client, argv[2], command, NULL, &reply, &error);
    char *text = bson_as_relaxed_extended_json(&reply, NULL);
    puts(text);
    if (!ok)
        fprintf(stderr, "command: %s\n", error.message);
    bson_free(text);
    bson_destroy(&reply);
    bson_destroy(command);
    mongoc_client_destroy(client);
    mongoc_cleanup();
    return ok ? 0 : 1;
}
