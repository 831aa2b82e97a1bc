/* blake2s_avx512.c: BLAKE2s with AVX-512, which rotates. */
#include "blake2/blake2s.h"
#include "blake2/blake2_sigma.h"
#include "blake2/blake2_ymm.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl")
#  include <immintrin.h>

/* ---- one message ---- */

/* v, but the word at p where the mask says. Written as such, because of the intrinsic clang makes a gather, and
   gcc a load of each word once, and then moves. */
static inline __attribute__((always_inline)) __m128i blake2s_avx512_put(__m128i v, unsigned where,
                                                                        const uint8_t *p)
{
    __mmask8 mask;
    __asm__("kmovw %1, %0" : "=Yk"(mask) : "r"(where));
    __asm__("vpbroadcastd %2, %0%{%1%}" : "+v"(v) : "Yk"(mask), "m"(*(const uint8_t(*)[4])p));
    return v;
}

static inline __attribute__((always_inline)) __m128i blake2s_avx512_words(const uint8_t *in, unsigned i,
                                                                          unsigned j, unsigned k, unsigned l)
{
    __m128i v;
    __asm__("vpbroadcastd %1, %0" : "=v"(v) : "m"(*(const uint8_t(*)[4])(in + 4 * i)));
    v = blake2s_avx512_put(v, 2, in + 4 * j);
    v = blake2s_avx512_put(v, 4, in + 4 * k);
    return blake2s_avx512_put(v, 8, in + 4 * l);
}

#  define LETTER                 s
#  define SUFFIX                 x1_avx512
#  define WORD                   uint32_t
#  define BLOCK                  BLAKE2S_BLOCK
#  define ROUNDS                 10
#  define V                      __m128i
#  define LOAD(p)                _mm_loadu_si128((const __m128i *)(const void *)(p))
#  define STORE(p, v)            _mm_storeu_si128((__m128i *)(void *)(p), v)
#  define ADD(a, b)              _mm_add_epi32(a, b)
#  define XOR(a, b)              _mm_xor_si128(a, b)
#  define IN_REGISTER(v)         __asm__ __volatile__("" : "+v"(v))
#  define ROR_1(v)               _mm_ror_epi32(v, 16)
#  define ROR_2(v)               _mm_ror_epi32(v, 12)
#  define ROR_3(v)               _mm_ror_epi32(v, 8)
#  define ROR_4(v)               _mm_ror_epi32(v, 7)
#  define TURN_1(v)              _mm_shuffle_epi32(v, 0x39)
#  define TURN_2(v)              _mm_shuffle_epi32(v, 0x4e)
#  define TURN_3(v)              _mm_shuffle_epi32(v, 0x93)
#  define GATHER(in, i, j, k, l) blake2s_avx512_words(in, i, j, k, l)
#  define ADVANCE(t)             _mm_add_epi64(t, _mm_set_epi64x(0, BLAKE2S_BLOCK))
#  define FINISH()               _mm256_zeroupper()
#  include "blake2/blake2_x1.inc"

/* ---- eight messages ---- */

#  define LETTER         s
#  define SUFFIX         x8_avx512
#  define WORD           uint32_t
#  define BLOCK          BLAKE2S_BLOCK
#  define ROUNDS         10
#  define WAYS           8
#  define V              __m256i
#  define LOAD(p)        _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)    _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHERED       4
#  define GATHER         blake2s_ymm_gather
#  define SET(x)         _mm256_set1_epi32((int)(x))
#  define ADD(a, b)      _mm256_add_epi32(a, b)
#  define XOR(a, b)      _mm256_xor_si256(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+v"(v))
#  define IN_MEMORY(m)   ((void)0)
#  define ROR_1(v)       _mm256_ror_epi32(v, 16)
#  define ROR_2(v)       _mm256_ror_epi32(v, 12)
#  define ROR_3(v)       _mm256_ror_epi32(v, 8)
#  define ROR_4(v)       _mm256_ror_epi32(v, 7)
#  define CARRY(t1, t0)  _mm256_mask_add_epi32(t1, _mm256_cmplt_epu32_mask(t0, SET(BLOCK)), t1, SET(1))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

/* ---- sixteen messages ---- */

/* 16 bytes of messages 0, 4, 8 and 12. */
static inline __m512i blake2s_avx512_load_4(const uint8_t *const *in, size_t at)
{
    const __m512i s04 = _mm512_castsi256_si512(blake2_ymm_load(in[0] + at, in[4] + at));
    return _mm512_inserti64x4(s04, blake2_ymm_load(in[8] + at, in[12] + at), 1);
}

/* The four matrices of 4 x 4 words that lie one in each quarter of the vectors. */
static inline void blake2s_avx512_transpose(__m512i m[4])
{
    const __m512i lo01 = _mm512_unpacklo_epi32(m[0], m[1]), hi01 = _mm512_unpackhi_epi32(m[0], m[1]);
    const __m512i lo23 = _mm512_unpacklo_epi32(m[2], m[3]), hi23 = _mm512_unpackhi_epi32(m[2], m[3]);
    m[0] = _mm512_unpacklo_epi64(lo01, lo23);
    m[1] = _mm512_unpackhi_epi64(lo01, lo23);
    m[2] = _mm512_unpacklo_epi64(hi01, hi23);
    m[3] = _mm512_unpackhi_epi64(hi01, hi23);
}

/* Four words of each message. */
static inline void blake2s_avx512_gather_x16(__m512i m[4], const uint8_t *const *in, size_t at)
{
#  pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++)
        m[i] = blake2s_avx512_load_4(in + i, at);
    blake2s_avx512_transpose(m);
}

void celer_blake2s_digests_x16_avx512_(uint8_t *out, const uint32_t *s)
{
    const __m512i first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0),
                  second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    __m512i lo[4], hi[4];
#  pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        lo[i] = _mm512_loadu_si512(s + 16 * i);
        hi[i] = _mm512_loadu_si512(s + 16 * (4 + i));
    }
    blake2s_avx512_transpose(lo);
    blake2s_avx512_transpose(hi);
#  pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        const __m512i a = _mm512_permutex2var_epi64(lo[i], first, hi[i]), /* of states i and i + 4 */
            b = _mm512_permutex2var_epi64(lo[i], second, hi[i]);          /* of i + 8 and i + 12 */
        uint8_t *const p = out + 32 * i;
        _mm256_storeu_si256((__m256i *)(void *)p, _mm512_castsi512_si256(a));
        _mm256_storeu_si256((__m256i *)(void *)(p + 128), _mm512_extracti64x4_epi64(a, 1));
        _mm256_storeu_si256((__m256i *)(void *)(p + 256), _mm512_castsi512_si256(b));
        _mm256_storeu_si256((__m256i *)(void *)(p + 384), _mm512_extracti64x4_epi64(b, 1));
    }
    _mm256_zeroupper();
}

#  define LETTER         s
#  define SUFFIX         x16_avx512
#  define WORD           uint32_t
#  define BLOCK          BLAKE2S_BLOCK
#  define ROUNDS         10
#  define WAYS           16
#  define V              __m512i
#  define LOAD(p)        _mm512_loadu_si512(p)
#  define STORE(p, v)    _mm512_storeu_si512(p, v)
#  define GATHERED       4
#  define GATHER         blake2s_avx512_gather_x16
#  define SET(x)         _mm512_set1_epi32((int)(x))
#  define ADD(a, b)      _mm512_add_epi32(a, b)
#  define XOR(a, b)      _mm512_xor_si512(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+v"(v))
#  define IN_MEMORY(m)   ((void)0)
#  define ROR_1(v)       _mm512_ror_epi32(v, 16)
#  define ROR_2(v)       _mm512_ror_epi32(v, 12)
#  define ROR_3(v)       _mm512_ror_epi32(v, 8)
#  define ROR_4(v)       _mm512_ror_epi32(v, 7)
#  define CARRY(t1, t0)  _mm512_mask_add_epi32(t1, _mm512_cmplt_epu32_mask(t0, SET(BLOCK)), t1, SET(1))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

CELER_TARGET_END
#endif
