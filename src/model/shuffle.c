/* SPDX-License-Identifier: Apache-2.0 */
#include "model/shuffle.h"

#define ROUNDS 8

/* The finalizer of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A Feistel network permutes the numbers of 2 * half_bits bits, whatever its round function. */
static uint64_t feistel(uint64_t number, unsigned half_bits, uint64_t key)
{
    uint64_t mask = (UINT64_C(1) << half_bits) - 1;
    uint64_t left = number >> half_bits, right = number & mask;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        uint64_t next = left ^ (mix(key + round * UINT64_C(0x9e3779b97f4a7c15) + mix(right)) & mask);
        left = right;
        right = next;
    }
    return left << half_bits | right;
}

/* Numbers outside 0..size-1 are sent on until they come back in (cycle walking: Black and Rogaway, "Ciphers with
 * arbitrary finite domains", 2002). The network is less than four times as large as size (4 for size 1), so that takes
 * few steps. */
uint64_t shuffle_position(uint64_t position, uint64_t size, uint64_t key)
{
    unsigned half_bits = 1;
    while (half_bits < 31 && UINT64_C(1) << 2 * half_bits < size)
        half_bits++;
    do
        position = feistel(position, half_bits, key);
    while (position >= size);
    return position;
}
