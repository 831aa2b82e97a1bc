/* hash.c: the list of hashes and the functions of celer/hash.h. */
#include "celer/hash.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "hash/list.h"

static const struct {
    const struct celer_hash *rows;
    const size_t *count;
} hash_families[] = {
#define HASH_FAMILY(name) {celer_##name##_rows_, &celer_##name##_row_count_},
    CELER_FAMILIES(HASH_FAMILY)};

const struct celer_hash *celer_hash_at(size_t i)
{
    for (size_t f = 0; f < sizeof hash_families / sizeof hash_families[0]; f++) {
        if (i < *hash_families[f].count)
            return &hash_families[f].rows[i];
        i -= *hash_families[f].count;
    }
    return NULL;
}

/* Names are ASCII; the locale must have no say. */
static char hash_fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

/* Whether text is '-' and the customary length of an output that may have others, in bits. */
static int hash_says_length(const char *text, const struct celer_hash *hash)
{
    size_t bits = 0, i = 1;
    if (hash->out_min == hash->out_max || hash_fold(text[0]) != '-' || text[1] == '0')
        return 0;
    for (; i < 8 && text[i] >= '0' && text[i] <= '9'; i++)
        bits = 10 * bits + (size_t)(text[i] - '0');
    return text[i] == 0 && bits == 8 * hash->out_len;
}

const struct celer_hash *celer_hash_find(const char *name)
{
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        size_t j = 0;
        while (name[j] != 0 && hash_fold(name[j]) == hash->name[j])
            j++;
        if (hash->name[j] == 0 && (name[j] == 0 || hash_says_length(name + j, hash)))
            return hash;
    }
    return NULL;
}

static const struct celer_hash_opts hash_plain; /* what NULL stands for */

/* The output length that opts ask for, checked with the rest of opts against the row; 0 and *ok = 0 when they do not
   fit. An output of 0 bytes cannot be asked for: 0 stands for the customary length. */
static size_t hash_check(const struct celer_hash *hash, const struct celer_hash_opts *opts, int *ok)
{
    *ok = 0;
    if (hash == NULL)
        return 0;
    const size_t out_len = opts->out_len != 0 ? opts->out_len : hash->out_len;
    *ok = out_len >= hash->out_min && out_len <= hash->out_max && opts->key_len >= hash->key_min &&
          opts->key_len <= hash->key_max && (opts->custom_len == 0 || (hash->flags & CELER_HASH_CUSTOM)) &&
          (opts->salt_len == 0 || opts->salt_len == hash->salt_len) &&
          (opts->personal_len == 0 || opts->personal_len == hash->salt_len) &&
          (opts->name_len == 0 || (hash->flags & CELER_HASH_NAME)) &&
          (opts->block_len == 0 || (hash->flags & CELER_HASH_BLOCK)) &&
          (opts->domain == 0 || (opts->domain <= 0x7f && (hash->flags & CELER_HASH_DOMAIN)));
    return *ok ? out_len : 0;
}

int celer_hash_init(struct celer_hash_ctx *ctx, const struct celer_hash *hash,
                    const struct celer_hash_opts *opts)
{
    int ok;
    if (opts == NULL)
        opts = &hash_plain;
    const size_t out_len = hash_check(hash, opts, &ok);
    if (!ok) {
        wipe(ctx, sizeof *ctx);
        return CELER_EINVAL;
    }
    ctx->hash = hash;
    ctx->out_len = out_len;
    hash->init(ctx->state.bytes, hash, opts);
    return CELER_OK;
}

void celer_hash_update(struct celer_hash_ctx *ctx, const void *in, size_t in_len)
{
    if (ctx->hash != NULL)
        ctx->hash->update(ctx->state.bytes, in, in_len);
}

void celer_hash_final(struct celer_hash_ctx *ctx, uint8_t *out)
{
    if (ctx->hash == NULL) {
        memset(out, 0, ctx->out_len);
        return;
    }
    ctx->hash->final(ctx->state.bytes, out, ctx->out_len);
    wipe(ctx->state.bytes, ctx->hash->ctx_size);
    ctx->hash = NULL; /* out_len stays, so that a second final has its zeros to write */
}

int celer_hash_squeeze(struct celer_hash_ctx *ctx, uint8_t *out, size_t out_len)
{
    if (ctx->hash == NULL || ctx->hash->squeeze == NULL) {
        if (out_len != 0)
            memset(out, 0, out_len);
        return CELER_EINVAL;
    }
    ctx->hash->squeeze(ctx->state.bytes, out, out_len);
    return CELER_OK;
}

int celer_hash_many(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                    const struct celer_msg *msgs, size_t n)
{
    int ok;
    if (opts == NULL)
        opts = &hash_plain;
    const size_t out_len = hash_check(hash, opts, &ok);
    if (!ok)
        return CELER_EINVAL;
    if (hash->many != NULL) {
        hash->many(hash, opts, out, out_len, msgs, n);
        return CELER_OK;
    }
    struct celer_hash_ctx ctx;
    for (size_t i = 0; i < n; i++) {
        hash->init(ctx.state.bytes, hash, opts);
        hash->update(ctx.state.bytes, msgs[i].data, msgs[i].len);
        hash->final(ctx.state.bytes, out + i * out_len, out_len);
    }
    if (n != 0)
        wipe(ctx.state.bytes, hash->ctx_size);
    return CELER_OK;
}

void celer_hash_wipe(struct celer_hash_ctx *ctx)
{
    wipe(ctx, sizeof *ctx);
}
