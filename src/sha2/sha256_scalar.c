/* sha256_scalar.c: SHA-256 in portable C. The names are those of FIPS 180-4 sections 4.1.2 and 6.2.2. */
#include "sha2/sha256.h"
#include "base/bytes.h"
#include "base/wipe.h"

static inline uint32_t sha256_rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* The next word of the schedule takes the place of the one 16 before it, at index t of the ring w. */
static inline void sha256_schedule(uint32_t w[16], unsigned t)
{
    const uint32_t w15 = w[(t - 15) % 16], w2 = w[(t - 2) % 16];
    const uint32_t s0 = sha256_rotr(w15, 7) ^ sha256_rotr(w15, 18) ^ w15 >> 3;
    const uint32_t s1 = sha256_rotr(w2, 17) ^ sha256_rotr(w2, 19) ^ w2 >> 10;
    w[t] += s0 + w[(t - 7) % 16] + s1;
}

/* Round t. Instead of a..h moving down by one each round, the names move: variable i (a is 0) of round t is
   v[(i - t) % 8]. */
static inline void sha256_round(uint32_t v[8], unsigned t, uint32_t kw)
{
    const uint32_t a = v[(0 - t) % 8], b = v[(1 - t) % 8], c = v[(2 - t) % 8];
    const uint32_t e = v[(4 - t) % 8], f = v[(5 - t) % 8], g = v[(6 - t) % 8];
    uint32_t *const d = &v[(3 - t) % 8], *const h = &v[(7 - t) % 8];
    const uint32_t sum0 = sha256_rotr(a, 2) ^ sha256_rotr(a, 13) ^ sha256_rotr(a, 22);
    const uint32_t sum1 = sha256_rotr(e, 6) ^ sha256_rotr(e, 11) ^ sha256_rotr(e, 25);
    const uint32_t ch = g ^ (e & (f ^ g));
    const uint32_t maj = (a & b) | (c & (a | b));
    const uint32_t t1 = *h + sum1 + ch + kw;
    *d += t1;             /* e of the next round */
    *h = t1 + sum0 + maj; /* a of the next round */
}

void celer_sha256_blocks_scalar_(uint32_t h[8], const uint8_t *in, size_t nblocks)
{
    uint32_t w[16], v[8];

    for (size_t n = nblocks; n != 0; n--, in += 64) {
        for (unsigned i = 0; i < 8; i++)
            v[i] = h[i];
        for (unsigned t = 0; t < 64; t += 16) {
            /* Unrolled, every index is a constant and v lives in registers. */
#pragma GCC unroll 16
            for (unsigned i = 0; i < 16; i++) {
                if (t == 0)
                    w[i] = load32_be(in + 4 * i);
                else
                    sha256_schedule(w, i);
                sha256_round(v, i, celer_sha256_k_[t + i] + w[i]);
            }
        }
        for (unsigned i = 0; i < 8; i++)
            h[i] += v[i];
    }
    wipe(w, sizeof w);
}
