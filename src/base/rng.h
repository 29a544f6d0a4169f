/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

/*
 * A stream of random numbers: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11),
 * counter-based, so that (seed, stream) alone fixes every number and different streams never overlap. One stream
 * belongs to one thread at a time.
 */
struct rng {
    uint64_t seed;
    uint64_t stream;
    uint64_t block; /* index of the next block of four words */
    uint32_t words[4];
    unsigned left; /* words not handed out yet */
};

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream);
uint32_t rng_u32(struct rng *rng);
uint64_t rng_u64(struct rng *rng);
/* Uniform in [0, bound) without bias (Lemire 2019, "Fast random integer generation in an interval"); bound > 0. */
uint32_t rng_below(struct rng *rng, uint32_t bound);
uint64_t rng_below_u64(struct rng *rng, uint64_t bound);

#endif
