/* sha2.c: SHA-224 and SHA-256 (FIPS 180-4) on top of the compression function. */
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "base/bytes.h"
#include "base/wipe.h"

_Static_assert(sizeof(struct celer_sha256_state) == 112, "the same everywhere");

/* The first 32 bits of the fractional parts of the square roots of the first 8 primes; for SHA-224, the
   second 32 bits of those of the 9th to the 16th. */
const uint32_t celer_sha256_iv_[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};
const uint32_t celer_sha224_iv_[8] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};

/* Compresses the last blocks of a message of `bits` bits by padding it: n bytes are in block, and `mark` is
   its last bits, if it does not end with a byte, and the 1 after them. */
static void sha256_pad(const struct sha256_backend *row, uint32_t h[8], uint8_t block[SHA256_BLOCK], size_t n,
                       uint8_t mark, uint64_t bits)
{
    block[n++] = mark;
    if (n > SHA256_BLOCK - 8) {
        memset(block + n, 0, SHA256_BLOCK - n);
        row->blocks(h, block, 1);
        n = 0;
    }
    memset(block + n, 0, SHA256_BLOCK - 8 - n);
    store64_be(block + SHA256_BLOCK - 8, bits);
    row->blocks(h, block, 1);
}

/* The last len bytes of a message of `bits` bits, and the padding. */
static void sha256_finish_any(uint32_t h[8], const uint8_t *in, size_t len, uint64_t bits)
{
    const struct sha256_backend *row = celer_sha256_();
    if (row->finish != NULL) {
        row->finish(h, in, len, bits);
        return;
    }
    uint8_t block[SHA256_BLOCK];
    const size_t n = len % SHA256_BLOCK;
    row->blocks(h, in, len / SHA256_BLOCK);
    copy_bytes(block, in + (len - n), n);
    sha256_pad(row, h, block, n, 0x80, bits);
    wipe(block, sizeof block);
}

/* H0 || H1 || .. cut to out_len bytes. */
static void sha256_output(uint8_t *out, size_t out_len, const uint32_t h[8])
{
    for (size_t i = 0; i < out_len / 4; i++)
        store32_be(out + 4 * i, h[i]);
}

void celer_sha256_digest_(const uint32_t iv[8], uint8_t *out, size_t out_len, const void *in, size_t in_len)
{
    static const uint8_t nothing;
    uint32_t h[8];
    memcpy(h, iv, sizeof h);
    sha256_finish_any(h, in_len != 0 ? in : &nothing, in_len, (uint64_t)in_len << 3);
    sha256_output(out, out_len, h);
    wipe(h, sizeof h);
}

void celer_sha256_init_(struct celer_sha256_state *s, const uint32_t iv[8])
{
    s->len = 0;
    memcpy(s->h, iv, sizeof s->h);
    s->alive = 1;
    s->unused = 0;
}

void celer_sha256_update_(struct celer_sha256_state *s, const void *in, size_t in_len)
{
    if (!s->alive || in_len == 0)
        return;
    const struct sha256_backend *row = celer_sha256_();
    const uint8_t *p = in;
    const size_t pos = s->len % SHA256_BLOCK, room = SHA256_BLOCK - pos;
    s->len += in_len;
    if (in_len < room) {
        memcpy(s->block + pos, p, in_len);
        return;
    }
    if (pos != 0) {
        memcpy(s->block + pos, p, room);
        row->blocks(s->h, s->block, 1);
        p += room;
        in_len -= room;
    }
    const size_t rest = in_len % SHA256_BLOCK;
    row->blocks(s->h, p, in_len / SHA256_BLOCK);
    copy_bytes(s->block, p + (in_len - rest), rest);
}

void celer_sha256_final_(struct celer_sha256_state *s, uint8_t *out, size_t out_len)
{
    if (s->alive) {
        sha256_finish_any(s->h, s->block, s->len % SHA256_BLOCK, s->len << 3);
        sha256_output(out, out_len, s->h);
    } else {
        memset(out, 0, out_len);
    }
    wipe(s, sizeof *s);
}

void celer_sha256_final_bits_(struct celer_sha256_state *s, uint8_t *out, size_t out_len, uint8_t last,
                              unsigned nbits)
{
    if (s->alive) {
        const uint8_t one = (uint8_t)(0x80 >> nbits);
        const uint8_t mark = (uint8_t)((last & ~(2 * one - 1)) | one);
        sha256_pad(celer_sha256_(), s->h, s->block, s->len % SHA256_BLOCK, mark, (s->len << 3) + nbits);
        sha256_output(out, out_len, s->h);
    } else {
        memset(out, 0, out_len);
    }
    wipe(s, sizeof *s);
}

void celer_sha224(uint8_t out[CELER_AT_LEAST(28)], const void *in, size_t in_len)
{
    celer_sha256_digest_(celer_sha224_iv_, out, CELER_SHA224_LEN, in, in_len);
}

void celer_sha224_many(uint8_t (*out)[28], const struct celer_msg *msgs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        celer_sha224(out[i], msgs[i].data, msgs[i].len);
}

void celer_sha224_init(struct celer_sha224 *ctx)
{
    celer_sha256_init_(&ctx->state, celer_sha224_iv_);
}

void celer_sha224_update(struct celer_sha224 *ctx, const void *in, size_t in_len)
{
    celer_sha256_update_(&ctx->state, in, in_len);
}

void celer_sha224_final(struct celer_sha224 *ctx, uint8_t out[CELER_AT_LEAST(28)])
{
    celer_sha256_final_(&ctx->state, out, CELER_SHA224_LEN);
}

void celer_sha224_wipe(struct celer_sha224 *ctx)
{
    wipe(ctx, sizeof *ctx);
}

void celer_sha256(uint8_t out[CELER_AT_LEAST(32)], const void *in, size_t in_len)
{
    celer_sha256_digest_(celer_sha256_iv_, out, CELER_SHA256_LEN, in, in_len);
}

void celer_sha256_many(uint8_t (*out)[32], const struct celer_msg *msgs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        celer_sha256(out[i], msgs[i].data, msgs[i].len);
}

void celer_sha256_init(struct celer_sha256 *ctx)
{
    celer_sha256_init_(&ctx->state, celer_sha256_iv_);
}

void celer_sha256_update(struct celer_sha256 *ctx, const void *in, size_t in_len)
{
    celer_sha256_update_(&ctx->state, in, in_len);
}

void celer_sha256_final(struct celer_sha256 *ctx, uint8_t out[CELER_AT_LEAST(32)])
{
    celer_sha256_final_(&ctx->state, out, CELER_SHA256_LEN);
}

void celer_sha256_wipe(struct celer_sha256 *ctx)
{
    wipe(ctx, sizeof *ctx);
}
