/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/message.h"
#include "parse/benchparse_cli.h"
#include "parse/csv_files.h"
#include "parse/gnuplot.h"
#include "parse/labels.h"
#include "parse/out_folder.h"
#include "parse/plots.h"
#include "parse/pool.h"
#include "parse/report_data.h"
#include "parse/report_files.h"
#include "parse/result_reader.h"
#include "parse/same_run.h"

enum { EXIT_DONE = 0, EXIT_NOT_MADE = 1, EXIT_BROKEN_INPUT = 2 };

static bool read_run(const char *file, const char *label, struct deployment *run)
{
    struct error err = {0};
    bool ok = result_reader_read(file, label, run, &err);
    if (!ok)
        message_print("", "%s", err.message);
    message_list_print("warning: ", &run->warnings);
    return ok;
}

static bool read_deployment(const struct run_files *files, struct deployment *deployment)
{
    bool all = true;
    if (files->count == 1)
        return read_run(files->items[0], files->label, deployment);
    struct deployment *runs = memory_zeroed(files->count, sizeof *runs);
    for (size_t i = 0; i < files->count; i++)
        all = read_run(files->items[i], NULL, &runs[i]) && all;
    pool_runs(runs, files->count, files->label, deployment);
    message_list_print("warning: ", &deployment->warnings);
    return all;
}

static void label_deployments(const struct benchparse_cli *cli, struct dataset *dataset)
{
    const char **given = memory_zeroed(dataset->count, sizeof(char *));
    const char **paths = memory_zeroed(dataset->count, sizeof(char *));
    for (size_t d = 0; d < dataset->count; d++) {
        given[d] = cli->deployments[d].label;
        paths[d] = dataset->items[d].path;
    }
    char **labels = labels_make(given, paths, dataset->count);
    for (size_t d = 0; d < dataset->count; d++) {
        free(dataset->items[d].label);
        dataset->items[d].label = labels[d];
    }
    free(labels);
    free(given);
    free(paths);
}

/* Every file is read, so that every error is reported at once. */
static bool read_files(const struct benchparse_cli *cli, struct dataset *dataset)
{
    bool all = true;
    dataset->items = memory_zeroed(cli->deployment_count, sizeof *dataset->items);
    for (; dataset->count < cli->deployment_count; dataset->count++)
        all = read_deployment(&cli->deployments[dataset->count], &dataset->items[dataset->count]) && all;
    label_deployments(cli, dataset);
    return all;
}

/* Whether each deployment holds each run once; where not, it is said. */
static bool check_runs(const struct dataset *dataset)
{
    struct message_list warnings, errors;
    struct same_run_group *groups = memory_zeroed(dataset->count, sizeof *groups);
    const struct deployment ***lists = memory_zeroed(dataset->count, sizeof *lists);
    for (size_t d = 0; d < dataset->count; d++) {
        const struct deployment *deployment = &dataset->items[d];
        lists[d] = deployment_list_runs(deployment);
        groups[d] = (struct same_run_group){deployment->label, lists[d], deployment_runs(deployment)};
    }
    message_list_init(&warnings);
    message_list_init(&errors);
    same_run_check(groups, dataset->count, &warnings, &errors);
    bool ok = errors.count == 0;
    message_list_print("warning: ", &warnings);
    message_list_print("", &errors);
    for (size_t d = 0; d < dataset->count; d++)
        free(lists[d]);
    free(lists);
    free(groups);
    return ok;
}

/* Pooled runs beside what was pooled of them. */
static bool filter_tests(const struct benchparse_cli *cli, struct dataset *dataset)
{
    struct message_list notes;
    struct error err = {0};
    struct deployment **all = NULL;
    size_t count = 0;
    for (size_t d = 0; d < dataset->count; d++) {
        struct deployment *deployment = &dataset->items[d];
        all = memory_resize(all, count + deployment->run_count + 1, sizeof(struct deployment *));
        all[count++] = deployment;
        for (size_t i = 0; i < deployment->run_count; i++)
            all[count++] = &deployment->runs[i];
    }
    message_list_init(&notes);
    bool ok = test_filter_apply(&cli->filter, all, count, &notes, &err);
    free(all);
    message_list_print("note: ", &notes);
    if (!ok)
        message_print("", "%s", err.message);
    return ok;
}

static bool has_a_test(const struct dataset *dataset)
{
    for (size_t i = 0; i < dataset->count; i++)
        if (dataset->items[i].test_count > 0)
            return true;
    message_print("", "no file holds a test case, so there is nothing to make");
    return false;
}

/* What is being made, and what is to be said about it. */
struct benchparse_work {
    const struct benchparse_cli *cli;
    const struct report_data *data;
    struct plot_wishes plots;
    struct message_list notes, errors;
};

static void note_missing(struct benchparse_work *work, size_t missing)
{
    if (missing > 0)
        message_list_add(&work->notes, "%zu %s missing somewhere (tests, rungs or numbers): see %s/missing.csv",
                         missing, missing == 1 ? "is" : "are", work->cli->out_dir);
}

static bool write_files(struct benchparse_work *work, struct out_folder *folder, struct error *err)
{
    const struct benchparse_cli *cli = work->cli;
    size_t missing = 0;
    bool ok = csv_files_write(work->data, folder, cli->article_csv, &missing, err) &&
              plots_make(work->data, folder, &work->plots, &work->notes, &work->errors, err);
    if (ok && cli->markdown)
        ok = report_files_markdown(work->data, folder, plots_extension(cli->terminal), err);
    if (ok && cli->html)
        ok = report_files_html(work->data, folder, &work->plots, &work->errors, err);
    note_missing(work, missing);
    out_folder_note_others(folder, &work->notes);
    return ok;
}

static bool write_report(struct benchparse_work *work, struct error *err)
{
    const struct report_data *data = work->data;
    struct out_folder folder;
    bool ok = out_folder_open(&folder, work->cli->out_dir, err) && write_files(work, &folder, err);
    out_folder_close(&folder);
    if (!ok)
        return false;
    message_print("", "%zu test case%s of %zu deployment%s: see %s/index.csv", data->pairing.count,
                  data->pairing.count == 1 ? "" : "s", data->dataset.count, data->dataset.count == 1 ? "" : "s",
                  work->cli->out_dir);
    return true;
}

static bool draw_preview(struct benchparse_work *work, struct error *err)
{
    plots_preview(work->data, &work->plots, &work->errors);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    error_set(err, "standard output: cannot write");
    return false;
}

/* No gnuplot is no failure: the scripts are there for one that comes later. */
static void look_for_gnuplot(struct benchparse_work *work)
{
    bool is_wanted = work->cli->preview || !work->cli->no_plot;
    work->plots.draw = is_wanted && gnuplot_is_there();
    if (is_wanted && !work->plots.draw)
        message_list_add(&work->notes, "gnuplot is not on PATH, so nothing is drawn; with it: cd %s && gnuplot *.gp",
                         work->cli->out_dir ? work->cli->out_dir : "DIR");
}

static int make(const struct benchparse_cli *cli, const struct report_data *data)
{
    struct benchparse_work work = {.cli = cli, .data = data};
    struct error err = {0};
    char *bodies = plots_folder(&err);
    work.plots = (struct plot_wishes){.bodies = bodies,
                                      .terminal = cli->terminal,
                                      .width = cli->plot_width,
                                      .height = cli->plot_height,
                                      .limit_s = cli->plot_timeout_s};
    look_for_gnuplot(&work);
    bool ok = bodies && (!cli->out_dir || write_report(&work, &err));
    if (ok && cli->preview && work.plots.draw)
        ok = draw_preview(&work, &err);
    if (!ok)
        message_list_add(&work.errors, "%s", err.message);
    ok = work.errors.count == 0;
    message_list_print("note: ", &work.notes);
    message_list_print("", &work.errors);
    free(bodies);
    return ok ? EXIT_DONE : EXIT_NOT_MADE;
}

int main(int argc, char **argv)
{
    struct benchparse_cli cli;
    struct dataset dataset = {0};
    struct report_data data;
    interrupt_ignore_file_limit();
    benchparse_cli_parse(&cli, argc, argv);
    int code = EXIT_BROKEN_INPUT;
    if (read_files(&cli, &dataset) && filter_tests(&cli, &dataset) && check_runs(&dataset) && has_a_test(&dataset)) {
        report_data_make(&data, &dataset);
        code = make(&cli, &data);
        report_data_release(&data);
    }
    dataset_release(&dataset);
    benchparse_cli_release(&cli);
    return code;
}
