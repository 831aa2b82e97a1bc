/* keccak_avx2.c: Keccak-p[1600] x2 and x4 with AVX2. A rotation is three operations and a step of chi two, so a round
   is 184 operations on the vectors of two or four states. */
#include "sha3/keccak.h"
#include "base/bytes.h"
#include "base/wipe.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx2")
#  include <immintrin.h>

/* Where a rotation is one of bytes: for each byte of two lanes, which byte it becomes. */
#  define AVX2_BYTES_8  7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14
#  define AVX2_BYTES_56 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8

static inline __m128i keccak_avx2_rol_x2(__m128i v, int n)
{
    if (n == 8)
        return _mm_shuffle_epi8(v, _mm_setr_epi8(AVX2_BYTES_8));
    if (n == 56)
        return _mm_shuffle_epi8(v, _mm_setr_epi8(AVX2_BYTES_56));
    return _mm_or_si128(_mm_slli_epi64(v, n), _mm_srli_epi64(v, 64 - n));
}

static inline __m256i keccak_avx2_rol_x4(__m256i v, int n)
{
    if (n == 8)
        return _mm256_shuffle_epi8(v, _mm256_setr_epi8(AVX2_BYTES_8, AVX2_BYTES_8));
    if (n == 56)
        return _mm256_shuffle_epi8(v, _mm256_setr_epi8(AVX2_BYTES_56, AVX2_BYTES_56));
    return _mm256_or_si256(_mm256_slli_epi64(v, n), _mm256_srli_epi64(v, 64 - n));
}

static inline __m128i keccak_avx2_load2(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Two lanes from each of several messages: the transpose of loads of two lanes. */
static inline void keccak_avx2_gather2_x2(__m128i m[2], const uint8_t *const *in, size_t offset)
{
    const __m128i s0 = keccak_avx2_load2(in[0] + offset), s1 = keccak_avx2_load2(in[1] + offset);
    m[0] = _mm_unpacklo_epi64(s0, s1);
    m[1] = _mm_unpackhi_epi64(s0, s1);
}

static inline void keccak_avx2_gather2_x4(__m256i m[2], const uint8_t *const *in, size_t offset)
{
    const __m256i s02 =
        _mm256_set_m128i(keccak_avx2_load2(in[2] + offset), keccak_avx2_load2(in[0] + offset));
    const __m256i s13 =
        _mm256_set_m128i(keccak_avx2_load2(in[3] + offset), keccak_avx2_load2(in[1] + offset));
    m[0] = _mm256_unpacklo_epi64(s02, s13);
    m[1] = _mm256_unpackhi_epi64(s02, s13);
}

/* One lane from each. */
static inline __m128i keccak_avx2_gather_x2(const uint8_t *const *in, size_t offset)
{
    return _mm_set_epi64x((long long)load64_le(in[1] + offset), (long long)load64_le(in[0] + offset));
}

static inline __m256i keccak_avx2_gather_x4(const uint8_t *const *in, size_t offset)
{
    return _mm256_set_m128i(keccak_avx2_gather_x2(in + 2, offset), keccak_avx2_gather_x2(in, offset));
}

#  define WAYS                   2
#  define SUFFIX                 x2_avx2
#  define V                      __m128i
#  define LOAD(p)                _mm_loadu_si128((const __m128i *)(const void *)(p))
#  define STORE(p, v)            _mm_storeu_si128((__m128i *)(void *)(p), v)
#  define GATHER(in, offset)     keccak_avx2_gather_x2(in, offset)
#  define GATHER2(m, in, offset) keccak_avx2_gather2_x2(m, in, offset)
#  define SET(c)                 _mm_set1_epi64x((long long)(c))
#  define XOR(a, b)              _mm_xor_si128(a, b)
#  define ANDNOT(a, b)           _mm_andnot_si128(a, b)
#  define ROL(a, n)              keccak_avx2_rol_x2(a, n)
#  define IN_REGISTER(v)         __asm__("" : "+x"(v))
#  define FINISH()               (void)0
#  include "sha3/keccak_planes.inc"

#  define WAYS                   4
#  define SUFFIX                 x4_avx2
#  define V                      __m256i
#  define LOAD(p)                _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)            _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHER(in, offset)     keccak_avx2_gather_x4(in, offset)
#  define GATHER2(m, in, offset) keccak_avx2_gather2_x4(m, in, offset)
#  define SET(c)                 _mm256_set1_epi64x((long long)(c))
#  define XOR(a, b)              _mm256_xor_si256(a, b)
#  define ANDNOT(a, b)           _mm256_andnot_si256(a, b)
#  define ROL(a, n)              keccak_avx2_rol_x4(a, n)
#  define IN_REGISTER(v)         __asm__("" : "+x"(v))
#  define FINISH()               _mm256_zeroupper()
#  include "sha3/keccak_planes.inc"

CELER_TARGET_END
#endif
