/* test_sha2_entries.c: the functions of every row of SHA-256 that has vector code, called with the upper halves of the
   vector registers in use, as a caller may leave them. */
#include "upper_halves.h"
#include "sha2/sha256.h"

#if CELER_X86
enum { BLOCKS = 3, LENGTH = BLOCKS * SHA256_BLOCK };

static const struct celer_kernel *const kernel = &celer_sha256_kernel_;
static uint8_t message[LENGTH];

/* Fails unless function(a, b, c, d) leaves the halves clean. */
#  define check_cleared(function, a, b, c, d)                                                              \
    check(upper_halves_cleared((void (*)(void))(function), (uintptr_t)(a), (uintptr_t)(b), (uintptr_t)(c), \
                               (uintptr_t)(d)),                                                            \
          "%s with upper halves in use", #function)

static void enter(const struct celer_backend *row)
{
    struct rng rng = {31};
    upper_halves_enter();
    if ((row->needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)
        skip();
    rng_fill(&rng, message, LENGTH);
}

/* Wrong: code in the legacy encoding that runs with upper halves in use, which costs hundreds of cycles at each change
   of encoding; or vector code that leaves them so. */
static void test_one(void **state)
{
    const struct sha256_backend *const k = *state;
    uint32_t clean[8] = {1, 2, 3, 4, 5, 6, 7, 8}, used[8];
    enter(&k->row);
    for (size_t n = 0; n <= BLOCKS; n++) {
        memcpy(used, clean, sizeof used);
        k->blocks(clean, message, n);
        check_cleared(k->blocks, used, message, n, 0);
        check_bytes(used, clean, sizeof used, "%zu blocks", n);
    }
    for (size_t n = 0; k->finish != NULL && n <= LENGTH; n += 13) {
        memcpy(used, clean, sizeof used);
        k->finish(clean, message, n, n);
        check_cleared(k->finish, used, message, n, n);
        check_bytes(used, clean, sizeof used, "the end, %zu bytes", n);
    }
}

static void test_lanes(void **state)
{
    const struct sha256_backend *const k = *state;
    uint32_t clean[8 * SHA256_MAX_WAYS] = {1, 2, 3}, used[8 * SHA256_MAX_WAYS];
    _Alignas(64) uint8_t tail[2 * SHA256_BLOCK], used_tail[2 * SHA256_BLOCK];
    const uint8_t *in[SHA256_MAX_WAYS];
    enter(&k->row);
    for (size_t n = 1; n <= BLOCKS; n++) {
        for (size_t w = 0; w < k->row.ways; w++)
            in[w] = message + w % (LENGTH - n * SHA256_BLOCK + 1);
        memcpy(used, clean, sizeof used);
        k->lanes(clean, in, n);
        check_cleared(k->lanes, used, in, n, 0);
        check_bytes(used, clean, sizeof used, "%zu blocks in lanes", n);
    }
    for (size_t n = 0; k->tail != NULL && n < SHA256_BLOCK; n++) {
        const size_t blocks = k->tail(tail, message + SHA256_BLOCK - n, n, n);
        check_cleared(k->tail, used_tail, message + SHA256_BLOCK - n, n, n);
        check_bytes(used_tail, tail, SHA256_BLOCK * blocks, "the tail, %zu bytes", n);
    }
}

/* As users call it. With other rows, one message is the portable one's, which does not care. */
static void test_public(void **state)
{
    (void)state;
    uint8_t clean[4][CELER_SHA256_LEN], used[4][CELER_SHA256_LEN];
    upper_halves_enter();
    row_enter(kernel, "shani");
    for (size_t n = 0; n <= LENGTH; n += 29) {
        const struct celer_msg messages[] = {{message, n}, {message, n / 2}, {message, LENGTH}, {message, n}};
        celer_sha256(clean[0], message, n);
        check_cleared(celer_sha256, used[0], message, n, 0);
        check_bytes(used[0], clean[0], CELER_SHA256_LEN, "%zu bytes", n);
        celer_sha256_many(clean, messages, 4);
        check_cleared(celer_sha256_many, used, messages, 4, 0);
        check_bytes(used, clean, sizeof used, "%zu bytes, beside others", n);
    }
}

static void add(struct suite *suite, const struct sha256_backend *k)
{
    suite_add(suite, k->row.ways == 1 ? test_one : test_lanes, (void *)(uintptr_t)k,
              "sha256 x%u/%s: upper halves", (unsigned)k->row.ways, k->row.name);
}
#else
static void test_elsewhere(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    struct suite suite = {NULL, 0};
#if CELER_X86
    const struct celer_backend *row;
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++)
        if (row->needs != 0)
            add(&suite, (const struct sha256_backend *)(const void *)row);
    suite_add(&suite, test_public, NULL, "sha256/shani: upper halves from the public functions on");
#else
    suite_add(&suite, test_elsewhere, NULL, "sha256: upper halves");
#endif
    return suite_run(&suite, "sha256 entries") != 0;
}
