/* test_mlkem_files.c: the parts of `celer kem`: DER, PEM and hexadecimal under every small damage, files that are written
   whole or not at all, and the self-test in the face of faults. The command itself is tests/cli/kem.sh's. */
#include "kem/kem.h"
#include "support.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli.h"

/* ---- keys ---- */

static const enum kem_form forms[] = {KEM_SEED, KEM_EXPANDED, KEM_BOTH};

static void make_key(struct kem_key *key, size_t set, bool secret)
{
    struct rng rng = {set + 1};
    memset(key, 0, sizeof *key);
    key->kem = celer_kem_at(set);
    key->secret = secret;
    rng_fill(&rng, key->seed, sizeof key->seed);
    key->kem->keygen(key->ek, key->dk, key->seed);
}

static void check_same(const struct kem_key *got, const struct kem_key *key, enum kem_form form)
{
    assert_ptr_equal(got->kem, key->kem);
    assert_int_equal(got->secret, key->secret);
    if (!key->secret) {
        check_bytes(got->ek, key->ek, key->kem->ek_len, "%s", key->kem->name);
        return;
    }
    assert_int_equal(got->form, form);
    if (form != KEM_EXPANDED)
        check_bytes(got->seed, key->seed, sizeof key->seed, "%s", key->kem->name);
    if (form != KEM_SEED)
        check_bytes(got->dk, key->dk, key->kem->dk_len, "%s", key->kem->name);
}

static void test_formats(void **state)
{
    (void)state;
    static char text[KEM_TEXT_MAX];
    static struct kem_key key, got;
    for (size_t set = 0; celer_kem_at(set) != NULL; set++)
        for (int secret = 0; secret < 2; secret++)
            for (size_t f = 0; f < (secret ? 3 : 1); f++)
                for (enum kem_format format = KEM_RAW; format <= KEM_PEM; format++) {
                    if (forms[f] == KEM_BOTH && format != KEM_PEM)
                        continue;
                    make_key(&key, set, secret != 0);
                    const size_t n = kem_key_encode(text, &key, format, forms[f]);
                    assert_true(n <= sizeof text);
                    const char *wrong = kem_key_decode(&got, (uint8_t *)text, n, key.kem);
                    check(wrong == NULL, "%s format %d form %d: %s", key.kem->name, format, forms[f], wrong);
                    assert_int_equal(got.format, format);
                    check_same(&got, &key, forms[f]);
                    wrong = kem_key_complete(&got);
                    check(wrong == NULL, "%s format %d form %d: %s", key.kem->name, format, forms[f], wrong);
                    check_bytes(got.ek, key.ek, key.kem->ek_len, "%s", key.kem->name);
                    assert_true(!secret || kem_key_try(&got) == NULL);
                }
}

/* Only what encoding writes is taken; but a private key may also say that it is of version 2, with or without more. */
static void check_der(struct kem_key *got, const struct kem_key *key, const uint8_t *in, size_t n,
                      bool *taken)
{
    static uint8_t again[KEM_DER_MAX];
    got->secret = key->secret;
    *taken = kem_der_decode(got, in, n) == NULL;
    if (!*taken)
        return;
    struct kem_key whole = *got;
    const size_t length = kem_der_encode(again, &whole, got->form);
    assert_int_equal(length, n);
    if (key->secret) {
        const size_t version = (size_t)(in[1] < 0x80 ? 2 : in[1] - 0x80 + 2) + 2;
        again[version] = in[version];
        assert_true(in[version] <= 1);
    }
    check_bytes(again, in, n, "%s: what was taken is canonical", key->kem->name);
}

static void test_der_damage(void **state)
{
    (void)state;
    static uint8_t der[KEM_DER_MAX];
    static struct kem_key key, got;
    bool taken;
    for (size_t set = 0; celer_kem_at(set) != NULL; set++)
        for (int secret = 0; secret < 2; secret++)
            for (size_t f = 0; f < (secret ? 3 : 1); f++) {
                make_key(&key, set, secret != 0);
                const size_t n = kem_der_encode(der, &key, forms[f]);
                struct guarded g = guarded_new(n + 1);
                for (size_t length = 0; length < n; length++) {
                    uint8_t *const in = g.end - length;
                    memcpy(in, der, length);
                    check_der(&got, &key, in, length, &taken);
                    check(!taken, "%s form %zu: the first %zu bytes", key.kem->name, f, length);
                }
                memcpy(g.end - n - 1, der, n);
                g.end[-1] = 0;
                check_der(&got, &key, g.end - n - 1, n + 1, &taken);
                check(!taken, "%s form %zu: a byte more", key.kem->name, f);
                uint8_t *const in = g.end - n;
                size_t payload = 0;
                memcpy(in, der, n);
                for (size_t i = 0; i < n; i++)
                    for (unsigned bit = 0; bit < 8; bit++) {
                        in[i] ^= (uint8_t)(1u << bit);
                        check_der(&got, &key, in, n, &taken);
                        payload += taken;
                        in[i] ^= (uint8_t)(1u << bit);
                    }
                const size_t content = !secret                    ? key.kem->ek_len
                                       : forms[f] == KEM_SEED     ? sizeof key.seed
                                       : forms[f] == KEM_EXPANDED ? key.kem->dk_len
                                                                  : sizeof key.seed + key.kem->dk_len;
                /* Bits of the key, and the lowest one of a private key's version; for a seed two bits turn its set into
                   another. */
                size_t expected = 8 * content + (secret ? 1 : 0);
                if (secret && forms[f] == KEM_SEED)
                    expected += set == 1 ? 1 : set == 2 ? 2 : 1;
                assert_int_equal(payload, expected);
                guarded_free(g);
            }
}

/* A private key of 512 in seed form, as version 2, with `extra` behind it. */
static const char *decode_with(struct kem_key *got, uint8_t version, const uint8_t *extra, size_t extra_len)
{
    static uint8_t der[KEM_DER_MAX], all[KEM_DER_MAX + KEM_EK_MAX];
    static struct kem_key key;
    make_key(&key, 0, true);
    const size_t n = kem_der_encode(der, &key, KEM_SEED) - 2, length = n + extra_len;
    all[0] = 0x30;
    all[1] = 0x82;
    all[2] = (uint8_t)(length >> 8);
    all[3] = (uint8_t)length;
    memcpy(all + 4, der + 2, n);
    all[6] = version;
    memcpy(all + 4 + n, extra, extra_len);
    got->secret = true;
    const char *wrong = kem_der_decode(got, all, length + 4);
    return wrong != NULL ? wrong : kem_key_complete(got);
}

static void test_der_version_2(void **state)
{
    (void)state;
    static const uint8_t attributes[] = {0xa0, 0x04, 0x30, 0x02, 0x05, 0x00}, stranger[] = {0x82, 0x00};
    static struct kem_key key, got;
    static uint8_t extra[256 + KEM_EK_MAX];
    make_key(&key, 0, true);
    memcpy(extra, attributes, sizeof attributes);
    uint8_t *const public_key = extra + sizeof attributes;
    const size_t bits = key.kem->ek_len + 1;
    memcpy(public_key, (const uint8_t[]){0x81, 0x82, (uint8_t)(bits >> 8), (uint8_t)bits, 0}, 5);
    memcpy(public_key + 5, key.ek, key.kem->ek_len);
    const size_t public_len = 4 + bits, extra_len = sizeof attributes + public_len;

    assert_null(decode_with(&got, 1, public_key, public_len));
    assert_null(decode_with(&got, 1, extra, extra_len));
    check_bytes(got.ek, key.ek, key.kem->ek_len, "the public key");
    assert_non_null(decode_with(&got, 1, attributes, sizeof attributes));
    assert_non_null(decode_with(&got, 0, public_key, public_len));
    assert_non_null(decode_with(&got, 2, public_key, public_len));
    memcpy(public_key + public_len, stranger, sizeof stranger);
    assert_non_null(decode_with(&got, 1, extra, extra_len + sizeof stranger));
    public_key[5] ^= 1;
    assert_string_equal(decode_with(&got, 1, public_key, public_len),
                        "the public key beside it is another's");
    public_key[5] ^= 1;
    public_key[4] = 1; /* a bit that is not used */
    assert_non_null(decode_with(&got, 1, public_key, public_len));
}

static void test_der_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint8_t bytes[24];
        size_t n; /* before the seed */
    } cases[] = {
        {"as it is",
         {0x30, 0x54, 2, 1, 0, 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1, 4, 0x42, 0x80, 0x40},
         22},
        {"81 where no 81 is needed",
         {0x30, 0x81, 0x54, 2, 1, 0, 0x30, 11, 6,    9,    0x60, 0x86,
          0x48, 1,    0x65, 3, 4, 4, 1,    4,  0x42, 0x80, 0x40},
         23},
        {"82 where no 82 is needed",
         {0x30, 0x82, 0, 0x54, 2, 1, 0, 0x30, 11, 6,    9,    0x60,
          0x86, 0x48, 1, 0x65, 3, 4, 4, 1,    4,  0x42, 0x80, 0x40},
         24},
        {"indefinite length",
         {0x30, 0x80, 2, 1, 0, 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1, 4, 0x42, 0x80, 0x40},
         22},
        {"the seed constructed",
         {0x30, 0x54, 2, 1, 0, 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1, 4, 0x42, 0xa0, 0x40},
         22},
        {"NULL as parameters",
         {0x30, 0x56, 2, 1, 0, 0x30, 13, 6, 9, 0x60, 0x86, 0x48,
          1,    0x65, 3, 4, 4, 1,    5,  0, 4, 0x42, 0x80, 0x40},
         24},
        {"set number 4",
         {0x30, 0x54, 2, 1, 0, 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 4, 4, 0x42, 0x80, 0x40},
         22},
        {"version 3",
         {0x30, 0x54, 2, 1, 2, 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1, 4, 0x42, 0x80, 0x40},
         22},
        {"version in two bytes",
         {0x30, 0x55, 2, 2, 0, 0, 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1, 4, 0x42, 0x80, 0x40},
         23},
    };
    static struct kem_key got;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t in[24 + CELER_MLKEM_SEED] = {0};
        memcpy(in, cases[i].bytes, cases[i].n);
        got.secret = true;
        const char *const wrong = kem_der_decode(&got, in, cases[i].n + CELER_MLKEM_SEED);
        check((wrong == NULL) == (i == 0), "%s: %s", cases[i].what, wrong != NULL ? wrong : "taken");
    }
}

/* Bits of hash, key and seed in expanded and doubled keys. */
static void test_inconsistent(void **state)
{
    (void)state;
    static struct kem_key key;
    for (size_t set = 0; celer_kem_at(set) != NULL; set++) {
        make_key(&key, set, true);
        const size_t hash = key.kem->dk_len - 64, ek = hash - key.kem->ek_len;
        for (size_t i = 0; i < key.kem->dk_len; i += 7) {
            key.dk[i] ^= 0x10;
            key.form = KEM_BOTH;
            key.has_ek = false;
            assert_non_null(kem_key_complete(&key));
            make_key(&key, set, true);
            key.dk[i] ^= 0x10;
            key.form = KEM_EXPANDED;
            const char *const wrong = kem_key_complete(&key);
            check((wrong != NULL) == (i >= ek && i < hash + 32), "%s: byte %zu", key.kem->name, i);
            if (i < ek)
                check(kem_key_try(&key) != NULL, "%s: byte %zu of s", key.kem->name, i);
            make_key(&key, set, true);
        }
    }
}

/* ---- text ---- */

static void test_digits(void **state)
{
    (void)state;
    static const char hex[] = "0123456789abcdef", HEX[] = "0123456789ABCDEF";
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char text[2 * 256 + 1], pem[1024], label[32];
    uint8_t all[256], back[512];
    size_t n;
    for (size_t i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    n = kem_hex_encode(text, all, 256);
    assert_int_equal(n, 513);
    assert_int_equal(text[512], '\n');
    for (size_t i = 0; i < 512; i++)
        assert_int_equal(text[i], hex[i % 2 == 0 ? i / 32 : i / 2 % 16]);
    assert_true(kem_hex_decode(back, &n, text, 513));
    assert_int_equal(n, 256);
    check_bytes(back, all, 256, "hexadecimal and back");
    for (unsigned c = 1; c < 256; c++) {
        const char digits[] = {'0', (char)c};
        const char *low = strchr(hex, (int)c), *high = strchr(HEX, (int)c);
        const bool taken = kem_hex_decode(back, &n, digits, 2);
        check(taken == (low != NULL || high != NULL), "the digit %u", c);
        if (taken)
            assert_int_equal(back[0], low != NULL ? low - hex : high - HEX);
        const int length = snprintf(pem, sizeof pem, "-----BEGIN X-----\nAAA%c\n-----END X-----\n", (int)c);
        const char *const at = strchr(base64, (int)c);
        const bool good = kem_pem_decode(back, &n, label, pem, (size_t)length) == NULL;
        check(good == (at != NULL || c == '='), "the base64 digit %u", c);
        if (at != NULL)
            assert_int_equal(back[2], at - base64);
    }
    for (unsigned v = 0; v < 64; v++) {
        const uint8_t group[] = {(uint8_t)(v << 2), 0, 0};
        kem_pem_encode(pem, "X", group, 3);
        assert_int_equal(pem[18], base64[v]);
    }
    assert_false(kem_hex_decode(back, &n, "", 0));
    assert_false(kem_hex_decode(back, &n, " \n", 2));
    assert_false(kem_hex_decode(back, &n, "000", 3));
    assert_true(kem_hex_decode(back, &n, "0 0\r\n1\t1", 8));
    assert_int_equal(n, 2);
    assert_int_equal(back[1], 0x11);
}

/* RFC 4648, section 10. */
static void test_base64_vectors(void **state)
{
    (void)state;
    static const char *const vectors[][2] = {{"f", "Zg=="},         {"fo", "Zm8="},
                                             {"foo", "Zm9v"},       {"foob", "Zm9vYg=="},
                                             {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    static const char *const none[] = {"",      "Z",      "Zg",       "Zg=",      "Zg===",    "Z===", "====",
                                       "Zh==",  "Zm9=",   "Zg==Zg==", "Zm8=Zm9v", "Zm=v",     "Zg=A", "=Zm9",
                                       "Zm9v=", "Zm9v==", "Zm9v====", "Zm-v",     "Zm9v\xff", "Zm9v-"};
    char text[256], label[32];
    uint8_t back[64];
    size_t n;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "-----BEGIN A B-----\n%s\n-----END A B-----\n", vectors[i][1]);
        n = kem_pem_encode(text, "A B", (const uint8_t *)vectors[i][0], strlen(vectors[i][0]));
        text[n] = 0;
        assert_string_equal(text, expected);
        assert_null(kem_pem_decode(back, &n, label, text, n));
        assert_string_equal(label, "A B");
        assert_int_equal(n, strlen(vectors[i][0]));
        check_bytes(back, vectors[i][0], n, "%s", vectors[i][0]);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const int length = snprintf(text, sizeof text, "-----BEGIN X-----\n%s\n-----END X-----\n", none[i]);
        check(kem_pem_decode(back, &n, label, text, (size_t)length) != NULL, "\"%s\" is taken", none[i]);
    }
}

static size_t without_blanks(char *out, const char *text, size_t n)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++)
        if (strchr(" \t\r\n", text[i]) == NULL || text[i] == 0)
            out[length++] = text[i];
    return length;
}

static void test_pem_damage(void **state)
{
    (void)state;
    static char pem[1024], again[1024], a[1024], b[1024];
    uint8_t bytes[100], back[512];
    char label[32];
    struct rng rng = {7};
    size_t n, back_len;
    for (size_t length = 1; length <= sizeof bytes; length++) {
        rng_fill(&rng, bytes, length);
        n = kem_pem_encode(pem, "PRIVATE KEY", bytes, length);
        assert_null(kem_pem_decode(back, &back_len, label, pem, n));
        assert_int_equal(back_len, length);
        check_bytes(back, bytes, length, "%zu bytes", length);
    }
    struct guarded g = guarded_new(n);
    for (size_t length = 0; length < n - 1; length++) {
        memcpy(g.end - length, pem, length);
        check(kem_pem_decode(back, &back_len, label, (char *)g.end - length, length) != NULL,
              "the first %zu characters", length);
    }
    char *const in = (char *)g.end - n;
    for (size_t i = 0; i < n; i++)
        for (unsigned change = 1; change < 256; change++) {
            memcpy(in, pem, n);
            in[i] = (char)(in[i] ^ (char)change);
            if (kem_pem_decode(back, &back_len, label, in, n) != NULL)
                continue;
            const size_t again_len = kem_pem_encode(again, label, back, back_len);
            const size_t a_len = without_blanks(a, in, n), b_len = without_blanks(b, again, again_len);
            check(a_len == b_len && memcmp(a, b, a_len) == 0, "character %zu changed by %u", i, change);
        }
    guarded_free(g);

    /* As others write it. */
    static const char *const good[] = {"-----BEGIN X-----\r\nZm9v\r\nYmFy\r\n-----END X-----\r\n",
                                       "Key of -----BEGIN\n\n-----BEGIN X-----\nZm9vYmFy\n-----END X-----",
                                       "-----BEGIN X-----\n Zm9v YmFy\t\n\n-----END X-----\n\n \n"};
    static const char *const bad[] = {"-----BEGIN X-----\nZm9v\n-----END Y-----\n",
                                      "-----BEGIN X-----\nZm9v\n-----END X----\n",
                                      "-----BEGIN X-----\nZm9v -----END X-----\n",
                                      "-----BEGIN X-----\nZm9v\n-----END X-----\n-----BEGIN X-----\n",
                                      "-----BEGIN X-----\nVersion: 4\n\nZm9v\n-----END X-----\n",
                                      "-----BEGIN X\n-----\nZm9v\n-----END X\n-----\n",
                                      "-----BEGIN 0123456789012345678901234567890123456789-----\n",
                                      " -----BEGIN X-----\nZm9v\n-----END X-----\n"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_null(kem_pem_decode(back, &back_len, label, good[i], strlen(good[i])));
        assert_int_equal(back_len, 6);
        assert_memory_equal(back, "foobar", 6);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check(kem_pem_decode(back, &back_len, label, bad[i], strlen(bad[i])) != NULL, "\"%s\" is taken",
              bad[i]);
}

/* Any bytes of any length lead to a key or to a reason. */
static void test_any_bytes(void **state)
{
    (void)state;
    static struct kem_key key;
    struct rng rng = {11};
    struct guarded g = guarded_new(4096);
    for (size_t n = 0; n <= 4096; n += n < 200 ? 1 : 16) {
        uint8_t *const in = g.end - n;
        rng_fill(&rng, in, n);
        if (kem_key_decode(&key, in, n, celer_kem_find("ml-kem-768")) == NULL) {
            check(n == 64 || n == 800 || n == 1184 || n == 1568 || n == 1632 || n == 2400 || n == 3168,
                  "%zu bytes", n);
            kem_key_complete(&key);
        }
    }
    guarded_free(g);
}

/* ---- files ---- */

/* The linker puts these in the place of rename and link (CMakeLists.txt); number `fail_at` of the renames fails. */
static int renames, fail_at;
static bool links_fail;

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);

int __wrap_rename(const char *from, const char *to)
{
    if (++renames == fail_at) {
        errno = EIO;
        return -1;
    }
    return __real_rename(from, to);
}

int __wrap_link(const char *from, const char *to)
{
    if (links_fail) {
        errno = EPERM; /* a file system without hard links */
        return -1;
    }
    return __real_link(from, to);
}

static char folder[] = "/tmp/celer-kem-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[4][64];
    static unsigned next;
    char *const path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put_file(const char *name, const char *text)
{
    FILE *const file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void check_file(const char *name, const char *text)
{
    char got[64] = "";
    FILE *const file = fopen(in_folder(name), "r");
    check((file != NULL) == (text != NULL), "%s: there or not", name);
    if (file == NULL)
        return;
    got[fread(got, 1, sizeof got - 1, file)] = 0;
    fclose(file);
    check(strcmp(got, text) == 0, "%s: \"%s\"", name, got);
}

static int files_in_folder(void)
{
    DIR *const dir = opendir(folder);
    int n = -2; /* . and .. */
    assert_non_null(dir);
    while (readdir(dir) != NULL)
        n++;
    closedir(dir);
    return n;
}

static int write_pair(const char *first, const char *second, bool force)
{
    const struct kem_output outputs[] = {{in_folder(first), "new one", 7, false},
                                         {in_folder(second), "new two", 7, true}};
    renames = 0;
    return kem_files_write(outputs, 2, force);
}

/* By --force, whatever was there: with each rename failing in turn, nothing has changed; with none, all has. */
static void test_force(void **state)
{
    (void)state;
    for (int there = 0; there < 4; there++)
        for (int hard_links = 0; hard_links < 2; hard_links++) {
            links_fail = hard_links == 0;
            for (fail_at = 1;; fail_at++) {
                if (there & 1)
                    put_file("a", "old one");
                if (there & 2)
                    put_file("b", "old two");
                const int code = write_pair("a", "b", true);
                if (renames < fail_at) { /* none failed */
                    assert_int_equal(code, 0);
                    break;
                }
                assert_int_equal(code, EXIT_TROUBLE);
                check_file("a", there & 1 ? "old one" : NULL);
                check_file("b", there & 2 ? "old two" : NULL);
                assert_int_equal(files_in_folder(), (there & 1) + (there >> 1));
            }
            assert_true(fail_at > 2);
            check_file("a", "new one");
            check_file("b", "new two");
            assert_int_equal(files_in_folder(), 2);
            unlink(in_folder("a"));
            unlink(in_folder("b"));
        }
    fail_at = 0;
}

static void test_new_files(void **state)
{
    (void)state;
    struct stat status;
    const mode_t masks[] = {0, 022, 0777};
    for (size_t i = 0; i < 3; i++) {
        const mode_t former = umask(masks[i]);
        assert_int_equal(write_pair("a", "b", i == 0), 0);
        umask(former);
        assert_int_equal(stat(in_folder("a"), &status), 0);
        assert_int_equal(status.st_mode & 07777, 0600);
        assert_int_equal(stat(in_folder("b"), &status), 0);
        assert_int_equal(status.st_mode & 07777, 0600);
        unlink(in_folder("a"));
        unlink(in_folder("b"));
    }
    put_file("b", "old two");
    assert_int_equal(write_pair("a", "b", false), EXIT_TROUBLE);
    check_file("a", NULL);
    check_file("b", "old two");
    assert_int_equal(write_pair("b", "a", false), EXIT_TROUBLE);
    check_file("a", NULL);
    check_file("b", "old two");
    assert_int_equal(symlink("nowhere", in_folder("a")), 0);
    assert_int_equal(write_pair("a", "c", false), EXIT_TROUBLE); /* O_EXCL: not through a link either */
    assert_int_equal(files_in_folder(), 2);
    unlink(in_folder("a"));

    /* One file for both. */
    assert_int_equal(write_pair("c", "c", false), EXIT_TROUBLE);
    assert_int_equal(write_pair("c", "c", true), EXIT_TROUBLE);
    assert_int_equal(symlink("b", in_folder("a")), 0);
    assert_int_equal(write_pair("a", "b", true), EXIT_TROUBLE);
    check_file("b", "old two");
    assert_int_equal(files_in_folder(), 2);

    /* What a link leads to, and what is no file. */
    const struct kem_output over = {in_folder("a"), "new two", 7, true};
    assert_int_equal(kem_files_write(&over, 1, true), 0);
    check_file("b", "new two");
    assert_int_equal(lstat(in_folder("a"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    const struct kem_output device = {"/dev/null", "new two", 7, true};
    assert_int_equal(kem_files_write(&device, 1, true), 0);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    unlink(in_folder("a"));
    unlink(in_folder("b"));
    assert_int_equal(files_in_folder(), 0);
}

/* ---- the self-test, with a row that is wrong ---- */

const struct celer_kem *__real_celer_kem_at(size_t i);
const struct celer_kem *__wrap_celer_kem_at(size_t i);
static struct celer_kem planted;
static bool plant;

const struct celer_kem *__wrap_celer_kem_at(size_t i)
{
    return plant && i == 1 ? &planted : __real_celer_kem_at(i);
}

static void bad_keygen(uint8_t *ek, uint8_t *dk, const uint8_t *seed)
{
    __real_celer_kem_at(1)->keygen(ek, dk, seed);
    ek[0] ^= 1;
}

static int bad_encaps(uint8_t *ct, uint8_t *ss, const uint8_t *ek, const uint8_t *coins)
{
    const int error = __real_celer_kem_at(1)->encaps(ct, ss, ek, coins);
    ss[31] ^= 0x80;
    return error;
}

static int bad_decaps(uint8_t *ss, const uint8_t *ct, const uint8_t *dk)
{
    const int error = __real_celer_kem_at(1)->decaps(ss, ct, dk);
    ss[0] ^= (ct[5] & 15) == 0; /* seldom */
    return error;
}

static const uint8_t *last_ss;

static int remember_encaps(uint8_t *ct, uint8_t *ss, const uint8_t *ek, const uint8_t *coins)
{
    static uint8_t copy[32];
    const int error = __real_celer_kem_at(1)->encaps(ct, ss, ek, coins);
    memcpy(copy, ss, 32);
    last_ss = copy;
    return error;
}

/* Never rejects. */
static int trusting_decaps(uint8_t *ss, const uint8_t *ct, const uint8_t *dk)
{
    const int error = __real_celer_kem_at(1)->decaps(ss, ct, dk);
    if (error == 0 && last_ss != NULL)
        memcpy(ss, last_ss, 32);
    return error;
}

static int no_check(const uint8_t *key)
{
    (void)key;
    return 0;
}

static void bad_opened(uint8_t *ss, const uint8_t *ct, const void *key)
{
    __real_celer_kem_at(1)->dk_decaps(ss, ct, key);
    ss[7] ^= 1;
}

static void bad_many(uint8_t *ek, uint8_t *dk, const uint8_t *seed, size_t n)
{
    __real_celer_kem_at(1)->keygen_many(ek, dk, seed, n);
    dk[(n - 1) * __real_celer_kem_at(1)->dk_len] ^= 1;
}

static int bad_decaps_many(uint8_t *ss, const uint8_t *ct, const uint8_t *dk, size_t n)
{
    const int error = __real_celer_kem_at(1)->decaps_many(ss, ct, dk, n);
    ss[(n - 1) * 32] ^= 1;
    return error;
}

static void test_self_test(void **state)
{
    (void)state;
    const struct celer_kem *const good = __real_celer_kem_at(1);
    planted = *good;
    plant = true;
    assert_int_equal(kem_test(&planted, true, 3), EXIT_GOOD);
    assert_int_equal(kem_test(&planted, false, 9), EXIT_GOOD);
#define PLANT(...)                                                         \
  do {                                                                     \
    planted = *good;                                                       \
    __VA_ARGS__;                                                           \
    check(kem_test(&planted, false, 2000) == EXIT_NEGATIVE, #__VA_ARGS__); \
  } while (0)
    PLANT(planted.keygen = bad_keygen);
    PLANT(planted.encaps = bad_encaps);
    PLANT(planted.decaps = bad_decaps);
    PLANT(planted.encaps = remember_encaps, planted.decaps = trusting_decaps);
    PLANT(planted.ek_check = no_check);
    PLANT(planted.dk_check = no_check);
    PLANT(planted.dk_decaps = bad_opened);
    PLANT(planted.keygen_many = bad_many);
    PLANT(planted.decaps_many = bad_decaps_many);
    PLANT(planted.name = "ml-kem-0");
    plant = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),        cmocka_unit_test(test_der_damage),
        cmocka_unit_test(test_der_version_2),  cmocka_unit_test(test_der_by_hand),
        cmocka_unit_test(test_inconsistent),   cmocka_unit_test(test_digits),
        cmocka_unit_test(test_base64_vectors), cmocka_unit_test(test_pem_damage),
        cmocka_unit_test(test_any_bytes),      cmocka_unit_test(test_force),
        cmocka_unit_test(test_new_files),      cmocka_unit_test(test_self_test),
    };
    cli_start("kem");
    if (mkdtemp(folder) == NULL)
        return 2;
    const int failed = cmocka_run_group_tests_name("mlkem files", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
