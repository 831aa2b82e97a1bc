/* stats.c: see stats.h. */
#include "stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "prng.h"

double stats_quantile(const double *sorted, size_t n, double p)
{
    const double at = p * (double)(n - 1);
    const size_t below = (size_t)at;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare_doubles);
    return stats_quantile(values, n, 0.5);
}

static int compare_values(const void *a, const void *b)
{
    const struct stats_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->round > y->round) - (x->round < y->round);
}

/* Medians of resamples. Instead of building a resample, each round gets a weight, the number of times it was drawn;
   the median is where half of the weight has gone by in the sorted values. */
static bool bootstrap(struct stats *stats, const struct stats_value *sorted, size_t n, uint64_t seed)
{
    size_t rounds = 0;
    for (size_t i = 0; i < n; i++)
        if (sorted[i].round >= rounds)
            rounds = (size_t)sorted[i].round + 1;
    const size_t resamples = n > 100000 ? 200 : 1000;
    uint32_t *const weight = calloc(rounds, sizeof *weight), *const size = calloc(rounds, sizeof *size);
    uint32_t *const present = calloc(rounds, sizeof *present);
    double *const medians = calloc(resamples, sizeof *medians);
    const bool ok = weight != NULL && size != NULL && present != NULL && medians != NULL;
    if (ok) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            size[sorted[i].round]++;
        for (size_t i = 0; i < rounds; i++)
            if (size[i] > 0)
                present[count++] = (uint32_t)i;
        for (size_t r = 0; r < resamples; r++) {
            uint64_t total = 0, seen = 0;
            memset(weight, 0, rounds * sizeof *weight);
            for (size_t i = 0; i < count; i++) {
                const uint32_t drawn = present[prng_below(&seed, count)];
                weight[drawn]++;
                total += size[drawn];
            }
            size_t i = 0;
            while ((seen += weight[sorted[i].round]) * 2 < total)
                i++;
            medians[r] = sorted[i].value;
        }
        qsort(medians, resamples, sizeof *medians, compare_doubles);
        stats->ci_lo = count > 1 ? stats_quantile(medians, resamples, 0.025) : stats->min;
        stats->ci_hi = count > 1 ? stats_quantile(medians, resamples, 0.975) : sorted[n - 1].value;
    }
    free(weight);
    free(size);
    free(present);
    free(medians);
    return ok;
}

bool stats_summarize(struct stats *stats, struct stats_value *values, size_t n, uint64_t seed)
{
    double *const plain = malloc(n * sizeof *plain);
    if (plain == NULL)
        return false;
    qsort(values, n, sizeof *values, compare_values);
    for (size_t i = 0; i < n; i++)
        plain[i] = values[i].value;
    stats->n = n;
    stats->median = stats_quantile(plain, n, 0.5);
    stats->min = plain[0];
    stats->p10 = stats_quantile(plain, n, 0.1);
    stats->q1 = stats_quantile(plain, n, 0.25);
    stats->q3 = stats_quantile(plain, n, 0.75);
    for (size_t i = 0; i < n; i++)
        plain[i] = fabs(plain[i] - stats->median);
    stats->mad = stats_median(plain, n);
    free(plain);
    return bootstrap(stats, values, n, seed);
}

/* A function that works on blocks costs a + b * ceil(length / block): against the straight line between two of its
   points a third one in between can be off by less than one block. What is off by more, and by more than a tenth, was
   not measured alike. A longer input that is cheaper by more than a twentieth was not either. */
bool stats_out_of_line(const size_t *len, const double *cost, size_t n, size_t i, size_t block_len)
{
    const bool before = i > 0 && cost[i - 1] > 0, after = i + 1 < n && cost[i + 1] > 0;
    if (!(cost[i] > 0))
        return false;
    if (before && len[i - 1] < len[i] && cost[i] < cost[i - 1] * 0.95)
        return true;
    if (after && len[i] < len[i + 1] && cost[i] * 0.95 > cost[i + 1])
        return true;
    if (!before || !after || !(len[i - 1] < len[i] && len[i] < len[i + 1]))
        return false;
    const double slope = (cost[i + 1] - cost[i - 1]) / (double)(len[i + 1] - len[i - 1]);
    const double line = cost[i - 1] + slope * (double)(len[i] - len[i - 1]);
    const double off = fabs(cost[i] - line);
    return off > 0.1 * line && off > 1.1 * fabs(slope) * (double)block_len;
}
