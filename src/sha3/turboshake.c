/* turboshake.c: TurboSHAKE is the sponge with 12 rounds and a suffix of the caller's. RFC 9861 section 2. */
#include "base/bytes.h"
#include "sha3/sponge.h"

enum { TURBOSHAKE_ROUNDS = 12, TURBOSHAKE_DOMAIN_MOST = 0x7f };

static int turboshake_refused(uint8_t domain)
{
    return domain == 0 || domain > TURBOSHAKE_DOMAIN_MOST;
}

static int turboshake(uint8_t *out, size_t out_len, const void *in, size_t in_len, unsigned rate,
                      uint8_t domain)
{
    if (turboshake_refused(domain)) {
        if (out_len > 0)
            memset(out, 0, out_len);
        return CELER_EINVAL;
    }
    celer_sponge_(out, out_len, in, in_len, rate, domain, TURBOSHAKE_ROUNDS);
    return CELER_OK;
}

static int turboshake_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                           unsigned rate, uint8_t domain)
{
    if (turboshake_refused(domain)) {
        if (n > 0 && out_len > 0)
            memset(out, 0, n * out_len);
        return CELER_EINVAL;
    }
    celer_sponge_many_(out, out_len, msgs, n, rate, domain, TURBOSHAKE_ROUNDS);
    return CELER_OK;
}

static int turboshake_init(struct celer_sponge *sponge, unsigned rate, uint8_t domain)
{
    if (turboshake_refused(domain)) {
        celer_sponge_wipe_(sponge);
        return CELER_EINVAL;
    }
    celer_sponge_init_(sponge, rate, domain, TURBOSHAKE_ROUNDS);
    return CELER_OK;
}

#define TURBOSHAKE(bits, rate)                                                                            \
  int celer_turboshake##bits(uint8_t *out, size_t out_len, const void *in, size_t in_len, uint8_t domain) \
  {                                                                                                       \
    return turboshake(out, out_len, in, in_len, rate, domain);                                            \
  }                                                                                                       \
  int celer_turboshake##bits##_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n, \
                                    uint8_t domain)                                                       \
  {                                                                                                       \
    return turboshake_many(out, out_len, msgs, n, rate, domain);                                          \
  }                                                                                                       \
  int celer_turboshake##bits##_init(struct celer_turboshake##bits *ctx, uint8_t domain)                   \
  {                                                                                                       \
    return turboshake_init(&ctx->sponge, rate, domain);                                                   \
  }                                                                                                       \
  void celer_turboshake##bits##_update(struct celer_turboshake##bits *ctx, const void *in, size_t in_len) \
  {                                                                                                       \
    celer_sponge_absorb_(&ctx->sponge, in, in_len);                                                       \
  }                                                                                                       \
  void celer_turboshake##bits##_squeeze(struct celer_turboshake##bits *ctx, uint8_t *out, size_t out_len) \
  {                                                                                                       \
    celer_sponge_squeeze_(&ctx->sponge, out, out_len);                                                    \
  }                                                                                                       \
  void celer_turboshake##bits##_wipe(struct celer_turboshake##bits *ctx)                                  \
  {                                                                                                       \
    celer_sponge_wipe_(&ctx->sponge);                                                                     \
  }

TURBOSHAKE(128, CELER_TURBOSHAKE128_RATE)
TURBOSHAKE(256, CELER_TURBOSHAKE256_RATE)
