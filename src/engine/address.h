/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_ADDRESS_H
#define ENGINE_ADDRESS_H

#include <mongoc/mongoc.h>
#include <stdbool.h>
#include <stdint.h>

/* Connection strings as text. What is given here has passed target_check_uri(). */

/* The same address for other hosts ("a:1,b:2", each may be a percent-encoded socket). `direct`: for just this host,
 * whatever set it belongs to. What was found by a name service (mongodb+srv://) is named then. The caller frees. */
char *address_for_hosts(const char *address, const char *hosts, bool direct);
/* The hosts as a list of that kind, the first `most` of them (0: all). The caller frees. */
char *address_list_hosts(const mongoc_host_list_t *hosts, int32_t most);
/* As it is written in an address: a local socket escaped. The caller frees. */
char *address_of_host(const mongoc_host_list_t *host);

#endif
