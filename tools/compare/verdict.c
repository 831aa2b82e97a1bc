/* verdict.c: see verdict.h. */
#include "verdict.h"
#include <math.h>
#include <stdlib.h>

const char *const outcome_names[OUTCOME_COUNT] = {"faster", "slower", "same", "inconclusive"};

const char compare_few[] = "few", compare_disturbed[] = "disturbed", compare_wide[] = "wide",
           compare_chance[] = "chance";

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

struct trial_logs trial_logs(const struct sample trial[TRIAL_SAMPLES], const struct clock *clock)
{
    const double base = (log_cycles(&trial[0], clock) + log_cycles(&trial[1], clock)) / 2;
    const double test = (log_cycles(&trial[2], clock) + log_cycles(&trial[3], clock)) / 2;
    return (struct trial_logs){.ratio = test - base, .level = (base + test) / 2};
}

/* --- One row --- */

static const struct comparison unknown = {.log_ratio = NAN,
                                          .ci_lo = NAN,
                                          .ci_hi = NAN,
                                          .p = 1,
                                          .p_adjusted = 1,
                                          .outcome = OUTCOME_INCONCLUSIVE,
                                          .reason = compare_few};

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

/* Of a difference as great as this where there is none, by the width of its interval. */
static double p_of_interval(const struct comparison *c)
{
    const double deviation = (c->ci_hi - c->ci_lo) / (2 * NORMAL_95);
    return deviation > 0 ? erfc(fabs(c->log_ratio) / deviation / sqrt(2)) : c->log_ratio != 0 ? 0 : 1;
}

/* Of bootstraps over 1, 2, 4 ... rounds in a row at a time, the widest interval, as long as there are enough of these to
   draw from. What lasts for several rounds makes them alike, and an interval over single ones too narrow. */
static bool find_interval(struct comparison *c, struct stats_value *values, size_t n, size_t rounds,
                          uint64_t seed)
{
    struct stats stats;
    c->ci_lo = INFINITY;
    c->ci_hi = -INFINITY;
    for (size_t blocks = rounds;; blocks /= 2) {
        if (!stats_summarize(&stats, values, n, seed))
            return false;
        if (!(stats.ci_hi - stats.ci_lo <= c->ci_hi - c->ci_lo)) {
            c->ci_lo = stats.ci_lo;
            c->ci_hi = stats.ci_hi;
        }
        if (blocks / 2 < COMPARE_MIN_ROUNDS)
            break;
        for (size_t i = 0; i < n; i++)
            values[i].round /= 2;
    }
    c->log_ratio = stats.median;
    return true;
}

bool compare_paired(struct comparison *c, struct stats_value *values, size_t n, uint64_t seed)
{
    size_t above, below;
    *c = unknown;
    c->n = n;
    if (n == 0)
        return true;
    const size_t rounds = count_rounds(values, n, &above, &below);
    if (!find_interval(c, values, n, rounds, seed))
        return false;
    const double p = p_of_interval(c), by_sign = sign_test(above, below);
    c->enough = rounds >= COMPARE_MIN_ROUNDS;
    c->p = c->p_adjusted = by_sign > p ? by_sign : p;
    return true;
}

void compare_stored(struct comparison *c, const struct stored_figure *base, const struct stored_figure *test)
{
    *c = unknown;
    c->n = base->n < test->n ? base->n : test->n;
    const char *const doubt = base->doubt != NULL ? base->doubt : test->doubt;
    if (doubt != NULL)
        c->reason = doubt;
    if (!(base->canary_ratio > 0) || !(test->canary_ratio > 0))
        return;
    const double own = hypot(base->spread, test->spread) / (2 * NORMAL_95);
    const double deviation = hypot(own, COMPARE_RUN_SPREAD);
    c->log_ratio = log(test->canary_ratio / base->canary_ratio);
    c->ci_lo = c->log_ratio - NORMAL_95 * deviation;
    c->ci_hi = c->log_ratio + NORMAL_95 * deviation;
    c->enough = doubt == NULL && isfinite(deviation);
    c->p = c->p_adjusted = isfinite(deviation) ? p_of_interval(c) : 1;
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

static enum outcome outcome_of(const struct comparison *c, double effect)
{
    const bool surely = c->enough && c->p_adjusted <= SIGNIFICANT;
    if (surely && c->log_ratio >= effect && c->ci_lo > 0)
        return OUTCOME_SLOWER;
    if (surely && c->log_ratio <= -effect && c->ci_hi < 0)
        return OUTCOME_FASTER;
    return c->enough && c->ci_lo > -effect && c->ci_hi < effect ? OUTCOME_SAME : OUTCOME_INCONCLUSIVE;
}

static void decide(struct comparison *c, double effect)
{
    c->outcome = outcome_of(c, effect);
    if (c->enough) {
        const bool apart = fabs(c->log_ratio) >= effect && (c->ci_lo > 0 || c->ci_hi < 0);
        c->reason = c->outcome != OUTCOME_INCONCLUSIVE ? NULL : apart ? compare_chance : compare_wide;
    }
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
        decide(rows[i], log1p(min_effect));
    free(sorted);
    return true;
}
