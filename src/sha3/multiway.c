/* multiway.c: the public functions on several states at once: the permutation, and SHAKE on messages of one length. */
#include "celer/sha3.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "sha3/keccak.h"
#include "sha3/sponge.h"
#include "sha3/state.h"

/* Where no row has the width, columns of states are copied out, permuted by the widest row there is, and put back. */
static void f1600(uint64_t *s, unsigned ways)
{
    const struct keccak_backend *k = celer_keccak_(ways);
    if (k != NULL) {
        k->permute(s, 24);
        return;
    }
    unsigned width = ways / 2;
    while ((k = celer_keccak_(width)) == NULL) /* width 1 always is */
        width /= 2;
    uint64_t t[25 * KECCAK_MAX_WAYS / 2];
    for (unsigned w = 0; w < ways; w += width) {
        for (unsigned i = 0; i < 25; i++)
            for (unsigned j = 0; j < width; j++)
                t[i * width + j] = s[i * ways + w + j];
        k->permute(t, 24);
        for (unsigned i = 0; i < 25; i++)
            for (unsigned j = 0; j < width; j++)
                s[i * ways + w + j] = t[i * width + j];
    }
    wipe(t, sizeof t);
}

void celer_keccak_f1600_x1(uint64_t s[CELER_AT_LEAST(25)])
{
    celer_keccak_(1)->permute(s, 24);
}

void celer_keccak_f1600_x2(uint64_t s[CELER_AT_LEAST(50)])
{
    f1600(s, 2);
}

void celer_keccak_f1600_x4(uint64_t s[CELER_AT_LEAST(100)])
{
    f1600(s, 4);
}

void celer_keccak_f1600_x8(uint64_t s[CELER_AT_LEAST(200)])
{
    f1600(s, 8);
}

enum { WAYS_ABSORBING = 0, WAYS_SQUEEZING = 1 };

/* Every state ^= len bytes of its message, from `offset` on. */
static void ways_xor(uint64_t *s, unsigned ways, size_t pos, const uint8_t *const *in, size_t offset,
                     size_t len)
{
    for (unsigned w = 0; w < ways; w++)
        state_xor(s + w, ways, pos, in[w] + offset, len);
}

static void ways_absorb(struct celer_ways *at, uint64_t *s, unsigned ways, const uint8_t *const *in,
                        size_t in_len)
{
    const struct keccak_backend *k = celer_keccak_(ways);
    const size_t rate = at->rate;
    size_t offset = 0;
    if (rate == 0 || at->phase != WAYS_ABSORBING || in_len == 0)
        return;
    while (in_len - offset >= rate - at->pos) {
        const size_t nblocks = (in_len - offset) / rate;
        if (at->pos == 0 && k != NULL) {
            const uint8_t *p[KECCAK_MAX_WAYS];
            for (unsigned w = 0; w < ways; w++)
                p[w] = in[w] + offset;
            k->absorb(s, 24, rate, p, nblocks);
            offset += nblocks * rate;
            continue;
        }
        ways_xor(s, ways, at->pos, in, offset, rate - at->pos);
        f1600(s, ways);
        offset += rate - at->pos;
        at->pos = 0;
    }
    ways_xor(s, ways, at->pos, in, offset, in_len - offset);
    at->pos = (uint8_t)(at->pos + (in_len - offset));
}

static void ways_squeeze(struct celer_ways *at, uint64_t *s, unsigned ways, uint8_t *const *out,
                         size_t out_len)
{
    const size_t rate = at->rate;
    if (rate == 0) {
        for (unsigned w = 0; w < ways; w++)
            zero_bytes(out[w], out_len);
        return;
    }
    if (at->phase == WAYS_ABSORBING) {
        for (unsigned w = 0; w < ways; w++)
            state_pad(s + w, ways, at->pos, rate, SHAKE_SUFFIX);
        at->phase = WAYS_SQUEEZING;
        at->pos =
            (uint8_t)rate; /* nothing of this block is output; the permutation waits until a byte is wanted */
    }
    for (size_t offset = 0; offset < out_len;) {
        if (at->pos == rate) {
            f1600(s, ways);
            at->pos = 0;
        }
        const size_t n = out_len - offset < rate - at->pos ? out_len - offset : rate - at->pos;
        for (unsigned w = 0; w < ways; w++)
            state_extract(out[w] + offset, s + w, ways, at->pos, n);
        at->pos = (uint8_t)(at->pos + n);
        offset += n;
    }
}

#define SHAKE_WAYS(bits, bytes, ways)                                                                       \
  void celer_shake##bits##_x##ways##_init(struct celer_shake##bits##_x##ways *ctx)                          \
  {                                                                                                         \
    zero_bytes(ctx, sizeof *ctx);                                                                           \
    ctx->at.rate = bytes;                                                                                   \
  }                                                                                                         \
  void celer_shake##bits##_x##ways##_absorb(struct celer_shake##bits##_x##ways *ctx,                        \
                                            const uint8_t *const in[ways], size_t in_len)                   \
  {                                                                                                         \
    ways_absorb(&ctx->at, ctx->s, ways, in, in_len);                                                        \
  }                                                                                                         \
  void celer_shake##bits##_x##ways##_squeezeblocks(struct celer_shake##bits##_x##ways *ctx,                 \
                                                   uint8_t *const out[ways], size_t nblocks)                \
  {                                                                                                         \
    ways_squeeze(&ctx->at, ctx->s, ways, out, nblocks *bytes);                                              \
  }                                                                                                         \
  void celer_shake##bits##_x##ways##_squeeze(struct celer_shake##bits##_x##ways *ctx,                       \
                                             uint8_t *const out[ways], size_t out_len)                      \
  {                                                                                                         \
    ways_squeeze(&ctx->at, ctx->s, ways, out, out_len);                                                     \
  }                                                                                                         \
  void celer_shake##bits##_x##ways##_wipe(struct celer_shake##bits##_x##ways *ctx)                          \
  {                                                                                                         \
    wipe(ctx, sizeof *ctx);                                                                                 \
  }                                                                                                         \
  void celer_shake##bits##_x##ways(uint8_t *const out[ways], size_t out_len, const uint8_t *const in[ways], \
                                   size_t in_len)                                                           \
  {                                                                                                         \
    struct celer_shake##bits##_x##ways ctx;                                                                 \
    celer_shake##bits##_x##ways##_init(&ctx);                                                               \
    celer_shake##bits##_x##ways##_absorb(&ctx, in, in_len);                                                 \
    celer_shake##bits##_x##ways##_squeeze(&ctx, out, out_len);                                              \
    wipe(&ctx, sizeof ctx);                                                                                 \
  }

SHAKE_WAYS(128, CELER_SHAKE128_RATE, 2)
SHAKE_WAYS(128, CELER_SHAKE128_RATE, 4)
SHAKE_WAYS(128, CELER_SHAKE128_RATE, 8)
SHAKE_WAYS(256, CELER_SHAKE256_RATE, 2)
SHAKE_WAYS(256, CELER_SHAKE256_RATE, 4)
SHAKE_WAYS(256, CELER_SHAKE256_RATE, 8)
