/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/result_reader.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest_file.h"
#include "model/result_header.h"
#include "parse/cell_reader.h"
#include "parse/facts.h"
#include "parse/file_kind.h"
#include "parse/json_pieces.h"
#include "parse/json_value.h"
#include "parse/labels.h"
#include "parse/run_plan.h"
#include "parse/test_reader.h"
#include "parse/trial_errors.h"

#define SIZE_LIMIT ((size_t)1 << 40)

struct file_reading {
    struct deployment *deployment;
    json_t *fingerprints;  /* in the order of the tests */
    json_t *errors;        /* of trials, of all tests */
    const char *what_else; /* the file seems to be instead; NULL: no idea */
    struct cell_findings findings;
};

static bool on_test(void *context, size_t index, json_t *value, struct error *err)
{
    struct file_reading *reading = context;
    struct deployment *deployment = reading->deployment;
    if (deployment->test_count == deployment->test_capacity) {
        deployment->test_capacity = deployment->test_capacity ? deployment->test_capacity * 2 : 128;
        deployment->tests = memory_resize(deployment->tests, deployment->test_capacity, sizeof *deployment->tests);
    }
    struct test_data *test = &deployment->tests[deployment->test_count++];
    *test = (struct test_data){0};
    if (test_read(value, test, &reading->findings, err))
        return true;
    char step[24];
    snprintf(step, sizeof step, "%zu", index);
    error_prefix_path(err, step);
    error_prefix_path(err, "results");
    return false;
}

static bool check_format(const json_t *value, struct error *err)
{
    json_int_t format = json_integer_value(value);
    if (format >= 1 && format <= RESULT_FORMAT)
        return true;
    if (format > RESULT_FORMAT)
        error_set(err,
                  "/format: %" JSON_INTEGER_FORMAT ", but version " PACKAGE_VERSION
                  " reads formats up to %d; use the version that goes with the benchrun that wrote the file",
                  format, RESULT_FORMAT);
    else
        error_set(err, "/format: expected a whole number from 1");
    return false;
}

static void take_start(struct file_reading *reading, json_t *value)
{
    json_set_text(&reading->deployment->start, value);
}

static void take_end(struct file_reading *reading, json_t *value)
{
    json_set_text(&reading->deployment->end, value);
}

static void take_command_line(struct file_reading *reading, json_t *value)
{
    json_set_text(&reading->deployment->command_line, value);
}

static void take_complete(struct file_reading *reading, json_t *value)
{
    reading->deployment->tells_end = true;
    reading->deployment->interrupted = reading->deployment->interrupted || json_is_false(value);
}

static void take_interrupted(struct file_reading *reading, json_t *value)
{
    reading->deployment->tells_end = true;
    reading->deployment->interrupted = reading->deployment->interrupted || json_is_true(value);
}

static void take_unmeasured(struct file_reading *reading, json_t *value)
{
    run_plan_read_unmeasured(&reading->deployment->plan, value);
}

static void take_options(struct file_reading *reading, json_t *value)
{
    run_plan_read_options(&reading->deployment->plan, value);
    facts_add_member(&reading->deployment->facts, "options", value);
}

static void take_skipped(struct file_reading *reading, json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *item = json_array_get(value, i);
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *tag = json_string_value(json_object_get(item, "tag"));
        if (name)
            fact_list_add(&reading->deployment->skipped, name, tag ? tag : "");
    }
}

static void take_fingerprints(struct file_reading *reading, json_t *value)
{
    reading->fingerprints = json_incref(value);
}

static void take_errors(struct file_reading *reading, json_t *value)
{
    reading->errors = json_incref(value);
}

static void take_run_id(struct file_reading *reading, json_t *value)
{
    json_set_text(&reading->deployment->run_id, value);
}

/* Of the top level; all others are facts about the testbed. */
static const struct {
    const char *name;
    void (*take)(struct file_reading *reading, json_t *value);
} members[] = {
    {"start", take_start},
    {"run_start_time", take_start},
    {"end", take_end},
    {"run_end_time", take_end},
    {"command_line", take_command_line},
    {"complete", take_complete},
    {"interrupted", take_interrupted},
    {"unmeasured", take_unmeasured},
    {"options", take_options},
    {"skipped", take_skipped},
    {"fingerprints", take_fingerprints},
    {"errors", take_errors},
    {"run_id", take_run_id},
};

static void take_member(struct file_reading *reading, const char *name, json_t *value)
{
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        if (strcmp(members[i].name, name) == 0) {
            members[i].take(reading, value);
            return;
        }
    }
    facts_add_member(&reading->deployment->facts, name, value);
}

static bool on_member(void *context, const char *name, json_t *value, struct error *err)
{
    struct file_reading *reading = context;
    if (strcmp(name, "results") == 0) {
        error_set(err, "/results: expected an array, got %s", json_kind_name(value));
        return false;
    }
    if (strcmp(name, "format") == 0)
        return check_format(value, err);
    if (!reading->what_else)
        reading->what_else = file_kind_of_member(name);
    take_member(reading, name, value);
    return true;
}

static void apply_fingerprints(struct file_reading *reading)
{
    struct deployment *deployment = reading->deployment;
    for (size_t i = 0; i < deployment->test_count; i++)
        json_set_text(&deployment->tests[i].fingerprint, json_array_get(reading->fingerprints, i));
    json_decref(reading->fingerprints);
}

static void warn_of(struct file_reading *reading, struct cell_finding *finding, const char *what)
{
    if (finding->count > 0)
        message_list_add(&reading->deployment->warnings, "%zu cell%s %s (the first: %s)", finding->count,
                         finding->count == 1 ? "" : "s", what, finding->first);
    free(finding->first);
}

static bool read_pieces(struct file_reading *reading, const char *text, size_t size, struct error *err)
{
    struct json_pieces_reader pieces = {.array = "results",
                                        .thinning = {.array = "trials", .members = cell_trial_members},
                                        .context = reading,
                                        .member = on_member,
                                        .element = on_test};
    if (!file_kind_check(text, size, err))
        return false;
    bool ok = json_pieces_read(text, size, &pieces, err);
    if (!pieces.array_found && reading->what_else) {
        error_init(err); /* it matters more than a mistake in there */
        error_set(err, "is %s, expected a result file of benchrun or mongo-perf", reading->what_else);
    } else if (!pieces.array_found) {
        error_set(err, "there is no member \"results\"; expected a result file of benchrun or mongo-perf");
    }
    return ok && pieces.array_found;
}

bool result_reader_read_text(const char *text, size_t size, struct deployment *deployment, struct error *err)
{
    struct file_reading reading = {.deployment = deployment};
    *deployment = (struct deployment){0};
    bool ok = read_pieces(&reading, text, size, err);
    apply_fingerprints(&reading);
    trial_errors_apply(reading.errors, deployment);
    json_decref(reading.errors);
    facts_hide_run(&deployment->facts, deployment->run_id);
    deployment_number_tests(deployment);
    warn_of(&reading, &reading.findings.refused, "left out for an impossible number");
    warn_of(&reading, &reading.findings.claimed, "with a mean that its values do not give; the values are used");
    if (deployment->interrupted)
        message_list_add(&deployment->warnings, "the run was cut short: it holds only a part of what was planned");
    if (ok && deployment->test_count == 0)
        message_list_add(&deployment->warnings, "it holds no test case");
    return ok;
}

static bool read_file(const char *path, struct buffer *text, struct error *err)
{
    if (!file_is_folder(path))
        return nearest_file_check(path, err) && file_read(path, SIZE_LIMIT, text, err);
    error_set(err, "%s: is a folder, expected a file; name the result files in it", path);
    return false;
}

static void prefix_warnings(struct message_list *warnings, const char *name)
{
    for (size_t i = 0; i < warnings->count; i++) {
        char *whole = memory_printf("%s: %s", name, warnings->items[i]);
        free(warnings->items[i]);
        warnings->items[i] = whole;
    }
}

bool result_reader_read(const char *path, const char *label, struct deployment *deployment, struct error *err)
{
    struct buffer text = {0};
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    *deployment = (struct deployment){0};
    bool ok = is_stdin ? file_read_descriptor(STDIN_FILENO, name, SIZE_LIMIT, &text, err) : read_file(path, &text, err);
    if (ok) {
        ok = result_reader_read_text((const char *)text.data, text.size, deployment, err);
        if (!ok)
            error_prefix(err, "%s", name);
        prefix_warnings(&deployment->warnings, name);
    }
    deployment->path = memory_strdup(name);
    deployment->label = label ? memory_strdup(label) : labels_of_path(name);
    buffer_release(&text);
    return ok;
}
