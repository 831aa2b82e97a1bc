/* sha256_avx2.c: SHA-256 and the hash chain x8 with AVX2. */
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha256_chain.h"
#include "base/wipe.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx2")
#  include <immintrin.h>

static inline __m256i sha256_avx2_ror(__m256i v, int n)
{
    return _mm256_or_si256(_mm256_srli_epi32(v, n), _mm256_slli_epi32(v, 32 - n));
}

static inline __m256i sha256_avx2_quads(const uint8_t *const *in, size_t at)
{
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const __m256i q = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(in[0] + at)));
    return _mm256_shuffle_epi8(
        _mm256_inserti128_si256(q, _mm_loadu_si128((const __m128i *)(const void *)(in[4] + at)), 1),
        _mm256_broadcastsi128_si256(swap));
}

#  define WAYS          8
#  define SUFFIX        x8_avx2
#  define V             __m256i
#  define LOAD(p)       _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)   _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define SET(c)        _mm256_set1_epi32((int)(c))
#  define ADD(a, b)     _mm256_add_epi32(a, b)
#  define SUB(a, b)     _mm256_sub_epi32(a, b)
#  define ROR(v, n)     sha256_avx2_ror(v, n)
#  define SHR(v, n)     _mm256_srli_epi32(v, n)
#  define XOR3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#  define CH(e, f, g)   _mm256_xor_si256(g, _mm256_and_si256(e, _mm256_xor_si256(f, g)))
/* a ^ b is b ^ c of the next round, which compilers see. */
#  define MAJ(a, b, c)             _mm256_xor_si256(b, _mm256_and_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(b, c)))
#  define IN_REGISTER(v)           __asm__("" : "+x"(v))
#  define FINISH(w)                wipe(w, sizeof w), _mm256_zeroupper()
#  define QUADS(in, at)            sha256_avx2_quads(in, at)
#  define UNPACK(half, bits, a, b) _mm256_unpack##half##_epi##bits(a, b)
#  include "sha2/sha256_lanes.inc"

CELER_TARGET_END
#endif
