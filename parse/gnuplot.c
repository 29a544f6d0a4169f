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

#define OUTPUT_LIMIT ((size_t)1 << 30)
#define MESSAGE_LIMIT ((size_t)1 << 20)
#define MESSAGE_SHOWN 1500

/* One gnuplot with the files that hold what goes in and comes out; pid 0: none runs here. */
struct child {
    struct gnuplot_job *job;
    pid_t pid;
    int script, output, messages;
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
static void become_gnuplot(const struct child *child)
{
    dup2(child->script, STDIN_FILENO);
    dup2(child->output, STDOUT_FILENO);
    dup2(child->messages, STDERR_FILENO);
    setenv("LC_ALL", "C.UTF-8", 1);
    if (!child->job->folder || chdir(child->job->folder) == 0)
        execlp("gnuplot", "gnuplot", "--default-settings", child->job->file, (char *)NULL);
    perror("gnuplot");
    _exit(127);
}

static void close_files(struct child *child)
{
    int *const files[] = {&child->script, &child->output, &child->messages};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (*files[i] >= 0)
            close(*files[i]);
    child->pid = 0;
}

static bool start(struct child *child, struct gnuplot_job *job, struct error *err)
{
    child->job = job;
    child->script = memfd_create("script", MFD_CLOEXEC);
    child->output = memfd_create("output", MFD_CLOEXEC);
    child->messages = memfd_create("messages", MFD_CLOEXEC);
    bool ok = child->script >= 0 && child->output >= 0 && child->messages >= 0 &&
              file_write_all(child->script, "the script", job->script.data, job->script.size, err) &&
              lseek(child->script, 0, SEEK_SET) == 0;
    child->pid = ok ? fork() : -1;
    if (child->pid == 0)
        become_gnuplot(child);
    if (child->pid > 0)
        return true;
    error_set(err, "cannot start gnuplot: %s", strerror(errno));
    close_files(child);
    return false;
}

/* What it wrote on stderr, in one line. */
static void append_message(int fd, struct buffer *line)
{
    struct buffer text = {0};
    lseek(fd, 0, SEEK_SET);
    file_read_descriptor(fd, "messages", MESSAGE_LIMIT, &text, NULL);
    for (size_t i = 0; i < text.size && line->size < MESSAGE_SHOWN; i++) {
        bool is_space = text.data[i] <= ' ';
        if (!is_space)
            buffer_append(line, &text.data[i], 1);
        else if (line->size > 0 && line->data[line->size - 1] != ' ')
            buffer_append(line, " ", 1);
    }
    buffer_release(&text);
}

/* Of a child that has ended. */
static void finish(struct child *child, int status, struct message_list *errors)
{
    struct gnuplot_job *job = child->job;
    struct error err = {0};
    job->failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    lseek(child->output, 0, SEEK_SET);
    if (job->failed) {
        struct buffer message = {0};
        append_message(child->messages, &message);
        message_list_add(errors, "%s: gnuplot has failed: %s", job->name, buffer_text(&message));
        buffer_release(&message);
    } else if (!file_read_descriptor(child->output, job->name, OUTPUT_LIMIT, &job->output, &err)) {
        message_list_add(errors, "%s", err.message);
        job->failed = true;
    }
    close_files(child);
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

void gnuplot_run(struct gnuplot_job *jobs, size_t count, struct message_list *errors)
{
    size_t places = cpus_usable();
    struct child *children = memory_zeroed(places, sizeof *children), *child;
    for (size_t i = 0; i < count; i++) {
        struct error err = {0};
        while (!(child = free_place(children, places)))
            wait_for_one(children, places, errors);
        if (start(child, &jobs[i], &err))
            continue;
        message_list_add(errors, "%s: %s", jobs[i].name, err.message);
        jobs[i].failed = true;
    }
    while (is_any_running(children, places))
        wait_for_one(children, places, errors);
    free(children);
}
