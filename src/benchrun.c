/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/message.h"
#include "benchrun_cli.h"
#include "cli_help.h"
#include "engine/check.h"
#include "engine/limits.h"
#include "engine/target.h"
#include "exit_status.h"
#include "list.h"
#include "model/select.h"
#include "run_command.h"
#include "version.h"

struct program {
    struct benchrun_cli cli;
    struct testcase_set set;
    size_t *selected;
    size_t selected_count;
};

static bool parse(struct program *program, int argc, char **argv)
{
    struct message_list errors;
    message_list_init(&errors);
    bool ok = benchrun_cli_parse(&program->cli, argc, argv, &errors);
    message_list_print("note: ", &program->cli.notes);
    message_list_print("warning: ", &program->cli.warnings);
    message_list_print("", &errors);
    return ok;
}

/* Every file is read, so that all that is wrong is said at once. */
static bool load(struct program *program)
{
    const struct run_options *options = &program->cli.run;
    struct message_list errors, warnings;
    message_list_init(&errors);
    message_list_init(&warnings);
    for (size_t i = 0; i < options->file_count; i++)
        testcase_set_load(&program->set, options->files[i], options->seed, &errors, &warnings);
    testcase_set_check_names(&program->set, &errors);
    bool ok = errors.count == 0;
    message_list_print("warning: ", &warnings);
    message_list_print("", &errors);
    return ok;
}

static bool select_some(struct program *program)
{
    const struct run_options *options = &program->cli.run;
    struct error err;
    struct message_list notes;
    error_init(&err);
    message_list_init(&notes);
    if (!select_tests(&program->set, options, &program->selected, &program->selected_count, &notes, &err))
        message_print("", "%s", err.message);
    message_list_print("note: ", &notes);
    return !err.is_set;
}

/* `count` tests: those at `indices`, or with NULL the first ones. */
static bool check(const struct program *program, const size_t *indices, size_t count)
{
    const struct run_options *options = &program->cli.run;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        struct error err;
        error_init(&err);
        if (check_test(&program->set.items[indices ? indices[i] : i], limits_connections(options), options->seed, &err))
            continue;
        message_print("", "%s", err.message);
        ok = false;
    }
    return ok;
}

static void print_about(const struct program *program, FILE *out)
{
    if (program->cli.help)
        cli_help_print(out);
    else if (program->cli.usage)
        cli_help_print_usage(out);
    else
        version_print(out);
}

static void print_check(const struct program *program, FILE *out)
{
    size_t tests = program->set.count, files = program->cli.run.file_count;
    fprintf(out, "%zu test%s in %zu file%s %s good\n", tests, tests == 1 ? "" : "s", files, files == 1 ? "" : "s",
            tests == 1 ? "is" : "are");
}

static void print_list(const struct program *program, FILE *out)
{
    if (program->cli.list_as_json)
        list_print_json(&program->set, program->selected, program->selected_count, out);
    else
        list_print(&program->set, program->selected, program->selected_count, out);
}

/* What was to be read by another program and did not get there is no success. One that has left (| head) has what it
 * wanted: nobody is told. */
static int write_data(const char *text, size_t size)
{
    struct error err;
    error_init(&err);
    if (file_write_all(STDOUT_FILENO, "standard output", text, size, &err))
        return EXIT_GOOD;
    if (errno != EPIPE)
        message_print("", "%s", err.message);
    return EXIT_COULD_NOT_RUN;
}

static int print_data(const struct program *program, void (*print)(const struct program *program, FILE *out))
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    print(program, out);
    fclose(out);
    int code = write_data(text, size);
    free(text);
    return code;
}

static int preflight(struct program *program)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    int code = run_command_preflight(&program->cli.run, &program->set, program->selected, program->selected_count,
                                     program->cli.list_as_json, out);
    fclose(out);
    int written = write_data(text, size);
    free(text);
    return code == EXIT_GOOD ? written : code;
}

static int carry_out(struct program *program, int argc, char **argv)
{
    if (!parse(program, argc, argv)) {
        /* What is wrong in the files that are there is said along. */
        if (program->cli.files_missing)
            load(program);
        return EXIT_USAGE;
    }
    if (program->cli.help || program->cli.usage || program->cli.version)
        return print_data(program, print_about);
    if (program->cli.preflight && program->cli.run.file_count == 0)
        return preflight(program);
    if (!load(program))
        return EXIT_USAGE;
    if (program->cli.check)
        return check(program, NULL, program->set.count) ? print_data(program, print_check) : EXIT_USAGE;
    if (!select_some(program))
        return EXIT_USAGE;
    if (program->cli.list)
        return print_data(program, print_list);
    if (!check(program, program->selected, program->selected_count))
        return EXIT_USAGE;
    if (program->cli.preflight)
        return preflight(program);
    return run_command(&program->cli.run, &program->set, program->selected, program->selected_count);
}

int main(int argc, char **argv)
{
    struct program program = {0};
    file_fill_standard_descriptors();
    interrupt_install();
    limits_spare_addresses();
    target_library_init();
    int code = carry_out(&program, argc, argv);
    free(program.selected);
    testcase_set_release(&program.set);
    benchrun_cli_release(&program.cli);
    target_library_cleanup();
    interrupt_raise_again();
    return code;
}
