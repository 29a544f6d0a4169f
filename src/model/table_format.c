/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "model/table.h"

/* Three significant digits of a value in [0, 1000), printed from whole numbers: printf's own point follows the locale.
 * Below 0.1, where those would not say much in two decimals, four. */
static void format_digits(double value, char text[TABLE_NUMBER_SIZE])
{
    int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.095 || value == 0 ? 2 : 4;
    unsigned scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    unsigned whole = (unsigned)lround(value * scale);
    if (decimals == 0)
        snprintf(text, TABLE_NUMBER_SIZE, "%u", whole);
    else
        snprintf(text, TABLE_NUMBER_SIZE, "%u.%0*u", whole / scale, decimals, whole % scale);
}

/* Divides by 1000 while the rounded value has four digits before the point; returns how often, at most `most`. */
static size_t scale_down(double *value, size_t most)
{
    size_t times = 0;
    while (*value >= 999.5 && times < most) {
        *value /= 1000;
        times++;
    }
    return times;
}

void table_format_rate(double ops_per_sec, char text[TABLE_NUMBER_SIZE])
{
    static const char *const units[] = {"", "k", "M", "G"};
    if (!isfinite(ops_per_sec) || ops_per_sec < 0 || ops_per_sec >= 1e12) {
        snprintf(text, TABLE_NUMBER_SIZE, "-");
        return;
    }
    char digits[TABLE_NUMBER_SIZE];
    const char *unit = units[scale_down(&ops_per_sec, 3)];
    format_digits(ops_per_sec, digits);
    snprintf(text, TABLE_NUMBER_SIZE, "%.12s%s", digits, unit);
}

void table_format_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t unit = scale_down(&value, 6);
    char digits[TABLE_NUMBER_SIZE];
    if (unit == 0)
        snprintf(digits, sizeof digits, "%d", (int)bytes);
    else
        format_digits(value, digits);
    snprintf(text, size, "%s %s", digits, units[unit]);
}

void table_format_duration(int64_t duration_ns, char *text, size_t size)
{
    int64_t seconds = duration_ns > 0 ? (duration_ns + CLOCK_NS_PER_SEC / 2) / CLOCK_NS_PER_SEC : 0;
    int64_t minutes = (seconds + 30) / 60;
    int64_t tenths = (duration_ns + CLOCK_NS_PER_SEC / 20) / (CLOCK_NS_PER_SEC / 10);
    if (tenths > 0 && tenths < 10)
        snprintf(text, size, "0.%d s", (int)tenths);
    else if (seconds < 60)
        snprintf(text, size, "%" PRId64 " s", seconds);
    else if (seconds < 3600)
        snprintf(text, size, "%" PRId64 " min %02" PRId64 " s", seconds / 60, seconds % 60);
    else
        snprintf(text, size, "%" PRId64 " h %02" PRId64 " min", minutes / 60, minutes % 60);
}
