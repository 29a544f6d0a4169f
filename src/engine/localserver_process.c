/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/localserver_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"

#define ENVIRONMENT_BYTES_MAX ((size_t)4 << 20)
#define POLL_NS (20 * CLOCK_NS_PER_MS)
/* In the environment of the server and of all that it starts: its folder, a name that no other server has. */
#define MARK "BENCHRUN_SERVER_FOLDER="

bool localserver_process_look(pid_t pid, struct localserver_process *process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    struct buffer stat = {0};
    bool found = false;
    if (pid > 0 && file_read(path, 65536, &stat, NULL)) {
        /* The name, field 2, stands in parentheses and may hold any character. */
        const char *after_name = strrchr(buffer_text(&stat), ')');
        char state;
        unsigned long long ticks;
        found =
            after_name &&
            sscanf(after_name + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                   &state, &ticks) == 2 &&
            state != 'Z' && state != 'X';
        if (found)
            *process = (struct localserver_process){.pid = pid, .start_ticks = ticks};
    }
    buffer_release(&stat);
    return found;
}

bool localserver_process_is_alive(const struct localserver_process *process)
{
    struct localserver_process now;
    return localserver_process_look(process->pid, &now) && now.start_ticks == process->start_ticks;
}

/* What the parent has opened or inherited must not live on in the server: a pipe would never end. */
static void close_on_exec_from(int first)
{
    if (close_range((unsigned)first, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    long limit = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < limit; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Between fork and exec, in a program with threads: only calls that are safe in a signal handler. */
static void become_server(char *const argv[], char *const environment[], const char *folder, int log_fd, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before we asked to be told */
        _exit(1);
    int null_fd = open("/dev/null", O_RDONLY);
    if (null_fd < 0 || dup2(null_fd, 0) < 0 || dup2(log_fd, 1) < 0 || dup2(log_fd, 2) < 0 || chdir(folder) != 0)
        return;
    close_on_exec_from(3);
    /* Ignored signals and the mask outlive an exec. */
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(argv[0], argv, environment);
}

/* The pipe closes without a byte when exec has succeeded, else it brings the reason. */
static pid_t fork_and_exec(char *const argv[], char *const environment[], const char *folder, int log_fd,
                           int pipe_fds[2])
{
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    become_server(argv, environment, folder, log_fd, parent);
    int reason = errno;
    ssize_t n = write(pipe_fds[1], &reason, sizeof reason);
    _exit(n == sizeof reason ? 127 : 126);
}

static int read_reason(int fd)
{
    int reason = 0;
    ssize_t n;
    do
        n = read(fd, &reason, sizeof reason);
    while (n < 0 && errno == EINTR);
    return n == sizeof reason ? reason : 0;
}

static bool spawn_logging_to(struct localserver_process *child, char *const argv[], char *const environment[],
                             const char *folder, int log_fd, struct error *err)
{
    int pipe_fds[2];
    if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
        error_set(err, "%s: cannot make a pipe: %s", argv[0], strerror(errno));
        return false;
    }
    pid_t pid = fork_and_exec(argv, environment, folder, log_fd, pipe_fds);
    int reason = pid < 0 ? errno : 0;
    close(pipe_fds[1]);
    if (pid > 0)
        reason = read_reason(pipe_fds[0]);
    close(pipe_fds[0]);
    if (reason == 0) {
        /* A child that has ended already keeps its pid until it is collected. */
        if (!localserver_process_look(pid, child))
            *child = (struct localserver_process){.pid = pid};
        return true;
    }
    error_set(err, "%s: cannot start it: %s", argv[0], strerror(reason));
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return false;
}

/* execve() wants strings that it might change. There is room for one more. */
static char **copy_words(const char *const words[], size_t *count)
{
    *count = 0;
    while (words[*count])
        ++*count;
    char **copy = memory_zeroed(*count + 2, sizeof *copy);
    for (size_t i = 0; i < *count; i++)
        copy[i] = memory_strdup(words[i]);
    return copy;
}

static void free_words(char **words)
{
    for (char **at = words; *at; at++)
        free(*at);
    free(words);
}

bool localserver_process_spawn(struct localserver_process *child, const char *const argv[], const char *folder,
                               const char *log_path, struct error *err)
{
    int log_fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_fd < 0) {
        error_set(err, "%s: cannot open: %s", log_path, strerror(errno));
        return false;
    }
    size_t count;
    char **words = copy_words(argv, &count), **environment = copy_words((const char *const *)environ, &count);
    environment[count] = memory_printf(MARK "%s", folder);
    bool ok = spawn_logging_to(child, words, environment, folder, log_fd, err);
    free_words(words);
    free_words(environment);
    close(log_fd);
    return ok;
}

/* Not collected: its pid, and so the number of its group, stays taken. */
static bool peek_child(pid_t pid, siginfo_t *info)
{
    info->si_pid = 0;
    int rc = waitid(P_PID, (id_t)pid, info, WEXITED | WNOHANG | WNOWAIT);
    return rc != 0 || info->si_pid == pid;
}

bool localserver_process_child_ended(const struct localserver_process *child, char **how)
{
    siginfo_t info = {0};
    if (!peek_child(child->pid, &info))
        return false;
    if (info.si_pid == 0)
        *how = memory_strdup("an unknown status"); /* somebody has collected it */
    else if (info.si_code == CLD_EXITED)
        *how = memory_printf("exit status %d", info.si_status);
    else
        *how = memory_printf("signal %d (%s)", info.si_status, strsignal(info.si_status));
    return true;
}

void localserver_process_end_child(const struct localserver_process *child, unsigned patience_ms)
{
    siginfo_t info;
    int64_t deadline = clock_mono_ns() + patience_ms * CLOCK_NS_PER_MS;
    kill(-child->pid, SIGTERM);
    while (!peek_child(child->pid, &info) && clock_mono_ns() < deadline)
        clock_sleep_ns(POLL_NS);
    /* Also what a wrapper script has started and not waited for. */
    kill(-child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static bool wait_until_gone(const struct localserver_process *process, unsigned patience_ms)
{
    int64_t deadline = clock_mono_ns() + patience_ms * CLOCK_NS_PER_MS;
    while (localserver_process_is_alive(process)) {
        if (clock_mono_ns() >= deadline)
            return false;
        clock_sleep_ns(POLL_NS);
    }
    return true;
}

static void signal_stranger(const struct localserver_process *process, int signal_number)
{
    if (localserver_process_is_alive(process))
        kill(getpgid(process->pid) == process->pid ? -process->pid : process->pid, signal_number);
}

bool localserver_process_end_stranger(const struct localserver_process *process, unsigned patience_ms)
{
    signal_stranger(process, SIGTERM);
    if (wait_until_gone(process, patience_ms))
        return true;
    signal_stranger(process, SIGKILL);
    return wait_until_gone(process, patience_ms);
}

static bool has_mark(pid_t pid, const char *folder)
{
    char path[64], *mark = memory_printf(MARK "%s", folder);
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
    struct buffer text = {0};
    bool found = false;
    if (file_read(path, ENVIRONMENT_BYTES_MAX, &text, NULL)) {
        const char *at = buffer_text(&text), *end = at + text.size;
        for (; !found && at < end; at += strlen(at) + 1)
            found = strcmp(at, mark) == 0;
    }
    buffer_release(&text);
    free(mark);
    return found;
}

bool localserver_process_end_group(pid_t group, const char *folder, unsigned patience_ms)
{
    DIR *proc = group > 0 ? opendir("/proc") : NULL;
    bool ok = true;
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        struct localserver_process member;
        /* Looked at first: what is ended is what has been seen to have the mark, or nothing. */
        if (pid > 0 && getpgid(pid) == group && localserver_process_look(pid, &member) && has_mark(pid, folder))
            ok = localserver_process_end_stranger(&member, patience_ms) && ok;
    }
    if (proc)
        closedir(proc);
    return ok;
}
