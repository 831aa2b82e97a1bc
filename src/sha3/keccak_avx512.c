/* keccak_avx512.c: Keccak-p[1600] x1, x2, x4 and x8 with AVX-512. Logic of three inputs, rotation and 32
   registers make a round of 90 operations, on vectors of one, two, four or eight states alike. */
#include "sha3/keccak.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl")
#  include <immintrin.h>

/* vpternlogq's table: bit 4a + 2b + c is the result for input bits a, b, c. */
#  define TABLE_XOR 0x96 /* a ^ b ^ c */
#  define TABLE_CHI 0xd2 /* a ^ (~b & c) */

/* a ^ b ^ c, written over a. clang would choose for itself which operand to write over: 1000 cycles for 8 states
   instead of 855 with clang 14 on Zen 5. gcc keeps to the order it is given. */
#  if defined(__clang__)
#    define RETURN_XOR3(intrinsic)                                                     \
      __asm__("vpternlogq %3, %2, %1, %0" : "+v"(a) : "v"(b), "v"(c), "i"(TABLE_XOR)); \
      return a
#  else
#    define RETURN_XOR3(intrinsic) return intrinsic(a, b, c, TABLE_XOR)
#  endif

static inline __m128i keccak_xor3_xmm(__m128i a, __m128i b, __m128i c)
{
    RETURN_XOR3(_mm_ternarylogic_epi64);
}

static inline __m256i keccak_xor3_ymm(__m256i a, __m256i b, __m256i c)
{
    RETURN_XOR3(_mm256_ternarylogic_epi64);
}

static inline __m512i keccak_xor3_zmm(__m512i a, __m512i b, __m512i c)
{
    RETURN_XOR3(_mm512_ternarylogic_epi64);
}

static inline __m128i keccak_lane(const uint8_t *p)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)p);
}

/* One lane from each of several messages: broadcasts that write a single element each. */
static inline __m128i keccak_gather_x2(const uint8_t *const *in, size_t offset)
{
    const __m128i v = keccak_lane(in[0] + offset);
    return _mm_mask_broadcastq_epi64(v, 2, keccak_lane(in[1] + offset));
}

static inline __m256i keccak_gather_x4(const uint8_t *const *in, size_t offset)
{
    __m256i v = _mm256_broadcastq_epi64(keccak_lane(in[0] + offset));
    v = _mm256_mask_broadcastq_epi64(v, 2, keccak_lane(in[1] + offset));
    v = _mm256_mask_broadcastq_epi64(v, 4, keccak_lane(in[2] + offset));
    return _mm256_mask_broadcastq_epi64(v, 8, keccak_lane(in[3] + offset));
}

static inline __m512i keccak_gather_x8(const uint8_t *const *in, size_t offset)
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

/* Four lanes from each: the transpose of loads of two or four lanes, which takes half the loads, or a
   quarter. */
static inline __m128i keccak_load2(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void keccak_gather4_x2(__m128i m[4], const uint8_t *const *in, size_t offset)
{
    for (unsigned i = 0; i < 4; i += 2) {
        const __m128i s0 = keccak_load2(in[0] + offset + 8 * i), s1 = keccak_load2(in[1] + offset + 8 * i);
        m[i] = _mm_unpacklo_epi64(s0, s1);
        m[i + 1] = _mm_unpackhi_epi64(s0, s1);
    }
}

/* Two lanes of p, then two of q. */
static inline __m256i keccak_load2x2(const uint8_t *p, const uint8_t *q)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(keccak_load2(p)), keccak_load2(q), 1);
}

static inline void keccak_gather4_x4(__m256i m[4], const uint8_t *const *in, size_t offset)
{
    for (unsigned i = 0; i < 4; i += 2, offset += 16) {
        const __m256i s02 = keccak_load2x2(in[0] + offset, in[2] + offset);
        const __m256i s13 = keccak_load2x2(in[1] + offset, in[3] + offset);
        m[i] = _mm256_unpacklo_epi64(s02, s13);
        m[i + 1] = _mm256_unpackhi_epi64(s02, s13);
    }
}

/* Four lanes of p, then four of q. */
static inline __m512i keccak_load4x2(const uint8_t *p, const uint8_t *q)
{
    const __m256i lo = _mm256_loadu_si256((const __m256i *)(const void *)p);
    return _mm512_inserti64x4(_mm512_castsi256_si512(lo),
                              _mm256_loadu_si256((const __m256i *)(const void *)q), 1);
}

static inline void keccak_gather4_x8(__m512i m[4], const uint8_t *const *in, size_t offset)
{
    const __m512i s02 = keccak_load4x2(in[0] + offset, in[2] + offset);
    const __m512i s13 = keccak_load4x2(in[1] + offset, in[3] + offset);
    const __m512i s46 = keccak_load4x2(in[4] + offset, in[6] + offset);
    const __m512i s57 = keccak_load4x2(in[5] + offset, in[7] + offset);
    /* Lanes 0 and 2 of states 0 to 3 (4 to 7), then lanes 1 and 3: of each, the pairs of states lie 256 bits
       apart. */
    const __m512i even0 = _mm512_unpacklo_epi64(s02, s13), even4 = _mm512_unpacklo_epi64(s46, s57);
    const __m512i odd0 = _mm512_unpackhi_epi64(s02, s13), odd4 = _mm512_unpackhi_epi64(s46, s57);
    m[0] = _mm512_shuffle_i64x2(even0, even4, 0x88);
    m[1] = _mm512_shuffle_i64x2(odd0, odd4, 0x88);
    m[2] = _mm512_shuffle_i64x2(even0, even4, 0xdd);
    m[3] = _mm512_shuffle_i64x2(odd0, odd4, 0xdd);
}

/* x1: the lane in the lower half of a register, the upper half idle. */
static inline void keccak_gather4_x1(__m128i m[4], const uint8_t *p)
{
    for (unsigned i = 0; i < 4; i++)
        m[i] = keccak_lane(p + 8 * i);
}

#  define WAYS                   1
#  define SUFFIX                 x1_avx512
#  define V                      __m128i
#  define LOAD(p)                _mm_loadl_epi64((const __m128i *)(const void *)(p))
#  define STORE(p, v)            _mm_storel_epi64((__m128i *)(void *)(p), v)
#  define GATHER(in, offset)     keccak_lane((in)[0] + (offset))
#  define GATHER4(m, in, offset) keccak_gather4_x1(m, (in)[0] + (offset))
#  define SET(c)                 _mm_cvtsi64_si128((long long)(c))
#  define XOR2(a, b)             _mm_xor_si128(a, b)
#  define XOR3(a, b, c)          keccak_xor3_xmm(a, b, c)
#  define CHI(a, b, c)           _mm_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)              _mm_rol_epi64(a, n)
#  define FINISH()               (void)0
#  include "sha3/keccak_vector.inc"

#  define WAYS                   2
#  define SUFFIX                 x2_avx512
#  define V                      __m128i
#  define LOAD(p)                _mm_loadu_si128((const __m128i *)(const void *)(p))
#  define STORE(p, v)            _mm_storeu_si128((__m128i *)(void *)(p), v)
#  define GATHER(in, offset)     keccak_gather_x2(in, offset)
#  define GATHER4(m, in, offset) keccak_gather4_x2(m, in, offset)
#  define SET(c)                 _mm_set1_epi64x((long long)(c))
#  define XOR2(a, b)             _mm_xor_si128(a, b)
#  define XOR3(a, b, c)          keccak_xor3_xmm(a, b, c)
#  define CHI(a, b, c)           _mm_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)              _mm_rol_epi64(a, n)
#  define FINISH()               (void)0
#  include "sha3/keccak_vector.inc"

#  define WAYS                   4
#  define SUFFIX                 x4_avx512
#  define V                      __m256i
#  define LOAD(p)                _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)            _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHER(in, offset)     keccak_gather_x4(in, offset)
#  define GATHER4(m, in, offset) keccak_gather4_x4(m, in, offset)
#  define SET(c)                 _mm256_set1_epi64x((long long)(c))
#  define XOR2(a, b)             _mm256_xor_si256(a, b)
#  define XOR3(a, b, c)          keccak_xor3_ymm(a, b, c)
#  define CHI(a, b, c)           _mm256_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)              _mm256_rol_epi64(a, n)
#  define FINISH()               _mm256_zeroupper()
#  include "sha3/keccak_vector.inc"

#  define WAYS                   8
#  define SUFFIX                 x8_avx512
#  define V                      __m512i
#  define LOAD(p)                _mm512_loadu_si512(p)
#  define STORE(p, v)            _mm512_storeu_si512(p, v)
#  define GATHER(in, offset)     keccak_gather_x8(in, offset)
#  define GATHER4(m, in, offset) keccak_gather4_x8(m, in, offset)
#  define SET(c)                 _mm512_set1_epi64((long long)(c))
#  define XOR2(a, b)             _mm512_xor_si512(a, b)
#  define XOR3(a, b, c)          keccak_xor3_zmm(a, b, c)
#  define CHI(a, b, c)           _mm512_ternarylogic_epi64(a, b, c, TABLE_CHI)
#  define ROL(a, n)              _mm512_rol_epi64(a, n)
#  define FINISH()               _mm256_zeroupper()
#  include "sha3/keccak_vector.inc"

#  undef RETURN_XOR3
#  undef TABLE_XOR
#  undef TABLE_CHI
CELER_TARGET_END
#endif
