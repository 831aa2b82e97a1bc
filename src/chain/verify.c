/* verify.c: chains computed anew. What took one core one step after the other is done here side by side. */
#include "celer/chain.h"
#include "base/bytes.h"
#include "sha2/sha256_chain.h"

#define VERIFY_BATCH 128 /* segments at work, from which celer_chain_step_many fills its lanes */
#define VERIFY_SLICE (UINT64_C(1) << 16) /* steps of each before somebody may cancel */

struct verify_batch {
    uint8_t hash[VERIFY_BATCH][32], end[VERIFY_BATCH][32];
    uint64_t left[VERIFY_BATCH];
    size_t count;
};

static int verify_done(const struct celer_chain_source *source, uint64_t steps)
{
    return source->done != NULL && source->done(source->arg, steps) != 0;
}

/* The same steps on the portable row, whatever this CPU has: is it the proof that is wrong? */
static enum celer_chain_verdict verify_doubt(const struct celer_chain_source *source, uint64_t i)
{
    struct celer_chain_segment segment;
    uint32_t h[8];
    if (source->get(source->arg, i, &segment) != 0)
        return CELER_CHAIN_CANCELLED;
    for (size_t j = 0; j < 8; j++)
        h[j] = load32_be(segment.start + 4 * j);
    while (segment.steps > 0) {
        const uint64_t n = segment.steps < VERIFY_SLICE ? segment.steps : VERIFY_SLICE;
        celer_sha256_chain_x1_scalar_(h, n);
        segment.steps -= n;
        if (verify_done(source, n))
            return CELER_CHAIN_CANCELLED;
    }
    for (size_t j = 0; j < 8; j++)
        if (h[j] != load32_be(segment.end + 4 * j))
            return CELER_CHAIN_INVALID;
    return CELER_CHAIN_BROKEN;
}

/* Segments from `first` on; fewer than the batch holds when there are no more, or when one was refused: then 0. */
static int verify_fill(struct verify_batch *batch, const struct celer_chain_source *source, uint64_t first,
                       uint64_t end)
{
    struct celer_chain_segment segment;
    for (batch->count = 0; batch->count < VERIFY_BATCH && first < end; batch->count++, first++) {
        if (source->get(source->arg, first, &segment) != 0)
            return 0;
        memcpy(batch->hash[batch->count], segment.start, 32);
        memcpy(batch->end[batch->count], segment.end, 32);
        batch->left[batch->count] = segment.steps;
    }
    return 1;
}

/* All steps of the batch; 0 when cancelled. */
static int verify_run(struct verify_batch *batch, const struct celer_chain_source *source)
{
    for (;;) {
        uint64_t n[VERIFY_BATCH], sum = 0;
        for (size_t i = 0; i < batch->count; i++) {
            n[i] = batch->left[i] < VERIFY_SLICE ? batch->left[i] : VERIFY_SLICE;
            batch->left[i] -= n[i];
            sum += n[i];
        }
        if (sum == 0)
            return 1;
        celer_chain_step_many(batch->hash, n, batch->count);
        if (verify_done(source, sum))
            return 0;
    }
}

enum celer_chain_verdict celer_chain_verify(const struct celer_chain_source *source, uint64_t first,
                                            uint64_t end, uint64_t *bad)
{
    struct verify_batch batch;
    *bad = end;
    while (first < end) {
        const int filled = verify_fill(&batch, source, first, end);
        if (!verify_run(&batch, source))
            return CELER_CHAIN_CANCELLED;
        for (size_t i = 0; i < batch.count; i++)
            if (memcmp(batch.hash[i], batch.end[i], 32) != 0) {
                const enum celer_chain_verdict verdict = verify_doubt(source, first + i);
                if (verdict != CELER_CHAIN_CANCELLED)
                    *bad = first + i;
                return verdict;
            }
        if (!filled) /* what came before was good */
            return CELER_CHAIN_CANCELLED;
        first += batch.count;
    }
    return CELER_CHAIN_VALID;
}
