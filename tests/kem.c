/* kem.c: see kem.h. */
#include "kem.h"

/* A set, and the name of a row. */
struct run {
    const struct celer_kem *kem;
    const char *row;
};

void kem_suite_add(struct suite *suite, CMUnitTestFunction test, int set, const char *what)
{
    static struct run runs[32]; /* the same for all tests */
    const struct celer_kem *kem;
    const char *row;
    size_t n = 0;
    for (size_t k = 0; (kem = celer_kem_at(k)) != NULL; k++)
        for (size_t r = 0; (row = row_name(kem->kernel, r)) != NULL; r++) {
            if (n == sizeof runs / sizeof runs[0])
                abort();
            runs[n] = (struct run){kem, row};
            if (set == ALL_SETS || set == kem_number(kem))
                suite_add(suite, test, &runs[n], "%s/%s: %s", kem->name, row, what);
            n++;
        }
}

const struct celer_kem *kem_enter(void **state)
{
    const struct run *const run = *state;
    row_enter(run->kem->kernel, run->row);
    return run->kem;
}

int kem_number(const struct celer_kem *kem)
{
    return atoi(strrchr(kem->name, '-') + 1);
}

void kem_exchange(const struct celer_kem *kem, struct rng *rng, struct kem_exchange *x)
{
    rng_fill(rng, x->seed, sizeof x->seed);
    rng_fill(rng, x->coins, sizeof x->coins);
    kem->keygen(x->ek, x->dk, x->seed);
    assert_int_equal(kem->encaps(x->ct, x->ss, x->ek, x->coins), 0);
}

void kem_rejected(const struct celer_kem *kem, uint8_t *ss, const uint8_t *ct, const uint8_t *dk)
{
    struct celer_shake256 ctx;
    celer_shake256_init(&ctx);
    celer_shake256_update(&ctx, dk + kem->dk_len - 32, 32);
    celer_shake256_update(&ctx, ct, kem->ct_len);
    celer_shake256_squeeze(&ctx, ss, CELER_MLKEM_SS);
}

unsigned kem_coefficient(const uint8_t *key, size_t i)
{
    const uint8_t *const at = key + i / 2 * 3;
    return i % 2 == 0 ? at[0] | (at[1] & 15u) << 8 : at[1] >> 4 | (unsigned)at[2] << 4;
}

void kem_set_coefficient(uint8_t *key, size_t i, unsigned value)
{
    uint8_t *const at = key + i / 2 * 3;
    if (i % 2 == 0) {
        at[0] = (uint8_t)value;
        at[1] = (uint8_t)((at[1] & 0xf0) | value >> 8);
    } else {
        at[1] = (uint8_t)((at[1] & 15) | value << 4);
        at[2] = (uint8_t)(value >> 4);
    }
}
