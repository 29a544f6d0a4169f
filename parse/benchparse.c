/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/benchparse_cli.h"
#include "parse/csv_files.h"
#include "parse/out_folder.h"
#include "parse/plots.h"
#include "parse/report_data.h"
#include "parse/result_reader.h"

enum { EXIT_DONE = 0, EXIT_NOT_MADE = 1, EXIT_BROKEN_INPUT = 2 };

static void print_messages(struct message_list *list, const char *label)
{
    for (size_t i = 0; i < list->count; i++)
        fprintf(stderr, "benchparse: %s%s\n", label, list->items[i]);
    message_list_release(list);
}

/* Every file is read, so that all that is wrong is said at once. */
static bool read_files(const struct benchparse_cli *cli, struct dataset *dataset)
{
    bool all = true;
    dataset->items = memory_zeroed(cli->file_count, sizeof *dataset->items);
    for (dataset->count = 0; dataset->count < cli->file_count; dataset->count++) {
        struct error err = {0};
        const char *label = dataset->count < cli->label_count ? cli->labels[dataset->count] : NULL;
        if (result_reader_read(cli->files[dataset->count], label, &dataset->items[dataset->count], &err))
            continue;
        fprintf(stderr, "benchparse: %s\n", err.message);
        all = false;
    }
    dataset_make_labels_unique(dataset);
    return all;
}

typedef void csv_writer(const struct report_data *data, struct buffer *out);

static bool write_csv(const struct report_data *data, const struct out_folder *folder, const char *name,
                      csv_writer *writer, struct error *err)
{
    struct buffer text = {0};
    writer(data, &text);
    bool ok = out_folder_write(folder, name, &text, err);
    buffer_release(&text);
    return ok;
}

static bool write_tests(const struct report_data *data, const struct out_folder *folder, bool article,
                        struct error *err)
{
    bool ok = true;
    struct buffer text = {0};
    for (size_t i = 0; ok && i < data->pairing.count; i++) {
        char *name = memory_printf("%s.csv", data->files[i]);
        buffer_clear(&text);
        (article ? csv_files_article : csv_files_wide)(data, &data->pairing.rows[i], &text);
        ok = out_folder_write(folder, name, &text, err);
        free(name);
    }
    buffer_release(&text);
    return ok;
}

static bool write_missing(const struct report_data *data, const struct out_folder *folder, struct message_list *notes,
                          struct error *err)
{
    struct buffer text = {0};
    size_t count = csv_files_missing(data, &text);
    bool ok = out_folder_write(folder, "missing.csv", &text, err);
    if (count > 0)
        message_list_add(notes, "%zu test%s, rung%s or trial%s missing: see %s/missing.csv", count, "s", "s", "s are",
                         folder->path);
    buffer_release(&text);
    return ok;
}

static bool write_report(const struct report_data *data, const struct benchparse_cli *cli, const char *bodies,
                         struct message_list *notes, struct message_list *errors, struct error *err)
{
    struct out_folder folder;
    bool ok = out_folder_open(&folder, cli->out_dir, err) && write_tests(data, &folder, cli->article_csv, err) &&
              write_csv(data, &folder, "tidy.csv", csv_files_tidy, err) &&
              write_csv(data, &folder, "index.csv", csv_files_index, err) && write_missing(data, &folder, notes, err) &&
              plots_make(data, &folder, bodies, cli->terminal, !cli->no_plot, notes, errors, err);
    out_folder_close(&folder);
    if (ok)
        fprintf(stderr, "benchparse: %zu test cases of %zu deployment%s are in %s\n", data->pairing.count,
                data->dataset.count, data->dataset.count == 1 ? "" : "s", cli->out_dir);
    return ok;
}

static int make(const struct report_data *data, const struct benchparse_cli *cli)
{
    struct message_list notes = {0}, errors = {0};
    struct error err = {0};
    char *bodies = plots_folder(&err);
    bool ok = bodies != NULL;
    if (ok && cli->out_dir)
        ok = write_report(data, cli, bodies, &notes, &errors, &err);
    if (ok && cli->preview)
        plots_preview(data, bodies, &notes, &errors);
    if (!ok)
        message_list_add(&errors, "%s", err.message);
    ok = ok && errors.count == 0;
    print_messages(&notes, "note: ");
    print_messages(&errors, "");
    free(bodies);
    return ok ? EXIT_DONE : EXIT_NOT_MADE;
}

int main(int argc, char **argv)
{
    struct benchparse_cli cli;
    struct dataset dataset = {0};
    struct report_data data;
    benchparse_cli_parse(&cli, argc, argv);
    int code = EXIT_BROKEN_INPUT;
    if (read_files(&cli, &dataset)) {
        report_data_make(&data, &dataset);
        code = make(&data, &cli);
        report_data_release(&data);
    }
    dataset_release(&dataset);
    benchparse_cli_release(&cli);
    return code;
}
