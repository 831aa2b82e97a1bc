/* test_blake2.c: the functions of celer/blake2.h. Trees and long outputs are also made from their parts. */
#include "blake2_vectors.h"
#include "support.h"
#include "typed_template.h"
#include "vectors.h"
#include "blake2/blake2b.h"
#include "blake2/blake2s.h"
#include "sha2/sha2.h"

enum { MOST_OUT = 64, B = 0, S = 1 };

/* ---- the functions under one type ---- */

typedef int oneshot(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *key,
                    size_t key_len);

/* One of the six. Behind void pointers; of BLAKE2X, end is squeeze. */
struct function {
    struct typed typed;
    oneshot *run;
    int (*init)(void *ctx, size_t out_len, const void *key, size_t key_len);
    int (*end)(void *ctx, uint8_t *out, size_t out_len);
    size_t longest;
};

#define FUNCTION(id)                                                                     \
  TYPED_COMMON_OF(id)                                                                    \
  static int id##_begin_(void *ctx, size_t out_len, const void *key, size_t key_len)     \
  {                                                                                      \
    return celer_##id##_init(ctx, out_len, key, key_len);                                \
  }                                                                                      \
  static void id##_init_(void *ctx)                                                      \
  {                                                                                      \
    assert_int_equal(celer_##id##_init(ctx, celer_hash_find(#id)->out_len, NULL, 0), 0); \
  }                                                                                      \
  static void id##_oneshot_(uint8_t *out, size_t out_len, const void *in, size_t in_len) \
  {                                                                                      \
    assert_int_equal(celer_##id(out, out_len, in, in_len, NULL, 0), 0);                  \
  }
#define TYPED_COMMON_OF(id)                                          \
  static void id##_update_(void *ctx, const void *in, size_t in_len) \
  {                                                                  \
    celer_##id##_update(ctx, in, in_len);                            \
  }                                                                  \
  static void id##_wipe_(void *ctx)                                  \
  {                                                                  \
    celer_##id##_wipe(ctx);                                          \
  }
/* A dead context has no length to write, and says so. */
#define FIXED(id)                                                \
  static int id##_last_(void *ctx, uint8_t *out, size_t out_len) \
  {                                                              \
    (void)out_len;                                               \
    return celer_##id##_final(ctx, out);                         \
  }                                                              \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len) \
  {                                                              \
    if (celer_##id##_final(ctx, out) != 0)                       \
      memset(out, 0, out_len);                                   \
  }                                                              \
  FUNCTION(id)
#define MANY(id)                                                                               \
  static void id##_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n) \
  {                                                                                            \
    assert_int_equal(celer_##id##_many(out, out_len, msgs, n, NULL, 0), 0);                    \
  }                                                                                            \
  FIXED(id)
#define EXTENDABLE(id)                                           \
  static int id##_last_(void *ctx, uint8_t *out, size_t out_len) \
  {                                                              \
    return celer_##id##_squeeze(ctx, out, out_len);              \
  }                                                              \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len) \
  {                                                              \
    if (celer_##id##_squeeze(ctx, out, out_len) == 0)            \
      celer_##id##_wipe(ctx);                                    \
  }                                                              \
  FUNCTION(id)
MANY(blake2b)
MANY(blake2s)
FIXED(blake2bp)
FIXED(blake2sp)
EXTENDABLE(blake2xb)
EXTENDABLE(blake2xs)

#define ENTRY(id, constant, many, longest)           \
  {                                                  \
    {#id,          sizeof(struct celer_##id),        \
     constant,     id##_oneshot_,                    \
     many,         id##_init_,                       \
     id##_update_, id##_end_,                        \
     id##_wipe_,   NULL},                            \
        celer_##id, id##_begin_, id##_last_, longest \
  }
static const struct function functions[] = {
    ENTRY(blake2b, CELER_BLAKE2B_LEN, blake2b_many_, CELER_BLAKE2B_LEN),
    ENTRY(blake2s, CELER_BLAKE2S_LEN, blake2s_many_, CELER_BLAKE2S_LEN),
    ENTRY(blake2bp, CELER_BLAKE2BP_LEN, NULL, CELER_BLAKE2BP_LEN),
    ENTRY(blake2sp, CELER_BLAKE2SP_LEN, NULL, CELER_BLAKE2SP_LEN),
    ENTRY(blake2xb, CELER_BLAKE2B_LEN, NULL, CELER_BLAKE2XB_MAX),
    ENTRY(blake2xs, CELER_BLAKE2S_LEN, NULL, CELER_BLAKE2XS_MAX),
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* b or s by their parameters: what trees are made from below. */
struct letter {
    size_t len, block, leaves;
    int (*init)(void *ctx, size_t out_len, const void *key, size_t key_len,
                const struct celer_blake2_params *params);
    void (*last_node)(void *ctx);
    int (*many)(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n, const void *key,
                size_t key_len);
    const struct function *plain, *parallel, *extendable;
};

#define LETTER(id)                                                                         \
  static int id##_init_params_(void *ctx, size_t out_len, const void *key, size_t key_len, \
                               const struct celer_blake2_params *params)                   \
  {                                                                                        \
    return celer_##id##_init_params(ctx, out_len, key, key_len, params);                   \
  }                                                                                        \
  static void id##_last_node_(void *ctx)                                                   \
  {                                                                                        \
    celer_##id##_last_node(ctx);                                                           \
  }
LETTER(blake2b)
LETTER(blake2s)

static const struct letter letters[] = {
    {CELER_BLAKE2B_LEN, CELER_BLAKE2B_BLOCK_LEN, 4, blake2b_init_params_, blake2b_last_node_,
     celer_blake2b_many, &functions[0], &functions[2], &functions[4]},
    {CELER_BLAKE2S_LEN, CELER_BLAKE2S_BLOCK_LEN, 8, blake2s_init_params_, blake2s_last_node_,
     celer_blake2s_many, &functions[1], &functions[3], &functions[5]},
};

/* Large enough for each of the six. */
union context {
    struct celer_blake2b b;
    struct celer_blake2s s;
    struct celer_blake2bp bp;
    struct celer_blake2sp sp;
    struct celer_blake2xb xb;
    struct celer_blake2xs xs;
};

static void from_hex(uint8_t *out, const char *text)
{
    assert_true(hex_decode(out, text, strlen(text) / 2));
}

/* ---- vectors ---- */

/* Also the nodes of trees, which the list does not reach. */
static void check_hashlib_case(const struct blake2_case *c, void *arg)
{
    size_t *trees = arg;
    const struct letter *l = &letters[strcmp(c->function, "blake2b") == 0 ? B : S];
    union context ctx;
    uint8_t out[MOST_OUT + 1];
    assert_string_equal(c->function, l->plain->typed.name);
    assert_int_equal(l->init(&ctx, c->out_len, c->key, c->key_len, &c->params), 0);
    l->plain->typed.update(&ctx, c->msg, c->msg_len / 2);
    if (c->last_node)
        l->last_node(&ctx);
    if (c->msg_len > 0)
        l->plain->typed.update(&ctx, c->msg + c->msg_len / 2, c->msg_len - c->msg_len / 2);
    memset(out, 0xaa, sizeof out);
    assert_int_equal(l->plain->end(&ctx, out, c->out_len), 0);
    check_bytes(out, c->out, c->out_len, "case %zu", c->number);
    check(out[c->out_len] == 0xaa, "case %zu: wrote more", c->number);
    *trees += c->params.depth != 0;
}

static void test_hashlib(void **state)
{
    (void)state;
    size_t trees = 0;
    blake2_each(BLAKE2_HASHLIB, check_hashlib_case, &trees);
    assert_int_equal(trees, 48);
}

static void test_constants(void **state)
{
    (void)state;
    assert_memory_equal(celer_blake2b_iv_, celer_sha512_iv_, sizeof celer_blake2b_iv_);
    assert_memory_equal(celer_blake2s_iv_, celer_sha256_iv_, sizeof celer_blake2s_iv_);
    assert_int_equal(CELER_BLAKE2B_KEY_LEN, 64);
    assert_int_equal(CELER_BLAKE2S_KEY_LEN, 32);
    assert_int_equal(CELER_BLAKE2B_SALT_LEN, 16);
    assert_int_equal(CELER_BLAKE2S_SALT_LEN, 8);
    assert_int_equal(CELER_BLAKE2B_PERSONAL_LEN, 16);
    assert_int_equal(CELER_BLAKE2S_PERSONAL_LEN, 8);
    assert_int_equal(CELER_BLAKE2B_BLOCK_LEN, BLAKE2B_BLOCK);
    assert_int_equal(CELER_BLAKE2S_BLOCK_LEN, BLAKE2S_BLOCK);
}

/* ---- what has gone wrong before ---- */

/* Wrong: a last block that is full is compressed as if more followed; a keyed empty message gets a second block. */
static void test_last_block(void **state)
{
    (void)state;
    static const uint8_t zeros[128];
    static const struct {
        oneshot *run;
        size_t in_len, out_len;
        const char *digest;
    } cases[] = {
        {celer_blake2b, 0, 64,
         "91cc35fc51ce734eae9e57a20725d68062b0bd6de1965a4b5dc5eb4d60402d02d00b5079b0907775e317fd84a149634253c9d1fd"
         "01819e202729affbf47b00e5"},
        {celer_blake2s, 0, 32, "876aba8e91478ebd72760663bf0e5da59b19ea288227bb8599b497bbb6572276"},
        {celer_blake2b, 128, 64,
         "ac1dff443bb8623f97ef9e496b6ae0c793172295d090b3cdd53b47ecdea78035791e37ddc7d37a19020086ac844c1e7e7695b50a"
         "40c184f62ef40ce7e3c678d0"},
    };
    uint8_t out[MOST_OUT], want[MOST_OUT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        from_hex(want, cases[i].digest);
        assert_int_equal(cases[i].run(out, cases[i].out_len, zeros, cases[i].in_len, "abc", 3), 0);
        check_bytes(out, want, cases[i].out_len, "case %zu", i);
    }
}

/* Wrong: a key of no bytes is hashed as a block of zeros. */
static void test_empty_key(void **state)
{
    (void)state;
    for (size_t f = 0; f < FUNCTIONS; f++) {
        const struct function *function = &functions[f];
        const size_t len = function->typed.len_constant;
        union context ctx;
        uint8_t plain[MOST_OUT], out[MOST_OUT];
        assert_int_equal(function->run(plain, len, "abc", 3, NULL, 0), 0);
        assert_int_equal(function->run(out, len, "abc", 3, "key", 0), 0);
        assert_memory_equal(out, plain, len);
        assert_int_equal(function->init(&ctx, len, "key", 0), 0);
        function->typed.update(&ctx, "abc", 3);
        assert_int_equal(function->end(&ctx, out, len), 0);
        assert_memory_equal(out, plain, len);
        assert_int_equal(function->run(out, len, "abc", 3, "\0", 1), 0);
        assert_memory_not_equal(out, plain, len);
    }
}

/* Wrong: a short digest is cut from a long one; a key or salt that is cut or continued with zeros is the same. */
static void test_everything_matters(void **state)
{
    (void)state;
    enum { VARIANTS = 14 };
    static const uint8_t zeros[128], ones[128] = {1};
    for (size_t i = 0; i < 2; i++) {
        const struct letter *l = &letters[i];
        const size_t q = l->len / 4;
        const struct {
            size_t out_len;
            const uint8_t *key;
            size_t key_len;
            struct celer_blake2_params params;
        } variants[VARIANTS] = {
            {l->len, NULL, 0, {0}},
            {l->len - 1, NULL, 0, {0}},
            {l->len / 2, NULL, 0, {0}},
            {l->len, zeros, 1, {0}},
            {l->len, zeros, 2, {0}},
            {l->len, zeros, l->len, {0}},
            {l->len, ones, 1, {0}},
            {l->len, NULL, 0, {.salt = ones, .salt_len = q}},
            {l->len, NULL, 0, {.personal = ones, .personal_len = q}},
            {l->len, NULL, 0, {.fanout = 2, .depth = 2}},
            {l->len, NULL, 0, {.fanout = 2, .depth = 2, .node_offset = 1}},
            {l->len, NULL, 0, {.fanout = 2, .depth = 2, .node_depth = 1}},
            {l->len, NULL, 0, {.fanout = 2, .depth = 2, .inner_len = 1}},
            {l->len, NULL, 0, {.fanout = 2, .depth = 2, .leaf_len = 1}},
        };
        uint8_t out[VARIANTS][MOST_OUT];
        union context ctx;
        for (size_t v = 0; v < VARIANTS; v++) {
            assert_int_equal(
                l->init(&ctx, variants[v].out_len, variants[v].key, variants[v].key_len, &variants[v].params),
                0);
            assert_int_equal(l->plain->end(&ctx, out[v], variants[v].out_len), 0);
            for (size_t w = 0; w < v; w++)
                check(memcmp(out[v], out[w], l->len / 2) != 0, "variants %zu and %zu begin alike", v, w);
        }
        /* Zeros are the salt that is not given, and no tree is one node. */
        const struct celer_blake2_params same[] = {
            {.salt = zeros, .salt_len = q, .personal = zeros, .personal_len = q}, {.fanout = 1, .depth = 1}};
        for (size_t p = 0; p < 2; p++) {
            assert_int_equal(l->init(&ctx, l->len, NULL, 0, &same[p]), 0);
            assert_int_equal(l->plain->end(&ctx, out[1], l->len), 0);
            assert_memory_equal(out[1], out[0], l->len);
        }
    }
}

/* Wrong: the carry between the words of the counter, at 2^64 bytes and 2^128, at 2^32 and 2^64. A context is moved to
   so many bytes; the digests were computed by a program in another language. */
static void test_counter(void **state)
{
    (void)state;
    static const struct {
        uint64_t low, high;
        const char *digest;
    } b[] = {
        {UINT64_C(0) - 256, 0,
         "78ad7493046a069eb5e3c2de3961aa973ad63d56d66ca2e88b0ce7fd04921c29ed90cd822c230fd012a5fc6c6f2a8d1d88915047"
         "23f6295388902e6d5affa576"},
        {UINT64_C(0) - 128, 0,
         "d340b493b475e6d7e0eda154eb1c64af14eb84de61df1ca6d9b34e3e2830b9a9a0837e8f13f1eeb25f2d1628f98a34b6fcca7b7f"
         "74d72bb7fd3e1c6e317215d9"},
        {UINT64_C(0) - 384, 0,
         "3735e77b8e9c13f8f350ffe22c39f238a6a2ec889c0247a80fa4a25bd844375a5e23c0d98a51cb1447a916bb5af2d0600f2a9c0d"
         "8917a2473142beac8c910638"},
        {UINT64_C(0) - 256, UINT64_MAX,
         "8c9cf38552362d63fdb987c3bd3abf9ce384c23c526249b12176286169e349bf1521a9378db33185259076fd36b4f53a2ef2cd88"
         "01a8209fd893f9950a185eb8"},
    };
    static const struct {
        uint32_t low, high;
        const char *digest;
    } s[] = {
        {UINT32_C(0) - 128, 0, "8d7a4e6ae0d8cba7feacd1f8b2ede5af86063c9d6b2a42537f8aeea05958f4fc"},
        {UINT32_C(0) - 64, 0, "15fc5760fbcdd448a3676e0d7a0d9bf97c3fcd36ecd10d1a90c9fc4eb0174668"},
        {UINT32_C(0) - 192, 0, "6078926aba749aecf1a9f49f5fb673ee0ec2e15f715f2f354f3e96d25024cf80"},
        {UINT32_C(0) - 128, UINT32_MAX, "cc168ffaa1d1545457a1224c217b549223e7e01e80b7349373893e2cca5d1a28"},
    };
    uint8_t in[300], out[MOST_OUT], want[MOST_OUT];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i % 251);
    for (size_t i = 0; i < 4; i++)
        for (size_t first = 0; first <= 300; first += 50) {
            struct celer_blake2b ctx_b;
            struct celer_blake2s ctx_s;
            assert_int_equal(celer_blake2b_init(&ctx_b, 64, NULL, 0), 0);
            ctx_b.s[8] = b[i].low + 128; /* the counter that the next block is compressed with */
            ctx_b.s[9] = b[i].high + (ctx_b.s[8] < 128);
            celer_blake2b_update(&ctx_b, in, first);
            celer_blake2b_update(&ctx_b, in + first, 300 - first);
            assert_int_equal(celer_blake2b_final(&ctx_b, out), 0);
            from_hex(want, b[i].digest);
            check_bytes(out, want, 64, "blake2b: case %zu, %zu bytes first", i, first);
            assert_int_equal(celer_blake2s_init(&ctx_s, 32, NULL, 0), 0);
            ctx_s.s[8] = s[i].low + 64;
            ctx_s.s[9] = s[i].high + (ctx_s.s[8] < 64);
            celer_blake2s_update(&ctx_s, in, first / 2);
            celer_blake2s_update(&ctx_s, in + first / 2, 150 - first / 2);
            assert_int_equal(celer_blake2s_final(&ctx_s, out), 0);
            from_hex(want, s[i].digest);
            check_bytes(out, want, 32, "blake2s: case %zu, %zu bytes first", i, first / 2);
        }
}

/* Wrong: HMAC over BLAKE2s with the block of another hash. */
static void test_hmac(void **state)
{
    (void)state;
    uint8_t out[32], want[32];
    from_hex(want, "eaf4bb25938f4d20e72656bbbc7a9bf63c0c18537333c35bdb67db1402661acd");
    assert_int_equal(celer_hmac(celer_hash_find("blake2s"), out, NULL, 0, NULL, 0), 0);
    assert_memory_equal(out, want, sizeof out);
}

/* ---- what is refused ---- */

static void test_lengths(void **state)
{
    (void)state;
    static const uint8_t key[100];
    for (size_t f = 0; f < FUNCTIONS; f++) {
        const struct function *function = &functions[f];
        const size_t key_max = function->typed.len_constant, longest = function->longest;
        const struct {
            size_t out_len, key_len;
        } bad[] = {{0, 0},          {longest + 1, 0},  {32, key_max + 1},
                   {32, SIZE_MAX},  {SIZE_MAX - 1, 0}, {32, (size_t)1 << 8 | 1},
                   {0, key_max + 1}};
        union context ctx;
        uint8_t out[MOST_OUT + 2];
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            memset(&ctx, 0xaa, sizeof ctx);
            check(function->init(&ctx, bad[i].out_len, key, bad[i].key_len) == CELER_EINVAL, "%s: case %zu",
                  function->typed.name, i);
            check(all_zero(&ctx, function->typed.ctx_size), "%s: case %zu left a context",
                  function->typed.name, i);
            memset(out, 0xaa, sizeof out);
            check(function->run(out, bad[i].out_len, "abc", 3, key, bad[i].key_len) == CELER_EINVAL,
                  "%s: case %zu at once", function->typed.name, i);
            const size_t zeros = bad[i].out_len < key_max ? bad[i].out_len : key_max;
            check(all_zero(out, zeros) &&
                      out[zeros] == (zeros == 0 || bad[i].out_len <= key_max ? 0xaa : out[zeros]),
                  "%s: case %zu: output", function->typed.name, i);
        }
        for (size_t len = 1; len <= key_max; len++) { /* and the good ones */
            assert_int_equal(function->init(&ctx, len, key, len), 0);
            assert_int_equal(function->run(out, len, "abc", 3, key, len), 0);
        }
    }
    if (SIZE_MAX > UINT32_MAX) { /* one-shots know how much there is to be */
        uint8_t out[MOST_OUT];
        assert_int_equal(celer_blake2xb(out, CELER_BLAKE2X_UNKNOWN, "abc", 3, NULL, 0), CELER_EINVAL);
        assert_int_equal(celer_blake2xs(out, CELER_BLAKE2X_UNKNOWN, "abc", 3, NULL, 0), CELER_EINVAL);
    }
}

static void test_many_lengths(void **state)
{
    (void)state;
    static const uint8_t key[100];
    const struct celer_msg msgs[2] = {{"abc", 3}, {NULL, 0}};
    uint8_t out[2 * MOST_OUT + 1];
    for (size_t i = 0; i < 2; i++) {
        const struct letter *l = &letters[i];
        memset(out, 0xaa, sizeof out);
        assert_int_equal(l->many(out, 0, msgs, 2, NULL, 0), CELER_EINVAL);
        assert_int_equal(l->many(out, 32, msgs, 2, key, l->len + 1), CELER_EINVAL);
        assert_true(all_zero(out, 64) && out[64] == 0xaa);
        memset(out, 0xaa, sizeof out);
        assert_int_equal(l->many(out, l->len + 1, msgs, 2, NULL, 0), CELER_EINVAL);
        assert_true(all_zero(out, 2 * l->len) && out[2 * l->len] == 0xaa);
        assert_int_equal(l->many(NULL, 32, NULL, 0, NULL, 0), 0);
        assert_int_equal(l->many(NULL, l->len + 1, NULL, 0, NULL, 0), CELER_EINVAL);
    }
}

/* Wrong: of messages with equally many blocks, which begin and end together, one ends where another does; a key counts
   in some; a lane without a message writes; others follow and are not seen. */
static void test_many_even(void **state)
{
    (void)state;
    enum { MANY = 40, MOST = 4 * CELER_BLAKE2B_BLOCK_LEN };
    struct rng rng = {29};
    uint8_t *in = malloc(MANY * MOST), key[MOST_OUT], out[MANY * MOST_OUT + 1], want[MOST_OUT];
    struct celer_msg msgs[MANY];
    assert_non_null(in);
    rng_fill(&rng, in, MANY * MOST);
    rng_fill(&rng, key, sizeof key);
    for (size_t i = 0; i < 2; i++) {
        const struct letter *l = &letters[i];
        const struct celer_kernel *kernel = celer_hash_find(l->plain->typed.name)->kernel;
        const char *row;
        for (size_t r = 0; (row = row_name(kernel, r)) != NULL; r++) {
            if (!row_usable(kernel, row))
                continue;
            for (size_t n = 1; n <= MANY; n++) {
                const size_t before = rng_below(&rng, 4) * l->block;
                const size_t key_len = n % 3 == 0 ? 0 : 1 + rng_below(&rng, l->len);
                const size_t out_len = n % 2 == 0 ? l->len : 1 + rng_below(&rng, l->len);
                const size_t alike = n % 5 == 0 ? rng_below(&rng, n) : n; /* so many first */
                for (size_t m = 0; m < n; m++) {
                    const size_t len = n % 4 == 0 ? l->block : 1 + rng_below(&rng, l->block);
                    msgs[m] = (struct celer_msg){in + m * MOST, before + len};
                    if (m >= alike)
                        msgs[m].len = rng_below(&rng, MOST + 1);
                    else if (before == 0 && m % 7 == 3)
                        msgs[m] = (struct celer_msg){NULL, 0};
                }
                out[n * out_len] = 0xaa;
                celer_cpu_mask(row_needs(kernel, row));
                assert_int_equal(l->many(out, out_len, msgs, n, key, key_len), 0);
                assert_int_equal(out[n * out_len], 0xaa);
                celer_cpu_mask(0);
                for (size_t m = 0; m < n; m++) {
                    assert_int_equal(l->plain->run(want, out_len, msgs[m].data, msgs[m].len, key, key_len),
                                     0);
                    check_bytes(out + m * out_len, want, out_len, "%s/%s: message %zu of %zu, %zu bytes",
                                l->plain->typed.name, row, m, n, msgs[m].len);
                }
            }
        }
    }
    free(in);
}

static void test_params(void **state)
{
    (void)state;
    static const uint8_t bytes[64];
    for (size_t i = 0; i < 2; i++) {
        const struct letter *l = &letters[i];
        const size_t q = l->len / 4;
        const struct celer_blake2_params bad[] = {
            {.salt = bytes, .salt_len = 1},
            {.salt = bytes, .salt_len = q - 1},
            {.salt = bytes, .salt_len = q + 1},
            {.salt = bytes, .salt_len = 2 * q},
            {.personal = bytes, .personal_len = 1},
            {.personal = bytes, .personal_len = q - 1},
            {.personal = bytes, .personal_len = q + 1},
            {.personal = bytes, .personal_len = 2 * q},
            {.fanout = 1},
            {.leaf_len = 1},
            {.node_offset = 1},
            {.node_depth = 1},
            {.inner_len = 1},
            {.depth = 1, .fanout = 1, .inner_len = (uint8_t)(l->len + 1)},
            {.depth = 1, .fanout = 1, .node_offset = UINT64_C(1) << 48}, /* good for BLAKE2b */
        };
        const size_t count = sizeof bad / sizeof bad[0] - (i == B);
        union context ctx;
        for (size_t p = 0; p < count; p++) {
            memset(&ctx, 0xaa, sizeof ctx);
            check(l->init(&ctx, 32, NULL, 0, &bad[p]) == CELER_EINVAL, "parameters %zu accepted", p);
            check(all_zero(&ctx, l->plain->typed.ctx_size), "parameters %zu left a context", p);
        }
    }
}

/* Wrong: a second final gives something that looks like a digest. */
static void test_dead(void **state)
{
    (void)state;
    for (size_t f = 0; f < FUNCTIONS; f++) {
        const struct function *function = &functions[f];
        union context ctx;
        uint8_t out[MOST_OUT];
        memset(&ctx, 0, sizeof ctx);
        for (size_t time = 0; time < 2; time++) {
            function->typed.update(&ctx, "abc", 3);
            memset(out, 0xaa, sizeof out);
            assert_int_equal(function->end(&ctx, out, 32), CELER_EINVAL);
            assert_true(out[0] == (function->longest > MOST_OUT ? 0 : 0xaa));
            assert_int_equal(function->init(&ctx, 32, NULL, 0), 0);
            function->typed.end(&ctx, out, 32);
        }
    }
    union context ctx;
    memset(&ctx, 0, sizeof ctx);
    celer_blake2b_last_node(&ctx.b);
    celer_blake2s_last_node(&ctx.s);
    assert_true(all_zero(&ctx, sizeof ctx));
}

/* ---- trees ---- */

/* BLAKE2bp or BLAKE2sp from its nodes: leaf i hashes every block whose number is i modulo the number of leaves. */
static void tree(const struct letter *l, uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len,
                 const uint8_t *key, size_t key_len)
{
    struct celer_blake2_params node = {
        .fanout = (uint8_t)l->leaves, .depth = 2, .inner_len = (uint8_t)l->len};
    uint8_t values[8 * 64];
    union context ctx;
    for (size_t i = 0; i < l->leaves; i++) {
        node.node_offset = i;
        assert_int_equal(l->init(&ctx, out_len, key, key_len, &node), 0);
        for (size_t at = i * l->block; at < in_len; at += l->leaves * l->block)
            l->plain->typed.update(&ctx, in + at, in_len - at < l->block ? in_len - at : l->block);
        if (i == l->leaves - 1)
            l->last_node(&ctx);
        /* Inner values are whole, though the parameters say the length of the last output. */
        if (l->len == CELER_BLAKE2B_LEN)
            ctx.b.out_len = CELER_BLAKE2B_LEN;
        else
            ctx.s.out_len = CELER_BLAKE2S_LEN;
        assert_int_equal(l->plain->end(&ctx, values + i * l->len, l->len), 0);
    }
    node.node_offset = 0;
    node.node_depth = 1;
    assert_int_equal(l->init(&ctx, out_len, key, key_len, &node), 0);
    if (l->len == CELER_BLAKE2B_LEN) /* only leaves hash the key */
        ctx.b.pos = 0;
    else
        ctx.s.pos = 0;
    l->plain->typed.update(&ctx, values, l->leaves * l->len);
    l->last_node(&ctx);
    assert_int_equal(l->plain->end(&ctx, out, out_len), 0);
}

/* Wrong: leaves of which some have one block more than others; a leaf whose last block is full; pieces that end
   anywhere in two rounds of leaves. */
static void test_parallel(void **state)
{
    (void)state;
    enum { MOST = 2200, STEP = 61 };
    struct rng rng = {26};
    uint8_t *in = malloc(MOST), key[MOST_OUT], out[MOST_OUT], want[MOST_OUT];
    assert_non_null(in);
    rng_fill(&rng, in, MOST);
    rng_fill(&rng, key, sizeof key);
    for (size_t i = 0; i < 2; i++) {
        const struct letter *l = &letters[i];
        const struct function *p = l->parallel;
        for (size_t len = 0; len <= MOST; len++) {
            const size_t key_len = len % 3 == 0 ? 0 : 1 + rng_below(&rng, l->len);
            const size_t out_len = len % 2 == 0 ? l->len : 1 + rng_below(&rng, l->len);
            tree(l, want, out_len, in, len, key, key_len);
            assert_int_equal(p->run(out, out_len, in, len, key, key_len), 0);
            check_bytes(out, want, out_len, "%s: %zu bytes, key of %zu", p->typed.name, len, key_len);
            for (size_t longest = 1; longest <= MOST; longest *= 9) {
                union context ctx;
                assert_int_equal(p->init(&ctx, out_len, key, key_len), 0);
                for (size_t at = 0, piece; at < len; at += piece) {
                    piece = 1 + rng_below(&rng, longest);
                    piece = piece < len - at ? piece : len - at;
                    p->typed.update(&ctx, in + at, piece);
                }
                assert_int_equal(p->end(&ctx, out, out_len), 0);
                check_bytes(out, want, out_len, "%s: %zu bytes in pieces of up to %zu", p->typed.name, len,
                            longest);
            }
        }
    }
    free(in);
}

/* Wrong: from the second of 8 stripes on, another row. */
static void test_parallel_rows(void **state)
{
    (void)state;
    enum { LEN = 4096 + 100 };
    uint8_t *in = malloc(LEN), out[MOST_OUT], want[MOST_OUT];
    struct rng rng = {27};
    assert_non_null(in);
    rng_fill(&rng, in, LEN);
    for (size_t i = 0; i < 2; i++) {
        const struct letter *l = &letters[i];
        const struct celer_kernel *kernel = celer_hash_find(l->plain->typed.name)->kernel;
        const char *first, *second;
        tree(l, want, l->len, in, LEN, NULL, 0);
        for (size_t f = 0; (first = row_name(kernel, f)) != NULL; f++)
            for (size_t s = 0; (second = row_name(kernel, s)) != NULL; s++) {
                union context ctx;
                if (!row_usable(kernel, first) || !row_usable(kernel, second))
                    continue;
                celer_cpu_mask(row_needs(kernel, first));
                assert_int_equal(l->parallel->init(&ctx, l->len, NULL, 0), 0);
                l->parallel->typed.update(&ctx, in, 2000);
                celer_cpu_mask(row_needs(kernel, second));
                l->parallel->typed.update(&ctx, in + 2000, LEN - 2000);
                assert_int_equal(l->parallel->end(&ctx, out, l->len), 0);
                check_bytes(out, want, l->len, "%s: from %s to %s", l->parallel->typed.name, first, second);
            }
    }
    free(in);
}

/* ---- long outputs ---- */

/* Wrong: output in pieces is not what it is at once. On every row, since blocks of output share the lanes. */
static void test_squeezes(void **state)
{
    (void)state;
    enum { MOST = 1500 };
    struct rng rng = {28};
    uint8_t out[MOST + 1], want[MOST];
    for (size_t i = 0; i < 2; i++) {
        const struct function *x = letters[i].extendable;
        const struct celer_kernel *kernel = celer_hash_find(x->typed.name)->kernel;
        const char *row;
        for (size_t r = 0; (row = row_name(kernel, r)) != NULL; r++) {
            if (!row_usable(kernel, row))
                continue;
            for (size_t len = 1; len <= MOST; len += 1 + len / 9) {
                union context ctx;
                celer_cpu_mask(0);
                assert_int_equal(x->init(&ctx, len, "key", 3), 0);
                x->typed.update(&ctx, "abc", 3);
                for (size_t at = 0; at < len; at++)
                    assert_int_equal(x->end(&ctx, want + at, 1), 0);
                celer_cpu_mask(row_needs(kernel, row));
                assert_int_equal(x->run(out, len, "abc", 3, "key", 3), 0);
                check_bytes(out, want, len, "%s/%s: %zu bytes", x->typed.name, row, len);
                assert_int_equal(x->init(&ctx, len, "key", 3), 0);
                x->typed.update(&ctx, "abc", 3);
                for (size_t at = 0, piece; at < len; at += piece) {
                    piece = rng_below(&rng, len % 2 == 0 ? 200 : len + 1);
                    piece = piece < len - at ? piece : len - at;
                    assert_int_equal(x->end(&ctx, out + at, piece), 0);
                    x->typed.update(&ctx, "ignored", 7);
                }
                check_bytes(out, want, len, "%s/%s: %zu bytes in pieces", x->typed.name, row, len);
                /* There is no more. What is refused is not lost. */
                memset(out, 0xaa, 10);
                assert_int_equal(x->end(&ctx, out, 1), CELER_EINVAL);
                assert_true(out[0] == 0 && out[1] == 0xaa);
                assert_int_equal(x->end(&ctx, NULL, 0), 0);
                assert_int_equal(x->init(&ctx, len, "key", 3), 0);
                x->typed.update(&ctx, "abc", 3);
                assert_int_equal(x->end(&ctx, out, len + 1), CELER_EINVAL);
                assert_int_equal(x->end(&ctx, out, len), 0);
                check_bytes(out, want, len, "%s: after a refused squeeze", x->typed.name);
            }
        }
    }
}

/* Output whose length is not known is another one. Computed by a program in another language. */
static void test_unknown_length(void **state)
{
    (void)state;
    static const struct {
        const char *key, *begins;
    } cases[] = {
        {"",
         "ae080c1efbcf7f60ed52a04161d02b7ee63bed362534f0661da02c6e40cd208946d066b86b3dff620e57acea9cd72d3056cf6cb0c183"
         "41452a17ce2cced67b702669bf0bed358c1b708e97de2533b294cdd5e9e229678be36399b5b28d6541c4bc4e3079"},
        {"key",
         "47879befb00450cb9f9cf2fc074456f1cefe9544eadae88bff7aae90c2ff1262d809a091f964e06d1e0fea8bcecde0724a2b29ef"
         "c30f8370f08e9a73ee1893848527645ce28664ada110583b651e386fd62205150d6127e6eb505eb0d579247b90a67e55"},
    };
    uint8_t out[1000], all[1000], want[100];
    for (size_t i = 0; i < 2; i++) {
        const struct function *x = letters[i].extendable;
        union context ctx;
        from_hex(want, cases[i].begins);
        for (size_t n = 0; n <= 100; n += 10) {
            assert_int_equal(x->init(&ctx, CELER_BLAKE2X_UNKNOWN, cases[i].key, strlen(cases[i].key)), 0);
            x->typed.update(&ctx, "abc", 3);
            assert_int_equal(x->end(&ctx, out, n), 0);
            assert_int_equal(x->end(&ctx, out + n, sizeof out - n), 0);
            check_bytes(out, want, sizeof want, "%s", x->typed.name);
            if (n == 0)
                memcpy(all, out, sizeof all);
            assert_memory_equal(out, all, sizeof all);
        }
    }
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_constants, NULL, "blake2: constants");
    suite_add(&suite, test_hashlib, NULL, "blake2: " BLAKE2_HASHLIB);
    suite_add(&suite, test_last_block, NULL, "blake2: the last block");
    suite_add(&suite, test_empty_key, NULL, "blake2: no key");
    suite_add(&suite, test_everything_matters, NULL, "blake2: lengths, keys and parameters");
    suite_add(&suite, test_counter, NULL, "blake2: carries of the counter");
    suite_add(&suite, test_hmac, NULL, "blake2: HMAC");
    suite_add(&suite, test_lengths, NULL, "blake2: refused lengths");
    suite_add(&suite, test_many_lengths, NULL, "blake2: refused lengths of many");
    suite_add(&suite, test_many_even, NULL, "blake2: many with equally many blocks");
    suite_add(&suite, test_params, NULL, "blake2: refused parameters");
    suite_add(&suite, test_dead, NULL, "blake2: dead contexts");
    suite_add(&suite, test_parallel, NULL, "blake2: parallel trees");
    suite_add(&suite, test_parallel_rows, NULL, "blake2: parallel trees, change of rows");
    suite_add(&suite, test_squeezes, NULL, "blake2: squeezes");
    suite_add(&suite, test_unknown_length, NULL, "blake2: output of unknown length");
    for (size_t f = 0; f < FUNCTIONS; f++)
        typed_template_add(&suite, &functions[f].typed);
    return suite_run(&suite, "blake2") != 0;
}
