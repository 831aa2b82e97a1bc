/* measure.h: takes samples of many cells, fairly, and says which of them to believe.

   A cell is one number of a table: one subject on inputs of one length. In each round every cell is visited once, in
   random order, so that whatever happens to the machine happens to all of them alike. A visit is a few samples:

       chain [new input] canary SPAN canary  chain [new input] canary SPAN canary  ...  chain

   A span is one call, or as many as make it long enough to be timed. The chain gives the scale from ticks to core
   cycles. A sample is rejected when the chains on either side of it differ (the frequency changed), or when one of the
   canaries was slow (another thread of the machine shared the core).

   Where several threads run a cell, all that stands beside the span is done by the first one alone, while the others
   wait. The span begins for all of them at once, each makes as many calls, and it lasts until the last has done its
   own: so a call costs the span divided by the calls of all. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H
#include <signal.h>
#include "clock.h"
#include "stats.h"
#include "work.h"

struct sample {
    double span;               /* ticks of all calls */
    float chain[2], canary[2]; /* ticks, before and after */
    uint32_t round;
};

enum verdict { SAMPLE_GOOD, SAMPLE_FREQUENCY, SAMPLE_CONTENDED };

/* canary_floor: cycles of a canary that was alone. */
enum verdict sample_judge(const struct sample *sample, const struct clock *clock, double canary_floor);

/* Cycles of a canary that was alone: of 100 good moments the second best, so that it is neither a freak nor bound to
   the state the machine is mostly in. 0: no samples. *quiet: there were moments of which this can be said; otherwise it
   is only the least contended one. */
double sample_canary_floor(const struct clock *clock, const struct sample *const *samples,
                           const size_t *counts, size_t n, bool *quiet);

enum unit { UNIT_CPB, UNIT_CYCLES, UNIT_NS, UNIT_MB, UNIT_MIB, UNIT_MH, UNIT_COUNT };
extern const char *const unit_names[UNIT_COUNT], *const unit_titles[UNIT_COUNT];

/* What is wrong with a cell; the names are those of the output. */
enum {
    FLAG_CONTENDED = 1, /* the core was shared all the time, or for 19 of 20 samples of this cell */
    FLAG_UNSTEADY = 2,  /* median over 1 % above the tenth percentile */
    FLAG_FEW = 4,       /* fewer accepted samples than an honest figure takes */
    FLAG_GLITCH = 8,    /* out of line with the neighbouring lengths */
    FLAG_UNVERIFIED =
        16, /* nobody but the subject itself can say that its results are right; the figure is none the worse */
    /* No figure at all, because of its fault. */
    FLAG_WRONG = 32, /* computes something else */
    FLAG_IDLE = 64,  /* does nothing */
    FLAG_FAILED = 128,
    FLAG_COUNT = 8
};
extern const char *const flag_names[FLAG_COUNT];

struct cell {
    struct task task; /* without a subject: nothing is measured, the field stays empty */
    size_t threads;   /* that run it at the same time; 0 is 1 */

    /* What came of it. */
    const char *fault; /* NULL, or why the figure must not be shown: "the result is wrong" ... */
    size_t repeats;    /* calls in a span, of all threads */
    struct sample *samples;
    size_t count, room;
    unsigned flags;
    size_t accepted, rejected_frequency, rejected_contended;
    double cycles; /* median of a call; 0: none */
    double
        canary_ratio; /* a call in canaries (clock_canary) that ran beside it; drifts of the machine cancel */
    double ghz;

    bool open; /* private, and so are the states of the other threads */
    void **states;
};

struct measure {
    const struct clock *clock;
    size_t trials; /* samples of each cell */
    double budget; /* seconds after which no more rounds begin; 0: as long as it takes */
    enum mode mode;
    uint64_t seed;
    const int *cpus;             /* of the threads of a cell but the first, which is the caller; NULL: any */
    volatile sig_atomic_t *stop; /* nonzero: end early. May be NULL */
    void (*progress)(void *arg, double done, double rate); /* 0 .. 1; samples per second. May be NULL */
    void *arg;
    double canary_floor; /* result: cycles */
    bool quiet;          /* result: the core was not shared all the time */
    double seconds;      /* result: what it took */
};

/* Takes the samples and judges them. False when out of memory. A cell that computes something wrong gets a fault. */
bool measure_cells(struct measure *measure, struct cell *cells, size_t n);

/* The samples of a cell that count, in a unit; of all samples when none was accepted. False when there are none, or
   when out of memory. */
bool cell_stats(const struct cell *cell, const struct measure *measure, enum unit unit, struct stats *stats);

/* Least number of accepted samples for a call of so many cycles. */
size_t cell_minimum(double cycles);

void cell_free(struct cell *cell);
#endif
