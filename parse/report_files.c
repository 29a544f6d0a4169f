/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "parse/gnuplot.h"
#include "parse/plot_overview.h"
#include "parse/plot_script.h"
#include "parse/report.h"

#define PLOT_WIDTH 560 /* on a page that is 1100 wide two are beside each other */

static char *title_of(const struct dataset *dataset)
{
    struct buffer text = {0};
    for (size_t d = 0; d < dataset->count; d++)
        buffer_append_printf(&text, "%s%s", d ? ", " : "Benchmark report: ", dataset->items[d].label);
    return buffer_detach(&text);
}

static bool write_report(const struct report_data *data, const struct report_plots *plots, bool is_html,
                         struct out_folder *folder, struct error *err)
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

/* "Insert.Empty: operations per second over threads, of Launcher, GKE"; the caller frees. */
static char *describe(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind)
{
    static const char *const shown[PLOT_KINDS] = {
        [PLOT_THROUGHPUT] = "operations per second over threads",
        [PLOT_LATENCY] = "latency over threads",
        [PLOT_RATIO] = "ratio of operations per second over threads",
        [PLOT_SCALING] = "operations per second for each thread, relative to 1 thread",
    };
    struct buffer text = {0};
    buffer_append_printf(&text, "%s: %s, of ", row->title, shown[kind]);
    for (size_t d = 0; d < data->dataset.count; d++)
        buffer_append_printf(&text, "%s%s", d ? ", " : "", data->dataset.items[d].label);
    return buffer_detach(&text);
}

/* The plots that lie beside a Markdown report. */
struct beside {
    const struct report_data *data;
    struct out_folder *folder;
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
    size_t pages = plot_overview_pages(beside->data);
    for (size_t page = 1; page <= pages; page++) {
        char *file = plot_overview_output(page, beside->target.extension);
        add_file(beside, file, "Small plots of all test cases: operations per second over threads", document);
        free(file);
    }
}

static void add_test_files(void *context, size_t row, struct document *document)
{
    const struct beside *beside = context;
    for (size_t kind = 0; kind < PLOT_KINDS; kind++) {
        char *file = plot_script_output(beside->data->files[row], (enum plot_kind)kind, &beside->target);
        char *text = describe(beside->data, &beside->data->pairing.rows[row], (enum plot_kind)kind);
        add_file(beside, file, text, document);
        free(text);
        free(file);
    }
}

bool report_files_markdown(const struct report_data *data, struct out_folder *folder, const char *extension,
                           struct error *err)
{
    struct beside beside = {data, folder, {.extension = extension}};
    struct report_plots plots = {&beside, add_overview_files, add_test_files};
    return write_report(data, &plots, false, folder, err);
}

/* The plots that become part of an HTML report: a job per test of which there is one, then one per page of the
 * overview. */
struct inside {
    const struct report_data *data;
    struct gnuplot_job *jobs;
    size_t count, tests;
    struct gnuplot_job **of_row; /* NULL where there is nothing to draw */
};

static void make_test_jobs(struct inside *inside, const struct plot_target *target)
{
    static const bool all[PLOT_KINDS] = {true, true, true, true};
    const struct report_data *data = inside->data;
    inside->of_row = memory_zeroed(data->pairing.count + 1, sizeof(struct gnuplot_job *));
    for (size_t i = 0; i < data->pairing.count; i++) {
        if (plot_script_count(data, &data->pairing.rows[i]) == 0)
            continue;
        struct gnuplot_job *job = inside->of_row[i] = &inside->jobs[inside->tests++];
        job->name = data->pairing.rows[i].title;
        plot_script_write(data, i, target, all, &job->script);
    }
}

static void make_jobs(struct inside *inside, const char *bodies)
{
    const struct report_data *data = inside->data;
    struct plot_target target = {
        .terminal = "svg", .extension = "svg", .folder = bodies, .width = PLOT_WIDTH, .to_stdout = true};
    size_t pages = plot_overview_pages(data), first = 0;
    inside->jobs = memory_zeroed(data->pairing.count + pages + 1, sizeof *inside->jobs);
    make_test_jobs(inside, &target);
    for (size_t page = 0; page < pages; page++) {
        const struct pairing_row *rows[PLOT_OVERVIEW_TESTS];
        size_t count = plot_overview_page(data, &first, rows);
        struct gnuplot_job *job = &inside->jobs[inside->tests + page];
        job->name = "overview";
        plot_overview_write_panels(data, &target, rows, count, page == 0, &job->script);
    }
    inside->count = inside->tests + pages;
}

static void release_jobs(struct inside *inside)
{
    for (size_t i = 0; i < inside->count; i++) {
        buffer_release(&inside->jobs[i].script);
        buffer_release(&inside->jobs[i].output);
    }
    free(inside->jobs);
    free(inside->of_row);
}

/* The next picture of a job's output from its <svg to its </svg>: what is before it is not for the inside of HTML. *at
 * goes behind it. NULL: no more. */
static const char *next_svg(const char **at, size_t *size)
{
    static const char end_mark[] = "</svg>";
    const char *svg = strstr(*at, "<svg"), *end = svg ? strstr(svg, end_mark) : NULL;
    if (!end)
        return NULL;
    *at = end + sizeof end_mark - 1;
    *size = (size_t)(*at - svg);
    return svg;
}

/* gnuplot may end without a failure and without all that it was to draw. */
static void check_job(struct gnuplot_job *job, size_t expected, struct message_list *errors)
{
    size_t count = 0, size;
    const char *at = job->failed ? "" : buffer_text(&job->output);
    while (next_svg(&at, &size))
        count++;
    if (!job->failed && count != expected)
        message_list_add(errors, "%s: gnuplot reports no failure, but wrote %zu of %zu plots", job->name, count,
                         expected);
}

static void check_jobs(struct inside *inside, struct message_list *errors)
{
    const struct report_data *data = inside->data;
    size_t first = 0;
    for (size_t i = 0; i < data->pairing.count; i++)
        if (inside->of_row[i])
            check_job(inside->of_row[i], plot_script_count(data, &data->pairing.rows[i]), errors);
    for (size_t i = inside->tests; i < inside->count; i++) {
        const struct pairing_row *rows[PLOT_OVERVIEW_TESTS];
        size_t legend = i == inside->tests;
        check_job(&inside->jobs[i], plot_overview_page(data, &first, rows) + legend, errors);
    }
}

static void add_svg(const char **at, const char *text, struct document *document)
{
    size_t size;
    const char *svg = next_svg(at, &size);
    if (svg)
        document_svg(document, svg, size, text);
}

static void add_panels(struct inside *inside, struct gnuplot_job *job, size_t *first, bool has_legend,
                       struct document *document)
{
    const struct pairing_row *rows[PLOT_OVERVIEW_TESTS];
    size_t count = plot_overview_page(inside->data, first, rows);
    const char *at = job->failed ? "" : buffer_text(&job->output);
    if (has_legend)
        add_svg(&at, "Legend of the small plots", document);
    document_begin_pictures(document, DOCUMENT_PANELS);
    for (size_t i = 0; i < count; i++) {
        char *text = describe(inside->data, rows[i], PLOT_THROUGHPUT);
        add_svg(&at, text, document);
        free(text);
    }
    document_end_pictures(document);
}

static void add_overview_svgs(void *context, struct document *document)
{
    struct inside *inside = context;
    size_t first = 0;
    for (size_t i = inside->tests; i < inside->count; i++)
        add_panels(inside, &inside->jobs[i], &first, i == inside->tests, document);
}

static void add_test_svgs(void *context, size_t row, struct document *document)
{
    struct inside *inside = context;
    struct gnuplot_job *job = inside->of_row ? inside->of_row[row] : NULL;
    const char *at = job && !job->failed ? buffer_text(&job->output) : "";
    document_begin_pictures(document, DOCUMENT_PLOTS);
    for (size_t kind = 0; job && kind < PLOT_KINDS; kind++) {
        if (!plot_script_has(inside->data, &inside->data->pairing.rows[row], (enum plot_kind)kind))
            continue;
        char *text = describe(inside->data, &inside->data->pairing.rows[row], (enum plot_kind)kind);
        add_svg(&at, text, document);
        free(text);
    }
    document_end_pictures(document);
}

bool report_files_html(const struct report_data *data, struct out_folder *folder, const struct plot_wishes *wishes,
                       struct message_list *errors, struct error *err)
{
    struct inside inside = {.data = data};
    struct report_plots plots = {&inside, add_overview_svgs, add_test_svgs};
    if (wishes->draw) {
        make_jobs(&inside, wishes->bodies);
        gnuplot_run(inside.jobs, inside.count, wishes->limit_s, errors);
        check_jobs(&inside, errors);
    }
    bool ok = write_report(data, &plots, true, folder, err);
    release_jobs(&inside);
    return ok;
}
