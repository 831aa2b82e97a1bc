/* sponges.c: see sponges.h. */
#include "mlkem/sponges.h"
#include "base/bytes.h"

#define LAST_BIT (UINT64_C(1) << 63)

static const struct keccak_backend *row_of(const struct sponges *s, unsigned ways)
{
    return s->row[ways == 8 ? 3 : ways / 2];
}

void celer_sponges_start_(struct sponges *s, const struct poly_functions *poly_functions)
{
    s->poly = poly_functions;
    s->layout = celer_layout_();
    s->is_x8_fast = (celer_cpu_features_() & CELER_CPU_FAST_X8) != 0;
    s->widest = 1;
    for (unsigned i = 0; i < 4 && 1u << i <= SPONGE_LANES; i++) {
        s->row[i] = celer_keccak_(1u << i);
        if (s->row[i] != NULL)
            s->widest = 1u << i;
    }
    s->samples = s->shorts = NULL;
    s->last_sample = &s->samples;
    s->last_short = &s->shorts;
    s->sample_count = s->short_blocks = s->chain_count = s->resident = 0;
    s->ways = 1;
}

void celer_sponges_add_(struct sponges *s, struct sponge_task *t)
{
    t->next = NULL;
    if (t->sample != NULL) {
        *s->last_sample = t;
        s->last_sample = &t->next;
        s->sample_count++;
    } else {
        *s->last_short = t;
        s->last_short = &t->next;
        s->short_blocks += t->blocks;
    }
}

static struct sponge_task *take_sample(struct sponges *s)
{
    struct sponge_task *const t = s->samples;
    s->samples = t->next;
    if (s->samples == NULL)
        s->last_sample = &s->samples;
    s->sample_count--;
    return t;
}

static struct sponge_task *take_short(struct sponges *s)
{
    struct sponge_task *const t = s->shorts;
    s->shorts = t->next;
    if (s->shorts == NULL)
        s->last_short = &s->shorts;
    s->short_blocks -= t->blocks;
    return t;
}

/* Long hashes --------------------------------------------------------------------------------------------------- */

/* words / RATE_SHAKE256, for up to 1,000, without a division: none shall be in these files. */
static unsigned whole_blocks(unsigned words)
{
    return words * 3856 >> 16;
}

static void make_long(struct sponge_long *t, uint8_t out[32], const uint8_t *head, const uint8_t *rest,
                      size_t rest_len, unsigned suffix)
{
    memset(t->s, 0, sizeof t->s);
    t->head = head;
    t->rest = rest;
    t->out = out;
    t->words = t->ready = (uint16_t)(SPONGE_HEAD + rest_len / 8);
    t->at = 0;
    t->suffix = (uint8_t)suffix;
    t->blocks = (uint8_t)(whole_blocks(t->words) + 1);
}

void celer_sponge_h_(struct sponge_long *t, uint8_t out[32], const uint8_t *in, size_t len)
{
    make_long(t, out, in, in + 8 * SPONGE_HEAD, len - 8 * SPONGE_HEAD, 0x06);
}

void celer_sponge_j_(struct sponge_long *t, uint8_t out[32], const uint8_t z[32], const uint8_t *c,
                     size_t len)
{
    make_long(t, out, z, c, len, 0x1f);
}

void celer_sponges_add_long_(struct sponges *s, struct sponge_long *t)
{
    s->chain[s->chain_count++] = t;
}

/* Blocks that can be absorbed now. */
static unsigned blocks_ready(const struct sponge_long *t)
{
    return t->ready == t->words ? t->blocks : whole_blocks((unsigned)t->ready - t->at);
}

/* State w ^= the next block. */
static void mix_long(const struct layout *layout, uint64_t *s, unsigned ways, unsigned w,
                     struct sponge_long *t)
{
    const unsigned left = (unsigned)t->words - t->at, n = left < RATE_SHAKE256 ? left : RATE_SHAKE256;
    unsigned head = 0;
    if (t->at == 0) {
        layout->mix(s, ways, w, t->head, SPONGE_HEAD);
        head = SPONGE_HEAD;
    }
    layout->mix(s + head * ways, ways, w, t->rest + 8 * (t->at + head - SPONGE_HEAD), n - head);
    t->at = (uint16_t)(t->at + n);
    if (--t->blocks == 0) {
        s[n * ways + w] ^= t->suffix;
        s[(RATE_SHAKE256 - 1) * ways + w] ^= LAST_BIT;
    }
}

static void finish_long(struct sponge_long *t, const uint64_t *s, unsigned ways)
{
    for (unsigned i = 0; i < 4; i++)
        store64_le(t->out + 8 * i, s[i * ways]);
}

/* By itself, as far as it goes. The first block is apart because head and rest need not be together, and the last
   because it is padded. */
static void run_alone(struct sponges *s, struct sponge_long *t)
{
    const struct keccak_backend *const k = row_of(s, 1);
    unsigned n = blocks_ready(t);
    if (t->at == 0 && n > 0) {
        mix_long(&celer_layout_scalar_, t->s, 1, 0, t);
        k->permute(t->s, 24);
        n--;
    }
    const unsigned is_end = n > 0 && n == t->blocks;
    const uint8_t *in = t->rest + 8 * (t->at - SPONGE_HEAD);
    if (n > is_end)
        k->absorb(t->s, 24, 8 * RATE_SHAKE256, &in, n - is_end);
    t->at = (uint16_t)(t->at + RATE_SHAKE256 * (n - is_end));
    t->blocks = (uint8_t)(t->blocks - (n - is_end));
    if (is_end) {
        uint8_t last[8 * RATE_SHAKE256] = {0};
        const size_t left = 8 * ((size_t)t->words - t->at);
        memcpy(last, t->rest + 8 * (t->at - SPONGE_HEAD), left);
        last[left] = t->suffix;
        last[sizeof last - 1] |= 0x80;
        in = last;
        k->absorb(t->s, 24, sizeof last, &in, 1);
        t->blocks = 0;
    }
    if (t->blocks == 0)
        finish_long(t, t->s, 1);
}

/* Out of the lanes, where another layout comes. */
static void evict(struct sponges *s)
{
    for (unsigned w = 0; w < s->resident; w++)
        for (unsigned i = 0; i < 25; i++)
            s->chain[w]->s[i] = s->s[i * s->ways + w];
    s->resident = 0;
}

static void drop_finished(struct sponges *s)
{
    unsigned left = 0;
    for (unsigned i = 0; i < s->chain_count; i++)
        if (s->chain[i]->blocks > 0)
            s->chain[left++] = s->chain[i];
    s->chain_count = left;
}

/* Groups -------------------------------------------------------------------------------------------------------- */

/* What goes side by side for a number of permutations: chains in the first lanes, samplings in the next; in the others
   short hashes take turns. */
struct group {
    unsigned chains, samples, lanes; /* lanes: of all */
    unsigned steps;
    struct sponge_task *task[SPONGE_LANES]; /* of the lanes behind the chains; NULL: nothing */
    size_t have[SPONGE_LANES];              /* coefficients that a sampling has */
};

/* How many lanes to fill. Eight cost half as much again as four, on most cores. So they are four where those suffice
   to do the rest beside the chains, and these take their time anyway. */
static unsigned lanes_wanted(const struct sponges *s, unsigned chains)
{
    if (s->widest < 8 || s->is_x8_fast || chains == 0 || chains > 3)
        return s->widest;
    return 3 * s->sample_count + s->short_blocks > (4 - chains) * s->chain[0]->blocks ? 8 : 4;
}

static void plan_group(const struct sponges *s, struct group *g)
{
    unsigned ready = 0, shorts;
    while (ready < s->chain_count && blocks_ready(s->chain[ready]) > 0)
        ready++;
    const unsigned wanted = lanes_wanted(s, ready);
    g->chains = ready < wanted ? ready : wanted;
    const unsigned room = wanted - g->chains;
    if (s->sample_count > 0 && room > 0) {
        for (shorts = 0; 3 * shorts < s->short_blocks;) /* lanes for as many as go in three steps */
            shorts++;
        g->samples = shorts >= room ? 0 : room - shorts < s->sample_count ? room - shorts : s->sample_count;
    } else {
        g->samples = 0;
    }
    shorts = s->short_blocks < room - g->samples ? s->short_blocks : room - g->samples;
    g->lanes = g->chains + g->samples + shorts;
    g->steps = 3;
    if (g->samples == 0) {
        g->steps = shorts > 0 ? s->shorts->blocks : 24;
        for (unsigned w = 0; w < g->chains; w++)
            if (blocks_ready(s->chain[w]) < g->steps)
                g->steps = blocks_ready(s->chain[w]);
    }
}

/* The tasks of the lanes whose bits are set begin, those together that have the same seed. */
static void start_tasks(struct sponges *s, struct group *g, unsigned lanes)
{
    for (unsigned first = 0; lanes != 0; first++) {
        if (!(lanes >> first & 1))
            continue;
        const struct sponge_task *const t = g->task[first];
        uint64_t tails[KECCAK_MAX_WAYS] = {0};
        unsigned same = 0;
        for (unsigned w = first; lanes >> w != 0; w++)
            if ((lanes >> w & 1) && g->task[w]->head == t->head && g->task[w]->rate == t->rate) {
                same |= 1u << w;
                tails[w] = g->task[w]->tail;
            }
        lanes &= ~same;
        if (t->rest_words == 0) {
            s->layout->start(s->s, s->ways, same, t->head, tails, t->rate, LAST_BIT);
            continue;
        }
        uint8_t tail[8];
        tails[first] = 0;
        s->layout->start(s->s, s->ways, same, t->head, tails, t->rate, LAST_BIT);
        store64_le(tail, t->tail);
        s->layout->mix(s->s + SPONGE_HEAD * s->ways, s->ways, first, t->rest, t->rest_words);
        s->layout->mix(s->s + (SPONGE_HEAD + t->rest_words) * s->ways, s->ways, first, tail, 1);
    }
}

/* New short hashes for the lanes that have none, if they get done in the steps that are left. */
static void next_shorts(struct sponges *s, struct group *g, unsigned steps_left)
{
    unsigned fresh = 0;
    for (unsigned w = g->chains + g->samples; w < g->lanes; w++)
        if (g->task[w] == NULL && s->shorts != NULL && s->shorts->blocks <= steps_left) {
            g->task[w] = take_short(s);
            fresh |= 1u << w;
        }
    start_tasks(s, g, fresh);
}

/* The next block of a short hash; returns it, or NULL when that was the last. */
static struct sponge_task *deliver(const uint8_t *block, struct sponge_task *t)
{
    const unsigned n = t->out_words < t->rate ? t->out_words : t->rate;
    if (n == 16) /* most are: then it is a few instructions */
        memcpy(t->out, block, 128);
    else
        memcpy(t->out, block, 8 * n);
    t->out += 8 * n;
    t->out_words = (uint8_t)(t->out_words - n);
    return --t->blocks > 0 ? t : NULL;
}

/* One sampling of a hundred needs more than three blocks: its lane goes on by itself. */
static void sample_on(struct sponges *s, unsigned w, int16_t *p, size_t have)
{
    uint64_t state[25];
    for (unsigned i = 0; i < 25; i++)
        state[i] = s->s[i * s->ways + w];
    while (have < MLKEM_N) {
        row_of(s, 1)->permute(state, 24);
        for (unsigned i = 0; i < RATE_SHAKE128; i++)
            store64_le(s->block[w] + 8 * i, state[i]);
        have = s->poly->reject(p, have, s->block[w]);
    }
}

/* A short hash that has no company: its message as bytes, since a state written word by word would be waited for. */
static void hash_alone(struct sponges *s, struct sponge_task *t)
{
    uint8_t block[8 * RATE_SHAKE256] = {0}, *const tail = block + 8 * (SPONGE_HEAD + t->rest_words);
    const uint8_t *in = block;
    zero_bytes(s->s, 25 * sizeof(uint64_t)); /* the first state: there is one way */
    memcpy(block, t->head, 8 * SPONGE_HEAD);
    if (t->rest_words > 0)
        memcpy(block + 8 * SPONGE_HEAD, t->rest, 8 * t->rest_words);
    store64_le(tail, t->tail);
    block[8 * t->rate - 1] |= 0x80;
    row_of(s, 1)->absorb(s->s, 24, 8 * t->rate, &in, 1);
    for (;;) {
        celer_layout_scalar_.blocks(s->block, s->s, 1, t->rate);
        if (deliver(s->block[0], t) == NULL)
            break;
        row_of(s, 1)->permute(s->s, 24);
    }
    wipe(block, sizeof block);
}

static void enter_lanes(struct sponges *s, struct group *g)
{
    unsigned ways = 1, fresh = 0;
    while (ways < g->lanes || row_of(s, ways) == NULL)
        ways *= 2;
    if (ways != s->ways || s->resident > g->chains)
        evict(s);
    s->ways = ways;
    for (; s->resident < g->chains; s->resident++)
        s->layout->put(s->s, ways, s->resident, s->chain[s->resident]->s);
    for (unsigned w = g->chains; w < g->lanes; w++) {
        g->task[w] = NULL;
        if (w < g->chains + g->samples) {
            g->task[w] = take_sample(s);
            g->have[w] = 0;
            fresh |= 1u << w;
        }
    }
    start_tasks(s, g, fresh);
}

/* After a permutation: chains that have absorbed all are done. One that has to wait for more of its message gets out;
   it is the only one, that of a key. Returns whether any is done. */
static int end_chains(struct sponges *s)
{
    int is_any_done = 0;
    for (unsigned w = 0; w < s->resident; w++) {
        struct sponge_long *const t = s->chain[w];
        if (t->blocks == 0) {
            if (t->out != NULL)
                finish_long(t, s->s + w, s->ways);
            t->out = NULL;
            is_any_done = 1;
        } else if (blocks_ready(t) == 0) {
            evict(s);
        }
    }
    return is_any_done;
}

static void run_group(struct sponges *s)
{
    struct group g;
    plan_group(s, &g);
    if (g.chains == 1 && g.lanes == 1) {
        evict(s);
        run_alone(s, s->chain[0]);
        drop_finished(s);
        return;
    }
    if (g.samples == 0 && g.lanes == 1) {
        hash_alone(s, take_short(s));
        return;
    }
    enter_lanes(s, &g);
    keccak_permute *const permute = row_of(s, s->ways)->permute;
    const unsigned shorts = g.chains + g.samples;
    int is_any_done = 0;
    for (unsigned step = 0; step < g.steps; step++) {
        if (shorts < g.lanes)
            next_shorts(s, &g, g.steps - step);
        for (unsigned w = 0; w < s->resident; w++)
            if (s->chain[w]->blocks > 0)
                mix_long(s->layout, s->s, s->ways, w, s->chain[w]);
        permute(s->s, 24);
        if (g.lanes > g.chains)
            s->layout->blocks(s->block, s->s, s->ways, RATE_SHAKE128);
        for (unsigned w = g.chains; w < shorts; w++)
            g.have[w] = s->poly->reject(g.task[w]->sample, g.have[w], s->block[w]);
        for (unsigned w = shorts; w < g.lanes; w++)
            if (g.task[w] != NULL)
                g.task[w] = deliver(s->block[w], g.task[w]);
        is_any_done |= end_chains(s);
    }
    for (unsigned w = g.chains; w < shorts; w++) {
        if (g.have[w] < MLKEM_N)
            sample_on(s, w, g.task[w]->sample, g.have[w]);
        g.task[w]->blocks = 0;
    }
    if (is_any_done) {
        evict(s);
        drop_finished(s);
    }
}

void celer_sponges_run_(struct sponges *s, const struct sponge_task *tasks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        while (tasks[i].blocks > 0)
            run_group(s);
}

void celer_sponges_run_long_(struct sponges *s, const struct sponge_long *tasks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        while (tasks[i].blocks > 0)
            run_group(s);
}

void celer_sponges_burn_(void)
{
#if !defined(__OPTIMIZE__)
    uint8_t stack[16384]; /* every temporary has its place there */
#elif defined(CELER_MLKEM_SMALL)
    uint8_t stack[1280];
#else
    uint8_t stack[2048];
#endif
    wipe(stack, sizeof stack);
}
