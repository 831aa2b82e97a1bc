/* armsha2.h: what the backends on the SHA-256 instructions of Armv8 share. To be included in a region that has them. */
#ifndef CELER_ARMSHA2_H
#define CELER_ARMSHA2_H
#include <arm_neon.h>

/* Four words that are `stride` words apart: of one message among so many. */
static inline uint32x4_t armsha2_gather(const uint32_t *p, size_t stride)
{
    const uint32_t words[4] = {p[0], p[stride], p[2 * stride], p[3 * stride]};
    return vld1q_u32(words);
}

static inline void armsha2_scatter(uint32_t *p, size_t stride, uint32x4_t x)
{
    vst1q_lane_u32(p, x, 0);
    vst1q_lane_u32(p + stride, x, 1);
    vst1q_lane_u32(p + 2 * stride, x, 2);
    vst1q_lane_u32(p + 3 * stride, x, 3);
}

/* Words t+16..t+19 of the message schedule from a = W[t..t+3], b = W[t+4..], c = W[t+8..], d = W[t+12..]. */
static inline uint32x4_t armsha2_schedule(uint32x4_t a, uint32x4_t b, uint32x4_t c, uint32x4_t d)
{
    return vsha256su1q_u32(vsha256su0q_u32(a, b), c, d);
}

/* Four rounds; kw: K + W of them. */
static inline void armsha2_rounds(uint32x4_t *abcd, uint32x4_t *efgh, uint32x4_t kw)
{
    const uint32x4_t former = *abcd;
    *abcd = vsha256hq_u32(former, *efgh, kw);
    *efgh = vsha256h2q_u32(*efgh, former, kw);
}
#endif
