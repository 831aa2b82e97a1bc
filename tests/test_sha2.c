/* test_sha2.c: the typed functions of celer/sha2.h, the rows of both compression functions, and their constants
   recomputed. */
#include "support.h"
#include "typed_template.h"
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha512.h"

TYPED_FIXED(sha224, 28)
TYPED_FIXED(sha256, 32)
TYPED_FIXED(sha384, 48)
TYPED_FIXED(sha512, 64)
TYPED_FIXED(sha512_224, 28)
TYPED_FIXED(sha512_256, 32)

static const struct typed typed[] = {
    TYPED_ROW(sha224, "sha224", CELER_SHA224_LEN),
    TYPED_ROW(sha256, "sha256", CELER_SHA256_LEN),
    TYPED_ROW(sha384, "sha384", CELER_SHA384_LEN),
    TYPED_ROW(sha512, "sha512", CELER_SHA512_LEN),
    TYPED_ROW(sha512_224, "sha512-224", CELER_SHA512_224_LEN),
    TYPED_ROW(sha512_256, "sha512-256", CELER_SHA512_256_LEN),
};

/* The two compression functions through one interface: a chaining value is words in host order behind a void pointer,
   and a row is what the tables begin their rows with. */
struct size {
    const char *name;
    const struct celer_kernel *kernel;
    size_t word, block;
    const void *iv;
    const struct celer_backend *(*chosen)(void);
    const struct celer_backend *(*best)(size_t messages);
    uint32_t (*cost)(const struct celer_backend *row);
    int (*same)(const struct celer_backend *a, const struct celer_backend *b); /* a function in common */
    void (*scalar)(void *h, const uint8_t *in, size_t nblocks);
    void (*blocks)(void *h, const uint8_t *in, size_t nblocks);            /* of the chosen row */
    int (*finish)(void *h, const uint8_t *in, size_t len, uint64_t total); /* 0: the chosen row has none */
    void (*lanes)(const struct celer_backend *row, void *h, const uint8_t *const *in, size_t nblocks);
    size_t (*tail)(const struct celer_backend *row, uint8_t *tail, const uint8_t *rest, size_t n,
                   uint64_t total); /* 0: the row has none */
    void (*many)(uint8_t *out, const struct celer_msg *msgs, size_t n);
    void (*digest)(uint8_t *out, const void *in, size_t len);
    void (*digest_after)(uint64_t before, uint8_t *out, const uint8_t *in, size_t len);
};

#define SIZE(bits, type)                                                                                   \
  static const struct celer_backend *chosen_##bits(void)                                                   \
  {                                                                                                        \
    return &celer_sha##bits##_()->row;                                                                     \
  }                                                                                                        \
  static const struct celer_backend *best_##bits(size_t messages)                                          \
  {                                                                                                        \
    return &celer_sha##bits##_best_(messages)->row;                                                        \
  }                                                                                                        \
  static uint32_t cost_##bits(const struct celer_backend *row)                                             \
  {                                                                                                        \
    return ((const struct sha##bits##_backend *)(const void *)row)->cost;                                  \
  }                                                                                                        \
  static int same_##bits(const struct celer_backend *a, const struct celer_backend *b)                     \
  {                                                                                                        \
    const struct sha##bits##_backend *x = (const void *)a, *y = (const void *)b;                           \
    return (x->blocks != NULL && x->blocks == y->blocks) || (x->lanes != NULL && x->lanes == y->lanes);    \
  }                                                                                                        \
  static void scalar_##bits(void *h, const uint8_t *in, size_t nblocks)                                    \
  {                                                                                                        \
    celer_sha##bits##_blocks_scalar_(h, in, nblocks);                                                      \
  }                                                                                                        \
  static void blocks_##bits(void *h, const uint8_t *in, size_t nblocks)                                    \
  {                                                                                                        \
    celer_sha##bits##_()->blocks(h, in, nblocks);                                                          \
  }                                                                                                        \
  static int finish_##bits(void *h, const uint8_t *in, size_t len, uint64_t total)                         \
  {                                                                                                        \
    if (celer_sha##bits##_()->finish == NULL)                                                              \
      return 0;                                                                                            \
    celer_sha##bits##_()->finish(h, in, len, total);                                                       \
    return 1;                                                                                              \
  }                                                                                                        \
  static void lanes_##bits(const struct celer_backend *row, void *h, const uint8_t *const *in,             \
                           size_t nblocks)                                                                 \
  {                                                                                                        \
    ((const struct sha##bits##_backend *)(const void *)row)->lanes(h, in, nblocks);                        \
  }                                                                                                        \
  static size_t tail_##bits(const struct celer_backend *row, uint8_t *tail, const uint8_t *rest, size_t n, \
                            uint64_t total)                                                                \
  {                                                                                                        \
    const struct sha##bits##_backend *k = (const void *)row;                                               \
    return k->tail != NULL ? k->tail(tail, rest, n, total) : 0;                                            \
  }                                                                                                        \
  static void many_##bits(uint8_t *out, const struct celer_msg *msgs, size_t n)                            \
  {                                                                                                        \
    celer_sha##bits##_many_(celer_sha##bits##_iv_, out, 8 * sizeof(type), msgs, n);                        \
  }                                                                                                        \
  static void digest_##bits(uint8_t *out, const void *in, size_t len)                                      \
  {                                                                                                        \
    celer_sha##bits(out, in, len);                                                                         \
  }                                                                                                        \
  static void digest_after_##bits(uint64_t before, uint8_t *out, const uint8_t *in, size_t len)            \
  {                                                                                                        \
    struct celer_sha##bits ctx;                                                                            \
    celer_sha##bits##_init(&ctx);                                                                          \
    ctx.state.len = before;                                                                                \
    celer_sha##bits##_update(&ctx, in, len / 3);                                                           \
    celer_sha##bits##_update(&ctx, in + len / 3, len - len / 3);                                           \
    celer_sha##bits##_final(&ctx, out);                                                                    \
  }                                                                                                        \
  static const struct size sha##bits = {"sha" #bits,           &celer_sha##bits##_kernel_,                 \
                                        sizeof(type),          SHA##bits##_BLOCK,                          \
                                        celer_sha##bits##_iv_, chosen_##bits,                              \
                                        best_##bits,           cost_##bits,                                \
                                        same_##bits,           scalar_##bits,                              \
                                        blocks_##bits,         finish_##bits,                              \
                                        lanes_##bits,          tail_##bits,                                \
                                        many_##bits,           digest_##bits,                              \
                                        digest_after_##bits};
SIZE(256, uint32_t)
SIZE(512, uint64_t)

enum { MOST_BLOCK = 128, MOST_WAYS = 16 };

/* A compression function and the name of rows of it. */
struct rows {
    const struct size *size;
    const char *name;
};

static const struct size *enter(void **state)
{
    const struct rows *rows = *state;
    row_enter(rows->size->kernel, rows->name);
    return rows->size;
}

/* Wrong: the row that celer_kernel_choice names is not the one that runs, so that the tests of all rows test
   one. A name without a row for one message leaves that to the portable row. */
static void test_row_runs(void **state)
{
    const struct size *size = enter(state);
    const struct celer_backend *chosen = size->chosen();
    assert_ptr_equal(chosen, celer_kernel_choice(size->kernel, 1));
    assert_true(chosen->needs == 0 || strcmp(chosen->name, ((const struct rows *)*state)->name) == 0);
}

/* The compression function by itself, on any number of blocks at any address. */
static void test_blocks(void **state)
{
    const struct size *size = enter(state);
    struct rng rng = {4};
    struct guarded in = guarded_new(20 * size->block);
    for (size_t n = 0; n <= 20; n++)
        for (size_t offset = 0; offset < 64; offset++) {
            uint64_t h[8], want[8];
            rng_fill(&rng, h, sizeof h);
            memcpy(want, h, sizeof h);
            uint8_t *const at = offset == 0 ? in.end - size->block * n : in.begin + offset;
            rng_fill(&rng, at, size->block * n);
            size->blocks(h, at, n);
            for (size_t i = 0; i < n; i++)
                size->scalar(want, at + size->block * i, 1);
            check_bytes(h, want, sizeof h, "%zu blocks at offset %zu", n, offset);
        }
    guarded_free(in);
}

/* What FIPS 180-4 section 5.1 puts behind the n bytes of a message of `total` bytes, and before them the bytes; returns
   the number of blocks. */
static size_t pad(const struct size *size, uint8_t *padded, const uint8_t *in, size_t n, uint64_t total)
{
    const size_t count = size->block / 8, blocks = (n + 1 + count + size->block - 1) / size->block;
    memset(padded, 0, blocks * size->block);
    memcpy(padded, in, n);
    padded[n] = 0x80;
    uint8_t *last = padded + blocks * size->block;
    *--last = (uint8_t)(total << 3);
    total >>= 5;
    for (size_t i = 1; i < count; i++, total >>= 8)
        *--last = (uint8_t)total;
    return blocks;
}

/* finish against padding done here and the scalar row, for any count of bytes: the message may have begun long
   before. Wrong: the 0x80 or the count in the wrong place, for one class of lengths; bytes read beside the
   message. */
static void test_finish(void **state)
{
    const struct size *size = enter(state);
    uint64_t h[8] = {0}, want[8];
    uint8_t padded[5 * MOST_BLOCK];
    if (!size->finish(h, padded, 0, 0)) /* the row has none, and pads through blocks */
        return;
    const size_t most = 3 * size->block + 3;
    struct rng rng = {13};
    struct guarded in = guarded_new(most);
    for (size_t n = 0; n <= most; n++)
        for (size_t place = 0; place < 18; place++) {
            uint8_t *const at = place == 0 ? in.end - n : in.begin + (place - 1);
            const uint64_t total = place % 2 == 0 ? rng_next(&rng) : n;
            rng_fill(&rng, at, n);
            rng_fill(&rng, h, sizeof h);
            memcpy(want, h, sizeof h);
            size->scalar(want, padded, pad(size, padded, at, n, total));
            size->finish(h, at, n, total);
            check_bytes(h, want, sizeof h, "%zu bytes, place %zu", n, place);
        }
    guarded_free(in);
}

/* The wider rows of the name, each lane with a message, an address and a chaining value of its own. Wrong: two lanes
   exchanged; a lane that misses a block. */
static void test_lanes(void **state)
{
    enum { BLOCKS = 5 };
    const struct size *size = enter(state);
    const struct celer_backend *row;
    struct guarded in[MOST_WAYS];
    struct rng rng = {15};
    for (size_t w = 0; w < MOST_WAYS; w++)
        in[w] = guarded_new(BLOCKS * size->block);
    for (size_t r = 0; (row = celer_kernel_row(size->kernel, r)) != NULL; r++) {
        if (row->ways == 1 || celer_kernel_choice(size->kernel, row->ways) != row)
            continue;
        for (size_t n = 1; n <= BLOCKS; n++)
            for (size_t offset = 0; offset < 64; offset++) {
                const uint8_t *at[MOST_WAYS];
                uint8_t h[8 * 8 * MOST_WAYS], want[MOST_WAYS][8 * 8], got[8 * 8];
                const size_t word = size->word;
                rng_fill(&rng, h, sizeof h);
                for (size_t w = 0; w < row->ways; w++) {
                    uint8_t *const p =
                        (w + offset) % 2 == 0 ? in[w].end - size->block * n : in[w].begin + (offset + w) % 64;
                    rng_fill(&rng, p, size->block * n);
                    at[w] = p;
                    for (size_t i = 0; i < 8; i++)
                        memcpy(want[w] + i * word, h + (i * row->ways + w) * word, word);
                    size->scalar(want[w], p, n);
                }
                size->lanes(row, h, at, n);
                for (size_t w = 0; w < row->ways; w++) {
                    for (size_t i = 0; i < 8; i++)
                        memcpy(got + i * word, h + (i * row->ways + w) * word, word);
                    check_bytes(got, want[w], 8 * word, "x%u, lane %zu, %zu blocks", (unsigned)row->ways, w,
                                n);
                }
            }
    }
    for (size_t w = 0; w < MOST_WAYS; w++)
        guarded_free(in[w]);
}

/* Padding by itself. Wrong: bytes read beside the message, which for a short one are another's. */
static void test_tail(void **state)
{
    const struct size *size = enter(state);
    const struct celer_backend *row;
    struct rng rng = {16};
    struct guarded in = guarded_new(size->block);
    for (size_t r = 0; (row = celer_kernel_row(size->kernel, r)) != NULL; r++)
        for (size_t n = 0; n < size->block; n++)
            for (size_t place = 0; place < 18; place++) {
                _Alignas(64) uint8_t tail[2 * MOST_BLOCK];
                uint8_t want[5 * MOST_BLOCK];
                uint8_t *const at =
                    place == 0 ? in.end - n : in.begin + (place - 1 < size->block - n ? place - 1 : 0);
                if (celer_kernel_choice(size->kernel, row->ways) != row)
                    continue;
                const uint64_t total = rng_next(&rng) / size->block * size->block + n;
                rng_fill(&rng, at, n);
                rng_fill(&rng, tail, sizeof tail);
                const size_t blocks = size->tail(row, tail, at, n, total);
                if (blocks == 0)
                    continue;
                assert_int_equal(blocks, pad(size, want, at, n, total));
                check_bytes(tail, want, blocks * size->block, "x%u: %zu bytes, place %zu",
                            (unsigned)row->ways, n, place);
            }
    guarded_free(in);
}

/* Every mask that the rows of a kernel need, alone and with others. */
static size_t masks(const struct celer_kernel *kernel, uint32_t *to, size_t most)
{
    const struct celer_backend *a, *b;
    size_t n = 0;
    to[n++] = CELER_CPU_AUTO;
    for (size_t i = 0; (a = celer_kernel_row(kernel, i)) != NULL; i++)
        for (size_t j = 0; j <= i; j++) {
            b = celer_kernel_row(kernel, j);
            assert_true(n < most);
            to[n++] = a->needs | b->needs;
        }
    return n;
}

/* Wrong: a wide row for messages that narrower ones have done sooner, or the other way round, also where both take as
   long; a row that this CPU or the mask forbids. */
static void test_best(void **state)
{
    const struct size *size = *state;
    const struct celer_backend *other;
    uint32_t mask[64];
    const size_t count = masks(size->kernel, mask, 64);
    for (size_t m = 0; m < count; m++) {
        uint32_t total[MOST_WAYS + 1] = {0};
        celer_cpu_mask(mask[m]);
        assert_int_equal(size->best(0)->ways, 1);
        assert_int_equal(size->best(1)->ways, 1);
        for (size_t messages = 1; messages <= MOST_WAYS; messages++) {
            const struct celer_backend *const row = size->best(messages);
            assert_ptr_equal(row, celer_kernel_choice(size->kernel, row->ways));
            total[messages] = size->cost(row) + total[messages > row->ways ? messages - row->ways : 0];
            for (size_t r = 0; (other = celer_kernel_row(size->kernel, r)) != NULL; r++)
                if (celer_kernel_choice(size->kernel, other->ways) == other)
                    check(total[messages] + (other->ways > row->ways) <=
                              size->cost(other) + total[messages > other->ways ? messages - other->ways : 0],
                          "mask %08x: %zu messages begin with x%u, x%u would do", (unsigned)mask[m], messages,
                          (unsigned)row->ways, (unsigned)other->ways);
        }
        assert_ptr_equal(size->best(1000), size->best(MOST_WAYS));
    }
}

/* Messages of any number and length on every set of rows. Wrong: a lane that waits for a narrower row, or moves to
   another place, and loses its chaining value; a digest in another's place. */
static void test_many(void **state)
{
    enum { MOST = 40, LONGEST = 1500 };
    const struct size *size = *state;
    static uint8_t data[LONGEST + MOST];
    struct rng rng = {17};
    uint32_t mask[64];
    const size_t count = masks(size->kernel, mask, 64), digest = 8 * size->word;
    rng_fill(&rng, data, sizeof data);
    for (size_t round = 0; round < 600; round++) {
        uint8_t out[MOST * 64], want[64];
        struct celer_msg msgs[MOST];
        const size_t n = rng_below(&rng, MOST + 1), longest = round % 3 == 0 ? LONGEST : 3 * size->block;
        const size_t alike = round % 5 < 2 ? rng_below(&rng, longest) : 0;
        for (size_t i = 0; i < n; i++) {
            msgs[i].len = alike != 0 && i < n - n / 8 ? alike : rng_below(&rng, longest);
            msgs[i].data = msgs[i].len == 0 ? NULL : data + i;
        }
        celer_cpu_mask(mask[round % count]);
        size->many(out, msgs, n);
        celer_cpu_mask(0);
        for (size_t i = 0; i < n; i++) {
            size->digest(want, msgs[i].data, msgs[i].len);
            check_bytes(out + i * digest, want, digest, "mask %08x: message %zu of %zu, %zu bytes",
                        (unsigned)mask[round % count], i, n, msgs[i].len);
        }
    }
}

/* Messages of any length at their end, as if so many bytes had gone before. Wrong: the count of bytes or bits
   in 32 bits or 64; SHA-256's bits beyond 2^64, which are to be dropped. */
static void test_counts(void **state)
{
    const struct size *size = enter(state);
    static const uint64_t before[] = {
        (1u << 29) - 128,       1u << 29,          UINT64_C(0xffffff80), UINT64_C(1) << 32, UINT64_C(5) << 58,
        UINT64_C(0xa6c5) << 48, UINT64_MAX - 1023,
    };
    struct rng rng = {14};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        for (size_t n = 0; n <= 2 * size->block + 2; n++) {
            uint8_t in[2 * MOST_BLOCK + 2], padded[5 * MOST_BLOCK], out[64], want[64];
            uint64_t h[8];
            rng_fill(&rng, in, n);
            size->digest_after(before[i], out, in, n);

            memcpy(h, size->iv, 8 * size->word);
            size->scalar(h, padded, pad(size, padded, in, n, before[i] + n));
            for (size_t k = 0; k < 8; k++) {
                uint64_t x = size->word == 8 ? h[k] : ((const uint32_t *)(const void *)h)[k];
                for (size_t byte = size->word; byte-- > 0; x >>= 8)
                    want[k * size->word + byte] = (uint8_t)x;
            }
            check_bytes(out, want, 8 * size->word, "%zu bytes after %llu", n, (unsigned long long)before[i]);
        }
}

/* Wrong: a row that has another row's function behind its name; every result is right then. */
static void test_functions(void **state)
{
    const struct size *size = *state;
    const struct celer_backend *a, *b;
    for (size_t i = 0; (a = celer_kernel_row(size->kernel, i)) != NULL; i++)
        for (size_t j = 0; j < i; j++) {
            b = celer_kernel_row(size->kernel, j);
            check(!size->same(a, b), "%s x%u and %s x%u have one function", a->name, (unsigned)a->ways,
                  b->name, (unsigned)b->ways);
        }
}

__extension__ typedef unsigned __int128 uint128;

static unsigned prime(unsigned i) /* prime 0 is 2 */
{
    for (unsigned n = 2;; n++) {
        unsigned d = 2;
        while (n % d != 0)
            d++;
        if (d == n && i-- == 0)
            return n;
    }
}

/* Numbers of 256 bits, the lowest 64 first. */
static void multiply(uint64_t to[4], const uint64_t a[4], const uint64_t b[4])
{
    uint64_t product[4] = {0};
    for (size_t i = 0; i < 4; i++) {
        uint128 carry = 0;
        for (size_t j = 0; i + j < 4; j++) {
            carry += (uint128)a[i] * b[j] + product[i + j];
            product[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    memcpy(to, product, sizeof product);
}

/* 1 when x / 2^64 is at most the cube root of n < 512. */
static int at_most_cube_root(uint128 x, unsigned n)
{
    const uint64_t root[4] = {(uint64_t)x, (uint64_t)(x >> 64)};
    uint64_t cube[4];
    multiply(cube, root, root);
    multiply(cube, cube, root);
    return cube[3] < n || (cube[3] == n && (cube[0] | cube[1] | cube[2]) == 0); /* n * 2^192 */
}

/* The cube root of n < 512 with 64 binary places. */
static uint128 cube_root(unsigned n)
{
    uint128 x = 0;
    for (unsigned bit = 67; bit-- > 0;)
        if (at_most_cube_root(x | (uint128)1 << bit, n))
            x |= (uint128)1 << bit;
    return x;
}

/* The square root of n < 64 with that many binary places, two bits of n and one of the root at a time. */
static uint128 square_root(unsigned n, unsigned places)
{
    uint128 x = 0, rest = 0;
    for (unsigned i = 3 + places; i-- > 0;) {
        rest = rest << 2 | (i >= places ? n >> 2 * (i - places) & 3 : 0);
        x <<= 1;
        if (rest >= (x << 1 | 1)) {
            rest -= x << 1 | 1;
            x |= 1;
        }
    }
    return x;
}

/* FIPS 180-4 section 5.3.6: the initial value of SHA-512/t, in the words of the digest of its name. */
static void check_generated(const uint64_t *iv, const char *name)
{
    uint64_t start[8];
    uint8_t digest[64], want[64];
    for (size_t i = 0; i < 8; i++)
        start[i] = celer_sha512_iv_[i] ^ UINT64_C(0xa5a5a5a5a5a5a5a5);
    celer_sha512_digest_(start, digest, sizeof digest, name, strlen(name));
    for (size_t i = 0; i < 64; i++)
        want[i] = (uint8_t)(iv[i / 8] >> (56 - i % 8 * 8));
    check_bytes(digest, want, sizeof want, "%s", name);
}

/* FIPS 180-4 sections 4.2.2, 4.2.3 and 5.3. */
static void test_constants(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 80; i++)
        assert_true(celer_sha512_k_[i] == (uint64_t)cube_root(prime(i)));
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(celer_sha256_k_[i], (uint32_t)(cube_root(prime(i)) >> 32));
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(celer_sha256_iv_[i], (uint32_t)square_root(prime(i), 32));
        assert_int_equal(celer_sha224_iv_[i], (uint32_t)square_root(prime(i + 8), 64));
        assert_true(celer_sha512_iv_[i] == (uint64_t)square_root(prime(i), 64));
        assert_true(celer_sha384_iv_[i] == (uint64_t)square_root(prime(i + 8), 64));
    }
    check_generated(celer_sha512_224_iv_, "SHA-512/224");
    check_generated(celer_sha512_256_iv_, "SHA-512/256");
}

static void add_rows(struct suite *suite, const struct size *size)
{
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } items[] = {
        {"is what runs", test_row_runs}, {"blocks", test_blocks}, {"finish", test_finish},
        {"lanes", test_lanes},           {"tail", test_tail},     {"counts of bits", test_counts},
    };
    static struct rows rows[20];
    static size_t used;
    const char *name;
    suite_add(suite, test_functions, (void *)(uintptr_t)size, "%s: each row has a function of its own",
              size->name);
    suite_add(suite, test_best, (void *)(uintptr_t)size, "%s: the row for so many messages", size->name);
    suite_add(suite, test_many, (void *)(uintptr_t)size, "%s: many messages on every set of rows",
              size->name);
    for (size_t r = 0; (name = row_name(size->kernel, r)) != NULL; r++) {
        assert_true(used < sizeof rows / sizeof rows[0]);
        rows[used] = (struct rows){size, name};
        for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
            suite_add(suite, items[i].run, &rows[used], "%s/%s: %s", size->name, name, items[i].name);
        used++;
    }
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_constants, NULL, "sha2: constants");
    add_rows(&suite, &sha256);
    add_rows(&suite, &sha512);
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++)
        typed_template_add(&suite, &typed[i]);
    return suite_run(&suite, "sha2") != 0;
}
