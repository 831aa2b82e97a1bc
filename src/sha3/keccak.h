/* keccak.h: the contract of Keccak-p[1600, rounds] on 1, 2, 4 or 8 states at once.

   States are interleaved: 64-bit lane i of state w is s[i * ways + w], in host byte order, in the standard's lane
   order (lane x + 5y). Between two calls that is the only form a state ever has; complemented lanes and the like live
   inside a call. So any row may continue what any other row began.

   A new backend is a file keccak_<isa>.c, and for each width a line of rows in keccak.c with its two functions
   declared below. */
#ifndef CELER_KECCAK_H
#define CELER_KECCAK_H
#include "cpu/cpu.h"

#define KECCAK_MAX_WAYS 8
#define KECCAK_MAX_RATE 192

/* The last `rounds` rounds (even, 2 .. 24) of Keccak-f[1600] on every state. */
typedef void keccak_permute(uint64_t *s, unsigned rounds);

/* nblocks times: for each w, state w ^= the next `rate` bytes of in[w]; permute.
   rate: a multiple of 8, 8 .. KECCAK_MAX_RATE. in[w] needs no alignment, and may be the same for several w. */
typedef void keccak_absorb(uint64_t *s, unsigned rounds, size_t rate, const uint8_t *const *in,
                           size_t nblocks);

struct keccak_backend {
    struct celer_backend row;
    keccak_permute *permute;
    keccak_absorb *absorb;
};

extern const struct celer_kernel celer_keccak_kernel_;

/* The row for that width; NULL when this CPU has none (never for ways = 1). */
const struct keccak_backend *celer_keccak_(unsigned ways);

/* The row that permutes `live` (>= 1) states soonest, be it with lanes left empty. */
const struct keccak_backend *celer_keccak_widest_(size_t live);

/* Round constants of FIPS 202 section 3.2.5. */
extern const uint64_t celer_keccak_rc_[24];

keccak_permute celer_keccak_permute_x1_scalar_;
keccak_absorb celer_keccak_absorb_x1_scalar_;
#if CELER_X86
keccak_permute celer_keccak_permute_x1_bmi2_;
keccak_absorb celer_keccak_absorb_x1_bmi2_;
keccak_permute celer_keccak_permute_x2_avx2_, celer_keccak_permute_x4_avx2_;
keccak_absorb celer_keccak_absorb_x2_avx2_, celer_keccak_absorb_x4_avx2_;
keccak_permute celer_keccak_permute_x1_hybrid_;
keccak_absorb celer_keccak_absorb_x1_hybrid_;
keccak_permute celer_keccak_permute_x1_avx512_, celer_keccak_permute_x2_avx512_;
keccak_permute celer_keccak_permute_x4_avx512_, celer_keccak_permute_x8_avx512_;
keccak_absorb celer_keccak_absorb_x1_avx512_, celer_keccak_absorb_x2_avx512_;
keccak_absorb celer_keccak_absorb_x4_avx512_, celer_keccak_absorb_x8_avx512_;
#endif
#if CELER_ARM
keccak_permute celer_keccak_permute_x1_armsha3_, celer_keccak_permute_x2_armsha3_;
keccak_absorb celer_keccak_absorb_x1_armsha3_, celer_keccak_absorb_x2_armsha3_;
keccak_permute celer_keccak_permute_x1_neon_, celer_keccak_permute_x2_neon_, celer_keccak_permute_x4_neon_;
keccak_absorb celer_keccak_absorb_x1_neon_, celer_keccak_absorb_x2_neon_, celer_keccak_absorb_x4_neon_;
#endif
#endif
