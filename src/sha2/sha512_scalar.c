/* sha512_scalar.c: SHA-512 in portable C. The names are those of FIPS 180-4 sections 4.1.3 and 6.4.2. */
#include "sha2/sha512.h"
#include "base/bytes.h"
#include "base/wipe.h"

static inline uint64_t sha512_rotr(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

/* The next word of the schedule takes the place of the one 16 before it, at index t of the ring w. */
static inline void sha512_schedule(uint64_t w[16], unsigned t)
{
    const uint64_t w15 = w[(t - 15) % 16], w2 = w[(t - 2) % 16];
    const uint64_t s0 = sha512_rotr(w15, 1) ^ sha512_rotr(w15, 8) ^ w15 >> 7;
    const uint64_t s1 = sha512_rotr(w2, 19) ^ sha512_rotr(w2, 61) ^ w2 >> 6;
    w[t] += s0 + w[(t - 7) % 16] + s1;
}

/* Round t. Instead of a..h moving down by one each round, the names move: variable i (a is 0) of round t is
   v[(i - t) % 8]. */
static inline void sha512_round(uint64_t v[8], unsigned t, uint64_t kw)
{
    const uint64_t a = v[(0 - t) % 8], b = v[(1 - t) % 8], c = v[(2 - t) % 8];
    const uint64_t e = v[(4 - t) % 8], f = v[(5 - t) % 8], g = v[(6 - t) % 8];
    uint64_t *const d = &v[(3 - t) % 8], *const h = &v[(7 - t) % 8];
    const uint64_t sum0 = sha512_rotr(a, 28) ^ sha512_rotr(a, 34) ^ sha512_rotr(a, 39);
    const uint64_t sum1 = sha512_rotr(e, 14) ^ sha512_rotr(e, 18) ^ sha512_rotr(e, 41);
    const uint64_t ch = g ^ (e & (f ^ g));
    const uint64_t maj = (a & b) | (c & (a | b));
    const uint64_t t1 = *h + sum1 + ch + kw;
    *d += t1;             /* e of the next round */
    *h = t1 + sum0 + maj; /* a of the next round */
}

void celer_sha512_blocks_scalar_(uint64_t h[8], const uint8_t *in, size_t nblocks)
{
    uint64_t w[16], v[8];

    for (size_t n = nblocks; n != 0; n--, in += SHA512_BLOCK) {
        for (unsigned i = 0; i < 8; i++)
            v[i] = h[i];
        for (unsigned t = 0; t < 80; t += 16) {
            /* Unrolled, every index is a constant and v lives in registers. */
#pragma GCC unroll 16
            for (unsigned i = 0; i < 16; i++) {
                if (t == 0)
                    w[i] = load64_be(in + 8 * i);
                else
                    sha512_schedule(w, i);
                sha512_round(v, i, celer_sha512_k_[t + i] + w[i]);
            }
        }
        for (unsigned i = 0; i < 8; i++)
            h[i] += v[i];
    }
    wipe(w, sizeof w);
}
