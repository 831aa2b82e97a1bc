/* test_hmac.c: HMAC over the hashes of the list, on every row. */
#include "sp800_185.h"
#include "support.h"

/* The definition of FIPS 198-1 section 4, step by step, from whole messages. */
static void plain_hmac(const struct celer_hash *hash, uint8_t *out, const uint8_t *key, size_t key_len,
                       const uint8_t *in, size_t in_len)
{
    const size_t block = hash->block_len, digest = hash->out_len;
    uint8_t *inner = calloc(1, block + in_len), *outer = calloc(1, block + digest);
    assert_true(inner != NULL && outer != NULL);
    if (key_len > block) {
        const struct celer_msg msg = {key, key_len};
        assert_int_equal(celer_hash_many(hash, NULL, inner, &msg, 1), 0);
    } else if (key_len > 0)
        memcpy(inner, key, key_len);
    for (size_t i = 0; i < block; i++) {
        outer[i] = inner[i] ^ 0x5c;
        inner[i] ^= 0x36;
    }
    if (in_len > 0)
        memcpy(inner + block, in, in_len);
    const struct celer_msg first = {inner, block + in_len}, second = {outer, block + digest};
    assert_int_equal(celer_hash_many(hash, NULL, outer + block, &first, 1), 0);
    assert_int_equal(celer_hash_many(hash, NULL, out, &second, 1), 0);
    free(inner);
    free(outer);
}

static int sequential(const struct celer_hash *hash)
{
    return hash->out_max <= hash->block_len && !(hash->flags & CELER_HASH_TREE);
}

/* Wrong: a key as long as a block is hashed, or one byte longer is not; the block of another hash. */
static void test_keys(void **state)
{
    (void)state;
    enum { MOST = 450 };
    uint8_t bytes[2 * MOST], want[64], out[65];
    struct rng rng = {1};
    rng_fill(&rng, bytes, sizeof bytes);
    const struct celer_hash *hash;
    size_t hashes = 0;
    for (size_t h = 0; (hash = celer_hash_at(h)) != NULL; h++) {
        const char *row;
        if (!sequential(hash))
            continue;
        hashes++;
        for (size_t r = 0; (row = row_name(hash->kernel, r)) != NULL; r++) {
            if (!row_usable(hash->kernel, row))
                continue;
            row_enter(hash->kernel, row);
            for (size_t n = 0; n <= 3 * hash->block_len; n++) {
                const size_t len = rng_below(&rng, MOST), cut = rng_below(&rng, len + 1);
                const uint8_t *key = n != 0 ? bytes : NULL, *in = len != 0 ? bytes + MOST : NULL;
                struct celer_hmac_ctx ctx, copy;
                plain_hmac(hash, want, key, n, in, len);
                memset(out, 0xaa, sizeof out);
                assert_int_equal(celer_hmac(hash, out, key, n, in, len), 0);
                check_bytes(out, want, hash->out_len, "%s/%s: key of %zu bytes", hash->name, row, n);
                check(out[hash->out_len] == 0xaa, "%s: wrote more", hash->name);
                assert_int_equal(celer_hmac_init(&ctx, hash, key, n), 0);
                celer_hmac_update(&ctx, in, cut);
                memcpy(&copy, &ctx, sizeof copy);
                celer_hmac_update(&ctx, bytes, 1);
                celer_hmac_update(&copy, NULL, 0);
                celer_hmac_update(&copy, in != NULL ? in + cut : NULL, len - cut);
                celer_hmac_final(&copy, out);
                check_bytes(out, want, hash->out_len, "%s/%s: in pieces, key of %zu bytes", hash->name, row,
                            n);
            }
        }
    }
    check(hashes >= 6, "only %zu hashes", hashes);
}

struct wycheproof {
    const char *path, *function, *hash;
    size_t cases;
};

static void check_case(const struct sp800_185_case *c, void *arg)
{
    struct wycheproof *w = arg;
    const struct celer_hash *hash = celer_hash_find(w->hash);
    uint8_t out[64];
    assert_non_null(hash);
    assert_string_equal(c->function, w->function);
    assert_int_equal(celer_hmac(hash, out, c->key.bytes, c->key.bits / 8, c->msg.bytes, c->msg.bits / 8), 0);
    check(celer_equal(out, c->out.bytes, c->out.bits / 8) == c->valid, "%s: case %zu", w->path, c->number);
    w->cases++;
}

static void test_wycheproof(void **state)
{
    (void)state;
    struct wycheproof files[] = {
        {"mac/wycheproof-hmac_sha256_test.json", "hmacsha256", "sha256", 0},
        {"mac/wycheproof-hmac_sha3_256_test.json", "hmacsha3-256", "sha3-256", 0},
    };
    for (size_t i = 0; i < 2; i++) {
        sp800_185_each(files[i].path, check_case, &files[i]);
        check(files[i].cases == 58, "%s: %zu cases", files[i].path, files[i].cases);
    }
}

/* What HMAC is not defined over. */
static void test_refused(void **state)
{
    (void)state;
    const struct celer_hash *hash;
    struct celer_hmac_ctx ctx;
    uint8_t out[100];
    for (size_t h = 0;; h++) {
        hash = celer_hash_at(h);
        if (hash != NULL && sequential(hash))
            continue;
        const char *name = hash != NULL ? hash->name : "NULL";
        const size_t len = hash != NULL ? hash->out_len : 0;
        memset(&ctx, 0xaa, sizeof ctx);
        memset(out, 0xaa, sizeof out);
        check(celer_hmac_init(&ctx, hash, "key", 3) == CELER_EINVAL, "%s accepted", name);
        check(all_zero(&ctx, sizeof ctx), "%s left a context", name);
        check(celer_hmac(hash, out, "key", 3, "abc", 3) == CELER_EINVAL, "%s accepted at once", name);
        check(all_zero(out, len) && out[len] == 0xaa, "%s: output", name);
        if (hash == NULL)
            break;
    }
}

/* Wrong: what was computed from the key stays. */
static void test_dead_contexts(void **state)
{
    (void)state;
    const struct celer_hash *hash = celer_hash_find("sha3-256");
    struct celer_hmac_ctx ctx;
    uint8_t out[33];
    for (int how = 0; how < 3; how++) {
        const size_t len = how == 2 ? 32 : 0; /* what a context knows of its output */
        memset(&ctx, 0, sizeof ctx);
        if (how > 0)
            assert_int_equal(celer_hmac_init(&ctx, hash, "key", 3), 0);
        if (how == 1)
            celer_hmac_wipe(&ctx);
        if (how == 2)
            celer_hmac_final(&ctx, out);
        check(all_zero(&ctx.inner, sizeof ctx.inner) && all_zero(&ctx.outer, sizeof ctx.outer), "%d: left",
              how);
        celer_hmac_update(&ctx, "abc", 3);
        memset(out, 0xaa, sizeof out);
        celer_hmac_final(&ctx, out);
        check(all_zero(out, len) && out[len] == 0xaa, "%d: output", how);
        check(ctx.hash == NULL && all_zero(&ctx.inner, sizeof ctx.inner), "%d: came to life", how);
    }
}

static void hmac_on_stack(void *arg)
{
    static struct celer_hmac_ctx
        ctx; /* not on the stack; and no call that would write over what init left there */
    const uint8_t *key = arg;
    for (size_t len = 100; len <= 200; len += 100) /* within a block, and longer */
        if (celer_hmac_init(&ctx, celer_hash_find("sha3-256"), key, len) != 0)
            abort();
}

/* Wrong: what the key can be computed from stays on the stack. */
static void test_stack(void **state)
{
    (void)state;
    if (!STACK_IS_PLAIN)
        skip();
    uint8_t key[200], digest[32], found[32];
    struct rng rng = {3};
    rng_fill(&rng, key, sizeof key);
    celer_sha3_256(digest, key, sizeof key);
    struct guarded stack = guarded_new(STACK_SIZE);
    on_stack(stack, hmac_on_stack, key);
    static const uint8_t pads[] = {0, 0x36, 0x5c};
    for (size_t p = 0; p < sizeof pads; p++)
        for (size_t at = 0; at <= sizeof key - sizeof found; at++) {
            const uint8_t *secret = at == 0 ? digest : key + at;
            for (size_t i = 0; i < sizeof found; i++)
                found[i] = secret[i] ^ pads[p];
            check(memmem(stack.begin, STACK_SIZE, found, sizeof found) == NULL, "byte %zu of the key ^ %02x",
                  at, pads[p]);
        }
    guarded_free(stack);
}

/* Output over key, and over input. */
static void test_overlap(void **state)
{
    (void)state;
    const struct celer_hash *hash = celer_hash_find("sha256");
    uint8_t bytes[200], want[32], copy[200];
    struct rng rng = {2};
    rng_fill(&rng, bytes, sizeof bytes);
    plain_hmac(hash, want, bytes, 100, bytes + 100, 100);
    for (size_t at = 0; at <= 168; at++) {
        memcpy(copy, bytes, sizeof copy);
        assert_int_equal(celer_hmac(hash, copy + at, copy, 100, copy + 100, 100), 0);
        check_bytes(copy + at, want, 32, "output at %zu", at);
    }
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_keys, NULL, "hmac: keys of every length");
    suite_add(&suite, test_wycheproof, NULL, "hmac: official vectors");
    suite_add(&suite, test_refused, NULL, "hmac: hashes it is not for");
    suite_add(&suite, test_dead_contexts, NULL, "hmac: dead contexts");
    suite_add(&suite, test_stack, NULL, "hmac: stack");
    suite_add(&suite, test_overlap, NULL, "hmac: output over input");
    return suite_run(&suite, "hmac") != 0;
}
