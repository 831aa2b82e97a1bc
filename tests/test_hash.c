/* test_hash.c: the list of hashes, names, options, and the small functions of celer/common.h. */
#include "support.h"

static void test_list(void **state)
{
    (void)state;
    static const char *const names[] = {"sha224",
                                        "sha256",
                                        "sha3-224",
                                        "sha3-256",
                                        "sha3-384",
                                        "sha3-512",
                                        "shake128",
                                        "shake256",
                                        "cshake128",
                                        "cshake256",
                                        "kmac128",
                                        "kmac256",
                                        "kmacxof128",
                                        "kmacxof256",
                                        "parallelhash128",
                                        "parallelhash256",
                                        "parallelhashxof128",
                                        "parallelhashxof256"};
    const struct celer_hash *hash;
    size_t i;
    for (i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        for (const char *p = hash->name; *p != 0; p++)
            check((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '-',
                  "%s is no canonical name", hash->name);
        assert_ptr_equal(celer_hash_find(hash->name), hash); /* also: no name is there twice */
        check(hash->family[0] != 0 && hash->source[0] != 0, "%s has no family or source", hash->name);
        check(hash->out_min >= 1 && hash->out_min <= hash->out_len && hash->out_len <= hash->out_max,
              "%s: lengths of output", hash->name);
        check(hash->ctx_size > 0 && hash->ctx_size <= CELER_HASH_CTX_SIZE, "%s: context", hash->name);
        check(hash->block_len > 0, "%s: block", hash->name);
        check(hash->key_min <= hash->key_max, "%s: key", hash->name);
        check((hash->key_max > 0) == ((hash->flags & CELER_HASH_KEY) != 0), "%s: key and flag", hash->name);
        check((hash->salt_len > 0) == ((hash->flags & CELER_HASH_SALT) != 0), "%s: salt and flag",
              hash->name);
        check((hash->squeeze != NULL) == ((hash->flags & CELER_HASH_XOF) != 0), "%s: squeeze and flag",
              hash->name);
        check(hash->kernel != NULL && hash->init != NULL && hash->update != NULL && hash->final != NULL,
              "%s: methods", hash->name);
    }
    assert_null(celer_hash_at(i + 1));
    assert_null(celer_hash_at(SIZE_MAX));
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        check(celer_hash_find(names[n]) != NULL, "%s is not in the list", names[n]);
}

static void test_find(void **state)
{
    (void)state;
    static const char *const same[] = {"sha3-256", "sha3_256", "SHA3-256", "SHA3_256", "Sha3-256"};
    static const char *const none[] = {"",         "sha3",      "sha3-",           "sha3-25",   "sha3-2567",
                                       "sha3 256", " sha3-256", "sha3-256 ",       "sha3--256", "sha3256",
                                       "ha3-256",  "-",         "shake-128",       "sha-256",   "sha3-256\n",
                                       "sha3/256", "\xff",      "sha3-256sha3-256"};
    static const char *const lengths[][2] = {{"blake2b", "blake2b-512"},   {"blake2b", "BLAKE2b_512"},
                                             {"blake2s", "blake2s-256"},   {"blake2bp", "blake2bp-512"},
                                             {"blake2sp", "blake2sp-256"}, {"shake128", "shake128-256"}};
    static const char *const no_lengths[] = {
        "blake2b-",    "blake2b-0512", "blake2b-5120", "blake2b-51",
        "blake2b-384", "blake2b512",   "sha256-256",   "blake2b-512-512",
        "sha512-512",  "blake2s-512",  "blake2b--512", "blake2b-18446744073709552128"};
    const struct celer_hash *hash;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        hash = celer_hash_find(lengths[i][1]);
        check(hash != NULL && strcmp(hash->name, lengths[i][0]) == 0, "%s not found", lengths[i][1]);
    }
    for (size_t i = 0; i < sizeof no_lengths / sizeof no_lengths[0]; i++)
        check(celer_hash_find(no_lengths[i]) == NULL, "'%s' found", no_lengths[i]);
    assert_string_equal(celer_hash_find("blake2b-256")->name, "blake2b-256"); /* a row of its own */
    hash = celer_hash_find("sha3-256");
    assert_non_null(hash);
    assert_string_equal(hash->name, "sha3-256");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        check(celer_hash_find(same[i]) == hash, "%s not found", same[i]);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        check(celer_hash_find(none[i]) == NULL, "'%s' found", none[i]);
}

/* Init refuses with a context that is all zeros, many with outputs untouched. */
static void refused(const struct celer_hash *hash, const struct celer_hash_opts *opts, const char *what)
{
    struct celer_hash_ctx ctx;
    uint8_t out[300];
    const struct celer_msg msg = {"abc", 3};
    memset(&ctx, 0xaa, sizeof ctx);
    check(celer_hash_init(&ctx, hash, opts) == CELER_EINVAL, "%s: %s accepted", hash->name, what);
    check(all_zero(&ctx, sizeof ctx), "%s: %s left a context", hash->name, what);
    memset(out, 0xaa, sizeof out);
    check(celer_hash_many(hash, opts, out, &msg, 1) == CELER_EINVAL, "%s: %s accepted by many", hash->name,
          what);
    for (size_t i = 0; i < sizeof out; i++)
        check(out[i] == 0xaa, "%s: %s: many wrote at %zu", hash->name, what, i);
}

static void test_options(void **state)
{
    (void)state;
    const struct celer_hash *hash;
    static const uint8_t bytes[32] = {1};
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        if (hash->out_min > 1)
            refused(hash, &(struct celer_hash_opts){.out_len = hash->out_min - 1}, "a short output");
        if (hash->out_max < SIZE_MAX) {
            refused(hash, &(struct celer_hash_opts){.out_len = hash->out_max + 1}, "a long output");
            refused(hash, &(struct celer_hash_opts){.out_len = SIZE_MAX}, "the longest output");
        }
        if (hash->key_min > 0)
            refused(hash, NULL, "no key");
        if (hash->key_max < SIZE_MAX)
            refused(hash, &(struct celer_hash_opts){.key = bytes, .key_len = hash->key_max + 1}, "a key");
        if (!(hash->flags & CELER_HASH_CUSTOM))
            refused(hash, &(struct celer_hash_opts){.custom = bytes, .custom_len = 1}, "a customization");
        if (!(hash->flags & CELER_HASH_SALT)) {
            refused(hash, &(struct celer_hash_opts){.salt = bytes, .salt_len = 1}, "a salt");
            refused(hash, &(struct celer_hash_opts){.personal = bytes, .personal_len = 16},
                    "a personalization");
        }
        if (hash->flags & CELER_HASH_SALT)
            for (size_t len = 1; len <= 2 * hash->salt_len; len += len + 1 == hash->salt_len ? 2 : 1) {
                refused(hash, &(struct celer_hash_opts){.salt = bytes, .salt_len = len},
                        "the length of a salt");
                refused(hash, &(struct celer_hash_opts){.personal = bytes, .personal_len = len},
                        "the length of a personalization");
            }
        if (!(hash->flags & CELER_HASH_NAME))
            refused(hash, &(struct celer_hash_opts){.name = bytes, .name_len = 1}, "a function name");
        if (!(hash->flags & CELER_HASH_BLOCK))
            refused(hash, &(struct celer_hash_opts){.block_len = 8192}, "a block length");
        if (!(hash->flags & CELER_HASH_DOMAIN))
            refused(hash, &(struct celer_hash_opts){.domain = 0x1f}, "a domain");
        refused(hash, &(struct celer_hash_opts){.domain = 0x80}, "a domain of 8 bits");
        refused(hash, &(struct celer_hash_opts){.domain = 0x11f}, "a domain of 9 bits");
        if (hash->key_min > 0)
            continue;
        /* No options, options of zeros, and the customary length by its number are one and the same. */
        const struct celer_hash_opts zeros = {0}, customary = {.out_len = hash->out_len};
        const struct celer_hash_opts *const opts[] = {NULL, &zeros, &customary};
        struct celer_hash_ctx ctx;
        uint8_t out[3][256];
        for (size_t o = 0; o < 3; o++) {
            assert_int_equal(celer_hash_init(&ctx, hash, opts[o]), 0);
            assert_int_equal(ctx.out_len, hash->out_len);
            celer_hash_update(&ctx, "abc", 3);
            celer_hash_final(&ctx, out[o]);
            check_bytes(out[o], out[0], hash->out_len, "%s: options %zu", hash->name, o);
        }
    }
}

/* A fixed-length hash has no squeeze: refused, zeros written, and the context still good for its final. */
static void test_squeeze_of_fixed(void **state)
{
    (void)state;
    const struct celer_hash *hash = celer_hash_find("sha3-256");
    struct celer_hash_ctx ctx;
    uint8_t out[32], want[32];
    celer_sha3_256(want, "abc", 3);
    assert_int_equal(celer_hash_init(&ctx, celer_hash_find("no such hash"), NULL), CELER_EINVAL);
    assert_true(all_zero(&ctx, sizeof ctx));
    assert_int_equal(celer_hash_init(&ctx, hash, NULL), 0);
    celer_hash_update(&ctx, "abc", 3);
    memset(out, 0xaa, sizeof out);
    assert_int_equal(celer_hash_squeeze(&ctx, out, sizeof out), CELER_EINVAL);
    assert_true(all_zero(out, sizeof out));
    celer_hash_final(&ctx, out);
    assert_memory_equal(out, want, sizeof out);
}

/* ---- common.h ---- */

static void test_equal(void **state)
{
    (void)state;
    uint8_t a[70], b[70];
    struct rng rng = {8};
    rng_fill(&rng, a, sizeof a);
    memcpy(b, a, sizeof b);
    for (size_t n = 0; n <= sizeof a; n++)
        assert_int_equal(celer_equal(a, b, n), 1);
    for (size_t i = 0; i < sizeof a; i++)
        for (unsigned bit = 0; bit < 8; bit++) { /* each single bit, and the byte turned round */
            b[i] ^= (uint8_t)(1u << bit);
            assert_int_equal(celer_equal(a, b, sizeof a), 0);
            assert_int_equal(celer_equal(a, b, i), 1);
            b[i] ^= (uint8_t)(0xff ^ 1u << bit);
            assert_int_equal(celer_equal(a, b, sizeof a), 0);
            b[i] = a[i];
        }
    for (unsigned x = 0; x < 256; x++)
        for (unsigned y = 0; y < 256; y++) {
            const uint8_t one = (uint8_t)x, two = (uint8_t)y;
            assert_int_equal(celer_equal(&one, &two, 1), x == y);
        }
    assert_int_equal(celer_equal(NULL, NULL, 0), 1);
}

static void test_wipe(void **state)
{
    (void)state;
    uint8_t p[40];
    for (size_t from = 0; from < 8; from++)
        for (size_t n = 0; n <= 24; n++) {
            memset(p, 0xaa, sizeof p);
            celer_wipe(p + from, n);
            for (size_t i = 0; i < sizeof p; i++)
                assert_int_equal(p[i], i >= from && i < from + n ? 0 : 0xaa);
        }
    celer_wipe(NULL, 0);
}

static void test_texts(void **state)
{
    (void)state;
    assert_string_equal(celer_version(), CELER_VERSION);
    static const int errors[] = {CELER_OK, CELER_EINVAL, 1, -1000};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        const char *text = celer_strerror(errors[i]);
        check(text != NULL && *text != 0 && text[strlen(text) - 1] != '.', "error %d", errors[i]);
    }
    assert_string_not_equal(celer_strerror(CELER_OK), celer_strerror(CELER_EINVAL));
    assert_string_not_equal(celer_strerror(CELER_EINVAL), celer_strerror(-1000));
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_list, NULL, "hash: the list");
    suite_add(&suite, test_find, NULL, "hash: names");
    suite_add(&suite, test_options, NULL, "hash: options");
    suite_add(&suite, test_squeeze_of_fixed, NULL, "hash: no squeeze of a fixed length");
    suite_add(&suite, test_equal, NULL, "common: equal");
    suite_add(&suite, test_wipe, NULL, "common: wipe");
    suite_add(&suite, test_texts, NULL, "common: version and errors");
    return suite_run(&suite, "hash") != 0;
}
