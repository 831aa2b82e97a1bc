/* test_chain_verify.c: celer_chain_verify on chains in memory, good, wrong, cancelled, and on a broken machine: the linker
   puts what is below in the place of celer_chain_step_many. */
#include "support.h"
#include <stdbool.h>

enum { MOST = 300 };

void __real_celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count);
void __wrap_celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count);

static bool broken; /* from the fourth chain on */

void __wrap_celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count)
{
    __real_celer_chain_step_many(hash, n, count);
    for (size_t i = 3; broken && i < count; i++)
        hash[i][31]++; /* in another call it would be flipped back */
}

static struct chain {
    struct celer_chain_segment segments[MOST];
    uint64_t refused;        /* get cancels here, */
    bool once;               /* and not if asked again */
    uint64_t done, patience; /* steps; done cancels when there are more */
    size_t calls, most_calls;
} chain;

static int get(void *arg, uint64_t i, struct celer_chain_segment *segment)
{
    struct chain *const c = arg;
    assert_true(i < MOST);
    *segment = c->segments[i];
    const bool refuse = i == c->refused;
    if (refuse && c->once)
        c->refused = UINT64_MAX;
    return refuse;
}

static int done(void *arg, uint64_t steps)
{
    struct chain *const c = arg;
    c->done += steps;
    c->calls++;
    return c->done > c->patience || c->calls > c->most_calls;
}

static const struct celer_chain_source source = {&chain, get, done}, quiet = {&chain, get, NULL};

/* `count` segments of up to `longest` steps, mixed in between so that starts are not ends; all of them true. */
static uint64_t make(struct rng *rng, size_t count, uint64_t longest)
{
    uint64_t sum = 0;
    uint8_t value[32];
    chain = (struct chain){.refused = UINT64_MAX, .patience = UINT64_MAX, .most_calls = SIZE_MAX};
    rng_fill(rng, value, 32);
    for (size_t i = 0; i < count; i++) {
        struct celer_chain_segment *const s = &chain.segments[i];
        memcpy(s->start, value, 32);
        s->steps = rng_below(rng, (size_t)longest + 1);
        sum += s->steps;
        for (uint64_t step = 0; step < s->steps; step++)
            celer_sha256(value, value, 32);
        memcpy(s->end, value, 32);
        if (rng_below(rng, 4) == 0)
            celer_chain_mix(value, value);
    }
    return sum;
}

static void expect(const struct celer_chain_source *from, uint64_t first, uint64_t end,
                   enum celer_chain_verdict verdict, uint64_t bad)
{
    uint64_t got = 12345;
    const enum celer_chain_verdict is = celer_chain_verify(from, first, end, &got);
    check(is == verdict && got == bad, "segments %llu:%llu: verdict %d at %llu, expected %d at %llu",
          (unsigned long long)first, (unsigned long long)end, is, (unsigned long long)got, verdict,
          (unsigned long long)bad);
}

/* Every number of segments up to two full sets of lanes and one, and what does not fit into one batch. */
static void test_counts(void **state)
{
    (void)state;
    struct rng rng = {1};
    for (size_t count = 0; count <= MOST; count += count < 34 ? 1 : count == 34 ? 93 : count < 130 ? 1 : 85) {
        const uint64_t sum = make(&rng, count, 40);
        expect(&source, 0, count, CELER_CHAIN_VALID, count);
        check(chain.done == sum, "%zu segments: %llu steps were done, not %llu", count,
              (unsigned long long)chain.done, (unsigned long long)sum);
        expect(&quiet, 0, count, CELER_CHAIN_VALID, count);
        for (size_t i = 0; i < 3 && count > 0; i++) { /* first, middle, last */
            const size_t wrong = i * (count - 1) / 2;
            chain.segments[wrong].end[rng_below(&rng, 32)] ^= (uint8_t)(1 << rng_below(&rng, 8));
            expect(&quiet, 0, count, CELER_CHAIN_INVALID, wrong);
            expect(&quiet, 0, wrong, CELER_CHAIN_VALID, wrong);
            expect(&quiet, wrong, count, CELER_CHAIN_INVALID, wrong);
            expect(&quiet, wrong + 1, count, CELER_CHAIN_VALID, count);
            make(&rng, count, 40);
        }
    }
}

/* Wrong: a start, an end or a number of steps that is taken on trust. */
static void test_all_parts_matter(void **state)
{
    (void)state;
    struct rng rng = {2};
    for (size_t i = 0; i < 20; i++) {
        make(&rng, 20, 10);
        chain.segments[i].start[rng_below(&rng, 32)] ^= 0x10;
        expect(&source, 0, 20, CELER_CHAIN_INVALID, i);
        make(&rng, 20, 10);
        chain.segments[i].steps++;
        expect(&source, 0, 20, CELER_CHAIN_INVALID, i);
    }
}

/* Of several the lowest, whatever lies in one batch or in another. */
static void test_lowest(void **state)
{
    (void)state;
    struct rng rng = {3};
    for (size_t round = 0; round < 60; round++) {
        make(&rng, MOST, 3);
        uint64_t lowest = MOST;
        for (size_t i = 0; i < 4; i++) {
            const size_t wrong = rng_below(&rng, MOST);
            chain.segments[wrong].end[i] ^= 0x80;
            lowest = wrong < lowest ? wrong : lowest;
        }
        expect(&source, 0, MOST, CELER_CHAIN_INVALID, lowest);
        const uint64_t first = rng_below(&rng, MOST), end = first + rng_below(&rng, MOST - (size_t)first + 1);
        lowest = first;
        uint8_t hash[32];
        for (; lowest < end; lowest++) {
            const struct celer_chain_segment *const s = &chain.segments[lowest];
            memcpy(hash, s->start, 32);
            celer_sha256_chain(hash, s->steps);
            if (memcmp(hash, s->end, 32) != 0)
                break;
        }
        expect(&source, first, end, lowest < end ? CELER_CHAIN_INVALID : CELER_CHAIN_VALID, lowest);
    }
}

/* What is known to be bad before the source gives up is still said. */
static void test_cancelled(void **state)
{
    (void)state;
    struct rng rng = {4};
    for (uint64_t refused = 0; refused < MOST; refused += 37) {
        make(&rng, MOST, 5);
        chain.refused = refused;
        expect(&source, 0, MOST, CELER_CHAIN_CANCELLED, MOST);
        chain.once = true;
        expect(&source, 0, MOST, CELER_CHAIN_CANCELLED, MOST);
        chain.once = false;
        chain.refused = refused;
        expect(&source, 0, refused, CELER_CHAIN_VALID, refused);
        if (refused > 0) {
            chain.segments[refused - 1].end[0] ^= 1;
            expect(&source, 0, MOST, CELER_CHAIN_INVALID, refused - 1);
        }
    }
    const uint64_t sum = make(&rng, 20, 100);
    chain.patience = sum - 1;
    expect(&source, 0, 20, CELER_CHAIN_CANCELLED, 20);
}

/* Wrong: one long segment that nobody can stop, or that comes out otherwise in pieces. */
static void test_long_segment(void **state)
{
    (void)state;
    struct rng rng = {5};
    make(&rng, 3, 0);
    for (size_t i = 0; i < 3; i++) {
        chain.segments[i].steps = 150000 + 70000 * i;
        celer_sha256_chain(chain.segments[i].end, chain.segments[i].steps);
    }
    expect(&source, 0, 3, CELER_CHAIN_VALID, 3);
    assert_true(chain.done == 3 * 150000 + 3 * 70000);
    assert_true(chain.calls > 3);
    chain.done = 0;
    chain.patience = 100000;
    expect(&source, 0, 3, CELER_CHAIN_CANCELLED, 3);
    assert_true(chain.done < 3 * 150000);
}

/* Wrong: a good proof called bad by a machine that cannot compute. A bad one is bad on any machine. */
static void test_broken_backend(void **state)
{
    (void)state;
    struct rng rng = {6};
    make(&rng, 40, 20);
    broken = true;
    expect(&source, 0, 40, CELER_CHAIN_BROKEN, 3);
    expect(&source, 10, 13, CELER_CHAIN_VALID, 13);
    expect(&source, 10, 14, CELER_CHAIN_BROKEN, 13);
    chain.segments[3].steps++;
    expect(&source, 0, 40, CELER_CHAIN_INVALID, 3);
    chain.segments[1].steps++;
    expect(&source, 0, 40, CELER_CHAIN_INVALID, 1);
    const uint64_t others = make(&rng, 40, 20) - chain.segments[3].steps;
    chain.segments[3].steps = 200000;
    memcpy(chain.segments[3].end, chain.segments[3].start, 32);
    celer_sha256_chain(chain.segments[3].end, 200000);
    expect(&source, 0, 40, CELER_CHAIN_BROKEN, 3);
    check(chain.done == others + 2 * 200000, "%llu steps were done", (unsigned long long)chain.done);
    chain.most_calls = chain.calls - 1; /* the doubt can be stopped, too */
    chain.calls = 0;
    expect(&source, 0, 40, CELER_CHAIN_CANCELLED, 40);
}

static int mend(void **state)
{
    (void)state;
    broken = false;
    celer_cpu_mask(CELER_CPU_AUTO);
    return 0;
}

/* The same on portable code. */
static void test_scalar(void **state)
{
    celer_cpu_mask(0);
    test_counts(state);
    test_lowest(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_all_parts_matter),
        cmocka_unit_test(test_lowest),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_long_segment),
        cmocka_unit_test_teardown(test_broken_backend, mend),
        cmocka_unit_test_teardown(test_scalar, mend),
    };
    return cmocka_run_group_tests_name("chain/verify", tests, NULL, NULL);
}
