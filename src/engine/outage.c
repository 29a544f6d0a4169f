/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/outage.h"

#include "base/clock.h"
#include "base/interrupt.h"

#define PAUSE_MIN_NS (50 * CLOCK_NS_PER_MS)
#define PAUSE_MAX_NS (500 * CLOCK_NS_PER_MS)
#define SILENT_NS CLOCK_NS_PER_SEC

void outage_init(struct outage *outage, int64_t limit_ns, outage_fn *on_wait, void *context)
{
    *outage = (struct outage){.limit_ns = limit_ns, .on_wait = on_wait, .context = context, .pause_ns = PAUSE_MIN_NS};
}

bool outage_goes_on(struct outage *outage, int64_t asked_ns, const char *reason)
{
    if (outage->begin_ns == 0)
        outage->begin_ns = asked_ns;
    int64_t waited_ns = outage_length_ns(outage);
    if (waited_ns >= outage->limit_ns || interrupt_signal())
        return false;
    if (outage->on_wait && waited_ns >= SILENT_NS)
        outage->on_wait(reason, waited_ns, outage->limit_ns, outage->context);
    clock_sleep_ns(outage->pause_ns);
    outage->pause_ns = outage->pause_ns * 2 < PAUSE_MAX_NS ? outage->pause_ns * 2 : PAUSE_MAX_NS;
    return true;
}

int64_t outage_length_ns(const struct outage *outage)
{
    return outage->begin_ns ? clock_mono_ns() - outage->begin_ns : 0;
}
