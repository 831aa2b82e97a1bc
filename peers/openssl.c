/* openssl.c: OpenSSL 3: EVP, as its manual advises where speed matters: the algorithm is fetched once, and one context
   serves all messages. (EVP_Digest and SHA256() make and free a context each time.) */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include "peer.h"

struct state {
    EVP_MD *md;
    EVP_MD_CTX *ctx;
};

static void close_md(const struct celer_subject *self, void *state)
{
    struct state *s = state;
    (void)self;
    EVP_MD_CTX_free(s->ctx);
    EVP_MD_free(s->md);
    free(s);
}

static int open_md(const struct celer_subject *self, void **state, const char **why)
{
    struct state *s = calloc(1, sizeof *s);
    *why = "out of memory";
    if (s == NULL)
        return -1;
    s->md = EVP_MD_fetch(NULL, self->arg, NULL);
    s->ctx = EVP_MD_CTX_new();
    if (s->md == NULL || s->ctx == NULL || EVP_DigestInit_ex2(s->ctx, s->md, NULL) != 1) {
        if (s->md == NULL)
            *why = "this OpenSSL, or its configuration, does not offer it";
        close_md(self, s);
        return -1;
    }
    *state = s;
    return 0;
}

/* A call that fails writes nothing, and that is noticed. */
static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    const struct state *s = state;
    (void)self;
    if (EVP_DigestInit_ex2(s->ctx, NULL, NULL) == 1 && EVP_DigestUpdate(s->ctx, in, in_len) == 1)
        EVP_DigestFinal_ex(s->ctx, out, NULL);
}

static void xof(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len, const void *in,
                size_t in_len)
{
    const struct state *s = state;
    (void)self;
    if (EVP_DigestInit_ex2(s->ctx, NULL, NULL) == 1 && EVP_DigestUpdate(s->ctx, in, in_len) == 1)
        EVP_DigestFinalXOF(s->ctx, out, out_len);
}

static int refuse_kem(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)state;
    *why = OPENSSL_version_major() > 3 || (OPENSSL_version_major() == 3 && OPENSSL_version_minor() >= 5)
               ? "this plug-in does not reach the ML-KEM of OpenSSL"
               : "ML-KEM needs OpenSSL 3.5";
    return -1;
}

#define SUBJECT(of_kind, name, length, id) \
  PEER_SUBJECT(of_kind, name, length, "reused context"), .arg = (id), .open = open_md, .close = close_md
#define HASH(name, length, id)                                   \
  {                                                              \
    SUBJECT(CELER_KIND_HASH, name, length, id), .run.hash = hash \
  }
#define XOF(name, length, id)                                 \
  {                                                           \
    SUBJECT(CELER_KIND_XOF, name, length, id), .run.xof = xof \
  }
#define KEM(name)                                                  \
  {                                                                \
    PEER_SUBJECT(CELER_KIND_KEM, name, 32, ""), .open = refuse_kem \
  }

static const struct celer_subject subjects[] = {
    HASH("sha224", 28, "SHA2-224"),
    HASH("sha256", 32, "SHA2-256"),
    HASH("sha384", 48, "SHA2-384"),
    HASH("sha512", 64, "SHA2-512"),
    HASH("sha512-224", 28, "SHA2-512/224"),
    HASH("sha512-256", 32, "SHA2-512/256"),
    HASH("sha3-224", 28, "SHA3-224"),
    HASH("sha3-256", 32, "SHA3-256"),
    HASH("sha3-384", 48, "SHA3-384"),
    HASH("sha3-512", 64, "SHA3-512"),
    XOF("shake128", 32, "SHAKE-128"),
    XOF("shake256", 64, "SHAKE-256"),
    HASH("blake2b", 64, "BLAKE2B-512"),
    HASH("blake2s", 32, "BLAKE2S-256"),
    KEM("ml-kem-512"),
    KEM("ml-kem-768"),
    KEM("ml-kem-1024"),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static struct celer_provider provider = {PEER_PROVIDER("openssl")};
    (void)why;
    provider.version = OpenSSL_version(OPENSSL_VERSION_STRING);
    return &provider;
}
