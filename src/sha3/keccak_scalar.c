/* keccak_scalar.c: Keccak-p[1600] x1 for any processor.

   Two rounds per turn, from a to e and back, so that no lane is copied from where pi put it. c0 .. c4 are the parities
   of the columns: added up while a round's output is made, they spare the next round to load it twice. a and e are
   arrays that compilers place as they like: a processor with 31 registers holds most of them there. */
#include "sha3/keccak.h"
#include "base/bytes.h"

#define ROL(v, n) ((n) == 0 ? (v) : (v) << (n) | (v) >> (64 - (n)) % 64)

#define KECCAK_PARITY(x) (a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20])

/* A lane of the output, and into the parity of its column for the next round. */
#define KECCAK_PUT(e, ADD, p, x, lane) \
  do {                                 \
    e[5 * p + x] = lane;               \
    c##x ADD e[5 * p + x];             \
  } while (0)

/* Output plane p of a round from a to e: theta's last step, rho and pi on the five lanes i that land there, chi. */
#define KECCAK_PLANE(e, a, ADD, p, x0, i0, r0, x1, i1, r1, x2, i2, r2, x3, i3, r3, x4, i4, r4, iota)      \
  do {                                                                                                    \
    const uint64_t b0 = ROL(a[i0] ^ d##x0, r0), b1 = ROL(a[i1] ^ d##x1, r1), b2 = ROL(a[i2] ^ d##x2, r2), \
                   b3 = ROL(a[i3] ^ d##x3, r3), b4 = ROL(a[i4] ^ d##x4, r4);                              \
    KECCAK_PUT(e, ADD, p, 0, b0 ^ (~b1 & b2) ^ iota);                                                     \
    KECCAK_PUT(e, ADD, p, 1, b1 ^ (~b2 & b3));                                                            \
    KECCAK_PUT(e, ADD, p, 2, b2 ^ (~b3 & b4));                                                            \
    KECCAK_PUT(e, ADD, p, 3, b3 ^ (~b4 & b0));                                                            \
    KECCAK_PUT(e, ADD, p, 4, b4 ^ (~b0 & b1));                                                            \
  } while (0)

/* FIPS 202 section 3.2. A macro, because clang 14 does not inline so large a function. */
#define KECCAK_ROUND(e, a, rc)                                                                             \
  do {                                                                                                     \
    const uint64_t d0 = c4 ^ ROL(c1, 1), d1 = c0 ^ ROL(c2, 1), d2 = c1 ^ ROL(c3, 1), d3 = c2 ^ ROL(c4, 1), \
                   d4 = c3 ^ ROL(c0, 1);                                                                   \
    KECCAK_PLANE(e, a, =, 0, 0, 0, 0, 1, 6, 44, 2, 12, 43, 3, 18, 21, 4, 24, 14, rc);                      \
    KECCAK_PLANE(e, a, ^=, 1, 3, 3, 28, 4, 9, 20, 0, 10, 3, 1, 16, 45, 2, 22, 61, 0);                      \
    KECCAK_PLANE(e, a, ^=, 2, 1, 1, 1, 2, 7, 6, 3, 13, 25, 4, 19, 8, 0, 20, 18, 0);                        \
    KECCAK_PLANE(e, a, ^=, 3, 4, 4, 27, 0, 5, 36, 1, 11, 10, 2, 17, 15, 3, 23, 56, 0);                     \
    KECCAK_PLANE(e, a, ^=, 4, 2, 2, 62, 3, 8, 55, 4, 14, 39, 0, 15, 41, 1, 21, 2, 0);                      \
  } while (0)

void celer_keccak_permute_x1_scalar_(uint64_t *s, unsigned rounds)
{
    uint64_t a[25], e[25];
    memcpy(a, s, sizeof a);
    uint64_t c0 = KECCAK_PARITY(0), c1 = KECCAK_PARITY(1), c2 = KECCAK_PARITY(2), c3 = KECCAK_PARITY(3),
             c4 = KECCAK_PARITY(4);
    for (const uint64_t *rc = celer_keccak_rc_ + 24 - rounds; rc != celer_keccak_rc_ + 24; rc += 2) {
        KECCAK_ROUND(e, a, rc[0]);
        KECCAK_ROUND(a, e, rc[1]);
    }
    memcpy(s, a, sizeof a);
}

void celer_keccak_absorb_x1_scalar_(uint64_t *s, unsigned rounds, size_t rate, const uint8_t *const *in,
                                    size_t nblocks)
{
    const uint8_t *p = in[0];
    for (; nblocks > 0; nblocks--, p += rate) {
        for (size_t i = 0; i < rate / 8; i++)
            s[i] ^= load64_le(p + 8 * i);
        celer_keccak_permute_x1_scalar_(s, rounds);
    }
}

#undef ROL
#undef KECCAK_PARITY
#undef KECCAK_PUT
#undef KECCAK_PLANE
#undef KECCAK_ROUND
