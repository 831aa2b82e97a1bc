/* test_sp800-185.c: cSHAKE, KMAC, TupleHash and ParallelHash by their typed functions, on every row. What they are
   compared with is the text of SP 800-185 as one string of bytes, hashed at once on the scalar row. */
#include "sp800_185.h"
#include "support.h"
#include "typed_template.h"
#include "vectors.h"
#include "sha3/encode.h"
#include "sha3/keccak.h"
#include "sha3/sp800_185.h"
#include "sha3/sponge.h"

/* ---- the standard's strings ---- */

struct string {
    uint8_t *bytes;
    size_t len, room;
};

static void put(struct string *s, const void *in, size_t len)
{
    if (len > s->room - s->len) {
        s->room = 2 * (s->len + len);
        s->bytes = realloc(s->bytes, s->room);
        assert_non_null(s->bytes);
    }
    if (len > 0)
        memcpy(s->bytes + s->len, in, len);
    s->len += len;
}

static void put_byte(struct string *s, size_t byte)
{
    const uint8_t b = (uint8_t)byte;
    put(s, &b, 1);
}

static size_t digits_of(size_t x)
{
    return x < 256 ? 1 : 1 + digits_of(x / 256);
}

static void put_digits(struct string *s, size_t x)
{
    if (x >= 256)
        put_digits(s, x / 256);
    put_byte(s, x % 256);
}

static void put_left(struct string *s, size_t x)
{
    put_byte(s, digits_of(x));
    put_digits(s, x);
}

static void put_right(struct string *s, size_t x)
{
    put_digits(s, x);
    put_byte(s, digits_of(x));
}

static void put_string(struct string *s, const void *in, size_t len)
{
    put_left(s, 8 * len);
    put(s, in, len);
}

/* Zeros up to a multiple of rate. */
static void put_pad(struct string *s, size_t rate)
{
    while (s->len % rate != 0)
        put_byte(s, 0);
}

/* The string of cSHAKE up to the message, where name and customization are not both empty. */
static struct string cshake_string(size_t rate, const char *name, const void *custom, size_t custom_len)
{
    struct string s = {NULL, 0, 0};
    put_left(&s, rate);
    put_string(&s, name, strlen(name));
    put_string(&s, custom, custom_len);
    put_pad(&s, rate);
    return s;
}

/* Hashes the string on the scalar row, and frees it. */
static void hash_string(struct string *s, uint8_t *out, size_t out_len, size_t rate)
{
    const uint32_t mask = celer_cpu_mask(0);
    celer_sponge_(out, out_len, s->bytes, s->len, (unsigned)rate, 0x04, 24);
    celer_cpu_mask(mask);
    free(s->bytes);
}

/* ---- encodings ---- */

static void test_encodings(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        enum encoded unit;
        size_t len;
        uint8_t digits[9];
    } known[] = {
        {0, ENCODE_NUMBER, 1, {0}},
        {1, ENCODE_NUMBER, 1, {1}},
        {255, ENCODE_NUMBER, 1, {255}},
        {256, ENCODE_NUMBER, 2, {1, 0}},
        {65535, ENCODE_NUMBER, 2, {255, 255}},
        {65536, ENCODE_NUMBER, 3, {1, 0, 0}},
        {UINT32_MAX, ENCODE_NUMBER, 4, {255, 255, 255, 255}},
        {UINT64_C(1) << 32, ENCODE_NUMBER, 5, {1, 0, 0, 0, 0}},
        {UINT64_MAX >> 8, ENCODE_NUMBER, 7, {255, 255, 255, 255, 255, 255, 255}},
        {UINT64_C(1) << 56, ENCODE_NUMBER, 8, {1, 0, 0, 0, 0, 0, 0, 0}},
        {UINT64_MAX, ENCODE_NUMBER, 8, {255, 255, 255, 255, 255, 255, 255, 255}},
        {0, ENCODE_BYTES, 1, {0}},
        {31, ENCODE_BYTES, 1, {248}},
        {32, ENCODE_BYTES, 2, {1, 0}},
        {8191, ENCODE_BYTES, 2, {255, 248}},
        {UINT32_C(1) << 29, ENCODE_BYTES, 5, {1, 0, 0, 0, 0}},
        {UINT32_MAX, ENCODE_BYTES, 5, {7, 255, 255, 255, 248}},
        {UINT64_MAX >> 3, ENCODE_BYTES, 8, {255, 255, 255, 255, 255, 255, 255, 248}},
        {UINT64_C(1) << 61, ENCODE_BYTES, 9, {1, 0, 0, 0, 0, 0, 0, 0, 0}},
        {UINT64_MAX, ENCODE_BYTES, 9, {7, 255, 255, 255, 255, 255, 255, 255, 248}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint8_t left[ENCODED_MAX + 1], right[ENCODED_MAX + 1];
        const size_t len = known[i].len;
        memset(left, 0xaa, sizeof left);
        memset(right, 0xaa, sizeof right);
        check(left_encode(left, known[i].n, known[i].unit) == len + 1, "left, case %zu", i);
        check(right_encode(right, known[i].n, known[i].unit) == len + 1, "right, case %zu", i);
        check(left[0] == len && right[len] == len, "case %zu: number of digits", i);
        check_bytes(left + 1, known[i].digits, len, "left, case %zu", i);
        check_bytes(right, known[i].digits, len, "right, case %zu", i);
        check(left[ENCODED_MAX] == 0xaa && right[ENCODED_MAX] == 0xaa, "case %zu: too long", i);
    }
}

/* Each 1 bit, and each run of them, at its place. */
static void test_encoded_bits(void **state)
{
    (void)state;
    for (unsigned unit = 0; unit <= 3; unit += 3)
        for (unsigned bit = 0; bit < 64; bit++)
            for (int run = 0; run < 2; run++) {
                const uint64_t n = run ? UINT64_MAX >> (63 - bit) : UINT64_C(1) << bit;
                uint8_t code[ENCODED_MAX];
                const size_t len = left_encode(code, n, (enum encoded)unit);
                check(len == 2 + (bit + unit) / 8 && code[1] != 0, "bit %u, unit %u: length", bit, unit);
                for (unsigned b = 0; b < 8 * (len - 1); b++) {
                    const unsigned got = (unsigned)code[len - 1 - b / 8] >> b % 8 & 1U;
                    check(got == (b >= unit && b - unit < 64 ? n >> (b - unit) & 1 : 0), "bit %u of run %u",
                          b, bit);
                }
            }
}

/* ---- the typed functions against the list ---- */

#define NAME   "function", 8
#define CUSTOM "customization", 13
#define KEY    "a key of 29 bytes, all secret", 29
#define BLOCK  40

static const struct celer_hash_opts options = {
    .key = "a key of 29 bytes, all secret",
    .key_len = 29,
    .custom = "customization",
    .custom_len = 13,
};
static const struct celer_hash_opts options_with_name = {
    .name = "function",
    .name_len = 8,
    .custom = "customization",
    .custom_len = 13,
};
static const struct celer_hash_opts options_with_block = {
    .block_len = BLOCK,
    .custom = "customization",
    .custom_len = 13,
};

#define TYPED(id, whole, begin, ending)                                                  \
  TYPED_UPDATE_WIPE(id)                                                                  \
  static void id##_oneshot_(uint8_t *out, size_t out_len, const void *in, size_t in_len) \
  {                                                                                      \
    whole;                                                                               \
  }                                                                                      \
  static void id##_init_(void *ctx)                                                      \
  {                                                                                      \
    begin;                                                                               \
  }                                                                                      \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len)                         \
  {                                                                                      \
    celer_##id##_##ending(ctx, out, out_len);                                            \
  }
#define TYPED_UPDATE_WIPE(id)                                        \
  static void id##_update_(void *ctx, const void *in, size_t in_len) \
  {                                                                  \
    celer_##id##_update(ctx, in, in_len);                            \
  }                                                                  \
  static void id##_wipe_(void *ctx)                                  \
  {                                                                  \
    celer_##id##_wipe(ctx);                                          \
  }
#define TYPED_CSHAKE(id) \
  TYPED(id, celer_##id(out, out_len, in, in_len, NAME, CUSTOM), celer_##id##_init(ctx, NAME, CUSTOM), squeeze)
#define TYPED_KMAC(id, ending) \
  TYPED(id, celer_##id(out, out_len, KEY, in, in_len, CUSTOM), celer_##id##_init(ctx, KEY, CUSTOM), ending)
#define TYPED_PARALLELHASH(id, ending)                                                       \
  TYPED(id, assert_int_equal(celer_##id(out, out_len, in, in_len, BLOCK, CUSTOM), CELER_OK), \
        assert_int_equal(celer_##id##_init(ctx, BLOCK, CUSTOM), CELER_OK), ending)
TYPED_CSHAKE(cshake128)
TYPED_CSHAKE(cshake256)
TYPED_KMAC(kmac128, final)
TYPED_KMAC(kmac256, final)
TYPED_KMAC(kmacxof128, squeeze)
TYPED_KMAC(kmacxof256, squeeze)
TYPED_PARALLELHASH(parallelhash128, final)
TYPED_PARALLELHASH(parallelhash256, final)
TYPED_PARALLELHASH(parallelhashxof128, squeeze)
TYPED_PARALLELHASH(parallelhashxof256, squeeze)

#define WITH(id, constant, opts)                                                                        \
  {                                                                                                     \
#    id, sizeof(struct celer_##id), constant, id##_oneshot_, NULL, id##_init_, id##_update_, id##_end_, \
        id##_wipe_, opts                                                                                \
  }
static const struct typed typed[] = {
    WITH(cshake128, CSHAKE128_RATE, &options_with_name),
    WITH(cshake256, CSHAKE256_RATE, &options_with_name),
    WITH(kmac128, 32, &options),
    WITH(kmac256, 64, &options),
    WITH(kmacxof128, CSHAKE128_RATE, &options),
    WITH(kmacxof256, CSHAKE256_RATE, &options),
    WITH(parallelhash128, 32, &options_with_block),
    WITH(parallelhash256, 64, &options_with_block),
    WITH(parallelhashxof128, CSHAKE128_RATE, &options_with_block),
    WITH(parallelhashxof256, CSHAKE256_RATE, &options_with_block),
};

/* ---- cSHAKE and KMAC ---- */

/* Wrong: cSHAKE with nothing to tell it from SHAKE is not SHAKE. */
static void test_plain_cshake(void **state)
{
    (void)state;
    uint8_t in[400], want[200], out[200];
    struct rng rng = {1};
    rng_fill(&rng, in, sizeof in);
    for (size_t n = 0; n <= sizeof in; n++) {
        struct celer_cshake128 a;
        struct celer_cshake256 b;
        celer_shake128(want, sizeof want, in, n);
        celer_cshake128(out, sizeof out, in, n, NULL, 0, NULL, 0);
        check_bytes(out, want, sizeof want, "cSHAKE128 of %zu bytes", n);
        celer_cshake128_init(&a, NULL, 0, NULL, 0);
        celer_cshake128_update(&a, in, n);
        celer_cshake128_squeeze(&a, out, sizeof out);
        check_bytes(out, want, sizeof want, "cSHAKE128 of %zu bytes in pieces", n);
        celer_shake256(want, sizeof want, in, n);
        celer_cshake256(out, sizeof out, in, n, NULL, 0, NULL, 0);
        check_bytes(out, want, sizeof want, "cSHAKE256 of %zu bytes", n);
        celer_cshake256_init(&b, NULL, 0, NULL, 0);
        celer_cshake256_update(&b, in, n);
        celer_cshake256_squeeze(&b, out, sizeof out);
        check_bytes(out, want, sizeof want, "cSHAKE256 of %zu bytes in pieces", n);
        /* Through the list, where lanes begin with a state that absorbed nothing. */
        const struct celer_msg msgs[3] = {{in, n}, {in, n / 2}, {in, n}};
        const struct celer_hash_opts opts = {.out_len = 66};
        assert_int_equal(celer_hash_many(celer_hash_find("cshake256"), &opts, out, msgs, 3), 0);
        check_bytes(out + 132, want, 66, "many of %zu bytes", n);
    }
}

/* Wrong: bytepad where the strings just fill a block, or just do not; a code of three bytes for two. */
static void test_every_custom_and_key(void **state)
{
    (void)state;
    enum { MOST = 3 * CSHAKE128_RATE };
    uint8_t in[MOST], want[64], out[64];
    struct rng rng = {2};
    rng_fill(&rng, in, sizeof in);
    for (size_t n = 0; n <= MOST; n++) {
        struct string s = cshake_string(168, "abc", in, n);
        put(&s, "message", 7);
        hash_string(&s, want, 32, 168);
        celer_cshake128(out, 32, "message", 7, "abc", 3, in, n);
        check_bytes(out, want, 32, "cSHAKE128, customization of %zu bytes", n);

        s = cshake_string(136, "", in, n);
        put(&s, "message", 7);
        hash_string(&s, want, 64, 136);
        celer_cshake256(out, 64, "message", 7, NULL, 0, in, n);
        check(n == 0 || memcmp(out, want, 64) == 0, "cSHAKE256, customization of %zu bytes", n);

        s = cshake_string(168, "KMAC", in, n % 7);
        put_left(&s, 168);
        put_string(&s, in, n);
        put_pad(&s, 168);
        struct string xof = {NULL, 0, 0};
        put(&xof, s.bytes, s.len);
        put(&xof, in, n / 2);
        put_right(&xof, 0);
        put(&s, in, n / 2);
        put_right(&s, 8 * 32);
        hash_string(&s, want, 32, 168);
        celer_kmac128(out, 32, in, n, in, n / 2, in, n % 7);
        check_bytes(out, want, 32, "KMAC128, key of %zu bytes", n);
        hash_string(&xof, want, 64, 168);
        celer_kmacxof128(out, 64, in, n, in, n / 2, in, n % 7);
        check_bytes(out, want, 64, "KMACXOF128, key of %zu bytes", n);

        s = cshake_string(136, "KMAC", in, n);
        put_left(&s, 136);
        put_string(&s, in, n);
        put_pad(&s, 136);
        put_right(&s, 8 * 64);
        hash_string(&s, want, 64, 136);
        celer_kmac256(out, 64, in, n, NULL, 0, in, n);
        check_bytes(out, want, 64, "KMAC256, key of %zu bytes", n);
    }
}

/* Wrong: another length gives the same code, cut short; the many of the list with lengths that are not customary;
   right_encode that falls into the next block. */
static void test_code_lengths(void **state)
{
    (void)state;
    enum { MOST = 400 };
    uint8_t in[300], want[MOST], out[5 * MOST], guard[MOST + 1];
    struct rng rng = {3};
    rng_fill(&rng, in, sizeof in);
    const struct celer_hash *hash = celer_hash_find("kmac128");
    for (size_t n = 1; n <= MOST; n++) {
        const size_t lens[] = {n % 300, 0, 168 - n % 16, 299, 160};
        struct celer_msg msgs[5];
        const struct celer_hash_opts opts = {
            .out_len = n, .key = in, .key_len = n % 50, .custom = in, .custom_len = n % 3};
        for (size_t i = 0; i < 5; i++)
            msgs[i] = (struct celer_msg){in, lens[i]};
        assert_int_equal(celer_hash_many(hash, &opts, out, msgs, 5), 0);
        for (size_t i = 0; i < 5; i++) {
            struct string s = cshake_string(168, "KMAC", in, n % 3);
            put_left(&s, 168);
            put_string(&s, in, n % 50);
            put_pad(&s, 168);
            put(&s, in, lens[i]);
            put_right(&s, 8 * n);
            hash_string(&s, want, n, 168);
            check_bytes(out + i * n, want, n, "many: %zu bytes, a code of %zu", lens[i], n);
            memset(guard, 0xaa, sizeof guard);
            celer_kmac128(guard, n, in, n % 50, in, lens[i], in, n % 3);
            check_bytes(guard, want, n, "%zu bytes, a code of %zu", lens[i], n);
            check(guard[n] == 0xaa, "a code of %zu: wrote more", n);
        }
    }
    celer_kmac128(NULL, 0, NULL, 0, NULL, 0, NULL, 0);
}

static void kmac_on_stack(void *arg)
{
    const uint8_t *key = arg;
    const struct celer_msg msgs[5] = {{"abc", 3}, {"de", 2}, {NULL, 0}, {"f", 1}, {"gh", 2}};
    const struct celer_hash_opts opts = {.key = key, .key_len = 32};
    uint8_t out[5 * 32];
    celer_kmac128(out, 32, key, 32, "abc", 3, NULL, 0);
    for (size_t n = 1; n <= 5; n += 4)
        if (celer_hash_many(celer_hash_find("kmac128"), &opts, out, msgs, n) != 0)
            abort();
}

/* Wrong: the state that has absorbed the key, as good as the key, stays on the stack. */
static void test_stack(void **state)
{
    row_enter(&celer_keccak_kernel_, *state);
    if (!STACK_IS_PLAIN)
        skip();
    uint8_t key[32];
    struct rng rng = {6};
    struct celer_sponge start;
    rng_fill(&rng, key, sizeof key);
    celer_kmac_init_(&start, CSHAKE128_RATE, key, sizeof key, NULL, 0);
    struct guarded stack = guarded_new(STACK_SIZE);
    on_stack(stack, kmac_on_stack, key);
    check(memmem(stack.begin, STACK_SIZE, key, sizeof key) == NULL, "the key");
    /* Lanes that so short a message does not change; a kernel may leave a register full of them. */
    check(memmem(stack.begin, STACK_SIZE, &start.s[2], 12 * sizeof start.s[0]) == NULL, "the state");
    guarded_free(stack);
}

/* ---- TupleHash ---- */

struct tuplehash {
    const char *name;
    size_t rate, ctx_size;
    int xof;
    void (*whole)(uint8_t *out, size_t out_len, const struct celer_msg *elements, size_t n,
                  const void *custom, size_t custom_len);
    void (*init)(void *ctx, const void *custom, size_t custom_len);
    void (*element)(void *ctx, const void *in, size_t in_len);
    int (*begin)(void *ctx, size_t element_len);
    void (*update)(void *ctx, const void *in, size_t in_len);
    void (*end)(void *ctx, uint8_t *out, size_t out_len);
    void (*wipe)(void *ctx);
};

#define TUPLEHASH(id, ending)                                              \
  TYPED_UPDATE_WIPE(id)                                                    \
  static void id##_init_(void *ctx, const void *custom, size_t custom_len) \
  {                                                                        \
    celer_##id##_init(ctx, custom, custom_len);                            \
  }                                                                        \
  static void id##_element_(void *ctx, const void *in, size_t in_len)      \
  {                                                                        \
    celer_##id##_element(ctx, in, in_len);                                 \
  }                                                                        \
  static int id##_begin_(void *ctx, size_t element_len)                    \
  {                                                                        \
    return celer_##id##_begin(ctx, element_len);                           \
  }                                                                        \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len)           \
  {                                                                        \
    celer_##id##_##ending(ctx, out, out_len);                              \
  }
TUPLEHASH(tuplehash128, final)
TUPLEHASH(tuplehash256, final)
TUPLEHASH(tuplehashxof128, squeeze)
TUPLEHASH(tuplehashxof256, squeeze)

#define TUPLEHASH_ROW(id, rate, xof)                                                               \
  {                                                                                                \
#    id, rate, sizeof(struct celer_##id), xof, celer_##id, id##_init_, id##_element_, id##_begin_, \
        id##_update_, id##_end_, id##_wipe_                                                        \
  }
static const struct tuplehash tuplehashes[] = {
    TUPLEHASH_ROW(tuplehash128, 168, 0),
    TUPLEHASH_ROW(tuplehash256, 136, 0),
    TUPLEHASH_ROW(tuplehashxof128, 168, 1),
    TUPLEHASH_ROW(tuplehashxof256, 136, 1),
};
enum { TUPLEHASHES = sizeof tuplehashes / sizeof tuplehashes[0], TUPLE_MOST = 6, TUPLE_OUT = 400 };

static void *context(size_t size)
{
    void *ctx = malloc(size); /* exactly: a sanitizer sees an access beyond */
    assert_non_null(ctx);
    memset(ctx, 0xaa, size);
    return ctx;
}

/* Whole, in elements, and in pieces of elements, against what is expected. */
static void check_tuple(const struct tuplehash *f, const struct celer_msg *tuple, size_t n,
                        const void *custom, size_t custom_len, const uint8_t *want, size_t out_len,
                        struct rng *rng)
{
    uint8_t out[TUPLE_OUT + 1];
    void *ctx = context(f->ctx_size);
    memset(out, 0xaa, sizeof out);
    f->whole(out, out_len, tuple, n, custom, custom_len);
    check_bytes(out, want, out_len, "%s of %zu elements", f->name, n);
    check(out[out_len] == 0xaa, "%s wrote more than %zu bytes", f->name, out_len);
    for (int pieces = 0; pieces < 2; pieces++) {
        f->init(ctx, custom, custom_len);
        for (size_t i = 0; i < n; i++) {
            const uint8_t *in = tuple[i].data;
            if (!pieces) {
                f->element(ctx, in, tuple[i].len);
                continue;
            }
            assert_int_equal(f->begin(ctx, tuple[i].len), 0);
            for (size_t at = 0, piece; at < tuple[i].len; at += piece) {
                piece = rng_below(rng, 100);
                piece = piece < tuple[i].len - at ? piece : tuple[i].len - at;
                f->update(ctx, in + at, piece);
            }
        }
        memset(out, 0xaa, sizeof out);
        f->end(ctx, out, out_len);
        check_bytes(out, want, out_len, "%s of %zu elements, pieces %d", f->name, n, pieces);
        f->wipe(ctx);
        check(all_zero(ctx, f->ctx_size), "%s: wipe left something", f->name);
    }
    free(ctx);
}

struct tuple_vectors {
    const char *path;
    size_t cases;
    size_t seen;
};

static void check_tuple_case(const struct sp800_185_case *c, void *arg)
{
    struct tuple_vectors *v = arg;
    struct rng rng = {c->number};
    for (size_t f = 0; f < TUPLEHASHES; f++)
        if (strcmp(c->function, tuplehashes[f].name) == 0) {
            assert_int_equal(c->out.bits % 8, 0);
            check_tuple(&tuplehashes[f], c->tuple, c->tuple_len, c->custom.bytes, c->custom.bits / 8,
                        c->out.bytes, c->out.bits / 8, &rng);
            v->seen++;
        }
}

static void test_tuple_vectors(void **state)
{
    row_enter(&celer_keccak_kernel_, *state);
    struct tuple_vectors files[] = {
        {SP800_185_SAMPLES, 6, 0},
        {"sp800-185/ACVP-TupleHash-128-1.0.json", 50, 0},
        {"sp800-185/ACVP-TupleHash-256-1.0.json", 50, 0},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        sp800_185_each(files[i].path, check_tuple_case, &files[i]);
        check(files[i].seen == files[i].cases, "%s: %zu cases", files[i].path, files[i].seen);
    }
}

/* Wrong: an empty element counts for nothing; a tuple of none; elements run together. */
static void test_tuples(void **state)
{
    row_enter(&celer_keccak_kernel_, *state);
    uint8_t in[2000], want[TUPLE_OUT];
    struct rng rng = {4};
    rng_fill(&rng, in, sizeof in);
    for (size_t round = 0; round < 400 / one_in(); round++) {
        const struct tuplehash *f = &tuplehashes[round % TUPLEHASHES];
        const size_t n = rng_below(&rng, TUPLE_MOST + 1), custom_len = rng_below(&rng, 20);
        const size_t out_len = 1 + rng_below(&rng, TUPLE_OUT);
        struct celer_msg tuple[TUPLE_MOST];
        struct string s = cshake_string(f->rate, "TupleHash", in, custom_len);
        for (size_t i = 0; i < n; i++) {
            const size_t len = rng_below(&rng, 4) == 0 ? 0 : rng_below(&rng, i % 2 == 0 ? 40 : 1000);
            tuple[i] = (struct celer_msg){len != 0 ? in + rng_below(&rng, sizeof in - len) : NULL, len};
            put_string(&s, tuple[i].data, len);
        }
        put_right(&s, f->xof ? 0 : 8 * out_len);
        hash_string(&s, want, out_len, f->rate);
        check_tuple(f, tuple, n, in, custom_len, want, out_len, &rng);
    }
}

/* A dead context gives zeros and stays dead. */
static void check_dead(const struct tuplehash *f, void *ctx, const char *why)
{
    uint8_t out[100];
    check(all_zero(ctx, f->ctx_size), "%s: %s: lives", f->name, why);
    memset(out, 0xaa, sizeof out);
    f->element(ctx, "abc", 3);
    f->update(ctx, "abc", 3);
    check(f->begin(ctx, 0) == CELER_EINVAL, "%s: %s: begin", f->name, why);
    f->end(ctx, out, 99);
    check(all_zero(out, 99) && out[99] == 0xaa, "%s: %s: output", f->name, why);
    check(all_zero(ctx, f->ctx_size), "%s: %s: not dead", f->name, why);
}

/* Wrong: an element that is longer or shorter than was said makes a hash of another tuple. */
static void test_tuple_misuse(void **state)
{
    (void)state;
    struct guarded page = guarded_new(1);
    uint8_t out[200], more[200];
    for (size_t i = 0; i < TUPLEHASHES; i++) {
        const struct tuplehash *f = &tuplehashes[i];
        uint8_t *ctx = context(f->ctx_size);
        memset(ctx, 0, f->ctx_size);
        check_dead(f, ctx, "zeros");
        f->init(ctx, "S", 1);
        f->wipe(ctx);
        check_dead(f, ctx, "wiped");

        f->init(ctx, "S", 1);
        f->update(ctx, "a", 1);
        check_dead(f, ctx, "bytes without an element");
        f->init(ctx, "S", 1);
        f->element(ctx, "abc", 3);
        f->update(ctx, NULL, 0);
        f->update(ctx, "d", 1);
        check_dead(f, ctx, "bytes behind an element");
        f->init(ctx, "S", 1);
        assert_int_equal(f->begin(ctx, 3), 0);
        f->update(ctx, "ab", 2);
        f->update(ctx, page.end, SIZE_MAX); /* not looked at */
        check_dead(f, ctx, "too many bytes");
        f->init(ctx, "S", 1);
        assert_int_equal(f->begin(ctx, 3), 0);
        f->update(ctx, "ab", 2);
        check(f->begin(ctx, 1) == CELER_EINVAL, "%s: begin within an element", f->name);
        check_dead(f, ctx, "begin within an element");
        f->init(ctx, "S", 1);
        assert_int_equal(f->begin(ctx, 3), 0);
        f->element(ctx, "abc", 3);
        check_dead(f, ctx, "an element within an element");
        f->init(ctx, "S", 1);
        assert_int_equal(f->begin(ctx, SIZE_MAX), 0);
        f->update(ctx, "ab", 2);
        memset(out, 0xaa, sizeof out);
        f->end(ctx, out, sizeof out);
        check(all_zero(out, sizeof out), "%s: an end within an element", f->name);
        check_dead(f, ctx, "an end within an element");

        f->init(ctx, "S", 1);
        f->element(ctx, "abc", 3);
        f->end(ctx, out, sizeof out);
        if (!f->xof)
            check_dead(f, ctx, "finished");
        else { /* in pieces, and input that comes too late */
            f->init(ctx, "S", 1);
            f->element(ctx, "abc", 3);
            f->end(ctx, more, 0);
            f->element(ctx, "abc", 3);
            check(f->begin(ctx, 3) == CELER_EINVAL, "%s: begin after output", f->name);
            f->update(ctx, "abc", 3);
            for (size_t at = 0, n = 1; at < sizeof more; at += n, n = 7) {
                n = n < sizeof more - at ? n : sizeof more - at;
                f->end(ctx, more + at, n);
                f->update(ctx, "abc", 3);
            }
            check_bytes(more, out, sizeof out, "%s in pieces", f->name);
        }
        free(ctx);
    }
    guarded_free(page);
}

/* ---- ParallelHash ---- */

struct parallelhash {
    const char *name;
    unsigned rate;
    size_t ctx_size;
    int xof;
    int (*whole)(uint8_t *out, size_t out_len, const void *in, size_t in_len, size_t block_len,
                 const void *custom, size_t custom_len);
    int (*init)(void *ctx, size_t block_len, const void *custom, size_t custom_len);
    void (*update)(void *ctx, const void *in, size_t in_len);
    void (*end)(void *ctx, uint8_t *out, size_t out_len);
};

#define PARALLELHASH(id)                                                                     \
  static int id##_begin_(void *ctx, size_t block_len, const void *custom, size_t custom_len) \
  {                                                                                          \
    return celer_##id##_init(ctx, block_len, custom, custom_len);                            \
  }
PARALLELHASH(parallelhash128)
PARALLELHASH(parallelhash256)
PARALLELHASH(parallelhashxof128)
PARALLELHASH(parallelhashxof256)

#define PARALLELHASH_ROW(id, rate, xof)                                                         \
  {                                                                                             \
#    id, rate, sizeof(struct celer_##id), xof, celer_##id, id##_begin_, id##_update_, id##_end_ \
  }
static const struct parallelhash parallelhashes[] = {
    PARALLELHASH_ROW(parallelhash128, 168, 0),
    PARALLELHASH_ROW(parallelhash256, 136, 0),
    PARALLELHASH_ROW(parallelhashxof128, 168, 1),
    PARALLELHASH_ROW(parallelhashxof256, 136, 1),
};
enum { PARALLELHASHES = sizeof parallelhashes / sizeof parallelhashes[0] };

/* Wrong: a last block, or none; a block that ends with an update; more than 255 blocks; the rate of the other kind. */
static void test_blocks(void **state)
{
    row_enter(&celer_keccak_kernel_, *state);
    enum { MOST = 40000, OUT = 200 };
    static const size_t blocks[] = {1, 2, 7, 8, 135, 136, 137, 168, 169, 1000, 8191, 8192, MOST, SIZE_MAX};
    uint8_t *in = malloc(MOST), want[OUT], out[OUT];
    assert_non_null(in);
    struct rng rng = {5};
    rng_fill(&rng, in, MOST);
    for (size_t round = 0; round < 700 / one_in(); round++) {
        const struct parallelhash *f = &parallelhashes[round % PARALLELHASHES];
        const size_t block = blocks[rng_below(&rng, sizeof blocks / sizeof blocks[0])];
        const size_t most = block < 100 ? 40 * block + 1 : block < 2000 ? 20 * block : MOST;
        size_t len = rng_below(&rng, most + 1), custom_len = rng_below(&rng, 4),
               out_len = 1 + rng_below(&rng, OUT);
        if (round % 3 == 0 && block < MOST) /* whole blocks, from none on */
            len -= len % block;
        if (block == 1 && round % 2 == 0)
            len = 255 + rng_below(&rng, 10);

        struct celer_sponge node;
        const uint32_t mask = celer_cpu_mask(0);
        sp800_185_parallel_node(&node, f->rate, in, len, block, in, custom_len);
        celer_absorb_right_(&node, f->xof ? 0 : out_len, ENCODE_BYTES);
        celer_sponge_squeeze_(&node, want, out_len);
        celer_cpu_mask(mask);

        assert_int_equal(f->whole(out, out_len, in, len, block, in, custom_len), 0);
        check_bytes(out, want, out_len, "%s: %zu bytes in blocks of %zu", f->name, len, block);
        uint8_t *ctx = context(f->ctx_size);
        assert_int_equal(f->init(ctx, block, in, custom_len), 0);
        const size_t longest = round % 2 == 0 ? most : 1 + (block < most ? block : most);
        for (size_t at = 0, piece; at < len; at += piece) {
            piece = rng_below(&rng, longest + 1);
            piece = piece < len - at ? piece : len - at;
            f->update(ctx, in + at, piece);
        }
        f->end(ctx, out, out_len);
        check_bytes(out, want, out_len, "%s: %zu bytes in blocks of %zu, pieces of 0..%zu", f->name, len,
                    block, longest);
        free(ctx);
    }
    free(in);
}

/* Wrong: a block length of 0 never ends; the number of blocks of an empty message is left out. */
static void test_block_edges(void **state)
{
    (void)state;
    static const char *const empty = "96427c30224408859f95e89e4fa84e1c7a1478dbf2008ac982ce61a77f37a272";
    uint8_t want[32];
    uint8_t out[65];
    assert_int_equal(celer_parallelhash128(out, 32, NULL, 0, 8, NULL, 0), 0);
    assert_true(hex_decode(want, empty, 32));
    check_bytes(out, want, 32, "the empty message");
    for (size_t i = 0; i < PARALLELHASHES; i++) {
        const struct parallelhash *f = &parallelhashes[i];
        uint8_t *ctx = context(f->ctx_size);
        memset(out, 0xaa, sizeof out);
        check(f->whole(out, 64, "abc", 3, 0, "S", 1) == CELER_EINVAL, "%s: blocks of 0 bytes", f->name);
        check(all_zero(out, 64) && out[64] == 0xaa, "%s: output of blocks of 0 bytes", f->name);
        check(f->init(ctx, 0, "S", 1) == CELER_EINVAL, "%s: init with blocks of 0 bytes", f->name);
        check(all_zero(ctx, f->ctx_size), "%s: not dead", f->name);
        f->update(ctx, "abc", 3);
        memset(out, 0xaa, sizeof out);
        f->end(ctx, out, 64);
        check(all_zero(out, 64) && all_zero(ctx, f->ctx_size), "%s: came to life", f->name);
        free(ctx);
    }
}

/* The list's block length of 0 is 8192. */
static void test_customary_block(void **state)
{
    (void)state;
    enum { LEN = 20000 };
    uint8_t *in = calloc(LEN, 1), want[32], out[32];
    assert_non_null(in);
    struct celer_hash_ctx ctx;
    assert_int_equal(celer_parallelhash128(want, 32, in, LEN, 8192, NULL, 0), 0);
    assert_int_equal(celer_hash_init(&ctx, celer_hash_find("parallelhash128"), NULL), 0);
    celer_hash_update(&ctx, in, LEN);
    celer_hash_final(&ctx, out);
    check_bytes(out, want, 32, "blocks of 8192 bytes");
    free(in);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    const char *row;
    suite_add(&suite, test_encodings, NULL, "encodings: known");
    suite_add(&suite, test_encoded_bits, NULL, "encodings: every bit");
    suite_add(&suite, test_plain_cshake, NULL, "cSHAKE without name and customization");
    suite_add(&suite, test_every_custom_and_key, NULL, "customizations and keys of every length");
    suite_add(&suite, test_code_lengths, NULL, "KMAC of every length");
    suite_add(&suite, test_tuple_misuse, NULL, "TupleHash: elements that are not as announced");
    suite_add(&suite, test_block_edges, NULL, "ParallelHash: empty message, blocks of 0 bytes");
    suite_add(&suite, test_customary_block, NULL, "ParallelHash: customary blocks");
    for (size_t r = 0; (row = row_name(&celer_keccak_kernel_, r)) != NULL; r++) {
        static const struct {
            const char *name;
            CMUnitTestFunction run;
        } items[] = {
            {"KMAC: stack", test_stack},
            {"TupleHash: official vectors", test_tuple_vectors},
            {"TupleHash: tuples", test_tuples},
            {"ParallelHash: blocks", test_blocks},
        };
        for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
            suite_add(&suite, items[i].run, (void *)(uintptr_t)row, "%s, %s", items[i].name, row);
    }
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++)
        typed_template_add(&suite, &typed[i]);
    return suite_run(&suite, "sp800-185") != 0;
}
