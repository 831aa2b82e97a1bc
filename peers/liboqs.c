/* liboqs.c: liboqs: its ML-KEM, with the seeds and coins that it is given. The SHA-3 and SHAKE inside, one or four at a
   time, are not for its users. */
#include <oqs/oqs.h>
#include "peer.h"

static int open_kem(const struct celer_subject *self, void **state, const char **why)
{
    *why = "this liboqs was built without it";
    *state = OQS_KEM_new(self->arg);
    return *state != NULL ? 0 : -1;
}

static void close_kem(const struct celer_subject *self, void *state)
{
    (void)self;
    OQS_KEM_free(state);
}

static int keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                  const uint8_t *seed64)
{
    const OQS_KEM *const kem = state;
    (void)self;
    return kem->keypair_derand(ek, dk, seed64) != OQS_SUCCESS;
}

static int encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss, const uint8_t *ek,
                  const uint8_t *coins32)
{
    const OQS_KEM *const kem = state;
    (void)self;
    return kem->encaps_derand(ct, ss, ek, coins32) != OQS_SUCCESS;
}

static int decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                  const uint8_t *dk)
{
    const OQS_KEM *const kem = state;
    (void)self;
    return kem->decaps(ss, ct, dk) != OQS_SUCCESS;
}

#define KEM(name, id, ek, dk, ct)                         \
  {                                                       \
    .arg = (id), .open = open_kem, .close = close_kem,    \
    .run.kem = {.ek_len = (ek),                           \
                .dk_len = (dk),                           \
                .ct_len = (ct),                           \
                .keygen = keygen,                         \
                .encaps = encaps,                         \
                .decaps = decaps},                        \
    PEER_SUBJECT(CELER_KIND_KEM, name, 32, "seeds given") \
  }

static const struct celer_subject subjects[] = {
    KEM("ml-kem-512", OQS_KEM_alg_ml_kem_512, 800, 1632, 768),
    KEM("ml-kem-768", OQS_KEM_alg_ml_kem_768, 1184, 2400, 1088),
    KEM("ml-kem-1024", OQS_KEM_alg_ml_kem_1024, 1568, 3168, 1568),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static struct celer_provider provider = {PEER_PROVIDER("liboqs")};
    (void)why;
    OQS_init();
    provider.version = OQS_version();
    return &provider;
}
