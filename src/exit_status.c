/* SPDX-License-Identifier: Apache-2.0 */
#include "exit_status.h"

const struct exit_status exit_statuses[] = {
    [EXIT_GOOD] = {.meaning = "all cells were measured, or what was asked for was printed"},
    [EXIT_COULD_NOT_RUN] = {.meaning = "the run could not begin or go on, or its result could not be written"},
    [EXIT_USAGE] = {.meaning = "usage or definition error, a missing file, or no test selected"},
    [EXIT_CELLS_BAD] = {.meaning = "the run came to its end, but some cells have no number or hold failures"},
};
