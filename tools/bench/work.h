/* work.h: what a sample runs: fresh inputs, the calls, and whether their result is right. */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "celer/provider.h"

enum mode { MODE_THROUGHPUT, MODE_LATENCY, MODE_COUNT };
extern const char *const mode_names[MODE_COUNT];

/* What is timed of a KEM. */
enum operation { OPERATION_NONE, OPERATION_KEYGEN, OPERATION_ENCAPS, OPERATION_DECAPS, OPERATION_COUNT };
extern const char *const operation_names[OPERATION_COUNT];

/* A subject at one size of input and output. */
struct task {
    const struct celer_subject *subject;
    void *state;
    uint32_t ways; /* messages of a batch, states of a permutation, chains, keys; else 1 */
    size_t dst_len,
        src_len; /* of each message or state; CHAIN: src_len is the number of iterations; KEM: 0 */
    enum operation operation;
};

/* Bytes that one call of the task works on; a KEM has none. */
size_t task_bytes(const struct task *task);

/* Results that one call of the task computes: messages, states, iterations of chains, operations on keys. */
size_t task_items(const struct task *task);

/* What a KEM lacks, "keygen", so that the operation cannot be measured: itself, or what would make its keys and
   ciphertexts. NULL: nothing. */
const char *task_lack(const struct celer_subject *subject, enum operation operation);

/* Opens the subject: NULL, or why it cannot run here. Enters it: before every series of calls. Closes it. */
const char *task_open(struct task *task);
void task_enter(const struct task *task);
void task_close(const struct task *task);

/* Results that wait to be checked. */
#define WORK_BATCH 10

/* Buffers for the largest of several tasks; one task uses them at a time. */
struct work {
    enum mode mode;
    uint64_t random;
    uint8_t *pool; /* random text */
    uint8_t *in, *copy;
    uint8_t *out[WORK_BATCH], *expected;
    struct celer_msg *msgs;
    size_t offset; /* of the next input in its text */
    struct {
        size_t place, offset; /* of the input: in the pool, and in the text there */
    } begin[WORK_BATCH];
    size_t in_size, out_size;
    int failed[WORK_BATCH]; /* KEM: nonzero when a call said so */
};

/* False when out of memory. Whatever was started has to be freed. */
bool work_start(struct work *work, enum mode mode, uint64_t seed, const struct task *tasks, size_t n);
void work_free(struct work *work);

/* Puts fresh input in place for the calls that will leave result number i. */
void work_prepare(struct work *work, const struct task *task, size_t i);

/* `repeats` calls; this is what is timed. Inputs of successive calls begin one after the other at each offset modulo 64
   in a text of random bytes. In latency mode the result of one is the beginning of the next. */
void work_run(struct work *work, const struct task *task, size_t repeats, size_t i);

/* What can be wrong with a result. */
extern const char fault_wrong[], fault_idle[], fault_failed[];

/* NULL, or what is wrong with result number i, which is of `repeats` calls. */
const char *work_check(struct work *work, const struct task *task, size_t repeats, size_t i);
#endif
