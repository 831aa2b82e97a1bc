/* progress.h: a line on a terminal that says how far it is. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H
#include <stdbool.h>

/* Standard error is a terminal that can redraw a line. */
bool progress_wanted(void);

/* For struct measure: 0 .. 1 is done, at `rate` samples per second; or of what arg, a text, says. Draws at most ten times
   a second. */
void progress_show(void *arg, double done, double rate);

/* Removes the line. */
void progress_clear(void);
#endif
