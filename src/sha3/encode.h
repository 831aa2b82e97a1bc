/* encode.h: integers as bytes, SP 800-185 section 2.3.1. The standard's lengths count bits: those of a size_t of bytes
   need up to 67. */
#ifndef CELER_ENCODE_H
#define CELER_ENCODE_H
#include "base/bytes.h"

#define ENCODED_MAX 10 /* nine digits and their number */

/* What is encoded: n itself, or the length in bits of n bytes. The values are binary logarithms of a unit. */
enum encoded { ENCODE_NUMBER = 0, ENCODE_BYTES = 3 };

/* The digits of n to base 256, highest first, no leading zero but for n = 0. Returns how many, 1 .. 9. */
static inline size_t encode_digits(uint8_t digits[9], uint64_t n, enum encoded unit)
{
    uint8_t all[9];
    size_t skip = 0;
    all[0] = (uint8_t)(n >> 32 >> (32 - (unsigned)unit));
    store64_be(all + 1, n << unit);
    while (skip < 8 && all[skip] == 0)
        skip++;
    memcpy(digits, all + skip, 9 - skip);
    return 9 - skip;
}

/* Both return the number of bytes written. */
static inline size_t left_encode(uint8_t out[ENCODED_MAX], uint64_t n, enum encoded unit)
{
    const size_t digits = encode_digits(out + 1, n, unit);
    out[0] = (uint8_t)digits;
    return 1 + digits;
}

static inline size_t right_encode(uint8_t out[ENCODED_MAX], uint64_t n, enum encoded unit)
{
    const size_t digits = encode_digits(out, n, unit);
    out[digits] = (uint8_t)digits;
    return digits + 1;
}
#endif
