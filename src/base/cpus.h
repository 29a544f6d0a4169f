/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CPUS_H
#define BASE_CPUS_H

/* How many CPUs this process may run on (its affinity mask, not the machine's number); at least 1. */
unsigned cpus_usable(void);

#endif
