/* SPDX-License-Identifier: Apache-2.0 */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t received;

static void on_signal(int signal_number)
{
    if (received)
        _exit(128 + signal_number);
    received = signal_number;
}

void interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
}

int interrupt_signal(void)
{
    return received;
}

void interrupt_raise_again(void)
{
    if (!received)
        return;
    int signal_number = received;
    signal(signal_number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
    _exit(128 + signal_number);
}
