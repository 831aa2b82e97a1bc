/* sp800_185.h: the functions of SP 800-185 by their rate, for the typed functions, the rows of the list of hashes and
   the tests. rate: CSHAKE128_RATE or CSHAKE256_RATE. */
#ifndef CELER_SP800_185_H
#define CELER_SP800_185_H
#include "celer/sha3.h"
#include "sha3/encode.h"

#define CSHAKE128_RATE 168
#define CSHAKE256_RATE 136

/* ---- cSHAKE, and what the others build from it ---- */

/* Ends at the beginning of a block. */
void celer_cshake_init_(struct celer_sponge *sponge, unsigned rate, const void *name, size_t name_len,
                        const void *custom, size_t custom_len);

/* encode_string of section 2.3.2. */
void celer_absorb_string_(struct celer_sponge *sponge, const void *in, size_t in_len);
void celer_absorb_left_(struct celer_sponge *sponge, uint64_t n, enum encoded unit);
void celer_absorb_right_(struct celer_sponge *sponge, uint64_t n, enum encoded unit);

/* The two ends: right_encode of the length in bits, out, and erases the sponge; or right_encode of 0, once, for output
   as long as one likes. */
void celer_fixed_final_(struct celer_sponge *sponge, uint8_t *out, size_t out_len);
void celer_xof_squeeze_(struct celer_sponge *sponge, uint8_t *out, size_t out_len);

/* ---- KMAC; ends as above ---- */

/* Ends at the beginning of a block. */
void celer_kmac_init_(struct celer_sponge *sponge, unsigned rate, const void *key, size_t key_len,
                      const void *custom, size_t custom_len);

/* ---- ParallelHash ---- */

void celer_parallelhash_init_(struct celer_parallelhash_state *p, unsigned rate, size_t block_len,
                              const void *custom, size_t custom_len);
void celer_parallelhash_update_(struct celer_parallelhash_state *p, const void *in, size_t in_len);
void celer_parallelhash_final_(struct celer_parallelhash_state *p, uint8_t *out, size_t out_len);
void celer_parallelhash_squeeze_(struct celer_parallelhash_state *p, uint8_t *out, size_t out_len);
#endif
