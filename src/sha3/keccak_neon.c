/* keccak_neon.c: Keccak-p[1600] x1, x2 and x4 with the vectors that every AArch64 processor has. They have no rotation:
   it is a shift, and a shift that inserts. So one state takes longer than in general registers; two take no longer
   than one, and four are done soonest as two in vectors and two in general registers at the same time. */
#include "sha3/keccak.h"
#include "base/bytes.h"

#if CELER_ARM
#  include <arm_neon.h>
#  include "sha3/keccak_arm.h"

/* gcc's first scheduling moves instructions apart, until what is between them has no registers left. */
#  if !defined(__clang__)
#    pragma GCC push_options
#    pragma GCC optimize("no-schedule-insns")
#  endif

#  define ROL_v(a, n)     vsriq_n_u64(vshlq_n_u64(a, n), a, 64 - (n))
#  define XOR_v(a, b)     veorq_u64(a, b)
#  define XOR3_v(a, b, c) veorq_u64(veorq_u64(a, b), c)
#  define RAX1_v(a, b)    veorq_u64(a, ROL_v(b, 1))
#  define XAR_v(to, from, d, n)                  \
    do {                                         \
      const uint64x2_t sum = veorq_u64(from, d); \
      to = ROL_v(sum, n);                        \
    } while (0)
#  define CHI_v(a, b, c) veorq_u64(a, vbicq_u64(c, b))
#  define SET_v(c)       vdupq_n_u64(c)

#  define WAYS   1
#  define SUFFIX x1_neon
#  include "sha3/keccak_arm.inc"

#  define WAYS   2
#  define SUFFIX x2_neon
#  include "sha3/keccak_arm.inc"

/* ---- x4: states 0 and 1 in vectors; 2, then 3, in general registers ---- */

#  define ROL_g(a, n)           ((a) << (n) | (a) >> (64 - (n)))
#  define XOR_g(a, b)           ((a) ^ (b))
#  define XOR3_g(a, b, c)       ((a) ^ (b) ^ (c))
#  define RAX1_g(a, b)          ((a) ^ ROL_g(b, 1))
#  define XAR_g(to, from, d, n) to = ROL_g((from) ^ (d), n)
#  define CHI_g(a, b, c)        ((a) ^ (~(b) & (c)))
#  define SET_g(c)              (c)

#  define DECLARE_v(t, i) uint64x2_t t##i;
#  define LOAD_v(t, i)    t##i = vld1q_u64(s + 4 * i);
#  define STORE_v(t, i)   vst1q_u64(s + 4 * i, t##i);
#  define DECLARE_g(t, i) uint64_t t##i;
#  define LOAD_g(t, i)    t##i = s[4 * i + w];
#  define STORE_g(t, i)   s[4 * i + w] = t##i;

/* A round takes the vectors as long as two rounds take the general registers. So in half of the rounds of states 0 and
   1, all rounds of state 2 are done, and in the other half those of state 3. */
void celer_keccak_permute_x4_neon_(uint64_t *s, unsigned rounds)
{
    const uint64_t *rc_v = celer_keccak_rc_ + 24 - rounds;
    KECCAK_LANES(DECLARE_v, v)
    KECCAK_LANES(LOAD_v, v)
    for (unsigned w = 2; w < 4; w++) {
        KECCAK_LANES(DECLARE_g, g)
        KECCAK_LANES(LOAD_g, g)
        for (const uint64_t *rc = celer_keccak_rc_ + 24 - rounds; rc != celer_keccak_rc_ + 24;
             rc += 2, rc_v++) {
            KECCAK_SCRATCH(uint64x2_t, v);
            KECCAK_SCRATCH(uint64_t, g);
            KECCAK_STEP_0(v);
            KECCAK_STEP_0(g);
            KECCAK_STEP_1(g);
            KECCAK_STEP_1(v);
            KECCAK_STEP_2(g);
            KECCAK_STEP_3(g);
            KECCAK_STEP_2(v);
            KECCAK_STEP_4(g);
            KECCAK_STEP_5(g);
            KECCAK_STEP_3(v);
            KECCAK_STEP_6(g);
            KECCAK_STEP_7(g);
            KECCAK_STEP_4(v);
            KECCAK_STEP_8(g);
            KECCAK_STEP_9(g, rc[0]);
            KECCAK_STEP_5(v);
            KECCAK_STEP_0(g);
            KECCAK_STEP_1(g);
            KECCAK_STEP_6(v);
            KECCAK_STEP_2(g);
            KECCAK_STEP_3(g);
            KECCAK_STEP_7(v);
            KECCAK_STEP_4(g);
            KECCAK_STEP_5(g);
            KECCAK_STEP_8(v);
            KECCAK_STEP_6(g);
            KECCAK_STEP_7(g);
            KECCAK_STEP_9(v, *rc_v);
            KECCAK_STEP_8(g);
            KECCAK_STEP_9(g, rc[1]);
        }
        KECCAK_LANES(STORE_g, g)
    }
    KECCAK_LANES(STORE_v, v)
}

void celer_keccak_absorb_x4_neon_(uint64_t *s, unsigned rounds, size_t rate, const uint8_t *const *in,
                                  size_t nblocks)
{
    for (size_t offset = 0; nblocks > 0; nblocks--, offset += rate) {
        for (size_t i = 0; i < rate / 8; i++)
            for (size_t w = 0; w < 4; w++)
                s[4 * i + w] ^= load64_le(in[w] + offset + 8 * i);
        celer_keccak_permute_x4_neon_(s, rounds);
    }
}

#  undef ROL_v
#  undef XOR_v
#  undef XOR3_v
#  undef RAX1_v
#  undef XAR_v
#  undef CHI_v
#  undef SET_v
#  undef ROL_g
#  undef XOR_g
#  undef XOR3_g
#  undef RAX1_g
#  undef XAR_g
#  undef CHI_g
#  undef SET_g
#  undef DECLARE_v
#  undef LOAD_v
#  undef STORE_v
#  undef DECLARE_g
#  undef LOAD_g
#  undef STORE_g
#  if !defined(__clang__)
#    pragma GCC pop_options
#  endif
#endif
