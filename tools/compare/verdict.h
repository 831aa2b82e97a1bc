/* verdict.h: which of two is faster. Pure functions: the same numbers give the same answer.

   A trial is four samples: base, test, test, base, or the other way round. Whatever changes evenly during a trial
   weighs on both alike. Trials of one round share what disturbed them, and what lasts longer is shared by several rounds
   in a row: so those are what counts as independent. */
#ifndef COMPARE_VERDICT_H
#define COMPARE_VERDICT_H
#include "bench/measure.h"

/* Samples of a trial, in whatever order they were taken: base, base, test, test. */
#define TRIAL_SAMPLES 4

/* Whether all of them count. */
bool trial_counts(const struct sample trial[TRIAL_SAMPLES], const struct clock *clock, double canary_floor);

/* Natural logarithms: of what test takes, divided by what base takes; and of the geometric mean of both, in cycles. */
struct trial_logs {
    double ratio, level;
};
struct trial_logs trial_logs(const struct sample trial[TRIAL_SAMPLES], const struct clock *clock);

enum outcome { OUTCOME_FASTER, OUTCOME_SLOWER, OUTCOME_SAME, OUTCOME_INCONCLUSIVE, OUTCOME_COUNT };
extern const char *const outcome_names[OUTCOME_COUNT];

struct comparison {
    size_t n;             /* trials that count, or samples of the smaller stored result */
    bool enough;          /* there is something to judge by; else the verdict is open */
    double log_ratio;     /* of test to base; NAN: unknown */
    double ci_lo, ci_hi;  /* its 95 % confidence interval, for this row alone */
    double p;             /* of the hypothesis that there is no difference */
    double p_adjusted;    /* for the number of rows (Holm 1979) */
    enum outcome outcome; /* of test */
    const char *
        reason; /* of an inconclusive one, in a word that lives as long as the program or what was compared; if
                             there is not enough, before the verdict. Else NULL */
};

/* Reasons: too few trials, or too many of them rejected; an interval that holds both no difference and one that matters;
   a difference that p_adjusted lets chance explain. A stored result adds its flags, "contended" and the like. */
extern const char compare_few[], compare_disturbed[], compare_wide[], compare_chance[];

/* The median of the log ratios; a bootstrap interval over rounds, or over as many rounds in a row as make it widest; and
   as p the greater of the sign test of the rounds' medians and of what the interval says. Sorts values and changes their
   rounds. False when out of memory. */
bool compare_paired(struct comparison *comparison, struct stats_value *values, size_t n, uint64_t seed);

/* Least number of rounds that say anything: with fewer the interval is drawn from too little. */
#define COMPARE_MIN_ROUNDS 10

/* A result of a finished run, in canaries that ran beside it. */
struct stored_figure {
    double canary_ratio;
    double spread; /* of the median: log(ci_hi / ci_lo) of its 95 % interval */
    size_t n;
    const char *doubt; /* NULL, or why it must not be judged by: "contended" */
};

/* Standard deviation of the difference between runs of the same code, beyond what each run sees of itself: they
   differ by less than 1.5 % in nine of ten rows. */
#define COMPARE_RUN_SPREAD 0.0091

void compare_stored(struct comparison *comparison, const struct stored_figure *base,
                    const struct stored_figure *test);

/* The verdicts of all rows of a table. A row is faster or slower when the difference is at least min_effect (0.005:
   half a percent), its interval excludes none, and p_adjusted is at most 0.05; the same when the whole interval is
   below min_effect; else it is inconclusive. False when out of memory. */
bool compare_decide(struct comparison *const *rows, size_t n, double min_effect);

/* The interval is too wide to tell min_effect from nothing; more trials would help. Looks at the width alone: to stop
   as soon as there is a difference would find one where there is none. */
bool compare_is_wide(const struct comparison *comparison, double min_effect);
#endif
