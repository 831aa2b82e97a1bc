/* blake2b.c: the rows of BLAKE2b's compression function, best first. */
#include "blake2/blake2b.h"

#define AVX512VL (CELER_CPU_AVX512F | CELER_CPU_AVX512VL)

#define LANES(ways, isa, needs, digests, least)                                                              \
  {                                                                                                          \
    {#isa, needs, ways}, celer_blake2b_compress_x##ways##_##isa##_, celer_blake2b_spread_x##ways##_##isa##_, \
        digests, least                                                                                       \
  }
#define ONE(isa, needs)                                                 \
  {                                                                     \
    {#isa, needs, 1}, celer_blake2b_compress_x1_##isa##_, NULL, NULL, 1 \
  }

static const struct blake2b_backend blake2b_rows[] = {
#if CELER_X86
    LANES(8, avx512, AVX512VL, celer_blake2b_digests_x8_avx512_, 5),
    LANES(4, avx512, AVX512VL, NULL, 2),
    LANES(4, avx2, CELER_CPU_AVX2, NULL, 2),
    ONE(avx512, AVX512VL | CELER_CPU_FAST_SIMD_X1),
    ONE(avx2, CELER_CPU_AVX2 | CELER_CPU_FAST_SIMD_X1),
    ONE(sse41, CELER_CPU_SSE41 | CELER_CPU_FAST_SIMD_X1),
#endif
#if CELER_ARM
    LANES(2, neon, CELER_CPU_NEON | CELER_CPU_FAST_NEON, NULL, 2),
    ONE(neon, CELER_CPU_NEON | CELER_CPU_FAST_NEON_X1),
#endif
    ONE(scalar, 0),
};

const struct celer_kernel celer_blake2b_kernel_ = {
    .name = "blake2b",
    .rows = blake2b_rows,
    .row_size = sizeof blake2b_rows[0],
    .count = sizeof blake2b_rows / sizeof blake2b_rows[0],
};

static struct cpu_choice blake2b_choice[BLAKE2B_MAX_WAYS + 1]; /* powers of 2 are used */

const struct blake2b_backend *celer_blake2b_(unsigned ways)
{
    return cpu_choose(&blake2b_choice[ways], &celer_blake2b_kernel_, ways);
}

const struct blake2b_backend *celer_blake2b_widest_(size_t messages)
{
    for (unsigned ways = BLAKE2B_MAX_WAYS; messages > 1 && ways > 1; ways /= 2) {
        const struct blake2b_backend *k = celer_blake2b_(ways);
        if (k != NULL && messages >= k->least)
            return k;
    }
    return celer_blake2b_(1);
}

_Alignas(64) const uint64_t celer_blake2b_iv_[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
