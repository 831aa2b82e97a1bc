/* store.h: the history: runs of `celer bench` in one SQLite file.

   What is kept of a run is its document (document.h), so a stored run and an imported file are the same thing. Tables of
   machines, builds, subjects and results lie beside the documents, made from them, for questions over many runs. Samples
   of documents that have any lie apart, packed (samples.h), for a run has about ten times as many bytes of them as of all
   else. Verdicts of `celer compare` have a table of their own. Any number of processes may read and add at a time;
   whatever happens to one of them, the file stays valid. */
#ifndef BENCH_STORE_H
#define BENCH_STORE_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct store;

enum store_access { STORE_READ, STORE_WRITE };

/* Worth a note, and a run goes on without a history: STORE_UNWRITABLE. An error: STORE_REFUSED; the file is left as it
   was. */
enum store_status {
    STORE_OK,
    STORE_KNOWN,      /* by store_add only: that run is there already */
    STORE_ABSENT,     /* by STORE_READ only: there is no history yet */
    STORE_UNWRITABLE, /* the place cannot be used */
    STORE_REFUSED     /* damaged, of another program or of a newer celer; or an invalid document */
};

/* Opens the history; with STORE_WRITE it and its folders are made when they are missing. path NULL: bench.db in
   $XDG_DATA_HOME/celer, else in ~/.local/share/celer. On anything but STORE_OK there is nothing to close, and the line
   in `why` names the file and says why not. */
enum store_status store_open(struct store **store, const char *path, enum store_access access, char *why,
                             size_t why_size);
void store_close(struct store *store); /* NULL: nothing */

/* The path that is open. */
const char *store_path(const struct store *store);

/* Adds a document, all of it or nothing. A run is known by its id, or without one by all its contents. */
enum store_status store_add(struct store *store, const json_t *document, char *why, size_t why_size);

/* Adds every document of a file, all of them or none, and counts those that were new and those that were known. */
enum store_status store_import(struct store *store, const char *file, size_t *added, size_t *known, char *why,
                               size_t why_size);

/* What was measured; texts are "" where nothing is known. */
struct store_subject {
    const char *label; /* "celer-avx512-gcc12" */
    const char *library, *version, *backend, *compiler, *flags_cc;
};

/* A verdict of `celer compare`: two subjects on inputs of one length. Figures that are not known are NAN. */
struct store_verdict {
    struct store_subject base, test;
    const char *function, *kind, *mode;
    uint32_t base_ways, test_ways;
    uint64_t dst_len, src_len;
    double base_cycles, test_cycles; /* of a call: medians */
    double ratio, ci_lo, ci_hi;      /* of test to base, as it was judged, and its 95 % interval */
    double p, p_adjusted;
    uint64_t n, rejected; /* trials */
    const char *verdict;  /* "faster" */
};

/* Adds all verdicts of a comparison, or none. Machine, identity, time and seed are those of a document without results,
   which is not kept. */
enum store_status store_add_verdicts(struct store *store, const json_t *document, double min_effect,
                                     const struct store_verdict *verdicts, size_t n, char *why,
                                     size_t why_size);

/* Writes every document with its samples, oldest first, one a line; document_load reads that. */
bool store_export(struct store *store, FILE *to, char *why, size_t why_size);

/* The same of one run; `which` as in store_get. */
bool store_export_run(struct store *store, const char *which, FILE *to, char *why, size_t why_size);

/* The runs, oldest first. Texts live until visit returns. */
struct store_run {
    const char *id;      /* 32 hexadecimal digits */
    const char *started; /* "2025-01-31T12:00:00Z" */
    const char *name;    /* the label it was given; "" */
    const char *cpu;
    int64_t machine; /* equal on one machine (document_same_machine) */
    size_t results;
};
bool store_each_run(struct store *store, void (*visit)(const struct store_run *run, void *arg), void *arg,
                    char *why, size_t why_size);

/* The document of a run: by the beginning of its id (4 digits or more), by its label (the latest of that label), or
   "latest"; without its samples. The caller owns it. NULL: none, several, or unreadable, and why. */
json_t *store_get(struct store *store, const char *which, char *why, size_t why_size);

/* What was measured of a function, "sha3-256" or "sha3_256", oldest first. Texts live until visit returns; those that
   are not known are "". */
struct store_point {
    const char *started, *run, *name; /* as above */
    const char *cpu;
    int64_t machine;
    struct store_subject subject;
    const char *function, *kind, *mode;
    uint32_t ways;
    uint64_t dst_len, src_len;
    uint64_t n;                  /* accepted samples */
    double cycles, ci_lo, ci_hi; /* of a call: median, and its 95 % interval */
    double canary_ratio;         /* what to compare over time. This and the next: NAN when not known */
    double ghz;
    const char *flags; /* "contended unsteady" */
};
bool store_history(struct store *store, const char *function,
                   void (*visit)(const struct store_point *point, void *arg), void *arg, char *why,
                   size_t why_size);
#endif
