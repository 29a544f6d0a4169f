/* SPDX-License-Identifier: Apache-2.0 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "scratch.h"

/* Opens, writes `text` and closes. */
static void write_to(const char *name, const char *text)
{
    struct output output;
    struct error err = {0};
    if (!output_open(&output, name, &err) || !output_write(&output, text, strlen(text), NULL, &err))
        fail_msg("%s: %s", name, err.message);
    output_close(&output);
}

static void assert_refused(const char *name, const char *expected)
{
    struct output output;
    struct error err = {0};
    if (output_open(&output, name, &err))
        fail_msg("%s is taken", name);
    if (!strstr(err.message, expected))
        fail_msg("\"%s\" does not hold \"%s\"", err.message, expected);
    output_close(&output);
}

static bool is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static void files(void **state)
{
    (void)state;
    write_to("new.json", "one");
    scratch_assert_holds("new.json", "one");
    assert_int_equal(chmod("new.json", 0640), 0);
    write_to("./new.json", "two!");
    scratch_assert_holds("new.json", "two!");
    struct stat st;
    assert_int_equal(stat("new.json", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(access("new.json" FILE_PART, F_OK), -1);
}

static void left_part(void **state)
{
    (void)state;
    scratch_put("target", "somebody's");
    assert_int_equal(symlink("target", "file" FILE_PART), 0);
    write_to("file", "one");
    scratch_assert_holds("file", "one");
    scratch_assert_holds("target", "somebody's");
    assert_int_equal(access("file" FILE_PART, F_OK), -1);
}

static void links(void **state)
{
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    scratch_put("sub/file", "old");
    assert_int_equal(symlink("sub/file", "to_file"), 0);
    assert_int_equal(symlink("../to_file", "sub/twice"), 0);
    write_to("sub/twice", "new");
    scratch_assert_holds("sub/file", "new");
    assert_true(is_link("to_file") && is_link("sub/twice"));
    assert_int_equal(symlink("sub/not_there", "dangling"), 0);
    write_to("dangling", "new");
    scratch_assert_holds("sub/not_there", "new");
    assert_true(is_link("dangling"));
    assert_int_equal(symlink("nowhere/file", "lost"), 0);
    assert_refused("lost", "nowhere: cannot write in this folder");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_refused("loop", "loop: cannot follow the link");
    assert_int_equal(symlink("sub", "to_folder"), 0);
    assert_refused("to_folder", "to_folder: is a folder");
}

/* What the name of a descriptor leads to is not replaced, and keeps what was written before. */
static void assert_descriptor(const char *prefix, int fd, const char *path)
{
    char *name = memory_printf("%s%d", prefix, fd);
    struct stat before, after;
    assert_int_equal(fstat(fd, &before), 0);
    write_to(name, "data");
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    scratch_assert_holds(path, "first,data");
    free(name);
}

static void descriptors(void **state)
{
    (void)state;
    static const char *const prefixes[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", "link"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        int fd = open("opened", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        assert_int_equal(write(fd, "first,", 6), 6);
        char *name = memory_printf("link%d", fd), *target = memory_printf("/dev/fd/%d", fd);
        assert_int_equal(symlink(target, name), 0);
        assert_descriptor(prefixes[i], fd, "opened");
        assert_true(is_link(name));
        assert_int_equal(unlink(name), 0);
        free(target);
        free(name);
        close(fd);
    }
}

static void removed_file(void **state)
{
    (void)state;
    int fd = open("gone", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(unlink("gone"), 0);
    char *name = memory_printf("/dev/fd/%d", fd), text[10] = "";
    write_to(name, "data");
    assert_int_equal(pread(fd, text, sizeof text, 0), 4);
    assert_string_equal(text, "data");
    assert_int_equal(access("gone", F_OK), -1);
    free(name);
    close(fd);
}

static void pipes(void **state)
{
    (void)state;
    int ends[2];
    char text[10] = "";
    assert_int_equal(pipe(ends), 0);
    char *name = memory_printf("/dev/fd/%d", ends[1]);
    write_to(name, "data");
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    free(name);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    write_to("fifo", "more");
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "more");
    close(reader);
    struct stat st;
    assert_int_equal(stat("fifo", &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
}

static void devices(void **state)
{
    (void)state;
    struct stat st;
    write_to("/dev/null", "data");
    assert_int_equal(symlink("/dev/null", "void"), 0);
    write_to("void", "data");
    assert_true(is_link("void"));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_refused("/dev/full", "No space left");
}

static void closed_descriptors(void **state)
{
    (void)state;
    int fd = open("/dev/null", O_RDONLY);
    char *name = memory_printf("/dev/fd/%d", fd);
    assert_refused(name, "closed, or not open for writing");
    close(fd);
    assert_refused(name, "no descriptor that is open");
    free(name);
}

static void bad_places(void **state)
{
    (void)state;
    assert_refused("/nowhere/at/all.json", "/nowhere/at");
    assert_refused("/tmp", "is a folder");
    assert_refused("new/", "is a folder");
    scratch_put("plain", "x");
    assert_refused("plain/x", "plain/x");
    assert_int_equal(mkdir("plain" FILE_PART, 0700), 0);
    assert_refused("plain", "plain" FILE_PART ": is a folder, and the file is first written under this name");
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_refused("socket", "is a socket");
    close(fd);
}

enum { DONE, WRONG, UNABLE };

/* In a view of the file system that ends with this process. */
static int try_mounted(const char *path)
{
    struct output output;
    struct error err = {0};
    bool can = (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
               mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount(path, path, NULL, MS_BIND, NULL) == 0;
    if (!can)
        return UNABLE;
    return !output_open(&output, path, &err) && strstr(err.message, "is a mount point") ? DONE : WRONG;
}

static void mounted_file(void **state)
{
    (void)state;
    int status;
    scratch_put("mounted", "somebody's");
    pid_t child = fork();
    if (child == 0)
        _exit(try_mounted("mounted"));
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WEXITSTATUS(status) == UNABLE)
        print_message("# this machine does not let the test mount anything\n");
    else
        assert_int_equal(status, 0);
}

/* As somebody else, in a folder such as /tmp: what is our own, nothing yet, and two names that root holds. */
static int try_sticky(void)
{
    struct output output;
    struct error err = {0};
    if (setresuid(65534, 65534, 65534) != 0)
        return UNABLE;
    write_to("sticky/ours", "one");
    write_to("sticky/ours", "two");
    assert_refused("sticky/theirs", "sticky/theirs: belongs to another user");
    assert_refused("sticky/new", "sticky/new" FILE_PART ": belongs to another user");
    return output_open(&output, "theirs", &err) ? WRONG : DONE;
}

static void sticky_folder(void **state)
{
    (void)state;
    int status;
    if (geteuid() != 0) {
        print_message("# only root can try this as two users\n");
        return;
    }
    assert_int_equal(mkdir("sticky", 0700), 0);
    scratch_put("sticky/theirs", "somebody's");
    scratch_put("sticky/new" FILE_PART, "somebody's");
    assert_int_equal(chmod("sticky/theirs", 0666) | chmod("sticky", 01777) | chmod(".", 0711), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(try_sticky());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    scratch_assert_holds("sticky/theirs", "somebody's");
}

/* Takes nothing before the pipe is full. */
static size_t drain(int fd, int capacity)
{
    char bytes[4096];
    int waiting = 0;
    size_t taken = 0;
    while (ioctl(fd, FIONREAD, &waiting) == 0 && waiting < capacity)
        usleep(1000);
    for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0; taken += (size_t)n)
        ;
    return taken;
}

static void non_blocking_pipe(void **state)
{
    (void)state;
    static const char bytes[100000];
    int ends[2], status;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    int capacity = fcntl(ends[1], F_SETPIPE_SZ, 4096);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        _exit(drain(ends[0], capacity) == sizeof bytes ? DONE : WRONG);
    }
    close(ends[0]);
    assert_true(file_write_all(ends[1], "pipe", bytes, sizeof bytes, NULL));
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void keeping(void **state)
{
    (void)state;
    char *kept;
    scratch_put("kept", "one");
    scratch_put("kept.1", "other");
    assert_true(file_keep("kept", &kept, NULL));
    assert_string_equal(kept, "kept.2");
    free(kept);
    assert_true(file_keep("kept", &kept, NULL));
    assert_string_equal(kept, "kept.2");
    free(kept);
    scratch_put("kept", "two");
    assert_true(file_keep("kept", &kept, NULL));
    assert_string_equal(kept, "kept.3");
    free(kept);
    scratch_assert_holds("kept", "two");
    scratch_assert_holds("kept.1", "other");
    scratch_assert_holds("kept.2", "one");
    scratch_assert_holds("kept.3", "two");
    struct error err = {0};
    assert_false(file_keep("nothing", &kept, &err));
    assert_null(kept);
    assert_non_null(strstr(err.message, "No such file"));
}

static void refusals(void **state)
{
    (void)state;
    const int cannot[] = {EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL, ENOLCK}, fails[] = {EIO, ENOSPC, EDQUOT, EACCES};
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++)
        assert_true(file_system_cannot(cannot[i]));
    for (size_t i = 0; i < sizeof fails / sizeof *fails; i++)
        assert_false(file_system_cannot(fails[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(files, "a file is replaced whole and keeps its mode"),
        NAMED_TEST(left_part, "what a killed process has left beside it goes, and is not followed"),
        NAMED_TEST(links, "a link is followed to what it names, there or not, and stays"),
        NAMED_TEST(descriptors, "the name of a descriptor is written where that stands"),
        NAMED_TEST(removed_file, "also when its file has no name any more"),
        NAMED_TEST(pipes, "a pipe is written, with a name or without"),
        NAMED_TEST(devices, "a device is written and stays one"),
        NAMED_TEST(closed_descriptors, "a descriptor that cannot be written is refused"),
        NAMED_TEST(bad_places, "so is what is no file and no place for one"),
        NAMED_TEST(mounted_file, "so is a file that is mounted by itself"),
        NAMED_TEST(sticky_folder, "so is the file of another user in a sticky folder"),
        NAMED_TEST(non_blocking_pipe, "a pipe that does not block is waited for"),
        NAMED_TEST(keeping, "a file is kept under the first free number, once"),
        NAMED_TEST(refusals, "what a file system cannot do is told from a failure"),
    };
    return cmocka_run_group_tests_name("output", tests, scratch_enter, scratch_leave);
}
