/* sha3_rows.c: the hashes of this family as rows of the list. A sponge hash is a row of numbers. */
#include "celer/hash.h"
#include "sha3/kangarootwelve.h"
#include "sha3/keccak.h"
#include "sha3/sp800_185.h"
#include "sha3/sponge.h"

/* param of a row: rate | suffix << 8 | rounds << 16. */
#define PARAM(rate, suffix, rounds) ((uint32_t)(rate) | (uint32_t)(suffix) << 8 | (uint32_t)(rounds) << 16)
#define RATE(param)                 ((param)&255)
#define SUFFIX(param)               ((param) >> 8 & 255)
#define ROUNDS(param)               ((param) >> 16)

static unsigned row_suffix(const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    return opts->domain != 0 ? opts->domain : SUFFIX(hash->param);
}

static void row_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    celer_sponge_init_(ctx, RATE(hash->param), row_suffix(hash, opts), ROUNDS(hash->param));
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
    celer_sponge_many_(out, out_len, msgs, n, RATE(hash->param), row_suffix(hash, opts), ROUNDS(hash->param));
}

/* cSHAKE: row_update, row_final and row_squeeze do the rest. */
static void row_cshake_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    celer_cshake_init_(ctx, RATE(hash->param), opts->name, opts->name_len, opts->custom, opts->custom_len);
}

/* out + i * out_len = what a context that init started gives out after msgs[i] and the end_len bytes at end. */
static void row_many_after(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                           size_t out_len, const struct celer_msg *msgs, size_t n, const uint8_t *end,
                           size_t end_len)
{
    struct celer_sponge start;
    hash->init(&start, hash, opts);
    celer_sponge_many_from_(out, out_len, msgs, n, &start, end, end_len);
    celer_sponge_wipe_(&start);
}

static void row_cshake_many(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                            size_t out_len, const struct celer_msg *msgs, size_t n)
{
    row_many_after(hash, opts, out, out_len, msgs, n, NULL, 0);
}

static void row_kmac_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    celer_kmac_init_(ctx, RATE(hash->param), opts->key, opts->key_len, opts->custom, opts->custom_len);
}

static void row_kmac_final(void *ctx, uint8_t *out, size_t out_len)
{
    celer_fixed_final_(ctx, out, out_len);
}

static void row_kmacxof_final(void *ctx, uint8_t *out, size_t out_len)
{
    celer_xof_squeeze_(ctx, out, out_len);
    celer_sponge_wipe_(ctx);
}

static void row_kmacxof_squeeze(void *ctx, uint8_t *out, size_t out_len)
{
    celer_xof_squeeze_(ctx, out, out_len);
}

static void row_kmac_many(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                          size_t out_len, const struct celer_msg *msgs, size_t n)
{
    uint8_t end[ENCODED_MAX];
    const size_t end_len = hash->flags & CELER_HASH_XOF ? right_encode(end, 0, ENCODE_NUMBER)
                                                        : right_encode(end, out_len, ENCODE_BYTES);
    row_many_after(hash, opts, out, out_len, msgs, n, end, end_len);
}

/* ParallelHash fills the lanes with one message: many go one by one. */
static void row_parallelhash_init(void *ctx, const struct celer_hash *hash,
                                  const struct celer_hash_opts *opts)
{
    celer_parallelhash_init_(ctx, RATE(hash->param), opts->block_len != 0 ? opts->block_len : 8192,
                             opts->custom, opts->custom_len);
}

static void row_parallelhash_update(void *ctx, const void *in, size_t in_len)
{
    celer_parallelhash_update_(ctx, in, in_len);
}

static void row_parallelhash_final(void *ctx, uint8_t *out, size_t out_len)
{
    celer_parallelhash_final_(ctx, out, out_len);
}

static void row_parallelhashxof_final(void *ctx, uint8_t *out, size_t out_len)
{
    celer_parallelhash_squeeze_(ctx, out, out_len);
    celer_wipe(ctx, sizeof(struct celer_parallelhash_state));
}

static void row_parallelhashxof_squeeze(void *ctx, uint8_t *out, size_t out_len)
{
    celer_parallelhash_squeeze_(ctx, out, out_len);
}

/* KangarooTwelve; without a customization string, which comes last and would have to be kept until then. */
static void row_kt_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    (void)opts;
    celer_kt_init_(ctx, RATE(hash->param));
}

static void row_kt_update(void *ctx, const void *in, size_t in_len)
{
    celer_kt_update_(ctx, in, in_len);
}

static void row_kt_squeeze(void *ctx, uint8_t *out, size_t out_len)
{
    celer_kt_squeeze_(ctx, out, out_len);
}

static void row_kt_final(void *ctx, uint8_t *out, size_t out_len)
{
    celer_kt_squeeze_(ctx, out, out_len);
    celer_wipe(ctx, sizeof(struct celer_kt));
}

static void row_kt_many(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                        size_t out_len, const struct celer_msg *msgs, size_t n)
{
    (void)opts;
    celer_kt_many_(out, out_len, msgs, n, RATE(hash->param));
}

#define ROW(hash_name, standard, len, rate, suffix, rounds, least, most, xof_flag, squeeze_method)           \
  {                                                                                                          \
    .name = hash_name, .family = "sha3", .source = standard, .out_len = len, .out_min = least,               \
    .out_max = most, .block_len = rate, .ctx_size = sizeof(struct celer_sponge),                             \
    .kernel = &celer_keccak_kernel_, .flags = xof_flag, .param = PARAM(rate, suffix, rounds),                \
    .init = row_init, .update = row_update, .final = row_final, .squeeze = squeeze_method, .many = row_many, \
  }
#define FIXED(name, standard, len, rate) ROW(name, standard, len, rate, 0x06, 24, len, len, 0, NULL)
#define XOF(name, standard, len, rate, suffix, rounds, takes) \
  ROW(name, standard, len, rate, suffix, rounds, 1, SIZE_MAX, CELER_HASH_XOF | (takes), row_squeeze)
/* A function of SP 800-185: the methods that all such rows have, and after them those that only some have. */
#define SP800_185(hash_name, section, len, rate, takes, ctx, begin, absorb, end, ...)                   \
  {                                                                                                     \
    .name = hash_name, .family = "sha3", .source = "SP 800-185 " section, .out_len = len, .out_min = 1, \
    .out_max = SIZE_MAX, .block_len = rate, .key_max = (takes)&CELER_HASH_KEY ? SIZE_MAX : 0,           \
    .ctx_size = sizeof(ctx), .kernel = &celer_keccak_kernel_, .flags = (takes) | CELER_HASH_CUSTOM,     \
    .param = PARAM(rate, 0, 0), .init = begin, .update = absorb, .final = end, __VA_ARGS__              \
  }
#define CSHAKE(bits, len)                                                                        \
  SP800_185("cshake" #bits, "3", len, CSHAKE##bits##_RATE, CELER_HASH_XOF | CELER_HASH_NAME,     \
            struct celer_sponge, row_cshake_init, row_update, row_final, .squeeze = row_squeeze, \
            .many = row_cshake_many)
#define KMAC(bits, len)                                                                                      \
  SP800_185("kmac" #bits, "4", len, CSHAKE##bits##_RATE, CELER_HASH_KEY, struct celer_sponge, row_kmac_init, \
            row_update, row_kmac_final, .many = row_kmac_many)
#define KMACXOF(bits, len)                                                                       \
  SP800_185("kmacxof" #bits, "4.3.1", len, CSHAKE##bits##_RATE, CELER_HASH_XOF | CELER_HASH_KEY, \
            struct celer_sponge, row_kmac_init, row_update, row_kmacxof_final,                   \
            .squeeze = row_kmacxof_squeeze, .many = row_kmac_many)
#define PARALLELHASH(bits, len)                                                                      \
  SP800_185("parallelhash" #bits, "6", len, CSHAKE##bits##_RATE, CELER_HASH_BLOCK | CELER_HASH_TREE, \
            struct celer_parallelhash_state, row_parallelhash_init, row_parallelhash_update,         \
            row_parallelhash_final, .squeeze = NULL)
#define PARALLELHASHXOF(bits, len)                                                                \
  SP800_185("parallelhashxof" #bits, "6.3.1", len, CSHAKE##bits##_RATE,                           \
            CELER_HASH_XOF | CELER_HASH_BLOCK | CELER_HASH_TREE, struct celer_parallelhash_state, \
            row_parallelhash_init, row_parallelhash_update, row_parallelhashxof_final,            \
            .squeeze = row_parallelhashxof_squeeze)
#define KT(hash_name, len, rate)                                                                            \
  {                                                                                                         \
    .name = hash_name, .family = "sha3", .source = "RFC 9861 3", .out_len = len, .out_min = 1,              \
    .out_max = SIZE_MAX, .block_len = rate, .ctx_size = sizeof(struct celer_kt),                            \
    .kernel = &celer_keccak_kernel_, .flags = CELER_HASH_XOF | CELER_HASH_TREE, .param = PARAM(rate, 0, 0), \
    .init = row_kt_init, .update = row_kt_update, .final = row_kt_final, .squeeze = row_kt_squeeze,         \
    .many = row_kt_many,                                                                                    \
  }

const struct celer_hash celer_sha3_rows_[] = {
    FIXED("sha3-224", "FIPS 202 6.1", 28, 144),
    FIXED("sha3-256", "FIPS 202 6.1", 32, 136),
    FIXED("sha3-384", "FIPS 202 6.1", 48, 104),
    FIXED("sha3-512", "FIPS 202 6.1", 64, 72),
    XOF("shake128", "FIPS 202 6.2", 32, 168, 0x1f, 24, 0),
    XOF("shake256", "FIPS 202 6.2", 64, 136, 0x1f, 24, 0),
    CSHAKE(128, 32),
    CSHAKE(256, 64),
    KMAC(128, 32),
    KMAC(256, 64),
    KMACXOF(128, 32),
    KMACXOF(256, 64),
    PARALLELHASH(128, 32),
    PARALLELHASH(256, 64),
    PARALLELHASHXOF(128, 32),
    PARALLELHASHXOF(256, 64),
    XOF("turboshake128", "RFC 9861 2", 32, 168, CELER_TURBOSHAKE_DOMAIN, 12, CELER_HASH_DOMAIN),
    XOF("turboshake256", "RFC 9861 2", 64, 136, CELER_TURBOSHAKE_DOMAIN, 12, CELER_HASH_DOMAIN),
    KT("kt128", 32, 168),
    KT("kt256", 64, 136),
};
const size_t celer_sha3_row_count_ = sizeof celer_sha3_rows_ / sizeof celer_sha3_rows_[0];
