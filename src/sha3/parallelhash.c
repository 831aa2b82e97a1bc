/* parallelhash.c: ParallelHash and ParallelHashXOF, SP 800-185 section 6. */
#include "base/wipe.h"
#include "sha3/leaves.h"
#include "sha3/sp800_185.h"
#include "sha3/sponge.h"

/* Blocks are hashed by SHAKE128 to 32 bytes, or SHAKE256 to 64. */
static const struct leaf_kind parallelhash_leaf128 = {32, CSHAKE128_RATE, SHAKE_SUFFIX, 24};
static const struct leaf_kind parallelhash_leaf256 = {64, CSHAKE256_RATE, SHAKE_SUFFIX, 24};

static const struct leaf_kind *parallelhash_leaf(const struct celer_parallelhash_state *p)
{
    return p->node.rate == CSHAKE128_RATE ? &parallelhash_leaf128 : &parallelhash_leaf256;
}

void celer_parallelhash_init_(struct celer_parallelhash_state *p, unsigned rate, size_t block_len,
                              const void *custom, size_t custom_len)
{
    zero_bytes(p, sizeof *p);
    celer_cshake_init_(&p->node, rate, "ParallelHash", 12, custom, custom_len);
    celer_absorb_left_(&p->node, block_len, ENCODE_NUMBER);
    p->block_len = block_len;
}

/* The block in the leaf ends here. */
static void parallelhash_close(struct celer_parallelhash_state *p)
{
    const size_t cv_len = parallelhash_leaf(p)->cv_len;
    uint8_t cv[LEAF_MAX_CV];
    celer_sponge_final_(&p->leaf, cv, cv_len);
    celer_sponge_absorb_(&p->node, cv, cv_len);
    wipe(cv, sizeof cv);
    p->pos = 0;
    p->blocks++;
}

void celer_parallelhash_update_(struct celer_parallelhash_state *p, const void *in, size_t in_len)
{
    const uint8_t *at = in;
    if (!celer_sponge_absorbing_(&p->node) || in_len == 0)
        return;
    const struct leaf_kind *leaf = parallelhash_leaf(p);
    const size_t block_len = (size_t)p->block_len;
    if (p->pos != 0) {
        const size_t room = block_len - (size_t)p->pos, n = in_len < room ? in_len : room;
        celer_sponge_absorb_(&p->leaf, at, n);
        p->pos += n;
        at += n;
        in_len -= n;
        if (p->pos < block_len)
            return;
        parallelhash_close(p);
    }
    const size_t whole = in_len / block_len;
    celer_leaves_absorb_(&p->node, at, block_len, whole, leaf);
    p->blocks += whole;
    at += whole * block_len;
    in_len -= whole * block_len;
    if (in_len > 0) {
        celer_sponge_init_(&p->leaf, leaf->rate, leaf->suffix, leaf->rounds);
        celer_sponge_absorb_(&p->leaf, at, in_len);
        p->pos = in_len;
    }
}

/* Ends the input, if nothing did yet. */
static void parallelhash_end(struct celer_parallelhash_state *p)
{
    if (p->pos != 0)
        parallelhash_close(p);
    celer_absorb_right_(&p->node, p->blocks, ENCODE_NUMBER);
}

void celer_parallelhash_final_(struct celer_parallelhash_state *p, uint8_t *out, size_t out_len)
{
    parallelhash_end(p);
    celer_fixed_final_(&p->node, out, out_len);
    wipe(p, sizeof *p);
}

void celer_parallelhash_squeeze_(struct celer_parallelhash_state *p, uint8_t *out, size_t out_len)
{
    parallelhash_end(p);
    celer_xof_squeeze_(&p->node, out, out_len);
}

#define PARALLELHASH(id, bits, whole)                                                                    \
  int celer_##id(uint8_t *out, size_t out_len, const void *in, size_t in_len, size_t block_len,          \
                 const void *custom, size_t custom_len)                                                  \
  {                                                                                                      \
    struct celer_##id ctx;                                                                               \
    const int error = celer_##id##_init(&ctx, block_len, custom, custom_len);                            \
    celer_##id##_update(&ctx, in, in_len);                                                               \
    whole(&ctx, out, out_len);                                                                           \
    celer_##id##_wipe(&ctx);                                                                             \
    return error;                                                                                        \
  }                                                                                                      \
  int celer_##id##_init(struct celer_##id *ctx, size_t block_len, const void *custom, size_t custom_len) \
  {                                                                                                      \
    if (block_len == 0) {                                                                                \
      celer_##id##_wipe(ctx);                                                                            \
      return CELER_EINVAL;                                                                               \
    }                                                                                                    \
    celer_parallelhash_init_(&ctx->state, CSHAKE##bits##_RATE, block_len, custom, custom_len);           \
    return CELER_OK;                                                                                     \
  }                                                                                                      \
  void celer_##id##_update(struct celer_##id *ctx, const void *in, size_t in_len)                        \
  {                                                                                                      \
    celer_parallelhash_update_(&ctx->state, in, in_len);                                                 \
  }                                                                                                      \
  void celer_##id##_wipe(struct celer_##id *ctx)                                                         \
  {                                                                                                      \
    wipe(ctx, sizeof *ctx);                                                                              \
  }
#define PARALLELHASH_FIXED(id, bits)                                            \
  PARALLELHASH(id, bits, celer_##id##_final)                                    \
  void celer_##id##_final(struct celer_##id *ctx, uint8_t *out, size_t out_len) \
  {                                                                             \
    celer_parallelhash_final_(&ctx->state, out, out_len);                       \
  }
#define PARALLELHASH_XOF(id, bits)                                                \
  PARALLELHASH(id, bits, celer_##id##_squeeze)                                    \
  void celer_##id##_squeeze(struct celer_##id *ctx, uint8_t *out, size_t out_len) \
  {                                                                               \
    celer_parallelhash_squeeze_(&ctx->state, out, out_len);                       \
  }

PARALLELHASH_FIXED(parallelhash128, 128)
PARALLELHASH_FIXED(parallelhash256, 256)
PARALLELHASH_XOF(parallelhashxof128, 128)
PARALLELHASH_XOF(parallelhashxof256, 256)
