/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_RESULT_FILE_H
#define MODEL_RESULT_FILE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/output.h"
#include "model/result.h"

/*
 * What --out names, through a run. Nothing in it is lost: what is there keeps its name until this run has measured
 * something or come to its end, and is then kept as "<file>.<number>"; at any moment the file is the old one or a newer
 * whole one. Not kept are an empty file and a result of benchrun that was cut short before anything was measured.
 */
struct result_file {
    struct output output;
    bool is_ours;    /* what was there is out of the way */
    bool is_left;    /* as of the last write: what is there is better than what there was to write */
    bool has_warned; /* of what the file system cannot do */
};

/* `name` as for output_open(). What is there and is no result, benchrun's or mongo-perf's, is an error without `force`.
 * Touches nothing. result_file_close() in either case. */
bool result_file_open(struct result_file *file, const char *name, bool force, struct error *err);
/* The file that is written again and again, behind all links; NULL: it is written straight, and only once. */
const char *result_file_path(const struct result_file *file);
/* Writes the result as it is, or leaves what is there (is_left). `notes` gets where that went, and what the file system
 * cannot do. */
bool result_file_write(struct result_file *file, const struct result *result, struct message_list *notes,
                       struct error *err);
void result_file_close(struct result_file *file);

#endif
