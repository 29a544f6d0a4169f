/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/wait.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/interrupt.h"

void wait_begin(struct wait *wait, const struct wait_terms *terms, int32_t timeout_ms)
{
    int64_t length_ms = timeout_ms < 0 ? WAIT_LONGEST_MS : timeout_ms;
    *wait = (struct wait){.terms = terms, .until_ns = clock_mono_ns() + length_ms * CLOCK_NS_PER_MS};
    if (terms->limit_ns && terms->limit_ns < wait->until_ns)
        wait->until_ns = terms->limit_ns;
}

static bool is_cut_off(struct wait *wait, int64_t now_ns)
{
    if (wait->terms->cut && atomic_load_explicit(wait->terms->cut, memory_order_relaxed))
        return true;
    if (!interrupt_signal())
        return false;
    if (wait->cut_ns == 0)
        wait->cut_ns = now_ns + (wait->terms->is_patient ? WAIT_PATIENCE_MS * CLOCK_NS_PER_MS : 0);
    return now_ns >= wait->cut_ns;
}

bool wait_goes_on(struct wait *wait)
{
    int64_t now_ns = clock_mono_ns();
    bool is_cut = is_cut_off(wait, now_ns);
    errno = is_cut ? EINTR : ETIMEDOUT;
    return !is_cut && now_ns < wait->until_ns;
}

int wait_slice_ms(const struct wait *wait)
{
    int64_t left_ms = (wait->until_ns - clock_mono_ns()) / CLOCK_NS_PER_MS;
    return left_ms < 0 ? 0 : left_ms < WAIT_SLICE_MS ? (int)left_ms + 1 : WAIT_SLICE_MS;
}

bool wait_for_descriptor(struct wait *wait, int fd, short events)
{
    do {
        struct pollfd item = {.fd = fd, .events = events};
        int n = poll(&item, 1, wait_slice_ms(wait));
        if (n > 0 || (n < 0 && errno != EINTR))
            return true;
    } while (wait_goes_on(wait));
    return false;
}
