/* clock.c: see clock.h. */
#include "clock.h"
#include <string.h>
#include "clock_counters.h"
#include "stats.h"
#include "yardstick.h"

/* --- Choice and calibration --- */

/* All counters, best first. libcpucycles is left alone where nothing is to be had from it, unless `ask_all`. */
static size_t counters_find(const struct clock_system *system, bool ask_all,
                            struct counter counters[COUNTERS])
{
    if (system == NULL)
        system = &clock_real_system;
    size_t n = counters_of_perf(system, counters);
    if (ask_all || counters[n - 1].read == NULL)
        n += counters_of_library(system, &counters[n]);
    return n + counters_of_time(&counters[n]);
}

double clock_cycles(const struct clock *clock, double span, double chain_ticks)
{
    return clock->counts_cycles ? span : span * clock->chain_cycles / chain_ticks;
}

static double time_chain(const struct clock *clock, void (*chain)(size_t), size_t hundreds)
{
    const uint64_t start = clock->read();
    chain(hundreds);
    return (double)(clock->read() - start) - clock->cost;
}

double clock_chain(const struct clock *clock)
{
    return time_chain(clock, chain_multiply, clock->chain_hundreds);
}

double clock_canary(const struct clock *clock)
{
    return time_chain(clock, canary, clock->canary_hundreds) * CLOCK_CANARY_HUNDREDS /
           (double)clock->canary_hundreds;
}

/* Ticks per second; on the way, the core leaves its sleep and comes up to its speed. */
static void calibrate_rate(struct clock *clock)
{
    const uint64_t warm_ns = 20000000, measured_ns = 50000000;
    const uint64_t begin = monotonic_read();
    while (monotonic_read() - begin < warm_ns)
        chain_multiply(10);
    uint64_t start, end, start_ticks, end_ticks;
    do { /* again when a counter of few bits has begun anew */
        start = monotonic_read();
        start_ticks = clock->read();
        do {
            chain_multiply(10);
            end = monotonic_read();
        } while (end - start < measured_ns);
        end_ticks = clock->read();
    } while (end_ticks < start_ticks);
    clock->hz = (double)(end_ticks - start_ticks) * 1e9 / (double)(end - start);
}

#define READINGS 501

/* A counter that counts time may advance in steps of many ticks, which no reading can divide. */
static void calibrate_reading(struct clock *clock)
{
    double cost[READINGS];
    clock->step = 0;
    for (size_t i = 0; i < READINGS; i++) {
        const uint64_t start = clock->read();
        cost[i] = (double)(clock->read() - start);
        if (cost[i] > 0 && (clock->step == 0 || cost[i] < clock->step))
            clock->step = cost[i];
    }
    if (clock->step == 0) { /* so coarse that it never moved */
        const uint64_t start = clock->read();
        uint64_t now;
        do
            now = clock->read();
        while (now == start);
        clock->step = (double)(now - start);
    }
    if (clock->counts_cycles) /* by one; what was seen is the cost of reading */
        clock->step = 1;
    clock->cost = stats_median(cost, READINGS);
}

/* Least length of what is timed, so that its error is small: in ticks; in steps, when the counter advances by more
   than one tick; and in cycles, for the cost of reading. */
#define MIN_TICKS  1000
#define MIN_STEPS  400
#define MIN_CYCLES 10000

#define TOLERANCE 0.01

/* Median of the ratio of chain_multiply to chain_logic; 0 when the two never held still. */
static double chain_ratio(const struct clock *clock)
{
    enum { WANTED = 15, TRIES = 100 };
    double ratio[WANTED];
    size_t n = 0;
    const size_t hundreds = clock->chain_hundreds;
    for (size_t i = 0; i < TRIES && n < WANTED; i++) {
        const double before = time_chain(clock, chain_multiply, hundreds);
        const double logic = time_chain(clock, chain_logic, 3 * hundreds) / 3;
        const double after = time_chain(clock, chain_multiply, hundreds);
        if (before > 0 && logic > 0 && after < before * (1 + TOLERANCE) && before < after * (1 + TOLERANCE))
            ratio[n++] = (before + after) / 2 / logic;
    }
    return n == WANTED ? stats_median(ratio, n) : 0;
}

static bool near(double value, double expected)
{
    return value > expected * (1 - TOLERANCE) && value < expected * (1 + TOLERANCE);
}

/* The cost of a multiplication: known, or the whole number of logical operations that takes as long. Either way two
   different chains have to agree before either is believed. */
static void calibrate_chain(struct clock *clock)
{
    double ratio = 0, cycles = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        ratio = chain_ratio(clock);
        cycles = chain_multiply_cycles != 0 ? chain_multiply_cycles : (double)(long)(ratio + 0.5);
        if (cycles >= 1 && near(ratio, cycles))
            break;
    }
    clock->multiply_cycles = cycles >= 1 ? cycles : 1;
    clock->chain_cycles = 100 * clock->multiply_cycles * (double)clock->chain_hundreds;
    if (!chain_is_exact) {
        clock->estimated = !clock->counts_cycles;
        if (clock->estimated)
            snprintf(clock->doubt, sizeof clock->doubt,
                     "on this architecture no sequence of known cost is known to celer");
    } else if (!near(ratio, clock->multiply_cycles)) {
        clock->estimated = true;
        snprintf(
            clock->doubt, sizeof clock->doubt,
            "two sequences of known cost disagree: one multiplication takes as long as %.2f logical operations",
            ratio);
    }
}

/* Does a counter of cycles count them? In a virtual machine it may count something else. */
static void cross_check_counter(struct clock *clock)
{
    enum { CHAINS = 25 };
    double ticks[CHAINS];
    for (size_t i = 0; i < CHAINS; i++)
        ticks[i] = clock_chain(clock);
    const double each = stats_median(ticks, CHAINS) / (100.0 * (double)clock->chain_hundreds);
    if (clock->counts_cycles && chain_is_exact && !clock->estimated && !near(each, clock->multiply_cycles)) {
        clock->estimated = true;
        snprintf(clock->doubt, sizeof clock->doubt,
                 "the counter says %.2f cycles for a multiplication, not %.0f", each, clock->multiply_cycles);
    }
    clock->core_hz = clock->counts_cycles ? clock->hz : clock->hz * clock->multiply_cycles / each;
}

/* Chains and canary of about the least length worth timing. */
static void calibrate_lengths(struct clock *clock)
{
    double ticks = 0;
    for (int i = 0; i < 5; i++) { /* the fastest of a few: none of them was interrupted */
        const double t = time_chain(clock, chain_multiply, 100) / 100;
        ticks = i == 0 || t < ticks ? t : ticks;
    }
    if (ticks <= 0)
        ticks = 1;
    const double least_hundreds = MIN_CYCLES / 300.0;
    clock->min_span = MIN_STEPS * clock->step > MIN_TICKS ? MIN_STEPS * clock->step : MIN_TICKS;
    if (clock->min_span < least_hundreds * ticks)
        clock->min_span = least_hundreds * ticks;
    clock->chain_hundreds = (size_t)(clock->min_span / ticks) + 1;
    /* half as long as the chain on a core that does five additions a cycle; longer on others */
    clock->canary_hundreds = clock->chain_hundreds * 15 / 2;
}

void clock_open(struct clock *clock, const struct clock_system *system)
{
    struct counter counters[COUNTERS];
    memset(clock, 0, sizeof *clock);
    counters_find(system, false, counters);
    const struct counter *best = counters;
    while (best->read == NULL) /* the last can always be read */
        best++;
    clock->name = best->name;
    clock->version = best->version;
    clock->read = best->read;
    clock->counts_cycles = best->counts_cycles;
    if (!clock->counts_cycles)
        snprintf(clock->missing, sizeof clock->missing, "%s", counters[0].why);
    calibrate_rate(clock);
    calibrate_reading(clock);
    calibrate_lengths(clock);
    calibrate_chain(clock);
    if (!clock->estimated && best->doubt != NULL) {
        clock->estimated = true;
        snprintf(clock->doubt, sizeof clock->doubt, "%s", best->doubt);
    }
    cross_check_counter(clock);
}

void clock_close(void)
{
    perf_close();
}

void clock_describe(FILE *to, const struct clock_system *system)
{
    struct counter counters[COUNTERS];
    const size_t n = counters_find(system, true, counters);
    bool used = false;
    for (size_t i = 0; i < n; i++) {
        const struct counter *const c = &counters[i];
        fprintf(to, "  %-18s ", c->title);
        if (c->read == NULL) {
            fprintf(to, "not available: %s\n",
                    i > 0 && strcmp(c->why, counters[i - 1].why) == 0 ? "the same" : c->why);
            continue;
        }
        fprintf(to, "%s: counts %s", used ? "available" : "used",
                c->counts_cycles ? "core cycles" : "time, scaled to cycles by a chain of known cost");
        if (c->name != c->title)
            fprintf(to, ": %s of version %s", c->name, c->version);
        putc('\n', to);
        used = true;
    }
    perf_close();
}

/* Median cycles of one step in a million, each time with chains of the usual length on either side. */
static double self_test_cycles(const struct clock *clock, void (*chain)(size_t))
{
    enum { WANTED = 25, TRIES = 2000, HUNDREDS = 10000 };
    double cycles[WANTED];
    size_t n = 0;
    for (size_t i = 0; i < TRIES && n < WANTED; i++) {
        const double before = clock_chain(clock);
        const double span = time_chain(clock, chain, HUNDREDS);
        const double after = clock_chain(clock);
        if (after < before * (1 + TOLERANCE) && before < after * (1 + TOLERANCE))
            cycles[n++] = clock_cycles(clock, span, (before + after) / 2) / (100.0 * HUNDREDS);
    }
    return n == WANTED ? stats_median(cycles, n) : 0;
}

bool clock_self_test(const struct clock *clock, FILE *to)
{
    const double multiply = self_test_cycles(clock, chain_multiply);
    const double logic = self_test_cycles(clock, chain_logic);
    const bool multiply_good = near(multiply, clock->multiply_cycles), logic_good = near(logic, 1);
    fprintf(to, "counter: %s, %s\n", clock->name,
            clock->counts_cycles ? "core cycles" : "time, scaled by a chain of dependent multiplications");
    fprintf(to, "1000000 dependent multiplications: %.3f cycles each, expected %.2f: %s\n", multiply,
            clock->multiply_cycles, multiply_good ? "ok" : "WRONG");
    fprintf(to, "1000000 dependent logical operations: %.3f cycles each, expected 1.00: %s\n", logic,
            logic_good ? "ok" : "WRONG");
    if (clock->estimated)
        fprintf(to, "cycles are estimated: %s\n", clock->doubt);
    return multiply_good && logic_good && !clock->estimated;
}
