/* sha3_rows.c: the hashes of this family as rows of the list. A sponge hash is a row of numbers. */
#include "celer/hash.h"
#include "sha3/keccak.h"
#include "sha3/sponge.h"

/* param of a row: rate | suffix << 8 | rounds << 16. */
#define PARAM(rate, suffix, rounds) ((uint32_t)(rate) | (uint32_t)(suffix) << 8 | (uint32_t)(rounds) << 16)
#define RATE(param)                 ((param)&255)
#define SUFFIX(param)               ((param) >> 8 & 255)
#define ROUNDS(param)               ((param) >> 16)

static void row_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    (void)opts;
    celer_sponge_init_(ctx, RATE(hash->param), SUFFIX(hash->param), ROUNDS(hash->param));
}

static void row_update(void *ctx, const void *in, size_t in_len)
{
    celer_sponge_absorb_(ctx, in, in_len);
}

static void row_final(void *ctx, uint8_t *out, size_t out_len)
{
    celer_sponge_final_(ctx, out, out_len);
}

static void row_squeeze(void *ctx, uint8_t *out, size_t out_len)
{
    celer_sponge_squeeze_(ctx, out, out_len);
}

static void row_many(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                     size_t out_len, const struct celer_msg *msgs, size_t n)
{
    (void)opts;
    celer_sponge_many_(out, out_len, msgs, n, RATE(hash->param), SUFFIX(hash->param), ROUNDS(hash->param));
}

#define ROW(hash_name, standard, len, rate, suffix, rounds, least, most, xof_flag, squeeze_method)           \
  {                                                                                                          \
    .name = hash_name, .family = "sha3", .source = standard, .out_len = len, .out_min = least,               \
    .out_max = most, .block_len = rate, .ctx_size = sizeof(struct celer_sponge),                             \
    .kernel = &celer_keccak_kernel_, .flags = xof_flag, .param = PARAM(rate, suffix, rounds),                \
    .init = row_init, .update = row_update, .final = row_final, .squeeze = squeeze_method, .many = row_many, \
  }
#define FIXED(name, standard, len, rate) ROW(name, standard, len, rate, 0x06, 24, len, len, 0, NULL)
#define XOF(name, standard, len, rate, suffix, rounds) \
  ROW(name, standard, len, rate, suffix, rounds, 1, SIZE_MAX, CELER_HASH_XOF, row_squeeze)

const struct celer_hash celer_sha3_rows_[] = {
    FIXED("sha3-224", "FIPS 202 6.1", 28, 144),         FIXED("sha3-256", "FIPS 202 6.1", 32, 136),
    FIXED("sha3-384", "FIPS 202 6.1", 48, 104),         FIXED("sha3-512", "FIPS 202 6.1", 64, 72),
    XOF("shake128", "FIPS 202 6.2", 32, 168, 0x1f, 24), XOF("shake256", "FIPS 202 6.2", 64, 136, 0x1f, 24),
};
const size_t celer_sha3_row_count_ = sizeof celer_sha3_rows_ / sizeof celer_sha3_rows_[0];
