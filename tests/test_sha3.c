/* test_sha3.c: Keccak-p[1600] and its absorb function on every row and width, the sponge, and the typed
   functions of celer/sha3.h. */
#include "support.h"
#include "typed_template.h"
#include "vectors.h"
#include "sha3/keccak.h"
#include "sha3/sponge.h"

TYPED_FIXED(sha3_224, 28)
TYPED_FIXED(sha3_256, 32)
TYPED_FIXED(sha3_384, 48)
TYPED_FIXED(sha3_512, 64)
TYPED_XOF(shake128)
TYPED_XOF(shake256)

static const struct typed typed[] = {
    TYPED_ROW(sha3_224, "sha3-224", CELER_SHA3_224_LEN),
    TYPED_ROW(sha3_256, "sha3-256", CELER_SHA3_256_LEN),
    TYPED_ROW(sha3_384, "sha3-384", CELER_SHA3_384_LEN),
    TYPED_ROW(sha3_512, "sha3-512", CELER_SHA3_512_LEN),
    TYPED_ROW(shake128, "shake128", CELER_SHAKE128_RATE),
    TYPED_ROW(shake256, "shake256", CELER_SHAKE256_RATE),
};

/* The row under test, entered. */
static const struct keccak_backend *enter(void **state)
{
    const struct keccak_backend *k = *state;
    if ((k->row.needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)
        skip();
    celer_cpu_mask(k->row.needs);
    return k;
}

/* Wrong: the row that celer_kernel_choice names is not the one that runs, so that the tests of all rows test
   one. */
static void test_row_runs(void **state)
{
    const struct keccak_backend *k = enter(state);
    assert_ptr_equal(celer_kernel_choice(&celer_keccak_kernel_, k->row.ways), &k->row);
    assert_ptr_equal(celer_keccak_(k->row.ways), k);
}

/* Wrong: a row that has another row's function behind its name; every result is right then. */
static void test_functions(void **state)
{
    (void)state;
    const struct keccak_backend *rows = celer_keccak_kernel_.rows;
    for (size_t i = 0; i < celer_keccak_kernel_.count; i++)
        for (size_t j = 0; j < i; j++)
            check(rows[i].permute != rows[j].permute && rows[i].absorb != rows[j].absorb,
                  "x%u/%s and x%u/%s share a function", (unsigned)rows[i].row.ways, rows[i].row.name,
                  (unsigned)rows[j].row.ways, rows[j].row.name);
}

/* ---- the permutation ---- */

enum { LANES = 25, ROUNDS = 24, EXAMPLES = 2 };

/* The states that the Keccak team's file gives: states[e][r] enters round r of example e; the last is the
   result. */
static void read_states(uint64_t states[EXAMPLES][ROUNDS + 1][LANES])
{
    char *text = vector_text("keccak/KeccakF-1600-IntermediateValues.txt");
    const char *p = text;
    for (size_t e = 0; e < EXAMPLES; e++)
        for (size_t r = 0; r <= ROUNDS; r++) {
            const char *const title = r == 0 ? "Same, with lanes as 64-bit words:" : "After iota:";
            p = strstr(p, title);
            check(p != NULL, "example %zu has no state %zu", e, r);
            p += strlen(title);
            for (size_t i = 0; i < LANES; i++) {
                char *end;
                states[e][r][i] = strtoull(p, &end, 16);
                check(end != p, "example %zu, state %zu has no lane %zu", e, r, i);
                p = end;
            }
        }
    assert_null(strstr(p, "After iota:"));
    free(text);
}

/* Every width with both examples side by side, all (even) numbers of rounds, which are the last ones. */
static void test_permutation(void **state)
{
    static uint64_t states[EXAMPLES][ROUNDS + 1][LANES];
    const struct keccak_backend *k = enter(state);
    const size_t ways = k->row.ways;
    uint64_t s[LANES * KECCAK_MAX_WAYS];
    read_states(states);
    for (unsigned rounds = 2; rounds <= ROUNDS; rounds += 2)
        for (size_t pattern = 0; pattern < (size_t)1 << ways;
             pattern++) { /* which lane holds which example */
            for (size_t w = 0; w < ways; w++)
                for (size_t i = 0; i < LANES; i++)
                    s[i * ways + w] = states[pattern >> w & 1][ROUNDS - rounds][i];
            k->permute(s, rounds);
            for (size_t w = 0; w < ways; w++)
                for (size_t i = 0; i < LANES; i++)
                    check(s[i * ways + w] == states[pattern >> w & 1][ROUNDS][i],
                          "%u rounds, pattern %zx: lane %zu of state %zu", rounds, pattern, i, w);
        }
}

/* Random states against the scalar row, which the two examples leave half tested: most of their bits are
   alike. */
static void test_permutation_random(void **state)
{
    const struct keccak_backend *k = enter(state);
    const size_t ways = k->row.ways;
    struct rng rng = {5};
    for (size_t round = 0; round < 1000; round++) {
        uint64_t s[LANES * KECCAK_MAX_WAYS], one[KECCAK_MAX_WAYS][LANES];
        const unsigned rounds = round % 2 == 0 ? 24 : 12;
        for (size_t w = 0; w < ways; w++)
            for (size_t i = 0; i < LANES; i++)
                s[i * ways + w] = one[w][i] = rng_next(&rng);
        k->permute(s, rounds);
        for (size_t w = 0; w < ways; w++) {
            celer_keccak_permute_x1_scalar_(one[w], rounds);
            for (size_t i = 0; i < LANES; i++)
                check(s[i * ways + w] == one[w][i], "%u rounds: lane %zu of state %zu", rounds, i, w);
        }
    }
}

/* FIPS 202 section 3.2.5, by the shift register of algorithm 5. */
static void test_round_constants(void **state)
{
    (void)state;
    unsigned reg = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t rc = 0;
        for (unsigned j = 0; j <= 6; j++) {
            if (reg & 1)
                rc |= UINT64_C(1) << ((1u << j) - 1);
            reg = reg << 1 ^ (reg & 0x80 ? 0x171 : 0);
        }
        check(celer_keccak_rc_[round] == rc, "round %u", round);
    }
}

/* ---- the absorb function ---- */

/* state ^= block byte by byte, then the scalar permutation: knows nothing of lanes or byte order in memory.
   */
static void plain_absorb(uint64_t s[LANES], unsigned rounds, size_t rate, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += rate) {
        for (size_t i = 0; i < rate; i++)
            s[i / 8] ^= (uint64_t)in[i] << i % 8 * 8;
        celer_keccak_permute_x1_scalar_(s, rounds);
    }
}

/* Wrong: a loop unrolled for one rate and used for another; lanes mixed up; whole vectors loaded at the end
   of the input; pointers to bytes taken for pointers to words. */
static void test_absorb(void **state)
{
    const struct keccak_backend *k = enter(state);
    const size_t ways = k->row.ways, most = 4 * KECCAK_MAX_RATE;
    struct guarded in[KECCAK_MAX_WAYS];
    struct rng rng = {6};
    for (size_t w = 0; w < ways; w++)
        in[w] = guarded_new(most + 64);
    for (size_t rate = 8; rate <= KECCAK_MAX_RATE; rate += 8)
        for (size_t nblocks = 0; nblocks <= 4; nblocks++)
            for (size_t place = 0; place < 67;
                 place++) { /* the end, the start, offsets 1.., all in one place */
                uint64_t s[LANES * KECCAK_MAX_WAYS], one[KECCAK_MAX_WAYS][LANES];
                const uint8_t *at[KECCAK_MAX_WAYS];
                const unsigned rounds = place % 2 == 0 ? 24 : 12;
                for (size_t w = 0; w < ways; w++) {
                    uint8_t *p = place == 0 ? in[w].end - nblocks * rate : in[w].begin + (place - 1 + w) % 64;
                    if (place == 66)
                        p = in[0].begin + 3;
                    rng_fill(&rng, p, nblocks * rate);
                    at[w] = p;
                    for (size_t i = 0; i < LANES; i++)
                        s[i * ways + w] = one[w][i] = rng_next(&rng);
                }
                k->absorb(s, rounds, rate, at, nblocks);
                for (size_t w = 0; w < ways; w++) {
                    plain_absorb(one[w], rounds, rate, at[w], nblocks);
                    for (size_t i = 0; i < LANES; i++)
                        check(s[i * ways + w] == one[w][i],
                              "rate %zu, %zu blocks, place %zu: lane %zu of state %zu", rate, nblocks, place,
                              i, w);
                }
            }
    for (size_t w = 0; w < ways; w++)
        guarded_free(in[w]);
}

/* ---- the sponge ---- */

/* Wrong: the state is permuted as soon as a block has been given out, for nothing when no more is wanted. */
static void test_lazy_squeeze(void **state)
{
    (void)state;
    struct celer_shake128 exact, less;
    uint8_t out[CELER_SHAKE128_RATE];
    celer_shake128_init(&exact);
    celer_shake128_update(&exact, "abc", 3);
    less = exact;
    celer_shake128_squeeze(&exact, out, CELER_SHAKE128_RATE);
    celer_shake128_squeeze(&less, out, 1);
    check_bytes(exact.sponge.s, less.sponge.s, sizeof less.sponge.s,
                "the state after a block and after a byte");
    celer_shake128_squeeze(&exact, out, 0);
    check_bytes(exact.sponge.s, less.sponge.s, sizeof less.sponge.s, "the state after a block and 0 bytes");
    celer_shake128_squeeze(&exact, out, 1);
    assert_memory_not_equal(exact.sponge.s, less.sponge.s, sizeof less.sponge.s);
}

/* Bits at the very end of a block, where padding spills over; the official files have them for some rates
   only. The same message as a byte string, when the bits and the suffix fill whole bytes: SHAKE of m || 1111
   is SHA-3's padding rule without a suffix, so a sponge with suffix 01 over the longer message must agree. */
static void test_bits_at_block_ends(void **state)
{
    (void)state;
    enum { RATE = 136 };
    struct celer_sponge a, b;
    uint8_t in[2 * RATE], x[32], y[32];
    struct rng rng = {7};
    rng_fill(&rng, in, sizeof in);
    for (size_t n = RATE - 3; n <= RATE + 2; n++) {
        const uint8_t last = 0x05, joined = 0xf5; /* the bits 1010, then SHAKE's 1111 */
        celer_sponge_init_(&a, RATE, 0x1f, 24);
        celer_sponge_absorb_(&a, in, n);
        celer_sponge_finish_bits_(&a, last, 4);
        celer_sponge_squeeze_(&a, x, sizeof x);
        celer_sponge_init_(&b, RATE, 0x01, 24);
        celer_sponge_absorb_(&b, in, n);
        celer_sponge_absorb_(&b, &joined, 1);
        celer_sponge_squeeze_(&b, y, sizeof y);
        check_bytes(x, y, sizeof x, "%zu bytes and 4 bits", n);
    }
}

int main(void)
{
    struct suite suite = {NULL, 0};
    const struct celer_backend *row;
    suite_add(&suite, test_round_constants, NULL, "keccak: round constants");
    suite_add(&suite, test_functions, NULL, "keccak: each row has functions of its own");
    suite_add(&suite, test_lazy_squeeze, NULL, "sponge: squeezing permutes late");
    suite_add(&suite, test_bits_at_block_ends, NULL, "sponge: bits at block ends");
    for (size_t r = 0; (row = celer_kernel_row(&celer_keccak_kernel_, r)) != NULL; r++) {
        static const struct {
            const char *name;
            CMUnitTestFunction run;
        } items[] = {
            {"is what runs", test_row_runs},
            {"permutation", test_permutation},
            {"permutation of random states", test_permutation_random},
            {"absorb", test_absorb},
        };
        for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
            suite_add(&suite, items[i].run, (void *)(uintptr_t)row, "keccak x%u/%s: %s", (unsigned)row->ways,
                      row->name, items[i].name);
    }
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++)
        typed_template_add(&suite, &typed[i]);
    return suite_run(&suite, "sha3") != 0;
}
