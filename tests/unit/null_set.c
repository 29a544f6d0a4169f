/* SPDX-License-Identifier: Apache-2.0 */
#include "null_set.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"

#include "unit.h"

void null_set_init(struct null_set *it, const struct nullset_config *config, const char *options)
{
    struct error err = {0};
    *it = (struct null_set){.options = {.patience_ns = 10 * CLOCK_NS_PER_SEC}};
    it->set = nullset_start(config, &err);
    if (!it->set)
        fail_msg("%s", err.message);
    char *uri = memory_printf("mongodb://%s/?replicaSet=%s&%s", nullset_hosts(it->set), config->name, options);
    if (!target_open(&it->target, &it->options, uri, NULL, NULL, &err))
        fail_msg("%s", err.message);
    free(uri);
}

void null_set_release(struct null_set *it)
{
    assert_true(target_close(&it->target));
    nullset_stop(it->set);
}
