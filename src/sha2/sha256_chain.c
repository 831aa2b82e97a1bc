/* sha256_chain.c: the rows of the hash chain, best first, and with which of them several chains are soonest done. */
#include "sha2/sha256_chain.h"
#include "sha2/sha2_plan.h"

#define SHANI  (CELER_CPU_SHANI | CELER_CPU_SSE41)
#define AVX512 (CELER_CPU_AVX512F | CELER_CPU_AVX512VL | CELER_CPU_AVX512BW)

/* Costs as measured on Zen 5 and on Golden Cove, which differ: in the middle where both have the row. */
static const struct sha256_chain_backend chain_rows[] = {
#if CELER_X86
    {{"avx512", AVX512, 16}, celer_sha256_chain_x16_avx512_, 700},    /* 565, 800 */
    {{"avx512", AVX512, 8}, celer_sha256_chain_x8_avx512_, 580},      /* 565, 600 */
    {{"avx2", CELER_CPU_AVX2, 8}, celer_sha256_chain_x8_avx2_, 1100}, /* 1030, 1150 */
    {{"shani", SHANI, 4}, celer_sha256_chain_x4_shani_, 335},         /* 277, 390 */
    {{"shani", SHANI, 3}, celer_sha256_chain_x3_shani_, 260},         /* 223, 295 */
    {{"shani", SHANI, 2}, celer_sha256_chain_x2_shani_, 187},         /* 169, 205 */
    {{"shani", SHANI, 1}, celer_sha256_chain_x1_shani_, 134},
#endif
#if CELER_ARM
    /* x1 and x4 as others published them for a Cortex-A76, x2 in between */
    {{"armsha2", CELER_CPU_ARMSHA2, 4}, celer_sha256_chain_x4_armsha2_, 230},
    {{"armsha2", CELER_CPU_ARMSHA2, 2}, celer_sha256_chain_x2_armsha2_, 160},
    {{"armsha2", CELER_CPU_ARMSHA2, 1}, celer_sha256_chain_x1_armsha2_, 130},
#endif
    {{"scalar", 0, 1}, celer_sha256_chain_x1_scalar_, 480},
};

const struct celer_kernel celer_sha256_chain_kernel_ = {
    .name = "sha256-chain",
    .rows = chain_rows,
    .row_size = sizeof chain_rows[0],
    .count = sizeof chain_rows / sizeof chain_rows[0],
};

static struct cpu_choice chain_choice[SHA256_CHAIN_MAX_WAYS + 1]; /* 1, 2, 3, 4, 8 and 16 are used */

const struct sha256_chain_backend *celer_sha256_chain_(unsigned ways)
{
    return cpu_choose(&chain_choice[ways], &celer_sha256_chain_kernel_, ways);
}

const struct sha256_chain_backend *celer_sha256_chain_widest_(size_t most)
{
    const struct sha256_chain_backend *k;
    unsigned ways = most < SHA256_CHAIN_MAX_WAYS ? (unsigned)most : SHA256_CHAIN_MAX_WAYS;
    while ((k = celer_sha256_chain_(ways)) == NULL) /* width 1 always is */
        ways--;
    return k;
}

void celer_sha256_chain_plan_(const struct sha256_chain_backend *best[SHA256_CHAIN_MAX_WAYS + 1], size_t most)
{
    static const unsigned char widths[] = {1, 2, 3, 4, 8, 16};
    const struct sha256_chain_backend
        *row[SHA256_CHAIN_MAX_WAYS + 1]; /* asked for once: the mask may change */
    uint32_t cost[SHA256_CHAIN_MAX_WAYS + 1] = {0};
    unsigned char ways[SHA256_CHAIN_MAX_WAYS + 1];
    for (size_t i = 0; i < sizeof widths; i++) {
        row[widths[i]] = celer_sha256_chain_(widths[i]);
        if (row[widths[i]] != NULL)
            cost[widths[i]] = row[widths[i]]->cost;
    }
    if (most > SHA256_CHAIN_MAX_WAYS)
        most = SHA256_CHAIN_MAX_WAYS;
    sha2_plan(ways, most, cost, SHA256_CHAIN_MAX_WAYS);
    best[0] = NULL;
    for (size_t live = 1; live <= most; live++)
        best[live] = row[ways[live]];
}

const uint32_t celer_sha256_chain_first_[2] = {0xfc08884d, 0x98c7e2a2};

_Alignas(16) const uint32_t celer_sha256_chain_k_[16] = {
    0x43baf1eb, 0xcd2a11ae, 0x0c2e12e0, 0xa4ce148b, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0x5807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf274,
};
