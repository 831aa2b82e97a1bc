/* clock_counters.h: what clock.c chooses from. */
#ifndef BENCH_CLOCK_COUNTERS_H
#define BENCH_CLOCK_COUNTERS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "clock.h"

/* A counter that works here, or does not, and why. */
struct counter {
    const char *title;      /* in the list of counters */
    const char *name;       /* what is read */
    const char *version;    /* of the code that reads it */
    uint64_t (*read)(void); /* NULL: not usable here */
    bool counts_cycles;     /* else time */
    const char *doubt;      /* why cycles that are scaled from its time are a guess; NULL: they are none */
    char why[320];          /* it is not usable */
};

extern const struct clock_system clock_real_system;

/* Each fills in what one source has, best first, and returns how many that are. */
size_t counters_of_perf(const struct clock_system *system, struct counter counters[2]);
size_t counters_of_time(struct counter counters[2]);
size_t counters_of_library(const struct clock_system *system, struct counter counters[1]);
#define COUNTERS 5 /* all together */

void perf_close(void);
uint64_t monotonic_read(void); /* ns */

/* Runs what may be forbidden, or fail, by a signal. Returns its name, or NULL. The handlers are then as before, whatever
   `probe` has done to them. */
const char *counter_probe(void (*probe)(void));
#endif
