/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hands files to a fuzz target one by one and prints TAP: those that are named, or the target's corpus
 * (tests/fuzz/corpus/X for fuzz_X). To search for new ones, build the target without this file:
 *   clang -fsanitize=fuzzer,address,undefined ... tests/fuzz/fuzz_X.c libmodel.a libbase.a
 */
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool replay(size_t number, const char *path)
{
    struct buffer bytes = {0};
    struct error err = {0};
    bool ok = file_read(path, 1 << 24, &bytes, &err);
    /* Printed and flushed first: a crash comes right after the name of its file. */
    printf("# %s\n", path);
    fflush(stdout);
    if (ok)
        LLVMFuzzerTestOneInput(bytes.data, bytes.size);
    printf("%s %zu - %s is survived\n", ok ? "ok" : "not ok", number,
           strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    buffer_release(&bytes);
    return ok;
}

static char *corpus_of(const char *program)
{
    const char *name = strstr(program, "fuzz_"), *srcdir = getenv("srcdir");
    return memory_printf("%s/tests/fuzz/corpus/%s/*", srcdir ? srcdir : ".", name ? name + 5 : program);
}

int main(int argc, char **argv)
{
    glob_t files = {0};
    bool ok = true;
    if (argc == 1) {
        char *pattern = corpus_of(basename(argv[0]));
        glob(pattern, 0, NULL, &files);
        free(pattern);
    }
    char **paths = argc > 1 ? argv + 1 : files.gl_pathv;
    size_t count = argc > 1 ? (size_t)argc - 1 : files.gl_pathc;
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++)
        ok = replay(i + 1, paths[i]) && ok;
    globfree(&files);
    return ok && count > 0 ? 0 : 1;
}
