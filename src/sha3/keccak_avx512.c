/* keccak_avx512.c: Keccak-p[1600] x1, x2, x4 and x8 with AVX-512. Logic of three inputs, rotation and 32 registers make
   a round of 90 operations, on vectors of one, two, four or eight states alike. */
#include "sha3/keccak.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl")
#  include <immintrin.h>

/* vpternlogq's table: bit 4a + 2b + c is the result for input bits a, b, c. */
#  define TABLE_XOR 0x96 /* a ^ b ^ c */
#  define TABLE_CHI 0xd2 /* a ^ (~b & c) */

static inline __m128i keccak_lane(const uint8_t *p)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)p);
}

/* One lane from each of several messages: broadcasts that write a single element each. */
static inline __m128i keccak_gather2(const uint8_t *const *in, size_t offset)
{
    const __m128i v = keccak_lane(in[0] + offset);
    return _mm_mask_broadcastq_epi64(v, 2, keccak_lane(in[1] + offset));
}

static inline __m256i keccak_gather4(const uint8_t *const *in, size_t offset)
{
    __m256i v = _mm256_broadcastq_epi64(keccak_lane(in[0] + offset));
    v = _mm256_mask_broadcastq_epi64(v, 2, keccak_lane(in[1] + offset));
    v = _mm256_mask_broadcastq_epi64(v, 4, keccak_lane(in[2] + offset));
    return _mm256_mask_broadcastq_epi64(v, 8, keccak_lane(in[3] + offset));
}

static inline __m512i keccak_gather8(const uint8_t *const *in, size_t offset)
{
    __m512i v = _mm512_broadcastq_epi64(keccak_lane(in[0] + offset));
    v = _mm512_mask_broadcastq_epi64(v, 0x02, keccak_lane(in[1] + offset));
    v = _mm512_mask_broadcastq_epi64(v, 0x04, keccak_lane(in[2] + offset));
    v = _mm512_mask_broadcastq_epi64(v, 0x08, keccak_lane(in[3] + offset));
    v = _mm512_mask_broadcastq_epi64(v, 0x10, keccak_lane(in[4] + offset));
    v = _mm512_mask_broadcastq_epi64(v, 0x20, keccak_lane(in[5] + offset));
    v = _mm512_mask_broadcastq_epi64(v, 0x40, keccak_lane(in[6] + offset));
    return _mm512_mask_broadcastq_epi64(v, 0x80, keccak_lane(in[7] + offset));
}

/* x1: the lane in the lower half of a register, the upper half idle. */
#  define WAYS               1
#  define SUFFIX             x1_avx512
#  define V                  __m128i
#  define LOAD(p)            _mm_loadl_epi64((const __m128i *)(const void *)(p))
#  define STORE(p, v)        _mm_storel_epi64((__m128i *)(void *)(p), v)
#  define GATHER(in, offset) keccak_lane((in)[0] + (offset))
#  define SET(c)             _mm_cvtsi64_si128((long long)(c))
#  define XOR2(a, b)         _mm_xor_si128(a, b)
#  define XOR3(a, b, c)      _mm_ternarylogic_epi64(a, b, c, TABLE_XOR)
#  define CHI(a, b, c)       _mm_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)          _mm_rol_epi64(a, n)
#  define FINISH()           (void)0
#  include "sha3/keccak_vector.inc"

#  define WAYS               2
#  define SUFFIX             x2_avx512
#  define V                  __m128i
#  define LOAD(p)            _mm_loadu_si128((const __m128i *)(const void *)(p))
#  define STORE(p, v)        _mm_storeu_si128((__m128i *)(void *)(p), v)
#  define GATHER(in, offset) keccak_gather2(in, offset)
#  define SET(c)             _mm_set1_epi64x((long long)(c))
#  define XOR2(a, b)         _mm_xor_si128(a, b)
#  define XOR3(a, b, c)      _mm_ternarylogic_epi64(a, b, c, TABLE_XOR)
#  define CHI(a, b, c)       _mm_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)          _mm_rol_epi64(a, n)
#  define FINISH()           (void)0
#  include "sha3/keccak_vector.inc"

#  define WAYS               4
#  define SUFFIX             x4_avx512
#  define V                  __m256i
#  define LOAD(p)            _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)        _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHER(in, offset) keccak_gather4(in, offset)
#  define SET(c)             _mm256_set1_epi64x((long long)(c))
#  define XOR2(a, b)         _mm256_xor_si256(a, b)
#  define XOR3(a, b, c)      _mm256_ternarylogic_epi64(a, b, c, TABLE_XOR)
#  define CHI(a, b, c)       _mm256_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)          _mm256_rol_epi64(a, n)
#  define FINISH()           _mm256_zeroupper()
#  include "sha3/keccak_vector.inc"

#  define WAYS               8
#  define SUFFIX             x8_avx512
#  define V                  __m512i
#  define LOAD(p)            _mm512_loadu_si512(p)
#  define STORE(p, v)        _mm512_storeu_si512(p, v)
#  define GATHER(in, offset) keccak_gather8(in, offset)
#  define SET(c)             _mm512_set1_epi64((long long)(c))
#  define XOR2(a, b)         _mm512_xor_si512(a, b)
#  define XOR3(a, b, c)      _mm512_ternarylogic_epi64(a, b, c, TABLE_XOR)
#  define CHI(a, b, c)       _mm512_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)          _mm512_rol_epi64(a, n)
#  define FINISH()           _mm256_zeroupper()
#  include "sha3/keccak_vector.inc"

CELER_TARGET_END
#endif
