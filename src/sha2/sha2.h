/* sha2.h: SHA-2 as two functions that differ in the initial value and the length of the output: what the typed
   functions, the rows of the list of hashes and the tests stand on. */
#ifndef CELER_SRC_SHA2_H
#define CELER_SRC_SHA2_H
#include "celer/sha2.h"

/* Initial values of FIPS 180-4 section 5.3. */
extern const uint32_t celer_sha224_iv_[8], celer_sha256_iv_[8];
extern const uint64_t celer_sha384_iv_[8], celer_sha512_iv_[8], celer_sha512_224_iv_[8],
    celer_sha512_256_iv_[8];

/* out_len, here and below: CELER_SHA224_LEN or CELER_SHA256_LEN. */
void celer_sha256_digest_(const uint32_t iv[8], uint8_t *out, size_t out_len, const void *in, size_t in_len);

/* out + i * out_len = the digest of msgs[i], for i < n. */
void celer_sha256_many_(const uint32_t iv[8], uint8_t *out, size_t out_len, const struct celer_msg *msgs,
                        size_t n);

void celer_sha256_init_(struct celer_sha256_state *s, const uint32_t iv[8]);
void celer_sha256_update_(struct celer_sha256_state *s, const void *in, size_t in_len);
void celer_sha256_final_(struct celer_sha256_state *s, uint8_t *out, size_t out_len);

/* As final, but the message goes on for nbits (0..7) more bits, the upper ones of `last`. For test vectors:
   the functions of the library take whole bytes. */
void celer_sha256_final_bits_(struct celer_sha256_state *s, uint8_t *out, size_t out_len, uint8_t last,
                              unsigned nbits);

/* The same with words of 64 bits; out_len: any of at most 64. */
void celer_sha512_digest_(const uint64_t iv[8], uint8_t *out, size_t out_len, const void *in, size_t in_len);
void celer_sha512_many_(const uint64_t iv[8], uint8_t *out, size_t out_len, const struct celer_msg *msgs,
                        size_t n);
void celer_sha512_init_(struct celer_sha512_state *s, const uint64_t iv[8]);
void celer_sha512_update_(struct celer_sha512_state *s, const void *in, size_t in_len);
void celer_sha512_final_(struct celer_sha512_state *s, uint8_t *out, size_t out_len);
void celer_sha512_final_bits_(struct celer_sha512_state *s, uint8_t *out, size_t out_len, uint8_t last,
                              unsigned nbits);
#endif
