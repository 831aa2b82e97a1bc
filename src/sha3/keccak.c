/* keccak.c: the table of Keccak-p[1600] rows, best first. */
#include "sha3/keccak.h"

const uint64_t celer_keccak_rc_[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

#define AVX512VL  (CELER_CPU_AVX512F | CELER_CPU_AVX512VL)
#define FAST_SHA3 (CELER_CPU_NEON | CELER_CPU_ARMSHA3 | CELER_CPU_FAST_SHA3)
#define FAST_NEON (CELER_CPU_NEON | CELER_CPU_FAST_NEON)

static const struct keccak_backend keccak_rows[] = {
#if CELER_X86
    {{"avx512", AVX512VL, 8}, celer_keccak_permute_x8_avx512_, celer_keccak_absorb_x8_avx512_},
    {{"avx512", AVX512VL, 4}, celer_keccak_permute_x4_avx512_, celer_keccak_absorb_x4_avx512_},
    {{"avx512", AVX512VL, 2}, celer_keccak_permute_x2_avx512_, celer_keccak_absorb_x2_avx512_},
    {{"avx2", CELER_CPU_AVX2, 4}, celer_keccak_permute_x4_avx2_, celer_keccak_absorb_x4_avx2_},
    {{"avx2", CELER_CPU_AVX2, 2}, celer_keccak_permute_x2_avx2_, celer_keccak_absorb_x2_avx2_},
    {{"hybrid", AVX512VL | CELER_CPU_BMI2 | CELER_CPU_FAST_HYBRID, 1},
     celer_keccak_permute_x1_hybrid_,
     celer_keccak_absorb_x1_hybrid_},
    {{"avx512", AVX512VL, 1}, celer_keccak_permute_x1_avx512_, celer_keccak_absorb_x1_avx512_},
    {{"bmi2", CELER_CPU_BMI2, 1}, celer_keccak_permute_x1_bmi2_, celer_keccak_absorb_x1_bmi2_},
#endif
#if CELER_ARM
    {{"neon", FAST_NEON, 4}, celer_keccak_permute_x4_neon_, celer_keccak_absorb_x4_neon_},
    {{"armsha3", FAST_SHA3, 2}, celer_keccak_permute_x2_armsha3_, celer_keccak_absorb_x2_armsha3_},
    {{"neon", FAST_NEON, 2}, celer_keccak_permute_x2_neon_, celer_keccak_absorb_x2_neon_},
    {{"armsha3", FAST_SHA3, 1}, celer_keccak_permute_x1_armsha3_, celer_keccak_absorb_x1_armsha3_},
    {{"neon", CELER_CPU_NEON | CELER_CPU_FAST_NEON_X1, 1},
     celer_keccak_permute_x1_neon_,
     celer_keccak_absorb_x1_neon_},
#endif
    {{"scalar", 0, 1}, celer_keccak_permute_x1_scalar_, celer_keccak_absorb_x1_scalar_},
};

const struct celer_kernel celer_keccak_kernel_ = {
    "keccak",
    keccak_rows,
    sizeof keccak_rows[0],
    sizeof keccak_rows / sizeof keccak_rows[0],
};

static struct cpu_choice keccak_choice[KECCAK_MAX_WAYS + 1]; /* 1, 2, 4 and 8 are used */

const struct keccak_backend *celer_keccak_(unsigned ways)
{
    return cpu_choose(&keccak_choice[ways], &celer_keccak_kernel_, ways);
}

/* A row of twice the width costs mostly the same; 1.6 times as much with 8 states on 512-bit vectors; on AArch64 up to
   twice as much for two states, but for four the same again. */
const struct keccak_backend *celer_keccak_widest_(size_t live)
{
    static const unsigned char widths[] = {8, 4, 2};
    for (size_t i = 0; i < sizeof widths; i++)
        if (live > widths[i] / 2) {
            const struct keccak_backend *k = celer_keccak_(widths[i]);
            if (k != NULL)
                return k;
        }
    return celer_keccak_(1);
}
