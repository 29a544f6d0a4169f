/* SPDX-License-Identifier: Apache-2.0 */
#include "preflight_command.h"

#include <jansson.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "engine/preflight.h"
#include "model/text.h"

static const char *state_name(enum preflight_state state)
{
    return state == PREFLIGHT_GOOD ? "good" : state == PREFLIGHT_BAD ? "bad" : "unknown";
}

static void print_json(const struct preflight *preflight, FILE *out)
{
    json_t *checks = json_array();
    for (size_t i = 0; i < preflight->count; i++) {
        const struct preflight_check *check = &preflight->checks[i];
        json_array_append_new(checks, json_pack("{s:s, s:s, s:o}", "name", check->name, "state",
                                                state_name(check->state), "text", text_to_json(check->text)));
    }
    json_t *object = json_pack("{s:b, s:o}", "good", preflight_is_good(preflight), "checks", checks);
    json_dumpf(object, out, JSON_INDENT(4) | JSON_ENSURE_ASCII);
    fputc('\n', out);
    json_decref(object);
}

static void print_text(const struct preflight *preflight, FILE *out)
{
    for (size_t i = 0; i < preflight->count; i++) {
        const struct preflight_check *check = &preflight->checks[i];
        char *before = memory_printf("%-7s  %-11s  ", state_name(check->state), check->name);
        text_print_lines(out, before, check->text);
        free(before);
    }
}

static void print(const struct preflight *preflight, bool as_json, FILE *out)
{
    if (as_json)
        print_json(preflight, out);
    else
        print_text(preflight, out);
}

bool preflight_print(struct target *target, const struct run_options *options, uint64_t bytes, bool as_json, FILE *out)
{
    struct preflight preflight;
    preflight_init(&preflight, target, options, bytes);
    print(&preflight, as_json, out);
    bool good = preflight_is_good(&preflight);
    preflight_release(&preflight);
    return good;
}

void preflight_print_unreachable(const char *message, bool as_json, FILE *out)
{
    struct preflight preflight = {.checks = {{"connection", PREFLIGHT_BAD, memory_strdup(message)}}, .count = 1};
    print(&preflight, as_json, out);
    preflight_release(&preflight);
}
