/* sha2.c: the SHA-2 functions (FIPS 180-4 section 6) on top of the two compression functions. */
#include "sha2/sha2.h"
#include "sha2/sha2_plan.h"
#include "sha2/sha2_tail.h"
#include "sha2/sha256.h"
#include "sha2/sha512.h"
#include "base/bytes.h"
#include "base/wipe.h"

_Static_assert(sizeof(struct celer_sha256_state) == 112, "the same everywhere");
_Static_assert(sizeof(struct celer_sha512_state) == 208, "the same everywhere");

/* The first 32 bits of the fractional parts of the square roots of the first 8 primes; for SHA-224, the
   second 32 bits of those of the 9th to the 16th. */
const uint32_t celer_sha256_iv_[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};
const uint32_t celer_sha224_iv_[8] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};

/* The first 64 bits of the fractional parts of the square roots of the first 8 primes; for SHA-384, of those of the
   9th to the 16th. */
const uint64_t celer_sha512_iv_[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
const uint64_t celer_sha384_iv_[8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};

/* What SHA-512, begun with its own value ^ a5a5a5a5a5a5a5a5, makes of the names "SHA-512/224" and "SHA-512/256". */
const uint64_t celer_sha512_224_iv_[8] = {
    0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
    0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1,
};
const uint64_t celer_sha512_256_iv_[8] = {
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2,
};

#define SIZE     256
#define WORD     uint32_t
#define BLOCK    SHA256_BLOCK
#define MAX_WAYS SHA256_MAX_WAYS
#define STORE    store32_be
#include "sha2/sha2_word.inc"

#define SIZE     512
#define WORD     uint64_t
#define BLOCK    SHA512_BLOCK
#define MAX_WAYS SHA512_MAX_WAYS
#define STORE    store64_be
#include "sha2/sha2_word.inc"

#define SHA2(id, size, len)                                                          \
  void celer_##id(uint8_t out[CELER_AT_LEAST(len)], const void *in, size_t in_len)   \
  {                                                                                  \
    celer_sha##size##_digest_(celer_##id##_iv_, out, len, in, in_len);               \
  }                                                                                  \
  void celer_##id##_many(uint8_t(*out)[len], const struct celer_msg *msgs, size_t n) \
  {                                                                                  \
    celer_sha##size##_many_(celer_##id##_iv_, (uint8_t *)out, len, msgs, n);         \
  }                                                                                  \
  void celer_##id##_init(struct celer_##id *ctx)                                     \
  {                                                                                  \
    celer_sha##size##_init_(&ctx->state, celer_##id##_iv_);                          \
  }                                                                                  \
  void celer_##id##_update(struct celer_##id *ctx, const void *in, size_t in_len)    \
  {                                                                                  \
    celer_sha##size##_update_(&ctx->state, in, in_len);                              \
  }                                                                                  \
  void celer_##id##_final(struct celer_##id *ctx, uint8_t out[CELER_AT_LEAST(len)])  \
  {                                                                                  \
    celer_sha##size##_final_(&ctx->state, out, len);                                 \
  }                                                                                  \
  void celer_##id##_wipe(struct celer_##id *ctx)                                     \
  {                                                                                  \
    wipe(ctx, sizeof *ctx);                                                          \
  }

SHA2(sha224, 256, 28)
SHA2(sha256, 256, 32)
SHA2(sha384, 512, 48)
SHA2(sha512, 512, 64)
SHA2(sha512_224, 512, 28)
SHA2(sha512_256, 512, 32)
