/* test_chain_kernels.c: hash chains on every row of the kernel, and the functions that spread them over rows. Compared
   with celer_sha256, called again and again on the portable row. */
#include "support.h"
#include "upper_halves.h"
#include <jansson.h>
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha256_chain.h"

enum { MOST_WAYS = SHA256_CHAIN_MAX_WAYS, MOST_CHAINS = 40, LONGEST = 70 };

static const struct celer_kernel *const kernel = &celer_sha256_chain_kernel_;

/* n steps of `count` chains, one after the other. */
static void reference(uint8_t (*hash)[32], const uint64_t *n, size_t count)
{
    const uint32_t former = celer_cpu_mask(0);
    for (size_t i = 0; i < count; i++)
        for (uint64_t left = n[i]; left > 0; left--)
            celer_sha256(hash[i], hash[i], 32);
    celer_cpu_mask(former);
}

static void reference_even(uint8_t (*hash)[32], uint64_t n, size_t count)
{
    uint64_t all[MOST_CHAINS];
    for (size_t i = 0; i < count; i++)
        all[i] = n;
    reference(hash, all, count);
}

static uint32_t word_of(const uint8_t hash[32], size_t i)
{
    return (uint32_t)hash[4 * i] << 24 | (uint32_t)hash[4 * i + 1] << 16 | (uint32_t)hash[4 * i + 2] << 8 |
           hash[4 * i + 3];
}

static void skip_unless_usable(const struct celer_backend *row)
{
    if ((row->needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)
        skip();
}

/* Runs k on chains of random hashes, at words of any alignment between unreadable pages, and compares. */
static void check_row(const struct sha256_chain_backend *k, uint64_t n, struct rng *rng, struct guarded room)
{
    const size_t ways = k->row.ways, size = 32 * ways;
    uint8_t hash[MOST_WAYS][32];
    uint8_t *const begin = rng_below(rng, 2) == 0 ? room.end - size : room.begin + 4 * rng_below(rng, 16);
    uint32_t *const h = (uint32_t *)(void *)begin;
    rng_fill(rng, hash, size);
    for (size_t w = 0; w < ways; w++)
        for (size_t i = 0; i < 8; i++)
            h[i * ways + w] = word_of(hash[w], i);
    k->chain(h, n);
    reference_even(hash, n, ways);
    for (size_t w = 0; w < ways; w++)
        for (size_t i = 0; i < 8; i++)
            check(h[i * ways + w] == word_of(hash[w], i), "x%zu/%s: %llu steps: word %zu of chain %zu", ways,
                  k->row.name, (unsigned long long)n, i, w);
}

/* Wrong: a constant of the padding, which only some hashes show; n = 0; a state that the next step takes for something
   else; words written beside. */
static void test_row(void **state)
{
    const struct sha256_chain_backend *k = *state;
    skip_unless_usable(&k->row);
    struct rng rng = {21};
    struct guarded room = guarded_new(64 + 32 * MOST_WAYS);
    for (uint64_t n = 0; n <= LONGEST; n++)
        check_row(k, n, &rng, room);
    for (size_t i = 0; i < 200; i++)
        check_row(k, 1, &rng, room);
    check_row(k, 10000, &rng, room);
    check_row(k, 10001 + rng_below(&rng, 1000), &rng, room);
    guarded_free(room);
}

/* A part of a chain on one row, the next on another. */
static void test_rows_continue(void **state)
{
    (void)state;
    struct rng rng = {22};
    for (size_t round = 0; round < 200; round++) {
        uint8_t hash[32], want[32];
        uint64_t total = 0;
        rng_fill(&rng, hash, sizeof hash);
        memcpy(want, hash, sizeof want);
        for (size_t part = 0; part < 5; part++) {
            const uint64_t n = rng_below(&rng, 20);
            const struct celer_backend *const row = celer_kernel_row(kernel, rng_below(&rng, kernel->count));
            celer_cpu_mask(row->needs);
            celer_sha256_chain(hash, n);
            total += n;
        }
        celer_cpu_mask(CELER_CPU_AUTO);
        reference(&want, &total, 1);
        check_bytes(hash, want, sizeof want, "round %zu: %llu steps", round, (unsigned long long)total);
    }
}

#if CELER_X86
/* Wrong: code in the legacy encoding that runs with upper halves in use, which costs hundreds of cycles at each change
   of encoding; or vector code that leaves them so. No result shows it. */
static void test_upper_halves(void **state)
{
    const struct sha256_chain_backend *k = *state;
    uint8_t hash[MOST_WAYS][32] = {{0}};
    uint32_t h[8 * MOST_WAYS] = {0};
    upper_halves_enter();
    skip_unless_usable(&k->row);
    assert_true(upper_halves_cleared((void (*)(void))k->chain, (uintptr_t)h, 0, 0, 0));
    assert_true(upper_halves_cleared((void (*)(void))k->chain, (uintptr_t)h, 3, 0, 0));
    reference_even(hash, 3, k->row.ways);
    for (size_t i = 0; i < 8 * (size_t)k->row.ways; i++)
        assert_int_equal(h[i], word_of(hash[0], i / k->row.ways));
}
#endif

/* Wrong: the row that celer_kernel_choice names is not the one that runs. */
static void test_row_runs(void **state)
{
    const char *const name = *state;
    row_enter(kernel, name);
    for (unsigned ways = 1; ways <= MOST_WAYS; ways++) {
        const struct sha256_chain_backend *const k = celer_sha256_chain_(ways);
        assert_ptr_equal(k == NULL ? NULL : &k->row, celer_kernel_choice(kernel, ways));
    }
}

/* What each name of a row needs, and each two of them. */
static size_t masks(uint32_t list[64])
{
    const char *a, *b;
    size_t n = 0;
    list[n++] = CELER_CPU_AUTO;
    for (size_t i = 0; (a = row_name(kernel, i)) != NULL; i++)
        for (size_t j = 0; j <= i && (b = row_name(kernel, j)) != NULL; j++)
            if (row_usable(kernel, a) && row_usable(kernel, b))
                list[n++] = row_needs(kernel, a) | row_needs(kernel, b);
    return n;
}

static void chain_x1(uint8_t (*hash)[32], uint64_t n)
{
    celer_sha256_chain(*hash, n);
}

/* The public functions of fixed widths: at any address, with nothing written beside. */
static void test_widths(void **state)
{
    (void)state;
    static const struct {
        size_t ways;
        void (*chain)(uint8_t (*hash)[32], uint64_t n);
    } widths[] = {{1, chain_x1},
                  {2, celer_sha256_chain_x2},
                  {3, celer_sha256_chain_x3},
                  {4, celer_sha256_chain_x4},
                  {8, celer_sha256_chain_x8},
                  {16, celer_sha256_chain_x16}};
    static const uint64_t steps[] = {0, 1, 2, 3, 17, 100};
    struct guarded room = guarded_new(64 + sizeof(uint8_t[MOST_WAYS][32]));
    uint8_t want[MOST_WAYS][32];
    struct rng rng = {23};
    uint32_t mask[64];
    const size_t count = masks(mask);
    for (size_t m = 0; m < count; m++)
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
            for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
                const size_t ways = widths[i].ways, size = 32 * ways;
                uint8_t *const at = s % 2 == 0 ? room.end - size : room.begin + rng_below(&rng, 64);
                celer_cpu_mask(mask[m]);
                rng_fill(&rng, want, size);
                memcpy(at, want, size);
                widths[i].chain((uint8_t(*)[32])(void *)at, steps[s]);
                reference_even(want, steps[s], ways);
                check_bytes(at, want, size, "mask %08x, x%zu, %llu steps", (unsigned)mask[m], ways,
                            (unsigned long long)steps[s]);
            }
    guarded_free(room);
}

/* Chains of equal lengths, of random ones, of none, and one long among short ones. */
static uint64_t random_length(struct rng *rng, size_t kind, size_t i)
{
    switch (kind) {
    case 0:
        return 13;
    case 1:
        return rng_below(rng, LONGEST + 1);
    case 2:
        return rng_below(rng, 3);
    default:
        return i == 5 ? 300 : rng_below(rng, 10);
    }
}

/* Wrong: a lane that goes on after its last step, or is refilled with a chain that another one has; a chain that waits
   for a lane and is forgotten; odd numbers of chains. */
static void test_step_many(void **state)
{
    (void)state;
    struct guarded room = guarded_new(sizeof(uint8_t[MOST_CHAINS][32]));
    uint8_t want[MOST_CHAINS][32];
    uint64_t n[MOST_CHAINS];
    struct rng rng = {24};
    uint32_t mask[64];
    const size_t mask_count = masks(mask);
    for (size_t m = 0; m < mask_count; m++)
        for (size_t kind = 0; kind < 4; kind++)
            for (size_t count = 0; count <= MOST_CHAINS; count++) {
                uint8_t *const at = room.end - 32 * count;
                for (size_t i = 0; i < count; i++)
                    n[i] = random_length(&rng, kind, i);
                rng_fill(&rng, want, 32 * count);
                memcpy(at, want, 32 * count);
                celer_cpu_mask(mask[m]);
                celer_chain_step_many((uint8_t(*)[32])(void *)at, n, count);
                reference(want, n, count);
                for (size_t i = 0; i < count; i++)
                    check_bytes(at + 32 * i, want[i], 32, "mask %08x, chain %zu of %zu: %llu steps",
                                (unsigned)mask[m], i, count, (unsigned long long)n[i]);
            }
    guarded_free(room);
}

/* What is planned for a number of chains costs no more than any one row in as many turns as it needs, and runs here. */
static void test_plan(void **state)
{
    (void)state;
    uint32_t mask[64];
    const size_t count = masks(mask);
    for (size_t m = 0; m < count; m++) {
        const struct sha256_chain_backend *best[MOST_WAYS + 1], *k;
        uint32_t cost[MOST_WAYS + 1] = {0};
        celer_cpu_mask(mask[m]);
        celer_sha256_chain_plan_(best, MOST_WAYS + 1);
        assert_null(best[0]);
        for (size_t live = 1; live <= MOST_WAYS; live++) {
            const size_t ways = best[live]->row.ways;
            assert_ptr_equal(celer_kernel_choice(kernel, (uint32_t)ways), &best[live]->row);
            cost[live] = best[live]->cost + cost[live > ways ? live - ways : 0];
            for (unsigned other = 1; other <= MOST_WAYS; other++)
                if ((k = celer_sha256_chain_(other)) != NULL)
                    check(cost[live] <= k->cost * ((live + other - 1) / other),
                          "mask %08x: %zu chains begin with x%zu, x%u would do", (unsigned)mask[m], live,
                          ways, other);
        }
    }
}

enum { VECTOR_CHAINS = 2 };

/* The two chains of the file take turns in the lanes of a row. */
static void test_vectors(void **state)
{
    static const uint64_t points[] = {1, 2, 3, 1000, 65536, 1000000};
    const struct sha256_chain_backend *k = *state;
    const size_t ways = k->row.ways;
    uint32_t h[8 * MOST_WAYS];
    json_error_t error;
    skip_unless_usable(&k->row);
    json_t *const chains = json_load_file(CELER_VECTORS_DIR "/sha2/sha256-chains.json", 0, &error);
    check(chains != NULL, "%s", error.text);
    assert_int_equal(json_array_size(chains), VECTOR_CHAINS);
    for (size_t w = 0; w < ways; w++) {
        const char *const seed =
            json_string_value(json_object_get(json_array_get(chains, w % VECTOR_CHAINS), "seed"));
        uint8_t hash[32];
        assert_string_equal(seed, w % VECTOR_CHAINS == 0 ? "" : "616263");
        celer_sha256(hash, "abc", strlen(seed) / 2);
        for (size_t i = 0; i < 8; i++)
            h[i * ways + w] = word_of(hash, i);
    }
    for (size_t p = 0; p < sizeof points / sizeof points[0]; p++) {
        char key[24], text[65];
        snprintf(key, sizeof key, "%llu", (unsigned long long)points[p]);
        k->chain(h, points[p] - (p > 0 ? points[p - 1] : 1));
        for (size_t w = 0; w < ways; w++) {
            const json_t *const chain = json_array_get(chains, w % VECTOR_CHAINS);
            const json_t *const want = json_object_get(json_object_get(chain, "checkpoints"), key);
            for (size_t i = 0; i < 8; i++)
                snprintf(text + 8 * i, 9, "%08x", (unsigned)h[i * ways + w]);
            assert_string_equal(text, json_string_value(want));
        }
    }
    json_decref(chains);
}

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* The constants of the kernel, from those of SHA-256. */
static void test_constants(void **state)
{
    (void)state;
    const uint32_t *const iv = celer_sha256_iv_, *const k = celer_sha256_k_;
    const uint32_t a = iv[0], e = iv[4];
    const uint32_t t1 =
        iv[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & iv[5]) ^ (~e & iv[6])) + k[0];
    const uint32_t t2 =
        (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & iv[1]) ^ (a & iv[2]) ^ (iv[1] & iv[2]));
    uint32_t block[16] = {[8] = 0x80000000, [15] = 256};
    assert_int_equal(celer_sha256_chain_first_[0], t1 + t2);
    assert_int_equal(celer_sha256_chain_first_[1], iv[3] + t1);
    for (unsigned t = 0; t < 16; t++)
        assert_int_equal(celer_sha256_chain_k_[t], k[t] + block[t] + (t < 4 ? iv[3 - t] + iv[7 - t] : 0));
    for (unsigned t = 16; t < 80; t++) {
        uint32_t sum = 0;
        for (unsigned back = 0; back < 4; back++) {
            static const unsigned distance[] = {2, 7, 15, 16};
            const unsigned from = t - distance[back];
            assert_int_equal(sha256_chain_is_padding(from), from >= 8 && from < 16);
            if (from >= 16)
                continue;
            const uint32_t x = block[from];
            sum += back == 0   ? rotr(x, 17) ^ rotr(x, 19) ^ x >> 10
                   : back == 2 ? rotr(x, 7) ^ rotr(x, 18) ^ x >> 3
                               : x;
        }
        assert_int_equal(sha256_chain_padding(t), sum);
    }
}

int main(void)
{
    struct suite suite = {NULL, 0};
    const struct celer_backend *row;
    const char *name;
    assert_ptr_equal(celer_sha256_chain_kernel(), kernel);
    suite_add(&suite, test_constants, NULL, "chain: constants");
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++)
        suite_add(&suite, test_row, (void *)(uintptr_t)row, "chain x%u/%s: steps", (unsigned)row->ways,
                  row->name);
#if CELER_X86
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++)
        if (row->needs != 0)
            suite_add(&suite, test_upper_halves, (void *)(uintptr_t)row, "chain x%u/%s: upper halves",
                      (unsigned)row->ways, row->name);
#endif
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++)
        suite_add(&suite, test_vectors, (void *)(uintptr_t)row, "chain x%u/%s: vectors", (unsigned)row->ways,
                  row->name);
    for (size_t i = 0; (name = row_name(kernel, i)) != NULL; i++)
        suite_add(&suite, test_row_runs, (void *)(uintptr_t)name, "chain/%s: it is what runs", name);
    suite_add(&suite, test_rows_continue, NULL, "chain: rows take over from rows");
    suite_add(&suite, test_widths, NULL, "chain: widths");
    suite_add(&suite, test_step_many, NULL, "chain: many of different lengths");
    suite_add(&suite, test_plan, NULL, "chain: plan");
    return suite_run(&suite, "chain") != 0;
}
