/* sha2.h: SHA-224 and SHA-256 as one function that differs in the initial value and the length of the output:
   what the typed functions, the rows of the list of hashes and the tests stand on. */
#ifndef CELER_SRC_SHA2_H
#define CELER_SRC_SHA2_H
#include "celer/sha2.h"

/* Initial values of FIPS 180-4 sections 5.3.2 and 5.3.3. */
extern const uint32_t celer_sha224_iv_[8], celer_sha256_iv_[8];

/* out_len, here and below: CELER_SHA224_LEN or CELER_SHA256_LEN. */
void celer_sha256_digest_(const uint32_t iv[8], uint8_t *out, size_t out_len, const void *in, size_t in_len);

void celer_sha256_init_(struct celer_sha256_state *s, const uint32_t iv[8]);
void celer_sha256_update_(struct celer_sha256_state *s, const void *in, size_t in_len);
void celer_sha256_final_(struct celer_sha256_state *s, uint8_t *out, size_t out_len);

/* As final, but the message goes on for nbits (0..7) more bits, the upper ones of `last`. For test vectors:
   the functions of the library take whole bytes. */
void celer_sha256_final_bits_(struct celer_sha256_state *s, uint8_t *out, size_t out_len, uint8_t last,
                              unsigned nbits);
#endif
