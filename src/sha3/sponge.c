/* sponge.c: see sponge.h. */
#include "sha3/sponge.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "sha3/keccak.h"
#include "sha3/lanes.h"
#include "sha3/state.h"

enum { SPONGE_ABSORBING = 0, SPONGE_SQUEEZING = 1 };

void celer_sponge_init_(struct celer_sponge *sponge, unsigned rate, unsigned suffix, unsigned rounds)
{
    zero_bytes(sponge, sizeof *sponge);
    sponge->rate = (uint8_t)rate;
    sponge->suffix = (uint8_t)suffix;
    sponge->rounds = (uint8_t)rounds;
}

int celer_sponge_absorbing_(const struct celer_sponge *sponge)
{
    return sponge->rate != 0 && sponge->phase == SPONGE_ABSORBING;
}

void celer_sponge_absorb_(struct celer_sponge *sponge, const void *in, size_t in_len)
{
    const size_t rate = sponge->rate;
    const uint8_t *p = in;
    if (!celer_sponge_absorbing_(sponge) || in_len == 0)
        return;

    const size_t room = rate - sponge->pos;
    if (in_len < room) {
        state_xor(sponge->s, 1, sponge->pos, p, in_len);
        sponge->pos = (uint8_t)(sponge->pos + in_len);
        return;
    }
    const struct keccak_backend *k = celer_keccak_(1);
    if (sponge->pos != 0) {
        state_xor(sponge->s, 1, sponge->pos, p, room);
        k->permute(sponge->s, sponge->rounds);
        p += room;
        in_len -= room;
    }
    const size_t nblocks = in_len / rate;
    if (nblocks > 0)
        k->absorb(sponge->s, sponge->rounds, rate, &p, nblocks);
    p += nblocks * rate;
    in_len -= nblocks * rate;
    state_xor(sponge->s, 1, 0, p, in_len);
    sponge->pos = (uint8_t)in_len;
}

void celer_sponge_fill_(struct celer_sponge *sponge)
{
    if (!celer_sponge_absorbing_(sponge) || sponge->pos == 0)
        return;
    celer_keccak_(1)->permute(sponge->s, sponge->rounds);
    sponge->pos = 0;
}

static void sponge_finish(struct celer_sponge *sponge)
{
    state_pad(sponge->s, 1, sponge->pos, sponge->rate, sponge->suffix);
    celer_keccak_(1)->permute(sponge->s, sponge->rounds);
    sponge->phase = SPONGE_SQUEEZING;
    sponge->pos = 0;
}

void celer_sponge_finish_bits_(struct celer_sponge *sponge, uint8_t last, unsigned nbits)
{
    unsigned tail = (last & ((1u << nbits) - 1)) | (unsigned)sponge->suffix << nbits;
    /* The suffix reaches into another byte, or its 1 bit is the block's last and the other 1 bit of pad10*1 needs a
       block of its own. */
    if (tail > 0xff || ((tail & 0x80) != 0 && sponge->pos == sponge->rate - 1)) {
        const uint8_t full = (uint8_t)tail;
        celer_sponge_absorb_(sponge, &full, 1);
        tail >>= 8;
    }
    sponge->suffix = (uint8_t)tail;
    sponge_finish(sponge);
}

void celer_sponge_squeeze_(struct celer_sponge *sponge, uint8_t *out, size_t out_len)
{
    const size_t rate = sponge->rate;
    if (rate == 0) {
        if (out_len > 0)
            memset(out, 0, out_len);
        return;
    }
    if (sponge->phase == SPONGE_ABSORBING)
        sponge_finish(sponge);
    size_t pos = sponge->pos;
    while (out_len > 0) {
        if (pos == rate) {
            celer_keccak_(1)->permute(sponge->s, sponge->rounds);
            pos = 0;
        }
        const size_t n = out_len < rate - pos ? out_len : rate - pos;
        state_extract(out, sponge->s, 1, pos, n);
        out += n;
        out_len -= n;
        pos += n;
    }
    sponge->pos = (uint8_t)pos;
}

void celer_sponge_final_(struct celer_sponge *sponge, uint8_t *out, size_t out_len)
{
    celer_sponge_squeeze_(sponge, out, out_len);
    wipe(sponge, sizeof *sponge);
}

void celer_sponge_wipe_(struct celer_sponge *sponge)
{
    wipe(sponge, sizeof *sponge);
}

void celer_sponge_(uint8_t *out, size_t out_len, const void *in, size_t in_len, unsigned rate,
                   unsigned suffix, unsigned rounds)
{
    const struct keccak_backend *k = celer_keccak_(1);
    const uint8_t *p = in;
    uint64_t s[25];
    zero_bytes(s, sizeof s);
    const size_t nblocks = in_len / rate;
    if (nblocks > 0) {
        k->absorb(s, rounds, rate, &p, nblocks);
        p += nblocks * rate;
        in_len -= nblocks * rate;
    }
    if (in_len > 0)
        state_xor(s, 1, 0, p, in_len);
    state_pad(s, 1, in_len, rate, suffix);
    for (;;) {
        k->permute(s, rounds);
        if (out_len <= rate)
            break;
        state_extract(out, s, 1, 0, rate);
        out += rate;
        out_len -= rate;
    }
    if (out_len > 0)
        state_extract(out, s, 1, 0, out_len);
    wipe(s, sizeof s);
}

static int sponge_side_by_side(size_t n)
{
    return n > 1 && celer_keccak_widest_(n)->row.ways > 1;
}

/* A job for each message; what the jobs have in common is in `job`. */
static void sponge_in_lanes(uint8_t *out, const struct celer_msg *msgs, size_t n, unsigned rounds,
                            struct keccak_job job)
{
    struct keccak_lanes lanes;
    celer_lanes_start_(&lanes, rounds, n);
    for (size_t i = 0; i < n; i++) {
        job.in = msgs[i].data;
        job.in_len = msgs[i].len;
        job.out = out + i * job.out_len;
        celer_lanes_push_(&lanes, &job);
    }
    celer_lanes_flush_(&lanes);
}

void celer_sponge_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n, unsigned rate,
                        unsigned suffix, unsigned rounds)
{
    if (sponge_side_by_side(n)) {
        const struct keccak_job job = {
            .out_len = out_len,
            .rate = (uint8_t)rate,
            .suffix = (uint8_t)suffix,
        };
        sponge_in_lanes(out, msgs, n, rounds, job);
        return;
    }
    for (size_t i = 0; i < n; i++)
        celer_sponge_(out + i * out_len, out_len, msgs[i].data, msgs[i].len, rate, suffix, rounds);
}

void celer_sponge_many_from_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                             const struct celer_sponge *start, const uint8_t *end, size_t end_len)
{
    if (sponge_side_by_side(n)) {
        const struct keccak_job job = {
            .out_len = out_len,
            .start = start->s,
            .end = end,
            .end_len = (uint8_t)end_len,
            .rate = start->rate,
            .suffix = start->suffix,
        };
        sponge_in_lanes(out, msgs, n, start->rounds, job);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct celer_sponge sponge = *start;
        celer_sponge_absorb_(&sponge, msgs[i].data, msgs[i].len);
        celer_sponge_absorb_(&sponge, end, end_len);
        celer_sponge_final_(&sponge, out + i * out_len, out_len);
    }
}
