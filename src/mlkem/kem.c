/* kem.c: the parameter sets as rows. */
#include "celer/mlkem.h"
#include "mlkem/poly.h"
#include <string.h>

/* The methods take bytes and opened keys of one type each; so an adapter for each function and set. */
#define ADAPT(set)                                                                                          \
  static int ek_open_##set(void *key, const uint8_t *ek)                                                    \
  {                                                                                                         \
    return celer_mlkem##set##_ek_open(key, ek);                                                             \
  }                                                                                                         \
  static int dk_open_##set(void *key, const uint8_t *dk)                                                    \
  {                                                                                                         \
    return celer_mlkem##set##_dk_open(key, dk);                                                             \
  }                                                                                                         \
  static void ek_encaps_##set(uint8_t *ct, uint8_t *ss, const void *key, const uint8_t *coins)              \
  {                                                                                                         \
    celer_mlkem##set##_ek_encaps_coins(ct, ss, key, coins);                                                 \
  }                                                                                                         \
  static void dk_decaps_##set(uint8_t *ss, const uint8_t *ct, const void *key)                              \
  {                                                                                                         \
    celer_mlkem##set##_dk_decaps(ss, ct, key);                                                              \
  }                                                                                                         \
  static void keygen_many_##set(uint8_t *ek, uint8_t *dk, const uint8_t *seed, size_t n)                    \
  {                                                                                                         \
    celer_mlkem##set##_keygen_seed_many((uint8_t(*)[CELER_MLKEM##set##_EK])ek,                              \
                                        (uint8_t(*)[CELER_MLKEM##set##_DK])dk,                              \
                                        (const uint8_t(*)[CELER_MLKEM_SEED])seed, n);                       \
  }                                                                                                         \
  static int encaps_many_##set(uint8_t *ct, uint8_t *ss, const uint8_t *ek, const uint8_t *coins, size_t n) \
  {                                                                                                         \
    return celer_mlkem##set##_encaps_coins_many(                                                            \
        (uint8_t(*)[CELER_MLKEM##set##_CT])ct, (uint8_t(*)[CELER_MLKEM_SS])ss,                              \
        (const uint8_t(*)[CELER_MLKEM##set##_EK])ek, (const uint8_t(*)[CELER_MLKEM_COINS])coins, n);        \
  }                                                                                                         \
  static int decaps_many_##set(uint8_t *ss, const uint8_t *ct, const uint8_t *dk, size_t n)                 \
  {                                                                                                         \
    return celer_mlkem##set##_decaps_many((uint8_t(*)[CELER_MLKEM_SS])ss,                                   \
                                          (const uint8_t(*)[CELER_MLKEM##set##_CT])ct,                      \
                                          (const uint8_t(*)[CELER_MLKEM##set##_DK])dk, n);                  \
  }

#define ROW(set)                                                                                  \
  {                                                                                               \
    .name = "ml-kem-" #set, .source = "FIPS 203", .ek_len = CELER_MLKEM##set##_EK,                \
    .dk_len = CELER_MLKEM##set##_DK, .ct_len = CELER_MLKEM##set##_CT, .ss_len = CELER_MLKEM_SS,   \
    .seed_len = CELER_MLKEM_SEED, .coins_len = CELER_MLKEM_COINS,                                 \
    .open_ek_size = sizeof(struct celer_mlkem##set##_ek),                                         \
    .open_dk_size = sizeof(struct celer_mlkem##set##_dk), .kernel = &celer_poly_kernel_,          \
    .keygen = celer_mlkem##set##_keygen_seed, .encaps = celer_mlkem##set##_encaps_coins,          \
    .decaps = celer_mlkem##set##_decaps, .ek_check = celer_mlkem##set##_ek_check,                 \
    .dk_check = celer_mlkem##set##_dk_check, .ek_open = ek_open_##set, .dk_open = dk_open_##set,  \
    .ek_encaps = ek_encaps_##set, .dk_decaps = dk_decaps_##set, .keygen_many = keygen_many_##set, \
    .encaps_many = encaps_many_##set, .decaps_many = decaps_many_##set,                           \
  }

ADAPT(512)
ADAPT(768)
ADAPT(1024)

static const struct celer_kem kems[] = {ROW(512), ROW(768), ROW(1024)};

const struct celer_kem *celer_kem_at(size_t i)
{
    return i < sizeof kems / sizeof kems[0] ? &kems[i] : NULL;
}

/* Whether the words are the same but for case and hyphens. */
static int same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '-' || *a == '_')
            a++;
        while (*b == '-' || *b == '_')
            b++;
        const int x = *a >= 'A' && *a <= 'Z' ? *a + 32 : *a;
        if (x != *b)
            return 0;
        if (x == '\0')
            return 1;
    }
}

const struct celer_kem *celer_kem_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof kems / sizeof kems[0]; i++)
        if (same_name(name, kems[i].name) || same_name(name, kems[i].name + 3))
            return &kems[i];
    return NULL;
}
