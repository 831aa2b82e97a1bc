/* kmac.c: KMAC and KMACXOF, SP 800-185 section 4. */
#include "sha3/sp800_185.h"
#include "sha3/sponge.h"

void celer_kmac_init_(struct celer_sponge *sponge, unsigned rate, const void *key, size_t key_len,
                      const void *custom, size_t custom_len)
{
    celer_cshake_init_(sponge, rate, "KMAC", 4, custom, custom_len);
    celer_absorb_left_(sponge, rate, ENCODE_NUMBER);
    celer_absorb_string_(sponge, key, key_len);
    celer_sponge_fill_(sponge);
}

/* What KMAC and KMACXOF share: all but their end. */
#define KMAC(id, bits, whole)                                                                         \
  void celer_##id(uint8_t *out, size_t out_len, const void *key, size_t key_len, const void *in,      \
                  size_t in_len, const void *custom, size_t custom_len)                               \
  {                                                                                                   \
    struct celer_##id ctx;                                                                            \
    celer_##id##_init(&ctx, key, key_len, custom, custom_len);                                        \
    celer_##id##_update(&ctx, in, in_len);                                                            \
    whole(&ctx, out, out_len);                                                                        \
    celer_##id##_wipe(&ctx);                                                                          \
  }                                                                                                   \
  void celer_##id##_init(struct celer_##id *ctx, const void *key, size_t key_len, const void *custom, \
                         size_t custom_len)                                                           \
  {                                                                                                   \
    celer_kmac_init_(&ctx->sponge, CSHAKE##bits##_RATE, key, key_len, custom, custom_len);            \
  }                                                                                                   \
  void celer_##id##_update(struct celer_##id *ctx, const void *in, size_t in_len)                     \
  {                                                                                                   \
    celer_sponge_absorb_(&ctx->sponge, in, in_len);                                                   \
  }                                                                                                   \
  void celer_##id##_wipe(struct celer_##id *ctx)                                                      \
  {                                                                                                   \
    celer_sponge_wipe_(&ctx->sponge);                                                                 \
  }
#define KMAC_FIXED(id, bits)                                                    \
  KMAC(id, bits, celer_##id##_final)                                            \
  void celer_##id##_final(struct celer_##id *ctx, uint8_t *out, size_t out_len) \
  {                                                                             \
    celer_fixed_final_(&ctx->sponge, out, out_len);                             \
  }
#define KMAC_XOF(id, bits)                                                        \
  KMAC(id, bits, celer_##id##_squeeze)                                            \
  void celer_##id##_squeeze(struct celer_##id *ctx, uint8_t *out, size_t out_len) \
  {                                                                               \
    celer_xof_squeeze_(&ctx->sponge, out, out_len);                               \
  }

KMAC_FIXED(kmac128, 128)
KMAC_FIXED(kmac256, 256)
KMAC_XOF(kmacxof128, 128)
KMAC_XOF(kmacxof256, 256)
