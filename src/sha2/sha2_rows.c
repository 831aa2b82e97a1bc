/* sha2_rows.c: the SHA-2 functions in the list of hashes. */
#include "celer/hash.h"
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha512.h"

_Static_assert(sizeof(struct celer_sha512_state) <= CELER_HASH_CTX_SIZE, "fits into the generic context");
_Static_assert(sizeof(struct celer_sha512_state) <= CELER_HMAC_STATE_SIZE, "fits into that of HMAC");

/* Of a row, param: its initial value among those of its word size. */
static const uint32_t *const sha256_ivs[] = {celer_sha224_iv_, celer_sha256_iv_};
static const uint64_t *const sha512_ivs[] = {celer_sha384_iv_, celer_sha512_iv_, celer_sha512_224_iv_,
                                             celer_sha512_256_iv_};

#define METHODS(size)                                                                                        \
  static void sha##size##_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts) \
  {                                                                                                          \
    (void)opts; /* nothing to choose */                                                                      \
    celer_sha##size##_init_(ctx, sha##size##_ivs[hash->param]);                                              \
  }                                                                                                          \
  static void sha##size##_update(void *ctx, const void *in, size_t in_len)                                   \
  {                                                                                                          \
    celer_sha##size##_update_(ctx, in, in_len);                                                              \
  }                                                                                                          \
  static void sha##size##_final(void *ctx, uint8_t *out, size_t out_len)                                     \
  {                                                                                                          \
    celer_sha##size##_final_(ctx, out, out_len);                                                             \
  }                                                                                                          \
  static void sha##size##_many(const struct celer_hash *hash, const struct celer_hash_opts *opts,            \
                               uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n)         \
  {                                                                                                          \
    (void)opts;                                                                                              \
    celer_sha##size##_many_(sha##size##_ivs[hash->param], out, out_len, msgs, n);                            \
  }
METHODS(256)
METHODS(512)

#define SHA2_ROW(title, section, length, size, which)                                                       \
  {                                                                                                         \
    .name = title, .family = "sha2", .source = "FIPS 180-4 " section, .out_len = length, .out_min = length, \
    .out_max = length, .block_len = SHA##size##_BLOCK, .ctx_size = sizeof(struct celer_sha##size##_state),  \
    .kernel = &celer_sha##size##_kernel_, .param = which, .init = sha##size##_init,                         \
    .update = sha##size##_update, .final = sha##size##_final, .many = sha##size##_many                      \
  }

const struct celer_hash celer_sha2_rows_[] = {
    SHA2_ROW("sha224", "6.3", CELER_SHA224_LEN, 256, 0),
    SHA2_ROW("sha256", "6.2", CELER_SHA256_LEN, 256, 1),
    SHA2_ROW("sha384", "6.5", CELER_SHA384_LEN, 512, 0),
    SHA2_ROW("sha512", "6.4", CELER_SHA512_LEN, 512, 1),
    SHA2_ROW("sha512-224", "6.6", CELER_SHA512_224_LEN, 512, 2),
    SHA2_ROW("sha512-256", "6.7", CELER_SHA512_256_LEN, 512, 3),
};
const size_t celer_sha2_row_count_ = sizeof celer_sha2_rows_ / sizeof celer_sha2_rows_[0];
