/* charts.c: see charts.h. */
#include "charts.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "svg.h"

const char *const chart_kind_names[CHART_KIND_COUNT] = {"overview", "bars", "lengths", "permutation",
                                                        "chain",    "kem",  "history", "delta"};

struct maker {
    struct charts *charts;
    const struct data *data;
    const struct chart_request *request;
};

/* --- What all have in common --- */

static struct chart *new_chart(struct maker *m, enum chart_kind kind, unsigned machine, const char *function)
{
    struct charts *const c = m->charts;
    struct chart *const grown = realloc(c->items, (c->count + 1) * sizeof *grown);
    if (grown == NULL) {
        c->failed = true;
        return NULL;
    }
    c->items = grown;
    struct chart *const chart = &c->items[c->count++];
    *chart = (struct chart){.kind = kind, .machine = machine, .function = function};
    return chart;
}

/* Its name, from words; another one of that name is told apart by a number. */
static void name_chart(struct maker *m, struct chart *chart, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void name_chart(struct maker *m, struct chart *chart, const char *format, ...)
{
    char words[512];
    struct text slug = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (m->data->machine_count > 1)
        text_format(&slug, "m%u-", chart->machine + 1);
    text_slug(&slug, words);
    m->charts->failed |= slug.failed;
    if (slug.len > 80)
        slug.data[80] = 0;
    const char *stem = slug.data != NULL ? slug.data : "chart";
    snprintf(chart->name, sizeof chart->name, "%s", stem);
    for (size_t i = 0, number = 2; i < m->charts->count; i++)
        if (&m->charts->items[i] != chart && strcmp(m->charts->items[i].name, chart->name) == 0) {
            snprintf(chart->name, sizeof chart->name, "%.80s-%zu", stem, number++);
            i = (size_t)-1; /* that one may exist as well */
        }
    text_free(&slug);
}

static const char *fact(const struct data *data, unsigned machine, const char *object, const char *key)
{
    const json_t *document = data->machines[machine].document;
    const char *s = json_string_value(json_object_get(json_object_get(document, object), key));
    return s != NULL ? s : "";
}

static bool truth(const struct data *data, unsigned machine, const char *key)
{
    return json_is_true(json_object_get(json_object_get(data->machines[machine].document, "counter"), key));
}

/* "AMD EPYC, KVM; cycles: amd64-tsc, scaled; 2026-11-30" */
static void source(struct text *t, const struct data *data, unsigned machine, const char *date)
{
    const char *hypervisor = fact(data, machine, "machine", "hypervisor");
    text_clipped(t, data->machines[machine].name, 60);
    if (*hypervisor != 0 && strncmp(hypervisor, "unknown", 7) != 0 && strcmp(hypervisor, "none") != 0) {
        text_add(t, ", in ");
        text_clipped(t, hypervisor, 20);
    }
    text_add(t, " · counter ");
    text_clipped(t, fact(data, machine, "counter", "implementation"), 30);
    if (truth(data, machine, "estimated"))
        text_add(t, ", cycles estimated");
    else if (!truth(data, machine, "counts_cycles"))
        text_add(t, ", scaled to core cycles");
    if (date != NULL) {
        text_add(t, " · ");
        text_clipped(t, date, 11);
        if (t->len > 0 && strlen(date) > 10) { /* the day without "T12:00" */
            const size_t cut = strlen("…");
            t->len -= t->len >= cut ? cut : 0;
            t->data[t->len] = 0;
        }
    }
}

static const char *or_empty(const struct text *t)
{
    return t->data != NULL ? t->data : "";
}

/* Who ran: the subject, and the backend where its label does not say. */
static void row_label(const struct result *r, struct text *t)
{
    text_add(t, r->subject);
    if (r->backend[0] != 0 && strstr(r->subject, r->backend) == NULL) {
        text_add(t, " (");
        text_add(t, r->backend);
        text_add(t, ")");
    }
}

/* Number of the library in the order they first appear. */
static unsigned library_number(const struct data *data, const char *library)
{
    const char *seen[SVG_COLORS];
    unsigned n = 0;
    for (size_t i = 0; i < data->result_count && n < SVG_COLORS; i++) {
        const char *other = data->results[i].library;
        unsigned k = 0;
        while (k < n && seen[k] != other)
            k++;
        if (k == n)
            seen[n++] = other;
        if (other == library)
            return k;
    }
    return SVG_COLORS - 1;
}

/* --- Bars --- */

struct bar_list {
    struct bar *bars;
    struct text *labels;
    size_t count, room;
    bool failed;
};

static void bar_add(struct bar_list *list, struct bar bar, const struct result *r, const char *before)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 16;
        struct bar *const bars = realloc(list->bars, room * sizeof *bars);
        if (bars != NULL)
            list->bars = bars;
        struct text *const labels = realloc(list->labels, room * sizeof *labels);
        if (labels != NULL)
            list->labels = labels;
        if (bars == NULL || labels == NULL) {
            list->failed = true;
            return;
        }
        list->room = room;
    }
    struct text *const label = &list->labels[list->count];
    *label = (struct text){0};
    text_add(label, before);
    row_label(r, label);
    list->failed |= label->failed;
    bar.label = or_empty(label);
    bar.remark = r->flags;
    list->bars[list->count++] = bar;
}

static void bar_list_free(struct bar_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        text_free(&list->labels[i]);
    free(list->bars);
    free(list->labels);
}

static int cheaper_first(const void *a, const void *b)
{
    const struct bar *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Sorts each group; a longer bar comes first where more is better. Stable order of equal ones does not matter: they look
   alike but for the label, which decides. */
static int better_first_rate(const void *a, const void *b)
{
    const int order = cheaper_first(b, a);
    return order != 0 ? order : strcmp(((const struct bar *)a)->label, ((const struct bar *)b)->label);
}

static int better_first_cost(const void *a, const void *b)
{
    const int order = cheaper_first(a, b);
    return order != 0 ? order : strcmp(((const struct bar *)a)->label, ((const struct bar *)b)->label);
}

static void sort_groups(struct bar_list *list, bool rate)
{
    for (size_t begin = 0, end; begin < list->count; begin = end) {
        for (end = begin + 1;
             end < list->count && strcmp(list->bars[end].group, list->bars[begin].group) == 0;)
            end++;
        qsort(list->bars + begin, end - begin, sizeof *list->bars,
              rate ? better_first_rate : better_first_cost);
    }
}

static struct bar cost_bar(const struct result *r, const char *group, unsigned color)
{
    return (struct bar){.group = group,
                        .value = result_cost(r, r->cycles),
                        .low = result_cost(r, r->cycles_low),
                        .high = result_cost(r, r->cycles_high),
                        .floor = NAN,
                        .color = color};
}

static struct bar rate_bar(const struct result *r, const char *group, unsigned color)
{
    return (struct bar){.group = group,
                        .value = result_rate(r, r->ns),
                        .low = result_rate(r, r->ns_high),
                        .high = result_rate(r, r->ns_low),
                        .floor = NAN,
                        .color = color};
}

/* Draws and frees the list. */
static void finish_bars(struct maker *m, struct chart *chart, struct bar_list *list, const char *unit,
                        const char *group_heading, const char *note, const char *date)
{
    const struct bar *best = NULL;
    struct text from = {0}, desc = {0};
    source(&from, m->data, chart->machine, date);
    for (size_t i = 0; i < list->count; i++)
        if (best == NULL || (strstr(note, "longer") != NULL ? list->bars[i].value > best->value
                                                            : list->bars[i].value < best->value))
            best = &list->bars[i];
    text_format(&desc, "Bar chart of %zu figures in %s. Best: ", list->count, unit);
    if (best != NULL) {
        text_add(&desc, best->label);
        text_add(&desc, " with ");
        text_figure(&desc, best->value);
        text_format(&desc, " %s.", unit);
    }
    const struct bars bars = {.frame = {.name = chart->name,
                                        .title = chart->title,
                                        .note = note,
                                        .source = or_empty(&from),
                                        .desc = or_empty(&desc)},
                              .unit = unit,
                              .group_heading = group_heading,
                              .label_heading = "subject",
                              .items = list->bars,
                              .count = list->count};
    svg_bars(&bars, m->request->with_style, &chart->svg, &chart->csv);
    m->charts->failed |= list->failed || from.failed || desc.failed || chart->svg.failed || chart->csv.failed;
    text_free(&from);
    text_free(&desc);
    bar_list_free(list);
}

static const char *started(const struct data *data, const struct result *r)
{
    return data->runs[r->run].started;
}

static bool wants(const struct maker *m, enum chart_kind kind)
{
    return m->request->kinds >> kind & 1;
}

/* First of those alike in the order of results. */
static bool is_first(const struct data *data, size_t i,
                     bool (*alike)(const struct result *a, const struct result *b))
{
    for (size_t j = 0; j < i; j++)
        if (alike(&data->results[j], &data->results[i]))
            return false;
    return true;
}

static bool one_library(const struct data *data, const struct result *like,
                        bool (*alike)(const struct result *a, const struct result *b))
{
    for (size_t i = 0; i < data->result_count; i++)
        if (alike(&data->results[i], like) && data->results[i].library != like->library)
            return false;
    return true;
}

/* Hashes come in two modes. */
static bool in_latency(const struct result *r)
{
    return strcmp(r->mode, "latency") == 0 && r->group <= GROUP_MANY;
}

/* At the end of the name of a chart, and of its title. */
static const char *mode_suffix(const struct result *r)
{
    return in_latency(r) ? " latency" : "";
}

static const char *mode_title(const struct result *r)
{
    return in_latency(r) ? ", latency" : "";
}

static void cost_note(const struct result *r, char *note, size_t size, const char *more)
{
    snprintf(note, size, "%s, %s mode; shorter is better%s", group_cost_unit(r->group), r->mode, more);
}

static void chart_bars(struct maker *m, const struct result *first)
{
    const struct data *data = m->data;
    char name[RESULT_NAME_SIZE], note[256];
    struct text length = {0};
    struct bar_list list = {0};
    uint64_t longest = 0;
    for (size_t i = 0; i < data->result_count; i++)
        if (result_same_family(&data->results[i], first) && data->results[i].src_len > longest)
            longest = data->results[i].src_len;
    struct chart *const chart = new_chart(m, CHART_BARS, first->machine, first->function);
    if (chart == NULL)
        return;
    const bool plain = one_library(data, first, result_same_family);
    const struct result *newest = first;
    for (size_t i = 0; i < data->result_count; i++) {
        const struct result *r = &data->results[i];
        if (!result_same_family(r, first) || r->src_len != longest)
            continue;
        bar_add(&list, cost_bar(r, "", plain ? 0 : library_number(data, r->library)), r, "");
        newest = r->run > newest->run ? r : newest;
    }
    sort_groups(&list, false);
    result_name(first, name);
    text_size(&length, longest);
    snprintf(chart->title, sizeof chart->title, "%s, %s%s", name, or_empty(&length), mode_title(first));
    name_chart(m, chart, "%s%s", name, mode_suffix(first));
    cost_note(first, note, sizeof note, "; whiskers: 95 % interval");
    finish_bars(m, chart, &list, group_cost_unit(first->group), "group", note, started(data, newest));
    text_free(&length);
}

static bool same_overview(const struct result *a, const struct result *b)
{
    return a->machine == b->machine && a->group == b->group && a->mode == b->mode;
}

/* The fastest row of each function at the greatest length that was measured. */
static void chart_overview(struct maker *m, const struct result *first)
{
    const struct data *data = m->data;
    uint64_t longest = 0;
    char note[256];
    struct text length = {0};
    struct bar_list list = {0};
    for (size_t i = 0; i < data->result_count; i++)
        if (same_overview(&data->results[i], first) && data->results[i].src_len > longest)
            longest = data->results[i].src_len;
    const struct result *newest = first;
    for (size_t i = 0; i < data->result_count; i++) {
        const struct result *best = &data->results[i];
        if (!same_overview(best, first) || best->src_len != longest || !is_first(data, i, result_same_case))
            continue;
        for (size_t j = i + 1; j < data->result_count; j++)
            if (result_same_case(&data->results[j], best) && data->results[j].cycles < best->cycles)
                best = &data->results[j];
        char name[RESULT_NAME_SIZE];
        result_name(best, name);
        strncat(name, " · ", sizeof name - strlen(name) - 1);
        bar_add(&list, cost_bar(best, "", library_number(data, best->library)), best, name);
        newest = best->run > newest->run ? best : newest;
    }
    if (list.count < 2) {
        bar_list_free(&list);
        return;
    }
    struct chart *const chart = new_chart(m, CHART_OVERVIEW, first->machine, "");
    if (chart == NULL) {
        bar_list_free(&list);
        return;
    }
    sort_groups(&list, false);
    text_size(&length, longest);
    snprintf(chart->title, sizeof chart->title, "Fastest of each function, %s%s%s", or_empty(&length),
             first->group == GROUP_MANY ? ", many messages" : "", mode_title(first));
    name_chart(m, chart, "overview%s%s", first->group == GROUP_MANY ? " many" : "", mode_suffix(first));
    cost_note(first, note, sizeof note, "; whiskers: 95 % interval");
    finish_bars(m, chart, &list, group_cost_unit(first->group), "group", note, started(data, newest));
    text_free(&length);
}

static bool same_set(const struct result *a, const struct result *b)
{
    return a->machine == b->machine && a->group == b->group && a->function == b->function &&
           a->mode == b->mode;
}

static int compare_groups(const struct result *a, const struct result *b)
{
    static const char *const order[] = {"keygen", "encaps", "decaps"};
    size_t x = 0, y = 0;
    while (x < 3 && strcmp(a->operation, order[x]) != 0)
        x++;
    while (y < 3 && strcmp(b->operation, order[y]) != 0)
        y++;
    if (x != y)
        return x < y ? -1 : 1;
    const int words = strcmp(a->operation, b->operation);
    return words != 0 ? words : (a->ways > b->ways) - (a->ways < b->ways);
}

static int compare_group_pointers(const void *a, const void *b)
{
    const struct result *x = *(const struct result *const *)a, *y = *(const struct result *const *)b;
    const int order = compare_groups(x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

static void group_words(const struct result *r, char words[64])
{
    if (r->group == GROUP_KEM) {
        snprintf(words, 64, "%.20s", r->operation);
        if (r->ways > 1)
            snprintf(words + strlen(words), 64 - strlen(words), ", %u at once", r->ways);
    } else {
        snprintf(words, 64, "%u %s%s", r->ways, r->group == GROUP_CHAIN ? "chain" : "state",
                 r->ways > 1 ? "s" : "");
    }
}

/* Permutations, chains, KEMs: all figures of a function, in groups. */
static void chart_groups(struct maker *m, const struct result *first, enum chart_kind kind)
{
    const struct data *data = m->data;
    const bool rate = kind == CHART_CHAIN;
    const char *unit = rate ? group_rate_unit(first->group) : group_cost_unit(first->group);
    const struct result **const rows = calloc(data->result_count, sizeof *rows);
    char(*const words)[64] = calloc(data->result_count, sizeof *words);
    char note[256];
    size_t n = 0;
    bool floors = false;
    struct bar_list list = {0};
    struct chart *const chart = new_chart(m, kind, first->machine, first->function);
    if (rows == NULL || words == NULL || chart == NULL) {
        m->charts->failed = true;
    } else {
        const struct result *newest = first;
        const bool plain = one_library(data, first, same_set);
        for (size_t i = 0; i < data->result_count; i++)
            if (same_set(&data->results[i], first))
                rows[n++] = &data->results[i];
        qsort(rows, n, sizeof *rows, compare_group_pointers);
        for (size_t i = 0; i < n; i++) {
            const unsigned color = plain ? 0 : library_number(data, rows[i]->library);
            group_words(rows[i], words[i]);
            struct bar bar = rate ? rate_bar(rows[i], words[i], color) : cost_bar(rows[i], words[i], color);
            bar.floor = result_floor(data, rows[i]);
            floors |= isfinite(bar.floor);
            bar_add(&list, bar, rows[i], "");
            newest = rows[i]->run > newest->run ? rows[i] : newest;
        }
        sort_groups(&list, rate);
        snprintf(chart->title, sizeof chart->title, "%s%s", first->function,
                 kind == CHART_PERMUTATION ? ", cycles per state"
                 : kind == CHART_CHAIN     ? ", hashes per second"
                                           : "");
        name_chart(m, chart, "%s%s", first->function, kind == CHART_PERMUTATION ? " permutation" : "");
        snprintf(note, sizeof note, "%s, %s mode; %s is better; whiskers: 95 %% interval%s", unit,
                 first->mode, rate ? "longer" : "shorter",
                 floors ? "; dashes: floor, the arithmetic alone on the widest core" : "");
        finish_bars(m, chart, &list, unit, "group", note, started(data, newest));
    }
    free(rows);
    free(words);
}

/* --- Points --- */

struct line_list {
    struct series *series;
    struct text *labels; /* of the series */
    struct dot **dots;   /* of the series; with their texts */
    size_t count;
};

static void line_list_free(struct line_list *list)
{
    for (size_t s = 0; s < list->count; s++) {
        for (size_t i = 0; i < list->series[s].count; i++)
            free((void *)(uintptr_t)list->dots[s][i].at);
        free(list->dots[s]);
        text_free(&list->labels[s]);
    }
    free(list->series);
    free(list->labels);
    free(list->dots);
}

/* A new series with room for n dots; NULL: out of memory. */
static struct series *line_add(struct maker *m, struct line_list *list, size_t n, const char *label,
                               const struct result *r)
{
    const size_t s = list->count;
    struct series *const series = realloc(list->series, (s + 1) * sizeof *series);
    if (series != NULL)
        list->series = series;
    struct text *const labels = realloc(list->labels, (s + 1) * sizeof *labels);
    if (labels != NULL)
        list->labels = labels;
    struct dot **const dots = realloc(list->dots, (s + 1) * sizeof *dots);
    if (dots != NULL)
        list->dots = dots;
    struct dot *const items = calloc(n + 1, sizeof *items);
    if (series == NULL || labels == NULL || dots == NULL || items == NULL) {
        free(items);
        m->charts->failed = true;
        return NULL;
    }
    list->labels[s] = (struct text){0};
    text_add(&list->labels[s], label);
    if (r != NULL)
        row_label(r, &list->labels[s]);
    m->charts->failed |= list->labels[s].failed;
    list->dots[s] = items;
    list->series[s] = (struct series){.color = (unsigned)s, .line = true, .dots = true, .items = items};
    list->count++;
    return &list->series[s];
}

/* `at` is copied; series->items has room. */
static void dot_add(struct maker *m, struct line_list *list, size_t s, struct dot dot, const char *at)
{
    dot.at = strdup(at);
    if (dot.at == NULL)
        m->charts->failed = true;
    else
        list->dots[s][list->series[s].count++] = dot;
}

static int compare_dots(const void *a, const void *b)
{
    const struct dot *x = a, *y = b;
    return (x->x > y->x) - (x->x < y->x);
}

static int compare_ticks(const void *a, const void *b)
{
    const struct x_tick *x = a, *y = b;
    return (x->x > y->x) - (x->x < y->x);
}

/* Draws and frees the list; ticks are at the x of all dots. */
static void finish_lines(struct maker *m, struct chart *chart, struct line_list *list, struct plot plot,
                         const char *note, const char *date, const char *what)
{
    struct text from = {0}, desc = {0};
    size_t n = 0, ticks = 0;
    for (size_t s = 0; s < list->count; s++) {
        n += list->series[s].count;
        list->series[s].label = or_empty(&list->labels[s]);
    }
    struct x_tick *const tick = calloc(n + 1, sizeof *tick);
    if (tick == NULL) {
        m->charts->failed = true;
        line_list_free(list);
        return;
    }
    n = 0;
    for (size_t s = 0; s < list->count; s++)
        for (size_t i = 0; i < list->series[s].count; i++)
            tick[n++] = (struct x_tick){list->dots[s][i].x, list->dots[s][i].at};
    qsort(tick, n, sizeof *tick, compare_ticks);
    for (size_t i = 0; i < n; i++)
        if (ticks == 0 || tick[i].x > tick[ticks - 1].x)
            tick[ticks++] = tick[i];
    source(&from, m->data, chart->machine, date);
    text_format(&desc, "Line chart: %zu series of %s over %zu points of %s.", list->count, plot.unit, ticks,
                what);
    plot.frame = (struct frame){.name = chart->name,
                                .title = chart->title,
                                .note = note,
                                .source = or_empty(&from),
                                .desc = or_empty(&desc)};
    plot.ticks = tick;
    plot.tick_count = ticks;
    plot.items = list->series;
    plot.count = list->count;
    svg_plot(&plot, m->request->with_style, &chart->svg, &chart->csv);
    m->charts->failed |= from.failed || desc.failed || chart->svg.failed || chart->csv.failed;
    text_free(&from);
    text_free(&desc);
    free(tick);
    line_list_free(list);
}

static bool same_line(const struct result *a, const struct result *b)
{
    return result_same_family(a, b) && a->subject == b->subject && a->backend == b->backend;
}

static void chart_lengths(struct maker *m, const struct result *first)
{
    const struct data *data = m->data;
    struct line_list list = {0};
    const struct result *newest = first;
    size_t most = 0;
    for (size_t i = 0; i < data->result_count; i++) {
        const struct result *row = &data->results[i];
        if (!result_same_family(row, first) || !is_first(data, i, same_line))
            continue;
        if (line_add(m, &list, data->result_count - i, "", row) == NULL)
            break;
        const size_t s = list.count - 1;
        for (size_t j = i; j < data->result_count; j++) {
            const struct result *r = &data->results[j];
            struct text at = {0};
            if (!same_line(r, row))
                continue;
            text_size(&at, r->src_len);
            dot_add(m, &list, s,
                    (struct dot){.x = (double)r->src_len,
                                 .y = result_cost(r, r->cycles),
                                 .low = result_cost(r, r->cycles_low),
                                 .high = result_cost(r, r->cycles_high)},
                    or_empty(&at));
            text_free(&at);
            newest = r->run > newest->run ? r : newest;
        }
        qsort(list.dots[s], list.series[s].count, sizeof *list.dots[s], compare_dots);
        most = list.series[s].count > most ? list.series[s].count : most;
    }
    struct chart *const chart =
        most > 1 ? new_chart(m, CHART_LENGTHS, first->machine, first->function) : NULL;
    if (chart == NULL) {
        line_list_free(&list);
        return;
    }
    char name[RESULT_NAME_SIZE], note[256];
    result_name(first, name);
    snprintf(chart->title, sizeof chart->title, "%s by length of input%s", name, mode_title(first));
    name_chart(m, chart, "%s%s lengths", name, mode_suffix(first));
    snprintf(note, sizeof note, "%s, %s mode; lower is better; bars: 95 %% interval",
             group_cost_unit(first->group), first->mode);
    finish_lines(
        m, chart, &list,
        (struct plot){.unit = group_cost_unit(first->group), .x_heading = "length of input", .log_x = true},
        note, started(data, newest), "length");
}

/* --- Over time --- */

/* The canary's cycles on a machine, the same for all its runs: their median. NAN: some run does not know. */
static double common_canary(const struct data *data, unsigned machine)
{
    double *const values = calloc(data->run_count + 1, sizeof *values);
    size_t n = 0;
    bool all = values != NULL;
    for (size_t i = 0; all && i < data->run_count; i++)
        if (data->runs[i].machine == machine) {
            all = data->runs[i].canary_cycles > 0;
            size_t at = n++;
            for (; at > 0 && values[at - 1] > data->runs[i].canary_cycles; at--)
                values[at] = values[at - 1];
            values[at] = data->runs[i].canary_cycles;
        }
    const double median = all && n > 0 ? values[n / 2] : NAN;
    free(values);
    return median;
}

static void run_words(const struct data *data, unsigned run, char words[64])
{
    snprintf(words, 64, "%.16s", data->runs[run].started);
    for (char *p = words; *p != 0; p++)
        if (*p == 'T')
            *p = ' ';
    if (data->runs[run].label[0] != 0)
        snprintf(words + strlen(words), 64 - strlen(words), " %.24s", data->runs[run].label);
}

static void chart_history(struct maker *m, const struct result *first)
{
    const struct data *data = m->data;
    struct line_list list = {0};
    char name[RESULT_NAME_SIZE], note[256], size[64] = "";
    struct text length = {0};
    double canary = common_canary(data, first->machine);
    for (size_t i = 0; i < data->past_count; i++)
        if (result_same_case(&data->past[i], first) && !(data->past[i].canary_ratio > 0))
            canary = NAN;
    struct chart *const chart = new_chart(m, CHART_HISTORY, first->machine, first->function);
    if (chart == NULL)
        return;
    for (size_t i = 0; i < data->past_count; i++) {
        const struct result *row = &data->past[i];
        bool seen = !result_same_case(row, first);
        for (size_t j = 0; j < i && !seen; j++)
            seen = result_same_case(&data->past[j], first) && same_line(&data->past[j], row);
        if (seen)
            continue;
        if (line_add(m, &list, data->past_count - i, "", row) == NULL)
            break;
        for (size_t j = i; j < data->past_count; j++) {
            const struct result *r = &data->past[j];
            char words[64];
            if (!same_line(r, row) || r->src_len != row->src_len)
                continue;
            const double factor = isfinite(canary) ? r->canary_ratio * canary / r->cycles : 1;
            run_words(data, r->run, words);
            dot_add(m, &list, list.count - 1,
                    (struct dot){.x = r->run,
                                 .y = factor * result_cost(r, r->cycles),
                                 .low = factor * result_cost(r, r->cycles_low),
                                 .high = factor * result_cost(r, r->cycles_high)},
                    words);
        }
    }
    result_name(first, name);
    text_size(&length, first->src_len);
    if (first->group <= GROUP_MANY)
        snprintf(size, sizeof size, ", %s", or_empty(&length));
    snprintf(chart->title, sizeof chart->title, "History of %.180s%.50s%s", name, size, mode_title(first));
    name_chart(m, chart, "%s%s history %llu", name, mode_suffix(first), (unsigned long long)first->src_len);
    snprintf(note, sizeof note, "%s, %s mode; lower is better; axis not from 0; %s",
             group_cost_unit(first->group), first->mode,
             isfinite(canary) ? "corrected by the canary that ran beside it"
                              : "not corrected for the state of the machine");
    finish_lines(
        m, chart, &list,
        (struct plot){.unit = group_cost_unit(first->group), .x_heading = "runs, oldest first", .zoom = true},
        note, NULL, "time");
    text_free(&length);
}

/* --- Differences --- */

#define MEAN_OF 9 /* neighbours that a running mean is over */

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The same function, whether one message at a time or many. */
static bool same_job(const struct result *a, const struct result *b)
{
    return a->machine == b->machine && a->group <= GROUP_MANY && b->group <= GROUP_MANY &&
           a->function == b->function && a->mode == b->mode;
}

static bool same_worker(const struct result *a, const struct result *b)
{
    return same_job(a, b) && a->group == b->group && a->subject == b->subject && a->backend == b->backend &&
           a->ways == b->ways;
}

struct pair {
    const struct result *base, *test;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct result *x = ((const struct pair *)a)->base, *y = ((const struct pair *)b)->base;
    if (x->dst_len != y->dst_len)
        return x->dst_len < y->dst_len ? -1 : 1;
    return (x->src_len > y->src_len) - (x->src_len < y->src_len);
}

static void worker_label(const struct result *r, struct text *t)
{
    row_label(r, t);
    if (r->group == GROUP_MANY)
        text_format(t, " ×%u", r->ways);
}

static void chart_delta(struct maker *m, const struct result *base, const struct result *test)
{
    const struct data *data = m->data;
    struct pair *const pairs = calloc(data->result_count + 1, sizeof *pairs);
    size_t n = 0;
    for (size_t i = 0; pairs != NULL && i < data->result_count; i++)
        for (size_t j = 0; j < data->result_count && same_worker(&data->results[i], base); j++)
            if (same_worker(&data->results[j], test) &&
                data->results[j].src_len == data->results[i].src_len &&
                data->results[j].dst_len == data->results[i].dst_len)
                pairs[n++] = (struct pair){&data->results[i], &data->results[j]};
    struct chart *const chart = n > 1 ? new_chart(m, CHART_DELTA, base->machine, base->function) : NULL;
    struct line_list list = {0};
    if (chart != NULL && line_add(m, &list, n, "difference", NULL) != NULL &&
        line_add(m, &list, n, "running mean", NULL) != NULL) {
        qsort(pairs, n, sizeof *pairs, compare_pairs);
        for (size_t i = 0; i < n; i++) {
            const struct result *b = pairs[i].base, *t = pairs[i].test;
            char at[64];
            if (base->sized)
                snprintf(at, sizeof at, "%llu:%llu", (unsigned long long)b->dst_len,
                         (unsigned long long)b->src_len);
            else
                snprintf(at, sizeof at, "%llu B", (unsigned long long)b->src_len);
            dot_add(m, &list, 0,
                    (struct dot){
                        .x = (double)i,
                        .y = 100 * (result_cost(t, t->cycles) / result_cost(b, b->cycles) - 1),
                        .low = 100 * (result_cost(t, t->cycles_low) / result_cost(b, b->cycles_high) - 1),
                        .high = 100 * (result_cost(t, t->cycles_high) / result_cost(b, b->cycles_low) - 1)},
                    at);
        }
        for (size_t i = 0; i < list.series[0].count; i++) {
            double sum = 0, count = 0;
            for (size_t j = i > MEAN_OF / 2 ? i - MEAN_OF / 2 : 0; j < n && j <= i + MEAN_OF / 2;
                 j++, count++)
                sum += list.dots[0][j].y;
            dot_add(m, &list, 1, (struct dot){.x = (double)i, .y = sum / count, .low = NAN, .high = NAN},
                    list.dots[0][i].at);
        }
        list.series[0].line = false;
        list.series[1].dots = false;
        struct text who = {0}, against = {0};
        char note[512];
        worker_label(test, &who);
        worker_label(base, &against);
        snprintf(chart->title, sizeof chart->title, "%.60s: %.60s against %.60s%s", base->function,
                 or_empty(&who), or_empty(&against), mode_title(base));
        name_chart(m, chart, "%.60s%s delta %.60s x%u", base->function, mode_suffix(base), or_empty(&who),
                   test->ways);
        snprintf(
            note, sizeof note,
            "difference of cycles/byte, %s mode; below zero: the first is faster; line: running mean of %d",
            base->mode, MEAN_OF);
        finish_lines(m, chart, &list,
                     (struct plot){.unit = "%",
                                   .x_heading = base->sized ? "bytes of output : input" : "length of input",
                                   .signed_y = true},
                     note, started(data, test), "size");
        text_free(&who);
        text_free(&against);
    } else {
        line_list_free(&list);
    }
    if (pairs == NULL)
        m->charts->failed = true;
    free(pairs);
}

static void charts_delta(struct maker *m, size_t first)
{
    const struct data *data = m->data;
    const struct result *base = NULL;
    for (size_t i = first; i < data->result_count; i++) {
        const struct result *r = &data->results[i];
        if (!same_job(r, &data->results[first]))
            continue;
        if (m->request->base != NULL ? begins_with(r->subject, m->request->base) : base == NULL)
            if (base == NULL || r->ways < base->ways)
                base = r;
    }
    for (size_t i = first; base != NULL && i < data->result_count; i++) {
        const struct result *test = &data->results[i];
        if (same_job(test, base) && !same_worker(test, base) && is_first(data, i, same_worker) &&
            (m->request->test == NULL || begins_with(test->subject, m->request->test)))
            chart_delta(m, base, test);
    }
}

/* --- All of them --- */

static bool has_past(const struct data *data, const struct result *r)
{
    for (size_t i = 0; i < data->past_count; i++)
        if (data->past[i].run != r->run && result_same_case(&data->past[i], r))
            return true;
    return false;
}

/* Cases that were measured in two runs or more; when there are none, all of them as a beginning. */
static void charts_history(struct maker *m)
{
    const struct data *data = m->data;
    char wanted[128];
    if (m->request->history == NULL)
        return;
    data_function_name(wanted, sizeof wanted, m->request->history);
    for (int pass = 0; pass < 2 && m->charts->count == 0; pass++)
        for (size_t i = 0; i < data->result_count; i++)
            if (strcmp(data->results[i].function, wanted) == 0 && is_first(data, i, result_same_case) &&
                (pass == 1 || has_past(data, &data->results[i])))
                chart_history(m, &data->results[i]);
}

static const struct {
    enum chart_kind kind;
    enum group group;
} grouped[] = {{CHART_PERMUTATION, GROUP_PERMUTATION}, {CHART_CHAIN, GROUP_CHAIN}, {CHART_KEM, GROUP_KEM}};

void charts_make(struct charts *charts, const struct data *data, const struct chart_request *request)
{
    struct maker m = {charts, data, request};
    *charts = (struct charts){0};
    if (wants(&m, CHART_HISTORY))
        charts_history(&m);
    for (unsigned machine = 0; machine < data->machine_count; machine++)
        for (unsigned group = GROUP_HASH; group <= GROUP_MANY; group++)
            for (size_t i = 0; wants(&m, CHART_OVERVIEW) && i < data->result_count; i++)
                if (data->results[i].machine == machine && data->results[i].group == group &&
                    is_first(data, i, same_overview))
                    chart_overview(&m, &data->results[i]);
    for (size_t i = 0; i < data->result_count && !charts->failed; i++) {
        const struct result *r = &data->results[i];
        for (size_t g = 0; g < sizeof grouped / sizeof grouped[0]; g++)
            if (r->group == grouped[g].group && wants(&m, grouped[g].kind) && is_first(data, i, same_set))
                chart_groups(&m, r, grouped[g].kind);
        if (r->group > GROUP_MANY && r->group != GROUP_OTHER)
            continue;
        if (wants(&m, CHART_DELTA) && is_first(data, i, same_job))
            charts_delta(&m, i);
        if (!is_first(data, i, result_same_family))
            continue;
        if (wants(&m, CHART_BARS))
            chart_bars(&m, r);
        if (wants(&m, CHART_LENGTHS) && r->group <= GROUP_MANY)
            chart_lengths(&m, r);
    }
}

void charts_free(struct charts *charts)
{
    for (size_t i = 0; i < charts->count; i++) {
        text_free(&charts->items[i].svg);
        text_free(&charts->items[i].csv);
    }
    free(charts->items);
    *charts = (struct charts){0};
}
