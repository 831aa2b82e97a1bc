/* blake2s_avx2.c: BLAKE2s with AVX2. Rotations are shuffles where they move whole bytes. */
#include "blake2/blake2s.h"
#include "blake2/blake2_sigma.h"
#include "blake2/blake2_ymm.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx2")
#  include <immintrin.h>

/* For each byte of four words rotated by so many bits, which byte it was. */
#  define BLAKE2S_AVX2_BYTES_16 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
#  define BLAKE2S_AVX2_BYTES_8  1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12

/* ---- one message ---- */

/* A word in each place. Written as such, because compilers make insertions of it and a blend, which are two
   operations each. */
static inline __m128i blake2s_avx2_word(const uint8_t *p)
{
    __m128i v;
    __asm__("vpbroadcastd %1, %0" : "=x"(v) : "m"(*(const uint8_t(*)[4])p));
    return v;
}

static inline __attribute__((always_inline)) __m128i blake2s_avx2_words(const uint8_t *in, unsigned i,
                                                                        unsigned j, unsigned k, unsigned l)
{
    const __m128i ij = _mm_blend_epi32(blake2s_avx2_word(in + 4 * i), blake2s_avx2_word(in + 4 * j), 0x2);
    const __m128i kl = _mm_blend_epi32(blake2s_avx2_word(in + 4 * k), blake2s_avx2_word(in + 4 * l), 0x8);
    return _mm_blend_epi32(ij, kl, 0xc);
}

#  define LETTER                 s
#  define SUFFIX                 x1_avx2
#  define WORD                   uint32_t
#  define BLOCK                  BLAKE2S_BLOCK
#  define ROUNDS                 10
#  define V                      __m128i
#  define LOAD(p)                _mm_loadu_si128((const __m128i *)(const void *)(p))
#  define STORE(p, v)            _mm_storeu_si128((__m128i *)(void *)(p), v)
#  define ADD(a, b)              _mm_add_epi32(a, b)
#  define XOR(a, b)              _mm_xor_si128(a, b)
#  define IN_REGISTER(v)         __asm__ __volatile__("" : "+x"(v))
#  define ROR_1(v)               _mm_shuffle_epi8(v, _mm_setr_epi8(BLAKE2S_AVX2_BYTES_16))
#  define ROR_2(v)               _mm_or_si128(_mm_srli_epi32(v, 12), _mm_slli_epi32(v, 20))
#  define ROR_3(v)               _mm_shuffle_epi8(v, _mm_setr_epi8(BLAKE2S_AVX2_BYTES_8))
#  define ROR_4(v)               _mm_or_si128(_mm_srli_epi32(v, 7), _mm_slli_epi32(v, 25))
#  define TURN_1(v)              _mm_shuffle_epi32(v, 0x39)
#  define TURN_2(v)              _mm_shuffle_epi32(v, 0x4e)
#  define TURN_3(v)              _mm_shuffle_epi32(v, 0x93)
#  define GATHER(in, i, j, k, l) blake2s_avx2_words(in, i, j, k, l)
#  define ADVANCE(t)             _mm_add_epi64(t, _mm_set_epi64x(0, BLAKE2S_BLOCK))
#  define FINISH()               _mm256_zeroupper()
#  include "blake2/blake2_x1.inc"

/* ---- eight messages ---- */

#  define LETTER         s
#  define SUFFIX         x8_avx2
#  define WORD           uint32_t
#  define BLOCK          BLAKE2S_BLOCK
#  define ROUNDS         10
#  define WAYS           8
#  define V              __m256i
#  define LOAD(p)        _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)    _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHERED       4
#  define GATHER         blake2s_ymm_gather
#  define SET(x)         _mm256_set1_epi32((int)(x))
#  define ADD(a, b)      _mm256_add_epi32(a, b)
#  define XOR(a, b)      _mm256_xor_si256(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+x"(v))
#  define IN_MEMORY(m)   __asm__ __volatile__("" : "+m"(m))
#  define ROR_1(v)       _mm256_shuffle_epi8(v, _mm256_setr_epi8(BLAKE2S_AVX2_BYTES_16, BLAKE2S_AVX2_BYTES_16))
#  define ROR_2(v)       _mm256_or_si256(_mm256_srli_epi32(v, 12), _mm256_slli_epi32(v, 20))
#  define ROR_3(v)       _mm256_shuffle_epi8(v, _mm256_setr_epi8(BLAKE2S_AVX2_BYTES_8, BLAKE2S_AVX2_BYTES_8))
#  define ROR_4(v)       _mm256_or_si256(_mm256_srli_epi32(v, 7), _mm256_slli_epi32(v, 25))
#  define CARRY(t1, t0)  _mm256_sub_epi32(t1, _mm256_cmpeq_epi32(_mm256_srli_epi32(t0, 6), SET(0)))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

CELER_TARGET_END
#endif
