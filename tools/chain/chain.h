/* chain.h: what the verbs of `celer chain` share: their options, and the file. */
#ifndef CHAIN_H
#define CHAIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "celer/celer.h"

/* What was given, as bits. A verb names those it knows. */
enum {
    CHAIN_SEED = 1 << 0,
    CHAIN_CONTEXT = 1 << 1,
    CHAIN_SEGMENT = 1 << 2,
    CHAIN_COUNT = 1 << 3,
    CHAIN_SECONDS = 1 << 4,
    CHAIN_PAYLOAD = 1 << 5,
    CHAIN_LABEL = 1 << 6,
    CHAIN_FINAL = 1 << 7,
    CHAIN_THREADS = 1 << 8,
    CHAIN_RANGE = 1 << 9,
    CHAIN_SAMPLE = 1 << 10,
    CHAIN_SAMPLE_SEED = 1 << 11,
    CHAIN_FORMAT = 1 << 12,
    CHAIN_FROM = 1 << 13,
    CHAIN_BACKEND = 1 << 14,
    CHAIN_CPU = 1 << 15,
    CHAIN_NO_PROGRESS = 1 << 16,
    CHAIN_FILES = 1 << 17 /* no option: more than one FILE */
};

#define CHAIN_LABEL_MAX 128

/* The first line of what `export -f csv` prints and `import --from csv` reads. */
#define CHAIN_CSV_HEAD "index,type,hash,untrusted_label"

struct chain_options {
    uint32_t given;
    struct celer_chain_header header; /* seed, context, segment */
    uint64_t count;
    double seconds;
    uint8_t payload[32], final[32];
    const char *label, *backend;
    uint64_t threads;
    uint64_t range[2]; /* segments, the second one not among them; UINT64_MAX: all there are */
    uint64_t sample, sample_seed;
    bool json;
    bool csv;      /* is what to import */
    bool progress; /* to be drawn */
    char **files;
    int file_count;
};

/* A file and what it holds. */
struct chain_file {
    const char *name;
    int fd;
    struct celer_chain_header header;
    uint64_t records;  /* good ones */
    uint64_t torn;     /* bytes behind them */
    uint64_t steps;    /* the index that was reached */
    uint8_t value[32]; /* the value there, mix-ins included */
    uint64_t *ends;    /* for each segment the record it ends with, a checkpoint */
    uint64_t segments;
    size_t room;
    uint64_t mixes, runs;
    unsigned labels;          /* since the last mix-in */
    bool complete;            /* ends with what a finished run leaves */
    uint64_t goal;            /* else, the index that the run was to reach; 0: none */
    uint64_t wrong_final;     /* the first record that claims another final value; UINT64_MAX: none does */
    uint8_t digest[32];       /* SHA-256 of header and good records; by chain_open alone */
    double synced, sync_cost; /* seconds */
};

/* Opens and reads a file. For a writer no other may have it open for writing; a torn end is refused, or with `mend` cut
   off, and said. For a reader it is counted in `torn`. Returns 0, or -1 after an error line. */
enum chain_access { CHAIN_READ, CHAIN_WRITE, CHAIN_MEND };
int chain_open(struct chain_file *file, const char *name, enum chain_access access);

/* A new file, which must not exist, locked. */
int chain_create(struct chain_file *file, const char *name, const struct celer_chain_header *header);

/* Record number r; false after an error line. */
bool chain_read(const struct chain_file *file, uint64_t r, struct celer_chain_record *record);

/* Segment number i; false after an error line. Any number of threads may ask. */
bool chain_segment(const struct chain_file *file, uint64_t i, struct celer_chain_segment *segment);

/* More records, at the end of the file and in memory. When they cannot all be written, none is. */
#define CHAIN_APPEND_MAX 8
int chain_append(struct chain_file *file, const struct celer_chain_record *records, size_t n);

/* What was appended survives a loss of power. chain_sync_some does so about once in a second; more seldom where the disk
   is so slow that it would take more than 1/200 of the time. */
int chain_sync(struct chain_file *file);
int chain_sync_some(struct chain_file *file);

void chain_close(struct chain_file *file);

/* Name of a record's type, as "checkpoint". */
const char *chain_type_name(uint32_t type);

/* 1 to CHAIN_LABEL_MAX bytes of UTF-8 without control characters. */
bool chain_label_is_good(const char *label);

/* The records of a good label, or none for "", which come before that of the mix-in. Returns how many. */
size_t chain_label_records(struct celer_chain_record *records, uint64_t index, const char *label);

/* 64 digits, and back; false when they are none. */
const char *chain_hex(char text[65], const uint8_t hash[32]);
bool chain_unhex(uint8_t hash[32], const char *text);

enum chain_verdict { CHAIN_VERDICT_VALID, CHAIN_VERDICT_INVALID, CHAIN_VERDICT_BROKEN, CHAIN_VERDICT_NONE };

/* What is not as it has to be, in the order in which they come at one index. */
enum chain_reason {
    CHAIN_REASON_SEED,         /* is not the one given */
    CHAIN_REASON_SEGMENT,      /* leads elsewhere */
    CHAIN_REASON_FINAL_RECORD, /* claims another value */
    CHAIN_REASON_FINAL,        /* value is not the one given */
    CHAIN_REASONS
};

/* An end of verification, from here, from another process, or put together from several. */
struct chain_result {
    enum chain_verdict verdict;
    uint8_t digest[32]; /* of the file */
    uint8_t seed[32], final[32];
    uint64_t steps, segments;     /* of the whole chain */
    uint64_t begin, end;          /* the segments that were verified */
    uint64_t sample, sample_seed; /* so many of them only; 0: all */
    enum chain_reason reason;     /* INVALID, BROKEN: what comes first in the chain of all that was found, */
    uint64_t bad, bad_index;      /* the segment if it is one, and the index, of a segment that of its end */
    bool complete;
    bool gaps;         /* segments are missing */
    uint64_t computed; /* steps, in this process, in so many seconds */
    double seconds;
};

/* Something was found. What comes first in the chain stays. */
void chain_found(struct chain_result *result, enum chain_verdict verdict, enum chain_reason reason,
                 uint64_t bad, uint64_t bad_index);

/* One of all of them, which are sorted by this: a verdict on segments begin .. end - 1. NONE after an error line. */
struct chain_result chain_merge(struct chain_result *results, size_t n, uint64_t begin, uint64_t end);

/* Prints it; returns the exit code. */
int chain_print_result(const struct chain_result *result, const char *name, bool json);

/* From now on only rows of that name run, of those for up to so many lanes. False after an error line, in which `what`
   lacks them. */
bool chain_choose_backend(const char *name, uint32_t lanes, const char *what);

/* The processes among which a verification is shared: by default this one alone. `ready` says that this one can
   begin, and asks whether all can; else none does. `gather` collects the results of all, in all of them. All come to the
   same end and say so; what is said more than once is shown once. */
struct chain_ranks {
    int rank, size;
    bool (*ready)(void);
    void (*gather)(const struct chain_result *mine, struct chain_result *all);
};
extern struct chain_ranks chain_ranks;

/* The verbs. Each returns an exit code. */
int chain_new(const struct chain_options *options);
int chain_run(const struct chain_options *options);
int chain_resume(const struct chain_options *options);
int chain_mix(const struct chain_options *options);
int chain_verify(const struct chain_options *options);
int chain_info(const struct chain_options *options);
int chain_export(const struct chain_options *options);
int chain_import(const struct chain_options *options);
int chain_merge_verdicts(const struct chain_options *options);
#endif
