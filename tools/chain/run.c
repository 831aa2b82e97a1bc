/* run.c: `celer chain new`, `run`, `resume`, `mix`: what makes a chain longer. */
#include "chain.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "bench/clock.h"
#include "bench/progress.h"
#include "cli.h"

#define SLICE (UINT64_C(1) << 17) /* steps between two looks at the clock: some milliseconds */

/* Where the chain has come to, for whoever wants to publish it. */
static void print_value(const struct chain_file *file)
{
    char hex[65];
    printf("%" PRIu64 " %s\n", file->steps, chain_hex(hex, file->value));
}

static int append(struct chain_file *file, enum celer_chain_type type, uint64_t index, const uint8_t hash[32])
{
    struct celer_chain_record record = {.index = index, .type = type};
    memcpy(record.hash, hash, 32);
    return chain_append(file, &record, 1);
}

static int append_resume(struct chain_file *file, uint64_t goal)
{
    uint8_t hash[32] = {0};
    for (unsigned i = 0; i < 8; i++)
        hash[i] = (uint8_t)(goal >> (8 * i));
    return append(file, CELER_CHAIN_RESUME, file->steps, hash);
}

/* A chain with a wrong step in it is worth nothing from there on, so ask before the hours, not after. */
static int check_backend(const struct chain_file *file)
{
    uint8_t chain[32], hash[32];
    memcpy(chain, file->value, 32);
    memcpy(hash, file->value, 32);
    celer_sha256_chain(chain, 100);
    for (unsigned i = 0; i < 100; i++)
        celer_sha256(hash, hash, 32);
    if (memcmp(chain, hash, 32) == 0)
        return 0;
    cli_error("backend '%s' computes wrong hashes on this machine",
              celer_kernel_choice(celer_sha256_chain_kernel(), 1)->name);
    return -1;
}

struct limit {
    uint64_t goal;  /* index; 0: none */
    double seconds; /* 0: none */
    bool progress;
    uint64_t begin; /* index and time where this run began */
    double start;
};

/* Draws how far it is; true when time is up. */
static bool look(const struct limit *limit, uint64_t index)
{
    const double spent = clock_seconds() - limit->start, steps = (double)(index - limit->begin);
    if (limit->progress)
        progress_show(
            "MH", limit->goal != 0 ? steps / (double)(limit->goal - limit->begin) : spent / limit->seconds,
            1e-6 * steps / spent);
    return limit->seconds > 0 && spent >= limit->seconds;
}

/* Segment after segment, up to the limit or a signal, which end a segment before its time. False after an error line. */
static bool go(struct chain_file *file, const struct limit *limit)
{
    uint8_t value[32];
    const uint64_t last = limit->goal != 0 ? limit->goal : CELER_CHAIN_INDEX_MAX;
    bool stop = false;
    while (!stop && file->steps != last) {
        const uint64_t room = last - file->steps;
        const uint64_t segment = room < file->header.segment ? room : file->header.segment;
        uint64_t done = 0;
        memcpy(value, file->value, 32);
        while (!stop && done < segment) {
            const uint64_t n = segment - done < SLICE ? segment - done : SLICE;
            celer_sha256_chain(value, n);
            done += n;
            stop = look(limit, file->steps + done) || cli_stopped_by != 0;
        }
        if (append(file, CELER_CHAIN_CHECKPOINT, file->steps + done, value) != 0 ||
            chain_sync_some(file) != 0)
            return false;
    }
    return true;
}

/* To the goal, or for some seconds. */
static int run(struct chain_file *file, uint64_t goal, double seconds, bool progress)
{
    if (check_backend(file) != 0 || append_resume(file, goal) != 0)
        return EXIT_TROUBLE;
    cli_catch_stops();
    const struct limit limit = {goal, seconds, progress, file->steps, clock_seconds()};
    const bool good = go(file, &limit);
    const double spent = clock_seconds() - limit.start;
    if (progress)
        progress_clear();
    /* A run for a time is at its end whatever ended it; one with a goal is so there only. */
    const bool ended = goal == 0 || file->steps == goal;
    if (!good || (ended && append(file, CELER_CHAIN_FINAL, file->steps, file->value) != 0) ||
        chain_sync(file) != 0)
        return EXIT_TROUBLE;
    cli_error("%" PRIu64 " steps in %.3f s: %.2f MH/s", file->steps - limit.begin, spent,
              1e-6 * (double)(file->steps - limit.begin) / spent);
    if (!ended)
        cli_error("stopped before step %" PRIu64 "; celer chain resume goes on", goal);
    print_value(file);
    return EXIT_GOOD;
}

int chain_new(const struct chain_options *options)
{
    struct chain_file file;
    if (chain_create(&file, options->files[0], &options->header) != 0)
        return EXIT_TROUBLE;
    print_value(&file);
    chain_close(&file);
    return EXIT_GOOD;
}

int chain_run(const struct chain_options *options)
{
    struct chain_file file;
    int code = EXIT_TROUBLE;
    if (chain_open(&file, options->files[0], CHAIN_WRITE) != 0)
        return EXIT_TROUBLE;
    const uint64_t room = CELER_CHAIN_INDEX_MAX - file.steps;
    if (room == 0 || options->count > room) {
        cli_error("%s: no more than %" PRIu64 " steps go on from here", file.name, room);
    } else {
        if (file.goal > file.steps)
            cli_error("%s: the former run to step %" PRIu64 " is given up", file.name, file.goal);
        code = run(&file, options->count != 0 ? file.steps + options->count : 0, options->seconds,
                   options->progress);
    }
    chain_close(&file);
    return code;
}

int chain_resume(const struct chain_options *options)
{
    struct chain_file file;
    int code = EXIT_GOOD;
    if (chain_open(&file, options->files[0], CHAIN_MEND) != 0)
        return EXIT_TROUBLE;
    if (file.goal > file.steps) {
        code = run(&file, file.goal, 0, options->progress);
    } else {
        /* What a crash kept from being written: the end of a run that had reached its goal, or had none. */
        if (!file.complete && file.records > 0 &&
            (append(&file, CELER_CHAIN_FINAL, file.steps, file.value) != 0 || chain_sync(&file) != 0))
            code = EXIT_TROUBLE;
        if (code == EXIT_GOOD) {
            cli_error("%s: nothing is left to do of the last run; celer chain run goes on", file.name);
            print_value(&file);
        }
    }
    chain_close(&file);
    return code;
}

size_t chain_label_records(struct celer_chain_record *records, uint64_t index, const char *label)
{
    size_t n = 0, left = strlen(label);
    for (; left > 0; n++) {
        const size_t piece = left < 32 ? left : 32;
        records[n] = (struct celer_chain_record){.index = index, .type = CELER_CHAIN_LABEL};
        memcpy(records[n].hash, label, piece);
        label += piece;
        left -= piece;
    }
    return n;
}

/* The records of a mix-in: its label, if any, before it, so that it counts once the mix-in itself is there; and the value
   it leads to. Returns how many. */
static size_t mix_records(struct celer_chain_record *records, const struct chain_file *file,
                          const struct chain_options *options)
{
    size_t n = chain_label_records(records, file->steps, options->label != NULL ? options->label : "");
    records[n] = (struct celer_chain_record){.index = file->steps, .type = CELER_CHAIN_MIX};
    memcpy(records[n++].hash, options->payload, 32);
    records[n] = (struct celer_chain_record){.index = file->steps, .type = CELER_CHAIN_FINAL};
    memcpy(records[n].hash, file->value, 32);
    celer_chain_mix(records[n++].hash, options->payload);
    return n;
}

int chain_mix(const struct chain_options *options)
{
    struct celer_chain_record records[CHAIN_APPEND_MAX];
    struct chain_file file;
    char hex[65];
    if (options->label != NULL && !chain_label_is_good(options->label))
        return cli_usage("--label: 1 to %d bytes of UTF-8 without control characters", CHAIN_LABEL_MAX);
    if (chain_open(&file, options->files[0], CHAIN_WRITE) != 0)
        return EXIT_TROUBLE;
    int code = EXIT_TROUBLE;
    if (file.goal > file.steps)
        cli_error("%s: a run to step %" PRIu64 " is not done; celer chain resume goes on with it", file.name,
                  file.goal);
    else if (chain_append(&file, records, mix_records(records, &file, options)) == 0 &&
             chain_sync(&file) == 0)
        code = EXIT_GOOD;
    if (code == EXIT_GOOD) {
        cli_error("mixed in %s", chain_hex(hex, options->payload));
        print_value(&file);
    }
    chain_close(&file);
    return code;
}
