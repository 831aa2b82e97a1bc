/* measure.c: see measure.h. */
#include "measure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "prng.h"
#include "reference.h"
#include "team.h"
#include "yardstick.h"

const char *const unit_names[UNIT_COUNT] = {"cpb", "cycles", "ns", "MB", "MiB", "MH"};
const char *const unit_titles[UNIT_COUNT] = {"cycles per byte (cpb)",     "cycles per call (cycles)",
                                             "nanoseconds per call (ns)", "MB per second (MB)",
                                             "MiB per second (MiB)",      "million results per second (MH)"};
const char *const flag_names[FLAG_COUNT] = {"contended",  "unsteady", "few",  "glitch",
                                            "unverified", "wrong",    "idle", "failed"};

/* --- Judging samples --- */

#define CHAIN_TOLERANCE  0.01
#define CANARY_TOLERANCE 0.025
#define CANARY_FLOOR     0.02 /* quantile */

static double sample_chain(const struct sample *s)
{
    return ((double)s->chain[0] + (double)s->chain[1]) / 2;
}

static bool chains_agree(const struct sample *s)
{
    return fabs((double)s->chain[0] - (double)s->chain[1]) <= CHAIN_TOLERANCE * sample_chain(s);
}

static double sample_canary(const struct sample *s, const struct clock *clock, size_t i)
{
    return clock_cycles(clock, (double)s->canary[i], (double)s->chain[i]);
}

enum verdict sample_judge(const struct sample *s, const struct clock *clock, double canary_floor)
{
    if (!chains_agree(s))
        return SAMPLE_FREQUENCY;
    for (size_t i = 0; i < 2; i++)
        if (sample_canary(s, clock, i) > canary_floor * (1 + CANARY_TOLERANCE))
            return SAMPLE_CONTENDED;
    return SAMPLE_GOOD;
}

static size_t count_up_to(const double *sorted, size_t n, double limit)
{
    size_t i = 0;
    while (i < n && sorted[i] <= limit)
        i++;
    return i;
}

/* Alone, the canary always costs the same, give or take half a percent: its times crowd just above the least, and
   hardly any follow. Where the core was shared all the time they spread, and are more the further one goes up. */
double sample_canary_floor(const struct clock *clock, const struct sample *const *samples,
                           const size_t *counts, size_t n, bool *quiet)
{
    size_t total = 0, used = 0;
    double floor = 0;
    *quiet = true; /* nothing says otherwise */
    for (size_t i = 0; i < n; i++)
        total += counts[i];
    double *const cycles = malloc((2 * total + 1) * sizeof *cycles);
    if (cycles == NULL)
        return 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < counts[i]; j++)
            for (size_t side = 0; side < 2 && chains_agree(&samples[i][j]); side++)
                cycles[used++] = sample_canary(&samples[i][j], clock, side);
    if (used > 0) {
        stats_median(cycles, used); /* sorts */
        floor = stats_quantile(cycles, used, CANARY_FLOOR);
        const size_t near = count_up_to(cycles, used, floor * (1 + CANARY_TOLERANCE));
        const size_t next = count_up_to(cycles, used, floor * (1 + 2 * CANARY_TOLERANCE)) - near;
        *quiet = near > 2 * next;
    }
    free(cycles);
    return floor;
}

/* --- Cells --- */

/* A run under way. */
struct bench {
    struct measure *measure;
    const struct clock *clock;
    uint64_t random; /* order of the cells */
    struct work work;
    struct team *team; /* the other threads; NULL: no cell has any */
    double start;      /* seconds */
};

/* Threads beside the first. */
static size_t cell_others(const struct cell *c)
{
    return c->threads > 1 ? c->threads - 1 : 0;
}

/* A series of spans. */
static void series_begin(const struct cell *c, struct bench *b)
{
    task_enter(&c->task);
    if (c->threads > 1)
        team_begin(b->team, cell_others(c), &c->task, c->states, c->repeats / c->threads);
}

static void span_prepare(const struct cell *c, struct bench *b, size_t i)
{
    work_prepare(&b->work, &c->task, i);
    if (c->threads > 1)
        team_prepare(b->team, i);
}

/* Ticks of the calls that leave result number i, whose input is in place. */
static double span_time(const struct cell *c, struct bench *b, size_t i)
{
    const size_t calls = c->repeats / (cell_others(c) + 1);
    const uint64_t start = b->clock->read();
    if (c->threads > 1)
        team_go(b->team);
    work_run(&b->work, &c->task, calls, i);
    if (c->threads > 1)
        team_wait(b->team);
    return (double)(b->clock->read() - start) - b->clock->cost;
}

/* Ends a series, and checks what it has left, results number 0 .. results - 1. */
static void series_end(struct cell *c, struct bench *b, size_t results)
{
    if (c->threads > 1)
        c->fault = team_finish(b->team, results);
    for (size_t i = 0; i < results && c->fault == NULL; i++)
        c->fault = work_check(&b->work, &c->task, c->repeats / (cell_others(c) + 1), i);
}

static const char *cell_open(struct cell *c, struct bench *b)
{
    const char *fault = task_open(&c->task);
    if (fault != NULL)
        return fault;
    if (c->threads > 1) {
        c->states = calloc(cell_others(c), sizeof *c->states);
        fault = c->states == NULL ? "out of memory" : team_open(b->team, cell_others(c), &c->task, c->states);
    }
    c->open = fault == NULL;
    if (!c->open)
        task_close(&c->task);
    return fault;
}

static void cell_close(struct cell *c, struct bench *b)
{
    if (c->open && c->threads > 1)
        team_close(b->team, cell_others(c), &c->task, c->states);
    if (c->open)
        task_close(&c->task);
    free(c->states);
    c->states = NULL;
    c->open = false;
}

/* Several threads do not begin and end at the very same moment: it takes a fraction of a microsecond to tell them. Of a
   span as long as this, that is half a percent. */
#define TEAM_SPAN 100e-6 /* seconds */

static double least_span(const struct cell *c, const struct clock *clock)
{
    const double shared = c->threads > 1 ? TEAM_SPAN * clock->hz : 0;
    return shared > clock->min_span ? shared : clock->min_span;
}

/* Opens the subject, sees that it is right, and finds how many calls make a span. */
static void cell_prepare(struct cell *c, struct bench *b)
{
    const double least = least_span(c, b->clock);
    const size_t threads = cell_others(c) + 1;
    if ((c->fault = cell_open(c, b)) != NULL)
        return;
    if (!reference_exists(c->task.subject))
        c->flags |= FLAG_UNVERIFIED;
    c->repeats = threads;
    for (;;) {
        double span = 0;
        series_begin(c, b);
        for (int i = 0; i < 4; i++) { /* the least of a few: cold caches and interrupts only add */
            span_prepare(c, b, 0);
            const double s = span_time(c, b, 0);
            span = i == 0 || s < span ? s : span;
        }
        series_end(c, b, 1);
        if (c->fault != NULL || span >= least || c->repeats >= (size_t)1 << 24)
            return;
        const double calls = span > 0 ? ceil(1.05 * (double)c->repeats * least / span) : 0;
        const size_t most = 100 * c->repeats; /* a span too short to be timed says little about the next */
        c->repeats = calls > (double)c->repeats && calls < (double)most ? (size_t)calls : most;
        c->repeats = (c->repeats + threads - 1) / threads * threads;
    }
}

static bool cell_add(struct cell *c, const struct sample *s)
{
    if (c->count == c->room) {
        const size_t room = c->room * 2 + 64;
        struct sample *grown = realloc(c->samples, room * sizeof *grown);
        if (grown == NULL)
            return false;
        c->samples = grown;
        c->room = room;
    }
    c->samples[c->count++] = *s;
    return true;
}

/* A visit; false when out of memory. */
static bool cell_visit(struct cell *c, struct bench *b, size_t samples, uint32_t round)
{
    struct sample s = {.round = round};
    bool ok = true;
    series_begin(c, b);
    span_prepare(c, b, 0);
    span_time(c, b, 0); /* not measured: caches, predictors and the choice of code settle */
    s.chain[1] = (float)clock_chain(b->clock);
    for (size_t i = 0; ok && i < samples; i++) {
        s.chain[0] = s.chain[1];
        span_prepare(c, b, i);
        s.canary[0] = (float)clock_canary(b->clock);
        s.span = span_time(c, b, i);
        s.canary[1] = (float)clock_canary(b->clock);
        s.chain[1] = (float)clock_chain(b->clock);
        ok = cell_add(c, &s);
    }
    series_end(c, b, ok ? samples : 0);
    return ok;
}

/* --- All of them --- */

static bool measure_stopped(const struct measure *m)
{
    return m->stop != NULL && *m->stop != 0;
}

static bool out_of_time(const struct bench *b)
{
    return b->measure->budget > 0 && clock_seconds() - b->start > b->measure->budget;
}

/* Of rounds, all cells get the first; the budget may cut any later one short. */
static bool round_ends(const struct bench *b, uint32_t round)
{
    return measure_stopped(b->measure) || (round > 0 && out_of_time(b));
}

size_t cell_minimum(double cycles)
{
    return cycles > 50000 ? 501 : 101;
}

static void cell_count_verdicts(struct cell *c, const struct measure *m)
{
    c->accepted = c->rejected_frequency = c->rejected_contended = 0;
    for (size_t i = 0; i < c->count; i++)
        switch (sample_judge(&c->samples[i], m->clock, m->canary_floor)) {
        case SAMPLE_GOOD:
            c->accepted++;
            break;
        case SAMPLE_FREQUENCY:
            c->rejected_frequency++;
            break;
        case SAMPLE_CONTENDED:
            c->rejected_contended++;
            break;
        }
}

static double sample_cycles(const struct sample *s, const struct cell *c, const struct measure *m)
{
    return clock_cycles(m->clock, s->span, sample_chain(s)) / (double)c->repeats;
}

/* Samples that the cell still needs, given what was rejected so far. */
static size_t cell_lacks(const struct cell *c, const struct measure *m)
{
    if (c->fault != NULL || c->count == 0)
        return 0;
    size_t wanted = cell_minimum(sample_cycles(&c->samples[0], c, m));
    wanted = wanted < m->trials ? wanted : m->trials;
    return c->accepted < wanted ? wanted - c->accepted : 0;
}

static bool judge_all(struct measure *m, struct cell *cells, size_t n)
{
    const struct sample **const samples = calloc(n + 1, sizeof *samples);
    size_t *const counts = calloc(n + 1, sizeof *counts);
    const bool ok = samples != NULL && counts != NULL;
    if (ok) {
        for (size_t i = 0; i < n; i++) {
            samples[i] = cells[i].samples;
            counts[i] = cells[i].count;
        }
        m->canary_floor = sample_canary_floor(m->clock, samples, counts, n, &m->quiet);
        for (size_t i = 0; i < n; i++)
            cell_count_verdicts(&cells[i], m);
    }
    free(samples);
    free(counts);
    return ok;
}

/* The cells of order[0 .. n), shuffled, visited once; false when out of memory. */
static bool measure_round(struct bench *b, struct cell **order, size_t n, size_t samples, uint32_t round,
                          double start, double done, double share)
{
    const struct measure *m = b->measure;
    for (size_t i = n; i > 1; i--) {
        const size_t j = prng_below(&b->random, i);
        struct cell *const swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
    for (size_t i = 0; i < n && !round_ends(b, round); i++) {
        if (order[i]->fault == NULL && !cell_visit(order[i], b, samples, round))
            return false;
        if (m->progress != NULL) {
            const double part = done + share * (double)(i + 1) / (double)n, seconds = clock_seconds() - start;
            const double spent = m->budget > 0 ? (clock_seconds() - b->start) / m->budget : 0;
            m->progress(m->arg,
                        spent > 1      ? 1
                        : spent > part ? spent
                                       : part,
                        seconds > 0 ? part * (double)(n * m->trials) / seconds : 0);
        }
    }
    return true;
}

/* How much longer a run may become in search of quiet moments: by so many times its length. */
#define MORE 4

static bool measure_rounds(struct bench *b, struct cell *cells, size_t n, struct cell **order)
{
    struct measure *m = b->measure;
    const double start = clock_seconds();
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (cells[i].task.subject != NULL && cells[i].fault == NULL)
            order[count++] = &cells[i];
    /* At least 20 rounds where there are samples enough: the interval is drawn from rounds. */
    size_t batch = m->trials / 20;
    batch = batch < 1 ? 1 : batch > WORK_BATCH ? WORK_BATCH : batch;
    const size_t rounds = (m->trials + batch - 1) / batch;
    size_t round = 0, taken = 0;
    for (; round < rounds && !round_ends(b, (uint32_t)round); round++) {
        const size_t samples = m->trials - taken < batch ? m->trials - taken : batch;
        if (!measure_round(b, order, count, samples, (uint32_t)round, start, (double)round / (double)rounds,
                           1 / (double)rounds))
            return false;
        taken += samples;
    }
    if (!judge_all(m, cells, n))
        return false;
    /* Where too much was rejected, more rounds for the cells that lack samples; for all, when there was no quiet moment
       to judge them by. */
    for (size_t extra = 0; extra < MORE * rounds && !round_ends(b, (uint32_t)round); extra++, round++) {
        size_t lacking = 0;
        for (size_t i = 0; i < count; i++)
            if (!m->quiet || cell_lacks(order[i], m) > 0) {
                struct cell *const swapped = order[lacking];
                order[lacking++] = order[i];
                order[i] = swapped;
            }
        if (lacking == 0)
            break;
        if (!measure_round(b, order, lacking, batch, (uint32_t)round, start, 1, 0))
            return false;
        if (extra % 20 == 19 && !judge_all(m, cells, n))
            return false;
        for (size_t i = 0; i < lacking; i++)
            cell_count_verdicts(order[i], m);
    }
    m->seconds = clock_seconds() - start;
    return judge_all(m, cells, n);
}

/* --- What came of it --- */

static bool sample_counts(const struct sample *s, const struct cell *c, const struct measure *m)
{
    return c->accepted == 0 || sample_judge(s, m->clock, m->canary_floor) == SAMPLE_GOOD;
}

static bool cell_finish(struct cell *c, const struct measure *m)
{
    if (c->fault != NULL)
        c->flags = c->fault == fault_wrong ? FLAG_WRONG : c->fault == fault_idle ? FLAG_IDLE : FLAG_FAILED;
    if (c->count == 0 || c->fault != NULL)
        return true;
    double *const ratio = malloc(c->count * sizeof *ratio), *const hz = malloc(c->count * sizeof *hz);
    struct stats stats;
    const bool ok = ratio != NULL && hz != NULL && cell_stats(c, m, UNIT_CYCLES, &stats);
    if (ok) {
        size_t n = 0;
        for (size_t i = 0; i < c->count; i++) {
            const struct sample *s = &c->samples[i];
            if (!sample_counts(s, c, m))
                continue;
            ratio[n] = s->span / (double)c->repeats * 2 / ((double)s->canary[0] + (double)s->canary[1]);
            hz[n++] = m->clock->counts_cycles ? m->clock->hz
                                              : m->clock->chain_cycles * m->clock->hz / sample_chain(s);
        }
        c->cycles = stats.median;
        c->canary_ratio = stats_median(ratio, n);
        c->ghz = stats_median(hz, n) / 1e9;
        if (!m->quiet || c->rejected_contended * 20 > c->count * 19)
            c->flags |= FLAG_CONTENDED;
        if ((stats.median - stats.p10) > 0.01 * stats.p10)
            c->flags |= FLAG_UNSTEADY;
        if (c->accepted < cell_minimum(stats.median))
            c->flags |= FLAG_FEW;
    }
    free(ratio);
    free(hz);
    return ok;
}

bool measure_cells(struct measure *m, struct cell *cells, size_t n)
{
    struct bench b = {.measure = m, .clock = m->clock, .random = m->seed, .start = clock_seconds()};
    struct task *const tasks = calloc(n + 1, sizeof *tasks);
    struct cell **const order = calloc(n + 1, sizeof *order);
    size_t count = 0, others = 0;
    for (size_t i = 0; tasks != NULL && i < n; i++)
        if (cells[i].task.subject != NULL) {
            tasks[count++] = cells[i].task;
            others = cell_others(&cells[i]) > others ? cell_others(&cells[i]) : others;
        }
    bool ok = tasks != NULL && order != NULL && work_start(&b.work, m->mode, m->seed, tasks, count);
    if (ok && others > 0)
        ok = (b.team = team_start(others, m->cpus, m->mode, m->seed, tasks, count)) != NULL;
    for (size_t i = 0; ok && i < n && !measure_stopped(m); i++)
        if (cells[i].task.subject != NULL)
            cell_prepare(&cells[i], &b);
    ok = ok && measure_rounds(&b, cells, n, order);
    for (size_t i = 0; i < n; i++) {
        cell_close(&cells[i], &b);
        ok = ok && cell_finish(&cells[i], m);
    }
    if (b.team != NULL)
        team_end(b.team);
    work_free(&b.work);
    free(tasks);
    free(order);
    return ok;
}

static double sample_value(const struct sample *s, const struct cell *c, const struct measure *m,
                           enum unit unit)
{
    const double ns = s->span / (double)c->repeats * 1e9 / m->clock->hz;
    switch (unit) {
    case UNIT_CPB:
        return sample_cycles(s, c, m) / (double)task_bytes(&c->task);
    case UNIT_NS:
        return ns;
    case UNIT_MB:
        return (double)task_bytes(&c->task) * 1e3 / ns;
    case UNIT_MIB:
        return (double)task_bytes(&c->task) * 1e9 / 1048576 / ns;
    case UNIT_MH:
        return (double)task_items(&c->task) * 1e3 / ns;
    default:
        return sample_cycles(s, c, m);
    }
}

bool cell_stats(const struct cell *c, const struct measure *m, enum unit unit, struct stats *stats)
{
    if (c->count == 0 || c->fault != NULL)
        return false;
    struct stats_value *const values = malloc(c->count * sizeof *values);
    if (values == NULL)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (sample_counts(&c->samples[i], c, m))
            values[n++] = (struct stats_value){sample_value(&c->samples[i], c, m, unit), c->samples[i].round};
    const bool ok = stats_summarize(stats, values, n, m->seed);
    free(values);
    return ok;
}

void cell_free(struct cell *c)
{
    free(c->samples);
    c->samples = NULL;
    c->count = c->room = 0;
}
