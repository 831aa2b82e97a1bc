/* clock.h: counters of this machine, and how their ticks become core cycles.

   A counter either counts core cycles (perf_event_open, libcpucycles), or time at a constant rate (TSC, CNTVCT,
   CLOCK_MONOTONIC), and then nobody can say from it alone how many cycles went by: cores change their frequency many
   times a second. So a chain of known cost runs beside everything that is timed, and is the measure of it. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct perf_event_attr;

/* What is asked of the system. Tests have another one. */
struct clock_system {
    int (*perf_open)(struct perf_event_attr *attr); /* -1 and errno */
    void *(*map)(int fd, size_t size);              /* NULL: cannot */
    void (*unmap)(void *page, size_t size);
    ssize_t (*read)(int fd, void *to, size_t size);
    void (*close)(int fd);
    int (*perf_paranoid)(void); /* /proc/sys/kernel/perf_event_paranoid; CLOCK_UNREADABLE */
    bool (*virtual_machine)(void);
    const char *library; /* for dlopen(3), of libcpucycles */
};
#define CLOCK_UNREADABLE (-1000)

struct clock {
    const char *name;       /* "amd64-pmc" "default-perfevent" "amd64-tsc" "arm64-vct" "default-monotonic", or
                               whatever libcpucycles calls it */
    const char *version;    /* of what reads it: celer's, or that of libcpucycles */
    uint64_t (*read)(void); /* waits until all earlier instructions are done */
    bool counts_cycles;     /* else time */
    double hz;              /* ticks per second */
    double step;            /* ticks: no smaller difference between two readings was seen, but for 0 */
    double cost;            /* ticks that lie between two readings of nothing */
    double min_span;        /* ticks: what is timed has to last as long, for its error to be small */
    size_t chain_hundreds;  /* length of the chains, which last as long too */
    double chain_cycles;    /* their cost */
    size_t canary_hundreds;
    double multiply_cycles; /* of one multiplication in the chain */
    double core_hz;         /* core cycles per second when the clock was opened */
    bool estimated;         /* cycles are a guess: */
    char doubt[160];        /* why */
    char missing[400];      /* why no better counter is used, and what to do about it; "" */
};

/* Chooses the best counter that works here and calibrates it; takes about 0.1 s. system: NULL for the real one. */
void clock_open(struct clock *clock, const struct clock_system *system);
void clock_close(void);

/* Seconds since some moment, for progress and the like. */
double clock_seconds(void);

/* Cycles of a span of ticks beside which a chain took chain_ticks. */
double clock_cycles(const struct clock *clock, double span, double chain_ticks);

/* A chain, timed. */
double clock_chain(const struct clock *clock);

/* A canary, timed. How long one has to be differs from process to process; the ticks are those of CLOCK_CANARY_HUNDREDS
   hundred additions, so that canaries compare. */
#define CLOCK_CANARY_HUNDREDS 1000
double clock_canary(const struct clock *clock);

/* Why perf_event_open failed with that errno, and the remedy. */
void clock_perf_reason(int error, int paranoid, bool virtual_machine, char *text, size_t size);

/* One line for each counter: whether it works, and why not. system: as above. */
void clock_describe(FILE *to, const struct clock_system *system);

/* Two chains timed against each other, and a million multiplications measured as anything else is; says on `to` what
   came out. False when one is more than 1 % off what it has to be. */
bool clock_self_test(const struct clock *clock, FILE *to);
#endif
