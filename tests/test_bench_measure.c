/* test_bench_measure.c: which samples count, and what becomes of subjects that cheat. Times of this machine
   decide nothing here: either the samples are made up, or their figures are not looked at. */
#include "support.h"
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/plan.h"
#include "bench/providers.h"
#include "bench/reference.h"

/* --- Judging, with made-up samples: a timer of 1 tick per ns, chains of 3000 cycles --- */

static const struct clock timer = {.hz = 1e9, .chain_cycles = 3000};

static struct sample sample_of(double span, float chain, float canary)
{
    return (struct sample){.span = span, .chain = {chain, chain}, .canary = {canary, canary}};
}

static void test_judge(void **state)
{
    (void)state;
    const double floor = 1500; /* cycles of a canary that is alone: 500 ticks at 3 cycles per tick */
    struct sample s = sample_of(1000, 1000, 500);
    assert_int_equal(sample_judge(&s, &timer, floor), SAMPLE_GOOD);
    s.chain[1] = 1009;
    assert_int_equal(sample_judge(&s, &timer, floor), SAMPLE_GOOD);
    s.chain[1] = 1011;
    assert_int_equal(sample_judge(&s, &timer, floor), SAMPLE_FREQUENCY);
    s.chain[1] = 989;
    assert_int_equal(sample_judge(&s, &timer, floor), SAMPLE_FREQUENCY);
    for (size_t i = 0; i < 2; i++) { /* before and after */
        s = sample_of(1000, 1000, 500);
        s.canary[i] = 512;
        assert_int_equal(sample_judge(&s, &timer, floor), SAMPLE_GOOD);
        s.canary[i] = 513;
        assert_int_equal(sample_judge(&s, &timer, floor), SAMPLE_CONTENDED);
    }
    /* A slow core makes everything longer, and is not contention. */
    s = sample_of(2000, 2000, 1000);
    assert_int_equal(sample_judge(&s, &timer, floor), SAMPLE_GOOD);
}

/* Wrong: a machine that is busy most of the time taken for a quiet one. */
static void test_canary_floor(void **state)
{
    (void)state;
    enum { N = 1000 };
    struct sample samples[N];
    const struct sample *const lists[] = {samples, samples + N / 2};
    const size_t counts[] = {N / 2, N / 2};
    bool quiet;
    for (size_t i = 0; i < N; i++)
        samples[i] = sample_of(1, 1000, i % 10 == 3 ? 500 : (float)(700 + i % 100));
    double floor = sample_canary_floor(&timer, lists, counts, 2, &quiet);
    check(fabs(floor - 1500) < 1, "floor %g with nine tenths contended", floor);
    assert_true(quiet);
    samples[7].canary[0] = 1; /* one freak */
    floor = sample_canary_floor(&timer, lists, counts, 2, &quiet);
    check(fabs(floor - 1500) < 1, "floor %g with a freak", floor);
    assert_true(quiet);
    /* Shared all the time: 500 when alone, but it never was. Wrong: the least contended moments taken for quiet ones. */
    for (size_t i = 0; i < N; i++) {
        const float t = (float)(i * 7919 % N) / N;
        samples[i] = sample_of(1, 1000, 520 + 200 * sqrtf(t));
    }
    sample_canary_floor(&timer, lists, counts, 2, &quiet);
    assert_false(quiet);
    for (size_t i = 0; i < N; i++)
        samples[i].chain[1] = 2000;
    check(sample_canary_floor(&timer, lists, counts, 2, &quiet) == 0,
          "a floor of samples that cannot be scaled");
    assert_true(quiet);
    assert_int_equal(cell_minimum(40000), 101);
    assert_int_equal(cell_minimum(60000), 501);
}

/* A cell of made-up samples: `good` of 10 ticks per call, `bad` of 99 beside a slow canary. */
static struct cell made_up_cell(size_t good, size_t bad)
{
    static const struct celer_subject subject = {.kind = CELER_KIND_HASH};
    struct cell cell = {.task = {.subject = &subject, .ways = 1, .dst_len = 32, .src_len = 60},
                        .repeats = 100};
    cell.count = good + bad;
    cell.samples = calloc(cell.count + 1, sizeof *cell.samples);
    assert_non_null(cell.samples);
    for (size_t i = 0; i < cell.count; i++) {
        cell.samples[i] = i < good ? sample_of(1000, 1000, 500) : sample_of(9900, 1000, 900);
        cell.samples[i].round = (uint32_t)i;
    }
    cell.accepted = good;
    cell.rejected_contended = bad;
    return cell;
}

static void check_near(double got, double want)
{
    check(fabs(got - want) < 1e-6, "got %.9g, want %.9g", got, want);
}

/* 100 calls of 60 bytes in 1000 ticks, each of 3 cycles and 1 ns. */
static void test_units(void **state)
{
    (void)state;
    const struct measure measure = {.clock = &timer, .canary_floor = 1500};
    struct cell cell = made_up_cell(5, 3);
    static const double want[UNIT_COUNT] = {[UNIT_CPB] = 0.5,
                                            [UNIT_CYCLES] = 30,
                                            [UNIT_NS] = 10,
                                            [UNIT_MB] = 6000,
                                            [UNIT_MIB] = 6000 * 1e6 / 1048576,
                                            [UNIT_MH] = 100};
    for (int unit = 0; unit < UNIT_COUNT; unit++) {
        struct stats s;
        assert_true(cell_stats(&cell, &measure, (enum unit)unit, &s));
        check_near(s.median, want[unit]);
        assert_int_equal(s.n, 5); /* wrong: rejected samples in the figures */
    }
    cell.fault = "its results are wrong";
    struct stats s;
    assert_false(cell_stats(&cell, &measure, UNIT_CPB, &s)); /* wrong: a figure of a wrong result */
    cell_free(&cell);
    cell = made_up_cell(0, 3); /* nothing accepted: the rest, and flagged elsewhere */
    assert_true(cell_stats(&cell, &measure, UNIT_CYCLES, &s));
    check_near(s.median, 297);
    cell_free(&cell);
    cell = made_up_cell(0, 0);
    assert_false(cell_stats(&cell, &measure, UNIT_CYCLES, &s));
    cell_free(&cell);
}

/* --- Subjects, honest and other --- */

static struct clock real_clock;

static size_t calls, open_subjects, entered;

static int count_open(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)why;
    open_subjects++;
    *state = &calls;
    return 0;
}

static void count_enter(const struct celer_subject *self, void *state)
{
    (void)self;
    assert_ptr_equal(state, &calls);
    entered++;
}

static void count_close(const struct celer_subject *self, void *state)
{
    (void)self;
    assert_ptr_equal(state, &calls);
    open_subjects--;
}

static int refuse_open(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)state;
    *why = "it needs a Babbage engine";
    return -1;
}

static void honest(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    (void)self, (void)state;
    calls++;
    celer_sha256(out, in, in_len);
}

static void idle(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    (void)self, (void)state, (void)out, (void)in, (void)in_len;
    calls++;
}

static void always_wrong(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                         size_t in_len)
{
    honest(self, state, out, in, in_len);
    out[31] ^= 1;
}

static void wrong_later(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                        size_t in_len)
{
    honest(self, state, out, in, in_len);
    if (entered > 10) /* after the check that comes before all samples */
        out[0] ^= 128;
}

/* Hashes once, and gives the same answer ever after. */
static void remembering(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                        size_t in_len)
{
    static uint8_t memory[32];
    (void)self, (void)state;
    if (calls++ == 0)
        celer_sha256(memory, in, in_len);
    memcpy(out, memory, 32);
}

static uint64_t texts_seen[4096];
static size_t text_count, last_offset, same_offset;

/* Counts the calls that begin where the one before began, modulo 64, and different inputs. One text alone has 64, one for
   each offset. */
static void observant(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                      size_t in_len)
{
    uint64_t text;
    memcpy(&text, in, 8);
    same_offset += ((uintptr_t)in & 63) == last_offset;
    last_offset = (uintptr_t)in & 63;
    size_t i = 0;
    while (i < text_count && texts_seen[i] != text)
        i++;
    if (i == text_count && i < 4096)
        texts_seen[text_count++] = text;
    honest(self, state, out, in, in_len);
}

static void idle_permutation(const struct celer_subject *self, void *state, uint64_t *states, size_t times)
{
    (void)self, (void)state, (void)states;
    calls += times;
}

static void once_only(const struct celer_subject *self, void *state, uint64_t *states, size_t times)
{
    (void)self, (void)state;
    calls += times;
    celer_keccak_f1600_x1(states);
}

struct suspect {
    const char *name;
    struct celer_subject subject;
    const char *fault; /* NULL: none */
};

#define HASH_SUBJECT(function_name, run_function)                                                           \
  {                                                                                                         \
    .kind = CELER_KIND_HASH, .ways = 1, .function = function_name, .backend = "", .notes = "",              \
    .out_len = 32, .open = count_open, .enter = count_enter, .close = count_close, .run.hash = run_function \
  }
#define PERMUTATION_SUBJECT(run_function)                                                              \
  {                                                                                                    \
    .kind = CELER_KIND_PERMUTATION, .ways = 1, .function = "keccak-f1600", .backend = "", .notes = "", \
    .out_len = 200, .open = count_open, .enter = count_enter, .close = count_close,                    \
    .run.permutation = run_function                                                                    \
  }

static const struct suspect suspects[] = {
    {"honest", HASH_SUBJECT("sha256", honest), NULL},
    {"does nothing", HASH_SUBJECT("sha256", idle), "it does nothing"},
    {"wrong", HASH_SUBJECT("sha256", always_wrong), "its results are wrong"},
    {"wrong after a while", HASH_SUBJECT("sha256", wrong_later), "its results are wrong"},
    {"remembers the first result", HASH_SUBJECT("sha256", remembering), "its results are wrong"},
    {"unknown to celer", HASH_SUBJECT("md5", honest), NULL},
    {"unknown to celer, and does nothing", HASH_SUBJECT("md5", idle), "it does nothing"},
    {"a permutation that does nothing", PERMUTATION_SUBJECT(idle_permutation), "it does nothing"},
    {"a permutation that does not repeat", PERMUTATION_SUBJECT(once_only), "its results are wrong"},
};

static void test_suspect(void **state)
{
    const struct suspect *suspect = *state;
    const bool permutation = suspect->subject.kind == CELER_KIND_PERMUTATION;
    struct cell cells[2] = {
        {.task = {.ways = 1, .dst_len = 32, .src_len = 64}}, /* without a subject */
        {.task = {.subject = &suspect->subject,
                  .ways = 1,
                  .dst_len = suspect->subject.out_len,
                  .src_len = permutation ? 200 : 100}},
    };
    struct measure measure = {.clock = &real_clock, .trials = 60, .seed = 1};
    calls = open_subjects = entered = 0;
    assert_true(measure_cells(&measure, cells, 2));
    assert_int_equal(open_subjects, 0);
    assert_true(entered > 0 && calls > 0);
    assert_null(cells[0].fault);
    assert_int_equal(cells[0].count, 0);
    if (suspect->fault == NULL) {
        assert_null(cells[1].fault);
        assert_true(cells[1].count >= 60);
        assert_true(cells[1].repeats > 1);
        assert_int_equal(cells[1].accepted + cells[1].rejected_frequency + cells[1].rejected_contended,
                         cells[1].count);
        /* Trials that were disturbed are repeated, so there may be more than 60. */
        assert_true(((cells[1].flags & FLAG_FEW) != 0) ==
                    (cells[1].accepted < (cells[1].cycles > 50000 ? 501 : 101)));
        assert_true(((cells[1].flags & FLAG_UNVERIFIED) != 0) ==
                    (strcmp(suspect->subject.function, "md5") == 0));
        assert_true(cells[1].cycles > 0 && cells[1].ghz > 0 && cells[1].canary_ratio > 0);
    } else {
        struct stats s;
        check(cells[1].fault != NULL, "%s is believed", suspect->name);
        assert_string_equal(cells[1].fault, suspect->fault);
        assert_false(cell_stats(&cells[1], &measure, UNIT_CPB, &s));
    }
    cell_free(&cells[1]);
}

/* --- Chains and KEMs: a toy of each, and the ways to get it wrong --- */

static void honest_chain(const struct celer_subject *self, void *state, uint8_t (*hash)[32],
                         uint64_t iterations)
{
    (void)state;
    for (uint32_t w = 0; w < self->ways; w++)
        for (uint64_t i = 0; i < iterations; i++)
            celer_sha256(hash[w], hash[w], 32);
}

static void short_chain(const struct celer_subject *self, void *state, uint8_t (*hash)[32],
                        uint64_t iterations)
{
    honest_chain(self, state, hash, iterations - 1);
}

static void idle_chain(const struct celer_subject *self, void *state, uint8_t (*hash)[32],
                       uint64_t iterations)
{
    (void)self, (void)state, (void)hash, (void)iterations;
}

/* ek = SHA-256(seed), ct = coins xor ek, ss = SHA-256(ek, coins). */
static int toy_keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                      const uint8_t *seed)
{
    (void)self, (void)state;
    memcpy(dk, seed, 64);
    celer_sha256(ek, seed, 64);
    return 0;
}

static void toy_secret(uint8_t *ss, const uint8_t *ek, const uint8_t *coins)
{
    uint8_t both[64];
    memcpy(both, ek, 32);
    memcpy(both + 32, coins, 32);
    celer_sha256(ss, both, 64);
}

static int toy_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                      const uint8_t *ek, const uint8_t *coins)
{
    (void)self, (void)state;
    toy_secret(ss, ek, coins);
    for (size_t i = 0; i < 32; i++)
        ct[i] = coins[i] ^ ek[i];
    return 0;
}

static int toy_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                      const uint8_t *dk)
{
    uint8_t ek[32], coins[32];
    (void)self, (void)state;
    celer_sha256(ek, dk, 64);
    for (size_t i = 0; i < 32; i++)
        coins[i] = ct[i] ^ ek[i];
    toy_secret(ss, ek, coins);
    return 0;
}

static int idle_keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                       const uint8_t *seed)
{
    (void)self, (void)state, (void)ek, (void)dk, (void)seed;
    return 0;
}

static int idle_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                       const uint8_t *dk)
{
    (void)self, (void)state, (void)ss, (void)ct, (void)dk;
    return 0;
}

static int failing_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                          const uint8_t *dk)
{
    toy_decaps(self, state, ss, ct, dk);
    return -1;
}

static int wrong_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                        const uint8_t *dk)
{
    toy_decaps(self, state, ss, ct, dk);
    ss[31] ^= 1;
    return 0;
}

/* The same secret for everybody: there and back it agrees. */
static int constant_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                           const uint8_t *ek, const uint8_t *coins)
{
    toy_encaps(self, state, ct, ss, ek, coins);
    memset(ss, 7, 32);
    return 0;
}

static int constant_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                           const uint8_t *dk)
{
    (void)self, (void)state, (void)ct, (void)dk;
    memset(ss, 7, 32);
    return 0;
}

/* Opened keys: the bytes are kept, and the call gets none. */
static uint8_t opened_dk[64], opened_ek[32];

static int open_toy(const struct celer_subject *self, void *state, const uint8_t *ek, const uint8_t *dk)
{
    (void)self, (void)state;
    memcpy(opened_ek, ek, 32);
    memcpy(opened_dk, dk, 64);
    return 0;
}

static int opened_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                         const uint8_t *ek, const uint8_t *coins)
{
    return ek != NULL ? -1 : toy_encaps(self, state, ct, ss, opened_ek, coins);
}

static int opened_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                         const uint8_t *dk)
{
    return dk != NULL ? -1 : toy_decaps(self, state, ss, ct, opened_dk);
}

#define CHAIN_SUBJECT(function_name, run_function)                                              \
  {                                                                                             \
    .kind = CELER_KIND_CHAIN, .ways = 2, .function = function_name, .backend = "", .notes = "", \
    .out_len = 32, .run.chain = run_function                                                    \
  }
#define KEM_SUBJECT(keygen_function, encaps_function, decaps_function, open_function)                \
  {                                                                                                  \
    .kind = CELER_KIND_KEM, .ways = 1, .function = "toy", .backend = "", .notes = "", .out_len = 32, \
    .run.kem = {                                                                                     \
        32,                                                                                          \
        64,                                                                                          \
        32,                                                                                          \
        keygen_function,                                                                             \
        encaps_function,                                                                             \
        decaps_function,                                                                             \
        open_function                                                                                \
    }                                                                                                \
  }

static const struct suspect chains[] = {
    {"a chain", CHAIN_SUBJECT("sha256-chain", honest_chain), NULL},
    {"a chain that is too short", CHAIN_SUBJECT("sha256-chain", short_chain), "its results are wrong"},
    {"a chain that does nothing", CHAIN_SUBJECT("sha256-chain", idle_chain), "it does nothing"},
    {"an unknown chain that does nothing", CHAIN_SUBJECT("md5-chain", idle_chain), "it does nothing"},
};

static void test_chain(void **state)
{
    const struct suspect *suspect = *state;
    struct cell cell = {.task = {.subject = &suspect->subject, .ways = 2, .dst_len = 32, .src_len = 50}};
    struct measure measure = {.clock = &real_clock, .trials = 20, .seed = 1};
    assert_true(measure_cells(&measure, &cell, 1));
    if (suspect->fault == NULL)
        check(cell.fault == NULL && cell.cycles > 0, "%s: %s", suspect->name, cell.fault);
    else
        check(cell.fault != NULL && strcmp(cell.fault, suspect->fault) == 0, "%s: %s", suspect->name,
              cell.fault);
    cell_free(&cell);
}

static const struct {
    const char *name;
    struct celer_subject subject;
    const char *faults[OPERATION_COUNT]; /* NULL: none */
} kems[] = {
    {"honest", KEM_SUBJECT(toy_keygen, toy_encaps, toy_decaps, NULL), {NULL}},
    {"honest, with opened keys", KEM_SUBJECT(toy_keygen, opened_encaps, opened_decaps, open_toy), {NULL}},
    {"without keys",
     KEM_SUBJECT(idle_keygen, toy_encaps, toy_decaps, NULL),
     {[OPERATION_KEYGEN] = "it does nothing",
      [OPERATION_ENCAPS] = "its results are wrong",
      [OPERATION_DECAPS] = "its results are wrong"}},
    {"that does not get back",
     KEM_SUBJECT(toy_keygen, toy_encaps, wrong_decaps, NULL),
     {NULL, "its results are wrong", "its results are wrong", "its results are wrong"}},
    {"that says it fails",
     KEM_SUBJECT(toy_keygen, toy_encaps, failing_decaps, NULL),
     {NULL, "it says that it failed", "it says that it failed", "it says that it failed"}},
    {"that opens nothing",
     KEM_SUBJECT(toy_keygen, toy_encaps, idle_decaps, NULL),
     {NULL, "its results are wrong", "its results are wrong", "it does nothing"}},
    {"with one secret for all",
     KEM_SUBJECT(toy_keygen, constant_encaps, constant_decaps, NULL),
     {NULL, "its results are wrong", "its results are wrong", "its results are wrong"}},
};

static void test_kem(void **state)
{
    const size_t i = *(const size_t *)*state;
    for (unsigned operation = OPERATION_KEYGEN; operation < OPERATION_COUNT; operation++) {
        struct cell cell = {.task = {.subject = &kems[i].subject,
                                     .ways = 1,
                                     .dst_len = 32,
                                     .operation = (enum operation)operation}};
        struct measure measure = {.clock = &real_clock, .trials = 30, .seed = 1};
        assert_true(measure_cells(&measure, &cell, 1));
        const char *const got = cell.fault != NULL ? cell.fault : "", *const want =
                                                                          kems[i].faults[operation] != NULL
                                                                              ? kems[i].faults[operation]
                                                                              : "";
        check(strcmp(got, want) == 0, "a KEM %s, %s: '%s', not '%s'", kems[i].name,
              operation_names[operation], got, want);
        assert_true(*want != 0 || cell.cycles > 0);
        const unsigned flag = *want == 0                        ? 0
                              : strstr(want, "nothing") != NULL ? FLAG_IDLE
                              : strstr(want, "failed") != NULL  ? FLAG_FAILED
                                                                : FLAG_WRONG;
        assert_int_equal(cell.flags & (FLAG_IDLE | FLAG_FAILED | FLAG_WRONG), flag);
        cell_free(&cell);
    }
}

/* --- KEMs beside those of another library --- */

/* Self-consistent all of them, so that only somebody else can tell. */
static int other_keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                        const uint8_t *seed)
{
    (void)self, (void)state;
    memcpy(dk, seed, 64);
    celer_sha3_256(ek, seed, 64);
    return 0;
}

static int other_keys_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                             const uint8_t *dk)
{
    uint8_t ek[32], coins[32];
    (void)self, (void)state;
    celer_sha3_256(ek, dk, 64);
    for (size_t i = 0; i < 32; i++)
        coins[i] = ct[i] ^ ek[i];
    toy_secret(ss, ek, coins);
    return 0;
}

static int other_secret_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                               const uint8_t *ek, const uint8_t *coins)
{
    toy_encaps(self, state, ct, ss, ek, coins);
    ss[0] ^= 1;
    return 0;
}

static int other_secret_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                               const uint8_t *dk)
{
    toy_decaps(self, state, ss, ct, dk);
    ss[0] ^= 1;
    return 0;
}

static int other_ciphertext_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                                   const uint8_t *ek, const uint8_t *coins)
{
    toy_encaps(self, state, ct, ss, ek, coins);
    ct[31] ^= 1;
    return 0;
}

static int other_ciphertext_decaps(const struct celer_subject *self, void *state, uint8_t *ss,
                                   const uint8_t *ct, const uint8_t *dk)
{
    uint8_t usual[32];
    memcpy(usual, ct, 32);
    usual[31] ^= 1;
    return toy_decaps(self, state, ss, usual, dk);
}

/* Has a secret of its own for every ciphertext but the last one it made. */
static uint8_t last_ciphertext[32];

static int remembering_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                              const uint8_t *ek, const uint8_t *coins)
{
    toy_encaps(self, state, ct, ss, ek, coins);
    memcpy(last_ciphertext, ct, 32);
    return 0;
}

static int rejecting_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                            const uint8_t *dk)
{
    toy_decaps(self, state, ss, ct, dk);
    if ((ct[0] ^ last_ciphertext[0]) == 1 && memcmp(ct + 1, last_ciphertext + 1, 31) == 0)
        memset(ss, 0x55, 32);
    return 0;
}

static int two_keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                      const uint8_t *seed)
{
    toy_keygen(self, state, ek, dk, seed);
    return toy_keygen(self, state, ek + 32, dk + 64, seed + 64);
}

static int two_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                      const uint8_t *ek, const uint8_t *coins)
{
    toy_encaps(self, state, ct, ss, ek, coins);
    return toy_encaps(self, state, ct + 32, ss + 32, ek + 32, coins + 32);
}

static int two_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                      const uint8_t *dk)
{
    toy_decaps(self, state, ss, ct, dk);
    return toy_decaps(self, state, ss + 32, ct + 32, dk + 64);
}

static int second_wrong_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                               const uint8_t *ek, const uint8_t *coins)
{
    two_encaps(self, state, ct, ss, ek, coins);
    ss[63] ^= 1;
    return 0;
}

static int second_wrong_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                               const uint8_t *dk)
{
    two_decaps(self, state, ss, ct, dk);
    ss[63] ^= 1;
    return 0;
}

static const struct compared_kem {
    const char *name;
    struct celer_subject subject;
    uint32_t flags, ways;
    bool wrong[OPERATION_COUNT], unverified;
} compared_kems[] = {
    {"that does the same", KEM_SUBJECT(toy_keygen, toy_encaps, toy_decaps, NULL), 0, 1, {false}, false},
    {"that does the same with opened keys",
     KEM_SUBJECT(toy_keygen, opened_encaps, opened_decaps, open_toy),
     0,
     1,
     {false},
     false},
    {"that does the same with two keys",
     KEM_SUBJECT(two_keygen, two_encaps, two_decaps, NULL),
     0,
     2,
     {false},
     false},
    {"of other keys",
     KEM_SUBJECT(other_keygen, toy_encaps, other_keys_decaps, NULL),
     0,
     1,
     {[OPERATION_KEYGEN] = true, [OPERATION_DECAPS] = true},
     false},
    {"of other secrets",
     KEM_SUBJECT(toy_keygen, other_secret_encaps, other_secret_decaps, NULL),
     0,
     1,
     {[OPERATION_ENCAPS] = true, [OPERATION_DECAPS] = true},
     false},
    {"of other ciphertexts",
     KEM_SUBJECT(toy_keygen, other_ciphertext_encaps, other_ciphertext_decaps, NULL),
     0,
     1,
     {[OPERATION_ENCAPS] = true, [OPERATION_DECAPS] = true},
     false},
    {"that rejects in another way",
     KEM_SUBJECT(toy_keygen, remembering_encaps, rejecting_decaps, NULL),
     0,
     1,
     {[OPERATION_DECAPS] = true},
     false},
    {"with another secret of the second key",
     KEM_SUBJECT(two_keygen, second_wrong_encaps, second_wrong_decaps, NULL),
     0,
     2,
     {[OPERATION_ENCAPS] = true, [OPERATION_DECAPS] = true},
     false},
    {"of keys alone", KEM_SUBJECT(toy_keygen, NULL, NULL, NULL), 0, 1, {false}, false},
    {"of other keys alone",
     KEM_SUBJECT(other_keygen, NULL, NULL, NULL),
     0,
     1,
     {[OPERATION_KEYGEN] = true},
     false},
    {"of other ciphertexts that has no way back",
     KEM_SUBJECT(toy_keygen, other_ciphertext_encaps, NULL, NULL),
     0,
     1,
     {[OPERATION_ENCAPS] = true},
     false},
    {"that draws its own randomness",
     KEM_SUBJECT(other_keygen, toy_encaps, other_keys_decaps, NULL),
     CELER_SUBJECT_RANDOM,
     1,
     {false},
     true},
};

static void test_compared_kem(void **state)
{
    const struct compared_kem *const k = *state;
    static const struct celer_subject reference = KEM_SUBJECT(toy_keygen, toy_encaps, toy_decaps, NULL);
    struct celer_subject subject = k->subject;
    subject.flags = k->flags;
    subject.ways = k->ways;
    const struct celer_provider own = {.library = "own", .subjects = &subject, .subject_count = 1},
                                other = {.library = "other", .subjects = &reference, .subject_count = 1};
    const struct celer_provider *const both[] = {&own, &other};
    reference_providers(both, 2);
    for (unsigned operation = OPERATION_KEYGEN; operation < OPERATION_COUNT; operation++) {
        struct cell cell = {
            .task = {
                .subject = &subject, .ways = k->ways, .dst_len = 32, .operation = (enum operation)operation}};
        struct measure measure = {.clock = &real_clock, .trials = 20, .seed = 1};
        if (task_lack(&subject, (enum operation)operation) != NULL)
            continue;
        assert_true(measure_cells(&measure, &cell, 1));
        const char *const want = k->wrong[operation] ? "its results are wrong" : "";
        check(strcmp(cell.fault != NULL ? cell.fault : "", want) == 0, "a KEM %s, %s: '%s', not '%s'",
              k->name, operation_names[operation], cell.fault != NULL ? cell.fault : "", want);
        assert_true(((cell.flags & FLAG_UNVERIFIED) != 0) == k->unverified);
        cell_free(&cell);
    }
    reference_providers(NULL, 0);
}

/* --- KEMs beside celer's own --- */

static int good_keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                       const uint8_t *seed)
{
    (void)self, (void)state;
    celer_mlkem512_keygen_seed(ek, dk, seed);
    return 0;
}

static int good_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                       const uint8_t *ek, const uint8_t *coins)
{
    (void)self, (void)state;
    return celer_mlkem512_encaps_coins(ct, ss, ek, coins);
}

static int good_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                       const uint8_t *dk)
{
    (void)self, (void)state;
    return celer_mlkem512_decaps(ss, ct, dk);
}

/* Goes there and back, with another z. */
static int other_seed_keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                             const uint8_t *seed)
{
    uint8_t other[CELER_MLKEM_SEED];
    memcpy(other, seed, sizeof other);
    other[63] ^= 1;
    return good_keygen(self, state, ek, dk, other);
}

static int other_coins_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                              const uint8_t *ek, const uint8_t *coins)
{
    uint8_t other[CELER_MLKEM_COINS];
    memcpy(other, coins, sizeof other);
    other[31] ^= 1;
    return good_encaps(self, state, ct, ss, ek, other);
}

static void test_own_kem(void **state)
{
    struct celer_subject subject = {.kind = CELER_KIND_KEM,
                                    .ways = 1,
                                    .function = "ml-kem-512",
                                    .backend = "",
                                    .notes = "",
                                    .out_len = 32,
                                    .run.kem = {CELER_MLKEM512_EK, CELER_MLKEM512_DK, CELER_MLKEM512_CT,
                                                good_keygen, good_encaps, good_decaps, NULL}};
    (void)state;
    for (int twisted = 0; twisted < 2; twisted++) {
        if (twisted) {
            subject.run.kem.keygen = other_seed_keygen;
            subject.run.kem.encaps = other_coins_encaps;
        }
        for (unsigned operation = OPERATION_KEYGEN; operation < OPERATION_COUNT; operation++) {
            struct cell cell = {
                .task = {
                    .subject = &subject, .ways = 1, .dst_len = 32, .operation = (enum operation)operation}};
            struct measure measure = {.clock = &real_clock, .trials = 20, .seed = 1};
            assert_true(measure_cells(&measure, &cell, 1));
            const char *const want = twisted && operation != OPERATION_DECAPS ? "its results are wrong" : "";
            check(strcmp(cell.fault != NULL ? cell.fault : "", want) == 0, "twisted: %d, %s: '%s', not '%s'",
                  twisted, operation_names[operation], cell.fault != NULL ? cell.fault : "", want);
            assert_int_equal(cell.flags & FLAG_UNVERIFIED, 0);
            cell_free(&cell);
        }
    }
}

/* --- Several threads --- */

/* What the state of a thread notes. */
static struct post {
    pthread_t owner;
    size_t calls;
    int cpu; /* negative: any */
    uint8_t input[32];
} posts[4];
static size_t posts_open, posts_wanted; /* opened one after the other */
static atomic_size_t posts_met, mistakes;

static int open_post(const struct celer_subject *self, void **state, const char **why)
{
    (void)self;
    if (posts_open == posts_wanted) {
        *why = "there is no post left";
        return -1;
    }
    posts[posts_open].owner = pthread_self();
    posts[posts_open].calls = 0;
    *state = &posts[posts_open++];
    return 0;
}

static void close_post(const struct celer_subject *self, void *state)
{
    const struct post *const post = state;
    (void)self;
    mistakes += !pthread_equal(post->owner, pthread_self());
    posts_open--;
}

/* In the first call each thread waits for all others, who never come if they are not at work at the same time. */
static void meet(struct post *post, const void *in)
{
    memcpy(post->input, in, sizeof post->input);
    atomic_fetch_add(&posts_met, 1);
    const double start = clock_seconds();
    while (atomic_load(&posts_met) < posts_wanted)
        if (clock_seconds() - start > 20) {
            atomic_fetch_add(&mistakes, 1);
            return;
        }
}

static int this_cpu(void)
{
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

static void run_post(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                     size_t in_len)
{
    struct post *const post = state;
    (void)self;
    if (post->calls++ == 0)
        meet(post, in);
    if (!pthread_equal(post->owner, pthread_self()) || (post->cpu >= 0 && this_cpu() != post->cpu))
        atomic_fetch_add(&mistakes, 1);
    celer_sha256(out, in, in_len);
}

static void run_post_wrongly(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                             size_t in_len)
{
    run_post(self, state, out, in, in_len);
    if (state == &posts[1])
        out[5] ^= 4;
}

static struct cell post_cell(struct celer_subject *subject, size_t threads)
{
    *subject = (struct celer_subject)HASH_SUBJECT("sha256", run_post);
    subject->open = open_post;
    subject->enter = NULL;
    subject->close = close_post;
    posts_open = 0;
    posts_wanted = threads;
    atomic_store(&posts_met, 0);
    atomic_store(&mistakes, 0);
    for (size_t i = 0; i < sizeof posts / sizeof posts[0]; i++)
        posts[i].cpu = -1;
    return (struct cell){.task = {.subject = subject, .ways = 1, .dst_len = 32, .src_len = 100},
                         .threads = threads};
}

static void check_posts(size_t threads)
{
    assert_int_equal(posts_open, 0);
    assert_int_equal(atomic_load(&mistakes), 0);
    assert_true(pthread_equal(posts[0].owner, pthread_self()));
    for (size_t i = 1; i < threads; i++) {
        assert_false(pthread_equal(posts[i].owner, posts[0].owner));
        assert_int_equal(posts[i].calls, posts[0].calls); /* wrong: calls that the figure does not know of */
        assert_memory_not_equal(posts[i].input, posts[0].input, sizeof posts[0].input);
    }
}

static void test_threads(void **state)
{
    (void)state;
    static const size_t numbers[] = {1, 2, 3};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const size_t threads = numbers[i];
        struct celer_subject subject;
        struct cell cell = post_cell(&subject, threads);
        struct measure measure = {.clock = &real_clock, .trials = 20, .seed = 1};
        assert_true(measure_cells(&measure, &cell, 1));
        assert_null(cell.fault);
        check_posts(threads);
        assert_true(cell.count >= 20 && cell.cycles > 0);
        assert_int_equal(cell.repeats % threads, 0);
        /* 4 spans and more to find out how many calls make one, 20 samples, and one before each of 20 visits. */
        assert_true(posts[0].calls >= cell.repeats / threads * 40);
        cell_free(&cell);
    }
}

#if defined(__linux__)
static void test_threads_cpus(void **state)
{
    (void)state;
    int usable[MACHINE_MAX_CPUS];
    cpu_set_t before;
    if (machine_usable(usable, MACHINE_MAX_CPUS) < 2)
        skip();
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(machine_pin(usable[1]), usable[1]);
    struct celer_subject subject;
    struct cell cell = post_cell(&subject, 2);
    struct measure measure = {.clock = &real_clock, .trials = 20, .seed = 1, .cpus = usable};
    posts[0].cpu = usable[1];
    posts[1].cpu = usable[0];
    assert_true(measure_cells(&measure, &cell, 1));
    sched_setaffinity(0, sizeof before, &before);
    assert_null(cell.fault);
    check_posts(2);
    cell_free(&cell);
}

#endif

/* Wrong: results of the first thread alone are looked at; states that stay open where another could not be opened. */
static void test_threads_faults(void **state)
{
    (void)state;
    struct celer_subject subject;
    struct cell cell = post_cell(&subject, 2);
    struct measure measure = {.clock = &real_clock, .trials = 20, .seed = 1};
    subject.run.hash = run_post_wrongly;
    assert_true(measure_cells(&measure, &cell, 1));
    assert_string_equal(cell.fault, "its results are wrong");
    assert_int_equal(posts_open, 0);
    cell_free(&cell);
    cell = post_cell(&subject, 3);
    posts_wanted = 2;
    assert_true(measure_cells(&measure, &cell, 1));
    assert_string_equal(cell.fault, "there is no post left");
    assert_int_equal(posts_open, 0);
    assert_int_equal(atomic_load(&mistakes), 0);
    cell_free(&cell);
}

/* What works in place, and what has keys, in every thread; beside cells of one thread. */
static void test_threads_kinds(void **state)
{
    (void)state;
    static const struct celer_subject chain = CHAIN_SUBJECT("sha256-chain", honest_chain);
    struct cell cells[OPERATION_COUNT + 1] = {
        {.task = {.subject = &chain, .ways = 2, .dst_len = 32, .src_len = 50}, .threads = 2},
        {.task = {.subject = &chain, .ways = 2, .dst_len = 32, .src_len = 50}}};
    enum { FIRST_KEM = 2 };
    for (unsigned i = OPERATION_KEYGEN; i < OPERATION_COUNT; i++)
        cells[FIRST_KEM + i - OPERATION_KEYGEN] = (struct cell){
            .task = {.subject = &kems[0].subject, .ways = 1, .dst_len = 32, .operation = (enum operation)i},
            .threads = 3};
    struct measure measure = {.clock = &real_clock, .trials = 10, .seed = 1};
    assert_true(measure_cells(&measure, cells, OPERATION_COUNT + 1));
    for (size_t i = 0; i < OPERATION_COUNT + 1; i++) {
        check(cells[i].fault == NULL && cells[i].cycles > 0, "cell %zu: %s", i, cells[i].fault);
        cell_free(&cells[i]);
    }
}

/* A budget ends the rounds; what there is by then counts. */
static void test_budget(void **state)
{
    (void)state;
    const struct celer_subject subject = HASH_SUBJECT("sha256", honest);
    struct cell cells[2] = {{.task = {.subject = &subject, .ways = 1, .dst_len = 32, .src_len = 64}},
                            {.task = {.subject = &subject, .ways = 1, .dst_len = 32, .src_len = 1000}}};
    struct measure measure = {.clock = &real_clock, .trials = 100000000, .budget = 0.2, .seed = 1};
    const double start = clock_seconds();
    assert_true(measure_cells(&measure, cells, 2));
    const double seconds = clock_seconds() - start;
    check(seconds < 60, "a budget of 0.2 seconds took %g", seconds);
    for (size_t i = 0; i < 2; i++) {
        check(cells[i].count >= 10 && cells[i].count < measure.trials, "%zu samples", cells[i].count);
        cell_free(&cells[i]);
    }
}

/* Wrong: one input at one address, again and again, whose luck is then the figure. */
static void test_inputs(void **state)
{
    (void)state;
    const struct celer_subject subject = HASH_SUBJECT("sha256", observant);
    struct cell cell = {.task = {.subject = &subject, .ways = 1, .dst_len = 32, .src_len = 64}};
    struct measure measure = {.clock = &real_clock, .trials = 100, .seed = 1};
    calls = text_count = same_offset = 0;
    last_offset = 64;
    assert_true(measure_cells(&measure, &cell, 1));
    assert_null(cell.fault);
    check(same_offset * 8 < calls, "%zu of %zu calls at the offset of the one before", same_offset, calls);
    check(text_count > 80, "%zu inputs in %zu samples", text_count, cell.count);
    cell_free(&cell);
}

static void test_refusal(void **state)
{
    (void)state;
    struct celer_subject subject = HASH_SUBJECT("sha256", honest);
    subject.open = refuse_open;
    struct cell cell = {.task = {.subject = &subject, .ways = 1, .dst_len = 32, .src_len = 64}};
    struct measure measure = {.clock = &real_clock, .trials = 2, .seed = 1};
    open_subjects = 0;
    assert_true(measure_cells(&measure, &cell, 1)); /* and does not close what is not open */
    assert_int_equal(open_subjects, 0);
    assert_string_equal(cell.fault, "it needs a Babbage engine");
}

static volatile sig_atomic_t stop;
static size_t progress_calls;

static void stop_soon(void *arg, double done, double rate)
{
    (void)arg;
    assert_true(done >= 0 && done <= 1 && rate >= 0);
    stop = ++progress_calls >= 3;
}

static void test_stop(void **state)
{
    (void)state;
    const struct celer_subject subject = HASH_SUBJECT("sha256", honest);
    struct cell cell = {.task = {.subject = &subject, .ways = 1, .dst_len = 32, .src_len = 64}};
    struct measure measure = {
        .clock = &real_clock, .trials = 1000000, .seed = 1, .stop = &stop, .progress = stop_soon};
    stop = 0;
    progress_calls = 0;
    assert_true(measure_cells(&measure, &cell, 1));
    assert_int_equal(cell.count, 30);
    struct stats s;
    assert_true(cell_stats(&cell, &measure, UNIT_CPB, &s)); /* what there is, is not lost */
    cell_free(&cell);
}

/* --- All of celer's own subjects compute what they should, in both modes --- */

static size_t measure_plan(const char *const *words, size_t word_count, enum mode mode, const char *backend)
{
    size_t src_lens[] = {1, 136, 1000}, dst_lens[] = {32, 500}, ways[] = {1, 8, 4};
    const struct celer_provider *own = provider_celer();
    const bool many = strcmp(words[0], "many") == 0, permutation = strcmp(words[0], "permutation") == 0;
    const struct plan_request request = {
        .selections = words,
        .selection_count = word_count,
        .backends = &backend,
        .backend_count = 1,
        .src_lens = {src_lens, permutation ? 0 : 3},
        .dst_lens = {dst_lens, permutation ? 0 : 2},
        .ways = {ways, many || permutation ? 3 : 0},
    };
    struct plan plan;
    assert_true(plan_make(&plan, &request, &own, 1));
    struct measure measure = {.clock = &real_clock, .trials = 2, .mode = mode, .seed = 3};
    assert_true(measure_cells(&measure, plan.cells, plan.cell_count));
    size_t measured = 0;
    for (size_t i = 0; i < plan.row_count; i++)
        for (size_t j = 0; j < plan.rows[i].count; j++) {
            const struct cell *cell = &plan.cells[plan.rows[i].first + j];
            check(cell->fault == NULL, "%s, %s, %zu bytes: %s", plan.rows[i].name, backend,
                  cell->task.src_len, cell->fault);
            assert_true((cell->task.subject == NULL) == (cell->count == 0));
            measured += cell->count > 0;
        }
    plan_free(&plan);
    assert_true(celer_cpu_mask(CELER_CPU_AUTO) ==
                CELER_CPU_AUTO); /* wrong: the mask stays when all is done */
    return measured;
}

static void test_own(void **state)
{
    static const char *const selections[][2] = {
        {"sha3", "sha2"}, {"many", "shake128"}, {"permutation", NULL}};
    const char *backend = *state;
    size_t measured = 0;
    for (size_t i = 0; i < 3; i++)
        for (int mode = 0; mode < MODE_COUNT; mode++)
            measured +=
                measure_plan(selections[i], selections[i][1] != NULL ? 2 : 1, (enum mode)mode, backend);
    assert_true(measured > 0);
}

/* The reference, which decides over all others, against published values. */
static void test_reference(void **state)
{
    (void)state;
    static const uint8_t abc256[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                       0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                       0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    static const uint64_t zero_permuted[2] = {0xf1258f7940e1dde7,
                                              0x84d5ccf933c0478a}; /* Keccak-f[1600] of zeros */
    uint8_t out[32], zeros[400] = {0}, permuted[400];
    uint64_t lanes[4];
    assert_true(reference_hash("sha256", out, 32, (const uint8_t *)"abc", 3));
    check_bytes(out, abc256, 32, "SHA-256 of abc");
    assert_false(reference_hash("sha256", out, 31, (const uint8_t *)"abc", 3));
    assert_false(reference_hash("md5", out, 16, (const uint8_t *)"abc", 3));
    assert_true(reference_permutation("keccak-f1600", permuted, zeros, 2, 1));
    memcpy(lanes, permuted, sizeof lanes);
    for (size_t i = 0; i < 4; i++)
        assert_true(lanes[i] == zero_permuted[i / 2]);
    assert_false(reference_permutation("rot13", permuted, zeros, 1, 1));
}

int main(void)
{
    struct suite suite = {0};
    clock_open(&real_clock, NULL);
    suite_add(&suite, test_judge, NULL, "which samples count");
    suite_add(&suite, test_canary_floor, NULL, "what a canary costs when it is alone");
    suite_add(&suite, test_units, NULL, "units");
    for (size_t i = 0; i < sizeof suspects / sizeof suspects[0]; i++)
        suite_add(&suite, test_suspect, (void *)(uintptr_t)&suspects[i], "a subject that is %s",
                  suspects[i].name);
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        suite_add(&suite, test_chain, (void *)(uintptr_t)&chains[i], "%s", chains[i].name);
    static size_t numbers[sizeof kems / sizeof kems[0]];
    for (size_t i = 0; i < sizeof kems / sizeof kems[0]; i++) {
        numbers[i] = i;
        suite_add(&suite, test_kem, &numbers[i], "a KEM %s", kems[i].name);
    }
    suite_add(&suite, test_own_kem, NULL, "beside celer's, a KEM");
    for (size_t i = 0; i < sizeof compared_kems / sizeof compared_kems[0]; i++)
        suite_add(&suite, test_compared_kem, (void *)(uintptr_t)&compared_kems[i],
                  "beside another library, a KEM %s", compared_kems[i].name);
    suite_add(&suite, test_threads, NULL, "threads at work at the same time");
#if defined(__linux__)
    suite_add(&suite, test_threads_cpus, NULL, "threads on CPUs of their own");
#endif
    suite_add(&suite, test_threads_faults, NULL, "threads that are wrong");
    suite_add(&suite, test_threads_kinds, NULL, "threads of every kind");
    suite_add(&suite, test_budget, NULL, "a budget of time");
    suite_add(&suite, test_inputs, NULL, "inputs are new, and begin everywhere");
    suite_add(&suite, test_refusal, NULL, "a subject that cannot run here");
    suite_add(&suite, test_stop, NULL, "an early end");
    suite_add(&suite, test_own, (void *)(uintptr_t) "auto", "auto: every subject is right");
    suite_add(&suite, test_own, (void *)(uintptr_t) "scalar", "scalar: every subject is right");
    const struct celer_kernel *kernel = celer_hash_find("sha3-256")->kernel;
    for (size_t i = 0; row_name(kernel, i) != NULL; i++)
        if (row_usable(kernel, row_name(kernel, i)) && strcmp(row_name(kernel, i), "scalar") != 0)
            suite_add(&suite, test_own, (void *)(uintptr_t)row_name(kernel, i), "%s: every subject is right",
                      row_name(kernel, i));
    suite_add(&suite, test_reference, NULL, "the reference");
    const int failed = suite_run(&suite, "bench/measure");
    clock_close();
    return failed;
}
