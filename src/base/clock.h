/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define CLOCK_NS_PER_SEC INT64_C(1000000000)
#define CLOCK_NS_PER_MS INT64_C(1000000)

static inline double clock_seconds(int64_t ns)
{
    return (double)ns / (double)CLOCK_NS_PER_SEC;
}

/*
 * Everything that is measured is measured on the monotonic clock; wall time only labels things. A step of the wall
 * clock therefore never changes a rate.
 */
struct clock_now {
    int64_t mono_ns; /* since an arbitrary start, never goes back */
    int64_t wall_ms; /* since 1970-01-01 UTC */
};

int64_t clock_mono_ns(void);
int64_t clock_wall_ms(void);
/* CPU time, user + system, that the calling thread has used. */
int64_t clock_thread_cpu_ns(void);
/* Returns early when a signal arrives. */
void clock_sleep_ns(int64_t duration_ns);

/* "2026-11-30T16:46:50.072Z"; needs 25 bytes. */
#define CLOCK_ISO_SIZE 32
void clock_format_iso(int64_t wall_ms, char text[CLOCK_ISO_SIZE]);

#endif
