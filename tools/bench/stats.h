/* stats.h: order statistics. Pure functions: the same values give the same answer. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stats {
    size_t n;
    double median, min, p10, q1, q3;
    double mad;          /* median of the distances to the median */
    double ci_lo, ci_hi; /* 95 % confidence interval of the median */
};

/* A value, and the round in which it was measured: values of one round share what disturbed them. */
struct stats_value {
    double value;
    uint32_t round;
};

/* Quantile p (0 .. 1) of n >= 1 ascending values, interpolated between neighbours. */
double stats_quantile(const double *sorted, size_t n, double p);

/* Median of n >= 1 values, which are sorted on the way. */
double stats_median(double *values, size_t n);

/* Everything about n >= 1 values, which are sorted on the way; false when out of memory. The confidence interval is
   a bootstrap over rounds: whole rounds are drawn, with repetition, as often as there are rounds. One round alone
   gives least and greatest value. */
bool stats_summarize(struct stats *stats, struct stats_value *values, size_t n, uint64_t seed);

/* Lengths of a row of a table, and what a call took at each (any unit of time; 0: unknown): whether that of index i is
   out of line with its neighbours, by more than the steps of a function that works on blocks of block_len bytes. */
bool stats_out_of_line(const size_t *len, const double *cost, size_t n, size_t i, size_t block_len);
#endif
