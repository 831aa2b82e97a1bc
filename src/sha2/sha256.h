/* sha256.h: the contract of the SHA-256 compression function, FIPS 180-4 section 6.2.2.

   A new backend is a file sha256_<isa>.c and a row in sha256.c. */
#ifndef CELER_SHA256_H
#define CELER_SHA256_H
#include "cpu/cpu.h"

#define SHA256_BLOCK    64
#define SHA256_MAX_WAYS 16

/* Compresses nblocks blocks of 64 bytes at in (no alignment needed) into the chaining value h: words H0..H7
   in the standard's order, host byte order. nblocks may be 0; in is then not looked at. */
typedef void sha256_blocks(uint32_t h[8], const uint8_t *in, size_t nblocks);

/* Compresses what is left of a message of `total` bytes: len bytes at in (any number; in is not null), and the
   padding of section 5.1.1. One call from first to last, because in a short message what surrounds the rounds
   takes as long as the rounds. */
typedef void sha256_finish(uint32_t h[8], const uint8_t *in, size_t len, uint64_t total);

/* Compresses nblocks > 0 blocks of each of `ways` messages: those of message w from in[w] on. Word i of its chaining
   value is h[i * ways + w]. */
typedef void sha256_lanes(uint32_t *h, const uint8_t *const *in, size_t nblocks);

/* Writes the padded blocks of a message of `total` bytes, of which the last n < 64 are at rest, to tail, which has room
   for two and is aligned to 64 bytes; returns their number. */
typedef size_t sha256_tail(uint8_t *tail, const uint8_t *rest, size_t n, uint64_t total);

struct sha256_backend {
    struct celer_backend row;
    sha256_blocks *blocks; /* ways 1 */
    sha256_finish *finish; /* ways 1. NULL: the caller pads, and calls blocks */
    sha256_lanes *lanes;   /* ways > 1 */
    sha256_tail *tail;     /* ways > 1. NULL: as in sha2_tail.h */
    uint32_t shortest;     /* ways > 1: messages of fewer bytes are as fast one after the other */
    uint32_t cost;         /* core cycles of a block of all ways: what rows are weighed with */
};

extern const struct celer_kernel celer_sha256_kernel_;

/* The row for one message; never NULL. */
const struct sha256_backend *celer_sha256_(void);

/* The row to go on with when so many messages are left, so that all of them, were they of one length, are done soonest;
   never NULL. It may be wider, or narrower. */
const struct sha256_backend *celer_sha256_best_(size_t messages);

/* Round constants of FIPS 180-4 section 4.2.2, aligned to 16 bytes. */
extern const uint32_t celer_sha256_k_[64];

sha256_blocks celer_sha256_blocks_scalar_;
#if CELER_X86
sha256_blocks celer_sha256_blocks_shani_;
sha256_finish celer_sha256_finish_shani_;
sha256_lanes celer_sha256_lanes_x2_shani_, celer_sha256_lanes_x8_avx2_;
sha256_lanes celer_sha256_lanes_x8_avx512_, celer_sha256_lanes_x16_avx512_;
sha256_tail celer_sha256_tail_shani_, celer_sha256_tail_avx512_;
#endif
#if CELER_ARM
sha256_blocks celer_sha256_blocks_armsha2_;
sha256_lanes celer_sha256_lanes_x2_armsha2_;
#endif
#endif
