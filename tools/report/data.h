/* data.h: what the report shows: the results of several documents, flat, and the machines they come from. */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum group { GROUP_HASH, GROUP_MANY, GROUP_PERMUTATION, GROUP_CHAIN, GROUP_KEM, GROUP_OTHER, GROUP_COUNT };

/* Texts are the data's own, each distinct one once: equal texts are equal pointers. They hold no control characters. */
struct result {
    unsigned machine, run; /* indexes */
    enum group group;
    const char *kind, *function, *operation; /* "kem" "ml-kem-768" "encaps"; operation else "" */
    const char *subject, *library, *version, *backend, *compiler, *mode, *notes;
    const char *flags; /* "contended unsteady"; "" */
    unsigned ways;
    uint64_t dst_len, src_len;
    bool sized; /* the function was measured with several lengths of output: the length is part of its name */
    uint64_t n;
    double cycles, cycles_low, cycles_high; /* of a call; intervals NAN: not known */
    double ns, ns_low, ns_high;
    double canary_ratio; /* NAN: not known */
};

struct machine {
    const json_t *document; /* its newest; borrowed */
    const char *name;       /* what it is called here: its CPU, or the label of the run */
    unsigned run;           /* that document's */
};

struct run_info {
    const char *started, *label; /* label "" : none */
    unsigned machine;
    double canary_cycles; /* NAN: not known */
};

struct data {
    struct machine *machines;
    size_t machine_count;
    struct run_info *runs; /* oldest first */
    size_t run_count;
    struct result *results; /* the newest of each cell, in the order of the documents */
    size_t result_count;
    struct result *past; /* all, oldest run first; for history */
    size_t past_count;
    void *texts; /* private */
};

/* From an array of valid documents, which has to outlive the data. False: out of memory. */
bool data_make(struct data *data, const json_t *documents);
void data_free(struct data *data);

/* "sha3-256" of "sha3_256" or "SHA3-256", as functions are written here. */
void data_function_name(char *text, size_t size, const char *name);

/* What both rows have in common when they may be compared: all but the subject. */
bool result_same_case(const struct result *a, const struct result *b);
/* The same, whatever the length of the input. */
bool result_same_family(const struct result *a, const struct result *b);

/* The figure of a row, less is better: cycles/byte, cycles/state, cycles/step, cycles. */
double result_cost(const struct result *r, double cycles);
const char *group_cost_unit(enum group group);
/* The figure of a row, more is better: MiB/s, million states or steps or operations a second. */
double result_rate(const struct result *r, double ns);
const char *group_rate_unit(enum group group);
const char *group_title(enum group group);

/* "sha3-256", "shake128, 64 B out", "keccak-f1600 x8", "ml-kem-768 encaps". */
#define RESULT_NAME_SIZE 192
void result_name(const struct result *r, char text[RESULT_NAME_SIZE]);

/* Cycles per state that no core can go below: what the arithmetic of the backend takes at the widest issue there is.
   NAN: not known. */
double result_floor(const struct data *data, const struct result *r);
#endif
