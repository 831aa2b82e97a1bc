/* sha256_chain_armsha2.c: the hash chain x1, x2 and x4 by the SHA-256 instructions of Armv8. */
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha256_chain.h"

#if CELER_ARM
#  if defined(__clang__)
CELER_TARGET_BEGIN("sha2")
#  else
CELER_TARGET_BEGIN("arch=armv8-a+crypto")
#  endif
#  include "sha2/armsha2.h"

#  define CHAIN_MAX_WAYS 4

/* For each chain w < ways, unrolled. */
#  define CHAIN_EACH _Pragma("GCC unroll 4") for (size_t w = 0; w < CHAIN_MAX_WAYS; w++) if (w < ways)

static inline __attribute__((always_inline)) void chain_armsha2(uint32_t *h, uint64_t iterations,
                                                                const size_t ways)
{
    static const uint32_t padding[8] = {0x80000000, 0, 0, 0, 0, 0, 0, 256};
    const uint32x4_t iv_abcd = vld1q_u32(celer_sha256_iv_), iv_efgh = vld1q_u32(celer_sha256_iv_ + 4);
    uint32x4_t ring[CHAIN_MAX_WAYS][4]; /* the last 16 words of the schedule; between two steps, the hash */

    CHAIN_EACH
    {
        ring[w][0] = armsha2_gather(h + w, ways);
        ring[w][1] = armsha2_gather(h + 4 * ways + w, ways);
    }
    for (; iterations != 0; iterations--) {
        uint32x4_t abcd[CHAIN_MAX_WAYS], efgh[CHAIN_MAX_WAYS];
        CHAIN_EACH
        {
            abcd[w] = iv_abcd;
            efgh[w] = iv_efgh;
            ring[w][2] = vld1q_u32(padding);
            ring[w][3] = vld1q_u32(padding + 4);
        }
#  pragma GCC unroll 16
        for (unsigned i = 0; i < 16; i++) {
            CHAIN_EACH
            {
                uint32x4_t *const r = ring[w];
                if (i >= 4)
                    r[i % 4] = armsha2_schedule(r[i % 4], r[(i + 1) % 4], r[(i + 2) % 4], r[(i + 3) % 4]);
                const uint32x4_t wk = i == 2 || i == 3
                                          ? vld1q_u32(celer_sha256_chain_k_ + 4 * i)
                                          : vaddq_u32(r[i % 4], vld1q_u32(celer_sha256_k_ + 4 * i));
                armsha2_rounds(&abcd[w], &efgh[w], wk);
            }
        }
        CHAIN_EACH
        {
            ring[w][0] = vaddq_u32(abcd[w], iv_abcd);
            ring[w][1] = vaddq_u32(efgh[w], iv_efgh);
        }
    }
    CHAIN_EACH
    {
        armsha2_scatter(h + w, ways, ring[w][0]);
        armsha2_scatter(h + 4 * ways + w, ways, ring[w][1]);
    }
}

#  define CHAIN_KERNEL(ways)                                                     \
    void celer_sha256_chain_x##ways##_armsha2_(uint32_t *h, uint64_t iterations) \
    {                                                                            \
      chain_armsha2(h, iterations, ways);                                        \
    }
CHAIN_KERNEL(1)
CHAIN_KERNEL(2)
CHAIN_KERNEL(4)
#  undef CHAIN_KERNEL
#  undef CHAIN_EACH
#  undef CHAIN_MAX_WAYS
CELER_TARGET_END
#endif
