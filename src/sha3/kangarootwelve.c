/* kangarootwelve.c: see kangarootwelve.h. RFC 9861 section 3. */
#include "sha3/kangarootwelve.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "sha3/keccak.h"
#include "sha3/leaves.h"
#include "sha3/sponge.h"

enum { KT_ROUNDS = 12 };
/* Domains of a message that is one chunk, of a leaf, and of the node. */
enum { KT_SINGLE = 0x07, KT_LEAF = 0x0b, KT_FINAL = 0x06 };

/* A chaining value is as long as the capacity. */
static struct leaf_kind kt_leaf_kind(unsigned rate)
{
    return (struct leaf_kind){
        .cv_len = (uint8_t)(200 - rate),
        .rate = (uint8_t)rate,
        .suffix = KT_LEAF,
        .rounds = KT_ROUNDS,
    };
}

void celer_kt_init_(struct celer_kt *kt, unsigned rate)
{
    zero_bytes(kt, sizeof *kt);
    celer_sponge_init_(&kt->node, rate, KT_SINGLE, KT_ROUNDS);
}

/* The first chunk is whole, and not all there is. */
static void kt_grow(struct celer_kt *kt)
{
    static const uint8_t marker[8] = {0x03};
    celer_sponge_absorb_(&kt->node, marker, sizeof marker);
    kt->node.suffix = KT_FINAL;
    kt->tree = 1;
    kt->filled = 0;
}

static void kt_close_leaf(struct celer_kt *kt)
{
    uint8_t cv[LEAF_MAX_CV];
    const size_t cv_len = kt_leaf_kind(kt->node.rate).cv_len;
    celer_sponge_final_(&kt->leaf, cv, cv_len);
    celer_sponge_absorb_(&kt->node, cv, cv_len);
    wipe(cv, sizeof cv);
    kt->leaves++;
    kt->filled = 0;
}

/* Absorbs what still fits into the chunk that is begun; returns how much that was. */
static size_t kt_fill(struct celer_kt *kt, const uint8_t *in, size_t in_len)
{
    const size_t room = CELER_KT_CHUNK - kt->filled, n = in_len < room ? in_len : room;
    if (kt->tree && kt->filled == 0)
        celer_sponge_init_(&kt->leaf, kt->node.rate, KT_LEAF, KT_ROUNDS);
    celer_sponge_absorb_(kt->tree ? &kt->leaf : &kt->node, in, n);
    kt->filled += (uint32_t)n;
    if (kt->tree && kt->filled == CELER_KT_CHUNK)
        kt_close_leaf(kt);
    return n;
}

void celer_kt_update_(struct celer_kt *kt, const uint8_t *in, size_t in_len)
{
    if (!celer_sponge_absorbing_(&kt->node) || in_len == 0)
        return;
    size_t n = 0;
    if (!kt->tree) {
        n = kt_fill(kt, in, in_len);
        if (n == in_len)
            return;
        kt_grow(kt);
    } else if (kt->filled > 0)
        n = kt_fill(kt, in, in_len);
    in += n;
    in_len -= n;

    const size_t whole = in_len / CELER_KT_CHUNK;
    if (whole > 0) {
        const struct leaf_kind kind = kt_leaf_kind(kt->node.rate);
        celer_leaves_absorb_(&kt->node, in, CELER_KT_CHUNK, whole, &kind);
        kt->leaves += whole;
        in += whole * CELER_KT_CHUNK;
        in_len -= whole * CELER_KT_CHUNK;
    }
    if (in_len > 0)
        kt_fill(kt, in, in_len);
}

/* length_encode: big-endian, without zeros in front, then the number of those bytes. */
static size_t kt_encode_length(uint8_t out[9], uint64_t x)
{
    size_t n = 0;
    while (n < 8 && x >> 8 * n != 0)
        n++;
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(x >> 8 * (n - 1 - i));
    out[n] = (uint8_t)n;
    return n + 1;
}

static void kt_finish(struct celer_kt *kt, const void *custom, size_t custom_len)
{
    static const uint8_t end[2] = {0xff, 0xff};
    uint8_t encoded[9];
    if (!celer_sponge_absorbing_(&kt->node))
        return;
    celer_kt_update_(kt, custom, custom_len);
    celer_kt_update_(kt, encoded, kt_encode_length(encoded, custom_len));
    if (kt->tree) {
        if (kt->filled > 0)
            kt_close_leaf(kt);
        celer_sponge_absorb_(&kt->node, encoded, kt_encode_length(encoded, kt->leaves));
        celer_sponge_absorb_(&kt->node, end, sizeof end);
    }
    celer_sponge_squeeze_(&kt->node, NULL, 0);
}

void celer_kt_squeeze_(struct celer_kt *kt, uint8_t *out, size_t out_len)
{
    kt_finish(kt, NULL, 0);
    celer_sponge_squeeze_(&kt->node, out, out_len);
}

/* Begins with the first chunk in a lane of its own, beside leaves; returns the number of chunks absorbed, 1 .. n. */
static size_t kt_begin(struct celer_kt *kt, const uint8_t *in, size_t n)
{
    const struct leaf_kind kind = kt_leaf_kind(kt->node.rate);
    uint8_t cv[KECCAK_MAX_WAYS * LEAF_MAX_CV];
    const size_t chunks = celer_leaves_first_(&kt->node, cv, in, CELER_KT_CHUNK, n, &kind);
    kt_grow(kt);
    kt->leaves = chunks - 1;
    celer_sponge_absorb_(&kt->node, cv + kind.cv_len, (chunks - 1) * kind.cv_len);
    wipe(cv, sizeof cv);
    return chunks;
}

void celer_kt_(uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len, const void *custom,
               size_t custom_len, unsigned rate)
{
    struct celer_kt kt;
    celer_kt_init_(&kt, rate);
    if (in_len >= 2 * CELER_KT_CHUNK) {
        const size_t n = kt_begin(&kt, in, in_len / CELER_KT_CHUNK) * CELER_KT_CHUNK;
        in += n;
        in_len -= n;
    }
    celer_kt_update_(&kt, in, in_len);
    kt_finish(&kt, custom, custom_len);
    celer_sponge_squeeze_(&kt.node, out, out_len);
    wipe(&kt, sizeof kt);
}

/* Messages of one chunk are plain sponges, whose lanes they can share; a longer one has lanes enough to fill. */
void celer_kt_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n, unsigned rate)
{
    static const uint8_t no_custom[1] = {0}; /* its length, encoded */
    struct celer_sponge start;
    celer_sponge_init_(&start, rate, KT_SINGLE, KT_ROUNDS);
    for (size_t done; n > 0; n -= done, msgs += done, out += done * out_len) {
        done = 0;
        while (done < n && msgs[done].len < CELER_KT_CHUNK)
            done++;
        if (done > 0)
            celer_sponge_many_from_(out, out_len, msgs, done, &start, no_custom, sizeof no_custom);
        else {
            done = 1;
            celer_kt_(out, out_len, msgs->data, msgs->len, NULL, 0, rate);
        }
    }
}

static int kt_update_leaves(struct celer_kt *kt, const uint8_t *cv, size_t n)
{
    if (!celer_sponge_absorbing_(&kt->node) || kt->filled != (kt->tree ? 0 : CELER_KT_CHUNK))
        return CELER_EINVAL;
    if (!kt->tree)
        kt_grow(kt);
    celer_sponge_absorb_(&kt->node, cv, n * kt_leaf_kind(kt->node.rate).cv_len);
    kt->leaves += n;
    return CELER_OK;
}

#define KT(bits, rate)                                                                                 \
  void celer_kt##bits(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *custom, \
                      size_t custom_len)                                                               \
  {                                                                                                    \
    celer_kt_(out, out_len, in, in_len, custom, custom_len, rate);                                     \
  }                                                                                                    \
  void celer_kt##bits##_init(struct celer_kt##bits *ctx)                                               \
  {                                                                                                    \
    celer_kt_init_(&ctx->kt, rate);                                                                    \
  }                                                                                                    \
  void celer_kt##bits##_update(struct celer_kt##bits *ctx, const void *in, size_t in_len)              \
  {                                                                                                    \
    celer_kt_update_(&ctx->kt, in, in_len);                                                            \
  }                                                                                                    \
  void celer_kt##bits##_finish(struct celer_kt##bits *ctx, const void *custom, size_t custom_len)      \
  {                                                                                                    \
    kt_finish(&ctx->kt, custom, custom_len);                                                           \
  }                                                                                                    \
  void celer_kt##bits##_squeeze(struct celer_kt##bits *ctx, uint8_t *out, size_t out_len)              \
  {                                                                                                    \
    celer_kt_squeeze_(&ctx->kt, out, out_len);                                                         \
  }                                                                                                    \
  void celer_kt##bits##_wipe(struct celer_kt##bits *ctx)                                               \
  {                                                                                                    \
    wipe(ctx, sizeof *ctx);                                                                            \
  }                                                                                                    \
  void celer_kt##bits##_leaves(uint8_t *cv, const void *in, size_t n)                                  \
  {                                                                                                    \
    const struct leaf_kind kind = kt_leaf_kind(rate);                                                  \
    celer_leaves_(cv, in, CELER_KT_CHUNK, n, &kind);                                                   \
  }                                                                                                    \
  int celer_kt##bits##_update_leaves(struct celer_kt##bits *ctx, const uint8_t *cv, size_t n)          \
  {                                                                                                    \
    return kt_update_leaves(&ctx->kt, cv, n);                                                          \
  }

KT(128, CELER_KT128_RATE)
KT(256, CELER_KT256_RATE)
