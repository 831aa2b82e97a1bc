/* scale.h: from values to places in a drawing, and the round values worth a tick. */
#ifndef REPORT_SCALE_H
#define REPORT_SCALE_H
#include <stdbool.h>
#include <stddef.h>

#define SCALE_MAX_TICKS 16

struct scale {
    bool log;
    double low, high;  /* values at the ends, both ticks */
    double from, to;   /* places of the ends */
    size_t tick_count; /* ascending */
    double ticks[SCALE_MAX_TICKS];
    int decimals; /* that tell the ticks apart */
};

/* Ends at multiples of 1, 2 or 5 times a power of ten that enclose low .. high, with about `wanted` ticks between. */
struct scale scale_linear(double low, double high, size_t wanted, double from, double to);
/* The same, 1 - 2 - 5 in each decade; low has to be positive. */
struct scale scale_log(double low, double high, size_t wanted, double from, double to);

double scale_place(const struct scale *scale, double value);
#endif
