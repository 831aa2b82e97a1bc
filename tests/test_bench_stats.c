/* test_bench_stats.c: the statistics of the bench, on numbers whose answers are known. */
#include "support.h"
#include <math.h>
#include "bench/prng.h"
#include "bench/stats.h"

static void check_near(double got, double want)
{
    check(fabs(got - want) < 1e-9, "got %.12g, want %.12g", got, want);
}

static void test_quantile(void **state)
{
    (void)state;
    const double four[] = {1, 2, 4, 8}, one[] = {5};
    check_near(stats_quantile(four, 4, 0), 1);
    check_near(stats_quantile(four, 4, 1), 8);
    check_near(stats_quantile(four, 4, 0.5), 3);
    check_near(stats_quantile(four, 4, 0.1), 1.3);
    check_near(stats_quantile(four, 4, 0.75), 5);
    check_near(stats_quantile(one, 1, 0.1), 5);
    check_near(stats_quantile(one, 1, 1), 5);
    double odd[] = {9, 1, 5};
    check_near(stats_median(odd, 3), 5);
    double even[] = {9, 1, 5, 6};
    check_near(stats_median(even, 4), 5.5);
}

/* Wrong: a mean somewhere, which one sample can move anywhere. */
static void test_outlier(void **state)
{
    (void)state;
    struct stats_value values[101];
    struct stats s;
    for (uint32_t i = 0; i < 101; i++)
        values[i] = (struct stats_value){100 - i, i};
    values[50].value = 1e12;
    assert_true(stats_summarize(&s, values, 101, 1));
    assert_int_equal(s.n, 101);
    check_near(s.median, 51);
    check_near(s.min, 0);
    check_near(s.p10, 10);
    check_near(s.q1, 25);
    check_near(s.q3, 76);
    check_near(s.mad, 26);
    check(s.ci_lo > 30 && s.ci_lo < s.median && s.ci_hi > s.median && s.ci_hi < 70, "interval %g to %g",
          s.ci_lo, s.ci_hi);
}

static void test_single(void **state)
{
    (void)state;
    struct stats s;
    struct stats_value one = {7, 3};
    assert_true(stats_summarize(&s, &one, 1, 1));
    const double all[] = {s.median, s.min, s.p10, s.q1, s.q3, s.ci_lo, s.ci_hi};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_near(all[i], 7);
    check_near(s.mad, 0);
    struct stats_value round[] = {{3, 0}, {1, 0}, {2, 0}};
    assert_true(stats_summarize(&s, round, 3, 1));
    check_near(s.ci_lo, 1); /* one round says nothing of the next */
    check_near(s.ci_hi, 3);
}

static double interval_width(double noise_of_value, double noise_of_round, uint64_t seed)
{
    struct stats_value values[1000];
    struct stats s, again;
    uint64_t random = 99;
    double shift = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        if (i % 10 == 0)
            shift = noise_of_round * (double)prng_below(&random, 1000);
        values[i] =
            (struct stats_value){1e6 + shift + noise_of_value * (double)prng_below(&random, 1000), i / 10};
    }
    assert_true(stats_summarize(&s, values, 1000, seed));
    assert_true(stats_summarize(&again, values, 1000, seed));
    check(s.ci_lo <= s.median && s.median <= s.ci_hi, "%g is outside %g to %g", s.median, s.ci_lo, s.ci_hi);
    check_near(s.ci_lo, again.ci_lo);
    check_near(s.ci_hi, again.ci_hi);
    return s.ci_hi - s.ci_lo;
}

/* Wrong: samples of one round taken for independent ones. What all samples of a round have in common must
   widen the interval about as much as the rounds are fewer than the samples: sqrt(10) here. */
static void test_interval_is_of_rounds(void **state)
{
    (void)state;
    const double independent = interval_width(1, 0, 5), common = interval_width(0, 1, 5);
    check(independent > 20 && independent < 120, "independent: %g", independent);
    check(common > 2 * independent, "in common: %g, independent: %g", common, independent);
}

/* The truth lies in 95 % intervals about 95 times of 100. */
static void test_coverage(void **state)
{
    (void)state;
    uint64_t random = 7;
    int covered = 0;
    for (int run = 0; run < 300; run++) {
        struct stats_value values[200];
        struct stats s;
        for (uint32_t i = 0; i < 200; i++)
            values[i] = (struct stats_value){(double)prng_below(&random, 100001), i};
        assert_true(stats_summarize(&s, values, 200, (uint64_t)run));
        covered += s.ci_lo <= 50000 && 50000 <= s.ci_hi;
    }
    check(covered >= 273 && covered <= 297, "%d of 300", covered);
}

/* Cycles of a function of blocks: a + b * blocks. */
static double cost_of(size_t len, size_t block_len, size_t padding)
{
    return 100 + 1000.0 * (double)((len + padding) / block_len + 1);
}

/* Wrong: the steps that blocks make taken for a glitch. */
static void test_steps_are_in_line(void **state)
{
    (void)state;
    static const size_t lens[][5] = {{64, 256, 1024, 4096, 16384},
                                     {135, 136, 137, 270, 271},
                                     {1, 2, 3, 1000, 1001},
                                     {71, 72, 143, 144, 145},
                                     {100, 136, 200, 300, 10000}};
    static const size_t blocks[][2] = {{144, 0}, {136, 0}, {104, 0}, {72, 0}, {168, 0}, {64, 8}};
    for (size_t l = 0; l < sizeof lens / sizeof lens[0]; l++)
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
            double cost[5];
            for (size_t i = 0; i < 5; i++)
                cost[i] = cost_of(lens[l][i], blocks[b][0], blocks[b][1]);
            for (size_t i = 0; i < 5; i++)
                check(!stats_out_of_line(lens[l], cost, 5, i, blocks[b][0]),
                      "lengths %zu, block %zu, index %zu", l, blocks[b][0], i);
        }
}

/* The published table of another library, SHA3-512 on a Raspberry Pi 5: 18.9, 25.3, 17.9 cycles per byte. */
static void test_glitch(void **state)
{
    (void)state;
    static const size_t lens[] = {64, 256, 1024, 4096, 16384};
    double cost[] = {64 * 19.2, 256 * 18.9, 1024 * 25.3, 4096 * 17.9, 16384 * 17.7};
    for (size_t i = 0; i < 5; i++)
        check(stats_out_of_line(lens, cost, 5, i, 72) == (i == 2), "index %zu", i);
    cost[2] = 1024 * 18.2;
    for (size_t i = 0; i < 5; i++)
        check(!stats_out_of_line(lens, cost, 5, i, 72), "mended, index %zu", i);
    cost[0] = 64 * 90.0; /* more than four times the length takes */
    assert_true(stats_out_of_line(lens, cost, 5, 0, 72));
    cost[0] = 0; /* unknown */
    assert_false(stats_out_of_line(lens, cost, 5, 0, 72));
    assert_false(stats_out_of_line(lens, cost, 5, 1, 72));
}

int main(void)
{
    struct suite suite = {0};
    suite_add(&suite, test_quantile, NULL, "quantiles");
    suite_add(&suite, test_outlier, NULL, "an outlier moves nothing");
    suite_add(&suite, test_single, NULL, "one value, one round");
    suite_add(&suite, test_interval_is_of_rounds, NULL, "the interval is drawn from rounds");
    suite_add(&suite, test_coverage, NULL, "the interval covers the truth");
    suite_add(&suite, test_steps_are_in_line, NULL, "steps of blocks are in line");
    suite_add(&suite, test_glitch, NULL, "a glitch is out of line");
    return suite_run(&suite, "bench/stats");
}
