/* nettle.c: Nettle: its tables of functions with one context for all messages; its digest functions leave the context
   ready for the next. */
#include <nettle/nettle-meta.h>
#include <nettle/sha2.h>
#include <nettle/sha3.h>
#include <nettle/version.h>
#include <stdio.h>
#include <stdlib.h>
#include "peer.h"

#if NETTLE_VERSION_MAJOR >= 4
#  define DIGEST(h, ctx, len, out) ((void)(len), (h)->digest(ctx, out))
#else
#  define DIGEST(h, ctx, len, out) (h)->digest(ctx, len, out)
#endif

static int open_context(const struct celer_subject *self, void **state, const char **why)
{
    const struct nettle_hash *h = self->arg;
    *why = "out of memory";
    *state = malloc(h->context_size);
    if (*state == NULL)
        return -1;
    h->init(*state);
    return 0;
}

static void close_context(const struct celer_subject *self, void *state)
{
    (void)self;
    free(state);
}

static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    const struct nettle_hash *h = self->arg;
    h->update(state, in_len, in);
    DIGEST(h, state, self->out_len, out);
}

static void shake256(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len,
                     const void *in, size_t in_len)
{
    (void)self;
    sha3_256_update(state, in_len, in);
    sha3_256_shake(state, out_len, out);
}

#define SUBJECT(of_kind, name, length, h)                                                   \
  PEER_SUBJECT(of_kind, name, length, "reused context"), .arg = &(h), .open = open_context, \
                                                         .close = close_context
#define HASH(name, length, h)                                   \
  {                                                             \
    SUBJECT(CELER_KIND_HASH, name, length, h), .run.hash = hash \
  }

static const struct celer_subject subjects[] = {
    HASH("sha224", SHA224_DIGEST_SIZE, nettle_sha224),
    HASH("sha256", SHA256_DIGEST_SIZE, nettle_sha256),
    HASH("sha384", SHA384_DIGEST_SIZE, nettle_sha384),
    HASH("sha512", SHA512_DIGEST_SIZE, nettle_sha512),
    HASH("sha512-224", SHA512_224_DIGEST_SIZE, nettle_sha512_224),
    HASH("sha512-256", SHA512_256_DIGEST_SIZE, nettle_sha512_256),
    HASH("sha3-224", SHA3_224_DIGEST_SIZE, nettle_sha3_224),
    HASH("sha3-256", SHA3_256_DIGEST_SIZE, nettle_sha3_256),
    HASH("sha3-384", SHA3_384_DIGEST_SIZE, nettle_sha3_384),
    HASH("sha3-512", SHA3_512_DIGEST_SIZE, nettle_sha3_512),
    {SUBJECT(CELER_KIND_XOF, "shake256", 64, nettle_sha3_256), .run.xof = shake256},
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static char version[32];
    static const struct celer_provider provider = {PEER_PROVIDER("nettle"), .version = version};
    (void)why;
    snprintf(version, sizeof version, "%d.%d", nettle_version_major(), nettle_version_minor());
    return &provider;
}
