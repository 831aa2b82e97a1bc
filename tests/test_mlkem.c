/* test_mlkem.c: what ML-KEM does with keys and ciphertexts, good and bad, on every row. The vectors are in
   test_mlkem_vectors.c, the stack in test_mlkem_stack.c. */
#include "kem.h"

enum { Q = 3329, COEFFICIENTS = 256 };

/* --- The typed functions, behind pointers to anything --- */

struct typed {
    int number;
    size_t ek_len, dk_len, ct_len, open_ek_size, open_dk_size;
    int (*keygen)(uint8_t *ek, uint8_t *dk);
    int (*encaps)(uint8_t *ct, uint8_t *ss, const uint8_t *ek);
    int (*decaps)(uint8_t *ss, const uint8_t *ct, const uint8_t *dk);
    void (*keygen_seed)(uint8_t *ek, uint8_t *dk, const uint8_t *seed);
    int (*encaps_coins)(uint8_t *ct, uint8_t *ss, const uint8_t *ek, const uint8_t *m);
    int (*ek_check)(const uint8_t *ek);
    int (*dk_check)(const uint8_t *dk);
    int (*ek_open)(void *key, const uint8_t *ek);
    int (*dk_open)(void *key, const uint8_t *dk);
    void (*dk_open_seed)(void *key, const uint8_t *seed);
    int (*ek_encaps)(uint8_t *ct, uint8_t *ss, const void *key);
    void (*ek_encaps_coins)(uint8_t *ct, uint8_t *ss, const void *key, const uint8_t *m);
    void (*dk_decaps)(uint8_t *ss, const uint8_t *ct, const void *key);
    void (*ek_wipe)(void *key);
    void (*dk_wipe)(void *key);
};

#define TYPED(n)                                                                               \
  static int ek_open_##n(void *key, const uint8_t *ek)                                         \
  {                                                                                            \
    return celer_mlkem##n##_ek_open(key, ek);                                                  \
  }                                                                                            \
  static int dk_open_##n(void *key, const uint8_t *dk)                                         \
  {                                                                                            \
    return celer_mlkem##n##_dk_open(key, dk);                                                  \
  }                                                                                            \
  static void dk_open_seed_##n(void *key, const uint8_t *seed)                                 \
  {                                                                                            \
    celer_mlkem##n##_dk_open_seed(key, seed);                                                  \
  }                                                                                            \
  static int ek_encaps_##n(uint8_t *ct, uint8_t *ss, const void *key)                          \
  {                                                                                            \
    return celer_mlkem##n##_ek_encaps(ct, ss, key);                                            \
  }                                                                                            \
  static void ek_encaps_coins_##n(uint8_t *ct, uint8_t *ss, const void *key, const uint8_t *m) \
  {                                                                                            \
    celer_mlkem##n##_ek_encaps_coins(ct, ss, key, m);                                          \
  }                                                                                            \
  static void dk_decaps_##n(uint8_t *ss, const uint8_t *ct, const void *key)                   \
  {                                                                                            \
    celer_mlkem##n##_dk_decaps(ss, ct, key);                                                   \
  }                                                                                            \
  static void ek_wipe_##n(void *key)                                                           \
  {                                                                                            \
    celer_mlkem##n##_ek_wipe(key);                                                             \
  }                                                                                            \
  static void dk_wipe_##n(void *key)                                                           \
  {                                                                                            \
    celer_mlkem##n##_dk_wipe(key);                                                             \
  }
TYPED(512)
TYPED(768)
TYPED(1024)

#define TYPED_ROW(n)                                                                                      \
  {                                                                                                       \
    n, CELER_MLKEM##n##_EK, CELER_MLKEM##n##_DK, CELER_MLKEM##n##_CT, sizeof(struct celer_mlkem##n##_ek), \
        sizeof(struct celer_mlkem##n##_dk), celer_mlkem##n##_keygen, celer_mlkem##n##_encaps,             \
        celer_mlkem##n##_decaps, celer_mlkem##n##_keygen_seed, celer_mlkem##n##_encaps_coins,             \
        celer_mlkem##n##_ek_check, celer_mlkem##n##_dk_check, ek_open_##n, dk_open_##n, dk_open_seed_##n, \
        ek_encaps_##n, ek_encaps_coins_##n, dk_decaps_##n, ek_wipe_##n, dk_wipe_##n                       \
  }
static const struct typed typed[] = {TYPED_ROW(512), TYPED_ROW(768), TYPED_ROW(1024)};
enum { SETS = sizeof typed / sizeof typed[0] };

static const struct typed *typed_of(const struct celer_kem *kem)
{
    size_t i = 0;
    while (i < SETS && typed[i].number != kem_number(kem))
        i++;
    assert_true(i < SETS);
    return &typed[i];
}

/* --- The list --- */

static void test_list(void **state)
{
    static const struct {
        const char *name;
        size_t lengths[5]; /* of FIPS 203, table 3, and the dimension */
    } sets[] = {{"ml-kem-512", {800, 1632, 768, 2}},
                {"ml-kem-768", {1184, 2400, 1088, 3}},
                {"ml-kem-1024", {1568, 3168, 1568, 4}}};
    static const char *const names[][3] = {{"ML-KEM-512", "mlkem512", "kem512"},
                                           {"ml_kem_768", "MLKEM768", "KEM768"},
                                           {"Ml-Kem-1024", "mlkem1024", "kem1024"}};
    static const char *const none[] = {"",         "ml-kem", "ml-kem-51", "ml-kem-5120", "ml-kem-256",
                                       "kyber768", "768",    "sha3-256",  "kem"};
    (void)state;
    for (size_t i = 0; i < SETS; i++) {
        const struct celer_kem *const kem = celer_kem_at(i);
        const size_t k = sets[i].lengths[3], open_ek = 512 * k * k + 512 * k + 32;
        assert_non_null(kem);
        assert_string_equal(kem->name, sets[i].name);
        assert_string_equal(kem->source, "FIPS 203");
        assert_int_equal(kem->ek_len, sets[i].lengths[0]);
        assert_int_equal(kem->dk_len, sets[i].lengths[1]);
        assert_int_equal(kem->ct_len, sets[i].lengths[2]);
        assert_int_equal(kem->ss_len, 32);
        assert_int_equal(kem->seed_len, 64);
        assert_int_equal(kem->coins_len, 32);
        assert_int_equal(kem->open_ek_size, open_ek);
        assert_int_equal(kem->open_dk_size, open_ek + 512 * k + 32);
        assert_ptr_equal(kem->kernel, celer_kem_at(0)->kernel);
        assert_ptr_equal(celer_kem_find(kem->name), kem);
        for (size_t n = 0; n < 3; n++)
            assert_ptr_equal(celer_kem_find(names[i][n]), kem);
        assert_int_equal(typed[i].ek_len, kem->ek_len);
        assert_int_equal(typed[i].dk_len, kem->dk_len);
        assert_int_equal(typed[i].ct_len, kem->ct_len);
        assert_int_equal(typed[i].open_ek_size, kem->open_ek_size);
        assert_int_equal(typed[i].open_dk_size, kem->open_dk_size);
    }
    assert_null(celer_kem_at(SETS));
    assert_null(celer_kem_at(SIZE_MAX));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        check(celer_kem_find(none[i]) == NULL, "'%s' is a KEM", none[i]);
}

/* --- Good keys --- */

static void use_row(const struct celer_kem *kem, const char *row)
{
    celer_cpu_mask(row_needs(kem->kernel, row));
}

/* The row against the portable one, and what one makes used by the other: byte keys and opened ones. Among so many keys
   some need a fourth block of XOF, in key generation too. */
static void test_exchanges(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    const char *const row = celer_kernel_choice(kem->kernel, 1)->name;
    struct rng rng = {1};
    for (size_t i = 0; i < 300; i++) {
        struct kem_exchange x, y;
        uint8_t ss[CELER_MLKEM_SS], ct[MOST_CT], other[CELER_MLKEM_SS];
        union any_open_ek ek;
        union any_open_dk dk;
        kem_exchange(kem, &rng, &x);
        assert_int_equal(kem->decaps(ss, x.ct, x.dk), 0);
        check_bytes(ss, x.ss, sizeof ss, "exchange %zu: there and back", i);
        assert_int_equal(kem->ek_check(x.ek), 0);
        assert_int_equal(kem->dk_check(x.dk), 0);
        assert_int_equal(kem->ek_open(&ek, x.ek), 0);
        assert_int_equal(kem->dk_open(&dk, x.dk), 0);
        kem->ek_encaps(ct, ss, &ek, x.coins);
        check_bytes(ct, x.ct, kem->ct_len, "exchange %zu: opened key", i);
        check_bytes(ss, x.ss, sizeof ss, "exchange %zu: opened key", i);
        kem->dk_decaps(ss, x.ct, &dk);
        check_bytes(ss, x.ss, sizeof ss, "exchange %zu: opened key", i);

        use_row(kem, "scalar");
        kem->keygen(y.ek, y.dk, x.seed);
        check_bytes(x.ek, y.ek, kem->ek_len, "exchange %zu: scalar", i);
        check_bytes(x.dk, y.dk, kem->dk_len, "exchange %zu: scalar", i);
        assert_int_equal(kem->encaps(y.ct, y.ss, x.ek, x.coins), 0);
        check_bytes(x.ct, y.ct, kem->ct_len, "exchange %zu: scalar", i);
        check_bytes(x.ss, y.ss, sizeof x.ss, "exchange %zu: scalar", i);
        assert_int_equal(kem->decaps(ss, x.ct, x.dk), 0);
        check_bytes(ss, x.ss, sizeof ss, "exchange %zu: scalar", i);
        kem->ek_encaps(ct, ss, &ek, x.coins);
        check_bytes(ct, x.ct, kem->ct_len, "exchange %zu: opened by %s, used by scalar", i, row);
        x.ct[rng_below(&rng, kem->ct_len)] ^= (uint8_t)(1 + rng_below(&rng, 255));
        kem->dk_decaps(ss, x.ct, &dk);
        assert_int_equal(kem->ek_open(&ek, x.ek), 0);
        assert_int_equal(kem->dk_open(&dk, x.dk), 0);

        use_row(kem, row);
        kem->ek_encaps(ct, other, &ek, x.coins);
        check_bytes(ct, y.ct, kem->ct_len, "exchange %zu: opened by scalar, used by %s", i, row);
        check_bytes(other, y.ss, sizeof other, "exchange %zu: opened by scalar, used by %s", i, row);
        kem->dk_decaps(other, y.ct, &dk);
        check_bytes(other, y.ss, sizeof other, "exchange %zu: opened by scalar, used by %s", i, row);
        kem->dk_decaps(other, x.ct, &dk);
        check_bytes(other, ss, sizeof other, "exchange %zu: rejected by %s and by scalar", i, row);
    }
}

/* The functions that have no row's member, and those that have one. */
static void test_typed(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    const struct typed *const t = typed_of(kem);
    struct rng rng = {2};
    struct kem_exchange x, y;
    uint8_t ss[CELER_MLKEM_SS], ct[MOST_CT];
    union any_open_ek ek;
    union any_open_dk dk;
    for (size_t i = 0; i < 20; i++) {
        kem_exchange(kem, &rng, &x);
        t->keygen_seed(y.ek, y.dk, x.seed);
        check_bytes(y.ek, x.ek, kem->ek_len, "keygen_seed");
        check_bytes(y.dk, x.dk, kem->dk_len, "keygen_seed");
        assert_int_equal(t->encaps_coins(ct, ss, x.ek, x.coins), 0);
        check_bytes(ct, x.ct, kem->ct_len, "encaps_coins");
        check_bytes(ss, x.ss, sizeof ss, "encaps_coins");
        assert_int_equal(t->decaps(ss, x.ct, x.dk), 0);
        check_bytes(ss, x.ss, sizeof ss, "decaps");
        assert_int_equal(t->ek_check(x.ek), 0);
        assert_int_equal(t->dk_check(x.dk), 0);

        /* A key that never was bytes. Wrong: it lacks H(ek). */
        memset(&dk, 0xa5, sizeof dk);
        t->dk_open_seed(&dk, x.seed);
        t->dk_decaps(ss, x.ct, &dk);
        check_bytes(ss, x.ss, sizeof ss, "dk_open_seed");
        x.ct[i] ^= 1;
        t->dk_decaps(ss, x.ct, &dk);
        kem_rejected(kem, y.ss, x.ct, x.dk);
        check_bytes(ss, y.ss, sizeof ss, "dk_open_seed: a forged ciphertext");
        x.ct[i] ^= 1;
        t->ek_encaps_coins(ct, ss, &dk, x.coins); /* it begins with the other */
        check_bytes(ct, x.ct, kem->ct_len, "dk_open_seed: the public half");

        assert_int_equal(t->ek_open(&ek, x.ek), 0);
        assert_int_equal(t->dk_open(&dk, x.dk), 0);
        t->ek_encaps_coins(ct, ss, &ek, x.coins);
        check_bytes(ct, x.ct, kem->ct_len, "ek_encaps_coins");
        check_bytes(ss, x.ss, sizeof ss, "ek_encaps_coins");
        assert_int_equal(t->ek_encaps(ct, ss, &ek), 0);
        t->dk_decaps(y.ss, ct, &dk);
        check_bytes(y.ss, ss, sizeof ss, "ek_encaps");
        t->ek_wipe(&ek);
        t->dk_wipe(&dk);
        assert_true(all_zero(&ek, kem->open_ek_size) && all_zero(&dk, kem->open_dk_size));
    }

    /* Randomness: that of the system, anew in every call. */
    assert_int_equal(t->keygen(x.ek, x.dk), 0);
    assert_int_equal(t->keygen(y.ek, y.dk), 0);
    assert_memory_not_equal(x.ek, y.ek, kem->ek_len);
    assert_memory_not_equal(x.dk + kem->dk_len - 32, y.dk + kem->dk_len - 32, 32);
    assert_int_equal(t->encaps(x.ct, x.ss, x.ek), 0);
    assert_int_equal(t->encaps(y.ct, y.ss, x.ek), 0);
    assert_memory_not_equal(x.ct, y.ct, kem->ct_len);
    assert_memory_not_equal(x.ss, y.ss, sizeof x.ss);
    assert_int_equal(t->decaps(ss, y.ct, x.dk), 0);
    check_bytes(ss, y.ss, sizeof ss, "encaps");
    assert_int_equal(t->ek_open(&ek, x.ek), 0);
    assert_int_equal(t->ek_encaps(x.ct, x.ss, &ek), 0);
    assert_int_equal(t->ek_encaps(y.ct, y.ss, &ek), 0);
    assert_memory_not_equal(x.ct, y.ct, kem->ct_len);
}

/* --- A system without randomness --- */

static int random_fails;
int __real_celer_random(void *out, size_t n);
int __wrap_celer_random(void *out, size_t n);

int __wrap_celer_random(void *out, size_t n)
{
    if (!random_fails)
        return __real_celer_random(out, n);
    memset(out, 0, n);
    return CELER_ERANDOM;
}

static void test_no_random(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    const struct typed *const t = typed_of(kem);
    struct rng rng = {3};
    struct kem_exchange x, y;
    union any_open_ek key;
    kem_exchange(kem, &rng, &x);
    assert_int_equal(kem->ek_open(&key, x.ek), 0);
    random_fails = 1;
    memset(&y, 0xa5, sizeof y);
    const int keygen = t->keygen(y.ek, y.dk), encaps = t->encaps(y.ct, y.ss, x.ek);
    const int zeros = all_zero(y.ek, kem->ek_len) && all_zero(y.dk, kem->dk_len) &&
                      all_zero(y.ct, kem->ct_len) && all_zero(y.ss, sizeof y.ss);
    memset(&y, 0xa5, sizeof y);
    const int ek_encaps = t->ek_encaps(y.ct, y.ss, &key);
    random_fails = 0;
    assert_int_equal(keygen, CELER_ERANDOM);
    assert_int_equal(encaps, CELER_ERANDOM);
    assert_int_equal(ek_encaps, CELER_ERANDOM);
    assert_true(zeros);
    assert_true(all_zero(y.ct, kem->ct_len) && all_zero(y.ss, sizeof y.ss));
}

/* --- Keys that are none --- */

static void expect_refused_ek(const struct celer_kem *kem, const uint8_t *ek, const char *what, size_t at)
{
    static const uint8_t m[CELER_MLKEM_COINS] = {1};
    uint8_t ct[MOST_CT], ss[CELER_MLKEM_SS];
    union any_open_ek key;
    memset(ct, 0xa5, sizeof ct);
    memset(ss, 0xa5, sizeof ss);
    memset(&key, 0xa5, sizeof key);
    check(kem->ek_check(ek) == CELER_EKEY && kem->encaps(ct, ss, ek, m) == CELER_EKEY &&
              kem->ek_open(&key, ek) == CELER_EKEY,
          "%s %zu passes", what, at);
    check(all_zero(ct, kem->ct_len) && all_zero(ss, sizeof ss) && all_zero(&key, kem->open_ek_size),
          "%s %zu: outputs are not zeros", what, at);
}

/* A coefficient that is not below q, in each place, and each such value; the largest that is, in each place. Wrong: a
   check of what was reduced before, or of a part of the key. */
static void test_modulus(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    const size_t n = (kem->ek_len - 32) / 384 * COEFFICIENTS;
    struct rng rng = {4};
    struct kem_exchange x;
    uint8_t ct[MOST_CT], ss[CELER_MLKEM_SS];
    kem_exchange(kem, &rng, &x);
    for (size_t i = 0; i < n; i++) {
        const unsigned good = kem_coefficient(x.ek, i),
                       bad[] = {Q, 4095, Q + (unsigned)rng_below(&rng, 4096 - Q)};
        for (size_t b = 0; b < 3; b++) {
            kem_set_coefficient(x.ek, i, bad[b]);
            expect_refused_ek(kem, x.ek, "coefficient", i);
        }
        kem_set_coefficient(x.ek, i, Q - 1);
        check(kem->ek_check(x.ek) == 0, "coefficient %zu may be q - 1", i);
        kem_set_coefficient(x.ek, i, good);
    }
    for (unsigned value = Q; value < 4096; value++) {
        const size_t i = rng_below(&rng, n);
        const unsigned good = kem_coefficient(x.ek, i);
        kem_set_coefficient(x.ek, i, value);
        expect_refused_ek(kem, x.ek, "value", value);
        kem_set_coefficient(x.ek, i, good);
    }
    for (size_t i = 0; i < n; i++)
        kem_set_coefficient(x.ek, i, Q - 1);
    memset(x.ek + kem->ek_len - 32, 0xff, 32); /* any 32 bytes are a rho */
    assert_int_equal(kem->ek_check(x.ek), 0);
    assert_int_equal(kem->encaps(ct, ss, x.ek, x.coins), 0);
}

/* One bit of each byte of the decapsulation key. In ek and H(ek) it is seen; the rest of the key is the owner's, and
   what comes out of it is another secret at worst. */
static void test_flipped_dk(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    const size_t ek_at = kem->dk_len - 64 - kem->ek_len, z_at = kem->dk_len - 32;
    struct rng rng = {5};
    struct kem_exchange x;
    uint8_t ss[CELER_MLKEM_SS];
    union any_open_dk key;
    kem_exchange(kem, &rng, &x);
    for (size_t i = 0; i < kem->dk_len; i++) {
        const uint8_t bit = (uint8_t)(1u << rng_below(&rng, 8));
        const int wanted = i >= ek_at && i < z_at ? CELER_EKEY : 0;
        x.dk[i] ^= bit;
        memset(ss, 0xa5, sizeof ss);
        memset(&key, 0xa5, sizeof key);
        check(kem->dk_check(x.dk) == wanted && kem->decaps(ss, x.ct, x.dk) == wanted &&
                  kem->dk_open(&key, x.dk) == wanted,
              "byte %zu ^ %02x", i, bit);
        if (wanted != 0)
            check(all_zero(ss, sizeof ss) && all_zero(&key, kem->open_dk_size), "byte %zu: outputs", i);
        else if (i >= z_at)
            check_bytes(ss, x.ss, sizeof ss, "z has no part in a good ciphertext");
        x.dk[i] ^= bit;
    }
    assert_int_equal(kem->decaps(ss, x.ct, x.dk), 0);
    check_bytes(ss, x.ss, sizeof ss, "nothing is left changed");
}

/* FIPS 203 section 7.3 asks for the hash of the ek inside dk, and not that its coefficients be below q: a key with such
   a one and its hash is used, as the residues. Its ciphertexts are those of the residues and that hash. */
static void test_embedded_ek(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    const size_t ek_at = kem->dk_len - 64 - kem->ek_len, n = (kem->ek_len - 32) / 384 * COEFFICIENTS;
    struct rng rng = {6};
    size_t tried = 0;
    for (size_t round = 0; round < 10; round++) {
        struct kem_exchange x;
        uint8_t hash[32], ct[MOST_CT], ss[CELER_MLKEM_SS], got[CELER_MLKEM_SS];
        union any_open_ek ek;
        union any_open_dk dk;
        kem_exchange(kem, &rng, &x);
        for (size_t i = rng_below(&rng, 50); i < n; i += 1 + rng_below(&rng, 50))
            if (kem_coefficient(x.ek, i) < 4096 - Q) {
                kem_set_coefficient(x.dk + ek_at, i, kem_coefficient(x.ek, i) + Q);
                tried++;
            }
        celer_sha3_256(hash, x.dk + ek_at, kem->ek_len);
        memcpy(x.dk + kem->dk_len - 64, hash, sizeof hash);
        assert_int_equal(kem->ek_open(&ek, x.ek), 0);
        memcpy((uint8_t *)&ek + kem->open_ek_size - 32, hash, sizeof hash); /* H(ek) is its end */
        kem->ek_encaps(ct, ss, &ek, x.coins);
        assert_int_equal(kem->dk_check(x.dk), 0);
        assert_int_equal(kem->decaps(got, ct, x.dk), 0);
        check_bytes(got, ss, sizeof ss, "round %zu: byte key", round);
        assert_int_equal(kem->dk_open(&dk, x.dk), 0);
        kem->dk_decaps(got, ct, &dk);
        check_bytes(got, ss, sizeof ss, "round %zu: opened key", round);
        kem_rejected(kem, ss, x.ct, x.dk); /* that of the key as it was is of another hash */
        assert_int_equal(kem->decaps(got, x.ct, x.dk), 0);
        check_bytes(got, ss, sizeof ss, "round %zu: ciphertext of the former key", round);
    }
    assert_true(tried > 20);
}

/* Algorithm 6 takes residues of the coefficients of s. */
static void test_unreduced_s(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    const size_t n = (kem->ek_len - 32) / 384 * COEFFICIENTS;
    struct rng rng = {7};
    struct kem_exchange x;
    uint8_t ss[CELER_MLKEM_SS];
    size_t changed = 0;
    kem_exchange(kem, &rng, &x);
    for (size_t i = 0; i < n; i++)
        if (kem_coefficient(x.dk, i) < 4096 - Q) {
            kem_set_coefficient(x.dk, i, kem_coefficient(x.dk, i) + Q);
            changed++;
        }
    assert_true(changed > n / 10);
    assert_int_equal(kem->decaps(ss, x.ct, x.dk), 0);
    check_bytes(ss, x.ss, sizeof ss, "s + q");
}

/* --- Ciphertexts that are not of the key --- */

/* Every byte: a bit of it, and bytes that a comparison might take for a yes or drop. Wrong: a byte that is not compared;
   a secret that is a mixture; a condition that only 0 and 1 fulfil. */
static void test_flipped_ct(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    struct rng rng = {8};
    struct kem_exchange x;
    union any_open_dk key;
    kem_exchange(kem, &rng, &x);
    assert_int_equal(kem->dk_open(&key, x.dk), 0);
    for (size_t i = 0; i < kem->ct_len; i++) {
        const uint8_t flips[] = {(uint8_t)(1u << i % 8), 2, 0x80, 0xff};
        for (size_t f = 0; f < sizeof flips; f++) {
            uint8_t got[CELER_MLKEM_SS], want[CELER_MLKEM_SS];
            x.ct[i] ^= flips[f];
            kem_rejected(kem, want, x.ct, x.dk);
            kem->dk_decaps(got, x.ct, &key);
            check_bytes(got, want, sizeof got, "byte %zu ^ %02x, opened key", i, flips[f]);
            if (f == i / 8 % 4) {
                assert_int_equal(kem->decaps(got, x.ct, x.dk), 0);
                check_bytes(got, want, sizeof got, "byte %zu ^ %02x", i, flips[f]);
            }
            x.ct[i] ^= flips[f];
        }
    }
    /* Whole bytes, and several. */
    for (size_t round = 0; round < 100; round++) {
        uint8_t got[CELER_MLKEM_SS], want[CELER_MLKEM_SS], ct[MOST_CT];
        memcpy(ct, x.ct, kem->ct_len);
        if (round < 4)
            memset(ct, (const uint8_t[]){0, 2, 0x80, 0xff}[round], kem->ct_len);
        for (size_t n = 1 + rng_below(&rng, 40); round >= 4 && n > 0; n--)
            ct[rng_below(&rng, kem->ct_len)] ^= (uint8_t)(1 + rng_below(&rng, 255));
        if (memcmp(ct, x.ct, kem->ct_len) == 0)
            continue; /* two that undo each other */
        kem_rejected(kem, want, ct, x.dk);
        assert_int_equal(kem->decaps(got, ct, x.dk), 0);
        check_bytes(got, want, sizeof got, "round %zu", round);
    }
}

/* --- Many --- */

enum { MOST_MANY = 20 };
enum operation { KEYGEN, ENCAPS, DECAPS, OPERATIONS };

struct batch {
    uint8_t seed[MOST_MANY * CELER_MLKEM_SEED], coins[MOST_MANY * CELER_MLKEM_COINS];
    uint8_t ek[MOST_MANY * MOST_EK], dk[MOST_MANY * MOST_DK], ct[MOST_MANY * MOST_CT];
    uint8_t ss[MOST_MANY * CELER_MLKEM_SS];
};

/* What one at a time makes of the same; returns what _many has to. */
static int batch_one_by_one(const struct celer_kem *kem, struct batch *b, size_t n, enum operation operation)
{
    int refused = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t *const ek = b->ek + i * kem->ek_len, *const dk = b->dk + i * kem->dk_len,
                       *const ct = b->ct + i * kem->ct_len, *const ss = b->ss + i * kem->ss_len;
        int error = 0;
        if (operation == KEYGEN)
            kem->keygen(ek, dk, b->seed + i * kem->seed_len);
        else if (operation == ENCAPS)
            error = kem->encaps(ct, ss, ek, b->coins + i * kem->coins_len);
        else
            error = kem->decaps(ss, ct, dk);
        assert_true(error == 0 || error == CELER_EKEY);
        refused |= error;
    }
    return refused;
}

static int batch_many(const struct celer_kem *kem, struct batch *b, size_t n, enum operation operation)
{
    if (operation == ENCAPS)
        return kem->encaps_many(b->ct, b->ss, b->ek, b->coins, n);
    if (operation == DECAPS)
        return kem->decaps_many(b->ss, b->ct, b->dk, n);
    kem->keygen_many(b->ek, b->dk, b->seed, n);
    return 0;
}

/* Any number of them, with keys among them that are none, and ciphertexts of others. Wrong: items exchanged, or left
   undone beside a bad one; something behind the last. */
static void test_many(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    struct batch *const many = malloc(sizeof *many), *const one = malloc(sizeof *one);
    struct rng rng = {9};
    assert_true(many != NULL && one != NULL);
    for (size_t n = 0; n <= MOST_MANY; n++)
        for (size_t round = 0; round < 2; round++) {
            const size_t bad = round == 0 ? 0 : 1 + n % 3; /* of three, on average */
            memset(many, 0xa5, sizeof *many);
            rng_fill(&rng, many->seed, sizeof many->seed);
            rng_fill(&rng, many->coins, sizeof many->coins);
            memcpy(one, many, sizeof *one);
            size_t bad_count = 0, bad_hashes = n;
            for (enum operation operation = 0; operation < OPERATIONS; operation++) {
                const int wanted = batch_one_by_one(kem, one, n, operation);
                const int got = batch_many(kem, many, n, operation);
                check(got == wanted, "%zu, operation %d: %d, not %d", n, (int)operation, got, wanted);
                check(operation != ENCAPS || (got != 0) == (bad_count > 0), "%zu with %zu bad keys: %d", n,
                      bad_count, got);
                check_bytes((const uint8_t *)many, (const uint8_t *)one, sizeof *many,
                            "%zu, operation %d, %zu bad", n, (int)operation, bad_count);
                for (size_t i = 0; i < n && bad > 0; i++) {
                    if (rng_below(&rng, 3) >= bad)
                        continue;
                    if (operation == KEYGEN) {
                        kem_set_coefficient(many->ek + i * kem->ek_len, rng_below(&rng, COEFFICIENTS), Q);
                        bad_count++;
                    } else if (rng_below(&rng, 2) == 0)
                        many->ct[i * kem->ct_len + rng_below(&rng, kem->ct_len)] ^= 4;
                    else /* each time another byte of H(ek) */
                        many->dk[(i + 1) * kem->dk_len - 64 + bad_hashes++ % 32] ^= 4;
                }
                memcpy(one, many, sizeof *one);
            }
        }
    free(many);
    free(one);
}

/* --- Places --- */

/* Every argument between guard pages, at its end or its beginning, or at any address. Wrong: a byte too much is read
   or written; a word where it is not aligned. */
static void test_places(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    struct guarded place[6];
    struct rng rng = {10};
    struct kem_exchange x;
    kem_exchange(kem, &rng, &x);
    const size_t lens[6] = {kem->seed_len, kem->coins_len, kem->ek_len,
                            kem->dk_len,   kem->ct_len,    kem->ss_len};
    for (size_t i = 0; i < 6; i++)
        place[i] = guarded_new(lens[i] + 64);
    for (size_t offset = 0; offset < 66; offset++) {
        uint8_t *at[6], wanted[CELER_MLKEM_SS];
        for (size_t i = 0; i < 6; i++)
            at[i] = offset == 64   ? place[i].end - lens[i]
                    : offset == 65 ? (i % 2 == 0 ? place[i].begin : place[i].end - lens[i])
                                   : place[i].begin + (offset + 11 * i) % 64;
        uint8_t *const seed = at[0], *const coins = at[1], *const ek = at[2], *const dk = at[3],
                       *const ct = at[4], *const ss = at[5];
        memcpy(seed, x.seed, lens[0]);
        memcpy(coins, x.coins, lens[1]);
        kem->keygen(ek, dk, seed);
        check_bytes(ek, x.ek, kem->ek_len, "offset %zu", offset);
        check_bytes(dk, x.dk, kem->dk_len, "offset %zu", offset);
        assert_int_equal(kem->encaps(ct, ss, ek, coins), 0);
        check_bytes(ct, x.ct, kem->ct_len, "offset %zu", offset);
        check_bytes(ss, x.ss, kem->ss_len, "offset %zu", offset);
        memset(ss, 0xa5, kem->ss_len);
        assert_int_equal(kem->decaps(ss, ct, dk), 0);
        check_bytes(ss, x.ss, kem->ss_len, "offset %zu", offset);
        assert_int_equal(kem->ek_check(ek), 0);
        assert_int_equal(kem->dk_check(dk), 0);
        kem->keygen_many(ek, dk, seed, 1);
        assert_int_equal(kem->encaps_many(ct, ss, ek, coins, 1), 0);
        check_bytes(ct, x.ct, kem->ct_len, "offset %zu, many", offset);
        assert_int_equal(kem->decaps_many(ss, ct, dk, 1), 0);
        check_bytes(ss, x.ss, kem->ss_len, "offset %zu, many", offset);
        ct[0] ^= 1;
        kem_rejected(kem, wanted, ct, dk);
        assert_int_equal(kem->decaps(ss, ct, dk), 0);
        check_bytes(ss, wanted, kem->ss_len, "offset %zu, rejected", offset);
    }
    for (size_t i = 0; i < 6; i++)
        guarded_free(place[i]);
}

/* Opened keys are aligned as their type asks, and end where it ends. */
static void test_opened_places(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    struct rng rng = {11};
    struct kem_exchange x;
    uint8_t ct[MOST_CT], ss[CELER_MLKEM_SS];
    kem_exchange(kem, &rng, &x);
    struct guarded ek = guarded_new(kem->open_ek_size + 64), dk = guarded_new(kem->open_dk_size + 64);
    for (size_t offset = 0; offset < 64; offset += 2) {
        void *const open_ek = ek.end - kem->open_ek_size - offset, *const open_dk =
                                                                       dk.end - kem->open_dk_size - offset;
        assert_int_equal(kem->ek_open(open_ek, x.ek), 0);
        assert_int_equal(kem->dk_open(open_dk, x.dk), 0);
        kem->ek_encaps(ct, ss, open_ek, x.coins);
        check_bytes(ct, x.ct, kem->ct_len, "offset %zu", offset);
        kem->dk_decaps(ss, ct, open_dk);
        check_bytes(ss, x.ss, kem->ss_len, "offset %zu", offset);
    }
    guarded_free(ek);
    guarded_free(dk);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_list, NULL, "mlkem: the list");
    kem_suite_add(&suite, test_exchanges, ALL_SETS, "there and back, beside scalar");
    kem_suite_add(&suite, test_typed, ALL_SETS, "the typed functions");
    kem_suite_add(&suite, test_no_random, ALL_SETS, "no randomness");
    kem_suite_add(&suite, test_modulus, ALL_SETS, "coefficients that are not below q");
    kem_suite_add(&suite, test_flipped_dk, ALL_SETS, "each byte of dk changed");
    kem_suite_add(&suite, test_embedded_ek, ALL_SETS, "coefficients in dk that are not below q");
    kem_suite_add(&suite, test_unreduced_s, ALL_SETS, "coefficients of s that are not below q");
    kem_suite_add(&suite, test_flipped_ct, ALL_SETS, "each byte of the ciphertext changed");
    kem_suite_add(&suite, test_many, ALL_SETS, "many at once");
    kem_suite_add(&suite, test_places, ALL_SETS, "between guard pages, at any address");
    kem_suite_add(&suite, test_opened_places, ALL_SETS, "opened keys between guard pages");
    return suite_run(&suite, "mlkem") != 0;
}
