/* blake2b_sse41.c: BLAKE2b with SSE4.1 and the byte shuffle of SSSE3, a row in two vectors. */
#include "blake2/blake2b.h"
#include "blake2/blake2_sigma.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("sse4.1")
#  include <immintrin.h>

struct blake2b_sse41_row {
    __m128i lo, hi;
};

static inline struct blake2b_sse41_row blake2b_sse41_load(const uint64_t *p)
{
    return (struct blake2b_sse41_row){_mm_loadu_si128((const __m128i *)(const void *)p),
                                      _mm_loadu_si128((const __m128i *)(const void *)(p + 2))};
}

static inline void blake2b_sse41_store(uint64_t *p, struct blake2b_sse41_row v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v.lo);
    _mm_storeu_si128((__m128i *)(void *)(p + 2), v.hi);
}

static inline struct blake2b_sse41_row blake2b_sse41_add(struct blake2b_sse41_row a,
                                                         struct blake2b_sse41_row b)
{
    a.lo = _mm_add_epi64(a.lo, b.lo);
    a.hi = _mm_add_epi64(a.hi, b.hi);
    return a;
}

static inline struct blake2b_sse41_row blake2b_sse41_xor(struct blake2b_sse41_row a,
                                                         struct blake2b_sse41_row b)
{
    a.lo = _mm_xor_si128(a.lo, b.lo);
    a.hi = _mm_xor_si128(a.hi, b.hi);
    return a;
}

static inline struct blake2b_sse41_row blake2b_sse41_bytes(struct blake2b_sse41_row v, __m128i from)
{
    return (struct blake2b_sse41_row){_mm_shuffle_epi8(v.lo, from), _mm_shuffle_epi8(v.hi, from)};
}

static inline struct blake2b_sse41_row blake2b_sse41_ror_32(struct blake2b_sse41_row v)
{
    return (struct blake2b_sse41_row){_mm_shuffle_epi32(v.lo, 0xb1), _mm_shuffle_epi32(v.hi, 0xb1)};
}

static inline __m128i blake2b_sse41_rol_1(__m128i v)
{
    return _mm_or_si128(_mm_add_epi64(v, v), _mm_srli_epi64(v, 63));
}

static inline struct blake2b_sse41_row blake2b_sse41_ror_63(struct blake2b_sse41_row v)
{
    return (struct blake2b_sse41_row){blake2b_sse41_rol_1(v.lo), blake2b_sse41_rol_1(v.hi)};
}

static inline struct blake2b_sse41_row blake2b_sse41_swap(struct blake2b_sse41_row v)
{
    return (struct blake2b_sse41_row){v.hi, v.lo};
}

static inline struct blake2b_sse41_row blake2b_sse41_turn_1(struct blake2b_sse41_row v)
{
    return (struct blake2b_sse41_row){_mm_alignr_epi8(v.hi, v.lo, 8), _mm_alignr_epi8(v.lo, v.hi, 8)};
}

static inline __m128i blake2b_sse41_words(const uint8_t *p, const uint8_t *q)
{
    return _mm_set_epi64x((long long)load64_le(q), (long long)load64_le(p));
}

static inline struct blake2b_sse41_row blake2b_sse41_gather(const uint8_t *in, unsigned i, unsigned j,
                                                            unsigned k, unsigned l)
{
    return (struct blake2b_sse41_row){blake2b_sse41_words(in + 8 * i, in + 8 * j),
                                      blake2b_sse41_words(in + 8 * k, in + 8 * l)};
}

/* The carry of t[0]: t[1] is not -1 after a shift. */
static inline struct blake2b_sse41_row blake2b_sse41_advance(struct blake2b_sse41_row t)
{
    t.lo = _mm_add_epi64(t.lo, _mm_set_epi64x(0, BLAKE2B_BLOCK));
    const __m128i wrapped = _mm_cmpeq_epi64(_mm_srli_epi64(t.lo, 7), _mm_set_epi64x(-1, 0));
    t.lo = _mm_sub_epi64(t.lo, _mm_bslli_si128(wrapped, 8));
    return t;
}

#  define LETTER         b
#  define SUFFIX         x1_sse41
#  define WORD           uint64_t
#  define BLOCK          BLAKE2B_BLOCK
#  define ROUNDS         12
#  define V              struct blake2b_sse41_row
#  define LOAD(p)        blake2b_sse41_load(p)
#  define STORE(p, v)    blake2b_sse41_store(p, v)
#  define ADD(a, b)      blake2b_sse41_add(a, b)
#  define XOR(a, b)      blake2b_sse41_xor(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+x"((v).lo), "+x"((v).hi))
#  define ROR_1(v)       blake2b_sse41_ror_32(v)
#  define ROR_2(v)       blake2b_sse41_bytes(v, _mm_setr_epi8(3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10))
#  define ROR_3(v)       blake2b_sse41_bytes(v, _mm_setr_epi8(2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9))
#  define ROR_4(v)       blake2b_sse41_ror_63(v)
#  define TURN_1(v)      blake2b_sse41_turn_1(v)
#  define TURN_2(v)      blake2b_sse41_swap(v)
#  define TURN_3(v)      blake2b_sse41_turn_1(blake2b_sse41_swap(v))
#  define GATHER         blake2b_sse41_gather
#  define ADVANCE(t)     blake2b_sse41_advance(t)
#  define FINISH()       ((void)0)
#  include "blake2/blake2_x1.inc"

CELER_TARGET_END
#endif
