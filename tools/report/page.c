/* page.c: see page.h. */
#include "page.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "celer/celer.h"
#include "svg.h"

/* --- Rows in the order of the tables --- */

struct row {
    const struct result *result;
    size_t function; /* where it first appeared */
    bool first;      /* of its case */
    bool fastest;    /* of several of its case */
};

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const struct result *r = x->result, *s = y->result;
    const double keys[][2] = {{r->group, s->group},
                              {(double)x->function, (double)y->function},
                              {(double)r->dst_len, (double)s->dst_len},
                              {r->ways, s->ways},
                              {r->machine, s->machine}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return compare_numbers(keys[i][0], keys[i][1]);
    int order = strcmp(s->operation, r->operation); /* keygen, encaps, decaps */
    if (order == 0)
        order = strcmp(s->mode, r->mode); /* throughput before latency */
    if (order == 0)
        order = compare_numbers((double)r->src_len, (double)s->src_len);
    if (order == 0)
        order = compare_numbers(r->cycles, s->cycles);
    return order != 0 ? order : (r > s) - (r < s);
}

/* NULL: out of memory. */
static struct row *make_rows(const struct data *data)
{
    struct row *const rows = calloc(data->result_count + 1, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < data->result_count; i++) {
        size_t j = 0;
        while (data->results[j].function != data->results[i].function)
            j++;
        rows[i] = (struct row){.result = &data->results[i], .function = j};
    }
    if (rows == NULL)
        return NULL;
    qsort(rows, data->result_count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < data->result_count; i++) {
        rows[i].first = i == 0 || !result_same_case(rows[i].result, rows[i - 1].result);
        rows[i].fastest = rows[i].first && i + 1 < data->result_count &&
                          result_same_case(rows[i].result, rows[i + 1].result);
    }
    return rows;
}

static const char *size_heading(enum group group)
{
    static const char *const headings[] = {"Input", "Input", "States", "Chains", "Ways", "Ways"};
    return headings[group];
}

/* --- Machines --- */

static const char *string_of(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s != NULL ? s : "";
}

static void heading(struct text *t, const char *name)
{
    text_add(t, "<dt>");
    text_escaped(t, name);
    text_add(t, "<dd>");
}

/* "unknown (why)" as "unknown", with the reason in the tip. Texts of any length, from documents. */
static void fact(struct text *t, const char *name, const char *value)
{
    struct text shown = {0};
    if (*value == 0)
        return;
    heading(t, name);
    if (strncmp(value, "unknown (", 9) == 0) {
        text_add(t, "<span title=\"");
        text_escaped(t, value);
        text_add(t, "\">unknown</span>\n");
        return;
    }
    text_clipped(&shown, value, 400);
    text_escaped(t, shown.data != NULL ? shown.data : "");
    text_add(t, "\n");
    t->failed |= shown.failed;
    text_free(&shown);
}

static void number_fact(struct text *t, const char *name, const json_t *value, double scale, int decimals,
                        const char *unit)
{
    if (!json_is_number(value))
        return;
    heading(t, name);
    text_number(t, json_number_value(value) * scale, decimals);
    text_add(t, unit);
    text_add(t, "\n");
}

static void warning(struct text *t, const char *before, const char *what)
{
    text_add(t, "<p class=warn>");
    text_add(t, before);
    text_escaped(t, what);
    text_add(t, "</p>\n");
}

static void machine_warnings(struct text *t, const json_t *document)
{
    const json_t *counter = json_object_get(document, "counter"),
                 *machine = json_object_get(document, "machine");
    const char *governor = string_of(machine, "governor");
    const double stolen = json_number_value(json_object_get(machine, "stolen_seconds"));
    const double seconds = json_number_value(json_object_get(json_object_get(document, "run"), "seconds"));
    if (json_is_true(json_object_get(counter, "estimated")))
        warning(t, "Cycles are estimated: ", string_of(counter, "doubt"));
    if (strcmp(governor, "powersave") == 0 || strcmp(governor, "ondemand") == 0)
        warning(t, "The frequency governor was ", governor);
    if (stolen > 0.01 * seconds && seconds > 0)
        warning(t, "The hypervisor gave more than 1 % of the time to other machines", "");
    if (json_is_true(json_object_get(json_object_get(document, "run"), "interrupted")))
        warning(t, "The run was interrupted; its figures are of the samples taken until then", "");
}

static void write_machine(struct text *t, const struct data *data, unsigned index)
{
    const json_t *document = data->machines[index].document;
    const json_t *machine = json_object_get(document, "machine"),
                 *counter = json_object_get(document, "counter");
    const json_t *run = json_object_get(document, "run");
    const struct run_info *info = &data->runs[data->machines[index].run];
    size_t rows = 0, flagged = 0;
    for (size_t i = 0; i < data->result_count; i++) {
        rows += data->results[i].machine == index;
        flagged += data->results[i].machine == index && data->results[i].flags[0] != 0;
    }
    text_add(t, "<article class=card>\n<h3>");
    if (data->machine_count > 1)
        text_format(t, "<span class=no>%u</span> ", index + 1);
    text_escaped(t, data->machines[index].name);
    text_add(t, "</h3>\n<dl>\n");
    fact(t, "Run", info->started);
    fact(t, "Label", info->label);
    heading(t, "Figures");
    text_format(t, "%zu", rows);
    if (flagged > 0)
        text_format(t, ", %zu flagged", flagged);
    text_add(t, "\n");
    heading(t, "Counter");
    text_escaped(t, string_of(counter, "implementation"));
    text_add(t, json_is_true(json_object_get(counter, "counts_cycles")) ? ", counts core cycles\n"
                                                                        : ", scaled to core cycles\n");
    number_fact(t, "Core clock", json_object_get(counter, "cycles_per_second"), 1e-9, 2, " GHz");
    fact(t, "Hypervisor", string_of(machine, "hypervisor"));
    fact(t, "System", string_of(machine, "system"));
    fact(t, "Governor", string_of(machine, "governor"));
    fact(t, "Turbo", string_of(machine, "turbo"));
    number_fact(t, "Load", json_object_get(machine, "load"), 1, 2, "");
    number_fact(t, "Pinned to CPU", json_object_get(machine, "pinned_to_cpu"), 1, 0, "");
    number_fact(t, "Samples", json_object_get(run, "trials"), 1, 0, " a figure");
    text_add(t, "</dl>\n");
    machine_warnings(t, document);
    text_add(t, "<details><summary>More of this machine</summary>\n<dl>\n");
    fact(t, "CPUs", string_of(machine, "cpus"));
    fact(t, "Caches", string_of(machine, "caches"));
    fact(t, "Microcode", string_of(machine, "microcode"));
    fact(t, "Instruction sets", string_of(machine, "isa"));
    number_fact(t, "Slowest clock seen", json_object_get(machine, "ghz_min"), 1, 2, " GHz");
    number_fact(t, "Median clock", json_object_get(machine, "ghz_median"), 1, 2, " GHz");
    number_fact(t, "Fastest clock seen", json_object_get(machine, "ghz_max"), 1, 2, " GHz");
    number_fact(t, "Timer", json_object_get(counter, "ticks_per_second"), 1e-9, 3, " GHz");
    number_fact(t, "Time stolen", json_object_get(machine, "stolen_seconds"), 1, 2, " s");
    fact(t, "No better counter, because", string_of(counter, "no_better_counter_because"));
    size_t i;
    const json_t *subject;
    json_array_foreach(json_object_get(document, "subjects"), i, subject) if (i < 32)
    {
        struct text words = {0};
        text_add(&words, string_of(subject, "compiler"));
        text_add(&words, " ");
        text_add(&words, string_of(subject, "flags_cc"));
        fact(t, string_of(subject, "label"), words.data != NULL ? words.data : "");
        text_free(&words);
    }
    text_add(t, "</dl></details>\n</article>\n");
}

/* --- Tables --- */

static void cell_text(struct text *t, const char *s)
{
    text_add(t, "<td>");
    text_escaped(t, s);
}

static void write_row(struct text *t, const struct data *data, const struct row *row)
{
    const struct result *r = row->result;
    char name[RESULT_NAME_SIZE];
    if (r->group == GROUP_PERMUTATION || r->group == GROUP_CHAIN) /* how many has a column */
        snprintf(name, sizeof name, "%s", r->function);
    else
        result_name(r, name);
    text_format(t, "<tr class=\"%s%s%s\"", row->first ? "g" : "", row->fastest ? " best" : "",
                r->flags[0] != 0 ? " dbt" : "");
    if (strcmp(name, r->function) != 0) {
        text_add(t, " data-f=\"");
        text_escaped(t, r->function);
        text_add(t, "\"");
    }
    text_add(t, ">");
    cell_text(t, name);
    cell_text(t, r->library);
    if (r->version[0] != 0) {
        text_add(t, " <i>");
        text_escaped(t, r->version);
        text_add(t, "</i>");
    }
    cell_text(t, r->backend);
    cell_text(t, r->compiler);
    if (r->group <= GROUP_MANY) {
        text_format(t, "<td data-v=%llu>", (unsigned long long)r->src_len);
        text_size(t, r->src_len);
    } else {
        text_format(t, "<td>%u", r->ways);
    }
    cell_text(t, r->mode);
    text_add(t, "<td>");
    text_number(t, result_rate(r, r->ns), r->group == GROUP_KEM ? 0 : 1);
    text_add(t, "<td>");
    text_figure(t, result_cost(r, r->cycles));
    text_add(t, "<td>");
    if (isfinite(r->cycles_low) && isfinite(r->cycles_high)) {
        text_figure(t, result_cost(r, r->cycles_low));
        text_add(t, " – ");
        text_figure(t, result_cost(r, r->cycles_high));
    }
    text_add(t, "<td>");
    if (row->fastest)
        text_add(t, "<b>fastest</b> ");
    text_escaped(t, r->flags);
    if (r->notes[0] != 0) {
        text_add(t, r->flags[0] != 0 ? "; " : "");
        text_escaped(t, r->notes);
    }
    if (data->machine_count > 1) {
        text_format(t, "<td>%u ", r->machine + 1);
        text_escaped(t, data->machines[r->machine].name);
    }
    text_add(t, "\n");
}

static void write_table(struct text *t, const struct data *data, const struct row *rows, size_t n)
{
    const enum group group = rows[0].result->group;
    text_format(
        t,
        "<section class=tab id=g%d>\n<div class=bar><h2>%s</h2></div>\n<div class=wrap><table%s data-size=\"%s\">\n",
        (int)group, group_title(group), data->machine_count > 1 ? " class=m" : "", size_heading(group));
    text_format(
        t,
        "<caption>%zu figures. Median %s and %s; fewer cycles are better. Interval: 95 %% of the median, in %s."
        "</caption>\n",
        n, group_rate_unit(group), group_cost_unit(group), group_cost_unit(group));
    text_format(
        t,
        "<thead><tr><th scope=col>Algorithm<th scope=col>Provider<th scope=col>Backend<th scope=col>Compiler"
        "<th scope=col class=n>%s<th scope=col>Mode<th scope=col class=n>%s<th scope=col class=n>%s"
        "<th scope=col class=n>Interval<th scope=col>Notes%s</thead>\n<tbody>\n",
        size_heading(group), group_rate_unit(group), group_cost_unit(group),
        data->machine_count > 1 ? "<th scope=col>Machine" : "");
    for (size_t i = 0; i < n; i++)
        write_row(t, data, &rows[i]);
    text_add(t, "</tbody></table></div>\n</section>\n");
}

static void write_tables(struct text *t, const struct data *data)
{
    struct row *const rows = make_rows(data);
    if (rows == NULL) {
        t->failed = true;
        return;
    }
    for (size_t begin = 0, end; begin < data->result_count; begin = end) {
        for (end = begin + 1;
             end < data->result_count && rows[end].result->group == rows[begin].result->group;)
            end++;
        write_table(t, data, rows + begin, end - begin);
    }
    free(rows);
}

void page_csv(struct text *t, const struct data *data)
{
    struct row *const rows = make_rows(data);
    if (rows == NULL) {
        t->failed = true;
        return;
    }
    text_add(
        t,
        "machine,started,kind,function,operation,ways,mode,dst_len,src_len,subject,library,version,backend,compiler,"
        "rate,rate_unit,cost,cost_lo,cost_hi,cost_unit,cycles,ns,n,flags,notes\n");
    for (size_t i = 0; i < data->result_count; i++) {
        const struct result *r = rows[i].result;
        const char *const words[] = {data->machines[r->machine].name, data->runs[r->run].started, r->kind,
                                     r->function, r->operation};
        const char *const more[] = {r->subject, r->library, r->version, r->backend, r->compiler};
        const double numbers[] = {result_cost(r, r->cycles), result_cost(r, r->cycles_low),
                                  result_cost(r, r->cycles_high)};
        for (size_t k = 0; k < 5; k++) {
            text_csv(t, words[k]);
            text_add(t, ",");
        }
        text_format(t, "%u,", r->ways);
        text_csv(t, r->mode);
        text_format(t, ",%llu,%llu", (unsigned long long)r->dst_len, (unsigned long long)r->src_len);
        for (size_t k = 0; k < 5; k++) {
            text_add(t, ",");
            text_csv(t, more[k]);
        }
        text_add(t, ",");
        text_number(t, result_rate(r, r->ns), 3);
        text_format(t, ",%s", group_rate_unit(r->group));
        for (size_t k = 0; k < 3; k++) {
            text_add(t, ",");
            if (isfinite(numbers[k]))
                text_number(t, numbers[k], 4);
        }
        text_format(t, ",%s,", group_cost_unit(r->group));
        text_number(t, r->cycles, 1);
        text_add(t, ",");
        text_number(t, r->ns, 2);
        text_format(t, ",%llu,", (unsigned long long)r->n);
        text_csv(t, r->flags);
        text_add(t, ",");
        text_csv(t, r->notes);
        text_add(t, "\n");
    }
    free(rows);
}

/* --- Charts --- */

static void write_chart(struct text *t, const struct chart *chart)
{
    text_format(t, "<figure id=\"%s\" data-f=\"", chart->name);
    text_escaped(t, chart->function);
    text_format(t, "\" data-m=%u>\n", chart->machine + 1);
    text_bytes(t, chart->svg.data, chart->svg.len);
    text_add(t, "<pre hidden>");
    if (chart->csv.data != NULL)
        text_escaped(t, chart->csv.data);
    text_add(t, "</pre>\n</figure>\n");
}

/* `first`: those that come before the tables. */
static void write_charts(struct text *t, const struct charts *charts, bool first)
{
    for (size_t i = 0; i < charts->count; i++) {
        const enum chart_kind kind = charts->items[i].kind;
        if ((kind == CHART_OVERVIEW || kind == CHART_HISTORY || kind == CHART_DELTA) == first)
            write_chart(t, &charts->items[i]);
    }
}

/* --- The page --- */

/* A policy that admits the script below, by its digest, and nothing from elsewhere: whatever a document smuggled in
   would not run. */
static void write_policy(struct text *t)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t digest[33] = {0};
    celer_sha256(digest, page_js, strlen(page_js));
    text_add(
        t,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'sha256-");
    for (size_t i = 0; i < 33; i += 3) {
        const unsigned bits = (unsigned)digest[i] << 16 | (unsigned)digest[i + 1] << 8 | digest[i + 2];
        const char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                              digits[bits & 63]};
        text_bytes(t, four, i < 30 ? 4 : 3);
    }
    text_add(t, "='; base-uri 'none'; form-action 'none'\">\n");
}

static void write_reading(struct text *t)
{
    text_add(
        t,
        "<section class=read>\n<h2>How to read this</h2>\n<ul>\n"
        "<li><b>Cycles</b> are cycles of the core, whatever its frequency was. Where no counter of them can be had, a "
        "chain of multiplications whose cost is known runs beside every sample and gives the scale; where even that "
        "is in doubt, cycles are called estimated.\n"
        "<li><b>Figures</b> are medians of the samples that were accepted. The interval has the true median in it "
        "with 95 % confidence, by bootstrap over rounds. Intervals that overlap are no reason to call one of two "
        "faster.\n"
        "<li><b>Throughput</b> mode: inputs do not depend on each other. <b>Latency</b> mode: each depends on the "
        "result before.\n"
        "<li><b>fastest</b> is the least median of its case: same machine, algorithm, mode and sizes.\n"
        "<li><b>contended</b>: another thread shared the core. <b>unsteady</b>: the median is over 1 % above the "
        "tenth percentile. <b>few</b>: fewer samples than an honest figure takes. <b>glitch</b>: out of line with "
        "the neighbouring lengths. Such figures are drawn pale.\n"
        "<li>1 KiB is 1024 bytes, 1 MiB is 1024 KiB. Between machines compare cycles, not rates, and those only "
        "with care.\n"
        "</ul>\n</section>\n");
}

void page_write(struct text *t, const struct data *data, const struct charts *charts)
{
    struct text style = {0};
    text_add(t, "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n");
    write_policy(t);
    text_add(t, "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=color-scheme content=\"light dark\">\n<title>celer benchmark");
    if (data->machine_count == 1) {
        text_add(t, ": ");
        text_escaped(t, data->machines[0].name);
    }
    text_add(t, "</title>\n<style>\n");
    text_add(t, page_css);
    svg_style(t, true);
    text_add(t, "\n</style>\n</head>\n<body>\n<header>\n<h1>celer benchmark</h1>\n<p>");
    text_format(t, "%zu figures from %zu run%s on %zu machine%s", data->result_count, data->run_count,
                data->run_count == 1 ? "" : "s", data->machine_count, data->machine_count == 1 ? "" : "s");
    text_add(t, "</p>\n<div id=tools></div>\n</header>\n<main>\n<section>\n<h2>Machine");
    text_add(t, data->machine_count == 1 ? "" : "s");
    text_add(t, "</h2>\n<div class=cards>\n");
    for (unsigned i = 0; i < data->machine_count; i++)
        write_machine(t, data, i);
    text_add(t, "</div>\n</section>\n<form id=filter aria-label=\"Filter\" hidden></form>\n"
                "<section class=figs aria-label=\"Summary charts\">\n");
    write_charts(t, charts, true);
    text_add(t, "</section>\n");
    write_tables(t, data);
    text_add(t, "<section class=figs aria-label=\"Charts\">\n");
    write_charts(t, charts, false);
    text_add(t, "</section>\n");
    write_reading(t);
    text_format(t, "</main>\n<footer>Made by celer %s.</footer>\n<div id=tip role=tooltip hidden></div>\n",
                celer_version());
    text_add(t, "<pre id=chart-style hidden>");
    svg_style(&style, false);
    text_escaped(t, style.data != NULL ? style.data : "");
    t->failed |= style.failed || charts->failed;
    text_free(&style);
    text_add(t, "</pre>\n<script>");
    text_add(t, page_js);
    text_add(t, "</script>\n</body>\n</html>\n");
}
