/* blake2b_neon.c: BLAKE2b with the vectors that every AArch64 processor has: one message, a row in two vectors, and two
   messages. A rotation is a shuffle where it moves whole bytes, or else a shift and a shift that inserts. */
#include "blake2/blake2b.h"
#include "blake2/blake2_sigma.h"

#if CELER_ARM
#  include <arm_neon.h>

static inline uint64x2_t blake2b_neon_ror_32(uint64x2_t v)
{
    return vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(v)));
}

static inline uint64x2_t blake2b_neon_ror_24(uint64x2_t v)
{
    const uint8x16_t bytes = {3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10};
    return vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(v), bytes));
}

static inline uint64x2_t blake2b_neon_ror_16(uint64x2_t v)
{
    const uint8x16_t bytes = {2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9};
    return vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(v), bytes));
}

static inline uint64x2_t blake2b_neon_ror_63(uint64x2_t v)
{
    return vsriq_n_u64(vaddq_u64(v, v), v, 63);
}

/* ---- one message ---- */

struct blake2b_neon_row {
    uint64x2_t lo, hi;
};

static inline struct blake2b_neon_row blake2b_neon_load(const uint64_t *p)
{
    return (struct blake2b_neon_row){vld1q_u64(p), vld1q_u64(p + 2)};
}

static inline void blake2b_neon_store(uint64_t *p, struct blake2b_neon_row v)
{
    vst1q_u64(p, v.lo);
    vst1q_u64(p + 2, v.hi);
}

static inline struct blake2b_neon_row blake2b_neon_add(struct blake2b_neon_row a, struct blake2b_neon_row b)
{
    return (struct blake2b_neon_row){vaddq_u64(a.lo, b.lo), vaddq_u64(a.hi, b.hi)};
}

static inline struct blake2b_neon_row blake2b_neon_xor(struct blake2b_neon_row a, struct blake2b_neon_row b)
{
    return (struct blake2b_neon_row){veorq_u64(a.lo, b.lo), veorq_u64(a.hi, b.hi)};
}

static inline struct blake2b_neon_row blake2b_neon_swap(struct blake2b_neon_row v)
{
    return (struct blake2b_neon_row){v.hi, v.lo};
}

static inline struct blake2b_neon_row blake2b_neon_turn_1(struct blake2b_neon_row v)
{
    return (struct blake2b_neon_row){vextq_u64(v.lo, v.hi, 1), vextq_u64(v.hi, v.lo, 1)};
}

static inline uint64x2_t blake2b_neon_words(const uint8_t *p, const uint8_t *q)
{
    return vreinterpretq_u64_u8(vcombine_u8(vld1_u8(p), vld1_u8(q)));
}

static inline struct blake2b_neon_row blake2b_neon_gather(const uint8_t *in, unsigned i, unsigned j,
                                                          unsigned k, unsigned l)
{
    return (struct blake2b_neon_row){blake2b_neon_words(in + 8 * i, in + 8 * j),
                                     blake2b_neon_words(in + 8 * k, in + 8 * l)};
}

/* The carry of t[0]: nothing is less than the 0 beside it. */
static inline struct blake2b_neon_row blake2b_neon_advance(struct blake2b_neon_row t)
{
    const uint64x2_t zero = vdupq_n_u64(0), block = vsetq_lane_u64(BLAKE2B_BLOCK, zero, 0);
    t.lo = vaddq_u64(t.lo, block);
    t.lo = vsubq_u64(t.lo, vextq_u64(zero, vcltq_u64(t.lo, block), 1));
    return t;
}

/* f of both halves. */
#  define EACH(f, v) ((struct blake2b_neon_row){f((v).lo), f((v).hi)})

#  define LETTER         b
#  define SUFFIX         x1_neon
#  define WORD           uint64_t
#  define BLOCK          BLAKE2B_BLOCK
#  define ROUNDS         12
#  define V              struct blake2b_neon_row
#  define LOAD(p)        blake2b_neon_load(p)
#  define STORE(p, v)    blake2b_neon_store(p, v)
#  define ADD(a, b)      blake2b_neon_add(a, b)
#  define XOR(a, b)      blake2b_neon_xor(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+w"((v).lo), "+w"((v).hi))
#  define ROR_1(v)       EACH(blake2b_neon_ror_32, v)
#  define ROR_2(v)       EACH(blake2b_neon_ror_24, v)
#  define ROR_3(v)       EACH(blake2b_neon_ror_16, v)
#  define ROR_4(v)       EACH(blake2b_neon_ror_63, v)
#  define TURN_1(v)      blake2b_neon_turn_1(v)
#  define TURN_2(v)      blake2b_neon_swap(v)
#  define TURN_3(v)      blake2b_neon_turn_1(blake2b_neon_swap(v))
#  define GATHER         blake2b_neon_gather
#  define ADVANCE(t)     blake2b_neon_advance(t)
#  define FINISH()       ((void)0)
#  include "blake2/blake2_x1.inc"

#  undef EACH

/* ---- two messages ---- */

static inline void blake2b_neon_gather_x2(uint64x2_t m[2], const uint8_t *const *in, size_t at)
{
    const uint64x2_t s0 = vreinterpretq_u64_u8(vld1q_u8(in[0] + at)),
                     s1 = vreinterpretq_u64_u8(vld1q_u8(in[1] + at));
    m[0] = vzip1q_u64(s0, s1);
    m[1] = vzip2q_u64(s0, s1);
}

#  define LETTER         b
#  define SUFFIX         x2_neon
#  define WORD           uint64_t
#  define BLOCK          BLAKE2B_BLOCK
#  define ROUNDS         12
#  define WAYS           2
#  define V              uint64x2_t
#  define LOAD(p)        vld1q_u64(p)
#  define STORE(p, v)    vst1q_u64(p, v)
#  define GATHERED       2
#  define GATHER         blake2b_neon_gather_x2
#  define SET(x)         vdupq_n_u64(x)
#  define ADD(a, b)      vaddq_u64(a, b)
#  define XOR(a, b)      veorq_u64(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+w"(v))
#  define IN_MEMORY(m)   ((void)0)
#  define ROR_1(v)       blake2b_neon_ror_32(v)
#  define ROR_2(v)       blake2b_neon_ror_24(v)
#  define ROR_3(v)       blake2b_neon_ror_16(v)
#  define ROR_4(v)       blake2b_neon_ror_63(v)
#  define CARRY(t1, t0)  vsubq_u64(t1, vcltq_u64(t0, SET(BLOCK)))
#  define FINISH()       ((void)0)
#  include "blake2/blake2_lanes.inc"
#endif
