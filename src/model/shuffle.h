/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_SHUFFLE_H
#define MODEL_SHUFFLE_H

#include <stdint.h>

/*
 * A permutation of 0..size-1 chosen by `key`, without memory: the place of each number is computed when it is asked
 * for. size from 1 to 2^62, position < size. Equal arguments give equal results.
 */
uint64_t shuffle_position(uint64_t position, uint64_t size, uint64_t key);

#endif
