/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest_file.h"

struct resolver {
    struct run_options *options;
    struct message_list *notes, *errors;
};

/* Where the installed definitions are: BENCHRUN_DATADIR from the environment, else what configure said. */
static const char *data_folder(void)
{
    const char *named = getenv("BENCHRUN_DATADIR");
    return named && *named ? named : BENCHRUN_DATADIR;
}

/* "a.json" and "./a.json" are. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat a_st, b_st;
    return strcmp(a, b) == 0 || (stat(a, &a_st) == 0 && stat(b, &b_st) == 0 && a_st.st_dev == b_st.st_dev &&
                                 a_st.st_ino == b_st.st_ino && S_ISREG(a_st.st_mode));
}

/* Takes over `path`. */
static void add(struct resolver *r, char *path)
{
    struct run_options *o = r->options;
    for (size_t i = 0; i < o->file_count; i++) {
        if (is_same_file(o->files[i], path)) {
            message_list_add(r->notes, "%s: given twice with -f; reading it once", path);
            free(path);
            return;
        }
    }
    o->files = memory_resize(o->files, o->file_count + 1, sizeof *o->files);
    o->files[o->file_count++] = path;
}

/* What cannot be looked at may be there: opening it says why not. */
static bool exists(const char *path)
{
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

static char *existing_or_free(char *path)
{
    if (exists(path))
        return path;
    free(path);
    return NULL;
}

/* The path under which `name` is found, the caller frees; NULL: nowhere. */
static char *find(const char *name)
{
    if (exists(name))
        return memory_strdup(name);
    if (name[0] == '/' || name[0] == '\0')
        return NULL;
    char *found = existing_or_free(file_join(data_folder(), name));
    if (found)
        return found;
    char *below = file_join("testcases", name);
    found = existing_or_free(file_join(data_folder(), below));
    free(below);
    return found;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int is_definition(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_with(entry->d_name, ".json");
}

/* Not alphasort(): that one follows the locale. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_folder(struct resolver *r, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_definition, by_bytes);
    if (count < 0)
        message_list_add(r->errors, "%s: cannot read the folder: %s", folder, strerror(errno));
    if (count == 0)
        message_list_add(r->errors, "%s: there is no *.json in this folder", folder);
    for (int i = 0; i < count; i++) {
        add(r, file_join(folder, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
}

/* What may have been meant, here or among what is installed; the caller frees. NULL: nothing is near. */
static char *find_meant(const char *name)
{
    static const char *const places[] = {"", "testcases/"};
    const char *end = ends_with(name, ".json") ? ".json" : "", *slash = strrchr(name, '/');
    char *meant = nearest_file(name, end);
    for (size_t i = 0; !meant && name[0] != '/' && i < COUNT_OF(places); i++) {
        char *installed = memory_printf("%s/%s%s", data_folder(), places[i], slash ? slash + 1 : name);
        char *found = nearest_file(installed, end);
        meant = found ? memory_strdup(strrchr(found, '/') + 1) : NULL;
        free(found);
        free(installed);
    }
    return meant;
}

/* The scripts of mongo-perf have their counterparts under the same names, those that there are. */
static void report_script(struct resolver *r, const char *name)
{
    char *ours = memory_printf("%son", name), *found = find(ours), *meant = found ? NULL : find_meant(ours);
    if (found)
        message_list_add(r->errors, "-f: %s is a mongo-perf JavaScript file; its tests are in %s here", name, ours);
    else
        message_list_add(r->errors,
                         "-f: %s is a mongo-perf JavaScript file; benchrun reads JSON, and has no %s%s%s%s; \"-f "
                         "testcases --list\" shows the tests that there are",
                         name, ours, meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
    free(meant);
    free(found);
    free(ours);
}

static void report_missing(struct resolver *r, const char *name)
{
    char *meant = find_meant(name);
    if (name[0] == '\0')
        message_list_add(r->errors, "-f: a word is empty; expected the name of a definition file");
    else if (strchr(name, '*'))
        message_list_add(r->errors, "-f: %s: nothing fits this; \"-f testcases\" means all that are installed", name);
    else
        message_list_add(r->errors, "-f: %s: no such file, neither here nor in %s%s%s%s", name, data_folder(),
                         meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
    free(meant);
}

static void add_word(struct resolver *r, const char *name, bool is_alone)
{
    char *path = find(name);
    bool is_folder = path && file_is_folder(path);
    if (ends_with(name, ".js") && !is_folder)
        report_script(r, name);
    else if (!path)
        report_missing(r, name);
    else if (!is_folder)
        add(r, memory_strdup(path));
    else if (is_alone)
        add_folder(r, path);
    else
        message_list_add(r->notes, "%s: is a folder among other words of -f; it is skipped", path);
    free(path);
}

bool cli_files_resolve(struct run_options *options, const struct filter_groups *words, struct message_list *notes,
                       struct message_list *errors)
{
    struct resolver r = {options, notes, errors};
    size_t errors_before = errors->count;
    for (size_t i = 0; i < words->count; i++)
        for (size_t k = 0; k < words->items[i].count; k++)
            add_word(&r, words->items[i].words[k], words->items[i].count == 1);
    if (words->count == 0)
        message_list_add(errors, "no definition files; say which with -f, for example -f testcases");
    else if (options->file_count == 0 && errors->count == errors_before)
        message_list_add(errors, "-f: there is no definition file among its words");
    return errors->count == errors_before;
}
