/* test_compare.c: verdicts. Most of it on a synthetic machine, whose noise is known and worse than that of real ones,
   with subjects whose cost is known: so what an interval covers and how often there is a false alarm can be counted. */
#include "support.h"
#include <math.h>
#include <sqlite3.h>
#include "bench/prng.h"
#include "compare/keep.h"
#include "compare/pairs.h"
#include "compare/stored.h"

/* --- The synthetic machine ---

   Its counter counts time. The core has two frequencies; now and then another thread shares it, which slows down the
   canary too; the caches have states that slow down long calls alone, and that nothing else shows; everything drifts;
   and every call is a little off, some of them by much. Readings come in twos, around a chain, a canary or calls. */

static struct {
    uint64_t random;
    double now;     /* ticks */
    double pending; /* cycles of calls since the last reading */
    bool inside;    /* between two readings */
    unsigned place; /* in the sequence chain, canary, calls, canary, chain */
    struct {
        double until, factor;
    } frequency, burst, state;
    bool noisy;
    bool warming;    /* without noise: every call takes longer than the one before */
    size_t calls[2]; /* of base and test */
    size_t opened;   /* contexts */
    size_t places;   /* of contexts, each counted once */
    const void *seen[1000];
} machine;

#define CHAIN_CYCLES  10000.0
#define CANARY_CYCLES 5000.0

static double uniform(void)
{
    return ((double)(prng_next(&machine.random) >> 11) + 0.5) / 9007199254740992.0;
}

static double exponential(double mean)
{
    return -mean * log(uniform());
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static void change_states(void)
{
    if (machine.now >= machine.frequency.until) {
        machine.frequency.factor = machine.frequency.factor == 1 ? 0.94 : 1;
        machine.frequency.until = machine.now + exponential(3e6);
    }
    if (machine.now >= machine.burst.until) {
        const bool begins = machine.burst.factor == 1;
        machine.burst.factor = begins ? 1.3 + 0.5 * uniform() : 1;
        machine.burst.until = machine.now + exponential(begins ? 3e6 : 2e7);
    }
    if (machine.now >= machine.state.until) {
        machine.state.factor = 1 + 0.03 * (double)prng_below(&machine.random, 3);
        machine.state.until = machine.now + exponential(1e6);
    }
}

/* Time passes for so many cycles. */
static void pass(double cycles)
{
    while (machine.noisy && cycles > 0) {
        change_states();
        const double step = cycles < 5000 ? cycles : 5000;
        machine.now += step / machine.frequency.factor;
        cycles -= step;
    }
    machine.now += cycles;
}

static double disturbed(double cycles)
{
    if (!machine.noisy)
        return machine.warming ? cycles * (1 + 1e-9 * machine.now) : cycles;
    const double drift = 1 + 0.03 * sin(machine.now / 3e8);
    const double state = cycles > 30000 ? machine.state.factor : 1;
    const double outlier = uniform() < 0.02 ? exponential(0.2) : 0;
    return cycles * drift * state * machine.burst.factor * exp(0.003 * normal()) * (1 + outlier);
}

static uint64_t read_counter(void)
{
    machine.inside = !machine.inside;
    if (machine.inside && machine.pending > 0) { /* a call that is not timed */
        pass(machine.pending);
        machine.place = 0;
    } else if (!machine.inside) {
        const bool canary = machine.place == 1 || machine.place == 3;
        if (machine.pending > 0)
            pass(disturbed(machine.pending));
        else if (canary)
            pass(CANARY_CYCLES * (machine.noisy ? machine.burst.factor * exp(0.002 * fabs(normal())) : 1));
        else
            pass(CHAIN_CYCLES);
        machine.place++;
    }
    machine.pending = 0;
    return (uint64_t)(16 *
                      machine.now); /* a counter finer than a cycle, so that the model alone has errors */
}

static const struct clock synthetic = {.name = "synthetic",
                                       .read = read_counter,
                                       .hz = 16e9,
                                       .min_span = 16 * CHAIN_CYCLES,
                                       .chain_hundreds = 1,
                                       .canary_hundreds = 1,
                                       .chain_cycles = CHAIN_CYCLES};

static bool warm; /* for the next machine that is started */

static void machine_start(uint64_t seed, bool noisy)
{
    memset(&machine, 0, sizeof machine);
    machine.random = seed;
    machine.noisy = noisy;
    machine.warming = warm;
    machine.frequency.factor = machine.burst.factor = machine.state.factor = 1;
}

/* A subject of known cost. */
struct cost {
    double cycles;
    enum side side;
};

/* Three in ten of the places in memory where its context may lie cost it 2 %. */
struct place {
    double factor;
};

static int open_place(const struct celer_subject *self, void **state, const char **why)
{
    struct place *const place = malloc(sizeof *place);
    (void)self, (void)why;
    assert_non_null(place);
    place->factor = machine.noisy && uniform() < 0.3 ? 1.02 : 1;
    size_t i = 0;
    while (i < machine.places && machine.seen[i] != place)
        i++;
    if (i == machine.places && i < sizeof machine.seen / sizeof machine.seen[0])
        machine.seen[machine.places++] = place;
    machine.opened++;
    *state = place;
    return 0;
}

static void close_place(const struct celer_subject *self, void *state)
{
    (void)self;
    machine.opened--;
    free(state);
}

static void run_cost(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                     size_t in_len)
{
    const struct cost *const cost = self->arg;
    const struct place *const place = state;
    (void)in, (void)in_len;
    machine.pending += cost->cycles * (place != NULL ? place->factor : 1);
    machine.calls[cost->side]++;
    memset(out, 1, 32);
}

#define MAX_ROWS 50

static struct cost costs[MAX_ROWS][SIDES];
static struct celer_subject subjects[MAX_ROWS][SIDES];
static struct pair pairs[MAX_ROWS];

/* Rows of 300 to 200000 cycles, of which test takes `ratio` times as many; measured and judged. */
static struct pairing measure(size_t rows, double ratio, size_t trials, uint64_t seed, bool noisy)
{
    struct pairing m = {.clock = &synthetic, .trials = trials, .min_effect = 0.005, .seed = seed};
    machine_start(seed, noisy);
    memset(pairs, 0, sizeof pairs);
    for (size_t i = 0; i < rows; i++) {
        const double cycles = 300 * pow(666, (double)(i % 10) / 9);
        for (unsigned side = 0; side < SIDES; side++) {
            costs[i][side] = (struct cost){cycles * (side == TEST ? ratio : 1), (enum side)side};
            subjects[i][side] = (struct celer_subject){.kind = CELER_KIND_HASH,
                                                       .ways = 1,
                                                       .function = "planted",
                                                       .backend = "",
                                                       .notes = "",
                                                       .out_len = 32,
                                                       .arg = &costs[i][side],
                                                       .open = i % 2 == 0 ? open_place : NULL,
                                                       .close = i % 2 == 0 ? close_place : NULL,
                                                       .run.hash = run_cost};
            pairs[i].task[side] =
                (struct task){.subject = &subjects[i][side], .ways = 1, .dst_len = 32, .src_len = 64};
        }
    }
    assert_true(pairs_measure(&m, pairs, rows));
    assert_int_equal(machine.opened, 0);
    return m;
}

static void release(size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        pair_free(&pairs[i]);
}

/* Percentages over 500 rows in tables of 50. */
struct tally {
    double outcome[OUTCOME_COUNT], covered;
};

static size_t all_rows, all_covered; /* of all tables */

static struct tally count(double ratio, uint64_t seed)
{
    enum { TABLES = 10 };
    struct tally t = {{0}, 0};
    const double each = 100.0 / (TABLES * MAX_ROWS);
    for (uint64_t table = 0; table < TABLES; table++) {
        measure(MAX_ROWS, ratio, 100, seed + table, true);
        for (size_t i = 0; i < MAX_ROWS; i++) {
            const struct comparison *const c = &pairs[i].comparison;
            t.outcome[c->outcome] += each;
            const bool covered = c->ci_lo <= log(ratio) && log(ratio) <= c->ci_hi;
            t.covered += covered ? each : 0;
            all_covered += covered;
            all_rows++;
        }
        release(MAX_ROWS);
    }
    print_message("[          ] test takes %.4f: %.1f %% faster, %.1f %% slower, %.1f %% same, %.1f %% "
                  "inconclusive; the interval covers it in %.1f %%\n",
                  ratio, t.outcome[OUTCOME_FASTER], t.outcome[OUTCOME_SLOWER], t.outcome[OUTCOME_SAME],
                  t.outcome[OUTCOME_INCONCLUSIVE], t.covered);
    return t;
}

/* --- What it finds on that machine --- */

static void test_same_subject_twice(void **state)
{
    (void)state;
    const struct tally t = count(1, 1000);
    assert_true(t.outcome[OUTCOME_FASTER] + t.outcome[OUTCOME_SLOWER] <= 2);
    assert_true(t.outcome[OUTCOME_INCONCLUSIVE] <= 10);
}

static void test_planted_difference(void **state)
{
    (void)state;
    const struct tally slower = count(1.011, 2000), faster = count(1 / 1.011, 3000);
    assert_true(slower.outcome[OUTCOME_SLOWER] >= 95);
    assert_true(slower.outcome[OUTCOME_FASTER] == 0 && slower.outcome[OUTCOME_SAME] <= 1);
    assert_true(faster.outcome[OUTCOME_FASTER] >= 95);
    assert_true(faster.outcome[OUTCOME_SLOWER] == 0 && faster.outcome[OUTCOME_SAME] <= 1);
}

/* Wrong: a difference that is there, but below what anybody asked for, called an alarm. */
static void test_small_difference(void **state)
{
    (void)state;
    const struct tally t = count(1.002, 4000);
    assert_true(t.outcome[OUTCOME_FASTER] + t.outcome[OUTCOME_SLOWER] <= 2);
    assert_true(t.outcome[OUTCOME_INCONCLUSIVE] <= 10);
}

/* Nominally 95 %, counted over all the rows above: those of one test are too few to tell 95 from 93. */
static void test_coverage(void **state)
{
    (void)state;
    const double percent = 100 * (double)all_covered / (double)all_rows;
    assert_int_equal(all_rows, 2000);
    check(percent >= 93 && percent <= 98, "the intervals cover the truth in %.1f %%", percent);
}

/* The noise is what makes it hard: were it not there, the tests above would prove nothing. One sample of each side, one
   after the other, would see far more than 1.1 % where there is nothing. */
static void test_noise_is_noise(void **state)
{
    (void)state;
    size_t off = 0, all = 0, rejected = 0;
    const struct pairing m = measure(MAX_ROWS, 1, 100, 5000, true);
    for (size_t i = 0; i < MAX_ROWS; i++) {
        rejected += pairs[i].count - pairs[i].comparison.n;
        for (size_t j = 1; j < pairs[i].count; j++, all++) {
            const struct sample *const base = pairs[i].samples + TRIAL_SAMPLES * (j - 1),
                                       *const test = pairs[i].samples + TRIAL_SAMPLES * j + 2;
            off += fabs(log(test->span / base->span)) > 0.011;
        }
    }
    check(off * 3 > all, "%zu of %zu", off, all);
    check(rejected * 20 > all && rejected * 2 < all, "%zu of %zu trials rejected", rejected, all);
    assert_true(m.quiet);
    const double floor = CANARY_CYCLES * CLOCK_CANARY_HUNDREDS / (double)synthetic.canary_hundreds;
    check(fabs(m.canary_floor - floor) < 0.02 * floor, "floor %g", m.canary_floor);
    release(MAX_ROWS);
}

/* --- The engine, on the same machine without its noise --- */

static void test_engine(void **state)
{
    (void)state;
    struct pairing m = measure(10, 1.01, 60, 1, false);
    assert_true(m.quiet);
    for (size_t i = 0; i < 10; i++) {
        const struct pair *const p = &pairs[i];
        check(p->fault == NULL, "fault: %s", p->fault);
        assert_int_equal(p->comparison.outcome, OUTCOME_SLOWER);
        check(fabs(p->comparison.log_ratio - log(1.01)) < 1e-5, "log ratio %g", p->comparison.log_ratio);
        check(fabs(p->cycles[BASE] - costs[i][BASE].cycles) < 0.01 * costs[i][BASE].cycles, "base takes %g",
              p->cycles[BASE]);
        check(fabs(p->cycles[TEST] - costs[i][TEST].cycles) < 0.01 * costs[i][TEST].cycles, "test takes %g",
              p->cycles[TEST]);
        check(p->count >= 60 && p->count <= 100, "%zu trials", p->count); /* whole rounds, and no search */
        check((double)p->repeats * p->cycles[BASE] >= CHAIN_CYCLES * 0.99, "%zu calls of %g", p->repeats,
              p->cycles[BASE]);
    }
    release(10);
    /* Both sides are called equally often, but for finding how often. */
    measure(1, 1, 1000, 1, false);
    check(machine.calls[BASE] > 8000 * pairs[0].repeats / 2, "%zu calls", machine.calls[BASE]);
    check(fabs((double)machine.calls[BASE] - (double)machine.calls[TEST]) <
              1 + 0.001 * (double)machine.calls[BASE],
          "%zu and %zu calls", machine.calls[BASE], machine.calls[TEST]);
    release(1);
    /* The same seed is the same run. */
    measure(3, 1.01, 50, 7, true);
    const struct comparison first = pairs[1].comparison;
    release(3);
    measure(3, 1.01, 50, 7, true);
    assert_true(first.log_ratio == pairs[1].comparison.log_ratio &&
                first.ci_lo == pairs[1].comparison.ci_lo && first.n == pairs[1].comparison.n);
    release(3);
}

/* What comes first is cheaper: that must not count for either. Base and test lie in a trial so that it cancels, and
   begin alternate trials, for what does not. */
static void test_turns(void **state)
{
    (void)state;
    warm = true;
    measure(1, 1, 400, 1, false);
    warm = false;
    const struct pair *const p = &pairs[0];
    check(p->count >= 400, "%zu trials", p->count);
    for (size_t i = 0; i < p->count; i++) {
        const struct sample *const t = p->samples + TRIAL_SAMPLES * i;
        const bool base_first = t[0].span < t[2].span;
        const struct sample *const outer = base_first ? t : t + 2, *const inner = base_first ? t + 2 : t;
        check(outer[0].span < inner[0].span && inner[0].span < inner[1].span && inner[1].span < outer[1].span,
              "trial %zu: %g %g and %g %g", i, t[0].span, t[1].span, t[2].span, t[3].span);
        const double ratio = trial_logs(t, &synthetic).ratio;
        check(fabs(ratio) < 0.1 * log(outer[1].span / outer[0].span), "trial %zu: %g", i, ratio);
        if (i > 0 && t[0].round == t[-TRIAL_SAMPLES].round)
            check(base_first != (t[-TRIAL_SAMPLES].span < t[2 - TRIAL_SAMPLES].span),
                  "trial %zu begins as the last", i);
    }
    release(1);
}

/* Contexts do not take turns in the few places that malloc would give them. */
static void test_places(void **state)
{
    (void)state;
    measure(1, 1, 100, 1, true); /* its contexts are opened twice in each round, and 16 times before */
    check(pairs[0].count >= 100 && machine.places > 100, "%zu places in %zu rounds", machine.places,
          pairs[0].count);
    release(1);
}

/* Wrong: 7.03 and 10.08 cycles, and a difference of 50 % beside them. */
static void test_figures_agree(void **state)
{
    (void)state;
    measure(10, 1.3, 100, 8, true);
    for (size_t i = 0; i < 10; i++) {
        const double ratio = pairs[i].cycles[TEST] / pairs[i].cycles[BASE];
        check(fabs(ratio / exp(pairs[i].comparison.log_ratio) - 1) < 1e-9, "%g and %g: %g", ratio,
              exp(pairs[i].comparison.log_ratio), pairs[i].cycles[BASE]);
        check(fabs(pairs[i].cycles[BASE] / costs[i][BASE].cycles - 1) < 0.08, "%g of %g",
              pairs[i].cycles[BASE], costs[i][BASE].cycles);
    }
    release(10);
}

/* Two trials prove nothing, however equal they are. */
static void test_few_trials(void **state)
{
    (void)state;
    measure(2, 1.5, 2, 1, false);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(pairs[i].count, 2);
        assert_int_equal(pairs[i].comparison.outcome, OUTCOME_INCONCLUSIVE);
        assert_ptr_equal(pairs[i].comparison.reason, compare_few);
        assert_true(fabs(pairs[i].comparison.log_ratio - log(1.5)) < 1e-3);
    }
    release(2);
}

/* A wide interval is reason to go on, for as long as it takes or five times as long; a narrow one is not. */
static void test_search(void **state)
{
    (void)state;
    size_t longer = 0;
    const double effect = 0.005;
    measure(10, 1, 20, 6000, true);
    for (size_t i = 0; i < 10; i++) {
        const bool wide = compare_is_wide(&pairs[i].comparison, effect);
        check(pairs[i].count >= 20 && pairs[i].count <= 106, "%zu trials", pairs[i].count);
        check(!wide || pairs[i].count >= 100, "gave up after %zu trials", pairs[i].count);
        longer += pairs[i].count > 20;
    }
    check(longer > 0, "none took longer");
    release(10);
}

static void run_batch(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len,
                      const struct celer_msg *msgs, size_t n)
{
    (void)msgs;
    for (size_t i = 0; i < n; i++)
        run_cost(self, state, out + i * out_len, NULL, 0);
}

/* Four at a time against one by one: what a call takes says nothing, what each takes does. Medians are of calls. */
static void test_each_state(void **state)
{
    (void)state;
    static const double ratios[] = {1, 0.9, 1.1};
    static const enum outcome outcomes[] = {OUTCOME_SAME, OUTCOME_FASTER, OUTCOME_SLOWER};
    for (size_t i = 0; i < 3; i++) {
        struct cost cost[SIDES] = {{1000, BASE}, {1000 * ratios[i], TEST}};
        struct celer_subject batch[SIDES];
        struct pairing m = {.clock = &synthetic, .trials = 40, .min_effect = 0.005, .seed = 1};
        struct pair p = {0};
        for (unsigned side = 0; side < SIDES; side++) {
            batch[side] = (struct celer_subject){.kind = CELER_KIND_MANY,
                                                 .function = "planted",
                                                 .backend = "",
                                                 .notes = "",
                                                 .out_len = 32,
                                                 .arg = &cost[side],
                                                 .run.many = run_batch};
            p.task[side] = (struct task){
                .subject = &batch[side], .ways = side == BASE ? 1 : 4, .dst_len = 32, .src_len = 64};
        }
        machine_start(1, false);
        assert_true(pairs_measure(&m, &p, 1));
        check(p.fault == NULL, "fault: %s", p.fault);
        assert_int_equal(p.comparison.outcome, outcomes[i]);
        check(fabs(p.comparison.log_ratio - log(ratios[i])) < 1e-4, "log ratio %g", p.comparison.log_ratio);
        check(fabs(p.cycles[BASE] - 1000) < 10 && fabs(p.cycles[TEST] - 4000 * ratios[i]) < 40, "%g and %g",
              p.cycles[BASE], p.cycles[TEST]);
        pair_free(&p);
    }
}

static void run_nothing(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                        size_t in_len)
{
    (void)self, (void)state, (void)out, (void)in, (void)in_len;
    machine.pending += 100;
}

static void run_wrong(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                      size_t in_len)
{
    run_nothing(self, state, out, in, in_len);
    memset(out, 7, 32);
}

/* Right when it is tried out, and then no more. */
static void run_fading(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                       size_t in_len)
{
    if (machine.calls[BASE] < 300)
        run_cost(self, state, out, in, in_len);
    else
        run_nothing(self, state, out, in, in_len);
}

static int refuse_to_open(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)state;
    *why = "not today";
    return -1;
}

/* Wrong: a verdict on something that does not compute what it says. */
static void test_faults(void **state)
{
    (void)state;
    static struct celer_subject good = {.kind = CELER_KIND_HASH,
                                        .ways = 1,
                                        .function = "planted",
                                        .backend = "",
                                        .notes = "",
                                        .out_len = 32,
                                        .run.hash = run_cost};
    static const struct cost cost = {500, BASE};
    good.arg = &cost;
    struct celer_subject nothing = good, fading = good, wrong = good, closed = good;
    nothing.run.hash = run_nothing;
    fading.run.hash = run_fading;
    wrong.run.hash = run_wrong;
    wrong.function = "sha256"; /* celer has that, and knows better */
    closed.open = refuse_to_open;
    const struct {
        const struct celer_subject *base, *test;
        enum side faulty;
        const char *fault;
    } cases[] = {
        {&good, &nothing, TEST, "it does nothing"},       {&nothing, &good, BASE, "it does nothing"},
        {&wrong, &fading, BASE, "its results are wrong"}, {&fading, &nothing, TEST, "it does nothing"},
        {&fading, &fading, SIDES, "it does nothing"}, /* whichever is next */
        {&good, &wrong, TEST, "its results are wrong"},   {&closed, &good, BASE, "not today"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pairing m = {.clock = &synthetic, .trials = 20, .min_effect = 0.005, .seed = 1};
        struct pair p = {.task = {{.subject = cases[i].base, .ways = 1, .dst_len = 32, .src_len = 64},
                                  {.subject = cases[i].test, .ways = 1, .dst_len = 32, .src_len = 64}}};
        machine_start(1, false);
        assert_true(pairs_measure(&m, &p, 1));
        assert_non_null(p.fault);
        assert_string_equal(p.fault, cases[i].fault);
        assert_true(p.faulty == cases[i].faulty || cases[i].faulty == SIDES);
        assert_int_equal(p.comparison.outcome, OUTCOME_INCONCLUSIVE);
        pair_free(&p);
    }
}

/* --- Statistics, on numbers whose answers are known --- */

static void test_paired(void **state)
{
    (void)state;
    struct stats_value values[40];
    struct comparison c;
    for (uint32_t i = 0; i < 40; i++) /* 10 rounds: nine above 0, one below */
        values[i] = (struct stats_value){i / 4 == 3 ? -0.02 : 0.01 + 0.0001 * i, i / 4};
    assert_true(compare_paired(&c, values, 40, 1));
    assert_int_equal(c.n, 40);
    assert_true(c.enough);
    check(fabs(c.p - 2 * 11.0 / 1024) < 1e-12, "p %.12g", c.p); /* 2 (1 + 10) / 2^10 */
    check(c.log_ratio > 0.011 && c.log_ratio < 0.013, "log ratio %g", c.log_ratio);
    check(c.ci_lo < c.log_ratio && c.log_ratio < c.ci_hi, "%g to %g", c.ci_lo, c.ci_hi);
    for (uint32_t i = 0; i < 40; i++) /* the same numbers in 9 rounds */
        values[i] = (struct stats_value){0.01, i % 9};
    assert_true(compare_paired(&c, values, 40, 1));
    assert_false(c.enough);
    for (uint32_t i = 0; i < 40; i++) /* no difference at all is no evidence of one */
        values[i] = (struct stats_value){0, i};
    assert_true(compare_paired(&c, values, 40, 1));
    assert_true(c.p == 1 && c.log_ratio == 0);
    assert_true(compare_paired(&c, values, 0, 1));
    assert_true(!c.enough && isnan(c.log_ratio) && c.n == 0);
}

/* What a predictor has learnt can last for many rounds, as here: in a third of them test takes 10 % more, for four in a
   row. Rounds are not independent then, and an interval that takes them for that covers the truth in 77 % of the runs. */
static void test_lasting_states(void **state)
{
    enum { RUNS = 400, OF_EACH = 100 };
    (void)state;
    size_t covered = 0, alarms = 0;
    uint64_t random = 9;
    for (size_t run = 0; run < RUNS; run++) {
        struct stats_value values[OF_EACH];
        struct comparison c;
        machine.random = prng_next(&random);
        bool slow = uniform() < 1.0 / 3;
        for (uint32_t i = 0; i < OF_EACH; i++) {
            slow = uniform() < (slow ? 1.0 / 4 : 1.0 / 8) ? !slow : slow;
            values[i] = (struct stats_value){(slow ? 0.1 : 0) + 0.01 * normal(), i};
        }
        /* The median of the mixture, where the normal distribution of width 0.01 has 3/4 below. */
        const double truth = 0.01 * 0.674490;
        assert_true(compare_paired(&c, values, OF_EACH, run));
        covered += c.ci_lo <= truth && truth <= c.ci_hi;
        struct comparison *const row = &c;
        c.ci_lo -= truth, c.ci_hi -= truth, c.log_ratio -= truth;
        assert_true(compare_decide(&row, 1, 0.005));
        alarms += c.outcome == OUTCOME_SLOWER || c.outcome == OUTCOME_FASTER;
    }
    check(covered * 100 >= RUNS * 88, "the interval covers the truth in %zu of %d runs", covered, RUNS);
    check(alarms * 100 <= RUNS * 5, "%zu false alarms in %d runs", alarms, RUNS);
}

static void test_holm(void **state)
{
    (void)state;
    const double p[5] = {0.01, 0.04, 0.03, 0.005, 0.9}, want[4] = {0.03, 0.06, 0.06, 0.02};
    struct comparison rows[5];
    struct comparison *list[5];
    for (size_t i = 0; i < 5; i++) {
        rows[i] = (struct comparison){
            .enough = i < 4, .p = p[i], .p_adjusted = 1, .log_ratio = 0.01, .ci_lo = 0.004, .ci_hi = 0.02};
        list[i] = &rows[i];
    }
    assert_true(
        compare_decide(list, 5, 0.005)); /* the fifth is no hypothesis: there is nothing to judge by */
    for (size_t i = 0; i < 4; i++) {
        check(fabs(rows[i].p_adjusted - want[i]) < 1e-12, "row %zu: %g", i, rows[i].p_adjusted);
        assert_int_equal(rows[i].outcome, want[i] <= 0.05 ? OUTCOME_SLOWER : OUTCOME_INCONCLUSIVE);
    }
    assert_int_equal(rows[4].outcome, OUTCOME_INCONCLUSIVE);
}

static void test_decisions(void **state)
{
    (void)state;
    const struct {
        double log_ratio, ci_lo, ci_hi, p;
        bool enough;
        enum outcome outcome;
        const char *reason;
    } cases[] = {
        {0.010, 0.008, 0.012, 1e-6, true, OUTCOME_SLOWER, NULL},
        {-0.010, -0.012, -0.008, 1e-6, true, OUTCOME_FASTER, NULL},
        {0.010, 0.008, 0.012, 1e-6, false, OUTCOME_INCONCLUSIVE, compare_few},   /* too few rounds */
        {0.010, 0.008, 0.012, 0.06, true, OUTCOME_INCONCLUSIVE, compare_chance}, /* may be chance */
        {0.010, -0.001, 0.021, 1e-6, true, OUTCOME_INCONCLUSIVE, compare_wide},  /* may be none */
        {0.004, 0.003, 0.0045, 1e-6, true, OUTCOME_SAME, NULL}, /* surely there, and too small to matter */
        {0.004, 0.003, 0.006, 1e-6, true, OUTCOME_INCONCLUSIVE, compare_wide}, /* may matter */
        {0.001, -0.001, 0.003, 0.5, true, OUTCOME_SAME, NULL},
        {0.001, -0.006, 0.003, 0.5, true, OUTCOME_INCONCLUSIVE, compare_wide},
        {0.001, -0.003, 0.006, 0.5, true, OUTCOME_INCONCLUSIVE, compare_wide},
        {NAN, NAN, NAN, 1, false, OUTCOME_INCONCLUSIVE, compare_few},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct comparison c = {.log_ratio = cases[i].log_ratio,
                               .ci_lo = cases[i].ci_lo,
                               .ci_hi = cases[i].ci_hi,
                               .p = cases[i].p,
                               .enough = cases[i].enough,
                               .reason = compare_few};
        struct comparison *const row = &c;
        assert_true(compare_decide(&row, 1, 0.005));
        check(c.outcome == cases[i].outcome, "case %zu: %s", i, outcome_names[c.outcome]);
        check(c.reason == cases[i].reason, "case %zu: %s", i, c.reason != NULL ? c.reason : "no reason");
    }
}

/* --- Finished runs --- */

static json_t *run_of(const char *microcode, double canary_cycles, const char *label, double ratio,
                      const char *flag)
{
    json_t *const flags = json_array();
    if (flag != NULL)
        json_array_append_new(flags, json_string(flag));
    json_t *const document = json_pack(
        "{s:{s:s, s:s}, s:{s:f}, s:[{s:s}], s:[{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:o, s:{s:s, s:f},"
        " s:{s:f, s:f, s:f}}]}",
        "machine", "cpu", "a CPU", "microcode", microcode, "run", "canary_cycles", canary_cycles, "subjects",
        "label", label, "results", "subject", label, "function", "sha3_256", "kind", "hash", "mode",
        "throughput", "ways", 1, "dst_len", 32, "src_len", 64, "n", 2000, "canary_ratio", ratio, "flags",
        flags, "value", "unit", "cpb", "median", 10 * ratio, "cycles", "median", 640 * ratio, "ci_lo",
        639 * ratio, "ci_hi", 641 * ratio);
    assert_non_null(document);
    return document;
}

/* Compares two; returns the outcome, and why it is inconclusive, or -1 and why not. */
static int outcome_of(json_t *base, json_t *test, const struct stored_request *request, char why[256])
{
    struct compare_result result = {0};
    int outcome = -1;
    if (stored_compare(base, test, request, &result, why, 256)) {
        assert_int_equal(result.count, 1);
        outcome = (int)result.rows[0].comparison.outcome;
        snprintf(why, 256, "%s", outcome == OUTCOME_INCONCLUSIVE ? result.rows[0].comparison.reason : "");
        free(result.rows);
    }
    json_decref(base);
    json_decref(test);
    return outcome;
}

static void test_stored(void **state)
{
    (void)state;
    const struct stored_request plain = {.min_effect = 0.02};
    char why[256] = "";
    assert_int_equal(outcome_of(run_of("1", 5000, "celer-auto-gcc12", 1, NULL),
                                run_of("1", 5010, "celer-auto-gcc13", 1.1, NULL), &plain, why),
                     OUTCOME_SLOWER);
    assert_int_equal(outcome_of(run_of("1", 5000, "celer-auto-gcc12", 1.1, NULL),
                                run_of("1", 5010, "celer-auto-gcc12", 1, "unsteady"), &plain, why),
                     OUTCOME_FASTER);
    assert_int_equal(outcome_of(run_of("1", 5000, "celer-auto-gcc12", 1.1, "unverified"),
                                run_of("1", 5010, "celer-auto-gcc12", 1, "unverified"), &plain, why),
                     OUTCOME_FASTER);
    assert_int_equal(
        outcome_of(run_of("1", 5000, "celer", 1, NULL), run_of("1", 5000, "celer", 1, NULL), &plain, why),
        OUTCOME_SAME);
    /* Runs of the same code differ by as much. */
    assert_int_equal(outcome_of(run_of("1", 5000, "celer", 1, NULL), run_of("1", 5000, "celer", 1.012, NULL),
                                &(struct stored_request){.min_effect = 0.005}, why),
                     OUTCOME_INCONCLUSIVE);
    assert_string_equal(why, "wide");
    assert_int_equal(outcome_of(run_of("1", 5000, "celer", 1, NULL),
                                run_of("1", 5000, "celer", 1.1, "contended"), &plain, why),
                     OUTCOME_INCONCLUSIVE);
    assert_string_equal(why, "contended");
    assert_int_equal(
        outcome_of(run_of("1", 5000, "celer", 1, "few"), run_of("1", 5000, "celer", 1.1, NULL), &plain, why),
        OUTCOME_INCONCLUSIVE);
    assert_int_equal(
        outcome_of(run_of("1", 5000, "celer", 1, NULL), run_of("2", 5000, "celer", 1, NULL), &plain, why),
        -1);
    check(strstr(why, "different machines (microcode: '1' and '2')") != NULL, "%s", why);
    assert_int_equal(
        outcome_of(run_of("1", 5000, "celer", 1, NULL), run_of("1", 9000, "celer", 1, NULL), &plain, why),
        -1);
    check(strstr(why, "canaries differ (5000 and 9000 cycles)") != NULL, "%s", why);
    assert_int_equal(
        outcome_of(run_of("1", 0, "celer", 1, NULL), run_of("1", 9000, "celer", 1, NULL), &plain, why), -1);
    check(strstr(why, "no canary in the first run") != NULL, "%s", why);
    const struct stored_request named = {.base = "cel", .test = "openssl", .min_effect = 0.02};
    assert_int_equal(outcome_of(run_of("1", 5000, "celer", 1, NULL),
                                run_of("1", 5000, "openssl-3", 1.1, NULL), &named, why),
                     OUTCOME_SLOWER);
    assert_int_equal(
        outcome_of(run_of("1", 5000, "celer", 1, NULL), run_of("1", 5000, "celer", 1, NULL), &named, why),
        -1);
    check(strstr(why, "no subject of the second run begins with 'openssl'; there are: celer") != NULL, "%s",
          why);
    const char *const functions[] = {"SHA3-256", "sha512"};
    const struct stored_request one = {.functions = functions, .function_count = 1, .min_effect = 0.02};
    const struct stored_request other = {.functions = functions + 1, .function_count = 1, .min_effect = 0.02};
    assert_int_equal(
        outcome_of(run_of("1", 5000, "celer", 1, NULL), run_of("1", 5000, "celer", 1.1, NULL), &one, why),
        OUTCOME_SLOWER);
    assert_int_equal(
        outcome_of(run_of("1", 5000, "celer", 1, NULL), run_of("1", 5000, "celer", 1.1, NULL), &other, why),
        -1);
    check(strstr(why, "no figure in common of what is selected") != NULL, "%s", why);
}

/* --- What is kept --- */

static int question(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int answer = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return answer;
}

/* Wrong: on a machine so busy that no trial counts, nothing written, and so no word of a history that is damaged. */
static void test_kept(void **state)
{
    (void)state;
    enum { MEASURED, DISTURBED, FAULTY, UNREACHED, ROWS };
    static const struct celer_provider provider = {
        .library = "planted", .version = "1", .compiler = "", .flags = ""};
    struct plan_subject subject = {.provider = &provider, .label = "celer-auto"};
    struct plan_row planned = {.function = "sha256"};
    const struct plan plan = {.subjects = &subject, .subject_count = 1, .rows = &planned, .row_count = 1};
    const struct pairs all = {.items = pairs, .count = ROWS};
    struct compare_row rows[ROWS];
    struct compare_result result = {.rows = rows, .count = ROWS, .min_effect = 0.005, .method = "paired"};
    struct pairing m = measure(ROWS, 1, 10, 1, false);
    for (size_t i = 0; i < ROWS; i++) {
        if (i != MEASURED)
            assert_true(compare_paired(&pairs[i].comparison, NULL, 0, 1));
        rows[i] = (struct compare_row){.function = "sha256",
                                       .kind = "hash",
                                       .mode = "throughput",
                                       .src_len = i,
                                       .rejected = i == DISTURBED ? 20 : 0,
                                       .fault = i == FAULTY ? "it does nothing" : NULL,
                                       .comparison = pairs[i].comparison};
    }
    char folder[] = "/tmp/test_compare.XXXXXX", path[64], why[1024];
    struct store *history;
    sqlite3 *db;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/bench.db", folder);
    assert_int_equal(store_open(&history, path, STORE_WRITE, why, sizeof why), STORE_OK);
    assert_true(keep_verdicts(history, &result, &plan, &all, &m));
    store_close(history);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(question(db, "SELECT count(*) FROM comparison"), 2);
    assert_int_equal(question(db, "SELECT count(*) FROM comparison WHERE src_len = 0 AND n >= 10 AND"
                                  " base_cycles > 0 AND ratio BETWEEN 0.99 AND 1.01 AND p IS NOT NULL"),
                     1);
    assert_int_equal(
        question(db, "SELECT count(*) FROM comparison WHERE src_len = 1 AND n = 0 AND rejected = 20"
                     " AND verdict = 'inconclusive' AND"
                     " coalesce(base_cycles, test_cycles, ratio, ci_lo, ci_hi, p, p_adjusted) IS NULL"),
        1);
    sqlite3_close(db);
    unlink(path);
    rmdir(folder);
    release(ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paired),
        cmocka_unit_test(test_lasting_states),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_stored),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_engine),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_figures_agree),
        cmocka_unit_test(test_few_trials),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_each_state),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_noise_is_noise),
        cmocka_unit_test(test_same_subject_twice),
        cmocka_unit_test(test_planted_difference),
        cmocka_unit_test(test_small_difference),
        cmocka_unit_test(test_coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
