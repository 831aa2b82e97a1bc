/* cshake.c: cSHAKE, SP 800-185 section 3, and the parts of the functions built on it. */
#include "sha3/sp800_185.h"
#include "sha3/sponge.h"

#define CSHAKE_SUFFIX 0x04u /* bits 00, then padding */

void celer_absorb_left_(struct celer_sponge *sponge, uint64_t n, enum encoded unit)
{
    uint8_t code[ENCODED_MAX];
    celer_sponge_absorb_(sponge, code, left_encode(code, n, unit));
}

void celer_absorb_right_(struct celer_sponge *sponge, uint64_t n, enum encoded unit)
{
    uint8_t code[ENCODED_MAX];
    celer_sponge_absorb_(sponge, code, right_encode(code, n, unit));
}

void celer_absorb_string_(struct celer_sponge *sponge, const void *in, size_t in_len)
{
    celer_absorb_left_(sponge, in_len, ENCODE_BYTES);
    celer_sponge_absorb_(sponge, in, in_len);
}

void celer_cshake_init_(struct celer_sponge *sponge, unsigned rate, const void *name, size_t name_len,
                        const void *custom, size_t custom_len)
{
    const int plain = name_len == 0 && custom_len == 0;
    celer_sponge_init_(sponge, rate, plain ? SHAKE_SUFFIX : CSHAKE_SUFFIX, 24);
    if (plain)
        return;
    celer_absorb_left_(sponge, rate, ENCODE_NUMBER);
    celer_absorb_string_(sponge, name, name_len);
    celer_absorb_string_(sponge, custom, custom_len);
    celer_sponge_fill_(sponge);
}

void celer_fixed_final_(struct celer_sponge *sponge, uint8_t *out, size_t out_len)
{
    celer_absorb_right_(sponge, out_len, ENCODE_BYTES);
    celer_sponge_final_(sponge, out, out_len);
}

void celer_xof_squeeze_(struct celer_sponge *sponge, uint8_t *out, size_t out_len)
{
    celer_absorb_right_(sponge, 0, ENCODE_NUMBER); /* ignored once it squeezes */
    celer_sponge_squeeze_(sponge, out, out_len);
}

#define CSHAKE(bits)                                                                                     \
  void celer_cshake##bits(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *name, \
                          size_t name_len, const void *custom, size_t custom_len)                        \
  {                                                                                                      \
    struct celer_cshake##bits ctx;                                                                       \
    celer_cshake##bits##_init(&ctx, name, name_len, custom, custom_len);                                 \
    celer_cshake##bits##_update(&ctx, in, in_len);                                                       \
    celer_sponge_final_(&ctx.sponge, out, out_len);                                                      \
  }                                                                                                      \
  void celer_cshake##bits##_init(struct celer_cshake##bits *ctx, const void *name, size_t name_len,      \
                                 const void *custom, size_t custom_len)                                  \
  {                                                                                                      \
    celer_cshake_init_(&ctx->sponge, CSHAKE##bits##_RATE, name, name_len, custom, custom_len);           \
  }                                                                                                      \
  void celer_cshake##bits##_update(struct celer_cshake##bits *ctx, const void *in, size_t in_len)        \
  {                                                                                                      \
    celer_sponge_absorb_(&ctx->sponge, in, in_len);                                                      \
  }                                                                                                      \
  void celer_cshake##bits##_squeeze(struct celer_cshake##bits *ctx, uint8_t *out, size_t out_len)        \
  {                                                                                                      \
    celer_sponge_squeeze_(&ctx->sponge, out, out_len);                                                   \
  }                                                                                                      \
  void celer_cshake##bits##_wipe(struct celer_cshake##bits *ctx)                                         \
  {                                                                                                      \
    celer_sponge_wipe_(&ctx->sponge);                                                                    \
  }

CSHAKE(128)
CSHAKE(256)
