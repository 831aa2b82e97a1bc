/* blake2s.c: the rows of BLAKE2s's compression function, best first. */
#include "blake2/blake2s.h"

#define AVX512VL (CELER_CPU_AVX512F | CELER_CPU_AVX512VL)

#define LANES(ways, isa, needs, digests, least)                                                              \
  {                                                                                                          \
    {#isa, needs, ways}, celer_blake2s_compress_x##ways##_##isa##_, celer_blake2s_spread_x##ways##_##isa##_, \
        digests, least                                                                                       \
  }
#define ONE(isa, needs)                                                 \
  {                                                                     \
    {#isa, needs, 1}, celer_blake2s_compress_x1_##isa##_, NULL, NULL, 1 \
  }

static const struct blake2s_backend blake2s_rows[] = {
#if CELER_X86
    LANES(16, avx512, AVX512VL, celer_blake2s_digests_x16_avx512_, 9),
    LANES(8, avx512, AVX512VL, NULL, 2),
    LANES(8, avx2, CELER_CPU_AVX2, NULL, 2),
    ONE(avx512, AVX512VL | CELER_CPU_FAST_SIMD_X1),
    ONE(avx2, CELER_CPU_AVX2 | CELER_CPU_FAST_SIMD_X1),
    ONE(sse41, CELER_CPU_SSE41 | CELER_CPU_FAST_SIMD_X1),
#endif
#if CELER_ARM
    LANES(4, neon, CELER_CPU_NEON, NULL, 2),
    ONE(neon, CELER_CPU_NEON | CELER_CPU_FAST_NEON_X1),
#endif
    ONE(scalar, 0),
};

const struct celer_kernel celer_blake2s_kernel_ = {
    .name = "blake2s",
    .rows = blake2s_rows,
    .row_size = sizeof blake2s_rows[0],
    .count = sizeof blake2s_rows / sizeof blake2s_rows[0],
};

static struct cpu_choice blake2s_choice[BLAKE2S_MAX_WAYS + 1]; /* powers of 2 are used */

const struct blake2s_backend *celer_blake2s_(unsigned ways)
{
    return cpu_choose(&blake2s_choice[ways], &celer_blake2s_kernel_, ways);
}

const struct blake2s_backend *celer_blake2s_widest_(size_t messages)
{
    for (unsigned ways = BLAKE2S_MAX_WAYS; messages > 1 && ways > 1; ways /= 2) {
        const struct blake2s_backend *k = celer_blake2s_(ways);
        if (k != NULL && messages >= k->least)
            return k;
    }
    return celer_blake2s_(1);
}

_Alignas(64) const uint32_t celer_blake2s_iv_[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};
