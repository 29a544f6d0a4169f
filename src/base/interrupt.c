/* SPDX-License-Identifier: Apache-2.0 */
#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/array.h"

/* Lock-free, so that a handler may touch it, and read by any thread. */
static atomic_int received;

static void on_signal(int signal_number)
{
    int none = 0;
    if (!atomic_compare_exchange_strong_explicit(&received, &none, signal_number, memory_order_relaxed,
                                                 memory_order_relaxed))
        _exit(128 + signal_number);
}

static bool is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void interrupt_ignore_file_limit(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

void interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    /* What whoever started us ignores (nohup, a shell's background job) stays ignored. */
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (!is_ignored(ends[i]))
            sigaction(ends[i], &action, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
    interrupt_ignore_file_limit();
}

int interrupt_signal(void)
{
    return atomic_load_explicit(&received, memory_order_relaxed);
}

void interrupt_raise_again(void)
{
    int signal_number = interrupt_signal();
    if (!signal_number)
        return;
    signal(signal_number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
    _exit(128 + signal_number);
}
