/* kem.h: what the tests of KEMs share: each runs for every parameter set, on every row of the arithmetic by name. */
#ifndef KEM_H
#define KEM_H
#include "celer/mlkem.h"
#include "support.h"

/* The largest of the parameter sets. */
enum { MOST_EK = CELER_MLKEM1024_EK, MOST_DK = CELER_MLKEM1024_DK, MOST_CT = CELER_MLKEM1024_CT };

/* Room for an opened key of any set. */
union any_open_ek {
    struct celer_mlkem512_ek ek512;
    struct celer_mlkem768_ek ek768;
    struct celer_mlkem1024_ek ek1024;
};
union any_open_dk {
    struct celer_mlkem512_dk dk512;
    struct celer_mlkem768_dk dk768;
    struct celer_mlkem1024_dk dk1024;
};

/* Adds the test for each set, or for the one of that number, and each row: "ml-kem-768/avx2: WHAT". */
enum { ALL_SETS = 0 };
void kem_suite_add(struct suite *suite, CMUnitTestFunction test, int set, const char *what);

/* In such a test: the set, whose row runs from here on; skipped when this CPU lacks it. */
const struct celer_kem *kem_enter(void **state);

/* The number in the name of a set. */
int kem_number(const struct celer_kem *kem);

/* Seed, keys, coins, ciphertext and secret of one exchange. */
struct kem_exchange {
    uint8_t seed[CELER_MLKEM_SEED], coins[CELER_MLKEM_COINS];
    uint8_t ek[MOST_EK], dk[MOST_DK], ct[MOST_CT], ss[CELER_MLKEM_SS];
};

/* A random one, by the row that runs. */
void kem_exchange(const struct celer_kem *kem, struct rng *rng, struct kem_exchange *x);

/* What decapsulation gives for a ciphertext that is not of the key: SHAKE256(z || ct). */
void kem_rejected(const struct celer_kem *kem, uint8_t *ss, const uint8_t *ct, const uint8_t *dk);

/* The 12 bits of a coefficient of a key. */
unsigned kem_coefficient(const uint8_t *key, size_t i);
void kem_set_coefficient(uint8_t *key, size_t i, unsigned value);
#endif
