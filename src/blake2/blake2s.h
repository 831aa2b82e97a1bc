/* blake2s.h: the contract of BLAKE2s's compression function F, RFC 7693 section 3.2, on one or several messages.

   A state is 12 words in host byte order: the chaining value h[0..7], then what F combines with the upper half of the
   initial value: the counter t, low word first, and the flags f[0], of the last block, and f[1], of the last node, which
   are 0 or all ones. States are interleaved: word i of state w is s[i * ways + w]. Between two calls that is the only
   form a state has, so any row continues what another began.

   The counter stands where F takes it for the next block if that is a whole one: at 64 before the first.

   A new backend is a file blake2s_<isa>.c, and for each width a row in blake2s.c. */
#ifndef CELER_BLAKE2S_H
#define CELER_BLAKE2S_H
#include "cpu/cpu.h"

#define BLAKE2S_BLOCK    64
#define BLAKE2S_MAX_WAYS 16

/* nblocks (0 or more) times: for each w, compresses the 64 bytes at in[w] into state w, then adds 64 to its counter,
   with the carry from t[0] to t[1]. The next block of each begins stride bytes after the one before. Neither s nor in[w]
   needs alignment but that of its type; in[w] may be the same for several w. in is left as it is. */
typedef void blake2s_compress(uint32_t *s, const uint8_t *const *in, size_t stride, size_t nblocks);

/* s[i * ways + w] = words[i], for i < n and each w. In vectors as wide as those that compress loads, which so need not
   wait for narrow ones to come together. */
typedef void blake2s_spread(uint32_t *s, const uint32_t *words, size_t n);

/* The 32 bytes at out + 32 * w = h of state w, for each w, in little-endian order. */
typedef void blake2s_digests(uint8_t *out, const uint32_t *s);

struct blake2s_backend {
    struct celer_backend row;
    blake2s_compress *compress;
    blake2s_spread *spread;   /* NULL where ways is 1 */
    blake2s_digests *digests; /* NULL where that is no faster than word by word */
    uint32_t least;           /* fewer messages than that are faster in narrower rows; 1 where ways is 1 */
};

extern const struct celer_kernel celer_blake2s_kernel_;

/* The row for that width; NULL when this CPU has none (never for ways = 1). */
const struct blake2s_backend *celer_blake2s_(unsigned ways);

/* The row that takes the fewest steps over that many messages of one length; never NULL. */
const struct blake2s_backend *celer_blake2s_widest_(size_t messages);

/* Initial value of RFC 7693 section 2.6, that of SHA-256; aligned to 64 bytes. */
extern const uint32_t celer_blake2s_iv_[8];

blake2s_compress celer_blake2s_compress_x1_scalar_;
#if CELER_X86
blake2s_compress celer_blake2s_compress_x1_sse41_, celer_blake2s_compress_x1_avx2_;
blake2s_compress celer_blake2s_compress_x1_avx512_, celer_blake2s_compress_x8_avx2_;
blake2s_compress celer_blake2s_compress_x8_avx512_, celer_blake2s_compress_x16_avx512_;
blake2s_spread celer_blake2s_spread_x8_avx2_, celer_blake2s_spread_x8_avx512_,
    celer_blake2s_spread_x16_avx512_;
blake2s_digests celer_blake2s_digests_x16_avx512_;
#endif
#if CELER_ARM
blake2s_compress celer_blake2s_compress_x1_neon_, celer_blake2s_compress_x4_neon_;
blake2s_spread celer_blake2s_spread_x4_neon_;
#endif
#endif
