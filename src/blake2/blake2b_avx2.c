/* blake2b_avx2.c: BLAKE2b with AVX2. Rotations are shuffles where they move whole bytes. */
#include "blake2/blake2b.h"
#include "blake2/blake2_sigma.h"
#include "blake2/blake2_ymm.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx2")
#  include <immintrin.h>

static inline __m256i blake2b_avx2_ror_24(__m256i v)
{
    const __m128i bytes = _mm_setr_epi8(3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10);
    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(bytes));
}

static inline __m256i blake2b_avx2_ror_16(__m256i v)
{
    const __m128i bytes = _mm_setr_epi8(2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9);
    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(bytes));
}

static inline __m256i blake2b_avx2_ror_63(__m256i v)
{
    return _mm256_or_si256(_mm256_add_epi64(v, v), _mm256_srli_epi64(v, 63));
}

/* ---- one message ---- */

/* A word in each place. Written as such, because compilers make insertions of it and a blend, which are two
   operations each. */
static inline __m256i blake2b_avx2_word(const uint8_t *p)
{
    __m256i v;
    __asm__("vpbroadcastq %1, %0" : "=x"(v) : "m"(*(const uint8_t(*)[8])p));
    return v;
}

static inline __attribute__((always_inline)) __m256i blake2b_avx2_words(const uint8_t *in, unsigned i,
                                                                        unsigned j, unsigned k, unsigned l)
{
    const __m256i ij = _mm256_blend_epi32(blake2b_avx2_word(in + 8 * i), blake2b_avx2_word(in + 8 * j), 0x0c);
    const __m256i kl = _mm256_blend_epi32(blake2b_avx2_word(in + 8 * k), blake2b_avx2_word(in + 8 * l), 0xc0);
    return _mm256_blend_epi32(ij, kl, 0xf0);
}

/* The carry of t[0]: none of the other three is -1 after a shift. */
static inline __m256i blake2b_avx2_advance(__m256i t)
{
    t = _mm256_add_epi64(t, _mm256_set_epi64x(0, 0, 0, BLAKE2B_BLOCK));
    const __m256i wrapped = _mm256_cmpeq_epi64(_mm256_srli_epi64(t, 7), _mm256_set_epi64x(-1, -1, -1, 0));
    return _mm256_sub_epi64(t, _mm256_bslli_epi128(wrapped, 8));
}

#  define LETTER                 b
#  define SUFFIX                 x1_avx2
#  define WORD                   uint64_t
#  define BLOCK                  BLAKE2B_BLOCK
#  define ROUNDS                 12
#  define V                      __m256i
#  define LOAD(p)                _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)            _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define ADD(a, b)              _mm256_add_epi64(a, b)
#  define XOR(a, b)              _mm256_xor_si256(a, b)
#  define IN_REGISTER(v)         __asm__ __volatile__("" : "+x"(v))
#  define ROR_1(v)               _mm256_shuffle_epi32(v, 0xb1)
#  define ROR_2(v)               blake2b_avx2_ror_24(v)
#  define ROR_3(v)               blake2b_avx2_ror_16(v)
#  define ROR_4(v)               blake2b_avx2_ror_63(v)
#  define TURN_1(v)              _mm256_permute4x64_epi64(v, 0x39)
#  define TURN_2(v)              _mm256_permute4x64_epi64(v, 0x4e)
#  define TURN_3(v)              _mm256_permute4x64_epi64(v, 0x93)
#  define GATHER(in, i, j, k, l) blake2b_avx2_words(in, i, j, k, l)
#  define ADVANCE(t)             blake2b_avx2_advance(t)
#  define FINISH()               _mm256_zeroupper()
#  include "blake2/blake2_x1.inc"

/* ---- four messages ---- */

#  define LETTER         b
#  define SUFFIX         x4_avx2
#  define WORD           uint64_t
#  define BLOCK          BLAKE2B_BLOCK
#  define ROUNDS         12
#  define WAYS           4
#  define V              __m256i
#  define LOAD(p)        _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)    _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHERED       2
#  define GATHER         blake2b_ymm_gather
#  define SET(x)         _mm256_set1_epi64x((long long)(x))
#  define ADD(a, b)      _mm256_add_epi64(a, b)
#  define XOR(a, b)      _mm256_xor_si256(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+x"(v))
#  define IN_MEMORY(m)   __asm__ __volatile__("" : "+m"(m))
#  define ROR_1(v)       _mm256_shuffle_epi32(v, 0xb1)
#  define ROR_2(v)       blake2b_avx2_ror_24(v)
#  define ROR_3(v)       blake2b_avx2_ror_16(v)
#  define ROR_4(v)       blake2b_avx2_ror_63(v)
#  define CARRY(t1, t0)  _mm256_sub_epi64(t1, _mm256_cmpeq_epi64(_mm256_srli_epi64(t0, 7), SET(0)))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

CELER_TARGET_END
#endif
