/* SPDX-License-Identifier: Apache-2.0 */
#include "localserver_rig.h"

#include <dirent.h>
#include <mongoc/mongoc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/localserver_process.h"

static char sandbox[128];
static char *stand_in;

int localserver_rig_setup(void **state)
{
    (void)state;
    const char *srcdir = getenv("srcdir");
    char *relative = memory_printf("%s/tests/server/mongod", srcdir ? srcdir : ".");
    stand_in = realpath(relative, NULL);
    free(relative);
    mongoc_init();
    return stand_in ? 0 : -1;
}

int localserver_rig_teardown(void **state)
{
    (void)state;
    free(stand_in);
    mongoc_cleanup();
    return 0;
}

const char *stand_in_mongod(void)
{
    return stand_in;
}

char *in_sandbox(const char *name)
{
    return file_join(sandbox, name);
}

static void set_folder(const char *variable, const char *name)
{
    char *path = in_sandbox(name);
    assert_true(file_make_folders(path, NULL));
    setenv(variable, path, 1);
    free(path);
}

int make_sandbox(void **state)
{
    (void)state;
    snprintf(sandbox, sizeof sandbox, "/tmp/benchrun-test-XXXXXX");
    assert_non_null(mkdtemp(sandbox));
    set_folder("XDG_RUNTIME_DIR", "run");
    set_folder("TMPDIR", "tmp");
    set_folder("XDG_CACHE_HOME", "cache");
    set_folder("PATH", "bin");
    char *notes = in_sandbox("notes");
    setenv("MONGOD_NOTES", notes, 1);
    free(notes);
    unsetenv("MONGOD");
    unsetenv("MONGOD_MODE");
    return 0;
}

int remove_sandbox(void **state)
{
    (void)state;
    return file_remove_tree(sandbox, NULL) ? 0 : -1;
}

char *read_notes(void)
{
    char *path = in_sandbox("notes");
    struct buffer text = {0};
    file_read(path, 1 << 20, &text, NULL);
    free(path);
    char *copy = memory_strdup(buffer_text(&text));
    buffer_release(&text);
    return copy;
}

pid_t noted_pid(void)
{
    char *notes = read_notes();
    long pid = 0;
    sscanf(notes, "pid %ld", &pid);
    free(notes);
    return (pid_t)pid;
}

size_t count_entries(const char *name)
{
    char *path = in_sandbox(name);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    free(path);
    return count;
}

void assert_nothing_is_left(void)
{
    assert_int_equal(count_entries("tmp"), 0);
    assert_int_equal(count_entries("run"), 0);
}

void write_text(const char *path, const char *text)
{
    assert_true(file_replace(path, text, strlen(text), NULL, NULL));
}

void make_program(const char *name)
{
    char *path = in_sandbox(name);
    char *folder = memory_strdup(path);
    *strrchr(folder, '/') = '\0';
    assert_true(file_make_folders(folder, NULL));
    write_text(path, "#!/bin/sh\n");
    assert_int_equal(chmod(path, 0755), 0);
    free(folder);
    free(path);
}

void assert_noted_processes_have_ended(unsigned expected)
{
    unsigned count = 0;
    char *notes = read_notes();
    for (const char *at = notes; (at = strstr(at, "pid ")); at += strlen("pid ")) {
        struct localserver_process process;
        assert_false(localserver_process_look((pid_t)strtol(at + strlen("pid "), NULL, 10), &process));
        count++;
    }
    free(notes);
    assert_int_equal(count, expected);
}
