/* SPDX-License-Identifier: Apache-2.0 */
#include "base/descriptors.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

bool descriptors_allow(unsigned count, struct error *err)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count)
        return true;
    if (limit.rlim_max < count) {
        error_set(err,
                  "%u files would have to be open at once, the system allows %llu; raise the hard limit (ulimit -Hn)",
                  count, (unsigned long long)limit.rlim_max);
        return false;
    }
    limit.rlim_cur = count;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return true;
    error_set(err, "the limit of open files cannot be raised to %u: %s", count, strerror(errno));
    return false;
}

void descriptors_allow_most(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}
