/* blake2s_sse41.c: BLAKE2s with SSE4.1 and the byte shuffle of SSSE3. */
#include "blake2/blake2s.h"
#include "blake2/blake2_sigma.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("sse4.1")
#  include <immintrin.h>

static inline __m128i blake2s_sse41_words(const uint8_t *in, unsigned i, unsigned j, unsigned k, unsigned l)
{
    return _mm_set_epi32((int)load32_le(in + 4 * l), (int)load32_le(in + 4 * k), (int)load32_le(in + 4 * j),
                         (int)load32_le(in + 4 * i));
}

#  define LETTER         s
#  define SUFFIX         x1_sse41
#  define WORD           uint32_t
#  define BLOCK          BLAKE2S_BLOCK
#  define ROUNDS         10
#  define V              __m128i
#  define LOAD(p)        _mm_loadu_si128((const __m128i *)(const void *)(p))
#  define STORE(p, v)    _mm_storeu_si128((__m128i *)(void *)(p), v)
#  define ADD(a, b)      _mm_add_epi32(a, b)
#  define XOR(a, b)      _mm_xor_si128(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+x"(v))
#  define ROR_1(v)       _mm_shuffle_epi8(v, _mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13))
#  define ROR_2(v)       _mm_or_si128(_mm_srli_epi32(v, 12), _mm_slli_epi32(v, 20))
#  define ROR_3(v)       _mm_shuffle_epi8(v, _mm_setr_epi8(1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12))
#  define ROR_4(v)       _mm_or_si128(_mm_srli_epi32(v, 7), _mm_slli_epi32(v, 25))
#  define TURN_1(v)      _mm_shuffle_epi32(v, 0x39)
#  define TURN_2(v)      _mm_shuffle_epi32(v, 0x4e)
#  define TURN_3(v)      _mm_shuffle_epi32(v, 0x93)
#  define GATHER         blake2s_sse41_words
#  define ADVANCE(t)     _mm_add_epi64(t, _mm_set_epi64x(0, BLAKE2S_BLOCK))
#  define FINISH()       ((void)0)
#  include "blake2/blake2_x1.inc"

CELER_TARGET_END
#endif
