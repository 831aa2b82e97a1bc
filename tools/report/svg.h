/* svg.h: two forms of drawing, bars and points, as SVG of 960 x 480; and the values drawn as CSV. Pure functions: the
   same input gives the same bytes everywhere. Texts may hold anything; the drawing quotes them. */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H
#include <stdbool.h>
#include <stddef.h>
#include "text.h"

#define SVG_WIDTH  960
#define SVG_HEIGHT 480 /* more when there are many bars */
#define SVG_COLORS 8

struct frame {
    const char *name;   /* of the file, and of elements; [a-z0-9-] */
    const char *title;  /* "sha3-256, 16 KiB" */
    const char *note;   /* unit, mode, what is good: "cycles/byte, throughput; shorter is better" */
    const char *source; /* machine, counter, date */
    const char *desc;   /* for who cannot see it */
};

struct bar {
    const char *group; /* equal and adjacent ones share a heading; "" none */
    const char *label;
    double value, low, high; /* low, high NAN: no interval */
    double floor;            /* NAN: none */
    unsigned color;          /* any number */
    const char *remark;      /* behind the value: "unsteady"; "" */
};

struct bars {
    struct frame frame;
    const char *unit;
    const char *group_heading, *label_heading; /* of the columns of the CSV */
    const struct bar *items;
    size_t count;
};

struct dot {
    double x, y, low, high; /* low, high NAN: no interval */
    const char *at;         /* x in words: "16 KiB" */
};

struct series {
    const char *label;
    unsigned color; /* and shape */
    bool line, dots;
    const struct dot *items;
    size_t count;
};

struct x_tick {
    double x;
    const char *label;
};

struct plot {
    struct frame frame;
    const char *unit;
    const char *x_heading;
    bool log_x;    /* else linear between the least and the greatest x */
    bool zoom;     /* y need not begin at 0 */
    bool signed_y; /* differences: "+1.2", and a line at zero */
    const struct x_tick *ticks;
    size_t tick_count;
    const struct series *items;
    size_t count;
};

/* csv may be NULL. With a style of its own the SVG is a file; without, part of a page that has svg_style(..., true). */
void svg_bars(const struct bars *bars, bool with_style, struct text *svg, struct text *csv);
void svg_plot(const struct plot *plot, bool with_style, struct text *svg, struct text *csv);

/* The style of drawings; in a page colours follow its color-scheme. */
void svg_style(struct text *t, bool in_page);
#endif
