/* sha2_tail.h: the padding of SHA-2, FIPS 180-4 section 5.1. */
#ifndef CELER_SHA2_TAIL_H
#define CELER_SHA2_TAIL_H
#include "base/bytes.h"

/* memcpy of n < 128 bytes. gcc would make a string instruction of it, which takes dozens of cycles to begin. */
static inline void sha2_copy_short(uint8_t *to, const uint8_t *from, size_t n)
{
#pragma GCC unroll 7
    for (size_t piece = 64; piece > 0; piece /= 2)
        if (n & piece) {
            memcpy(to, from, piece);
            to += piece;
            from += piece;
        }
}

/* Writes the last blocks of a message to tail, and returns how many: 1 or 2, of `block` (64 or 128) bytes. They hold the
   last n < block bytes, which are at rest, of a message of `total`. It may end with `bits` (0..7) more bits, the upper
   ones of `mark`; the bit after them is 1, and then come zeros. */
static inline size_t sha2_tail(uint8_t *tail, size_t block, const uint8_t *rest, size_t n, uint8_t mark,
                               uint64_t total, unsigned bits)
{
    const size_t blocks = n < block - block / 8 ? 1 : 2, count = blocks * block - 8;
    zero_bytes(tail, block);
    if (blocks == 2)
        zero_bytes(tail + block, block);
    sha2_copy_short(tail, rest, n);
    tail[n] = mark;
    if (block == 128) /* a count of 128 bits; the other has 64 */
        store64_be(tail + count - 8, total >> 61);
    store64_be(tail + count, total << 3 | bits);
    return blocks;
}
#endif
