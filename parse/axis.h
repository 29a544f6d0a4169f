/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_AXIS_H
#define PARSE_AXIS_H

#include <stddef.h>

/* A linear axis from 0: steps of 1, 2 or 5 times a power of ten, the top a whole number of steps. */
struct axis {
    double top, step;
};

/* About `steps` steps up to `most`; a `most` that is not above 0 gives an axis to 1. */
struct axis axis_make(double most, unsigned steps);

/*
 * Which of the ascending rungs get a number at a logarithmic axis that has room for `room` of them: those that keep
 * their distance from the one before, and always the last. `chosen` has room for all. Returns how many.
 */
size_t axis_choose_rungs(const unsigned *threads, size_t count, unsigned room, unsigned *chosen);

#endif
