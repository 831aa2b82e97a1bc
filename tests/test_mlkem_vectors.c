/* test_mlkem_vectors.c: ML-KEM against the vectors of NIST, Wycheproof, C2SP and Go. With --long, 10,000 rounds of the
   last. */
#include <jansson.h>
#include "kem.h"
#include "vectors.h"

/* --- Files --- */

/* Of any length; for free(). */
struct bytes {
    uint8_t *bytes;
    size_t len;
};

static struct bytes decode(const char *text, size_t digits)
{
    struct bytes b = {malloc(digits / 2 + 1), digits / 2};
    assert_non_null(b.bytes);
    check(digits % 2 == 0 && hex_decode(b.bytes, text, b.len), "%.64s.. is not hexadecimal", text);
    return b;
}

/* The field of a JSON object; none is empty. */
static struct bytes field(const json_t *test, const char *name)
{
    const char *const text = json_string_value(json_object_get(test, name));
    return decode(text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

/* The line "name = 0123.." of a text. */
static struct bytes line(const char *text, const char *name)
{
    const size_t len = strlen(name);
    for (; text != NULL && *text != 0; text = strchr(text, '\n'), text += text != NULL)
        if (strncmp(text, name, len) == 0 && strncmp(text + len, " = ", 3) == 0)
            return decode(text + len + 3, strcspn(text + len + 3, "\r\n"));
    fail_msg("no line of %s", name);
    return (struct bytes){NULL, 0};
}

/* Copies the field to a place for so many bytes. */
static void take(struct bytes from, uint8_t *to, size_t len)
{
    check(from.len == len, "%zu bytes, not %zu", from.len, len);
    memcpy(to, from.bytes, len);
    free(from.bytes);
}

static const char *word(const json_t *object, const char *name)
{
    const char *const text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

static json_t *load(const char *path)
{
    char *const text = vector_text(path);
    json_error_t error;
    json_t *const root = json_loads(text, 0, &error);
    check(root != NULL, "%s:%d: %s", path, error.line, error.text);
    free(text);
    return root;
}

/* "mlkem_768_test.json" of "mlkem_%d_test.json". */
static const char *path_of(const struct celer_kem *kem, const char *before, const char *after)
{
    static char path[100];
    snprintf(path, sizeof path, "ml-kem/%s%d%s", before, kem_number(kem), after);
    return path;
}

/* Calls visit for each case of a file's groups that are of this set, and of this function if one is given; there have to
   be as many as expected. */
static void each_case(const char *path, const struct celer_kem *kem, const char *function, size_t expected,
                      void (*visit)(const struct celer_kem *kem, const json_t *test))
{
    json_t *const root = load(path), *group, *test;
    size_t g, t, count = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group)
    {
        if (celer_kem_find(word(group, "parameterSet")) != kem ||
            (function != NULL && strcmp(word(group, "function"), function) != 0))
            continue;
        json_array_foreach(json_object_get(group, "tests"), t, test)
        {
            visit(kem, test);
            count++;
        }
    }
    check(count == expected, "%s: %zu cases, not %zu", path, count, expected);
    json_decref(root);
}

/* --- What a vector says --- */

static void check_keygen(const struct celer_kem *kem, const struct kem_exchange *x)
{
    uint8_t ek[MOST_EK], dk[MOST_DK];
    kem->keygen(ek, dk, x->seed);
    check_bytes(ek, x->ek, kem->ek_len, "of the seed");
    check_bytes(dk, x->dk, kem->dk_len, "of the seed");
}

static void check_encaps(const struct celer_kem *kem, const struct kem_exchange *x)
{
    uint8_t ct[MOST_CT], ss[CELER_MLKEM_SS];
    union any_open_ek key;
    assert_int_equal(kem->ek_check(x->ek), 0);
    assert_int_equal(kem->encaps(ct, ss, x->ek, x->coins), 0);
    check_bytes(ct, x->ct, kem->ct_len, "of the key");
    check_bytes(ss, x->ss, kem->ss_len, "of the key");
    assert_int_equal(kem->ek_open(&key, x->ek), 0);
    kem->ek_encaps(ct, ss, &key, x->coins);
    check_bytes(ct, x->ct, kem->ct_len, "of the opened key");
    check_bytes(ss, x->ss, kem->ss_len, "of the opened key");
}

static void check_decaps(const struct celer_kem *kem, const struct kem_exchange *x)
{
    uint8_t ss[CELER_MLKEM_SS];
    union any_open_dk key;
    assert_int_equal(kem->dk_check(x->dk), 0);
    assert_int_equal(kem->decaps(ss, x->ct, x->dk), 0);
    check_bytes(ss, x->ss, kem->ss_len, "of the key");
    assert_int_equal(kem->dk_open(&key, x->dk), 0);
    kem->dk_decaps(ss, x->ct, &key);
    check_bytes(ss, x->ss, kem->ss_len, "of the opened key");
}

static void check_refused_ek(const struct celer_kem *kem, const uint8_t *ek)
{
    static const uint8_t m[CELER_MLKEM_COINS] = {1};
    uint8_t ct[MOST_CT], ss[CELER_MLKEM_SS];
    union any_open_ek key;
    memset(&key, 0xa5, sizeof key);
    memset(ct, 0xa5, sizeof ct);
    memset(ss, 0xa5, sizeof ss);
    assert_int_equal(kem->ek_check(ek), CELER_EKEY);
    assert_int_equal(kem->encaps(ct, ss, ek, m), CELER_EKEY);
    assert_true(all_zero(ct, kem->ct_len) && all_zero(ss, kem->ss_len));
    assert_int_equal(kem->ek_open(&key, ek), CELER_EKEY);
    assert_true(all_zero(&key, kem->open_ek_size));
}

static void check_refused_dk(const struct celer_kem *kem, const uint8_t *dk)
{
    static const uint8_t ct[MOST_CT] = {1};
    uint8_t ss[CELER_MLKEM_SS];
    union any_open_dk key;
    memset(&key, 0xa5, sizeof key);
    memset(ss, 0xa5, sizeof ss);
    assert_int_equal(kem->dk_check(dk), CELER_EKEY);
    assert_int_equal(kem->decaps(ss, ct, dk), CELER_EKEY);
    assert_true(all_zero(ss, kem->ss_len));
    assert_int_equal(kem->dk_open(&key, dk), CELER_EKEY);
    assert_true(all_zero(&key, kem->open_dk_size));
}

/* --- ACVP --- */

static void acvp_keygen(const struct celer_kem *kem, const json_t *test)
{
    struct kem_exchange x;
    take(field(test, "d"), x.seed, 32);
    take(field(test, "z"), x.seed + 32, 32);
    take(field(test, "ek"), x.ek, kem->ek_len);
    take(field(test, "dk"), x.dk, kem->dk_len);
    check_keygen(kem, &x);
}

static void acvp_encaps(const struct celer_kem *kem, const json_t *test)
{
    struct kem_exchange x;
    take(field(test, "ek"), x.ek, kem->ek_len);
    take(field(test, "m"), x.coins, sizeof x.coins);
    take(field(test, "c"), x.ct, kem->ct_len);
    take(field(test, "k"), x.ss, sizeof x.ss);
    check_encaps(kem, &x);
}

static size_t modified; /* ciphertexts */

static void acvp_decaps(const struct celer_kem *kem, const json_t *test)
{
    struct kem_exchange x;
    uint8_t rejected[CELER_MLKEM_SS];
    take(field(test, "dk"), x.dk, kem->dk_len);
    take(field(test, "c"), x.ct, kem->ct_len);
    take(field(test, "k"), x.ss, sizeof x.ss);
    check_decaps(kem, &x);
    kem_rejected(kem, rejected, x.ct, x.dk);
    if (strcmp(word(test, "reason"), "modified ciphertext") == 0) {
        modified++;
        check_bytes(rejected, x.ss, sizeof x.ss, "what the vector wants");
    } else
        assert_memory_not_equal(rejected, x.ss, sizeof x.ss);
}

static size_t refused;

static void acvp_check_ek(const struct celer_kem *kem, const json_t *test)
{
    uint8_t ek[MOST_EK];
    take(field(test, "ek"), ek, kem->ek_len);
    if (json_is_true(json_object_get(test, "testPassed")))
        assert_int_equal(kem->ek_check(ek), 0);
    else {
        refused++;
        check_refused_ek(kem, ek);
    }
}

static void acvp_check_dk(const struct celer_kem *kem, const json_t *test)
{
    uint8_t dk[MOST_DK];
    take(field(test, "dk"), dk, kem->dk_len);
    if (json_is_true(json_object_get(test, "testPassed")))
        assert_int_equal(kem->dk_check(dk), 0);
    else {
        refused++;
        check_refused_dk(kem, dk);
    }
}

static void test_acvp(void **state)
{
    static const char keygen[] = "ml-kem/ACVP-ML-KEM-keyGen-FIPS203.json";
    static const char encaps[] = "ml-kem/ACVP-ML-KEM-encapDecap-FIPS203.json";
    const struct celer_kem *const kem = kem_enter(state);
    modified = refused = 0;
    each_case(keygen, kem, NULL, 6, acvp_keygen);
    each_case(encaps, kem, "encapsulation", 6, acvp_encaps);
    each_case(encaps, kem, "decapsulation", 10, acvp_decaps);
    each_case(encaps, kem, "encapsulationKeyCheck", 10, acvp_check_ek);
    each_case(encaps, kem, "decapsulationKeyCheck", 10, acvp_check_dk);
    check(modified >= 3 && refused >= 6, "%zu modified ciphertexts, %zu keys that are none", modified,
          refused);
}

/* --- Wycheproof --- */

static int is_valid(const json_t *test)
{
    const char *const result = word(test, "result");
    check(strcmp(result, "valid") == 0 || strcmp(result, "invalid") == 0, "'%s' is no result", result);
    return strcmp(result, "valid") == 0;
}

/* Private keys are seeds. The invalid ones have lengths that the types of this library do not admit. */
static void wycheproof_decaps(const struct celer_kem *kem, const json_t *test)
{
    struct kem_exchange x;
    uint8_t ek[MOST_EK];
    const struct bytes seed = field(test, "seed"), ct = field(test, "c");
    if (!is_valid(test)) {
        assert_true(seed.len != kem->seed_len || ct.len != kem->ct_len);
        free(seed.bytes);
        free(ct.bytes);
        return;
    }
    take(seed, x.seed, sizeof x.seed);
    take(ct, x.ct, kem->ct_len);
    take(field(test, "ek"), x.ek, kem->ek_len);
    take(field(test, "K"), x.ss, sizeof x.ss);
    kem->keygen(ek, x.dk, x.seed);
    check_bytes(ek, x.ek, kem->ek_len, "of the seed");
    check_decaps(kem, &x);
}

static void wycheproof_encaps(const struct celer_kem *kem, const json_t *test)
{
    struct kem_exchange x;
    const struct bytes ek = field(test, "ek");
    if (!is_valid(test) && ek.len != kem->ek_len) {
        free(ek.bytes);
        return;
    }
    take(ek, x.ek, kem->ek_len);
    if (!is_valid(test)) {
        refused++;
        check_refused_ek(kem, x.ek);
        return;
    }
    take(field(test, "m"), x.coins, sizeof x.coins);
    take(field(test, "c"), x.ct, kem->ct_len);
    take(field(test, "K"), x.ss, sizeof x.ss);
    check_encaps(kem, &x);
}

static void test_wycheproof(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    refused = 0;
    each_case(path_of(kem, "wycheproof-mlkem_", "_test.json"), kem, NULL, 18, wycheproof_decaps);
    each_case(path_of(kem, "wycheproof-mlkem_", "_encaps_test.json"), kem, NULL,
              kem_number(kem) == 512   ? 14
              : kem_number(kem) == 768 ? 15
                                       : 17,
              wycheproof_encaps);
    check(refused >= 5, "%zu keys that are none", refused);
}

/* --- C2SP CCTV --- */

/* From the keys on: those come out of the draft's key generation. */
static void test_whole_exchange(const struct celer_kem *kem, const char *path)
{
    struct kem_exchange x;
    char *const text = vector_text(path);
    take(line(text, "ek"), x.ek, kem->ek_len);
    take(line(text, "dk"), x.dk, kem->dk_len);
    take(line(text, "m"), x.coins, sizeof x.coins);
    take(line(text, "K"), x.ss, sizeof x.ss);
    take(line(text, "c"), x.ct, kem->ct_len);
    free(text);
    check_encaps(kem, &x);
    check_decaps(kem, &x);
}

static void test_intermediate(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    test_whole_exchange(kem, path_of(kem, "CCTV-intermediate-", ".txt"));
}

/* A polynomial of the matrix takes 576 bytes of XOF, which is more than three blocks. Wrong: what comes after them is
   not there, or begins anew. */
static void test_unlucky(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    test_whole_exchange(kem, path_of(kem, "CCTV-unluckysample-", ".txt"));
}

/* Ciphertexts with a zero byte soon after the beginning, before which they are right. Wrong: strcmp. */
static void test_strcmp(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    struct kem_exchange x;
    char *const text = vector_text(path_of(kem, "CCTV-strcmp-", ".txt"));
    take(line(text, "dk"), x.dk, kem->dk_len);
    take(line(text, "c"), x.ct, kem->ct_len);
    take(line(text, "K"), x.ss, sizeof x.ss);
    free(text);
    check_decaps(kem, &x);
}

/* Keys with one coefficient that is not below q: each value, each place. (test_mlkem makes such keys of all sets.) */
static void test_modulus(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    char *const text = vector_text(path_of(kem, "CCTV-modulus-", ".txt.gz"));
    size_t count = 0;
    for (const char *p = text; *p != 0; count++) {
        uint8_t ek[MOST_EK];
        const size_t digits = strcspn(p, "\n");
        take(decode(p, digits), ek, kem->ek_len);
        check_refused_ek(kem, ek);
        p += digits + (p[digits] != 0);
    }
    assert_int_equal(count, 780);
    free(text);
}

/* --- NIST --- */

static void check_digest(const json_t *test, const char *name, const uint8_t *of, size_t len)
{
    uint8_t want[32], got[32];
    take(field(test, name), want, sizeof want);
    celer_sha3_256(got, of, len);
    check_bytes(got, want, sizeof want, "%s", name);
}

static void test_nist(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    json_t *const root = load(path_of(kem, "nistkats_mlkem_", ".json")), *test;
    size_t i;
    assert_int_equal(json_array_size(root), 30);
    json_array_foreach(root, i, test)
    {
        struct kem_exchange x;
        uint8_t ss[CELER_MLKEM_SS];
        take(field(test, "key_generation_seed"), x.seed, sizeof x.seed);
        take(field(test, "encapsulation_seed"), x.coins, sizeof x.coins);
        take(field(test, "shared_secret"), x.ss, sizeof x.ss);
        kem->keygen(x.ek, x.dk, x.seed);
        check_digest(test, "sha3_256_hash_of_public_key", x.ek, kem->ek_len);
        check_digest(test, "sha3_256_hash_of_secret_key", x.dk, kem->dk_len);
        assert_int_equal(kem->encaps(x.ct, ss, x.ek, x.coins), 0);
        check_digest(test, "sha3_256_hash_of_ciphertext", x.ct, kem->ct_len);
        check_bytes(ss, x.ss, sizeof x.ss, "case %zu", i);
        check_decaps(kem, &x);
    }
    json_decref(root);
}

/* --- Accumulated --- */

static void check_accumulated(const struct celer_kem *kem, size_t rounds)
{
    struct celer_shake128 from, to;
    uint8_t got[32], want[32], ss[CELER_MLKEM_SS];
    struct kem_exchange x;
    char number[24], set[24];
    celer_shake128_init(&from);
    celer_shake128_init(&to);
    for (size_t i = 0; i < rounds; i++) {
        celer_shake128_squeeze(&from, x.seed, sizeof x.seed);
        kem->keygen(x.ek, x.dk, x.seed);
        celer_shake128_update(&to, x.ek, kem->ek_len);
        celer_shake128_squeeze(&from, x.coins, sizeof x.coins);
        assert_int_equal(kem->encaps(x.ct, x.ss, x.ek, x.coins), 0);
        celer_shake128_update(&to, x.ct, kem->ct_len);
        celer_shake128_update(&to, x.ss, sizeof x.ss);
        assert_int_equal(kem->decaps(ss, x.ct, x.dk), 0);
        check_bytes(ss, x.ss, sizeof ss, "round %zu, there and back", i);
        celer_shake128_squeeze(&from, x.ct, kem->ct_len);
        assert_int_equal(kem->decaps(ss, x.ct, x.dk), 0);
        celer_shake128_update(&to, ss, sizeof ss);
    }
    celer_shake128_squeeze(&to, got, sizeof got);
    snprintf(number, sizeof number, "%zu", rounds);
    snprintf(set, sizeof set, "ML-KEM-%d", kem_number(kem));
    json_t *const root = load("ml-kem/accumulated.json");
    take(field(json_object_get(root, set), number), want, sizeof want);
    json_decref(root);
    check_bytes(got, want, sizeof want, "%zu rounds", rounds);
}

static void test_accumulated(void **state)
{
    check_accumulated(kem_enter(state), 100);
}

static void test_accumulated_long(void **state)
{
    check_accumulated(kem_enter(state), 10000);
}

int main(int argc, char **argv)
{
    struct suite suite = {NULL, 0};
    if (argc == 2 && strcmp(argv[1], "--long") == 0) {
        kem_suite_add(&suite, test_accumulated_long, ALL_SETS, "10,000 rounds");
        return suite_run(&suite, "mlkem, long") != 0;
    }
    if (argc != 1) {
        fprintf(stderr, "usage: %s [--long]\n", argv[0]);
        return 2;
    }
    kem_suite_add(&suite, test_acvp, ALL_SETS, "ACVP");
    kem_suite_add(&suite, test_wycheproof, ALL_SETS, "Wycheproof");
    kem_suite_add(&suite, test_intermediate, 512, "CCTV, intermediate values");
    kem_suite_add(&suite, test_intermediate, 768, "CCTV, intermediate values");
    kem_suite_add(&suite, test_unlucky, ALL_SETS, "CCTV, a fourth block of XOF");
    kem_suite_add(&suite, test_strcmp, ALL_SETS, "CCTV, zero bytes in ciphertexts");
    kem_suite_add(&suite, test_modulus, 768, "CCTV, coefficients that are not below q");
    kem_suite_add(&suite, test_nist, ALL_SETS, "NIST's known answers");
    kem_suite_add(&suite, test_accumulated, ALL_SETS, "100 rounds");
    return suite_run(&suite, "mlkem vectors") != 0;
}
