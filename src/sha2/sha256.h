/* sha256.h: the contract of the SHA-256 compression function, FIPS 180-4 section 6.2.2.

   A new backend is a file sha256_<isa>.c and a row in sha256.c. */
#ifndef CELER_SHA256_H
#define CELER_SHA256_H
#include "cpu/cpu.h"

#define SHA256_BLOCK 64

/* Compresses nblocks blocks of 64 bytes at in (no alignment needed) into the chaining value h: words H0..H7
   in the standard's order, host byte order. nblocks may be 0; in is then not looked at. */
typedef void sha256_blocks(uint32_t h[8], const uint8_t *in, size_t nblocks);

/* Compresses what is left of a message of `bits` bits: len bytes at in (any number; in is not null), and the
   padding of section 5.1.1. One call from first to last, because in a short message what surrounds the rounds
   takes as long as the rounds. */
typedef void sha256_finish(uint32_t h[8], const uint8_t *in, size_t len, uint64_t bits);

struct sha256_backend {
    struct celer_backend row;
    sha256_blocks *blocks;
    sha256_finish *finish; /* NULL: the caller pads, and calls blocks */
};

extern const struct celer_kernel celer_sha256_kernel_;

/* The row for one message; never NULL. */
const struct sha256_backend *celer_sha256_(void);

/* Round constants of FIPS 180-4 section 4.2.2, aligned to 16 bytes. */
extern const uint32_t celer_sha256_k_[64];

sha256_blocks celer_sha256_blocks_scalar_;
#if CELER_X86
sha256_blocks celer_sha256_blocks_shani_;
sha256_finish celer_sha256_finish_shani_;
#endif
#endif
