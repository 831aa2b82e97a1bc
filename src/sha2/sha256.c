/* sha256.c: the rows of the SHA-256 compression function, best first. */
#include "sha2/sha256.h"

#define SHANI   (CELER_CPU_SHANI | CELER_CPU_SSE41)
#define AVX512  (CELER_CPU_AVX512F | CELER_CPU_AVX512VL | CELER_CPU_AVX512BW)
#define ARMSHA2 (CELER_CPU_NEON | CELER_CPU_ARMSHA2)

/* Costs as measured on Zen 5 and on Golden Cove, which differ: in the middle. armsha2: as for the chain. */
static const struct sha256_backend sha256_rows[] = {
#if CELER_X86
    {{"avx512", AVX512, 16}, NULL, NULL, celer_sha256_lanes_x16_avx512_, celer_sha256_tail_avx512_, 0, 800},
    {{"avx512", AVX512, 8}, NULL, NULL, celer_sha256_lanes_x8_avx512_, celer_sha256_tail_avx512_, 0, 600},
    {{"avx2", CELER_CPU_AVX2, 8}, NULL, NULL, celer_sha256_lanes_x8_avx2_, NULL, 0, 1100},
    {{"shani", SHANI, 2}, NULL, NULL, celer_sha256_lanes_x2_shani_, celer_sha256_tail_shani_, 128, 190},
    {{"shani", SHANI, 1}, celer_sha256_blocks_shani_, celer_sha256_finish_shani_, NULL, NULL, 0, 131},
#endif
#if CELER_ARM
    {{"armsha2", ARMSHA2, 2}, NULL, NULL, celer_sha256_lanes_x2_armsha2_, NULL, 0, 160},
    {{"armsha2", ARMSHA2, 1}, celer_sha256_blocks_armsha2_, NULL, NULL, NULL, 0, 130},
#endif
    {{"scalar", 0, 1}, celer_sha256_blocks_scalar_, NULL, NULL, NULL, 0, 520},
};

const struct celer_kernel celer_sha256_kernel_ = {
    .name = "sha256",
    .rows = sha256_rows,
    .row_size = sizeof sha256_rows[0],
    .count = sizeof sha256_rows / sizeof sha256_rows[0],
};

static struct cpu_choice sha256_x1;

const struct sha256_backend *celer_sha256_(void)
{
    return cpu_choose(&sha256_x1, &celer_sha256_kernel_, 1);
}

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
_Alignas(16) const uint32_t celer_sha256_k_[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
