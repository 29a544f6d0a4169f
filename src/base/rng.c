/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rng.h"

#include <Random123/philox.h>

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream)
{
    *rng = (struct rng){.seed = seed, .stream = stream};
}

static void refill(struct rng *rng)
{
    philox4x32_ctr_t counter = {
        {(uint32_t)rng->block, (uint32_t)(rng->block >> 32), (uint32_t)rng->stream, (uint32_t)(rng->stream >> 32)}};
    philox4x32_key_t key = {{(uint32_t)rng->seed, (uint32_t)(rng->seed >> 32)}};
    philox4x32_ctr_t out = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        rng->words[i] = out.v[i];
    rng->block++;
    rng->left = 4;
}

uint32_t rng_u32(struct rng *rng)
{
    if (rng->left == 0)
        refill(rng);
    return rng->words[4 - rng->left--];
}

uint64_t rng_u64(struct rng *rng)
{
    uint64_t low = rng_u32(rng);
    return low | (uint64_t)rng_u32(rng) << 32;
}

uint32_t rng_below(struct rng *rng, uint32_t bound)
{
    uint64_t product = (uint64_t)rng_u32(rng) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)rng_u32(rng) * bound;
    }
    return (uint32_t)(product >> 32);
}

uint64_t rng_below_u64(struct rng *rng, uint64_t bound)
{
    if (bound <= UINT32_MAX)
        return rng_below(rng, (uint32_t)bound);
    /* Numbers under 2^64 mod bound are the surplus that would make small results likelier. */
    uint64_t threshold = -bound % bound;
    uint64_t value;
    do
        value = rng_u64(rng);
    while (value < threshold);
    return value % bound;
}
