/* pairs.h: times two subjects in turns. */
#ifndef COMPARE_PAIRS_H
#define COMPARE_PAIRS_H
#include <signal.h>
#include "bench/plan.h"
#include "verdict.h"

enum side { BASE, TEST, SIDES };

struct placement;

/* A line of the result: two subjects at one function and one length. Where a call of the one works on more states than
   one of the other, they are compared state for state. */
struct pair {
    size_t row[SIDES]; /* index into the rows of the plan */
    struct task task[SIDES];

    /* What came of it. */
    const char *fault; /* NULL, or why there is no figure */
    enum side faulty;
    size_t repeats;         /* calls in a sample, of either */
    struct sample *samples; /* TRIAL_SAMPLES for each trial */
    size_t count, room;     /* trials */
    double cycles[SIDES];   /* of a call; 0: no trial counts */
    struct comparison comparison;

    struct placement *placements[SIDES]; /* private */
};

struct pairing {
    const struct clock *clock;
    size_t trials; /* of each pair */
    enum mode mode;
    double min_effect;
    uint64_t seed;
    volatile sig_atomic_t *stop;                           /* nonzero: end early. May be NULL */
    void (*progress)(void *arg, double done, double rate); /* 0 .. 1; trials per second. May be NULL */
    void *arg;
    double canary_floor; /* result: cycles */
    bool quiet;          /* result: the core was not shared all the time */
};

/* Rounds in which every pair is visited once, in random order, for a few trials; then more for the pairs whose interval
   is too wide, up to five times as many. Both sides of a trial get the same inputs, as many calls, and a call that is
   not timed before each sample. Verdicts are in. False when out of memory. */
bool pairs_measure(struct pairing *pairing, struct pair *pairs, size_t n);

void pair_free(struct pair *pair);
#endif
