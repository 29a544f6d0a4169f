/* SPDX-License-Identifier: Apache-2.0 */
#include "model/trial_fields.h"

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct trial_field {
    const char *name;
    size_t in_trial; /* where its int64_t is */
    size_t in_cell;  /* likewise, or NOT_SUMMED */
};

#define NOT_SUMMED SIZE_MAX
#define OF_TRIAL(name)                                                                                                 \
    {                                                                                                                  \
#name, offsetof(struct trial_result, name), NOT_SUMMED                                                         \
    }
#define OF_BOTH(name)                                                                                                  \
    {                                                                                                                  \
#name, offsetof(struct trial_result, name), offsetof(struct cell, name)                                        \
    }

/* In the order of the result file. */
static const struct trial_field fields[] = {
    OF_BOTH(elapsed_ns), OF_BOTH(client_cpu_ns),     OF_BOTH(setup_ns),        OF_BOTH(server_wait_ns),
    OF_BOTH(reconnects), OF_TRIAL(abandoned_killed), OF_TRIAL(abandoned_left), OF_TRIAL(settle_ns),
};

static const int64_t *value_in(const void *record, size_t offset)
{
    return (const int64_t *)(const void *)((const char *)record + offset);
}

void trial_fields_to_json(const struct trial_result *trial, json_t *object)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        json_object_set_new(object, fields[i].name, json_integer(*value_in(trial, fields[i].in_trial)));
}

void trial_fields_of_cell_to_json(const struct cell *cell, json_t *object)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (fields[i].in_cell != NOT_SUMMED)
            json_object_set_new(object, fields[i].name, json_integer(*value_in(cell, fields[i].in_cell)));
}

bool trial_fields_from_json(const json_t *object, struct trial_result *trial, struct error *err)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const json_t *value = json_object_get(object, fields[i].name);
        if (value && (!json_is_integer(value) || json_integer_value(value) < 0)) {
            error_set(err, "%s: expected a whole number from 0", fields[i].name);
            return false;
        }
        *(int64_t *)(void *)((char *)trial + fields[i].in_trial) = json_integer_value(value);
    }
    return true;
}

void trial_fields_add(struct cell *cell, const struct trial_result *trial)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (fields[i].in_cell != NOT_SUMMED)
            *(int64_t *)(void *)((char *)cell + fields[i].in_cell) += *value_in(trial, fields[i].in_trial);
}
