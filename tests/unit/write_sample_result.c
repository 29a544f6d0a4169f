/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a sample result file to standard output, for tests of the file as it stands:
 *   write_sample_result every-kind | no-testbed | nothing-measured | ladder FACTOR
 * or its table, or the decimal point of the locale that the program runs under: table | decimal-point */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/table.h"
#include "sample_result.h"

/* Two tests on the rungs 1 to 128; rates are FACTOR times 1000 a thread, and one cell is void. */
static void make_ladder(struct result *result, unsigned factor)
{
    sample_plan(result);
    result->thread_count = 8;
    result->threads = memory_resize(result->threads, 8, sizeof *result->threads);
    for (size_t rung = 0; rung < 8; rung++)
        result->threads[rung] = 1U << rung;
    for (size_t test = 0; test < 2; test++) {
        for (size_t rung = 0; rung < 8; rung++) {
            uint64_t succeeded = test == 1 && rung == 3 ? 0 : (uint64_t)factor * 1000 << rung;
            struct trial_result trial = sample_trial(test, rung, 0, succeeded);
            result_add_trial(result, &trial);
        }
    }
}

static bool make(struct result *result, const char *kind, const char *factor)
{
    if (strcmp(kind, "ladder") == 0) {
        make_ladder(result, factor ? (unsigned)atoi(factor) : 1);
    } else if (strcmp(kind, "nothing-measured") == 0) {
        sample_plan(result);
    } else if (strcmp(kind, "every-kind") == 0 || strcmp(kind, "table") == 0) {
        sample_result(result);
    } else if (strcmp(kind, "no-testbed") == 0) {
        sample_result(result);
        json_decref(result->header);
        result->header = sample_header(true);
    } else {
        return false;
    }
    return true;
}

static bool write_text(const struct result *result, struct error *err)
{
    char *text = result_to_text(result, err);
    bool ok = text && fputs(text, stdout) >= 0;
    free(text);
    return ok;
}

int main(int argc, char **argv)
{
    struct result result;
    struct error err = {0};
    bool ok = true;
    setlocale(LC_ALL, "");
    if (argc == 2 && strcmp(argv[1], "decimal-point") == 0)
        return puts(localeconv()->decimal_point) < 0;
    if (argc < 2 || !make(&result, argv[1], argv[2])) {
        fprintf(stderr, "usage: write_sample_result KIND [FACTOR]\n");
        return 2;
    }
    if (strcmp(argv[1], "table") == 0)
        table_print(&result, 100, stdout);
    else
        ok = write_text(&result, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    result_release(&result);
    return ok ? 0 : 1;
}
