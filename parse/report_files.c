/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "parse/gnuplot.h"
#include "parse/plot_script.h"
#include "parse/report.h"

static char *title_of(const struct dataset *dataset)
{
    struct buffer text = {0};
    for (size_t d = 0; d < dataset->count; d++)
        buffer_append_printf(&text, "%s%s", d ? ", " : "Benchmark report: ", dataset->items[d].label);
    char *title = memory_strdup(buffer_text(&text));
    buffer_release(&text);
    return title;
}

static bool write_report(const struct report_data *data, const struct report_plots *plots, bool is_html,
                         const struct out_folder *folder, struct error *err)
{
    struct document document;
    char *title = title_of(&data->dataset);
    document_begin(&document, is_html, title);
    report_write(data, plots, &document);
    document_end(&document);
    bool ok = out_folder_write(folder, is_html ? "report.html" : "report.md", &document.out, err);
    buffer_release(&document.out);
    free(title);
    return ok;
}

/* The plots that lie beside a Markdown report. */
struct beside {
    const struct report_data *data;
    const struct out_folder *folder;
    struct plot_target target;
};

static void add_file(const struct beside *beside, const char *file, const char *text, struct document *document)
{
    if (faccessat(beside->folder->fd, file, F_OK, 0) == 0)
        document_picture(document, file, text);
}

static void add_overview_files(void *context, struct document *document)
{
    const struct beside *beside = context;
    size_t pages = plot_script_overview_pages(beside->data);
    for (size_t page = 1; page <= pages; page++) {
        char *file = plot_script_overview_output(page, beside->target.extension);
        add_file(beside, file, "all test cases", document);
        free(file);
    }
}

static void add_test_files(void *context, size_t row, struct document *document)
{
    const struct beside *beside = context;
    for (size_t kind = 0; kind < PLOT_KINDS; kind++) {
        char *file = plot_script_output(beside->data->files[row], (enum plot_kind)kind, &beside->target);
        add_file(beside, file, plot_kind_names[kind], document);
        free(file);
    }
}

bool report_files_markdown(const struct report_data *data, const struct out_folder *folder, const char *extension,
                           struct error *err)
{
    struct beside beside = {data, folder, {.extension = extension}};
    struct report_plots plots = {&beside, add_overview_files, add_test_files};
    return write_report(data, &plots, false, folder, err);
}

/* The plots that become part of an HTML report: a job a test, then one a page of the overview. */
struct inside {
    const struct report_data *data;
    struct gnuplot_job *jobs;
    size_t count;
};

static void make_jobs(struct inside *inside, const char *bodies)
{
    static const bool all[PLOT_KINDS] = {true, true, true, true};
    const struct report_data *data = inside->data;
    struct plot_target target = {.terminal = "svg", .extension = "svg", .folder = bodies, .to_stdout = true};
    size_t pages = plot_script_overview_pages(data), first = 0;
    inside->count = data->pairing.count + pages;
    inside->jobs = memory_zeroed(inside->count + 1, sizeof *inside->jobs);
    for (size_t i = 0; i < data->pairing.count; i++) {
        inside->jobs[i].name = data->pairing.rows[i].title;
        plot_script_write(data, i, &target, all, &inside->jobs[i].script);
    }
    for (size_t page = 0; page < pages; page++) {
        struct gnuplot_job *job = &inside->jobs[data->pairing.count + page];
        job->name = "overview";
        plot_script_write_overview(data, &target, "", &first, &job->script);
    }
}

static void release_jobs(struct inside *inside)
{
    for (size_t i = 0; i < inside->count; i++) {
        buffer_release(&inside->jobs[i].script);
        buffer_release(&inside->jobs[i].output);
    }
    free(inside->jobs);
}

/* Each picture of a job's output from its <svg to its </svg>: what stands before it is not for the inside of HTML. */
static void add_svgs(struct gnuplot_job *job, struct document *document)
{
    static const char end_mark[] = "</svg>";
    const char *at = buffer_text(&job->output), *end;
    while (!job->failed && (at = strstr(at, "<svg")) && (end = strstr(at, end_mark))) {
        end += sizeof end_mark - 1;
        document_svg(document, at, (size_t)(end - at));
        at = end;
    }
}

static void add_overview_svgs(void *context, struct document *document)
{
    struct inside *inside = context;
    for (size_t i = inside->data->pairing.count; i < inside->count; i++)
        add_svgs(&inside->jobs[i], document);
}

static void add_test_svgs(void *context, size_t row, struct document *document)
{
    struct inside *inside = context;
    if (inside->jobs)
        add_svgs(&inside->jobs[row], document);
}

bool report_files_html(const struct report_data *data, const struct out_folder *folder, const char *bodies,
                       struct message_list *errors, struct error *err)
{
    struct inside inside = {.data = data};
    struct report_plots plots = {&inside, add_overview_svgs, add_test_svgs};
    if (bodies) {
        make_jobs(&inside, bodies);
        gnuplot_run(inside.jobs, inside.count, errors);
    }
    bool ok = write_report(data, &plots, true, folder, err);
    release_jobs(&inside);
    return ok;
}
