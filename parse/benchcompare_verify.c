/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/benchcompare_verify.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/message.h"
#include "base/nearest_file.h"
#include "parse/compare_json.h"
#include "parse/verify_report.h"

enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_TROUBLE = 2 };

#define SIZE_LIMIT ((size_t)16 << 20)

static void print(const struct verify *verify, const char *name, enum compare_format format)
{
    if (format == FORMAT_JSON) {
        compare_json_print(verify_report_json(verify, name), stdout);
        return;
    }
    struct paper paper;
    paper_init(&paper, stdout, format == FORMAT_MARKDOWN);
    verify_report_print(verify, name, &paper);
}

static bool read_table(const char *path, const char *name, struct buffer *text, struct csv_table *table,
                       struct error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    bool ok = is_stdin ? file_read_descriptor(STDIN_FILENO, name, SIZE_LIMIT, text, err)
                       : nearest_file_check(path, err) && file_read(path, SIZE_LIMIT, text, err);
    if (!ok || csv_table_read(table, (const char *)text->data, text->size, err))
        return ok;
    error_prefix(err, "%s", name);
    return false;
}

int benchcompare_verify(const struct benchcompare_cli *cli)
{
    const char *name = strcmp(cli->verify, "-") == 0 ? "standard input" : cli->verify;
    struct buffer text = {0};
    struct csv_table table = {0};
    struct verify verify = {0};
    struct error err;
    error_init(&err);
    int code = EXIT_TROUBLE;
    if (read_table(cli->verify, name, &text, &table, &err) && verify_init(&verify, &table, cli->verify_columns, &err)) {
        const char *nothing = verify_nothing_checked(&verify);
        print(&verify, name, cli->format);
        if (nothing)
            message_print("", "%s: %s", name, nothing);
        code = verify.finding_count > 0 ? EXIT_FINDINGS : nothing ? EXIT_TROUBLE : EXIT_CLEAN;
    } else {
        message_print("", "%s", err.message);
    }
    verify_release(&verify);
    csv_table_release(&table);
    buffer_release(&text);
    return code;
}
