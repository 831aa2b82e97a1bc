/* hmac.c: HMAC over the hashes of the list, FIPS 198-1. */
#include "celer/hash.h"
#include "base/bytes.h"
#include "base/wipe.h"

#define HMAC_MAX_BLOCK 144 /* SHA3-224's */

static const struct celer_hash_opts hmac_plain;

static int hmac_takes(const struct celer_hash *hash)
{
    return hash != NULL && hash->out_max <= hash->block_len && !(hash->flags & CELER_HASH_TREE) &&
           hash->ctx_size <= CELER_HMAC_STATE_SIZE && hash->block_len <= HMAC_MAX_BLOCK;
}

/* A hash that has read one block: the key with zeros behind it, each byte ^ pad. */
static void hmac_start(void *state, const struct celer_hash *hash, const uint8_t *key, size_t key_len,
                       uint8_t pad)
{
    uint8_t block[HMAC_MAX_BLOCK];
    for (size_t i = 0; i < hash->block_len; i++)
        block[i] = (uint8_t)((i < key_len ? key[i] : 0) ^ pad);
    hash->init(state, hash, &hmac_plain);
    hash->update(state, block, hash->block_len);
    wipe(block, sizeof block);
}

int celer_hmac_init(struct celer_hmac_ctx *ctx, const struct celer_hash *hash, const void *key,
                    size_t key_len)
{
    uint8_t digest[HMAC_MAX_BLOCK];
    if (!hmac_takes(hash)) {
        wipe(ctx, sizeof *ctx);
        return CELER_EINVAL;
    }
    if (key_len > hash->block_len) {
        hash->init(ctx->inner.bytes, hash, &hmac_plain);
        hash->update(ctx->inner.bytes, key, key_len);
        hash->final(ctx->inner.bytes, digest, hash->out_len);
        key = digest;
        key_len = hash->out_len;
    }
    ctx->hash = hash;
    ctx->out_len = hash->out_len;
    hmac_start(ctx->inner.bytes, hash, key, key_len, 0x36);
    hmac_start(ctx->outer.bytes, hash, key, key_len, 0x5c);
    if (key == digest)
        wipe(digest, sizeof digest);
    return CELER_OK;
}

void celer_hmac_update(struct celer_hmac_ctx *ctx, const void *in, size_t in_len)
{
    if (ctx->hash != NULL)
        ctx->hash->update(ctx->inner.bytes, in, in_len);
}

void celer_hmac_final(struct celer_hmac_ctx *ctx, uint8_t *out)
{
    const struct celer_hash *hash = ctx->hash;
    if (hash == NULL) {
        memset(out, 0, ctx->out_len);
        return;
    }
    hash->final(ctx->inner.bytes, out, ctx->out_len);
    hash->update(ctx->outer.bytes, out, ctx->out_len);
    hash->final(ctx->outer.bytes, out, ctx->out_len);
    wipe(&ctx->inner, sizeof ctx->inner);
    wipe(&ctx->outer, sizeof ctx->outer);
    ctx->hash = NULL; /* out_len stays, so that a second final has its zeros to write */
}

void celer_hmac_wipe(struct celer_hmac_ctx *ctx)
{
    wipe(ctx, sizeof *ctx);
}

int celer_hmac(const struct celer_hash *hash, uint8_t *out, const void *key, size_t key_len, const void *in,
               size_t in_len)
{
    struct celer_hmac_ctx ctx;
    const int error = celer_hmac_init(&ctx, hash, key, key_len);
    if (error != CELER_OK) {
        if (hash != NULL)
            memset(out, 0, hash->out_len);
        return error;
    }
    celer_hmac_update(&ctx, in, in_len);
    celer_hmac_final(&ctx, out);
    return CELER_OK;
}
