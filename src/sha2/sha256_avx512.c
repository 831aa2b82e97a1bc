/* sha256_avx512.c: SHA-256 and the hash chain x8 and x16 with AVX-512, which has a rotation and any function of three
   operands as one instruction each. */
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha256_chain.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl,avx512bw")
#  include <immintrin.h>

static inline __m128i sha256_avx512_swap(void)
{
    return _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
}

static inline __m256i sha256_avx512_quads_x8(const uint8_t *const *in, size_t at)
{
    const __m256i q = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(in[0] + at)));
    return _mm256_shuffle_epi8(
        _mm256_inserti128_si256(q, _mm_loadu_si128((const __m128i *)(const void *)(in[4] + at)), 1),
        _mm256_broadcastsi128_si256(sha256_avx512_swap()));
}

static inline __m512i sha256_avx512_quads_x16(const uint8_t *const *in, size_t at)
{
    __m512i q = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)(in[0] + at)));
    q = _mm512_inserti32x4(q, _mm_loadu_si128((const __m128i *)(const void *)(in[4] + at)), 1);
    q = _mm512_inserti32x4(q, _mm_loadu_si128((const __m128i *)(const void *)(in[8] + at)), 2);
    q = _mm512_inserti32x4(q, _mm_loadu_si128((const __m128i *)(const void *)(in[12] + at)), 3);
    return _mm512_shuffle_epi8(q, _mm512_broadcast_i32x4(sha256_avx512_swap()));
}

size_t celer_sha256_tail_avx512_(uint8_t *tail, const uint8_t *rest, size_t n, uint64_t total)
{
    const __m512i bytes = _mm512_maskz_loadu_epi8((UINT64_C(1) << n) - 1, rest);
    const __m512i marked = _mm512_mask_set1_epi8(bytes, UINT64_C(1) << n, (char)0x80);
    const __m512i count = _mm512_maskz_set1_epi64(0x80, (long long)__builtin_bswap64(total << 3));
    const size_t blocks = n < SHA256_BLOCK - 8 ? 1 : 2;
    if (blocks == 1) {
        _mm512_storeu_si512(tail, _mm512_or_si512(marked, count));
    } else {
        _mm512_storeu_si512(tail, marked);
        _mm512_storeu_si512(tail + SHA256_BLOCK, count);
    }
    _mm256_zeroupper();
    return blocks;
}

#  define WAYS                     8
#  define SUFFIX                   x8_avx512
#  define V                        __m256i
#  define LOAD(p)                  _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)              _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define SET(c)                   _mm256_set1_epi32((int)(c))
#  define ADD(a, b)                _mm256_add_epi32(a, b)
#  define SUB(a, b)                _mm256_sub_epi32(a, b)
#  define ROR(v, n)                _mm256_ror_epi32(v, n)
#  define SHR(v, n)                _mm256_srli_epi32(v, n)
#  define XOR3(a, b, c)            _mm256_ternarylogic_epi32(a, b, c, 0x96)
#  define CH(e, f, g)              _mm256_ternarylogic_epi32(e, f, g, 0xca)
#  define MAJ(a, b, c)             _mm256_ternarylogic_epi32(a, b, c, 0xe8)
#  define IN_REGISTER(v)           __asm__("" : "+v"(v))
#  define FINISH(w)                _mm256_zeroupper()
#  define QUADS(in, at)            sha256_avx512_quads_x8(in, at)
#  define UNPACK(half, bits, a, b) _mm256_unpack##half##_epi##bits(a, b)
#  include "sha2/sha256_lanes.inc"

#  define WAYS                     16
#  define SUFFIX                   x16_avx512
#  define V                        __m512i
#  define LOAD(p)                  _mm512_loadu_si512(p)
#  define STORE(p, v)              _mm512_storeu_si512(p, v)
#  define SET(c)                   _mm512_set1_epi32((int)(c))
#  define ADD(a, b)                _mm512_add_epi32(a, b)
#  define SUB(a, b)                _mm512_sub_epi32(a, b)
#  define ROR(v, n)                _mm512_ror_epi32(v, n)
#  define SHR(v, n)                _mm512_srli_epi32(v, n)
#  define XOR3(a, b, c)            _mm512_ternarylogic_epi32(a, b, c, 0x96)
#  define CH(e, f, g)              _mm512_ternarylogic_epi32(e, f, g, 0xca)
#  define MAJ(a, b, c)             _mm512_ternarylogic_epi32(a, b, c, 0xe8)
#  define IN_REGISTER(v)           __asm__("" : "+v"(v))
#  define FINISH(w)                _mm256_zeroupper()
#  define QUADS(in, at)            sha256_avx512_quads_x16(in, at)
#  define UNPACK(half, bits, a, b) _mm512_unpack##half##_epi##bits(a, b)
#  include "sha2/sha256_lanes.inc"

CELER_TARGET_END
#endif
