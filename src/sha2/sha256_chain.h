/* sha256_chain.h: the contract of the hash chain h <- SHA-256(h), 32 bytes to 32 bytes, on one or several chains.

   A message of 32 bytes is one block: the former hash as words 0 to 7, then padding, always the same. So a step is one
   compression of that block into the initial value, and half of the schedule's input is constant.

   Chains are interleaved: word i of the hash of chain w is h[i * ways + w], in host byte order, FIPS 180-4's order of
   words. Between two calls that is the only form a chain has, so any row continues what another began.

   A new backend is a file sha256_chain_<isa>.c, or a part of sha256_<isa>.c, and for each width a row in
   sha256_chain.c. */
#ifndef CELER_SHA256_CHAIN_H
#define CELER_SHA256_CHAIN_H
#include "cpu/cpu.h"

#define SHA256_CHAIN_MAX_WAYS 16

/* `iterations` steps of every chain; 0 leaves them as they are. h needs no alignment but that of its type. */
typedef void sha256_chain(uint32_t *h, uint64_t iterations);

struct sha256_chain_backend {
    struct celer_backend row;
    sha256_chain *chain;
    uint32_t cost; /* core cycles of a step of all chains: what rows are weighed with */
};

extern const struct celer_kernel celer_sha256_chain_kernel_;

/* The row for that width; NULL when this CPU has none (never for ways = 1). */
const struct sha256_chain_backend *celer_sha256_chain_(unsigned ways);

/* The row of the greatest width there is up to `most` (>= 1). */
const struct sha256_chain_backend *celer_sha256_chain_widest_(size_t most);

/* best[live], live <= most and <= SHA256_CHAIN_MAX_WAYS: the row to go on with when `live` chains of one length are
   left, so that all of them are done soonest. It may be wider, and some of it idle; or narrower, and some of them wait.
   best[0] is NULL. */
void celer_sha256_chain_plan_(const struct sha256_chain_backend *best[SHA256_CHAIN_MAX_WAYS + 1],
                              size_t most);

/* Of round 0, whose variables are the initial value: what a, [0], and e, [1], are after it, less W[0]. */
extern const uint32_t celer_sha256_chain_first_[2];

/* What is added in rounds 0 to 15 and does not depend on the former hash, aligned to 16 bytes: K, in rounds 8 to 15
   plus the padding, in rounds 0 to 3 plus d and h. */
extern const uint32_t celer_sha256_chain_k_[16];

/* Word t of the schedule, t >= 16, is s1(W[t - 2]) + W[t - 7] + s0(W[t - 15]) + W[t - 16]. Of these four, those that are
   padding, and what they add up to. With t a constant, so is the result. */
static inline int sha256_chain_is_padding(unsigned t)
{
    return t >= 8 && t < 16;
}

static inline uint32_t sha256_chain_padding(unsigned t)
{
    switch (t) {
    case 17:
        return 0x00a00000; /* s1(256) */
    case 22:
        return 256;
    case 23:
        return 0x11002000; /* s0(0x80000000) */
    case 24:
        return 0x80000000;
    case 30:
        return 0x00400022; /* s0(256) */
    case 31:
        return 256;
    default:
        return 0;
    }
}

sha256_chain celer_sha256_chain_x1_scalar_;
#if CELER_X86
sha256_chain celer_sha256_chain_x1_shani_, celer_sha256_chain_x2_shani_;
sha256_chain celer_sha256_chain_x3_shani_, celer_sha256_chain_x4_shani_;
sha256_chain celer_sha256_chain_x8_avx2_;
sha256_chain celer_sha256_chain_x8_avx512_, celer_sha256_chain_x16_avx512_;
#endif
#if CELER_ARM
sha256_chain celer_sha256_chain_x1_armsha2_, celer_sha256_chain_x2_armsha2_, celer_sha256_chain_x4_armsha2_;
#endif
#endif
