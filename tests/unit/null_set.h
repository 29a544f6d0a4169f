/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_NULL_SET_H
#define TESTS_NULL_SET_H

#include "engine/open.h"
#include "nullserver/nullset.h"

/* A set of null servers, and an open target that has found its primary. */
struct null_set {
    struct nullset *set;
    struct run_options options;
    struct target target;
};

/* `options` is put behind the URI's '?'. */
void null_set_init(struct null_set *it, const struct nullset_config *config, const char *options);
void null_set_release(struct null_set *it);

#endif
