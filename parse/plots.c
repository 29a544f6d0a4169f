/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "parse/gnuplot.h"
#include "parse/plot_notes.h"
#include "parse/plot_overview.h"
#include "parse/plot_script.h"

#define BODY_LIMIT 65536

static const char *const bodies_names[] = {
    "common",   "latency", "legend", "legend_grid", "legend_size", "linear_axis", "log_axis",
    "overview", "page",    "panel",  "ratio",       "scaling",     "small",       "throughput",
};

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

const char *plots_extension(const char *terminal)
{
    return strcmp(terminal, "dumb") == 0 ? "txt" : terminal;
}

static bool copy_body(const char *bodies, const char *name, struct out_folder *folder, struct error *err)
{
    struct buffer text = {0};
    char *file = memory_printf("%s.gp", name), *path = file_join(bodies, file);
    char *copy = memory_printf(MANIFEST_FOLDER "/%s", file);
    bool ok = file_read(path, BODY_LIMIT, &text, err) && out_folder_write(folder, copy, &text, err);
    buffer_release(&text);
    free(copy);
    free(path);
    free(file);
    return ok;
}

/* Beside the scripts, so that a report can be drawn again wherever it is taken to. */
static bool copy_bodies(const char *bodies, struct out_folder *folder, struct error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < COUNT_OF(bodies_names); i++)
        ok = copy_body(bodies, bodies_names[i], folder, err);
    return ok;
}

/* One job per script, run in the report's folder. */
struct scripts {
    const char *folder;
    struct gnuplot_job *jobs;
    size_t count;
};

/* Takes over the name and the outputs. */
static void add_script(struct scripts *scripts, char *name, char **outputs, size_t output_count)
{
    scripts->jobs = memory_resize(scripts->jobs, scripts->count + 1, sizeof *scripts->jobs);
    scripts->jobs[scripts->count++] = (struct gnuplot_job){
        .name = name, .folder = scripts->folder, .file = name, .outputs = outputs, .output_count = output_count};
}

static void add_test_script(struct scripts *scripts, const struct report_data *data, size_t row,
                            const struct plot_target *target)
{
    char **outputs = memory_zeroed(PLOT_KINDS, sizeof *outputs);
    size_t count = 0;
    for (size_t kind = 0; kind < PLOT_KINDS; kind++)
        if (plot_script_has(data, &data->pairing.rows[row], (enum plot_kind)kind))
            outputs[count++] = plot_script_output(data->files[row], (enum plot_kind)kind, target);
    add_script(scripts, memory_printf("%s.gp", data->files[row]), outputs, count);
}

static void add_overview_script(struct scripts *scripts, size_t page, const struct plot_target *target)
{
    char **outputs = memory_zeroed(1, sizeof *outputs);
    outputs[0] = plot_overview_output(page, target->extension);
    add_script(scripts, plot_overview_output(page, "gp"), outputs, 1);
}

/* The script of the job that was added last, and room for what it draws. */
static bool write_script(const struct scripts *scripts, const struct buffer *script, struct out_folder *folder,
                         struct error *err)
{
    const struct gnuplot_job *job = &scripts->jobs[scripts->count - 1];
    bool ok = out_folder_write(folder, job->file, script, err);
    for (size_t i = 0; ok && i < job->output_count; i++)
        ok = out_folder_make_room(folder, job->outputs[i], err);
    return ok;
}

static bool write_scripts(const struct report_data *data, const struct plot_target *target, struct out_folder *folder,
                          struct scripts *scripts, struct message_list *notes, struct error *err)
{
    static const bool all[PLOT_KINDS] = {true, true, true, true};
    bool ok = true;
    for (size_t i = 0; ok && i < data->pairing.count; i++) {
        if (plot_script_count(data, &data->pairing.rows[i]) == 0) {
            message_list_add(notes, "%s: no number, so no plot", data->pairing.rows[i].title);
            continue;
        }
        struct buffer script = {0};
        add_test_script(scripts, data, i, target);
        plot_script_write(data, i, target, all, &script);
        ok = write_script(scripts, &script, folder, err);
        buffer_release(&script);
    }
    return ok;
}

static bool write_overviews(const struct report_data *data, const struct plot_target *target, struct out_folder *folder,
                            struct scripts *scripts, struct error *err)
{
    bool ok = true;
    size_t first = 0, pages = plot_overview_pages(data);
    for (size_t page = 1; ok && page <= pages; page++) {
        const struct pairing_row *rows[PLOT_OVERVIEW_TESTS];
        size_t count = plot_overview_page(data, &first, rows);
        struct buffer script = {0};
        add_overview_script(scripts, page, target);
        plot_overview_write(data, target, rows, count, scripts->jobs[scripts->count - 1].outputs[0], &script);
        ok = write_script(scripts, &script, folder, err);
        buffer_release(&script);
    }
    return ok;
}

static bool draw(struct scripts *scripts, struct out_folder *folder, unsigned limit_s, struct message_list *errors,
                 struct error *err)
{
    bool ok = true;
    gnuplot_run(scripts->jobs, scripts->count, limit_s, errors);
    for (size_t i = 0; ok && i < scripts->count; i++)
        for (size_t k = 0; ok && k < scripts->jobs[i].output_count; k++)
            ok = out_folder_add(folder, scripts->jobs[i].outputs[k], err);
    return ok;
}

static void release_scripts(struct scripts *scripts)
{
    for (size_t i = 0; i < scripts->count; i++) {
        struct gnuplot_job *job = &scripts->jobs[i];
        for (size_t k = 0; k < job->output_count; k++)
            free(job->outputs[k]);
        free(job->outputs);
        free((char *)(uintptr_t)job->file);
        buffer_release(&job->output);
    }
    free(scripts->jobs);
}

/* The terminals that draw a character that no font has over the whole picture. */
static bool is_of_cairo(const char *terminal)
{
    return strcmp(terminal, "png") == 0 || strcmp(terminal, "pdf") == 0;
}

static struct plot_target file_target(const struct plot_wishes *wishes, const struct font_coverage *fonts)
{
    bool is_dumb = strcmp(wishes->terminal, "dumb") == 0;
    return (struct plot_target){.terminal = wishes->terminal,
                                .extension = plots_extension(wishes->terminal),
                                .folder = MANIFEST_FOLDER,
                                .width = wishes->width ? wishes->width
                                         : is_dumb     ? 100
                                                       : 900,
                                .height = wishes->height ? wishes->height
                                          : is_dumb      ? 30
                                                         : 0,
                                .letters = {is_dumb, fonts}};
}

bool plots_make(const struct report_data *data, struct out_folder *folder, const struct plot_wishes *wishes,
                struct message_list *notes, struct message_list *errors, struct error *err)
{
    struct font_coverage fonts = {0};
    bool needs_fonts = is_of_cairo(wishes->terminal) && plot_notes_need_fonts(data);
    if (needs_fonts)
        font_coverage_init(&fonts);
    plot_notes_add(data, needs_fonts ? &fonts : NULL, notes);
    struct plot_target target = file_target(wishes, needs_fonts ? &fonts : NULL);
    struct scripts scripts = {.folder = folder->path};
    bool ok = copy_bodies(wishes->bodies, folder, err) && write_scripts(data, &target, folder, &scripts, notes, err);
    /* A terminal of characters has no room for small plots. */
    if (!target.letters.is_dumb)
        ok = ok && write_overviews(data, &target, folder, &scripts, err);
    ok = ok && (!wishes->draw || draw(&scripts, folder, wishes->limit_s, errors, err));
    release_scripts(&scripts);
    font_coverage_release(&fonts);
    return ok;
}

/* As wide as the terminal, and about as high as one sees at a time. */
static struct plot_target preview_target(const char *bodies)
{
    struct winsize size = {0};
    bool is_terminal = isatty(STDOUT_FILENO);
    struct plot_target target = {.terminal = "dumb",
                                 .folder = bodies,
                                 .width = 79,
                                 .height = 24,
                                 .to_stdout = true,
                                 .letters = {.is_dumb = true}};
    if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
        target.width = size.ws_col - 1U;
        target.height = size.ws_row < 12 ? 12 : size.ws_row > 30 ? 30 : size.ws_row;
    }
    const char *no_colour = getenv("NO_COLOR");
    target.colour = is_terminal && !(no_colour && *no_colour);
    return target;
}

static void print_previews(struct gnuplot_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!jobs[i].failed)
            fwrite(jobs[i].output.data, 1, jobs[i].output.size, stdout);
        buffer_release(&jobs[i].script);
        buffer_release(&jobs[i].output);
    }
}

void plots_preview(const struct report_data *data, const struct plot_wishes *wishes, struct message_list *errors)
{
    static const bool throughput[PLOT_KINDS] = {[PLOT_THROUGHPUT] = true};
    struct plot_target target = preview_target(wishes->bodies);
    struct gnuplot_job *jobs = memory_zeroed(data->pairing.count + 1, sizeof *jobs);
    size_t count = 0;
    for (size_t i = 0; i < data->pairing.count; i++) {
        if (!plot_script_has(data, &data->pairing.rows[i], PLOT_THROUGHPUT))
            continue;
        jobs[count].name = data->pairing.rows[i].title;
        plot_script_write(data, i, &target, throughput, &jobs[count++].script);
    }
    gnuplot_run(jobs, count, wishes->limit_s, errors);
    print_previews(jobs, count);
    free(jobs);
}
