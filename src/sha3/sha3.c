/* sha3.c: SHA-3 and SHAKE are the sponge with their own numbers. FIPS 202 section 6. */
#include "sha3/sponge.h"

#define SHA3_SUFFIX 0x06u /* bits 01, then padding */

#define SHA3(bits, len, rate)                                                                     \
  void celer_sha3_##bits(uint8_t out[CELER_AT_LEAST(len)], const void *in, size_t in_len)         \
  {                                                                                               \
    celer_sponge_(out, len, in, in_len, rate, SHA3_SUFFIX, 24);                                   \
  }                                                                                               \
  void celer_sha3_##bits##_many(uint8_t(*out)[len], const struct celer_msg *msgs, size_t n)       \
  {                                                                                               \
    celer_sponge_many_((uint8_t *)out, len, msgs, n, rate, SHA3_SUFFIX, 24);                      \
  }                                                                                               \
  void celer_sha3_##bits##_init(struct celer_sha3_##bits *ctx)                                    \
  {                                                                                               \
    celer_sponge_init_(&ctx->sponge, rate, SHA3_SUFFIX, 24);                                      \
  }                                                                                               \
  void celer_sha3_##bits##_update(struct celer_sha3_##bits *ctx, const void *in, size_t in_len)   \
  {                                                                                               \
    celer_sponge_absorb_(&ctx->sponge, in, in_len);                                               \
  }                                                                                               \
  void celer_sha3_##bits##_final(struct celer_sha3_##bits *ctx, uint8_t out[CELER_AT_LEAST(len)]) \
  {                                                                                               \
    celer_sponge_final_(&ctx->sponge, out, len);                                                  \
  }                                                                                               \
  void celer_sha3_##bits##_wipe(struct celer_sha3_##bits *ctx)                                    \
  {                                                                                               \
    celer_sponge_wipe_(&ctx->sponge);                                                             \
  }

SHA3(224, 28, 144)
SHA3(256, 32, 136)
SHA3(384, 48, 104)
SHA3(512, 64, 72)

#define SHAKE(bits, rate)                                                                             \
  void celer_shake##bits(uint8_t *out, size_t out_len, const void *in, size_t in_len)                 \
  {                                                                                                   \
    celer_sponge_(out, out_len, in, in_len, rate, SHAKE_SUFFIX, 24);                                  \
  }                                                                                                   \
  void celer_shake##bits##_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n) \
  {                                                                                                   \
    celer_sponge_many_(out, out_len, msgs, n, rate, SHAKE_SUFFIX, 24);                                \
  }                                                                                                   \
  void celer_shake##bits##_init(struct celer_shake##bits *ctx)                                        \
  {                                                                                                   \
    celer_sponge_init_(&ctx->sponge, rate, SHAKE_SUFFIX, 24);                                         \
  }                                                                                                   \
  void celer_shake##bits##_update(struct celer_shake##bits *ctx, const void *in, size_t in_len)       \
  {                                                                                                   \
    celer_sponge_absorb_(&ctx->sponge, in, in_len);                                                   \
  }                                                                                                   \
  void celer_shake##bits##_squeeze(struct celer_shake##bits *ctx, uint8_t *out, size_t out_len)       \
  {                                                                                                   \
    celer_sponge_squeeze_(&ctx->sponge, out, out_len);                                                \
  }                                                                                                   \
  void celer_shake##bits##_wipe(struct celer_shake##bits *ctx)                                        \
  {                                                                                                   \
    celer_sponge_wipe_(&ctx->sponge);                                                                 \
  }

SHAKE(128, 168)
SHAKE(256, 136)
