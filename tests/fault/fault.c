/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program and lets a system call go wrong.
 *
 *   fault kill N PROGRAM...            SIGKILL in the place of the N-th system call that changes files, of any thread;
 *                                      N 0: none, prints how many there are
 *   fault kill-any N PROGRAM...        the same over all system calls
 *   fault refuse NAME ERRNO PROGRAM... every call of that name fails with that number
 *
 * The exit status is the program's, 137 after SIGKILL, 99 where the machine does not let one process trace another.
 * Needs neither root nor strace: a seccomp filter picks the calls, ptrace stops at them.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_UNABLE = 99, EXIT_KILLED = 137 };

/* Calls that change a file, a name or what is on the disk. */
static const int changing[] = {
    SYS_openat,   SYS_write,   SYS_pwrite64, SYS_writev, SYS_ftruncate, SYS_fsync, SYS_fdatasync,
    SYS_fchmod,   SYS_mkdirat, SYS_unlinkat, SYS_linkat, SYS_renameat2, SYS_flock,
#ifdef SYS_rename
    SYS_rename,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_link
    SYS_open,     SYS_mkdir,   SYS_unlink,   SYS_link,
#endif
};

static const struct {
    const char *name;
    int number;
} named[] = {
    {"link", SYS_linkat}, {"flock", SYS_flock},         {"fchmod", SYS_fchmod},
    {"fsync", SYS_fsync}, {"fdatasync", SYS_fdatasync},
#ifdef SYS_link
    {"link", SYS_link},
#endif
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void fail(const char *what)
{
    fprintf(stderr, "fault: %s: %s\n", what, strerror(errno));
    exit(EXIT_UNABLE);
}

/* From now on calls of these numbers (all with `count` 0) end as `action` says. */
static void install_filter(const int *numbers, size_t count, unsigned action)
{
    struct sock_filter code[3 + 2 * 32];
    unsigned short length = 0;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < count; i++) {
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[i], 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, count ? SECCOMP_RET_ALLOW : action);
    struct sock_fprog program = {length, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        fail("seccomp");
}

static void execute(char **argv)
{
    execvp(argv[0], argv);
    fail(argv[0]);
}

static int refuse(const char *name, const char *error, char **argv)
{
    int numbers[COUNT_OF(named)];
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(named); i++)
        if (strcmp(named[i].name, name) == 0)
            numbers[count++] = named[i].number;
    if (count == 0) {
        fprintf(stderr, "fault: %s: no such call here\n", name);
        return EXIT_UNABLE;
    }
    install_filter(numbers, count, SECCOMP_RET_ERRNO | (unsigned)(atoi(error) & SECCOMP_RET_DATA));
    execute(argv);
    return EXIT_UNABLE;
}

static void run_traced(bool any, char **argv)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        fail("ptrace");
    raise(SIGSTOP);
    install_filter(changing, any ? 0 : COUNT_OF(changing), SECCOMP_RET_TRACE);
    execute(argv);
}

/* Opening a file to read it changes nothing. */
static bool changes_something(pid_t thread)
{
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0)
        return true;
    bool is_open = info.entry.nr == SYS_openat;
    return !is_open || (info.entry.args[2] & (O_ACCMODE | O_CREAT)) != O_RDONLY;
}

/* Lets the stopped thread go on; true when that was the stop at a call that counts. */
static bool go_on(pid_t thread, int status, bool any)
{
    int signal_number = WSTOPSIG(status), event = status >> 16;
    bool counts = event == PTRACE_EVENT_SECCOMP && (any || changes_something(thread));
    if (counts)
        return true;
    bool is_ours = event != 0 || signal_number == SIGSTOP || signal_number == SIGTRAP;
    ptrace(PTRACE_CONT, thread, NULL, (void *)(long)(is_ours ? 0 : signal_number));
    return false;
}

static int follow(pid_t child, long last, bool any)
{
    long count = 0;
    int status;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
        if (thread == child && WIFEXITED(status)) {
            if (last == 0)
                printf("%ld\n", count);
            return WEXITSTATUS(status);
        }
        if (thread == child && WIFSIGNALED(status))
            return 128 + WTERMSIG(status);
        if (!WIFSTOPPED(status) || !go_on(thread, status, any))
            continue;
        if (++count == last)
            kill(child, SIGKILL);
        else
            ptrace(PTRACE_CONT, thread, NULL, NULL);
    }
    return EXIT_UNABLE;
}

static int trace(long last, bool any, char **argv)
{
    pid_t child = fork();
    int status;
    if (child == 0)
        run_traced(any, argv);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return EXIT_UNABLE;
    long options =
        PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)options) != 0)
        fail("ptrace");
    ptrace(PTRACE_CONT, child, NULL, NULL);
    return follow(child, last, any);
}

int main(int argc, char **argv)
{
    if (argc > 4 && strcmp(argv[1], "refuse") == 0)
        return refuse(argv[2], argv[3], argv + 4);
    if (argc > 3 && (strcmp(argv[1], "kill") == 0 || strcmp(argv[1], "kill-any") == 0))
        return trace(atol(argv[2]), strcmp(argv[1], "kill-any") == 0, argv + 3);
    fprintf(stderr, "usage: fault kill|kill-any N PROGRAM... | fault refuse NAME ERRNO PROGRAM...\n");
    return EXIT_UNABLE;
}
