/* sha512_armsha512.c: SHA-512 by the SHA512 instructions of Armv8.2. */
#include "sha2/sha512.h"
#include "base/bytes.h"

#if CELER_ARM
#  if defined(__clang__)
CELER_TARGET_BEGIN("sha3")
#  else
CELER_TARGET_BEGIN("arch=armv8.2-a+sha3") /* which is how gcc calls both */
#  endif
#  include <arm_neon.h>

void celer_sha512_blocks_armsha512_(uint64_t h[8], const uint8_t *in, size_t nblocks)
{
    uint64x2_t ab = vld1q_u64(h), cd = vld1q_u64(h + 2), ef = vld1q_u64(h + 4), gh = vld1q_u64(h + 6);

    for (; nblocks != 0; nblocks--, in += SHA512_BLOCK) {
        const uint64x2_t old_ab = ab, old_cd = cd, old_ef = ef, old_gh = gh;
        uint64x2_t w[8]; /* the last 16 words of the schedule, in a ring */
#  pragma GCC unroll 8
        for (unsigned i = 0; i < 8; i++)
            w[i] = vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(in + 16 * i)));
#  pragma GCC unroll 40
        for (unsigned i = 0; i < 40; i++) { /* rounds 2i and 2i + 1 */
            const uint64x2_t wk = vaddq_u64(w[i % 8], vld1q_u64(celer_sha512_k_ + 2 * i));
            const uint64x2_t gh_wk = vaddq_u64(gh, vextq_u64(wk, wk, 1)); /* the first round needs h */
            const uint64x2_t t1 = vsha512hq_u64(gh_wk, vextq_u64(ef, gh, 1), vextq_u64(cd, ef, 1));
            const uint64x2_t next_ab = vsha512h2q_u64(t1, cd, ab);
            gh = ef;
            ef = vaddq_u64(cd, t1);
            cd = ab;
            ab = next_ab;
            if (i < 32)
                w[i % 8] = vsha512su1q_u64(vsha512su0q_u64(w[i % 8], w[(i + 1) % 8]), w[(i + 7) % 8],
                                           vextq_u64(w[(i + 4) % 8], w[(i + 5) % 8], 1));
        }
        ab = vaddq_u64(ab, old_ab);
        cd = vaddq_u64(cd, old_cd);
        ef = vaddq_u64(ef, old_ef);
        gh = vaddq_u64(gh, old_gh);
    }

    vst1q_u64(h, ab);
    vst1q_u64(h + 2, cd);
    vst1q_u64(h + 4, ef);
    vst1q_u64(h + 6, gh);
}

CELER_TARGET_END
#endif
