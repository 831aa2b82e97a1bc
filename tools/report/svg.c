/* svg.c: see svg.h. */
#include "svg.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "scale.h"

/* Colours that stay apart for people who see few of them (after Okabe and Ito), on white and on black. */
static const struct {
    const char *light, *dark;
} colors[SVG_COLORS] = {
    {"#0072b2", "#4ba3e3"}, {"#c8500a", "#f0803c"}, {"#008a63", "#2fc496"}, {"#b0558a", "#e391c2"},
    {"#8a6a00", "#e0b040"}, {"#2f9bd0", "#8fd0f5"}, {"#5b5fc7", "#9ea2ff"}, {"#666f7a", "#a3adb8"},
};

/* The rest of the drawing: a property, and which elements have it. */
static const struct {
    const char *selector, *property, *light, *dark;
} inks[] = {
    {".ch .bg", "fill", "#ffffff", "#15181c"},   {".ch text", "fill", "#1b1f24", "#e8ebee"},
    {".ch .mu", "fill", "#59636e", "#a3adb8"},   {".ch .gr", "stroke", "#e3e6ea", "#2b3138"},
    {".ch .ax", "stroke", "#8c959f", "#6b7580"}, {".ch .iv", "stroke", "#1b1f24", "#e8ebee"},
    {".ch .fl", "stroke", "#1b1f24", "#e8ebee"},
};

#define N(array) (sizeof(array) / sizeof(array)[0])

enum theme { THEME_LIGHT, THEME_DARK, THEME_OF_PAGE };

static void style_rule(struct text *t, const char *selector, const char *property, const char *light,
                       const char *dark, enum theme theme)
{
    if (theme == THEME_OF_PAGE)
        text_format(t, "%s{%s:light-dark(%s,%s)}", selector, property, light, dark);
    else
        text_format(t, "%s{%s:%s}", selector, property, theme == THEME_DARK ? dark : light);
}

static void style_colors(struct text *t, enum theme theme)
{
    for (size_t i = 0; i < N(inks); i++)
        style_rule(t, inks[i].selector, inks[i].property, inks[i].light, inks[i].dark, theme);
    for (size_t i = 0; i < SVG_COLORS; i++) {
        char selector[32];
        snprintf(selector, sizeof selector, ".ch .c%zu", i);
        style_rule(t, selector, "fill", colors[i].light, colors[i].dark, theme);
        snprintf(selector, sizeof selector, ".ch .l%zu", i);
        style_rule(t, selector, "stroke", colors[i].light, colors[i].dark, theme);
    }
}

void svg_style(struct text *t, bool in_page)
{
    text_add(t, ".ch{font:13px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Liberation Sans\",sans-serif}"
                ".ch text{font-variant-numeric:tabular-nums}"
                ".ch .ti{font-size:20px;font-weight:600}.ch .hd{font-weight:600}.ch .mu{font-size:12px}"
                ".ch .va{font-weight:600}.ch .re{font-weight:400;font-size:12px}"
                ".ch .en{text-anchor:end}.ch .mi{text-anchor:middle}"
                ".ch .ax,.ch .iv{stroke-width:1.2;fill:none}.ch .gr{stroke-width:1;fill:none}"
                ".ch .fl{stroke-width:2;stroke-dasharray:3 2;fill:none}"
                ".ch .li{stroke-width:2;fill:none;stroke-linejoin:round}.ch .db{opacity:.5}");
    style_colors(t, in_page ? THEME_OF_PAGE : THEME_LIGHT);
    if (!in_page) {
        text_add(t, "@media(prefers-color-scheme:dark){");
        style_colors(t, THEME_DARK);
        text_add(t, "}");
    }
}

static void element_text(struct text *t, const char *classes, double x, double y, const char *words)
{
    text_add(t, "<text");
    if (*classes != 0)
        text_format(t, " class=\"%s\"", classes);
    text_add(t, " x=\"");
    text_coordinate(t, x);
    text_add(t, "\" y=\"");
    text_coordinate(t, y);
    text_add(t, "\">");
    text_escaped(t, words);
    text_add(t, "</text>\n");
}

static void element_line(struct text *t, const char *classes, double x1, double y1, double x2, double y2)
{
    text_format(t, "<path class=\"%s\" d=\"M", classes);
    text_coordinate(t, x1);
    text_add(t, " ");
    text_coordinate(t, y1);
    if (y1 == y2) {
        text_add(t, "H");
        text_coordinate(t, x2);
    } else if (x1 == x2) {
        text_add(t, "V");
        text_coordinate(t, y2);
    } else {
        text_add(t, "L");
        text_coordinate(t, x2);
        text_add(t, " ");
        text_coordinate(t, y2);
    }
    text_add(t, "\"/>\n");
}

static void begin(struct text *t, const struct frame *f, int height, bool with_style)
{
    text_format(t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ch\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-t %s-d\">\n<title id=\"%s-t\">",
                SVG_WIDTH, height, SVG_WIDTH, height, f->name, f->name, f->name);
    text_escaped(t, f->title);
    text_format(t, "</title>\n<desc id=\"%s-d\">", f->name);
    text_escaped(t, f->desc);
    text_add(t, "</desc>\n");
    if (with_style) {
        text_add(t, "<style>");
        svg_style(t, false);
        text_add(t, "</style>\n");
    }
    text_format(t, "<rect class=\"bg\" width=\"%d\" height=\"%d\"/>\n", SVG_WIDTH, height);
    element_text(t, "ti", 24, 36, f->title);
    element_text(t, "mu", 24, 58, f->note);
    struct text clipped = {0};
    text_clipped(&clipped, f->source, 150);
    element_text(t, "mu", 24, height - 14, clipped.data != NULL ? clipped.data : "");
    t->failed |= clipped.failed;
    text_free(&clipped);
}

static void figure(struct text *t, double value, bool with_sign)
{
    if (with_sign && value > 0)
        text_add(t, "+");
    if (with_sign)
        text_number(t, value, 2);
    else
        text_figure(t, value);
}

/* "label: 5.42 cycles/byte (5.40 to 5.44)" */
static void tip(struct text *t, const char *label, const char *at, double value, double low, double high,
                const char *unit, bool with_sign)
{
    text_add(t, "<title>");
    text_escaped(t, label);
    if (at != NULL) {
        text_add(t, ", ");
        text_escaped(t, at);
    }
    text_add(t, ": ");
    figure(t, value, with_sign);
    text_add(t, " ");
    text_escaped(t, unit);
    if (isfinite(low) && isfinite(high)) {
        text_add(t, " (");
        figure(t, low, with_sign);
        text_add(t, " to ");
        figure(t, high, with_sign);
        text_add(t, ")");
    }
    text_add(t, "</title>");
}

static void csv_numbers(struct text *csv, double value, double low, double high)
{
    const double numbers[] = {value, low, high};
    for (size_t i = 0; i < 3; i++) {
        text_add(csv, ",");
        if (isfinite(numbers[i]))
            text_number(csv, numbers[i], 4);
    }
}

/* Width of words at 13 px, about. */
static double width_of(const char *words)
{
    return 7.1 * (double)text_length(words);
}

#define LABEL_CHARACTERS 46

static bool new_group(const struct bars *b, size_t i)
{
    return b->items[i].group[0] != 0 && (i == 0 || strcmp(b->items[i].group, b->items[i - 1].group) != 0);
}

static void bar(struct text *t, const struct bar *item, const struct scale *x, double y, double thick,
                const char *unit)
{
    const double end = scale_place(x, item->value);
    double value_at = end;
    text_format(t, "<g class=\"mk%s\">", item->remark[0] != 0 ? " db" : "");
    tip(t, item->label, item->group[0] != 0 ? item->group : NULL, item->value, item->low, item->high, unit,
        false);
    text_format(t, "<rect class=\"c%u\" x=\"", item->color % SVG_COLORS);
    text_coordinate(t, x->from);
    text_add(t, "\" y=\"");
    text_coordinate(t, y - thick / 2);
    text_add(t, "\" width=\"");
    text_coordinate(t, fmax(end - x->from, 0.5));
    text_add(t, "\" height=\"");
    text_coordinate(t, thick);
    text_add(t, "\" rx=\"2\"/></g>\n");
    if (isfinite(item->low) && isfinite(item->high)) {
        const double low = scale_place(x, item->low), high = scale_place(x, item->high);
        const double cap = thick / 4;
        element_line(t, "iv", low, y, high, y);
        element_line(t, "iv", low, y - cap, low, y + cap);
        element_line(t, "iv", high, y - cap, high, y + cap);
        value_at = fmax(end, high);
    }
    if (isfinite(item->floor) && item->floor > 0) {
        const double at = scale_place(x, item->floor);
        element_line(t, "fl", at, y - thick / 2 - 3, at, y + thick / 2 + 3);
    }
    text_add(t, "<text class=\"va\" x=\"");
    text_coordinate(t, value_at + 8);
    text_add(t, "\" y=\"");
    text_coordinate(t, y + 4.5);
    text_add(t, "\">");
    text_figure(t, item->value);
    if (item->remark[0] != 0) {
        text_add(t, " <tspan class=\"re\">");
        text_escaped(t, item->remark);
        text_add(t, "</tspan>");
    }
    text_add(t, "</text>\n");
}

void svg_bars(const struct bars *b, bool with_style, struct text *svg, struct text *csv)
{
    const double top = 82, bottom = 58; /* margins */
    double most = 0, labels = 40, remarks = 0, slots = 0;
    for (size_t i = 0; i < b->count; i++) {
        const struct bar *item = &b->items[i];
        most = fmax(most, isfinite(item->high) ? fmax(item->high, item->value) : item->value);
        labels = fmax(labels, fmin(width_of(item->label), 7.1 * LABEL_CHARACTERS));
        if (item->remark[0] != 0)
            remarks = fmax(remarks, width_of(item->remark));
        slots += new_group(b, i) ? 1.9 : 1;
    }
    double slot = (SVG_HEIGHT - top - bottom) / fmax(slots, 1);
    slot = fmin(fmax(slot, 18), 84);
    const double body = fmax(slot * slots, SVG_HEIGHT - top - bottom);
    const int height = (int)ceil(top + body + bottom);
    const double thick = fmin(slot * 0.6, 40);
    const struct scale x = scale_linear(0, most, 6, 24 + labels + 12, SVG_WIDTH - 76 - fmin(remarks, 260));
    begin(svg, &b->frame, height, with_style);
    const double drawn = top + slot * slots + 4;
    for (size_t i = 0; i < x.tick_count; i++) {
        const double at = scale_place(&x, x.ticks[i]);
        struct text label = {0};
        element_line(svg, i == 0 ? "ax" : "gr", at, top - 6, at, drawn);
        text_number(&label, x.ticks[i], x.decimals);
        element_text(svg, "mu mi", at, drawn + 16, label.data != NULL ? label.data : "");
        text_free(&label);
    }
    if (csv != NULL) {
        text_csv(csv, b->group_heading);
        text_add(csv, ",");
        text_csv(csv, b->label_heading);
        text_add(csv, ",");
        text_csv(csv, b->unit);
        text_add(csv, ",ci_lo,ci_hi,remark\n");
    }
    double y = top;
    for (size_t i = 0; i < b->count; i++) {
        const struct bar *item = &b->items[i];
        if (new_group(b, i)) {
            struct text heading = {0};
            text_clipped(&heading, item->group, 90);
            element_text(svg, "hd", 24, y + slot * 0.9 - 6, heading.data != NULL ? heading.data : "");
            text_free(&heading);
            y += 0.9 * slot;
        }
        struct text label = {0};
        text_clipped(&label, item->label, LABEL_CHARACTERS);
        element_text(svg, "en", x.from - 10, y + slot / 2 + 4.5, label.data != NULL ? label.data : "");
        text_free(&label);
        bar(svg, item, &x, y + slot / 2, thick, b->unit);
        y += slot;
        if (csv != NULL) {
            text_csv(csv, item->group);
            text_add(csv, ",");
            text_csv(csv, item->label);
            csv_numbers(csv, item->value, item->low, item->high);
            text_add(csv, ",");
            text_csv(csv, item->remark);
            text_add(csv, "\n");
        }
    }
    text_add(svg, "</svg>\n");
}

/* Shapes tell series apart without colour. */
static void shape(struct text *t, unsigned which, double x, double y)
{
    static const char *const paths[] = {
        "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0",
        "m-4-4h8v8h-8z",
        "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",
        "m0-5l5 9h-10z",
        "m0 5l5-9h-10z",
        "m-5-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
        "m-4-5h8l-8 10h8z",
    };
    text_format(t, "<path class=\"c%u\" d=\"M", which % SVG_COLORS);
    text_coordinate(t, x);
    text_add(t, " ");
    text_coordinate(t, y);
    text_format(t, "%s\"/>", paths[which % N(paths)]);
}

struct end_label {
    double y, wanted;
    size_t series;
};

static int compare_end_labels(const void *a, const void *b)
{
    const struct end_label *x = a, *y = b;
    return x->wanted != y->wanted ? (x->wanted > y->wanted ? 1 : -1)
                                  : (x->series > y->series) - (x->series < y->series);
}

/* Moves labels apart, each as near to where its line ends as the others let it. */
static void spread(struct end_label *labels, size_t n, double gap, double top, double bottom)
{
    qsort(labels, n, sizeof *labels, compare_end_labels);
    for (size_t i = 0; i < n; i++)
        labels[i].y = i > 0 ? fmax(labels[i].wanted, labels[i - 1].y + gap) : fmax(labels[i].wanted, top);
    for (size_t i = n; i-- > 0;) {
        const double most = i + 1 < n ? labels[i + 1].y - gap : bottom;
        labels[i].y = fmin(labels[i].y, most);
    }
}

static void plot_series(struct text *t, const struct series *s, const struct scale *x, const struct scale *y,
                        const char *unit, bool with_sign)
{
    if (s->line && s->count > 1) {
        text_format(t, "<path class=\"li l%u\" d=\"", s->color % SVG_COLORS);
        for (size_t i = 0; i < s->count; i++) {
            text_add(t, i == 0 ? "M" : "L");
            text_coordinate(t, scale_place(x, s->items[i].x));
            text_add(t, " ");
            text_coordinate(t, scale_place(y, s->items[i].y));
        }
        text_add(t, "\"/>\n");
    }
    for (size_t i = 0; i < s->count && s->dots; i++) {
        const struct dot *d = &s->items[i];
        const double at = scale_place(x, d->x);
        if (isfinite(d->low) && isfinite(d->high) && d->high > d->low)
            element_line(t, "iv", at, scale_place(y, d->low), at, scale_place(y, d->high));
        text_add(t, "<g class=\"mk\">");
        tip(t, s->label, d->at, d->y, d->low, d->high, unit, with_sign);
        shape(t, s->color, at, scale_place(y, d->y));
        text_add(t, "</g>\n");
    }
}

void svg_plot(const struct plot *p, bool with_style, struct text *svg, struct text *csv)
{
    const double top = 104, bottom = SVG_HEIGHT - 76, left = 84;
    double low = INFINITY, high = -INFINITY, least = INFINITY, greatest = -INFINITY, labels = 40;
    for (size_t s = 0; s < p->count; s++) {
        labels = fmax(labels, fmin(width_of(p->items[s].label), 7.1 * LABEL_CHARACTERS));
        for (size_t i = 0; i < p->items[s].count; i++) {
            const struct dot *d = &p->items[s].items[i];
            low = fmin(low, isfinite(d->low) ? fmin(d->low, d->y) : d->y);
            high = fmax(high, isfinite(d->high) ? fmax(d->high, d->y) : d->y);
            least = fmin(least, d->x);
            greatest = fmax(greatest, d->x);
        }
    }
    const double right = SVG_WIDTH - labels - 44;
    const bool log_y = !p->signed_y && !p->zoom && low > 0 && high > 8 * low;
    if (!log_y && !p->zoom) {
        low = fmin(low, 0);
        high = fmax(high, 0);
    }
    struct scale y = log_y ? scale_log(low, high, 8, bottom, top) : scale_linear(low, high, 6, bottom, top);
    struct scale x = {
        .log = p->log_x && least > 0, .low = least, .high = greatest, .from = left + 16, .to = right - 16};
    if (!(x.low < x.high)) { /* one point, in the middle */
        x.high = x.low + 1;
        x.low = x.low > 1 ? x.low - 1 : x.low / 2;
    }
    begin(svg, &p->frame, SVG_HEIGHT, with_style);
    for (size_t i = 0; i < y.tick_count; i++) {
        struct text label = {0};
        const double at = scale_place(&y, y.ticks[i]);
        element_line(svg, p->signed_y && y.ticks[i] == 0 ? "ax" : "gr", left, at, right, at);
        if (p->signed_y && y.ticks[i] > 0)
            text_add(&label, "+");
        text_number(&label, y.ticks[i], log_y && y.ticks[i] >= 1 ? 0 : y.decimals);
        element_text(svg, "mu en", left - 8, at + 4, label.data != NULL ? label.data : "");
        text_free(&label);
    }
    element_line(svg, "ax", left, bottom, right, bottom);
    double last = -INFINITY;
    for (size_t i = 0; i < p->tick_count; i++) {
        const double at = scale_place(&x, p->ticks[i].x), half = width_of(p->ticks[i].label) / 2;
        if (at - half < last + 8)
            continue;
        last = at + half;
        element_line(svg, "ax", at, bottom, at, bottom + 5);
        element_text(svg, "mu mi", at, bottom + 19, p->ticks[i].label);
    }
    struct text heading = {0};
    text_add(&heading, p->x_heading);
    text_add(&heading, x.log ? " (log scale)" : "");
    element_text(svg, "mu mi", (left + right) / 2, bottom + 38, heading.data != NULL ? heading.data : "");
    text_free(&heading);
    text_add(&heading, p->unit);
    text_add(&heading, log_y ? " (log scale)" : "");
    element_text(svg, "mu", 24, top - 14, heading.data != NULL ? heading.data : "");
    text_free(&heading);
    for (size_t s = 0; s < p->count; s++)
        plot_series(svg, &p->items[s], &x, &y, p->unit, p->signed_y);
    struct end_label *const ends = calloc(p->count + 1, sizeof *ends);
    size_t n = 0;
    if (ends == NULL) {
        svg->failed = true;
        return;
    }
    for (size_t s = 0; s < p->count; s++)
        if (p->items[s].count > 0)
            ends[n++] = (struct end_label){
                .wanted = scale_place(&y, p->items[s].items[p->items[s].count - 1].y), .series = s};
    spread(ends, n, fmin(17, (bottom - top) / fmax((double)n, 1)), top, bottom);
    for (size_t i = 0; i < n; i++) {
        const struct series *s = &p->items[ends[i].series];
        struct text label = {0};
        if (s->dots)
            shape(svg, s->color, right + 10, ends[i].y);
        else {
            text_format(&label, "li l%u", s->color % SVG_COLORS);
            element_line(svg, label.data != NULL ? label.data : "", right + 4, ends[i].y, right + 16,
                         ends[i].y);
            text_free(&label);
        }
        text_clipped(&label, s->label, LABEL_CHARACTERS);
        element_text(svg, "", right + 22, ends[i].y + 4.5, label.data != NULL ? label.data : "");
        text_free(&label);
    }
    free(ends);
    text_add(svg, "</svg>\n");
    if (csv == NULL)
        return;
    text_add(csv, "series,");
    text_csv(csv, p->x_heading);
    text_add(csv, ",");
    text_csv(csv, p->unit);
    text_add(csv, ",ci_lo,ci_hi\n");
    for (size_t s = 0; s < p->count; s++)
        for (size_t i = 0; i < p->items[s].count; i++) {
            const struct dot *d = &p->items[s].items[i];
            text_csv(csv, p->items[s].label);
            text_add(csv, ",");
            text_csv(csv, d->at);
            csv_numbers(csv, d->y, d->low, d->high);
            text_add(csv, "\n");
        }
}
