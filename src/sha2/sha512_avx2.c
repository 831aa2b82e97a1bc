/* sha512_avx2.c: SHA-512 with AVX2 and, for one message, rorx of BMI2. */
#include "sha2/sha512.h"
#include "sha2/sha2_tail.h"
#include "base/bytes.h"
#include "base/wipe.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx2,bmi,bmi2")
#  include <immintrin.h>

#  define XOR3(a, b, c)  _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#  define IN_REGISTER(v) __asm__("" : "+x"(v))

/* Left to itself, gcc takes rotations and what is made of them apart, and has not registers enough for the parts. */
static inline __attribute__((always_inline)) __m256i sha512_avx2_ror(__m256i v, int n)
{
    __m256i x = _mm256_or_si256(_mm256_srli_epi64(v, n), _mm256_slli_epi64(v, 64 - n));
    IN_REGISTER(x);
    return x;
}

#  define SUFFIX    avx2
#  define ROR(v, n) sha512_avx2_ror(v, n)
#  include "sha2/sha512_pair.inc"

#  define WAYS         4
#  define SUFFIX       x4_avx2
#  define V            __m256i
#  define LOAD(p)      _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)  _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define GATHER       pair_gather_avx2_
#  define SET(x)       _mm256_set1_epi64x((long long)(x))
#  define ADD(a, b)    _mm256_add_epi64(a, b)
#  define SUB(a, b)    _mm256_sub_epi64(a, b)
#  define SHR(a, n)    _mm256_srli_epi64(a, n)
#  define CH(e, f, g)  _mm256_xor_si256(_mm256_and_si256(_mm256_xor_si256(f, g), e), g)
#  define MAJ(a, b, c) _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(_mm256_or_si256(a, b), c))
#  define FINISH(w)    wipe(w, sizeof w), _mm256_zeroupper()
#  include "sha2/sha512_lanes.inc"

CELER_TARGET_END
#endif
