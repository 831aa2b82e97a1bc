/* blake2s_avx512.c: BLAKE2s with AVX-512, which rotates. */
#include "blake2/blake2s.h"
#include "blake2/blake2_sigma.h"

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

static inline __m256i blake2s_avx512_load_2(const uint8_t *const *in, size_t at)
{
    const __m128i lo = _mm_loadu_si128((const __m128i *)(const void *)(in[0] + at));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lo),
                                   _mm_loadu_si128((const __m128i *)(const void *)(in[4] + at)), 1);
}

/* Four words of each message: those of messages 0, 4, .. in one vector, of 1, 5, .. in the next, and so on, transposed. */
static inline void blake2s_avx512_gather_x8(__m256i m[4], const uint8_t *const *in, size_t at)
{
    const __m256i s0 = blake2s_avx512_load_2(in, at), s1 = blake2s_avx512_load_2(in + 1, at),
                  s2 = blake2s_avx512_load_2(in + 2, at), s3 = blake2s_avx512_load_2(in + 3, at);
    const __m256i lo01 = _mm256_unpacklo_epi32(s0, s1), hi01 = _mm256_unpackhi_epi32(s0, s1);
    const __m256i lo23 = _mm256_unpacklo_epi32(s2, s3), hi23 = _mm256_unpackhi_epi32(s2, s3);
    m[0] = _mm256_unpacklo_epi64(lo01, lo23);
    m[1] = _mm256_unpackhi_epi64(lo01, lo23);
    m[2] = _mm256_unpacklo_epi64(hi01, hi23);
    m[3] = _mm256_unpackhi_epi64(hi01, hi23);
}

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
#  define GATHER         blake2s_avx512_gather_x8
#  define SET(x)         _mm256_set1_epi32((int)(x))
#  define ADD(a, b)      _mm256_add_epi32(a, b)
#  define XOR(a, b)      _mm256_xor_si256(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+v"(v))
#  define ROR_1(v)       _mm256_ror_epi32(v, 16)
#  define ROR_2(v)       _mm256_ror_epi32(v, 12)
#  define ROR_3(v)       _mm256_ror_epi32(v, 8)
#  define ROR_4(v)       _mm256_ror_epi32(v, 7)
#  define CARRY(t1, t0)  _mm256_mask_add_epi32(t1, _mm256_cmplt_epu32_mask(t0, SET(BLOCK)), t1, SET(1))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

/* ---- sixteen messages ---- */

static inline __m512i blake2s_avx512_load_4(const uint8_t *const *in, size_t at)
{
    const __m512i s04 = _mm512_castsi256_si512(blake2s_avx512_load_2(in, at));
    return _mm512_inserti64x4(s04, blake2s_avx512_load_2(in + 8, at), 1);
}

/* Four words of each message: those of messages 0, 4, .. in one vector, of 1, 5, .. in the next, and so on, transposed. */
static inline void blake2s_avx512_gather_x16(__m512i m[4], const uint8_t *const *in, size_t at)
{
    const __m512i s0 = blake2s_avx512_load_4(in, at), s1 = blake2s_avx512_load_4(in + 1, at),
                  s2 = blake2s_avx512_load_4(in + 2, at), s3 = blake2s_avx512_load_4(in + 3, at);
    const __m512i lo01 = _mm512_unpacklo_epi32(s0, s1), hi01 = _mm512_unpackhi_epi32(s0, s1);
    const __m512i lo23 = _mm512_unpacklo_epi32(s2, s3), hi23 = _mm512_unpackhi_epi32(s2, s3);
    m[0] = _mm512_unpacklo_epi64(lo01, lo23);
    m[1] = _mm512_unpackhi_epi64(lo01, lo23);
    m[2] = _mm512_unpacklo_epi64(hi01, hi23);
    m[3] = _mm512_unpackhi_epi64(hi01, hi23);
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
#  define ROR_1(v)       _mm512_ror_epi32(v, 16)
#  define ROR_2(v)       _mm512_ror_epi32(v, 12)
#  define ROR_3(v)       _mm512_ror_epi32(v, 8)
#  define ROR_4(v)       _mm512_ror_epi32(v, 7)
#  define CARRY(t1, t0)  _mm512_mask_add_epi32(t1, _mm512_cmplt_epu32_mask(t0, SET(BLOCK)), t1, SET(1))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

CELER_TARGET_END
#endif
