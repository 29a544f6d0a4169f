/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static int64_t read_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * CLOCK_NS_PER_SEC + t.tv_nsec;
}

int64_t clock_mono_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

int64_t clock_wall_ms(void)
{
    return read_ns(CLOCK_REALTIME) / CLOCK_NS_PER_MS;
}

int64_t clock_thread_cpu_ns(void)
{
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

void clock_sleep_ns(int64_t duration_ns)
{
    if (duration_ns <= 0)
        return;
    struct timespec t = {.tv_sec = duration_ns / CLOCK_NS_PER_SEC, .tv_nsec = duration_ns % CLOCK_NS_PER_SEC};
    nanosleep(&t, NULL);
}

void clock_format_iso(int64_t wall_ms, char text[CLOCK_ISO_SIZE])
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    char date[24];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text, CLOCK_ISO_SIZE, "%s.%03dZ", date, (int)(wall_ms % 1000));
}
