/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "parse/gnuplot.h"
#include "parse/plot_script.h"

#define BODY_LIMIT 65536

static const char *const bodies_names[] = {"common",   "latency", "linear_axis", "log_axis",
                                           "overview", "ratio",   "scaling",     "throughput"};

static char *folder_if_there(char *folder)
{
    char *file = file_join(folder, "common.gp");
    bool is_there = file_is_regular(file);
    free(file);
    if (is_there)
        return folder;
    free(folder);
    return NULL;
}

/* plots/ in the folder above the program's, or in its own: a build folder inside the source folder, or the same. */
static char *folder_beside_program(void)
{
    char *program = realpath("/proc/self/exe", NULL);
    char *slash = program ? strrchr(program, '/') : NULL;
    char *found = NULL;
    if (slash) {
        *slash = '\0';
        found = folder_if_there(memory_printf("%s/../plots", program));
        if (!found)
            found = folder_if_there(memory_printf("%s/plots", program));
    }
    free(program);
    return found;
}

char *plots_folder(struct error *err)
{
    const char *named = getenv("BENCHRUN_DATADIR");
    const char *data = named && *named ? named : BENCHRUN_DATADIR;
    char *found = folder_if_there(file_join(data, "plots"));
    if (!found)
        found = folder_beside_program();
    if (!found)
        error_set(err,
                  "%s/plots: the bodies of the plots are not there; set BENCHRUN_DATADIR to the folder with plots/",
                  data);
    return found;
}

static bool copy_body(const char *bodies, const char *name, const struct out_folder *folder, struct error *err)
{
    struct buffer text = {0};
    char *file = memory_printf("%s.gp", name), *path = file_join(bodies, file);
    bool ok = file_read(path, BODY_LIMIT, &text, err) && out_folder_write(folder, file, &text, err);
    buffer_release(&text);
    free(path);
    free(file);
    return ok;
}

/* Beside the scripts, so that a report can be drawn again wherever it is taken to. */
static bool copy_bodies(const char *bodies, const struct out_folder *report, struct error *err)
{
    struct out_folder folder;
    char *path = file_join(report->path, "plots");
    bool ok = out_folder_open(&folder, path, err);
    for (size_t i = 0; ok && i < sizeof bodies_names / sizeof *bodies_names; i++)
        ok = copy_body(bodies, bodies_names[i], &folder, err);
    out_folder_close(&folder);
    free(path);
    return ok;
}

static bool has_any(const struct report_data *data, const struct pairing_row *row)
{
    for (size_t kind = 0; kind < PLOT_KINDS; kind++)
        if (plot_script_has(data, row, (enum plot_kind)kind))
            return true;
    return false;
}

/* An older plot must not stand there as if it were this one's. */
static bool clear_outputs(const struct report_data *data, size_t row, const struct plot_target *target,
                          const struct out_folder *folder, struct error *err)
{
    bool ok = true;
    for (size_t kind = 0; ok && kind < PLOT_KINDS; kind++) {
        char *output = plot_script_output(data->files[row], (enum plot_kind)kind, target);
        ok = out_folder_clear(folder, output, err);
        free(output);
    }
    return ok;
}

static bool write_script(const struct report_data *data, size_t row, const struct plot_target *target,
                         const struct out_folder *folder, const char *name, struct error *err)
{
    static const bool all[PLOT_KINDS] = {true, true, true, true};
    struct buffer script = {0};
    plot_script_write(data, row, target, all, &script);
    bool ok = clear_outputs(data, row, target, folder, err) && out_folder_write(folder, name, &script, err);
    buffer_release(&script);
    return ok;
}

static bool write_scripts(const struct report_data *data, const struct plot_target *target,
                          const struct out_folder *folder, char **names, size_t *count, struct message_list *notes,
                          struct error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < data->pairing.count; i++) {
        if (!has_any(data, &data->pairing.rows[i])) {
            message_list_add(notes, "%s: no number, so no plot", data->pairing.rows[i].title);
            continue;
        }
        names[*count] = memory_printf("%s.gp", data->files[i]);
        ok = write_script(data, i, target, folder, names[(*count)++], err);
    }
    return ok;
}

/* "overview", "overview+2", ...: pages of small plots. */
static bool write_overviews(const struct report_data *data, const struct plot_target *target,
                            const struct out_folder *folder, char ***names, size_t *count, struct error *err)
{
    bool ok = true;
    size_t first = 0;
    for (unsigned page = 1; ok; page++) {
        struct buffer script = {0};
        char *base = page == 1 ? memory_strdup("overview") : memory_printf("overview+%u", page);
        char *output = memory_printf("%s.%s", base, target->extension), *name = memory_printf("%s.gp", base);
        bool is_page = plot_script_write_overview(data, target, output, &first, &script);
        ok = out_folder_clear(folder, output, err) && (!is_page || out_folder_write(folder, name, &script, err));
        if (is_page) {
            *names = memory_resize(*names, *count + 1, sizeof **names);
            (*names)[(*count)++] = memory_strdup(name);
        }
        free(base);
        free(output);
        free(name);
        buffer_release(&script);
        if (!is_page)
            break;
    }
    return ok;
}

bool plots_make(const struct report_data *data, const struct out_folder *folder, const char *bodies,
                const char *terminal, bool run, struct message_list *notes, struct message_list *errors,
                struct error *err)
{
    struct plot_target target = {.terminal = terminal,
                                 .extension = strcmp(terminal, "dumb") == 0 ? "txt" : terminal,
                                 .folder = "plots",
                                 .columns = 100,
                                 .lines = 30};
    size_t count = 0;
    char **names = memory_zeroed(data->pairing.count + 1, sizeof *names);
    bool ok = copy_bodies(bodies, folder, err) && write_scripts(data, &target, folder, names, &count, notes, err);
    /* A terminal of characters has no room for small plots. */
    if (strcmp(terminal, "dumb") != 0)
        ok = ok && write_overviews(data, &target, folder, &names, &count, err);
    if (ok && run && gnuplot_is_there())
        gnuplot_run_files(folder->path, names, count, errors);
    else if (ok && run)
        message_list_add(notes, "gnuplot is not on PATH: there are no plots; with it: cd %s && gnuplot *.gp",
                         folder->path);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return ok;
}

/* As wide as the terminal, and about as high as one sees at a time. */
static struct plot_target preview_target(const char *bodies)
{
    struct winsize size = {0};
    bool is_terminal = isatty(STDOUT_FILENO);
    struct plot_target target = {.terminal = "dumb", .folder = bodies, .columns = 79, .lines = 24, .to_stdout = true};
    if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
        target.columns = size.ws_col - 1U;
        target.lines = size.ws_row < 12 ? 12 : size.ws_row > 30 ? 30 : size.ws_row;
    }
    const char *no_colour = getenv("NO_COLOR");
    target.colour = is_terminal && !(no_colour && *no_colour);
    return target;
}

void plots_preview(const struct report_data *data, const char *bodies, struct message_list *notes,
                   struct message_list *errors)
{
    static const bool throughput[PLOT_KINDS] = {[PLOT_THROUGHPUT] = true};
    struct plot_target target = preview_target(bodies);
    if (!gnuplot_is_there()) {
        message_list_add(notes, "gnuplot is not on PATH: nothing can be drawn here");
        return;
    }
    for (size_t i = 0; i < data->pairing.count; i++) {
        struct buffer script = {0};
        struct error err = {0};
        plot_script_write(data, i, &target, throughput, &script);
        if (!plot_script_has(data, &data->pairing.rows[i], PLOT_THROUGHPUT))
            message_list_add(notes, "%s: no number, so no plot", data->pairing.rows[i].title);
        else if (!gnuplot_run_text(data->pairing.rows[i].title, &script, &err))
            message_list_add(errors, "%s", err.message);
        buffer_release(&script);
    }
}
