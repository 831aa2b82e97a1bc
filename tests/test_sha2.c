/* test_sha2.c: the typed functions of celer/sha2.h, the choice of SHA-256's rows, and its constants
   recomputed. */
#include "support.h"
#include "typed_template.h"
#include "sha2/sha2.h"
#include "sha2/sha256.h"

TYPED_FIXED(sha224, 28)
TYPED_FIXED(sha256, 32)

static const struct typed typed[] = {
    TYPED_ROW(sha224, "sha224", CELER_SHA224_LEN),
    TYPED_ROW(sha256, "sha256", CELER_SHA256_LEN),
};

/* Wrong: the row that celer_kernel_choice names is not the one that runs, so that the tests of all rows test
   one. */
static void test_row_runs(void **state)
{
    const char *row = *state;
    row_enter(&celer_sha256_kernel_, row);
    assert_string_equal(celer_sha256_()->row.name, row);
}

/* The compression function by itself, on any number of blocks at any address. */
static void test_blocks(void **state)
{
    const char *row = *state;
    row_enter(&celer_sha256_kernel_, row);
    sha256_blocks *const blocks = celer_sha256_()->blocks;
    struct rng rng = {4};
    struct guarded in = guarded_new(20 * 64);
    for (size_t n = 0; n <= 20; n++)
        for (size_t offset = 0; offset < 64; offset++) {
            uint32_t h[8], want[8];
            rng_fill(&rng, h, sizeof h);
            memcpy(want, h, sizeof h);
            uint8_t *const at = offset == 0 ? in.end - 64 * n : in.begin + offset;
            rng_fill(&rng, at, 64 * n);
            blocks(h, at, n);
            for (size_t i = 0; i < n; i++)
                celer_sha256_blocks_scalar_(want, at + 64 * i, 1);
            check_bytes(h, want, sizeof h, "%zu blocks at offset %zu", n, offset);
        }
    guarded_free(in);
}

/* finish against padding done here and the scalar row, for any count of bits: the message may have begun long
   before. Wrong: the 0x80 or the count in the wrong place, for one class of lengths; bytes read beside the
   message. */
static void test_finish(void **state)
{
    const char *row = *state;
    row_enter(&celer_sha256_kernel_, row);
    sha256_finish *const finish = celer_sha256_()->finish;
    if (finish == NULL) /* the row has none, and pads through blocks */
        return;
    enum { MOST = 3 * 64 + 3 };
    struct rng rng = {13};
    struct guarded in = guarded_new(MOST);
    for (size_t n = 0; n <= MOST; n++)
        for (size_t place = 0; place < 18; place++) {
            uint8_t padded[MOST + 128] = {0};
            uint32_t h[8], want[8];
            uint8_t *const at = place == 0 ? in.end - n : in.begin + (place - 1);
            const uint64_t bits = place % 2 == 0 ? rng_next(&rng) : 8 * n;
            const size_t blocks = (n + 9 + 63) / 64;
            rng_fill(&rng, at, n);
            rng_fill(&rng, h, sizeof h);
            memcpy(want, h, sizeof h);
            memcpy(padded, at, n);
            padded[n] = 0x80;
            for (size_t i = 0; i < 8; i++)
                padded[64 * blocks - 1 - i] = (uint8_t)(bits >> 8 * i);
            celer_sha256_blocks_scalar_(want, padded, blocks);
            finish(h, at, n, bits);
            check_bytes(h, want, sizeof h, "%zu bytes, place %zu", n, place);
        }
    guarded_free(in);
}

/* Messages of any length at their end, as if so many bytes had gone before. Wrong: the count of bytes or bits
   in 32 bits; bits beyond 2^64, which are to be dropped. */
static void test_counts(void **state)
{
    const char *row = *state;
    row_enter(&celer_sha256_kernel_, row);
    static const uint64_t before[] = {(1u << 29) - 64,   1u << 29,          UINT64_C(0xffffffc0),
                                      UINT64_C(1) << 32, UINT64_C(5) << 58, UINT64_MAX - 63};
    struct rng rng = {14};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        for (size_t n = 0; n <= 130; n++) {
            uint8_t in[130], padded[130 + 128] = {0}, out[32], want[32];
            struct celer_sha256 ctx;
            const uint64_t bits = (before[i] + n) * 8;
            const size_t blocks = (n + 9 + 63) / 64;
            uint32_t h[8];
            rng_fill(&rng, in, n);
            celer_sha256_init(&ctx);
            ctx.state.len = before[i];
            celer_sha256_update(&ctx, in, n / 3);
            celer_sha256_update(&ctx, in + n / 3, n - n / 3);
            celer_sha256_final(&ctx, out);

            memcpy(padded, in, n);
            padded[n] = 0x80;
            memcpy(h, celer_sha256_iv_, sizeof h);
            for (size_t k = 0; k < 8; k++)
                padded[64 * blocks - 1 - k] = (uint8_t)(bits >> 8 * k);
            celer_sha256_blocks_scalar_(h, padded, blocks);
            for (size_t k = 0; k < 32; k++)
                want[k] = (uint8_t)(h[k / 4] >> (24 - k % 4 * 8));
            check_bytes(out, want, sizeof out, "%zu bytes after %llu", n, (unsigned long long)before[i]);
        }
}

/* Wrong: a row that has another row's function behind its name; every result is right then. */
static void test_functions(void **state)
{
    (void)state;
    const struct sha256_backend *rows = celer_sha256_kernel_.rows;
    for (size_t i = 0; i < celer_sha256_kernel_.count; i++)
        for (size_t j = 0; j < i; j++)
            check(rows[i].blocks != rows[j].blocks, "%s and %s have one function", rows[i].row.name,
                  rows[j].row.name);
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

/* The cube root of n < 512 with 32 binary places. */
static uint64_t cube_root(unsigned n)
{
    uint64_t x = 0;
    for (unsigned bit = 35; bit-- > 0;) {
        const uint128 y = x | UINT64_C(1) << bit;
        if (y * y * y <= (uint128)n << 96)
            x = (uint64_t)y;
    }
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

/* FIPS 180-4 sections 4.2.2, 5.3.2 and 5.3.3. */
static void test_constants(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(celer_sha256_k_[i], (uint32_t)cube_root(prime(i)));
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(celer_sha256_iv_[i], (uint32_t)square_root(prime(i), 32));
        assert_int_equal(celer_sha224_iv_[i], (uint32_t)square_root(prime(i + 8), 64));
    }
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_constants, NULL, "sha256: constants");
    suite_add(&suite, test_functions, NULL, "sha256: each row has a function of its own");
    const char *row;
    for (size_t r = 0; (row = row_name(&celer_sha256_kernel_, r)) != NULL; r++) {
        suite_add(&suite, test_row_runs, (void *)(uintptr_t)row, "sha256/%s: is what runs", row);
        suite_add(&suite, test_blocks, (void *)(uintptr_t)row, "sha256/%s: blocks", row);
        suite_add(&suite, test_finish, (void *)(uintptr_t)row, "sha256/%s: finish", row);
        suite_add(&suite, test_counts, (void *)(uintptr_t)row, "sha256/%s: counts of bits", row);
    }
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++)
        typed_template_add(&suite, &typed[i]);
    return suite_run(&suite, "sha2") != 0;
}
