/* kinds.c: a plug-in of the kinds that hashes are not: toys, for the shapes of their tables (cli/kinds.sh). */
#include <stdlib.h>
#include <string.h>
#include "celer/provider.h"

#define LEN  32 /* bytes of keys, ciphertexts, secrets and links */
#define MOST 8  /* ways */

/* out depends on every byte of a and b. */
static void mix(uint8_t out[LEN], const uint8_t a[LEN], const uint8_t b[LEN])
{
    uint8_t mixed[LEN];
    uint32_t h = UINT32_C(0x811c9dc5);
    for (size_t i = 0; i < (size_t)3 * LEN; i++) {
        h = (h ^ (i % 2 == 0 ? a : b)[i / 2 % LEN]) * UINT32_C(0x01000193);
        mixed[i % LEN] = (uint8_t)(h >> 24);
    }
    memcpy(out, mixed, LEN);
}

/* --- A chain, whose links are not in celer's list of hashes --- */

static void chain(const struct celer_subject *self, void *state, uint8_t (*hash)[32], uint64_t iterations)
{
    (void)state;
    for (uint32_t w = 0; w < self->ways; w++)
        for (uint64_t i = 0; i < iterations; i++)
            mix(hash[w], hash[w], hash[w]);
}

/* --- A KEM: both keys are the same --- */

struct keys {
    uint8_t bytes[MOST * LEN];
};

static int open_kem(const struct celer_subject *self, void **state, const char **why)
{
    (void)self;
    *why = "out of memory";
    *state = calloc(1, sizeof(struct keys));
    return *state != NULL ? 0 : -1;
}

static void close_kem(const struct celer_subject *self, void *state)
{
    (void)self;
    free(state);
}

static int keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                  const uint8_t *seed64)
{
    (void)state;
    for (uint32_t w = 0; w < self->ways; w++)
        mix(ek + w * LEN, seed64 + (size_t)w * 64, seed64 + (size_t)w * 64 + LEN);
    memcpy(dk, ek, (size_t)self->ways * LEN);
    return 0;
}

static int open_keys(const struct celer_subject *self, void *state, const uint8_t *ek, const uint8_t *dk)
{
    (void)dk;
    memcpy(((struct keys *)state)->bytes, ek, (size_t)self->ways * LEN);
    return 0;
}

static int decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                  const uint8_t *dk)
{
    const uint8_t *const key = self->run.kem.open_keys != NULL ? ((struct keys *)state)->bytes : dk;
    for (uint32_t w = 0; w < self->ways; w++)
        mix(ss + w * LEN, ct + w * LEN, key + w * LEN);
    return 0;
}

static int encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss, const uint8_t *ek,
                  const uint8_t *coins32)
{
    memcpy(ct, coins32, (size_t)self->ways * LEN);
    return decaps(self, state, ss, ct, ek);
}

/* --- The table --- */

#define CHAIN(lanes)                                                                                    \
  {                                                                                                     \
    .kind = CELER_KIND_CHAIN, .flags = CELER_SUBJECT_DEFAULT, .ways = (lanes), .function = "toy-chain", \
    .backend = "", .notes = "", .out_len = LEN, .run.chain = chain                                      \
  }
#define KEM(name, keys, opener) PART(name, keys, keygen, encaps, decaps, opener)
#define PART(name, keys, keymaker, sender, receiver, opener)                                       \
  {                                                                                                \
    .kind = CELER_KIND_KEM, .flags = CELER_SUBJECT_DEFAULT, .ways = (keys), .function = (name),    \
    .backend = "", .notes = "", .out_len = LEN, .open = open_kem, .close = close_kem, .run.kem = { \
        LEN,                                                                                       \
        LEN,                                                                                       \
        LEN,                                                                                       \
        keymaker,                                                                                  \
        sender,                                                                                    \
        receiver,                                                                                  \
        opener                                                                                     \
    }                                                                                              \
  }
#define SET(name) KEM(name, 1, NULL), KEM(name, 8, NULL), KEM(name, 1, open_keys), KEM(name, 8, open_keys)

/* The names begin as the real ones do, whose beginning tables leave out, and end so that nobody takes them for one. */
static const struct celer_subject subjects[] = {
    CHAIN(1),
    CHAIN(4),
    SET("ml-kem-toy1"),
    SET("ml-kem-toy2"),
    SET("ml-kem-toy3"),
    PART("ml-kem-keyless", 1, NULL, encaps, decaps, NULL),
    PART("ml-kem-mute", 1, keygen, NULL, decaps, NULL),
    PART("ml-kem-deaf", 1, keygen, encaps, NULL, NULL),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static const struct celer_provider provider = {
        .abi = CELER_PROVIDER_ABI,
        .subject_size = sizeof(struct celer_subject),
        .library = "toys",
        .version = "1",
        .compiler = "",
        .flags = "",
        .subjects = subjects,
        .subject_count = sizeof subjects / sizeof subjects[0],
    };
    (void)why;
    return &provider;
}
