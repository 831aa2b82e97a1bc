/* pairs.c: see pairs.h. */
#include "pairs.h"
#include <math.h>
#include <stdlib.h>
#include "bench/prng.h"
#include "bench/yardstick.h"

#define HELD 1024 /* chunks of the heap */

struct bench {
    struct pairing *pairing;
    const struct clock *clock;
    uint64_t random; /* order, inputs and places */
    struct work work;
    void *held[HELD];
};

/* --- One pair --- */

static double time_span(struct bench *b, const struct task *t, size_t repeats, size_t i)
{
    const uint64_t start = b->clock->read();
    work_run(&b->work, t, repeats, i);
    return (double)(b->clock->read() - start) - b->clock->cost;
}

static void set_fault(struct pair *p, enum side side, const char *fault)
{
    p->fault = fault;
    p->faulty = side;
}

/* --- Places in memory --- */

/* Where a context lies in memory can cost a call a few percent, for as long as it lies there; two contexts of the same
   subject would then differ in every trial. So each side gets a new one for each visit, in a place drawn at random. The
   older ones stay for a while, so that it is not the same place again. */
struct placement {
    void *state;
    bool open;
};

#define PLACEMENTS 8 /* at a time */

/* malloc gives away first what was freed last, so new contexts would take turns in a handful of places. Hence chunks of
   all sizes up to two pages are held, and some of them, drawn at random, exchanged before anything is opened. */
#define EXCHANGED     128
#define CHUNK         16 /* bytes: sizes are multiples */
#define CHUNK_OCTAVES 9

static void shuffle_heap(struct bench *b)
{
    for (size_t i = 0; i < EXCHANGED; i++) {
        void **const held = &b->held[prng_below(&b->random, HELD)];
        const size_t octave = (size_t)1 << prng_below(&b->random, CHUNK_OCTAVES);
        free(*held);
        *held = malloc(CHUNK * (octave + prng_below(&b->random, octave)));
    }
}

static bool has_places(const struct task *t)
{
    return t->subject->open != NULL;
}

static void placement_close(const struct task *t, struct placement *place)
{
    if (place->open)
        task_close(&(struct task){.subject = t->subject, .state = place->state});
    *place = (struct placement){0};
}

/* Opens the subject anew, before the old one is closed, whose place it therefore cannot take. NULL, or why it cannot be
   opened. */
static const char *placement_open(const struct task *t, struct placement *place, struct bench *b)
{
    struct task fresh = {.subject = t->subject};
    if (has_places(t))
        shuffle_heap(b);
    const char *const why = task_open(&fresh);
    if (why != NULL)
        return why;
    placement_close(t, place);
    *place = (struct placement){.state = fresh.state, .open = true};
    return NULL;
}

/* For the next visit: to a new place. Which one is closed is drawn too, and with it what malloc finds free. */
static void side_move(struct pair *p, struct bench *b, enum side side)
{
    struct task *const t = &p->task[side];
    struct placement *const place = &p->placements[side][prng_below(&b->random, PLACEMENTS)];
    if (!has_places(t))
        return;
    const char *const fault = placement_open(t, place, b);
    if (fault != NULL)
        set_fault(p, side, fault);
    t->state = place->state;
}

/* Opens one side, sees that it is right, and finds how many calls make a sample. */
static void side_prepare(struct pair *p, struct bench *b, enum side side)
{
    struct task *const t = &p->task[side];
    struct placement *const places = p->placements[side] = calloc(PLACEMENTS, sizeof *places);
    if (places == NULL) {
        set_fault(p, side, "out of memory");
        return;
    }
    for (size_t i = 0; i < (has_places(t) ? PLACEMENTS : 1); i++) {
        const char *const fault = placement_open(t, &places[i], b);
        if (fault != NULL) {
            set_fault(p, side, fault);
            return;
        }
    }
    t->state = places[0].state;
    for (size_t repeats = 1;;) {
        double span = 0;
        task_enter(t);
        for (int i = 0; i < 4; i++) { /* the least of a few: cold caches and interrupts only add */
            work_prepare(&b->work, t, 0);
            const double s = time_span(b, t, repeats, 0);
            span = i == 0 || s < span ? s : span;
        }
        const char *const fault = work_check(&b->work, t, repeats, 0);
        if (fault != NULL)
            set_fault(p, side, fault);
        if (repeats > p->repeats)
            p->repeats = repeats;
        if (fault != NULL || span >= b->clock->min_span || repeats >= (size_t)1 << 24)
            return;
        const double calls = span > 0 ? ceil(1.05 * (double)repeats * b->clock->min_span / span) : 0;
        const size_t most = 100 * repeats; /* a span too short to be timed says little about the next */
        repeats = calls > (double)repeats && calls < (double)most ? (size_t)calls : most;
    }
}

static bool pair_reserve(struct pair *p)
{
    if (p->count < p->room)
        return true;
    const size_t room = p->room * 2 + 64;
    struct sample *const grown = realloc(p->samples, room * TRIAL_SAMPLES * sizeof *grown);
    if (grown == NULL)
        return false;
    p->samples = grown;
    p->room = room;
    return true;
}

/* Result number i is what it leaves. */
static void take_sample(struct bench *b, const struct pair *p, enum side side, uint64_t inputs, size_t i,
                        struct sample *s)
{
    const struct task *const t = &p->task[side];
    task_enter(t);
    for (int timed = 0; timed < 2; timed++) {
        b->work.random = inputs;
        work_prepare(&b->work, t, i);
        if (!timed)
            work_run(&b->work, t, p->repeats, i); /* caches, predictors and the choice of code settle */
    }
    s->chain[0] = (float)clock_chain(b->clock);
    s->canary[0] = (float)clock_canary(b->clock);
    s->span = time_span(b, t, p->repeats, i);
    s->canary[1] = (float)clock_canary(b->clock);
    s->chain[1] = (float)clock_chain(b->clock);
}

/* A trial in which `outer` comes first and last; false when out of memory. */
static bool pair_try(struct pair *p, struct bench *b, enum side outer, uint32_t round)
{
    const enum side inner = outer == BASE ? TEST : BASE;
    const enum side order[TRIAL_SAMPLES] = {outer, inner, inner, outer};
    const uint64_t inputs = prng_next(&b->random);
    size_t taken[SIDES] = {0, 0};
    if (!pair_reserve(p))
        return false;
    struct sample *const trial = p->samples + TRIAL_SAMPLES * p->count;
    for (size_t i = 0; i < TRIAL_SAMPLES; i++) {
        struct sample *const s = &trial[2 * order[i] + taken[order[i]]++];
        *s = (struct sample){.round = round};
        take_sample(b, p, order[i], inputs, i, s);
        const char *const fault = work_check(&b->work, &p->task[order[i]], p->repeats, i);
        if (fault != NULL) {
            set_fault(p, order[i], fault);
            return true; /* the trial does not count, nor does any */
        }
    }
    p->count++;
    return true;
}

/* --- Judging --- */

/* The figures of both sides are the median level of the trials, parted by the median ratio: thus they agree with the
   verdict. Medians of each side would not, where one has several states. */
static bool pair_judge(struct pair *p, const struct pairing *m)
{
    struct stats_value *const ratios = malloc((p->count + 1) * sizeof *ratios);
    double *const levels = malloc((p->count + 1) * sizeof *levels);
    const double items = log((double)task_items(&p->task[TEST]) / (double)task_items(&p->task[BASE]));
    size_t n = 0;
    bool ok = ratios != NULL && levels != NULL;
    for (size_t i = 0; ok && p->fault == NULL && i < p->count; i++) {
        const struct sample *const trial = p->samples + TRIAL_SAMPLES * i;
        if (!trial_counts(trial, m->clock, m->canary_floor))
            continue;
        const struct trial_logs logs = trial_logs(trial, m->clock);
        ratios[n] = (struct stats_value){logs.ratio - items, trial->round};
        levels[n++] = logs.level - log((double)p->repeats);
    }
    ok = ok && compare_paired(&p->comparison, ratios, n, m->seed);
    if (2 * n < p->count)
        p->comparison.reason = compare_disturbed;
    p->cycles[BASE] = p->cycles[TEST] = 0;
    if (ok && n > 0) {
        const double level = stats_median(levels, n), half = (p->comparison.log_ratio + items) / 2;
        p->cycles[BASE] = exp(level - half);
        p->cycles[TEST] = exp(level + half);
    }
    free(ratios);
    free(levels);
    return ok;
}

static bool judge_all(struct pairing *m, struct pair *pairs, size_t n)
{
    const struct sample **const samples = calloc(n + 1, sizeof *samples);
    size_t *const counts = calloc(n + 1, sizeof *counts);
    struct comparison **const rows = calloc(n + 1, sizeof *rows);
    bool ok = samples != NULL && counts != NULL && rows != NULL;
    if (ok) {
        for (size_t i = 0; i < n; i++) {
            samples[i] = pairs[i].samples;
            counts[i] = TRIAL_SAMPLES * pairs[i].count;
            rows[i] = &pairs[i].comparison;
        }
        m->canary_floor = sample_canary_floor(m->clock, samples, counts, n, &m->quiet);
        for (size_t i = 0; ok && i < n; i++)
            ok = pair_judge(&pairs[i], m);
        ok = ok && compare_decide(rows, n, m->min_effect);
    }
    free(samples);
    free(counts);
    free(rows);
    return ok;
}

/* --- All pairs --- */

#define ROUNDS 100 /* enough for the interval, where there are as many trials */
#define MORE   4 /* how much longer it may become in search of a narrow interval: by so many times its length */

struct course {
    size_t rounds, batch; /* planned; trials of a pair in each */
    size_t round;         /* the next */
    double start;         /* seconds */
};

static bool stopped(const struct pairing *m)
{
    return m->stop != NULL && *m->stop != 0;
}

static void show_progress(const struct pairing *m, const struct course *c, double part, size_t n)
{
    const double done = ((double)c->round + part) / (double)c->rounds, seconds = clock_seconds() - c->start;
    if (m->progress != NULL)
        m->progress(m->arg, done < 1 ? done : 1,
                    seconds > 0 ? done * (double)(c->rounds * c->batch * n) / seconds : 0);
}

/* A few trials of new contexts; false when out of memory. */
static bool pair_visit(struct pair *p, struct bench *b, size_t trials, uint32_t round)
{
    const size_t first = prng_below(&b->random, SIDES);
    for (unsigned side = 0; side < SIDES; side++)
        side_move(p, b, (enum side)side);
    for (size_t i = 0; i < trials && p->fault == NULL && !stopped(b->pairing); i++)
        if (!pair_try(p, b, (enum side)((first + i) % SIDES), round))
            return false;
    return true;
}

/* order[0 .. n), shuffled, each visited once; false when out of memory. */
static bool run_round(struct bench *b, struct course *c, struct pair **order, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = prng_below(&b->random, i);
        struct pair *const swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
    for (size_t i = 0; i < n && !stopped(b->pairing); i++) {
        if (!pair_visit(order[i], b, c->batch, (uint32_t)c->round))
            return false;
        show_progress(b->pairing, c, (double)(i + 1) / (double)n, n);
    }
    c->round++;
    return true;
}

static size_t gather(struct pair *pairs, size_t n, const double *min_effect, struct pair **order)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (pairs[i].fault == NULL &&
            (min_effect == NULL || compare_is_wide(&pairs[i].comparison, *min_effect)))
            order[count++] = &pairs[i];
    return count;
}

static bool run_rounds(struct bench *b, struct pair *pairs, size_t n, struct pair **order)
{
    struct pairing *const m = b->pairing;
    struct course c = {.rounds = m->trials < ROUNDS ? m->trials : ROUNDS, .start = clock_seconds()};
    c.batch = (m->trials + c.rounds - 1) / c.rounds;
    size_t count = gather(pairs, n, NULL, order);
    while (count > 0 && c.round < c.rounds && !stopped(m))
        if (!run_round(b, &c, order, count))
            return false;
    if (!judge_all(m, pairs, n))
        return false;
    /* Too few trials were asked for to say anything: no search then. */
    const size_t most = m->trials < COMPARE_MIN_ROUNDS ? 0 : (MORE + 1) * c.rounds;
    while (c.round < most && !stopped(m) && (count = gather(pairs, n, &m->min_effect, order)) > 0) {
        for (size_t i = 0; i < c.rounds / 4 + 1; i++)
            if (!run_round(b, &c, order, count))
                return false;
        if (!judge_all(m, pairs, n))
            return false;
    }
    return true;
}

bool pairs_measure(struct pairing *m, struct pair *pairs, size_t n)
{
    struct bench b = {.pairing = m, .clock = m->clock, .random = m->seed};
    struct task *const tasks = calloc(SIDES * n + 1, sizeof *tasks);
    struct pair **const order = calloc(n + 1, sizeof(struct pair *));
    bool ok = tasks != NULL && order != NULL;
    for (size_t i = 0; ok && i < SIDES * n; i++)
        tasks[i] = pairs[i / SIDES].task[i % SIDES];
    ok = ok && work_start(&b.work, m->mode, m->seed, tasks, SIDES * n);
    for (size_t i = 0; ok && i < n && !stopped(m); i++)
        for (unsigned side = 0; side < SIDES && pairs[i].fault == NULL; side++)
            side_prepare(&pairs[i], &b, (enum side)side);
    ok = ok && run_rounds(&b, pairs, n, order);
    for (size_t i = 0; i < SIDES * n; i++) {
        struct pair *const p = &pairs[i / SIDES];
        struct placement *const places = p->placements[i % SIDES];
        for (size_t j = 0; places != NULL && j < PLACEMENTS; j++)
            placement_close(&p->task[i % SIDES], &places[j]);
        free(places);
        p->placements[i % SIDES] = NULL;
    }
    for (size_t i = 0; i < HELD; i++)
        free(b.held[i]);
    work_free(&b.work);
    free(tasks);
    free(order);
    return ok;
}

void pair_free(struct pair *p)
{
    free(p->samples);
    p->samples = NULL;
    p->count = p->room = 0;
}
