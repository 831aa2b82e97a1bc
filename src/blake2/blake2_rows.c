/* blake2_rows.c: BLAKE2 in the list of hashes. */
#include "celer/hash.h"
#include "blake2/blake2.h"
#include "blake2/blake2b.h"
#include "blake2/blake2s.h"
#include "base/bytes.h"

_Static_assert(sizeof(struct celer_blake2bp) <= CELER_HASH_CTX_SIZE, "fits into the generic context");
_Static_assert(sizeof(struct celer_blake2b) <= CELER_HMAC_STATE_SIZE, "fits into that of HMAC");

/* The list has checked all lengths, so nothing is refused. */
static void row_done(int error)
{
    (void)error;
}

static size_t row_out_len(const struct celer_hash *hash, const struct celer_hash_opts *opts)
{
    return opts->out_len != 0 ? opts->out_len : hash->out_len;
}

static struct celer_blake2_params row_params(const struct celer_hash_opts *opts)
{
    return (struct celer_blake2_params){
        .salt = opts->salt,
        .salt_len = opts->salt_len,
        .personal = opts->personal,
        .personal_len = opts->personal_len,
    };
}

/* What a dead context has no length for. */
static void row_end(int error, uint8_t *out, size_t out_len)
{
    if (error != CELER_OK)
        memset(out, 0, out_len);
}

#define UPDATE(id)                                                     \
  static void row_##id##_update(void *ctx, const void *in, size_t len) \
  {                                                                    \
    celer_##id##_update(ctx, in, len);                                 \
  }
#define FINAL(id)                                                       \
  static void row_##id##_final(void *ctx, uint8_t *out, size_t out_len) \
  {                                                                     \
    row_end(celer_##id##_final(ctx, out), out, out_len);                \
  }
#define INIT(id)                                                                                            \
  static void row_##id##_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts) \
  {                                                                                                         \
    row_done(celer_##id##_init(ctx, row_out_len(hash, opts), opts->key, opts->key_len));                    \
  }

#define SEQUENTIAL(id)                                                                                      \
  static void row_##id##_init(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts) \
  {                                                                                                         \
    const struct celer_blake2_params params = row_params(opts);                                             \
    row_done(celer_##id##_init_params(ctx, row_out_len(hash, opts), opts->key, opts->key_len, &params));    \
  }                                                                                                         \
  static void row_##id##_many(const struct celer_hash *hash, const struct celer_hash_opts *opts,            \
                              uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n)         \
  {                                                                                                         \
    const struct celer_blake2_params params = row_params(opts);                                             \
    (void)hash;                                                                                             \
    row_done(celer_##id##_many_params_(out, out_len, msgs, n, opts->key, opts->key_len, &params));          \
  }                                                                                                         \
  UPDATE(id)                                                                                                \
  FINAL(id)
SEQUENTIAL(blake2b)
SEQUENTIAL(blake2s)

/* The lanes are taken by one message: many go one by one. */
#define PARALLEL(id) INIT(id) UPDATE(id) FINAL(id)
PARALLEL(blake2bp)
PARALLEL(blake2sp)

/* The length of the output is told beforehand, and so another length is another output. */
#define EXTENDABLE(id)                                                  \
  INIT(id)                                                              \
  UPDATE(id)                                                            \
  static void row_##id##_final(void *ctx, uint8_t *out, size_t out_len) \
  {                                                                     \
    row_done(celer_##id##_squeeze(ctx, out, out_len));                  \
    celer_##id##_wipe(ctx);                                             \
  }
EXTENDABLE(blake2xb)
EXTENDABLE(blake2xs)

#define ROW(id, title, standard, len, least, most, block, key, core, takes, ...)                   \
  {                                                                                                \
    .name = title, .family = "blake2", .source = standard, .out_len = len, .out_min = least,       \
    .out_max = most, .block_len = block, .key_max = key, .ctx_size = sizeof(struct celer_##id),    \
    .kernel = &celer_##core##_kernel_, .flags = CELER_HASH_KEY | (takes), .init = row_##id##_init, \
    .update = row_##id##_update, .final = row_##id##_final, __VA_ARGS__                            \
  }
#define SEQUENTIAL_ROW(id, title, len, least, most, letter)                                             \
  ROW(id, title, "RFC 7693", len, least, most, CELER_BLAKE2##letter##_BLOCK_LEN,                        \
      CELER_BLAKE2##letter##_KEY_LEN, id, CELER_HASH_SALT, .salt_len = CELER_BLAKE2##letter##_SALT_LEN, \
      .many = row_##id##_many)

const struct celer_hash celer_blake2_rows_[] = {
    SEQUENTIAL_ROW(blake2b, "blake2b", CELER_BLAKE2B_LEN, 1, CELER_BLAKE2B_LEN, B),
    SEQUENTIAL_ROW(blake2b, "blake2b-256", 32, 32, 32, B),
    SEQUENTIAL_ROW(blake2s, "blake2s", CELER_BLAKE2S_LEN, 1, CELER_BLAKE2S_LEN, S),
    ROW(blake2bp, "blake2bp", "BLAKE2 2.10", CELER_BLAKE2BP_LEN, 1, CELER_BLAKE2BP_LEN,
        CELER_BLAKE2BP_BLOCK_LEN, CELER_BLAKE2BP_KEY_LEN, blake2b, CELER_HASH_TREE, .many = NULL),
    ROW(blake2sp, "blake2sp", "BLAKE2 2.10", CELER_BLAKE2SP_LEN, 1, CELER_BLAKE2SP_LEN,
        CELER_BLAKE2SP_BLOCK_LEN, CELER_BLAKE2SP_KEY_LEN, blake2s, CELER_HASH_TREE, .many = NULL),
    ROW(blake2xb, "blake2xb", "BLAKE2X 2", CELER_BLAKE2B_LEN, 1, CELER_BLAKE2XB_MAX, CELER_BLAKE2B_BLOCK_LEN,
        CELER_BLAKE2XB_KEY_LEN, blake2b, 0, .many = NULL),
    ROW(blake2xs, "blake2xs", "BLAKE2X 2", CELER_BLAKE2S_LEN, 1, CELER_BLAKE2XS_MAX, CELER_BLAKE2S_BLOCK_LEN,
        CELER_BLAKE2XS_KEY_LEN, blake2s, 0, .many = NULL),
};
const size_t celer_blake2_row_count_ = sizeof celer_blake2_rows_ / sizeof celer_blake2_rows_[0];
