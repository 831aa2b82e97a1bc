/* verify.c: `celer chain verify`: the segments of a file shared among processes, threads and lanes. */
#include "chain.h"
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "bench/clock.h"
#include "bench/prng.h"
#include "bench/progress.h"
#include "cli.h"

#define MOST_TAKEN 128 /* places by a thread at once */

static bool ready_alone(void)
{
    return true;
}

static void gather_alone(const struct chain_result *mine, struct chain_result *all)
{
    *all = *mine;
}

struct chain_ranks chain_ranks = {0, 1, ready_alone, gather_alone};

/* Threads take places begin .. end - 1 from the front. Whatever is below a bad one was taken before it and is finished, so
   the lowest bad one does not depend on who was faster. */
struct team {
    const struct chain_file *file;
    const uint64_t *list; /* place to segment; NULL: they are the same */
    uint64_t end, chunk;
    _Atomic uint64_t next;        /* place */
    _Atomic uint64_t done, steps; /* of all, which become more when a segment is computed once more */
    _Atomic uint64_t bad;         /* the lowest place known to be; end: none */
    enum celer_chain_verdict verdict;
    atomic_bool stopped;
    pthread_mutex_t lock;
    bool progress;
    double start;
};

struct worker {
    struct team *team;
    uint64_t first; /* of the places it works on, */
    uint64_t next;  /* and the one it has not been given yet */
};

static int worker_get(void *arg, uint64_t i, struct celer_chain_segment *segment)
{
    struct worker *const worker = arg;
    struct team *const team = worker->team;
    if (!chain_segment(team->file, team->list != NULL ? team->list[i] : i, segment)) {
        atomic_store(&team->stopped, true);
        return 1;
    }
    if (i < worker->next)
        atomic_fetch_add(&team->steps, segment->steps);
    else
        worker->next = i + 1;
    return 0;
}

static int worker_done(void *arg, uint64_t steps)
{
    const struct worker *const worker = arg;
    struct team *const team = worker->team;
    const double done = (double)(atomic_fetch_add(&team->done, steps) + steps);
    if (team->progress && pthread_mutex_trylock(&team->lock) == 0) {
        const double all = (double)atomic_load(&team->steps);
        progress_show("MH", done < all ? done / all : 1, 1e-6 * done / (clock_seconds() - team->start));
        pthread_mutex_unlock(&team->lock);
    }
    if (cli_stopped_by != 0)
        atomic_store(&team->stopped, true);
    return atomic_load(&team->stopped) || worker->first > atomic_load(&team->bad);
}

static void report_bad(struct team *team, uint64_t bad, enum celer_chain_verdict verdict)
{
    pthread_mutex_lock(&team->lock);
    if (bad < atomic_load(&team->bad)) {
        atomic_store(&team->bad, bad);
        team->verdict = verdict;
    }
    pthread_mutex_unlock(&team->lock);
}

static void *work(void *arg)
{
    struct worker *const worker = arg;
    struct team *const team = worker->team;
    const struct celer_chain_source source = {worker, worker_get, worker_done};
    while (!atomic_load(&team->stopped)) {
        worker->first = atomic_fetch_add(&team->next, team->chunk);
        if (worker->first >= team->end || worker->first > atomic_load(&team->bad))
            break;
        const uint64_t left = team->end - worker->first;
        uint64_t bad;
        const enum celer_chain_verdict verdict = celer_chain_verify(
            &source, worker->first, worker->first + (left < team->chunk ? left : team->chunk), &bad);
        if (verdict == CELER_CHAIN_INVALID || verdict == CELER_CHAIN_BROKEN)
            report_bad(team, bad, verdict);
    }
    return NULL;
}

static uint64_t default_threads(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint64_t)CPU_COUNT(&set) : 1;
}

/* Segments of the widest code there is. */
static uint64_t widest(void)
{
    uint64_t ways = 1;
    const struct celer_backend *row;
    for (size_t i = 0; (row = celer_kernel_row(celer_sha256_chain_kernel(), i)) != NULL; i++)
        if (row->ways > ways && celer_kernel_choice(celer_sha256_chain_kernel(), row->ways) != NULL)
            ways = row->ways;
    return ways;
}

/* Few places are shared evenly: with lanes to spare, a thread is done sooner the fewer of them it has. Of many, enough
   pieces to keep all threads busy to the end, each with all lanes full. */
static uint64_t choose_chunk(uint64_t places, uint64_t threads)
{
    const uint64_t lanes = widest(), share = (places + threads - 1) / threads;
    if (share < 2 * lanes)
        return share;
    const uint64_t chunk = share / 8 / lanes * lanes;
    return chunk < lanes ? lanes : chunk > MOST_TAKEN ? MOST_TAKEN : chunk;
}

/* Verifies places begin .. end - 1. False when it was stopped. */
static bool verify_places(struct team *team, uint64_t begin, uint64_t threads)
{
    struct worker *const workers = calloc(threads, sizeof *workers);
    pthread_t *const ids = calloc(threads, sizeof *ids);
    uint64_t started = 1; /* this one */
    if (workers == NULL || ids == NULL) {
        cli_error("out of memory");
        free(workers);
        free(ids);
        return false;
    }
    atomic_init(&team->next, begin);
    atomic_init(&team->bad, team->end);
    team->chunk = choose_chunk(team->end - begin, threads);
    team->start = clock_seconds();
    for (uint64_t i = 0; i < threads; i++)
        workers[i].team = team;
    while (started < threads && pthread_create(&ids[started], NULL, work, &workers[started]) == 0)
        started++;
    work(&workers[0]);
    while (started > 1)
        pthread_join(ids[--started], NULL);
    if (team->progress)
        progress_clear();
    free(workers);
    free(ids);
    if (cli_stopped_by != 0)
        cli_error("stopped; there is no verdict");
    return !atomic_load(&team->stopped);
}

/* `count` segments of `segments`, ascending, each set of them as likely as any other. NULL: out of memory. */
static uint64_t *choose_sample(uint64_t count, uint64_t segments, uint64_t seed)
{
    uint64_t *const list = malloc((count > 0 ? count : 1) * sizeof *list);
    uint64_t chosen = 0;
    for (uint64_t i = 0; list != NULL && chosen < count; i++)
        if (prng_below(&seed, segments - i) < count - chosen)
            list[chosen++] = i;
    return list;
}

/* What needs no computing: both ends, and what the file itself says of them. False after an error line. */
static bool check_ends(struct chain_result *result, const struct chain_file *file,
                       const struct chain_options *options)
{
    struct celer_chain_record record;
    if ((options->given & CHAIN_SEED) && !celer_equal(options->header.seed, file->header.seed, 32))
        chain_found(result, CHAIN_VERDICT_INVALID, CHAIN_REASON_SEED, 0, 0);
    if (file->wrong_final != UINT64_MAX) {
        if (!chain_read(file, file->wrong_final, &record))
            return false;
        chain_found(result, CHAIN_VERDICT_INVALID, CHAIN_REASON_FINAL_RECORD, 0, record.index);
    }
    if ((options->given & CHAIN_FINAL) && !celer_equal(options->final, file->value, 32))
        chain_found(result, CHAIN_VERDICT_INVALID, CHAIN_REASON_FINAL, 0, file->steps);
    return true;
}

/* Places begin .. end - 1 of the result, which gets what is found there. False after an error line, or when it was
   stopped. */
static bool compute(struct chain_result *result, const struct chain_file *file,
                    const struct chain_options *options, const uint64_t *list)
{
    struct celer_chain_record record;
    struct team team = {.file = file,
                        .list = list,
                        .end = result->end,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .progress = options->progress && chain_ranks.rank == 0};
    team.steps =
        (uint64_t)((double)file->steps / (double)file->segments * (double)(result->end - result->begin));
    if (!verify_places(&team, result->begin, options->threads != 0 ? options->threads : default_threads()))
        return false;
    result->computed = atomic_load(&team.done);
    result->seconds = clock_seconds() - team.start;
    const uint64_t place = atomic_load(&team.bad);
    if (place == team.end)
        return true;
    const uint64_t bad = list != NULL ? list[place] : place;
    if (!chain_read(file, file->ends[bad], &record))
        return false;
    chain_found(result, team.verdict == CELER_CHAIN_BROKEN ? CHAIN_VERDICT_BROKEN : CHAIN_VERDICT_INVALID,
                CHAIN_REASON_SEGMENT, bad, record.index);
    return true;
}

/* The share of this process in the places begin .. end - 1 of the file. */
static bool verify_share(struct chain_result *result, const struct chain_file *file,
                         const struct chain_options *options, uint64_t begin, uint64_t end)
{
    const uint64_t places = end - begin, rank = (uint64_t)chain_ranks.rank, size = (uint64_t)chain_ranks.size;
    result->begin = begin + places * rank / size;
    result->end = begin + places * (rank + 1) / size;
    if (!check_ends(result, file, options))
        return false;
    if (result->verdict == CHAIN_VERDICT_INVALID && result->reason == CHAIN_REASON_SEED)
        return true; /* nothing comes before it */
    if (options->sample == 0)
        return compute(result, file, options, NULL);
    uint64_t *const list = choose_sample(end, file->segments, result->sample_seed);
    if (list == NULL)
        cli_error("out of memory");
    const bool good = list != NULL && compute(result, file, options, list);
    free(list);
    return good;
}

/* The places that are asked for; false after an error line. */
static bool choose_places(const struct chain_file *file, const struct chain_options *options, uint64_t *begin,
                          uint64_t *end)
{
    *begin = options->range[0];
    *end = options->sample == 0               ? options->range[1]
           : options->sample < file->segments ? options->sample
                                              : file->segments;
    if (*end == UINT64_MAX)
        *end = file->segments;
    if (file->segments == 0)
        cli_error("%s: there is nothing to verify: it holds no steps", file->name);
    else if (*begin >= *end || *end > file->segments)
        cli_error("%s: segments end at %" PRIu64, file->name, file->segments);
    else
        return true;
    return false;
}

static bool choose_sample_seed(const struct chain_options *options, uint64_t *seed)
{
    *seed = options->sample_seed;
    if (options->sample == 0 || (options->given & CHAIN_SAMPLE_SEED))
        return true;
    if (chain_ranks.size > 1) {
        cli_error("--sample in several processes needs --sample-seed");
        return false;
    }
    if (getentropy(seed, sizeof *seed) != 0) {
        cli_error("no random numbers here; --sample-seed chooses");
        return false;
    }
    *seed >>= 1; /* as large as JSON's readers take */
    return true;
}

/* What this process is to do, or false after an error line. */
static bool prepare(struct chain_result *result, const struct chain_file *file,
                    const struct chain_options *options, uint64_t *begin, uint64_t *end)
{
    memcpy(result->digest, file->digest, 32);
    memcpy(result->seed, file->header.seed, 32);
    memcpy(result->final, file->value, 32);
    result->steps = file->steps;
    result->segments = file->segments;
    result->complete = file->complete;
    if (file->torn > 0) {
        cli_error("%s: ends in %" PRIu64 " bytes of a torn record; celer chain resume cuts them off",
                  file->name, file->torn);
        return false;
    }
    if (!choose_places(file, options, begin, end) || !choose_sample_seed(options, &result->sample_seed))
        return false;
    result->sample = options->sample != 0 ? *end : 0;
    return true;
}

/* Of all processes together. */
static void say_rate(const struct chain_result *all)
{
    uint64_t steps = 0;
    double seconds = 0;
    for (int i = 0; i < chain_ranks.size; i++) {
        steps += all[i].computed;
        seconds = all[i].seconds > seconds ? all[i].seconds : seconds;
    }
    if (steps == 0)
        return;
    char among[64] = "";
    if (chain_ranks.size > 1)
        snprintf(among, sizeof among, " in %d processes", chain_ranks.size);
    cli_error("%" PRIu64 " steps computed in %.3f s%s: %.2f MH/s", steps, seconds, among,
              1e-6 * (double)steps / seconds);
}

/* `all` has room for the results of all processes. */
static int verify_file(const struct chain_file *file, const struct chain_options *options,
                       struct chain_result *all)
{
    struct chain_result mine = {0};
    uint64_t begin, end;
    if (!prepare(&mine, file, options, &begin, &end))
        return EXIT_TROUBLE;
    if (!chain_ranks.ready()) {
        cli_error("there is no verdict: another process could not begin");
        return EXIT_TROUBLE;
    }
    cli_catch_stops();
    mine.verdict = CHAIN_VERDICT_VALID;
    if (!verify_share(&mine, file, options, begin, end))
        mine.verdict = CHAIN_VERDICT_NONE;
    chain_ranks.gather(&mine, all);
    say_rate(all);
    mine = chain_merge(all, (size_t)chain_ranks.size, begin, end);
    return chain_print_result(&mine, file->name, options->json);
}

int chain_verify(const struct chain_options *options)
{
    struct chain_result *const all = calloc((size_t)chain_ranks.size, sizeof *all);
    struct chain_file file;
    int code = EXIT_TROUBLE;
    if (all == NULL) {
        cli_error("out of memory");
    } else if (chain_open(&file, options->files[0], CHAIN_READ) == 0) {
        code = verify_file(&file, options, all);
        chain_close(&file);
    }
    free(all);
    return code;
}
