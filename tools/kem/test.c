/* test.c: `celer kem test`: whether this machine computes ML-KEM as the standard has it. */
#include "kem.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli.h"

enum {
    AT_ONCE = 8,
    OPEN_EK_MAX = sizeof(struct celer_mlkem1024_ek),
    OPEN_DK_MAX = sizeof(struct celer_mlkem1024_dk)
};

/* Answers computed by others: case 0 of the deterministic NIST-style tests, which for all sets has the same d || z, and
   m. Of keys and ciphertext the SHA3-256 digests. */
static const char known_seed[] = "7c9935a0b07694aa0c6d10e4db6b1add2fd81a25ccb148032dcd739936737f2d"
                                 "8626ed79d451140800e03b59b956f8210e556067407d13dc90fa9e8b872bfb8f";
static const char known_coins[] = "147c03f7a5bebba406c8fae1874d7f13c80efe79a3a9a874cc09fe76f6997615";
static const struct known {
    const char *name, *ek, *dk, *ct, *ss;
} known[] = {
    {"ml-kem-512", "50c8dd152a4531aab560d2fc7ca9a40ad8af25ad1dd08c6d79afe4dd4d1eee5a",
     "2e08d2c82a07f5f67878b54e06848c924ee7a0929cb6440d06fffd9622687b48",
     "ed14369380d501d2bb28861a26ad092b1bbd6764c083244551c436ccf98dd9f8",
     "319839e82ab6b222de7b619e80da8391522bbb37677018494a4742c53f9abfdf"},
    {"ml-kem-768", "f57262661358cde8d3ebf990e5fd1d5b896c992ccfaadb5256b68bbf5943b132",
     "7deef44965b03d76de543ad6ef9e74a2772fa5a9fa0e761120dac767cf0152ef",
     "6e777e2cf8054659136a971d9e70252f301226930c19c470ee0688163a63c15b",
     "e7184a0975ee3470878d2d159ec83129c8aec253d4ee17b4810311d198cd0368"},
    {"ml-kem-1024", "ebbe41cd4dea489dedd00e76ae0bcf54aa8550202920eb64d5892ad02b13f2e5",
     "ecfa369ec7e834204291fccb4d59c3fd1557b0ec3ab2ed7d50c98c01f292612e",
     "507dcdae0432f558189a09c5e79fd69896e2f830e37ae4d598b00566e55f20f5",
     "489dd1e9c2be4af3482bdb35bb26ce760e6e414da6ecbe489985748a825f1cd6"},
};

/* Round trips side by side: what goes in, what has to come out, and what came out another way. */
struct trips {
    uint8_t seed[AT_ONCE * CELER_MLKEM_SEED], coins[AT_ONCE * CELER_MLKEM_COINS];
    uint8_t ek[AT_ONCE * KEM_EK_MAX], dk[AT_ONCE * KEM_DK_MAX], ct[AT_ONCE * KEM_CT_MAX];
    uint8_t ss[AT_ONCE * CELER_MLKEM_SS];
    uint8_t ek1[KEM_EK_MAX], dk1[KEM_DK_MAX], ct1[KEM_CT_MAX], ss1[CELER_MLKEM_SS];
    uint8_t received[AT_ONCE * CELER_MLKEM_SS];
    union {
        struct celer_mlkem1024_ek largest;
        uint8_t bytes[OPEN_EK_MAX];
    } open_ek;
    union {
        struct celer_mlkem1024_dk largest;
        uint8_t bytes[OPEN_DK_MAX];
    } open_dk;
};

static bool is_digest(const char *hex, const uint8_t *bytes, size_t n)
{
    uint8_t digest[32], expected[32];
    size_t length;
    celer_sha3_256(digest, bytes, n);
    return kem_hex_decode(expected, &length, hex, strlen(hex)) &&
           memcmp(digest, expected, sizeof digest) == 0;
}

/* Each returns NULL, or what is wrong. */
static const char *try_known(const struct celer_kem *kem, struct trips *t)
{
    size_t length;
    uint8_t expected[CELER_MLKEM_SS];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, kem->name) != 0)
            continue;
        kem_hex_decode(t->seed, &length, known_seed, strlen(known_seed));
        kem_hex_decode(t->coins, &length, known_coins, strlen(known_coins));
        kem_hex_decode(expected, &length, known[i].ss, strlen(known[i].ss));
        kem->keygen(t->ek, t->dk, t->seed);
        if (!is_digest(known[i].ek, t->ek, kem->ek_len) || !is_digest(known[i].dk, t->dk, kem->dk_len))
            return "the keys of the known answer are wrong";
        if (kem->encaps(t->ct, t->ss, t->ek, t->coins) != CELER_OK ||
            !is_digest(known[i].ct, t->ct, kem->ct_len) || memcmp(t->ss, expected, sizeof expected) != 0)
            return "the ciphertext or the secret of the known answer is wrong";
        return NULL;
    }
    return "there is no known answer";
}

/* Each key is valid, and is refused when something is wrong with it. */
static const char *try_checks(const struct celer_kem *kem, struct trips *t)
{
    if (kem->ek_check(t->ek) != CELER_OK || kem->dk_check(t->dk) != CELER_OK)
        return "a good key is refused";
    memcpy(t->ek1, t->ek, kem->ek_len);
    memcpy(t->dk1, t->dk, kem->dk_len);
    t->ek1[0] = 0xff; /* the first coefficient is 4095 */
    t->ek1[1] |= 0x0f;
    t->dk1[kem->dk_len - 64] ^= 1; /* the hash */
    if (kem->ek_check(t->ek1) == CELER_OK || kem->encaps(t->ct1, t->ss1, t->ek1, t->coins) == CELER_OK)
        return "a coefficient out of range is not refused";
    if (kem->dk_check(t->dk1) == CELER_OK || kem->decaps(t->ss1, t->ct, t->dk1) == CELER_OK)
        return "a wrong hash in a decapsulation key is not refused";
    return NULL;
}

/* Trip number i one by one: the same keys, ciphertext and secret, with opened keys too; and for a ciphertext with one
   wrong bit the secret SHAKE256(z || c), section 6.3. */
static const char *try_one(const struct celer_kem *kem, struct trips *t, size_t i)
{
    const uint8_t *const ek = t->ek + i * kem->ek_len, *const dk = t->dk + i * kem->dk_len;
    const uint8_t *const ct = t->ct + i * kem->ct_len, *const ss = t->ss + i * kem->ss_len;
    const uint8_t *const coins = t->coins + i * kem->coins_len;
    kem->keygen(t->ek1, t->dk1, t->seed + i * kem->seed_len);
    if (memcmp(t->ek1, ek, kem->ek_len) != 0 || memcmp(t->dk1, dk, kem->dk_len) != 0)
        return "keys made alone differ from keys made side by side";
    if (kem->encaps(t->ct1, t->ss1, ek, coins) != CELER_OK || memcmp(t->ct1, ct, kem->ct_len) != 0 ||
        memcmp(t->ss1, ss, kem->ss_len) != 0)
        return "encapsulation alone differs from that side by side";
    if (memcmp(t->received + i * kem->ss_len, ss, kem->ss_len) != 0)
        return "the secret does not arrive side by side";
    if (kem->decaps(t->ss1, ct, dk) != CELER_OK || memcmp(t->ss1, ss, kem->ss_len) != 0)
        return "the secret does not arrive";
    if (kem->ek_open(&t->open_ek, ek) != CELER_OK || kem->dk_open(&t->open_dk, dk) != CELER_OK)
        return "a key cannot be opened";
    kem->ek_encaps(t->ct1, t->ss1, &t->open_ek, coins);
    if (memcmp(t->ct1, ct, kem->ct_len) != 0 || memcmp(t->ss1, ss, kem->ss_len) != 0)
        return "an opened key encapsulates otherwise";
    kem->dk_decaps(t->ss1, ct, &t->open_dk);
    if (memcmp(t->ss1, ss, kem->ss_len) != 0)
        return "the secret does not arrive at an opened key";

    struct celer_shake256 ctx;
    uint8_t expected[CELER_MLKEM_SS], opened[CELER_MLKEM_SS];
    const size_t bit = ((size_t)coins[0] << 8 | coins[1]) % (8 * kem->ct_len);
    t->ct1[bit / 8] ^= (uint8_t)(1u << bit % 8);
    celer_shake256_init(&ctx);
    celer_shake256_update(&ctx, dk + kem->dk_len - 32, 32);
    celer_shake256_update(&ctx, t->ct1, kem->ct_len);
    celer_shake256_squeeze(&ctx, expected, sizeof expected);
    kem->dk_decaps(opened, t->ct1, &t->open_dk);
    if (kem->decaps(t->ss1, t->ct1, dk) != CELER_OK || memcmp(t->ss1, expected, sizeof expected) != 0 ||
        memcmp(opened, expected, sizeof expected) != 0)
        return "a forged ciphertext is not rejected as it has to be";
    return NULL;
}

/* What failed can be computed again: the seed and the coins are test data, and no key. */
static void show(const struct celer_kem *kem, const struct trips *t, size_t i)
{
    char text[2 * CELER_MLKEM_SEED + 1];
    size_t n = kem_hex_encode(text, t->seed + i * kem->seed_len, kem->seed_len);
    cli_error("with keygen -p %s --coins %.*s", strrchr(kem->name, '-') + 1, (int)n - 1, text);
    n = kem_hex_encode(text, t->coins + i * kem->coins_len, kem->coins_len);
    cli_error("and encaps --coins %.*s", (int)n - 1, text);
}

static const char *try_trips(const struct celer_kem *kem, struct trips *t, size_t n, size_t *bad)
{
    if (celer_random(t->seed, n * kem->seed_len) != CELER_OK ||
        celer_random(t->coins, n * kem->coins_len) != CELER_OK)
        return celer_strerror(CELER_ERANDOM);
    kem->keygen_many(t->ek, t->dk, t->seed, n);
    if (kem->encaps_many(t->ct, t->ss, t->ek, t->coins, n) != CELER_OK ||
        kem->decaps_many(t->received, t->ct, t->dk, n) != CELER_OK)
        return "a key that was just made is refused side by side";
    for (*bad = 0; *bad < n; ++*bad) {
        const char *const wrong = try_one(kem, t, *bad);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

static bool try_set(const struct celer_kem *kem, const char *row, struct trips *t, uint64_t rounds)
{
    size_t bad = AT_ONCE;
    const char *wrong = try_known(kem, t);
    if (wrong == NULL)
        wrong = try_checks(kem, t);
    for (uint64_t done = 0; wrong == NULL && done < rounds;) {
        const size_t n = rounds - done < AT_ONCE ? (size_t)(rounds - done) : AT_ONCE;
        bad = n;
        wrong = try_trips(kem, t, n, &bad);
        if (wrong != NULL && bad < n)
            show(kem, t, bad);
        done += n;
    }
    if (wrong == NULL)
        printf("%s %s: %" PRIu64 " round trips, known answer, implicit rejection, key checks: good\n",
               kem->name, row, rounds);
    else
        cli_error("%s %s: FAILED: %s", kem->name, row, wrong);
    return wrong == NULL;
}

bool kem_use_row(const struct celer_backend *row)
{
    const uint32_t missing = row->needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected();
    char names[256];
    uint32_t mask;
    if (missing != 0)
        cli_error("backend '%s' cannot run here: this CPU or system lacks %s", row->name,
                  cli_bit_names(missing, names, sizeof names));
    if (missing != 0 || cli_backend(row->name, &mask) != 0)
        return false;
    celer_cpu_mask(mask | row->needs);
    return true;
}

/* All sets, or one, on the row that runs. */
static bool try_sets(const struct celer_kem *only, const char *row, struct trips *t, uint64_t rounds)
{
    const struct celer_kem *kem;
    bool good = true;
    for (size_t i = 0; (kem = celer_kem_at(i)) != NULL; i++)
        if (only == NULL || kem == only)
            good = try_set(kem, row, t, rounds) && good;
    return good;
}

/* Each backend by its name, and what runs when none is named; one that this CPU lacks is said, and is no failure. */
static bool try_rows(const struct celer_kem *only, struct trips *t, uint64_t rounds)
{
    const struct celer_kernel *const kernel = celer_kem_at(0)->kernel;
    const struct celer_backend *row;
    bool good = true;
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++) {
        if (!kem_use_row(row))
            continue;
        if (celer_kernel_choice(kernel, 1) == row) {
            good = try_sets(only, row->name, t, rounds) && good;
        } else {
            cli_error("%s: FAILED: another backend runs in its place", row->name);
            good = false;
        }
    }
    celer_cpu_mask(CELER_CPU_AUTO);
    return try_sets(only, "auto", t, rounds) && good;
}

int kem_test(const struct celer_kem *only, bool all_backends, uint64_t rounds)
{
    struct trips *const t = malloc(sizeof *t);
    if (t == NULL) {
        cli_error("out of memory");
        return EXIT_TROUBLE;
    }
    const bool good = all_backends
                          ? try_rows(only, t, rounds)
                          : try_sets(only, celer_kernel_choice(celer_kem_at(0)->kernel, 1)->name, t, rounds);
    free(t);
    return good ? EXIT_GOOD : EXIT_NEGATIVE;
}
