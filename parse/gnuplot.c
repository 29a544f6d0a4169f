/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/gnuplot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/file.h"
#include "base/memory.h"

#define MESSAGE_SIZE 1500

/* One running gnuplot. */
struct child {
    const char *name;
    pid_t pid; /* 0: none */
    int messages;
};

bool gnuplot_is_there(void)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        char *file = memory_printf("%.*s/gnuplot", (int)length, at);
        bool found = file_is_regular(file) && access(file, X_OK) == 0;
        free(file);
        if (found)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* This program has no threads: between fork() and exec any call is allowed. */
static void become_gnuplot(const char *folder, const char *script, int script_fd, int messages)
{
    if (script_fd >= 0)
        dup2(script_fd, STDIN_FILENO);
    dup2(messages, STDERR_FILENO);
    if (folder && chdir(folder) != 0)
        _exit(126);
    /* The person's own start-up file and locale must not change a plot. */
    setenv("LC_ALL", "C.UTF-8", 1);
    execlp("gnuplot", "gnuplot", "--default-settings", script, (char *)NULL);
    _exit(127);
}

static bool start(struct child *child, const char *folder, const char *script, int script_fd)
{
    child->messages = memfd_create("gnuplot", MFD_CLOEXEC);
    child->pid = child->messages < 0 ? -1 : fork();
    if (child->pid == 0)
        become_gnuplot(folder, script, script_fd, child->messages);
    return child->pid > 0;
}

/* What it wrote on stderr, in one line. */
static char *message_of(int fd)
{
    char text[MESSAGE_SIZE];
    ssize_t size = pread(fd, text, sizeof text - 1, 0);
    struct buffer out = {0};
    for (ssize_t i = 0; i < size; i++) {
        bool is_space = (unsigned char)text[i] <= ' ';
        if (!is_space)
            buffer_append(&out, &text[i], 1);
        else if (out.size > 0 && out.data[out.size - 1] != ' ')
            buffer_append(&out, " ", 1);
    }
    char *line = memory_strdup(out.size ? buffer_text(&out) : "no message");
    buffer_release(&out);
    return line;
}

/* Of a child that has ended. */
static void finish(struct child *child, int status, struct message_list *errors)
{
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char *message = message_of(child->messages);
        message_list_add(errors, "%s: gnuplot has failed: %s", child->name, message);
        free(message);
    }
    close(child->messages);
    child->pid = 0;
}

static void wait_for_one(struct child *children, size_t count, struct message_list *errors)
{
    int status;
    pid_t pid = waitpid(-1, &status, 0);
    for (size_t i = 0; i < count; i++)
        if (pid > 0 && children[i].pid == pid)
            finish(&children[i], status, errors);
}

static struct child *free_place(struct child *children, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (children[i].pid == 0)
            return &children[i];
    return NULL;
}

static bool is_any_running(const struct child *children, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (children[i].pid > 0)
            return true;
    return false;
}

void gnuplot_run_files(const char *folder, char *const *names, size_t count, struct message_list *errors)
{
    size_t places = cpus_usable();
    struct child *children = memory_zeroed(places, sizeof *children), *child;
    for (size_t i = 0; i < count; i++) {
        while (!(child = free_place(children, places)))
            wait_for_one(children, places, errors);
        child->name = names[i];
        if (start(child, folder, names[i], -1))
            continue;
        message_list_add(errors, "%s: cannot start gnuplot: %s", names[i], strerror(errno));
        child->pid = 0;
    }
    while (is_any_running(children, places))
        wait_for_one(children, places, errors);
    free(children);
}

bool gnuplot_run_text(const char *name, const struct buffer *script, struct error *err)
{
    struct child child = {.name = name};
    struct message_list errors = {0};
    int fd = memfd_create("gnuplot", MFD_CLOEXEC), status = 0;
    if (fd < 0 || !file_write_all(fd, "the script", script->data, script->size, err) || lseek(fd, 0, SEEK_SET) != 0 ||
        !start(&child, NULL, NULL, fd) || waitpid(child.pid, &status, 0) != child.pid)
        error_set(err, "%s: cannot start gnuplot: %s", name, strerror(errno));
    else
        finish(&child, status, &errors);
    if (errors.count > 0)
        error_set(err, "%s", errors.items[0]);
    message_list_release(&errors);
    close(fd);
    return !err->is_set;
}
