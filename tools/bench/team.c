/* team.c: see team.h. */
#include "team.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "machine.h"
#include "reference.h"

struct member {
    struct team *team;
    pthread_t thread;
    int cpu; /* negative: any */
    struct work work;
    struct task task; /* with the state of this one */
    const char *fault;
};

struct team {
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    void (*job)(struct member *); /* NULL: go home */
    size_t first, last, busy;     /* who does it: first .. last - 1; how many of them still do */
    size_t jobs;                  /* given so far */

    /* A series: the spans so far, and the number of the next result; spans that may be prepared, and may go; how often
       a member was ready, and through. */
    size_t repeats, count, span, result;
    atomic_size_t prepare, go, ready, through;

    size_t size;
    struct member members[];
};

/* --- Jobs: what sleeping members wake up for --- */

static void *live(void *arg)
{
    struct member *const m = arg;
    struct team *const t = m->team;
    size_t seen = 0;
    if (m->cpu >= 0)
        machine_pin(m->cpu);
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (t->jobs == seen)
            pthread_cond_wait(&t->begin, &t->lock);
        seen = t->jobs;
        if (t->job == NULL)
            break;
        if (m < t->members + t->first || m >= t->members + t->last)
            continue;
        pthread_mutex_unlock(&t->lock);
        t->job(m);
        pthread_mutex_lock(&t->lock);
        if (--t->busy == 0)
            pthread_cond_signal(&t->done);
    }
    reference_forget();
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void job_begin(struct team *t, size_t first, size_t last, void (*job)(struct member *))
{
    pthread_mutex_lock(&t->lock);
    t->job = job;
    t->first = first;
    t->last = last;
    t->busy = last - first;
    t->jobs++;
    pthread_cond_broadcast(&t->begin);
    pthread_mutex_unlock(&t->lock);
}

static void job_end(struct team *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->busy > 0)
        pthread_cond_wait(&t->done, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

/* By one member, while the leader waits. */
static void job_alone(struct team *t, size_t i, void (*job)(struct member *))
{
    job_begin(t, i, i + 1, job);
    job_end(t);
}

/* --- The team --- */

struct team *team_start(size_t size, const int *cpus, enum mode mode, uint64_t seed, const struct task *tasks,
                        size_t n)
{
    struct team *const t = calloc(1, sizeof *t + size * sizeof t->members[0]);
    if (t == NULL)
        return NULL;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->begin, NULL);
    pthread_cond_init(&t->done, NULL);
    for (; t->size < size; t->size++) {
        struct member *const m = &t->members[t->size];
        m->team = t;
        m->cpu = cpus != NULL ? cpus[t->size] : -1;
        if (!work_start(&m->work, mode, seed + t->size + 1, tasks, n) ||
            pthread_create(&m->thread, NULL, live, m) != 0) {
            work_free(&m->work);
            team_end(t);
            return NULL;
        }
    }
    return t;
}

void team_end(struct team *t)
{
    job_begin(t, 0, 0, NULL);
    for (size_t i = 0; i < t->size; i++) {
        pthread_join(t->members[i].thread, NULL);
        work_free(&t->members[i].work);
    }
    pthread_cond_destroy(&t->begin);
    pthread_cond_destroy(&t->done);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

static void open_state(struct member *m)
{
    m->task.state = NULL;
    m->fault = task_open(&m->task);
}

static void close_state(struct member *m)
{
    task_close(&m->task);
}

const char *team_open(struct team *t, size_t count, const struct task *task, void **states)
{
    for (size_t i = 0; i < count; i++) {
        struct member *const m = &t->members[i];
        m->task = *task;
        job_alone(t, i, open_state);
        if (m->fault != NULL) {
            team_close(t, i, task, states);
            return m->fault;
        }
        states[i] = m->task.state;
    }
    return NULL;
}

void team_close(struct team *t, size_t count, const struct task *task, void **states)
{
    for (size_t i = 0; i < count; i++) {
        t->members[i].task = *task;
        t->members[i].task.state = states[i];
        job_alone(t, i, close_state);
    }
}

/* --- A series --- */

#define SPINS      10000 /* then others may have the CPU: perhaps it is they who are waited for */
#define SERIES_END SIZE_MAX

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* Waits until the counter is no less; returns it. */
static size_t wait_for(atomic_size_t *counter, size_t least)
{
    size_t now;
    for (size_t spins = 0; (now = atomic_load(counter)) < least; spins++)
        if (spins < SPINS)
            relax();
        else
            sched_yield();
    return now;
}

static void run_series(struct member *m)
{
    struct team *const t = m->team;
    task_enter(&m->task);
    for (size_t span = 1; wait_for(&t->prepare, span) != SERIES_END; span++) {
        const size_t i = t->result;
        work_prepare(&m->work, &m->task, i);
        atomic_fetch_add(&t->ready, 1);
        wait_for(&t->go, span);
        work_run(&m->work, &m->task, t->repeats, i);
        atomic_fetch_add(&t->through, 1);
    }
}

void team_begin(struct team *t, size_t count, const struct task *task, void *const *states, size_t repeats)
{
    for (size_t i = 0; i < count; i++) {
        t->members[i].task = *task;
        t->members[i].task.state = states[i];
    }
    t->count = count;
    t->repeats = repeats;
    t->span = 0;
    atomic_store(&t->prepare, 0);
    atomic_store(&t->go, 0);
    atomic_store(&t->ready, 0);
    atomic_store(&t->through, 0);
    job_begin(t, 0, count, run_series);
}

void team_prepare(struct team *t, size_t i)
{
    t->result = i;
    t->span++;
    atomic_store(&t->prepare, t->span);
    wait_for(&t->ready, t->span * t->count);
}

void team_go(struct team *t)
{
    atomic_store(&t->go, t->span);
}

void team_wait(struct team *t)
{
    wait_for(&t->through, t->span * t->count);
}

static void check_results(struct member *m)
{
    for (size_t i = 0; i < m->team->result && m->fault == NULL; i++)
        m->fault = work_check(&m->work, &m->task, m->team->repeats, i);
}

const char *team_finish(struct team *t, size_t results)
{
    atomic_store(&t->prepare, SERIES_END);
    job_end(t);
    t->result = results;
    for (size_t i = 0; i < t->count; i++) {
        t->members[i].fault = NULL;
        job_alone(t, i, check_results);
        if (t->members[i].fault != NULL)
            return t->members[i].fault;
    }
    return NULL;
}
