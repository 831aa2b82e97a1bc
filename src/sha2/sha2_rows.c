/* sha2_rows.c: the SHA-2 functions in the list of hashes. */
#include "celer/hash.h"
#include "sha2/sha2.h"
#include "sha2/sha256.h"

_Static_assert(sizeof(struct celer_sha256_state) <= CELER_HASH_CTX_SIZE, "fits into the generic context");

/* param of a row. */
enum { SHA2_224, SHA2_256 };

static const uint32_t *sha2_iv(const struct celer_hash *hash)
{
    return hash->param == SHA2_224 ? celer_sha224_iv_ : celer_sha256_iv_;
}

static void sha2_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    (void)opts; /* nothing to choose */
    celer_sha256_init_(ctx, sha2_iv(hash));
}

static void sha2_update(void *ctx, const void *in, size_t in_len)
{
    celer_sha256_update_(ctx, in, in_len);
}

static void sha2_final(void *ctx, uint8_t *out, size_t out_len)
{
    celer_sha256_final_(ctx, out, out_len);
}

static void sha2_many(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                      size_t out_len, const struct celer_msg *msgs, size_t n)
{
    (void)opts;
    for (size_t i = 0; i < n; i++)
        celer_sha256_digest_(sha2_iv(hash), out + i * out_len, out_len, msgs[i].data, msgs[i].len);
}

#define SHA2_ROW(title, section, length, which)                                                  \
  {                                                                                              \
    .name = title, .family = "sha2", .source = section, .out_len = length, .out_min = length,    \
    .out_max = length, .block_len = SHA256_BLOCK, .ctx_size = sizeof(struct celer_sha256_state), \
    .kernel = &celer_sha256_kernel_, .param = which, .init = sha2_init, .update = sha2_update,   \
    .final = sha2_final, .many = sha2_many                                                       \
  }

const struct celer_hash celer_sha2_rows_[] = {
    SHA2_ROW("sha224", "FIPS 180-4 6.3", CELER_SHA224_LEN, SHA2_224),
    SHA2_ROW("sha256", "FIPS 180-4 6.2", CELER_SHA256_LEN, SHA2_256),
};
const size_t celer_sha2_row_count_ = sizeof celer_sha2_rows_ / sizeof celer_sha2_rows_[0];
