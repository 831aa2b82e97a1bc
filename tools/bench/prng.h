/* prng.h: splitmix64 (Steele, Lea and Flood 2014). The same numbers for the same seed, everywhere. */
#ifndef BENCH_PRNG_H
#define BENCH_PRNG_H
#include <stddef.h>
#include <stdint.h>

static inline uint64_t prng_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 .. n - 1. The bias for the small n used here is far below anything measurable. */
static inline size_t prng_below(uint64_t *state, size_t n)
{
    return (size_t)(prng_next(state) % n);
}
#endif
