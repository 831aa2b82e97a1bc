/* blake2_ymm.h: words of several messages brought side by side in vectors of 256 bits, for AVX2 and for AVX-512. */
#ifndef CELER_BLAKE2_YMM_H
#define CELER_BLAKE2_YMM_H
#include "base/isa.h"
#include <stddef.h>
#include <stdint.h>

#if CELER_X86
CELER_TARGET_BEGIN("avx2")
#  include <immintrin.h>

static inline __m256i blake2_ymm_load(const uint8_t *lo, const uint8_t *hi)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)lo)),
                                   _mm_loadu_si128((const __m128i *)(const void *)hi), 1);
}

/* Two words of each of four messages, from byte `at` of it on. */
static inline void blake2b_ymm_gather(__m256i m[2], const uint8_t *const *in, size_t at)
{
    const __m256i s02 = blake2_ymm_load(in[0] + at, in[2] + at),
                  s13 = blake2_ymm_load(in[1] + at, in[3] + at);
    m[0] = _mm256_unpacklo_epi64(s02, s13);
    m[1] = _mm256_unpackhi_epi64(s02, s13);
}

/* Four words of each of eight messages: those of messages 0 and 4 in one vector, of 1 and 5 in the next, and so on,
   transposed. */
static inline void blake2s_ymm_gather(__m256i m[4], const uint8_t *const *in, size_t at)
{
    const __m256i s0 = blake2_ymm_load(in[0] + at, in[4] + at), s1 = blake2_ymm_load(in[1] + at, in[5] + at),
                  s2 = blake2_ymm_load(in[2] + at, in[6] + at), s3 = blake2_ymm_load(in[3] + at, in[7] + at);
    const __m256i lo01 = _mm256_unpacklo_epi32(s0, s1), hi01 = _mm256_unpackhi_epi32(s0, s1);
    const __m256i lo23 = _mm256_unpacklo_epi32(s2, s3), hi23 = _mm256_unpackhi_epi32(s2, s3);
    m[0] = _mm256_unpacklo_epi64(lo01, lo23);
    m[1] = _mm256_unpackhi_epi64(lo01, lo23);
    m[2] = _mm256_unpacklo_epi64(hi01, hi23);
    m[3] = _mm256_unpackhi_epi64(hi01, hi23);
}

CELER_TARGET_END
#endif
#endif
