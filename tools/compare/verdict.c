/* verdict.c: see verdict.h. */
#include "verdict.h"
#include <math.h>
#include <stdlib.h>

const char *const outcome_names[OUTCOME_COUNT] = {"faster", "slower", "same", "inconclusive"};

#define SIGNIFICANT 0.05
#define NORMAL_95   1.959964 /* quantile 0.975 of the normal distribution */

/* --- Trials --- */

bool trial_counts(const struct sample trial[TRIAL_SAMPLES], const struct clock *clock, double canary_floor)
{
    for (size_t i = 0; i < TRIAL_SAMPLES; i++)
        if (!(trial[i].span > 0) || sample_judge(&trial[i], clock, canary_floor) != SAMPLE_GOOD)
            return false;
    return true;
}

static double log_cycles(const struct sample *s, const struct clock *clock)
{
    return log(clock_cycles(clock, s->span, ((double)s->chain[0] + (double)s->chain[1]) / 2));
}

double trial_log_ratio(const struct sample trial[TRIAL_SAMPLES], const struct clock *clock)
{
    return (log_cycles(&trial[2], clock) + log_cycles(&trial[3], clock) - log_cycles(&trial[0], clock) -
            log_cycles(&trial[1], clock)) /
           2;
}

/* --- One row --- */

static const struct comparison unknown = {
    .log_ratio = NAN, .ci_lo = NAN, .ci_hi = NAN, .p = 1, .p_adjusted = 1, .outcome = OUTCOME_INCONCLUSIVE};

/* Two-sided probability that of a + b fair coins at most the lesser of a and b, or at least the greater, are heads. */
static double sign_test(size_t a, size_t b)
{
    const double n = (double)(a + b);
    double tail = 0;
    for (size_t k = a > b ? a : b; k <= a + b; k++)
        tail += exp(lgamma(n + 1) - lgamma((double)k + 1) - lgamma(n - (double)k + 1) - n * log(2));
    return 2 * tail < 1 ? 2 * tail : 1;
}

static int by_round(const void *a, const void *b)
{
    const struct stats_value *x = a, *y = b;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Rounds whose median is above and below 0. */
static size_t count_rounds(struct stats_value *values, size_t n, size_t *above, size_t *below)
{
    size_t rounds = 0;
    *above = *below = 0;
    qsort(values, n, sizeof *values, by_round);
    for (size_t first = 0, end; first < n; first = end, rounds++) {
        for (end = first + 1; end < n && values[end].round == values[first].round; end++)
            ;
        const double median =
            (values[first + (end - first - 1) / 2].value + values[first + (end - first) / 2].value) / 2;
        *above += median > 0;
        *below += median < 0;
    }
    return rounds;
}

bool compare_paired(struct comparison *c, struct stats_value *values, size_t n, uint64_t seed)
{
    struct stats stats;
    size_t above, below;
    *c = unknown;
    c->n = n;
    if (n == 0)
        return true;
    if (!stats_summarize(&stats, values, n, seed))
        return false;
    c->log_ratio = stats.median;
    c->ci_lo = stats.ci_lo;
    c->ci_hi = stats.ci_hi;
    c->enough = count_rounds(values, n, &above, &below) >= COMPARE_MIN_ROUNDS;
    c->p = c->p_adjusted = sign_test(above, below);
    return true;
}

void compare_stored(struct comparison *c, const struct stored_figure *base, const struct stored_figure *test)
{
    *c = unknown;
    c->n = base->n < test->n ? base->n : test->n;
    if (!(base->canary_ratio > 0) || !(test->canary_ratio > 0))
        return;
    const double own = hypot(base->spread, test->spread) / (2 * NORMAL_95);
    const double deviation = hypot(own, COMPARE_RUN_SPREAD);
    c->log_ratio = log(test->canary_ratio / base->canary_ratio);
    c->ci_lo = c->log_ratio - NORMAL_95 * deviation;
    c->ci_hi = c->log_ratio + NORMAL_95 * deviation;
    c->enough = !base->doubtful && !test->doubtful && isfinite(deviation);
    c->p = c->p_adjusted = isfinite(deviation) ? erfc(fabs(c->log_ratio) / deviation / sqrt(2)) : 1;
}

bool compare_is_wide(const struct comparison *c, double min_effect)
{
    return !c->enough || c->ci_hi - c->ci_lo > log1p(min_effect);
}

/* --- All rows --- */

static int by_p(const void *a, const void *b)
{
    const struct comparison *x = *(struct comparison *const *)a, *y = *(struct comparison *const *)b;
    return (x->p > y->p) - (x->p < y->p);
}

/* Holm: the least p is multiplied by the number of hypotheses, the next by one less, and so on; none ends up below
   the one before it. */
static void adjust(struct comparison **sorted, size_t n)
{
    double least = 0;
    for (size_t i = 0; i < n; i++) {
        const double p = sorted[i]->p * (double)(n - i);
        least = p > least ? p : least;
        sorted[i]->p_adjusted = least < 1 ? least : 1;
    }
}

static enum outcome decide(const struct comparison *c, double effect)
{
    if (!c->enough)
        return OUTCOME_INCONCLUSIVE;
    if (c->p_adjusted <= SIGNIFICANT && c->log_ratio >= effect && c->ci_lo > 0)
        return OUTCOME_SLOWER;
    if (c->p_adjusted <= SIGNIFICANT && c->log_ratio <= -effect && c->ci_hi < 0)
        return OUTCOME_FASTER;
    return c->ci_lo > -effect && c->ci_hi < effect ? OUTCOME_SAME : OUTCOME_INCONCLUSIVE;
}

bool compare_decide(struct comparison *const *rows, size_t n, double min_effect)
{
    struct comparison **const sorted = malloc((n + 1) * sizeof *sorted);
    size_t judged = 0;
    if (sorted == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        if (rows[i]->enough)
            sorted[judged++] = rows[i];
    qsort(sorted, judged, sizeof *sorted, by_p);
    adjust(sorted, judged);
    for (size_t i = 0; i < n; i++)
        rows[i]->outcome = decide(rows[i], log1p(min_effect));
    free(sorted);
    return true;
}
