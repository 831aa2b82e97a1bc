/* blake2b_avx512.c: BLAKE2b with AVX-512, which rotates. */
#include "blake2/blake2b.h"
#include "blake2/blake2_sigma.h"
#include "blake2/blake2_ymm.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl")
#  include <immintrin.h>

/* ---- one message ---- */

/* v, but the word at p where the mask says. Written as such, because of the intrinsic clang makes a gather, and
   gcc a load of each word once, and then moves. */
static inline __attribute__((always_inline)) __m256i blake2b_avx512_put(__m256i v, unsigned where,
                                                                        const uint8_t *p)
{
    __mmask8 mask;
    __asm__("kmovw %1, %0" : "=Yk"(mask) : "r"(where));
    __asm__("vpbroadcastq %2, %0%{%1%}" : "+v"(v) : "Yk"(mask), "m"(*(const uint8_t(*)[8])p));
    return v;
}

static inline __attribute__((always_inline)) __m256i blake2b_avx512_words(const uint8_t *in, unsigned i,
                                                                          unsigned j, unsigned k, unsigned l)
{
    __m256i v;
    __asm__("vpbroadcastq %1, %0" : "=v"(v) : "m"(*(const uint8_t(*)[8])(in + 8 * i)));
    v = blake2b_avx512_put(v, 2, in + 8 * j);
    v = blake2b_avx512_put(v, 4, in + 8 * k);
    return blake2b_avx512_put(v, 8, in + 8 * l);
}

/* Only t[0] may be less than BLOCK, the rest being compared with nothing. */
static inline __attribute__((always_inline)) __m256i blake2b_avx512_advance(__m256i t)
{
    const __m256i block = _mm256_set_epi64x(0, 0, 0, BLAKE2B_BLOCK);
    t = _mm256_add_epi64(t, block);
    const __mmask8 wrapped = _mm256_cmplt_epu64_mask(t, block);
    return _mm256_sub_epi64(t, _mm256_maskz_set1_epi64((__mmask8)(wrapped << 1), -1));
}

#  define LETTER                 b
#  define SUFFIX                 x1_avx512
#  define WORD                   uint64_t
#  define BLOCK                  BLAKE2B_BLOCK
#  define ROUNDS                 12
#  define V                      __m256i
#  define LOAD(p)                _mm256_loadu_si256((const __m256i *)(const void *)(p))
#  define STORE(p, v)            _mm256_storeu_si256((__m256i *)(void *)(p), v)
#  define ADD(a, b)              _mm256_add_epi64(a, b)
#  define XOR(a, b)              _mm256_xor_si256(a, b)
#  define IN_REGISTER(v)         __asm__ __volatile__("" : "+v"(v))
#  define ROR_1(v)               _mm256_ror_epi64(v, 32)
#  define ROR_2(v)               _mm256_ror_epi64(v, 24)
#  define ROR_3(v)               _mm256_ror_epi64(v, 16)
#  define ROR_4(v)               _mm256_ror_epi64(v, 63)
#  define TURN_1(v)              _mm256_permute4x64_epi64(v, 0x39)
#  define TURN_2(v)              _mm256_permute4x64_epi64(v, 0x4e)
#  define TURN_3(v)              _mm256_permute4x64_epi64(v, 0x93)
#  define GATHER(in, i, j, k, l) blake2b_avx512_words(in, i, j, k, l)
#  define ADVANCE(t)             blake2b_avx512_advance(t)
#  define FINISH()               _mm256_zeroupper()
#  include "blake2/blake2_x1.inc"

/* ---- four messages ---- */

#  define LETTER         b
#  define SUFFIX         x4_avx512
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
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+v"(v))
#  define IN_MEMORY(m)   ((void)0)
#  define ROR_1(v)       _mm256_ror_epi64(v, 32)
#  define ROR_2(v)       _mm256_ror_epi64(v, 24)
#  define ROR_3(v)       _mm256_ror_epi64(v, 16)
#  define ROR_4(v)       _mm256_ror_epi64(v, 63)
#  define CARRY(t1, t0)  _mm256_mask_add_epi64(t1, _mm256_cmplt_epu64_mask(t0, SET(BLOCK)), t1, SET(1))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

/* ---- eight messages ---- */

static inline __m512i blake2b_avx512_load_4(const uint8_t *p, const uint8_t *q)
{
    const __m256i lo = _mm256_loadu_si256((const __m256i *)(const void *)p);
    return _mm512_inserti64x4(_mm512_castsi256_si512(lo),
                              _mm256_loadu_si256((const __m256i *)(const void *)q), 1);
}

static inline void blake2b_avx512_gather_x8(__m512i m[4], const uint8_t *const *in, size_t at)
{
    const __m512i even = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0),
                  odd = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    const __m512i s04 = blake2b_avx512_load_4(in[0] + at, in[4] + at),
                  s15 = blake2b_avx512_load_4(in[1] + at, in[5] + at),
                  s26 = blake2b_avx512_load_4(in[2] + at, in[6] + at),
                  s37 = blake2b_avx512_load_4(in[3] + at, in[7] + at);
    const __m512i lo01 = _mm512_unpacklo_epi64(s04, s15), hi01 = _mm512_unpackhi_epi64(s04, s15);
    const __m512i lo23 = _mm512_unpacklo_epi64(s26, s37), hi23 = _mm512_unpackhi_epi64(s26, s37);
    m[0] = _mm512_permutex2var_epi64(lo01, even, lo23);
    m[1] = _mm512_permutex2var_epi64(hi01, even, hi23);
    m[2] = _mm512_permutex2var_epi64(lo01, odd, lo23);
    m[3] = _mm512_permutex2var_epi64(hi01, odd, hi23);
}

/* Words 0 and 1 of every second state in one vector, 2 and 3 in the next, and so on: four digests, which have as many
   between them. */
static inline void blake2b_avx512_put_4(uint8_t *out, __m512i a01, __m512i a23, __m512i a45, __m512i a67)
{
    const __m512i lo03 = _mm512_shuffle_i64x2(a01, a23, 0x44), lo47 = _mm512_shuffle_i64x2(a45, a67, 0x44);
    const __m512i hi03 = _mm512_shuffle_i64x2(a01, a23, 0xee), hi47 = _mm512_shuffle_i64x2(a45, a67, 0xee);
    _mm512_storeu_si512(out, _mm512_shuffle_i64x2(lo03, lo47, 0x88));
    _mm512_storeu_si512(out + 128, _mm512_shuffle_i64x2(lo03, lo47, 0xdd));
    _mm512_storeu_si512(out + 256, _mm512_shuffle_i64x2(hi03, hi47, 0x88));
    _mm512_storeu_si512(out + 384, _mm512_shuffle_i64x2(hi03, hi47, 0xdd));
}

void celer_blake2b_digests_x8_avx512_(uint8_t *out, const uint64_t *s)
{
    __m512i lo[4], hi[4];
#  pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        const __m512i a = _mm512_loadu_si512(s + 16 * i), b = _mm512_loadu_si512(s + 16 * i + 8);
        lo[i] = _mm512_unpacklo_epi64(a, b);
        hi[i] = _mm512_unpackhi_epi64(a, b);
    }
    blake2b_avx512_put_4(out, lo[0], lo[1], lo[2], lo[3]);
    blake2b_avx512_put_4(out + 64, hi[0], hi[1], hi[2], hi[3]);
    _mm256_zeroupper();
}

#  define LETTER         b
#  define SUFFIX         x8_avx512
#  define WORD           uint64_t
#  define BLOCK          BLAKE2B_BLOCK
#  define ROUNDS         12
#  define WAYS           8
#  define V              __m512i
#  define LOAD(p)        _mm512_loadu_si512(p)
#  define STORE(p, v)    _mm512_storeu_si512(p, v)
#  define GATHERED       4
#  define GATHER         blake2b_avx512_gather_x8
#  define SET(x)         _mm512_set1_epi64((long long)(x))
#  define ADD(a, b)      _mm512_add_epi64(a, b)
#  define XOR(a, b)      _mm512_xor_si512(a, b)
#  define IN_REGISTER(v) __asm__ __volatile__("" : "+v"(v))
#  define IN_MEMORY(m)   ((void)0)
#  define ROR_1(v)       _mm512_ror_epi64(v, 32)
#  define ROR_2(v)       _mm512_ror_epi64(v, 24)
#  define ROR_3(v)       _mm512_ror_epi64(v, 16)
#  define ROR_4(v)       _mm512_ror_epi64(v, 63)
#  define CARRY(t1, t0)  _mm512_mask_add_epi64(t1, _mm512_cmplt_epu64_mask(t0, SET(BLOCK)), t1, SET(1))
#  define FINISH()       _mm256_zeroupper()
#  include "blake2/blake2_lanes.inc"

CELER_TARGET_END
#endif
