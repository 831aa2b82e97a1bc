/* charts.h: which drawings the data give, and what stands in them. */
#ifndef REPORT_CHARTS_H
#define REPORT_CHARTS_H
#include "data.h"
#include "text.h"

enum chart_kind {
    CHART_OVERVIEW,    /* the fastest row of each function */
    CHART_BARS,        /* a function by backend and compiler */
    CHART_LENGTHS,     /* cycles/byte against length */
    CHART_PERMUTATION, /* cycles per state, against the floor */
    CHART_CHAIN,       /* MH/s */
    CHART_KEM,         /* one parameter set: key generation, encapsulation, decapsulation */
    CHART_HISTORY,     /* one function over the runs; only when asked for */
    CHART_DELTA,       /* difference of two rows over all sizes; only when asked for */
    CHART_KIND_COUNT
};
extern const char *const chart_kind_names[CHART_KIND_COUNT];

#define CHARTS_USUAL ((1u << CHART_HISTORY) - 1)

struct chart_request {
    unsigned kinds;          /* bits 1 << kind */
    const char *history;     /* function, for CHART_HISTORY */
    const char *base, *test; /* beginnings of subjects, for CHART_DELTA; NULL: the first row, all others */
    bool with_style;         /* files of their own */
};

struct chart {
    enum chart_kind kind;
    unsigned machine;
    const char *function; /* the data's; "" : several */
    char name[96];        /* unique; [a-z0-9-] */
    char title[256];
    struct text svg, csv;
};

struct charts {
    struct chart *items;
    size_t count;
    bool failed; /* out of memory */
};

void charts_make(struct charts *charts, const struct data *data, const struct chart_request *request);
void charts_free(struct charts *charts);
#endif
