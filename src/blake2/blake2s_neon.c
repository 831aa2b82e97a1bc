/* blake2s_neon.c: BLAKE2s with the vectors that every AArch64 processor has: one message, and four messages. A rotation
   is a shuffle where it moves whole bytes, or else a shift and a shift that inserts. */
#include "blake2/blake2s.h"
#include "blake2/blake2_sigma.h"
#include "base/bytes.h"

#if CELER_ARM
#  include <arm_neon.h>

static inline uint32x4_t blake2s_neon_ror_16(uint32x4_t v)
{
    return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(v)));
}

static inline uint32x4_t blake2s_neon_ror_12(uint32x4_t v)
{
    return vsriq_n_u32(vshlq_n_u32(v, 20), v, 12);
}

static inline uint32x4_t blake2s_neon_ror_8(uint32x4_t v)
{
    const uint8x16_t bytes = {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12};
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(v), bytes));
}

static inline uint32x4_t blake2s_neon_ror_7(uint32x4_t v)
{
    return vsriq_n_u32(vshlq_n_u32(v, 25), v, 7);
}

/* ---- one message ---- */

static inline uint32x4_t blake2s_neon_words(const uint8_t *in, unsigned i, unsigned j, unsigned k, unsigned l)
{
    const uint64_t ij = load32_le(in + 4 * i) | (uint64_t)load32_le(in + 4 * j) << 32;
    const uint64_t kl = load32_le(in + 4 * k) | (uint64_t)load32_le(in + 4 * l) << 32;
    return vreinterpretq_u32_u64(vcombine_u64(vcreate_u64(ij), vcreate_u64(kl)));
}

static inline uint32x4_t blake2s_neon_advance(uint32x4_t t)
{
    const uint64x2_t block = vcombine_u64(vdup_n_u64(BLAKE2S_BLOCK), vdup_n_u64(0));
    return vreinterpretq_u32_u64(vaddq_u64(vreinterpretq_u64_u32(t), block));
}

#  define LETTER         s
#  define SUFFIX         x1_neon
#  define WORD           uint32_t
#  define BLOCK          BLAKE2S_BLOCK
#  define ROUNDS         10
#  define V              uint32x4_t
#  define LOAD(p)        vld1q_u32(p)
#  define STORE(p, v)    vst1q_u32(p, v)
#  define ADD(a, b)      vaddq_u32(a, b)
#  define XOR(a, b)      veorq_u32(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+w"(v))
#  define ROR_1(v)       blake2s_neon_ror_16(v)
#  define ROR_2(v)       blake2s_neon_ror_12(v)
#  define ROR_3(v)       blake2s_neon_ror_8(v)
#  define ROR_4(v)       blake2s_neon_ror_7(v)
#  define TURN_1(v)      vextq_u32(v, v, 1)
#  define TURN_2(v)      vextq_u32(v, v, 2)
#  define TURN_3(v)      vextq_u32(v, v, 3)
#  define GATHER         blake2s_neon_words
#  define ADVANCE(t)     blake2s_neon_advance(t)
#  define FINISH()       ((void)0)
#  include "blake2/blake2_x1.inc"

/* ---- four messages ---- */

static inline uint32x4_t blake2s_neon_load(const uint8_t *p)
{
    return vreinterpretq_u32_u8(vld1q_u8(p));
}

static inline uint32x4_t blake2s_neon_zip_1(uint32x4_t a, uint32x4_t b)
{
    return vreinterpretq_u32_u64(vzip1q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)));
}

static inline uint32x4_t blake2s_neon_zip_2(uint32x4_t a, uint32x4_t b)
{
    return vreinterpretq_u32_u64(vzip2q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)));
}

static inline void blake2s_neon_gather(uint32x4_t m[4], const uint8_t *const *in, size_t at)
{
    const uint32x4_t s0 = blake2s_neon_load(in[0] + at), s1 = blake2s_neon_load(in[1] + at),
                     s2 = blake2s_neon_load(in[2] + at), s3 = blake2s_neon_load(in[3] + at);
    const uint32x4_t lo01 = vzip1q_u32(s0, s1), hi01 = vzip2q_u32(s0, s1);
    const uint32x4_t lo23 = vzip1q_u32(s2, s3), hi23 = vzip2q_u32(s2, s3);
    m[0] = blake2s_neon_zip_1(lo01, lo23);
    m[1] = blake2s_neon_zip_2(lo01, lo23);
    m[2] = blake2s_neon_zip_1(hi01, hi23);
    m[3] = blake2s_neon_zip_2(hi01, hi23);
}

#  define LETTER         s
#  define SUFFIX         x4_neon
#  define WORD           uint32_t
#  define BLOCK          BLAKE2S_BLOCK
#  define ROUNDS         10
#  define WAYS           4
#  define V              uint32x4_t
#  define LOAD(p)        vld1q_u32(p)
#  define STORE(p, v)    vst1q_u32(p, v)
#  define GATHERED       4
#  define GATHER         blake2s_neon_gather
#  define SET(x)         vdupq_n_u32(x)
#  define ADD(a, b)      vaddq_u32(a, b)
#  define XOR(a, b)      veorq_u32(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+w"(v))
#  define IN_MEMORY(m)   ((void)0)
#  define ROR_1(v)       blake2s_neon_ror_16(v)
#  define ROR_2(v)       blake2s_neon_ror_12(v)
#  define ROR_3(v)       blake2s_neon_ror_8(v)
#  define ROR_4(v)       blake2s_neon_ror_7(v)
#  define CARRY(t1, t0)  vsubq_u32(t1, vcltq_u32(t0, SET(BLOCK)))
#  define FINISH()       ((void)0)
#  include "blake2/blake2_lanes.inc"
#endif
