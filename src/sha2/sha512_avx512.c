/* sha512_avx512.c: SHA-512 with AVX-512, which rotates, and has logic of three inputs; for one message beside rorx of
   BMI2. */
#include "sha2/sha512.h"
#include "sha2/sha2_tail.h"
#include "base/bytes.h"
#include "base/wipe.h"

#if CELER_X86

/* vpternlogq's table: bit 4a + 2b + c is the result for input bits a, b, c. */
#  define TABLE_XOR 0x96 /* a ^ b ^ c */
#  define TABLE_CH  0xca /* a ? b : c */
#  define TABLE_MAJ 0xe8

CELER_TARGET_BEGIN("avx512f,avx512vl,avx512bw,bmi,bmi2")
#  include <immintrin.h>

#  define SUFFIX        avx512
#  define ROR(v, n)     _mm256_ror_epi64(v, n)
#  define XOR3(a, b, c) _mm256_ternarylogic_epi64(a, b, c, TABLE_XOR)
#  include "sha2/sha512_pair.inc"

/* Four words of p, then four of q, in host order. */
static inline __m512i sha512_avx512_load(const uint8_t *p, const uint8_t *q)
{
    const __m512i swap =
        _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i lo = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i hi = _mm256_loadu_si256((const __m256i *)(const void *)q);
    return _mm512_shuffle_epi8(_mm512_inserti64x4(_mm512_castsi256_si512(lo), hi, 1), swap);
}

/* Eight words of each of eight messages. */
static inline void sha512_avx512_gather(__m512i w[8], const uint8_t *const *in, size_t at)
{
    const __m512i even = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0),
                  odd = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    for (unsigned i = 0; i < 8; i += 4, at += 32) {
        const __m512i s04 = sha512_avx512_load(in[0] + at, in[4] + at),
                      s15 = sha512_avx512_load(in[1] + at, in[5] + at);
        const __m512i s26 = sha512_avx512_load(in[2] + at, in[6] + at),
                      s37 = sha512_avx512_load(in[3] + at, in[7] + at);
        const __m512i lo01 = _mm512_unpacklo_epi64(s04, s15), hi01 = _mm512_unpackhi_epi64(s04, s15);
        const __m512i lo23 = _mm512_unpacklo_epi64(s26, s37), hi23 = _mm512_unpackhi_epi64(s26, s37);
        w[i] = _mm512_permutex2var_epi64(lo01, even, lo23);
        w[i + 1] = _mm512_permutex2var_epi64(hi01, even, hi23);
        w[i + 2] = _mm512_permutex2var_epi64(lo01, odd, lo23);
        w[i + 3] = _mm512_permutex2var_epi64(hi01, odd, hi23);
    }
}

#  define WAYS           4
#  define SUFFIX         x4_avx512
#  define V              __m256i
#  define LOAD(p)        _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)    _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHER         pair_gather_avx512_
#  define SET(x)         _mm256_set1_epi64x((long long)(x))
#  define ADD(a, b)      _mm256_add_epi64(a, b)
#  define SUB(a, b)      _mm256_sub_epi64(a, b)
#  define IN_REGISTER(v) __asm__("" : "+v"(v))
#  define SHR(a, n)      _mm256_srli_epi64(a, n)
#  define CH(e, f, g)    _mm256_ternarylogic_epi64(e, f, g, TABLE_CH)
#  define MAJ(a, b, c)   _mm256_ternarylogic_epi64(a, b, c, TABLE_MAJ)
#  define FINISH(w)      _mm256_zeroupper()
#  include "sha2/sha512_lanes.inc"

#  define WAYS           8
#  define SUFFIX         x8_avx512
#  define V              __m512i
#  define LOAD(p)        _mm512_loadu_si512(p)
#  define STORE(p, v)    _mm512_storeu_si512(p, v)
#  define GATHER         sha512_avx512_gather
#  define SET(x)         _mm512_set1_epi64((long long)(x))
#  define ADD(a, b)      _mm512_add_epi64(a, b)
#  define SUB(a, b)      _mm512_sub_epi64(a, b)
#  define IN_REGISTER(v) __asm__("" : "+v"(v))
#  define XOR3(a, b, c)  _mm512_ternarylogic_epi64(a, b, c, TABLE_XOR)
#  define ROR(a, n)      _mm512_ror_epi64(a, n)
#  define SHR(a, n)      _mm512_srli_epi64(a, n)
#  define CH(e, f, g)    _mm512_ternarylogic_epi64(e, f, g, TABLE_CH)
#  define MAJ(a, b, c)   _mm512_ternarylogic_epi64(a, b, c, TABLE_MAJ)
#  define FINISH(w)      _mm256_zeroupper()
#  include "sha2/sha512_lanes.inc"

#  undef TABLE_XOR
#  undef TABLE_CH
#  undef TABLE_MAJ
CELER_TARGET_END
#endif
