/* lanes.c: see lanes.h. */
#include "sha3/lanes.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "sha3/state.h"

enum { LANE_FREE = 0, LANE_ABSORBING, LANE_LAST /* its padded block is being absorbed */, LANE_SQUEEZING };

static const uint8_t lane_zeros[KECCAK_MAX_RATE];

void celer_lanes_start_(struct keccak_lanes *l, unsigned rounds, size_t expected)
{
    l->k = celer_keccak_widest_(expected);
    l->ways = l->k->row.ways;
    l->rounds = rounds;
    l->live = 0;
    memset(l->phase, LANE_FREE, sizeof l->phase);
    memset(l->s, 0, 25 * sizeof l->s[0] * l->ways); /* free lanes are permuted too */
}

/* The blocks that every busy lane can absorb straight from its message, 0 when some lane cannot; all of one rate. */
static size_t lanes_whole_blocks(const struct keccak_lanes *l, size_t rate)
{
    size_t shortest = SIZE_MAX;
    for (unsigned w = 0; w < l->ways; w++) {
        if (l->phase[w] == LANE_FREE)
            continue;
        if (l->phase[w] != LANE_ABSORBING || l->job[w].rate != rate || l->job[w].in_len < rate)
            return 0;
        if (l->job[w].in_len < shortest)
            shortest = l->job[w].in_len;
    }
    return shortest / rate;
}

/* Where lane w finds its next block of `rate` bytes, rate being the largest among the lanes. */
static const uint8_t *lane_block(struct keccak_lanes *l, unsigned w, size_t rate)
{
    struct keccak_job *job = &l->job[w];
    uint8_t *block = l->block[w];
    if (l->phase[w] != LANE_ABSORBING)
        return lane_zeros;
    const uint8_t *in = job->in;
    if (job->in_len >= job->rate) {
        job->in += job->rate;
        job->in_len -= job->rate;
        if (job->rate == rate)
            return in;
        memcpy(block, in, job->rate);
        memset(block + job->rate, 0, rate - job->rate);
        return block;
    }
    const size_t room = job->rate - job->in_len, n = job->end_len < room ? job->end_len : room;
    const size_t used = job->in_len + n;
    zero_bytes(block, KECCAK_MAX_RATE); /* all of it: a fixed length costs less than the right one */
    copy_bytes(block, in, job->in_len);
    copy_bytes(block + job->in_len, job->end, n);
    if (used == job->rate) { /* what is left of the end is a message of its own */
        job->in = job->end + n;
        job->in_len = job->end_len - n;
        job->end_len = 0;
        return block;
    }
    block[used] = job->suffix;
    block[job->rate - 1] ^= 0x80;
    l->phase[w] = LANE_LAST;
    return block;
}

static void lane_squeeze(struct keccak_lanes *l, unsigned w)
{
    struct keccak_job *job = &l->job[w];
    const size_t n = job->out_len < job->rate ? job->out_len : job->rate;
    state_extract(job->out, l->s + w, l->ways, 0, n);
    job->out += n;
    job->out_len -= n;
    if (job->out_len == 0) {
        l->phase[w] = LANE_FREE;
        l->live--;
    }
}

/* One block further for every busy lane, or as many as all have before them. Needs live > 0. */
static void lanes_step(struct keccak_lanes *l)
{
    const uint8_t *in[KECCAK_MAX_WAYS];
    size_t rate = 0;
    unsigned busy = 0;
    for (unsigned w = 0; w < l->ways; w++)
        if (l->phase[w] != LANE_FREE && l->job[w].rate > rate) {
            rate = l->job[w].rate;
            busy = w;
        }

    const size_t whole = lanes_whole_blocks(l, rate);
    if (whole > 0) {
        for (unsigned w = 0; w < l->ways; w++)
            in[w] = l->job[l->phase[w] == LANE_FREE ? busy : w].in; /* a free lane absorbs what it likes */
        l->k->absorb(l->s, l->rounds, rate, in, whole);
        for (unsigned w = 0; w < l->ways; w++)
            if (l->phase[w] != LANE_FREE) {
                l->job[w].in += whole * rate;
                l->job[w].in_len -= whole * rate;
            }
        return;
    }

    for (unsigned w = 0; w < l->ways; w++)
        in[w] = lane_block(l, w, rate);
    l->k->absorb(l->s, l->rounds, rate, in, 1);
    for (unsigned w = 0; w < l->ways; w++) {
        if (l->phase[w] == LANE_LAST)
            l->phase[w] = LANE_SQUEEZING;
        if (l->phase[w] == LANE_SQUEEZING)
            lane_squeeze(l, w);
    }
}

void celer_lanes_push_(struct keccak_lanes *l, const struct keccak_job *job)
{
    unsigned w = 0;
    while (l->live == l->ways)
        lanes_step(l);
    while (l->phase[w] != LANE_FREE)
        w++;
    l->job[w] = *job;
    l->phase[w] = LANE_ABSORBING;
    l->live++;
    for (unsigned i = 0; i < 25; i++)
        l->s[i * l->ways + w] = job->start != NULL ? job->start[i] : 0;
}

/* Moves the busy lanes to a narrower kernel. In place: no lane's destination lies behind a lane still to be read,
   as i * ways + to <= i * l->ways + from. */
static void lanes_narrow(struct keccak_lanes *l, const struct keccak_backend *k)
{
    const unsigned ways = k->row.ways;
    unsigned from[KECCAK_MAX_WAYS], n = 0;
    for (unsigned w = 0; w < l->ways; w++)
        if (l->phase[w] != LANE_FREE) {
            from[n] = w;
            l->job[n] = l->job[w];
            l->phase[n] = l->phase[w];
            n++;
        }
    for (unsigned i = 0; i < 25; i++)
        for (unsigned w = 0; w < n; w++)
            l->s[i * ways + w] = l->s[i * l->ways + from[w]];
    memset(l->phase + n, LANE_FREE, sizeof l->phase - n);
    l->k = k;
    l->ways = ways;
}

void celer_lanes_flush_(struct keccak_lanes *l)
{
    while (l->live > 0) {
        if (l->live <= l->ways / 2) {
            const struct keccak_backend *k = celer_keccak_widest_(l->live);
            if (k->row.ways < l->ways)
                lanes_narrow(l, k);
        }
        lanes_step(l);
    }
    wipe(l, sizeof *l);
}
