/* tuplehash.c: TupleHash and TupleHashXOF, SP 800-185 section 5. */
#include "base/wipe.h"
#include "sha3/sp800_185.h"
#include "sha3/sponge.h"

static void tuplehash_init(struct celer_tuplehash_state *t, unsigned rate, const void *custom,
                           size_t custom_len)
{
    celer_cshake_init_(&t->sponge, rate, "TupleHash", 9, custom, custom_len);
    t->left = 0;
}

static int tuplehash_begin(struct celer_tuplehash_state *t, size_t element_len)
{
    if (!celer_sponge_absorbing_(&t->sponge))
        return CELER_EINVAL;
    if (t->left != 0) {
        wipe(t, sizeof *t);
        return CELER_EINVAL;
    }
    celer_absorb_left_(&t->sponge, element_len, ENCODE_BYTES);
    t->left = element_len;
    return CELER_OK;
}

static void tuplehash_update(struct celer_tuplehash_state *t, const void *in, size_t in_len)
{
    if (!celer_sponge_absorbing_(&t->sponge))
        return;
    if (in_len > t->left) {
        wipe(t, sizeof *t);
        return;
    }
    celer_sponge_absorb_(&t->sponge, in, in_len);
    t->left -= in_len;
}

static void tuplehash_element(struct celer_tuplehash_state *t, const void *in, size_t in_len)
{
    if (tuplehash_begin(t, in_len) == CELER_OK)
        tuplehash_update(t, in, in_len);
}

/* To be called before the output: an element that is not complete kills the context. */
static void tuplehash_end(struct celer_tuplehash_state *t)
{
    if (t->left != 0)
        wipe(t, sizeof *t);
}

#define TUPLEHASH(id, bits, whole)                                                          \
  void celer_##id(uint8_t *out, size_t out_len, const struct celer_msg *elements, size_t n, \
                  const void *custom, size_t custom_len)                                    \
  {                                                                                         \
    struct celer_##id ctx;                                                                  \
    celer_##id##_init(&ctx, custom, custom_len);                                            \
    for (size_t i = 0; i < n; i++)                                                          \
      celer_##id##_element(&ctx, elements[i].data, elements[i].len);                        \
    whole(&ctx, out, out_len);                                                              \
    celer_##id##_wipe(&ctx);                                                                \
  }                                                                                         \
  void celer_##id##_init(struct celer_##id *ctx, const void *custom, size_t custom_len)     \
  {                                                                                         \
    tuplehash_init(&ctx->state, CSHAKE##bits##_RATE, custom, custom_len);                   \
  }                                                                                         \
  void celer_##id##_element(struct celer_##id *ctx, const void *in, size_t in_len)          \
  {                                                                                         \
    tuplehash_element(&ctx->state, in, in_len);                                             \
  }                                                                                         \
  int celer_##id##_begin(struct celer_##id *ctx, size_t element_len)                        \
  {                                                                                         \
    return tuplehash_begin(&ctx->state, element_len);                                       \
  }                                                                                         \
  void celer_##id##_update(struct celer_##id *ctx, const void *in, size_t in_len)           \
  {                                                                                         \
    tuplehash_update(&ctx->state, in, in_len);                                              \
  }                                                                                         \
  void celer_##id##_wipe(struct celer_##id *ctx)                                            \
  {                                                                                         \
    wipe(ctx, sizeof *ctx);                                                                 \
  }
#define TUPLEHASH_FIXED(id, bits)                                               \
  TUPLEHASH(id, bits, celer_##id##_final)                                       \
  void celer_##id##_final(struct celer_##id *ctx, uint8_t *out, size_t out_len) \
  {                                                                             \
    tuplehash_end(&ctx->state);                                                 \
    celer_fixed_final_(&ctx->state.sponge, out, out_len);                       \
  }
#define TUPLEHASH_XOF(id, bits)                                                   \
  TUPLEHASH(id, bits, celer_##id##_squeeze)                                       \
  void celer_##id##_squeeze(struct celer_##id *ctx, uint8_t *out, size_t out_len) \
  {                                                                               \
    tuplehash_end(&ctx->state);                                                   \
    celer_xof_squeeze_(&ctx->state.sponge, out, out_len);                         \
  }

TUPLEHASH_FIXED(tuplehash128, 128)
TUPLEHASH_FIXED(tuplehash256, 256)
TUPLEHASH_XOF(tuplehashxof128, 128)
TUPLEHASH_XOF(tuplehashxof256, 256)
