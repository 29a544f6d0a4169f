/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/csv_files.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "parse/csv.h"
#include "parse/missing.h"

#define TIDY_PIECE 1000000

static double ops_per_sec(const struct pairing_row *row, size_t deployment, unsigned threads)
{
    const struct cell_data *cell = pairing_cell(row, deployment, threads);
    return cell ? cell->ops_per_sec : NAN;
}

static void append_wide(const struct report_data *data, const struct pairing_row *row, struct buffer *out)
{
    csv_raw_text(out, "threads");
    for (size_t d = 0; d < data->dataset.count; d++) {
        char *heading = memory_printf("%s (ops/s)", data->dataset.items[d].label);
        csv_text(out, heading);
        free(heading);
    }
    csv_end_line(out);
    for (size_t i = 0; i < row->thread_count; i++) {
        csv_number(out, row->threads[i]);
        for (size_t d = 0; d < data->dataset.count; d++)
            csv_number(out, ops_per_sec(row, d, row->threads[i]));
        csv_end_line(out);
    }
}

static bool is_complete(const struct report_data *data, const struct pairing_row *row, unsigned threads)
{
    for (size_t d = 0; d < data->dataset.count; d++)
        if (isnan(ops_per_sec(row, d, threads)))
            return false;
    return true;
}

static void append_article(const struct report_data *data, const struct pairing_row *row, struct buffer *out)
{
    for (size_t i = 0; i < row->thread_count; i++) {
        if (!is_complete(data, row, row->threads[i]))
            continue;
        buffer_append_printf(out, "%u", row->threads[i]);
        for (size_t d = 0; d < data->dataset.count; d++) {
            char text[NUMBER_TEXT_SIZE];
            number_text(ops_per_sec(row, d, row->threads[i]), text);
            buffer_append_printf(out, ", %s", text);
        }
        buffer_append(out, "\n", 1);
    }
}

/* Where a line of the tidy file belongs. */
struct csv_place {
    const char *title, *tags, *label, *verdict;
    unsigned threads;
};

/* `number` of the trial 0: none. */
static void tidy_line(struct buffer *out, const struct csv_place *place, size_t number, const struct trial_data *trial)
{
    csv_text(out, place->title);
    csv_text(out, place->tags);
    csv_text(out, place->label);
    csv_number(out, trial->run + 1);
    csv_number(out, place->threads);
    csv_number(out, number ? (double)number : NAN);
    csv_number(out, trial->ops_per_sec);
    csv_number(out, trial->errors < 0 ? NAN : (double)trial->errors);
    for (size_t i = 0; i < LATENCY_KINDS; i++)
        csv_number(out, trial->latency ? trial->latency->us[i] : NAN);
    csv_raw_text(out, place->verdict);
    csv_end_line(out);
}

/* A mean that stands alone is a line without a trial. */
static void tidy_cell(struct buffer *out, const struct csv_place *place, const struct cell_data *cell)
{
    bool is_alone = !isnan(cell->ops_per_sec) && cell_values(cell, NULL) == 0;
    if (cell->trial_count == 0 || is_alone) {
        struct trial_data mean = {.ops_per_sec = cell->ops_per_sec, .errors = -1, .latency = cell->latency};
        tidy_line(out, place, 0, &mean);
    }
    size_t number = 0;
    for (size_t i = 0; i < cell->trial_count; i++) {
        const struct trial_data *trial = &cell->trials[i];
        number = cell_is_first_of_run(cell, i) ? 1 : number + 1;
        tidy_line(out, place, trial->is_mean ? 0 : number, trial);
    }
}

static char *join_tags(const struct test_data *test)
{
    struct buffer out = {0};
    for (size_t i = 0; i < test->tag_count; i++)
        buffer_append_printf(&out, "%s%s", i ? " " : "", test->tags[i]);
    return buffer_detach(&out);
}

static void tidy_test(struct buffer *out, const struct report_data *data, size_t position, size_t deployment)
{
    const struct pairing_row *row = &data->pairing.rows[position];
    const struct test_data *test = row->tests[deployment];
    char *tags = join_tags(test);
    for (size_t i = 0; i < test->cell_count; i++) {
        struct csv_place place = {row->title, tags, data->dataset.items[deployment].label,
                                  verdicts_name(&data->verdicts, position, deployment), test->cells[i].threads};
        tidy_cell(out, &place, &test->cells[i]);
    }
    free(tags);
}

static void tidy_heading(struct buffer *out)
{
    static const char *const heading[] = {"test",    "tags",  "deployment",  "run",
                                          "threads", "trial", "ops_per_sec", "errors"};
    for (size_t i = 0; i < COUNT_OF(heading); i++)
        csv_raw_text(out, heading[i]);
    for (size_t i = 0; i < LATENCY_KINDS; i++)
        csv_raw_text(out, latency_members[i]);
    csv_raw_text(out, "verdict");
    csv_end_line(out);
}

/* Test by test: the whole of it is larger than the files that it comes from. */
static bool write_tidy(const struct report_data *data, struct out_folder *folder, struct buffer *text,
                       struct error *err)
{
    static const char name[] = "tidy.csv";
    int fd = out_folder_begin(folder, name, err);
    bool ok = fd >= 0;
    buffer_clear(text);
    tidy_heading(text);
    for (size_t i = 0; ok && i < data->pairing.count; i++) {
        for (size_t d = 0; d < data->dataset.count; d++)
            if (data->pairing.rows[i].tests[d])
                tidy_test(text, data, i, d);
        if (text->size < TIDY_PIECE && i + 1 < data->pairing.count)
            continue;
        ok = file_write_all(fd, name, text->data, text->size, err);
        buffer_clear(text);
    }
    ok = ok && file_write_all(fd, name, text->data, text->size, err);
    return out_folder_end(folder, name, fd, ok, err);
}

static void append_json_text(struct buffer *out, const char *text)
{
    json_t *value = json_string(text);
    char *json = json_dumps(value, JSON_ENCODE_ANY);
    csv_raw_text(out, json);
    free(json);
    json_decref(value);
}

static void append_index(const struct report_data *data, struct buffer *out)
{
    static const char *const heading[] = {"file", "occurrence", "test", "test_json"};
    for (size_t i = 0; i < COUNT_OF(heading); i++)
        csv_raw_text(out, heading[i]);
    csv_end_line(out);
    for (size_t i = 0; i < data->pairing.count; i++) {
        const struct test_data *test = pairing_any(&data->pairing, &data->pairing.rows[i]);
        csv_raw_text(out, data->files[i]);
        csv_number(out, (double)test->occurrence);
        csv_text(out, test->name);
        append_json_text(out, test->name);
        csv_end_line(out);
    }
}

static bool write_tests(const struct report_data *data, struct out_folder *folder, bool article, struct buffer *text,
                        struct error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < data->pairing.count; i++) {
        char *name = memory_printf("%s.csv", data->files[i]);
        buffer_clear(text);
        (article ? append_article : append_wide)(data, &data->pairing.rows[i], text);
        ok = out_folder_write(folder, name, text, err);
        free(name);
    }
    return ok;
}

static bool write_index(const struct report_data *data, struct out_folder *folder, struct buffer *text,
                        struct error *err)
{
    buffer_clear(text);
    append_index(data, text);
    return out_folder_write(folder, "index.csv", text, err);
}

static bool write_missing(const struct report_data *data, struct out_folder *folder, struct buffer *text,
                          size_t *missing, struct error *err)
{
    buffer_clear(text);
    *missing = missing_append(data, text);
    return out_folder_write(folder, "missing.csv", text, err);
}

bool csv_files_write(const struct report_data *data, struct out_folder *folder, bool article, size_t *missing,
                     struct error *err)
{
    struct buffer text = {0};
    bool ok = write_tests(data, folder, article, &text, err) && write_tidy(data, folder, &text, err) &&
              write_index(data, folder, &text, err) && write_missing(data, folder, &text, missing, err);
    buffer_release(&text);
    return ok;
}
