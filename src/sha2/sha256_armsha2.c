/* sha256_armsha2.c: SHA-256 x1 and x2 by the SHA-256 instructions of Armv8. */
#include "sha2/sha256.h"

#if CELER_ARM
#  if defined(__clang__)
CELER_TARGET_BEGIN("sha2")
#  else
CELER_TARGET_BEGIN("arch=armv8-a+crypto")
#  endif
#  include "sha2/armsha2.h"

#  define ARMSHA2_MAX_WAYS 2

/* For each message w < ways, unrolled. */
#  define ARMSHA2_EACH _Pragma("GCC unroll 2") for (size_t w = 0; w < ARMSHA2_MAX_WAYS; w++) if (w < ways)

/* Compresses nblocks blocks of each message: those of message w from in[w] on. */
static inline __attribute__((always_inline)) void armsha2_compress(uint32_t *h, const uint8_t *const *in,
                                                                   size_t nblocks, const size_t ways)
{
    uint32x4_t abcd[ARMSHA2_MAX_WAYS], efgh[ARMSHA2_MAX_WAYS];

    ARMSHA2_EACH
    {
        abcd[w] = armsha2_gather(h + w, ways);
        efgh[w] = armsha2_gather(h + 4 * ways + w, ways);
    }
    for (size_t at = 0; at < SHA256_BLOCK * nblocks; at += SHA256_BLOCK) {
        uint32x4_t old_abcd[ARMSHA2_MAX_WAYS], old_efgh[ARMSHA2_MAX_WAYS];
        uint32x4_t ring[ARMSHA2_MAX_WAYS][4]; /* the last 16 words of the schedule */
        ARMSHA2_EACH
        {
            old_abcd[w] = abcd[w];
            old_efgh[w] = efgh[w];
#  pragma GCC unroll 4
            for (unsigned i = 0; i < 4; i++)
                ring[w][i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(in[w] + at + 16 * i)));
        }
#  pragma GCC unroll 16
        for (unsigned i = 0; i < 16; i++) {
            ARMSHA2_EACH
            {
                uint32x4_t *const r = ring[w];
                armsha2_rounds(&abcd[w], &efgh[w], vaddq_u32(r[i % 4], vld1q_u32(celer_sha256_k_ + 4 * i)));
                if (i < 12)
                    r[i % 4] = armsha2_schedule(r[i % 4], r[(i + 1) % 4], r[(i + 2) % 4], r[(i + 3) % 4]);
            }
        }
        ARMSHA2_EACH
        {
            abcd[w] = vaddq_u32(abcd[w], old_abcd[w]);
            efgh[w] = vaddq_u32(efgh[w], old_efgh[w]);
        }
    }
    ARMSHA2_EACH
    {
        armsha2_scatter(h + w, ways, abcd[w]);
        armsha2_scatter(h + 4 * ways + w, ways, efgh[w]);
    }
}

void celer_sha256_blocks_armsha2_(uint32_t h[8], const uint8_t *in, size_t nblocks)
{
    armsha2_compress(h, &in, nblocks, 1);
}

void celer_sha256_lanes_x2_armsha2_(uint32_t *h, const uint8_t *const *in, size_t nblocks)
{
    armsha2_compress(h, in, nblocks, 2);
}

#  undef ARMSHA2_EACH
#  undef ARMSHA2_MAX_WAYS
CELER_TARGET_END
#endif
