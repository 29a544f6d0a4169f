/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cpus.h"

#include <sched.h>

unsigned cpus_usable(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (unsigned)count : 1;
}
