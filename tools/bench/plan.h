/* plan.h: from what was asked for to the tables and their cells. Nothing is measured here. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H
#include <stdbool.h>
#include <stddef.h>
#include "measure.h"

/* What the command line says. Lists of no elements mean the default. */
struct plan_list {
    size_t *items;
    size_t count;
};

/* Outputs and inputs of XOFs, instead of every output with every input. */
struct plan_pairs {
    struct plan_pair {
        size_t dst_len, src_len;
    } * items;
    size_t count;
};

/* All pairs of the lengths step, 2 step, ... count step, where step is a number or a part of the function's rate. */
struct plan_grid {
    size_t step, rate_parts; /* one of them; the other is 0 */
    size_t count;            /* 0: no grid */
};

struct plan_request {
    const char *const *selections; /* "sha3" "sha256" "many" "permutation" ... */
    size_t selection_count;
    const char *const *backends; /* "auto" "scalar" ... */
    size_t backend_count;
    struct plan_list src_lens, dst_lens, ways, threads;
    struct plan_pairs pairs;
    struct plan_grid grid;
    unsigned keys;     /* forms of the keys of KEMs: PLAN_KEYS_BYTES, PLAN_KEYS_OPENED; 0: bytes */
    const char *place; /* the end of all labels, such as "@cpu4"; NULL: none */
};
#define PLAN_KEYS_BYTES  1U
#define PLAN_KEYS_OPENED 2U

/* One provider on one backend: a line of its own for each function, or a column of a pivot. */
struct plan_subject {
    const struct celer_provider *provider;
    const char *backend; /* NULL: as the library chooses */
    uint32_t keys;       /* KEM: operations of a call */
    bool opened;         /* KEM: on keys in a form of the library's own */
    char label[96];      /* "celer-avx512-gcc12" */
};

/* A line of a table: one function of one subject, a cell for each length. Permutations, chains and KEMs have one cell,
   and so has a pair of lengths. */
struct plan_row {
    size_t subject; /* index into plan.subjects */
    uint32_t kind;
    uint32_t ways;
    size_t threads; /* each of which does that */
    char name[64];  /* as it is printed: "sha3_256" "sha3_256_many8" "sha256_threads2" "ml_kem_768_encaps" */
    const char *function;
    enum operation operation; /* of a KEM */
    size_t dst_len;
    size_t first, count; /* cells */
};

struct plan {
    struct plan_subject *subjects;
    size_t subject_count;
    struct plan_row *rows; /* grouped by kind of table, then by subject */
    size_t row_count;
    struct cell *cells;
    size_t cell_count;
    struct plan_list src_lens, dst_lens, threads; /* in effect */
    bool pairs;                                   /* hashes have a row for each pair of lengths */
    const char *place;                            /* the end of all labels; NULL: none */
};

/* Which table a row belongs to, in their order. */
enum plan_shape { PLAN_LENGTHS, PLAN_PAIRS, PLAN_PERMUTATIONS, PLAN_CHAINS, PLAN_KEMS, PLAN_SHAPES };
enum plan_shape plan_row_shape(const struct plan *plan, const struct plan_row *row);

/* What the function's name has at its end when several threads run it: "_threads2", else "". Returns text. */
#define PLAN_THREADS_SIZE 32
const char *plan_row_threads(const struct plan_row *row, char text[PLAN_THREADS_SIZE]);

extern const size_t plan_default_src_lens[5];
#define PLAN_DEFAULT_SRC_LENS (sizeof plan_default_src_lens / sizeof plan_default_src_lens[0])
#define PLAN_DEFAULT_DST_LEN  32 /* of XOFs */
#define PLAN_DEFAULT_WAYS     8  /* of batches */
#define PLAN_MAX_LEN          ((size_t)64 << 20)
#define PLAN_MAX_WAYS         64
#define PLAN_ITERATIONS       1000 /* of chains */
#define PLAN_GRID             8    /* lengths in each direction, if not given */
#define PLAN_MAX_GRID         100

/* False after one line on stderr that says what is wrong and lists what there is. Says also, in a note for each
   backend, which functions do not have it. */
bool plan_make(struct plan *plan, const struct plan_request *request,
               const struct celer_provider *const *providers, size_t provider_count);
void plan_free(struct plan *plan);

/* "64,256,1024" to a list; false, and the reason after `what`, when it is none or a number is not in least .. most. */
bool plan_parse_list(const char *text, const char *what, size_t least, size_t most, struct plan_list *list);

/* "42:672,294:336", outputs and inputs; false after an error line. */
bool plan_parse_pairs(const char *text, struct plan_pairs *pairs);

/* "rate/4", "rate", "100"; with ":16" after it, so many lengths. False after an error line. */
bool plan_parse_grid(const char *text, struct plan_grid *grid);

/* Marks rows whose cells are out of line with each other. */
void plan_flag_glitches(struct plan *plan);

/* What can be selected, as words with a blank before each. */
char *plan_selections(char *text, size_t size);
#endif
