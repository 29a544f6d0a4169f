/* SPDX-License-Identifier: Apache-2.0 */
#include "run_command.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/message.h"
#include "base/terminal.h"
#include "engine/localserver.h"
#include "engine/open.h"
#include "engine/run.h"
#include "engine/target.h"
#include "exit_status.h"
#include "model/journal.h"
#include "model/table.h"
#include "preflight_command.h"
#include "progress.h"

static int exit_code_of(const struct result *result)
{
    struct result_summary summary;
    result_summarise(result, &summary);
    bool bad = summary.void_cells || summary.unprepared_cells || summary.unsupported_cells || summary.cells_with_losses;
    return bad ? EXIT_CELLS_BAD : EXIT_GOOD;
}

static bool measure(const struct run_options *options, struct target *target, const struct testcase_set *set,
                    const size_t *selected, size_t selected_count, struct result_file *file, int *exit_code,
                    struct error *err)
{
    struct progress progress;
    progress_init(&progress, stderr, terminal_is_capable(STDERR_FILENO), terminal_columns(STDERR_FILENO),
                  options->trial_time_ns, clock_mono_ns);
    if (options->print_args)
        progress_print_args(&progress, options, set, selected);
    struct run_listener listener = progress_listener(&progress);
    struct result result;
    result_init(&result);
    bool ok = run_execute(options, target, set, selected, selected_count, &listener, file, &result, err);
    progress_end(&progress);
    if (result.trial_count > 0)
        table_print(&result, terminal_columns(STDERR_FILENO), stderr);
    *exit_code = exit_code_of(&result);
    result_release(&result);
    return ok;
}

/* `context` tells whether it has been said. */
static void tell_outage(const char *reason, int64_t waited_ns, int64_t limit_ns, void *context)
{
    bool *is_told = context;
    (void)waited_ns;
    if (!*is_told)
        message_print("note: ", "waiting for a server that takes writes, %g s at most: %s", clock_seconds(limit_ns),
                      reason);
    *is_told = true;
}

static bool open_target(struct target *target, const struct run_options *options, const char *uri, struct error *err)
{
    bool is_told = false;
    return target_open(target, options, uri, tell_outage, &is_told, err);
}

/* *strays: a thread is left behind. */
static bool measure_at(const struct run_options *options, const char *uri, const struct testcase_set *set,
                       const size_t *selected, size_t selected_count, struct result_file *file, int *exit_code,
                       bool *strays, struct error *err)
{
    struct target target;
    if (!open_target(&target, options, uri, err))
        return false;
    message_list_print("warning: ", &target.warnings);
    bool ok = measure(options, &target, set, selected, selected_count, file, exit_code, err);
    *strays = !target_close(&target);
    return ok;
}

static bool measure_locally(const struct run_options *options, const struct testcase_set *set, const size_t *selected,
                            size_t selected_count, struct result_file *file, int *exit_code, bool *strays,
                            struct error *err)
{
    struct localserver *server = localserver_start(options->mongod, options->local_members, err);
    if (!server)
        return false;
    bool ok = measure_at(options, localserver_uri(server), set, selected, selected_count, file, exit_code, strays, err);
    localserver_stop(server);
    return ok;
}

/* Nothing is taken down that a thread may still use which has not come back from a library. */
static _Noreturn void end_at_once(int exit_code)
{
    fflush(NULL);
    interrupt_raise_again();
    _exit(exit_code);
}

int run_command(const struct run_options *options, const struct testcase_set *set, const size_t *selected,
                size_t selected_count)
{
    struct error err;
    error_init(&err);
    int exit_code = EXIT_COULD_NOT_RUN;
    bool strays = false;
    struct result_file file;
    bool ok = result_file_open(&file, options->out, options->force, &err) &&
              journal_check_place(result_file_path(&file), &err);
    if (ok && options->local)
        ok = measure_locally(options, set, selected, selected_count, &file, &exit_code, &strays, &err);
    else if (ok)
        ok = measure_at(options, options->uri, set, selected, selected_count, &file, &exit_code, &strays, &err);
    result_file_close(&file);
    if (!ok) {
        message_print("", "%s", err.message);
        exit_code = EXIT_COULD_NOT_RUN;
    }
    if (strays)
        end_at_once(exit_code);
    return exit_code;
}

static bool preflight_at(const struct run_options *options, const char *uri, uint64_t bytes, bool as_json, FILE *out)
{
    struct target target;
    struct error err;
    error_init(&err);
    if (!open_target(&target, options, uri, &err)) {
        preflight_print_unreachable(err.message, as_json, out);
        return false;
    }
    bool good = preflight_print(&target, options, bytes, as_json, out);
    target_close(&target);
    return good;
}

static bool preflight_locally(const struct run_options *options, uint64_t bytes, bool as_json, FILE *out)
{
    struct error err;
    error_init(&err);
    struct localserver *server = localserver_start(options->mongod, options->local_members, &err);
    if (!server) {
        preflight_print_unreachable(err.message, as_json, out);
        return false;
    }
    bool good = preflight_at(options, localserver_uri(server), bytes, as_json, out);
    localserver_stop(server);
    return good;
}

int run_command_preflight(const struct run_options *options, const struct testcase_set *set, const size_t *selected,
                          size_t selected_count, bool as_json, FILE *out)
{
    struct estimate estimate;
    struct error err;
    error_init(&err);
    if (!estimate_run(&estimate, options, set, selected, selected_count, &err)) {
        message_print("", "%s", err.message);
        return EXIT_COULD_NOT_RUN;
    }
    bool good = options->local ? preflight_locally(options, estimate.setup_bytes, as_json, out)
                               : preflight_at(options, options->uri, estimate.setup_bytes, as_json, out);
    return good ? EXIT_GOOD : EXIT_COULD_NOT_RUN;
}
