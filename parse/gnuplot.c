/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
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
    int64_t deadline_ns;
    bool is_late; /* and was killed */
    int script, output, messages;
};

/* All that run at a time. SIGCHLD is kept from being delivered meanwhile: its arrival is waited for. */
struct children {
    struct child *items;
    size_t count;
    unsigned limit_s;
    bool had_late;
    sigset_t mask; /* of before */
    struct sigaction action;
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

/* This program has no threads: between fork() and exec any call is allowed. A process group of its own, so that what it
 * starts can be killed with it; it ends when this program does. */
static void become_gnuplot(const struct child *child, const sigset_t *mask, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    sigprocmask(SIG_SETMASK, mask, NULL);
    signal(SIGXFSZ, SIG_DFL); /* gnuplot does not look whether its writes fail */
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
    for (size_t i = 0; i < COUNT_OF(files); i++)
        if (*files[i] >= 0)
            close(*files[i]);
    child->pid = 0;
}

static bool open_files(struct child *child, struct error *err)
{
    const struct buffer *script = &child->job->script;
    child->script = memfd_create("script", MFD_CLOEXEC);
    child->output = memfd_create("output", MFD_CLOEXEC);
    child->messages = memfd_create("messages", MFD_CLOEXEC);
    return child->script >= 0 && child->output >= 0 && child->messages >= 0 &&
           file_write_all(child->script, "the script", script->data, script->size, err) &&
           lseek(child->script, 0, SEEK_SET) == 0;
}

static bool start(struct children *children, struct child *child, struct gnuplot_job *job, struct error *err)
{
    pid_t parent = getpid();
    *child = (struct child){.job = job};
    child->pid = open_files(child, err) ? fork() : -1;
    if (child->pid == 0)
        become_gnuplot(child, &children->mask, parent);
    if (child->pid > 0) {
        setpgid(child->pid, child->pid);
        child->deadline_ns = clock_mono_ns() + children->limit_s * CLOCK_NS_PER_SEC;
        return true;
    }
    error_set(err, "cannot start gnuplot: %s", strerror(errno));
    close_files(child);
    return false;
}

/* What it wrote on stderr, in one line behind ": "; nothing when it wrote nothing. */
static void append_message(int fd, struct buffer *line)
{
    struct buffer text = {0};
    lseek(fd, 0, SEEK_SET);
    file_read_descriptor(fd, "messages", MESSAGE_LIMIT, &text, NULL);
    size_t start = line->size;
    for (size_t i = 0; i < text.size && line->size - start < MESSAGE_SHOWN; i++) {
        bool is_space = text.data[i] <= ' ';
        if (!is_space && line->size == start)
            buffer_append(line, ": ", 2);
        if (!is_space)
            buffer_append(line, &text.data[i], 1);
        else if (line->size > start && line->data[line->size - 1] != ' ')
            buffer_append(line, " ", 1);
    }
    buffer_release(&text);
}

/* How files end that are whole: gnuplot does not look whether its writes fail, and a full disk cuts one off anywhere.
 */
static const struct {
    const char *suffix, *end;
} picture_ends[] = {{".png", "IEND\xae\x42\x60\x82"}, {".svg", "</svg>"}, {".pdf", "%%EOF"}};

static bool ends_with(const char *path, const char *end)
{
    char tail[16];
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    off_t size = lseek(fd, 0, SEEK_END), from = size > (off_t)sizeof tail ? size - (off_t)sizeof tail : 0;
    ssize_t count = pread(fd, tail, sizeof tail, from);
    if (fd >= 0)
        close(fd);
    return count > 0 && memmem(tail, (size_t)count, end, strlen(end));
}

static bool is_whole(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < COUNT_OF(picture_ends); i++)
        if (strcmp(suffix, picture_ends[i].suffix) == 0)
            return ends_with(path, picture_ends[i].end);
    return true;
}

/* NULL: all that it had to write is there. */
static const char *find_unwritten(const struct gnuplot_job *job)
{
    if (job->output_count == 0)
        return job->output.size > 0 ? NULL : "anything";
    for (size_t i = 0; i < job->output_count; i++) {
        struct stat st;
        char *path = file_join(job->folder ? job->folder : ".", job->outputs[i]);
        bool is_written = lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && is_whole(path);
        free(path);
        if (!is_written)
            return job->outputs[i];
    }
    return NULL;
}

/* How it failed; nothing when it did not. */
static void append_failure(const struct child *child, int status, unsigned limit_s, struct buffer *text)
{
    const char *unwritten = find_unwritten(child->job);
    if (child->is_late)
        buffer_append_printf(text, "gnuplot took longer than %u s and was stopped; --plot-timeout gives it more",
                             limit_s);
    else if (WIFSIGNALED(status))
        buffer_append_printf(text, "gnuplot was ended by signal %d (%s)", WTERMSIG(status),
                             strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        buffer_append_printf(text, "gnuplot has failed");
    else if (unwritten)
        buffer_append_printf(text, "gnuplot reports no failure, but did not write %s, or not all of it", unwritten);
}

/* Of a child that has ended. */
static void finish(struct child *child, int status, unsigned limit_s, struct message_list *errors)
{
    struct gnuplot_job *job = child->job;
    struct error err = {0};
    struct buffer failure = {0};
    lseek(child->output, 0, SEEK_SET);
    if (file_read_descriptor(child->output, job->name, OUTPUT_LIMIT, &job->output, &err))
        append_failure(child, status, limit_s, &failure);
    else
        buffer_append_printf(&failure, "%s", err.message);
    job->failed = failure.size > 0;
    if (job->failed) {
        append_message(child->messages, &failure);
        message_list_add(errors, "%s: %s", job->name, buffer_text(&failure));
    }
    buffer_release(&failure);
    close_files(child);
}

static void kill_late(struct children *children)
{
    for (size_t i = 0; i < children->count; i++) {
        struct child *child = &children->items[i];
        if (child->pid == 0 || child->is_late || clock_mono_ns() < child->deadline_ns)
            continue;
        child->is_late = children->had_late = true;
        kill(-child->pid, SIGKILL);
    }
}

/* Or for a tenth of a second, so that one that is late is seen. */
static void wait_for_an_end(void)
{
    const struct timespec moment = {0, CLOCK_NS_PER_SEC / 10};
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigtimedwait(&ended, NULL, &moment);
}

static void wait_for_some(struct children *children, struct message_list *errors)
{
    int status;
    bool has_ended = false;
    for (size_t i = 0; i < children->count; i++) {
        struct child *child = &children->items[i];
        if (child->pid > 0 && waitpid(child->pid, &status, WNOHANG) == child->pid) {
            finish(child, status, children->limit_s, errors);
            has_ended = true;
        }
    }
    if (!has_ended)
        wait_for_an_end();
    kill_late(children);
}

static struct child *free_place(const struct children *children)
{
    for (size_t i = 0; i < children->count; i++)
        if (children->items[i].pid == 0)
            return &children->items[i];
    return NULL;
}

static bool is_any_running(const struct children *children)
{
    for (size_t i = 0; i < children->count; i++)
        if (children->items[i].pid > 0)
            return true;
    return false;
}

/* An inherited SIG_IGN would take the children's exit status away. */
static void children_init(struct children *children, unsigned limit_s)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t ended;
    *children = (struct children){.count = cpus_usable(), .limit_s = limit_s};
    children->items = memory_zeroed(children->count, sizeof *children->items);
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigaction(SIGCHLD, &action, &children->action);
    sigprocmask(SIG_BLOCK, &ended, &children->mask);
}

static void children_release(struct children *children)
{
    sigprocmask(SIG_SETMASK, &children->mask, NULL);
    sigaction(SIGCHLD, &children->action, NULL);
    free(children->items);
}

/* One that hangs will hang again. */
static void give_up(struct gnuplot_job *jobs, size_t count, struct message_list *errors)
{
    for (size_t i = 0; i < count; i++)
        jobs[i].failed = true;
    if (count > 0)
        message_list_add(errors, "%zu more script%s not run after that", count, count == 1 ? " was" : "s were");
}

void gnuplot_run(struct gnuplot_job *jobs, size_t count, unsigned limit_s, struct message_list *errors)
{
    struct children children;
    struct child *child;
    size_t started = 0;
    children_init(&children, limit_s);
    while (started < count) {
        struct error err = {0};
        while (!(child = free_place(&children)))
            wait_for_some(&children, errors);
        if (children.had_late)
            break;
        struct gnuplot_job *job = &jobs[started++];
        if (start(&children, child, job, &err))
            continue;
        message_list_add(errors, "%s: %s", job->name, err.message);
        job->failed = true;
    }
    while (is_any_running(&children))
        wait_for_some(&children, errors);
    give_up(jobs + started, count - started, errors);
    children_release(&children);
}
