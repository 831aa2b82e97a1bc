/* shani.h: what the backends on the SHA extensions of x86 share. To be included in a region of "sha,sse4.1". */
#ifndef CELER_SHANI_H
#define CELER_SHANI_H
#include "cpu/cpu.h"
#include <immintrin.h>

/* sha256rnds2 is encoded in the legacy SSE form only. With the upper half of any ymm register in use, as a
   caller may leave it, some cores take hundreds of cycles at every change between that form and AVX. The
   instruction that clears the upper halves exists only where AVX does, which SHA does not imply. */
static inline void shani_clear_upper_halves(void)
{
    if (celer_cpu_detected() & CELER_CPU_AVX)
        __asm__ __volatile__("vzeroupper"
                             :
                             :
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                               "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static inline __m128i shani_load(const void *p)
{
    return _mm_loadu_si128(p);
}

/* Four words that are `stride` words apart, a constant: of one message among so many. */
static inline __m128i shani_gather(const uint32_t *p, size_t stride)
{
    if (stride == 1)
        return shani_load(p);
    return _mm_set_epi32((int)p[3 * stride], (int)p[2 * stride], (int)p[stride], (int)p[0]);
}

static inline void shani_scatter(uint32_t *p, size_t stride, __m128i x)
{
    if (stride == 1) {
        _mm_storeu_si128((__m128i *)(void *)p, x);
        return;
    }
    p[0] = (uint32_t)_mm_extract_epi32(x, 0);
    p[stride] = (uint32_t)_mm_extract_epi32(x, 1);
    p[2 * stride] = (uint32_t)_mm_extract_epi32(x, 2);
    p[3 * stride] = (uint32_t)_mm_extract_epi32(x, 3);
}

/* Words t+16..t+19 of the message schedule from a = W[t..t+3], b = W[t+4..], c = W[t+8..], d = W[t+12..]:

       W[t+16] = s1(W[t+14]) + W[t+9] + s0(W[t+1]) + W[t]

   msg1 adds s0, msg2 adds s1. Of the words W[t+9..t+12] in between, the last, d[0], feeds no other word of
   the four, so it is added after msg2: as d is the newest input, that shortens the way from one step to the
   next. */
static inline __m128i shani_schedule(__m128i a, __m128i b, __m128i c, __m128i d)
{
    const __m128i x = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_srli_si128(c, 4));
    return _mm_add_epi32(_mm_sha256msg2_epu32(x, d), _mm_slli_si128(d, 12));
}
#endif
