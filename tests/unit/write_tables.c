/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a table of the programs for scripted tests, which compare it with manuals, --help and completions. */
#include <stdio.h>
#include <string.h>

#include "cli_options.h"
#include "engine/localserver_find.h"
#include "exit_status.h"
#include "model/uri_option.h"
#include "parse/compare.h"

/* "--testfiles f"; "0" for an option without a letter. */
static void write_options(void)
{
    for (size_t i = 0; i < cli_option_count; i++)
        printf("%s %c\n", cli_options[i].name, cli_options[i].letter ? cli_options[i].letter : '0');
}

/* "appName used", "slaveOk unused". Another name of an option is as useful as the option. */
static void write_uri_options(void)
{
    for (size_t i = 0; i < uri_option_count; i++) {
        const char *name = uri_option_table[i].name;
        printf("%s %s\n", name, uri_option_find((struct uri_span){name, strlen(name)})->unused ? "unused" : "used");
    }
}

/* "0|meaning|..." and "0|cause|...". */
static void write_exit_statuses(void)
{
    for (int code = 0; code <= EXIT_CELLS_BAD; code++) {
        printf("%d|meaning|%s\n", code, exit_statuses[code].meaning);
        for (size_t i = 0; i < EXIT_CAUSES_MAX && exit_statuses[code].causes[i]; i++)
            printf("%d|cause|%s\n", code, exit_statuses[code].causes[i]);
    }
}

static void write_verdicts(void)
{
    for (int evidence = 0; evidence < EVIDENCE_COUNT; evidence++)
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            puts(verdict_names[evidence][verdict]);
}

static void write_embedded_version(void)
{
    puts(LOCALSERVER_EMBEDDED_VERSION);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } tables[] = {
        {"options", write_options},
        {"uri-options", write_uri_options},
        {"exit-statuses", write_exit_statuses},
        {"verdicts", write_verdicts},
        {"embedded-version", write_embedded_version},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (argc == 2 && strcmp(argv[1], tables[i].name) == 0) {
            tables[i].write();
            return 0;
        }
    }
    fputs("usage: write_tables TABLE\n", stderr);
    return 2;
}
