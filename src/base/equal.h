/* equal.h: comparison and choice in a time that does not depend on the data. */
#ifndef CELER_EQUAL_H
#define CELER_EQUAL_H
#include "base/bytes.h"

/* The same number, of which the compiler knows nothing any more: so that it makes no branch of it. */
static inline uint64_t blind(uint64_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
    return x;
#else
    volatile uint64_t v = x;
    return v;
#endif
}

/* All ones when the n bytes at a and b differ, else 0. */
static inline uint64_t differ_mask(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint64_t d = 0;
    size_t i = 0;
    for (; n - i >= 8; i += 8)
        d |= load64_le(a + i) ^ load64_le(b + i);
    for (; i < n; i++)
        d |= (uint64_t)(a[i] ^ b[i]);
    d = blind(d);
    return blind(0 - ((d | (0 - d)) >> 63));
}

/* out = other where mask is all ones, and stays where it is 0; n bytes. */
static inline void replace_if(uint8_t *out, const uint8_t *other, size_t n, uint64_t mask)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(out[i] ^ (mask & (uint64_t)(out[i] ^ other[i])));
}
#endif
