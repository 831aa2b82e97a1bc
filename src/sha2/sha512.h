/* sha512.h: the contract of the SHA-512 compression function, FIPS 180-4 section 6.4.2, which SHA-384, SHA-512/224 and
   SHA-512/256 share.

   A new backend is a file sha512_<isa>.c and a row in sha512.c. */
#ifndef CELER_SHA512_H
#define CELER_SHA512_H
#include "cpu/cpu.h"

#define SHA512_BLOCK    128
#define SHA512_MAX_WAYS 8

/* Compresses nblocks blocks of 128 bytes at in (no alignment needed) into the chaining value h: words H0..H7 in the
   standard's order, host byte order. nblocks may be 0; in is then not looked at. */
typedef void sha512_blocks(uint64_t h[8], const uint8_t *in, size_t nblocks);

/* Compresses what is left of a message of `total` bytes: len bytes at in (any number; in is not null), and the padding
   of section 5.1.2, in one call. */
typedef void sha512_finish(uint64_t h[8], const uint8_t *in, size_t len, uint64_t total);

/* Compresses nblocks > 0 blocks of each of `ways` messages: those of message w from in[w] on. Word i of its chaining
   value is h[i * ways + w]. */
typedef void sha512_lanes(uint64_t *h, const uint8_t *const *in, size_t nblocks);

/* Writes the padded blocks of a message of `total` bytes, of which the last n < 128 are at rest, to tail, which has room
   for two and is aligned to 64 bytes; returns their number. */
typedef size_t sha512_tail(uint8_t *tail, const uint8_t *rest, size_t n, uint64_t total);

struct sha512_backend {
    struct celer_backend row;
    sha512_blocks *blocks; /* ways 1 */
    sha512_finish *finish; /* ways 1. NULL: the caller pads, and calls blocks */
    sha512_lanes *lanes;   /* ways > 1 */
    sha512_tail *tail;     /* ways > 1. NULL: as in sha2_tail.h */
    uint32_t shortest;     /* ways > 1: messages of fewer bytes are as fast one after the other */
    uint32_t cost;         /* core cycles of a block of all ways: what rows are weighed with */
};

extern const struct celer_kernel celer_sha512_kernel_;

/* The row for one message; never NULL. */
const struct sha512_backend *celer_sha512_(void);

/* The row to go on with when so many messages are left, so that all of them, were they of one length, are done soonest;
   never NULL. It may be wider, or narrower. */
const struct sha512_backend *celer_sha512_best_(size_t messages);

/* Round constants of FIPS 180-4 section 4.2.3, aligned to 16 bytes. */
extern const uint64_t celer_sha512_k_[80];

sha512_blocks celer_sha512_blocks_scalar_;
#if CELER_X86
sha512_blocks celer_sha512_blocks_avx2_, celer_sha512_blocks_avx512_;
sha512_finish celer_sha512_finish_avx2_, celer_sha512_finish_avx512_;
sha512_lanes celer_sha512_lanes_x4_avx2_, celer_sha512_lanes_x4_avx512_, celer_sha512_lanes_x8_avx512_;
#endif
#if CELER_ARM
sha512_blocks celer_sha512_blocks_armsha512_;
#endif
#endif
