/* test_multiway.c: several states or messages at once, under every mask that changes which widths there are:
   the public permutations and the scheduler of sponge jobs. (_many is in the battery of every hash.) */
#include "support.h"
#include "sha3/keccak.h"
#include "sha3/lanes.h"
#include "sha3/leaves.h"
#include "sha3/sponge.h"

/* What each row needs, what all of a name need, and pairs of rows, so that widths 2, 4 and 8 come from
   different rows or from none. */
static size_t masks(uint32_t list[64])
{
    const struct celer_backend *a, *b;
    size_t n = 0;
    list[n++] = CELER_CPU_AUTO;
    list[n++] = 0;
    for (size_t i = 0; (a = celer_kernel_row(&celer_keccak_kernel_, i)) != NULL; i++)
        for (size_t j = 0; j <= i && (b = celer_kernel_row(&celer_keccak_kernel_, j)) != NULL; j++) {
            const uint32_t mask = a->needs | b->needs;
            size_t k = 0;
            while (k < n && list[k] != mask)
                k++;
            if (k == n && n < 64)
                list[n++] = mask;
        }
    return n;
}

static void test_permutations(void **state)
{
    (void)state;
    static void (*const permute[])(uint64_t *) = {celer_keccak_f1600_x1, celer_keccak_f1600_x2,
                                                  celer_keccak_f1600_x4, celer_keccak_f1600_x8};
    uint32_t mask[64];
    const size_t count = masks(mask);
    struct rng rng = {9};
    for (size_t m = 0; m < count; m++)
        for (unsigned log = 0; log < 4; log++)
            for (unsigned round = 0; round < 50; round++) {
                const size_t ways = (size_t)1 << log;
                uint64_t s[25 * KECCAK_MAX_WAYS + 2], one[KECCAK_MAX_WAYS][25];
                memset(s, 0xaa, sizeof s);
                for (size_t w = 0; w < ways; w++)
                    for (size_t i = 0; i < 25; i++)
                        s[1 + i * ways + w] = one[w][i] = rng_next(&rng);
                celer_cpu_mask(mask[m]);
                permute[log](s + 1);
                for (size_t w = 0; w < ways; w++) {
                    celer_keccak_permute_x1_scalar_(one[w], 24);
                    for (size_t i = 0; i < 25; i++)
                        check(s[1 + i * ways + w] == one[w][i], "mask %08x, x%zu: lane %zu of state %zu",
                              (unsigned)mask[m], ways, i, w);
                }
                check(s[0] == UINT64_C(0xaaaaaaaaaaaaaaaa) && s[1 + 25 * ways] == s[0], "x%zu wrote beside",
                      ways);
            }
}

/* The row chosen for a number of live states is usable, holds what it can, and is no wider than makes sense.
   */
static void test_widest(void **state)
{
    (void)state;
    uint32_t mask[64];
    const size_t count = masks(mask);
    for (size_t m = 0; m < count; m++) {
        celer_cpu_mask(mask[m]);
        for (size_t live = 1; live <= 100; live++) {
            const struct keccak_backend *k = celer_keccak_widest_(live);
            assert_non_null(k);
            assert_ptr_equal(celer_kernel_choice(&celer_keccak_kernel_, k->row.ways), &k->row);
            check(k->row.ways < 2 * live, "mask %08x: width %u for %zu states", (unsigned)mask[m],
                  (unsigned)k->row.ways, live);
        }
    }
}

enum { JOBS = 50, MOST_IN = 1000, MOST_OUT = 600, MOST_END = 10 };

/* Wrong: a lane that is reused keeps something of its last job; rates that differ; a lane that squeezes while
   others absorb; fewer jobs than announced, or more; an end that reaches into another block, or does just not. */
static void test_lanes(void **state)
{
    (void)state;
    static const uint8_t rates[] = {8, 72, 104, 136, 144, 168, 192},
                         suffixes[] = {0x06, 0x1f, 0x01, 0x0b, 0x7f};
    struct guarded in[JOBS];
    uint64_t start[25];
    uint8_t end[MOST_END];
    struct rng rng = {10};
    uint32_t mask[64];
    const size_t count = masks(mask);
    uint8_t *out = malloc(JOBS * (MOST_OUT + 8)), *want = malloc(MOST_OUT);
    assert_true(out != NULL && want != NULL);
    for (size_t i = 0; i < 25; i++)
        start[i] = rng_next(&rng);
    rng_fill(&rng, end, sizeof end);
    for (size_t j = 0; j < JOBS; j++)
        in[j] = guarded_new(MOST_IN);
    for (size_t m = 0; m < count; m++)
        for (size_t round = 0; round < 70; round++) {
            struct keccak_lanes lanes;
            struct keccak_job job[JOBS];
            const size_t n = round % (JOBS + 1), expected = round % 3 == 0 ? n : 1 + rng_below(&rng, JOBS);
            const unsigned rounds = round % 2 == 0 ? 24 : 12;
            const int one_rate = round % 4 == 1;
            celer_cpu_mask(mask[m]);
            memset(out, 0xaa, JOBS * (MOST_OUT + 8));
            memset(&lanes, 0xaa, sizeof lanes);
            celer_lanes_start_(&lanes, rounds, expected != 0 ? expected : 1);
            for (size_t j = 0; j < n; j++) {
                const size_t len = rng_below(&rng, j % 5 == 0 ? MOST_IN + 1 : 200);
                uint8_t *at = j % 2 == 0 ? in[j].end - len : in[j].begin;
                rng_fill(&rng, at, len);
                job[j] = (struct keccak_job){
                    .in = len == 0 ? NULL : at,
                    .in_len = len,
                    .out = out + j * (MOST_OUT + 8),
                    .out_len = 1 + rng_below(&rng, j % 3 == 0 ? MOST_OUT : 64),
                    .start = round % 5 < 2 ? start : NULL,
                    .end = round % 3 == 0 ? NULL : end,
                    .end_len = (uint8_t)(round % 3 == 0 ? 0 : rng_below(&rng, MOST_END + 1)),
                    .rate = one_rate ? 136 : rates[rng_below(&rng, sizeof rates)],
                    .suffix = suffixes[rng_below(&rng, sizeof suffixes)],
                };
                celer_lanes_push_(&lanes, &job[j]);
            }
            celer_lanes_flush_(&lanes);
            check(all_zero(&lanes, sizeof lanes), "mask %08x: flush left something", (unsigned)mask[m]);
            for (size_t j = 0; j < n; j++) {
                const uint8_t *got = out + j * (MOST_OUT + 8);
                struct celer_sponge sponge;
                celer_cpu_mask(0);
                celer_sponge_init_(&sponge, job[j].rate, job[j].suffix, rounds);
                if (job[j].start != NULL)
                    memcpy(sponge.s, start, sizeof start);
                celer_sponge_absorb_(&sponge, job[j].in, job[j].in_len);
                celer_sponge_absorb_(&sponge, job[j].end, job[j].end_len);
                celer_sponge_squeeze_(&sponge, want, job[j].out_len);
                check_bytes(got, want, job[j].out_len,
                            "mask %08x, job %zu of %zu: %zu bytes, rate %u, output of %zu", (unsigned)mask[m],
                            j, n, job[j].in_len, job[j].rate, job[j].out_len);
                for (size_t i = job[j].out_len; i < MOST_OUT + 8; i++)
                    check(got[i] == 0xaa, "mask %08x, job %zu: wrote beyond its output", (unsigned)mask[m],
                          j);
            }
        }
    for (size_t j = 0; j < JOBS; j++)
        guarded_free(in[j]);
    free(out);
    free(want);
}

enum { SHAKE_IN = 700, SHAKE_OUT = 700 };

/* SHAKE on messages of one length: the functions of one rate and number of messages. */
struct shake_ways {
    const char *name;
    size_t ways, rate, ctx_size;
    void (*one)(uint8_t *out, size_t out_len, const void *in, size_t in_len);
    void (*all)(uint8_t *const *out, size_t out_len, const uint8_t *const *in, size_t in_len);
    void (*init)(void *ctx);
    void (*absorb)(void *ctx, const uint8_t *const *in, size_t in_len);
    void (*squeeze)(void *ctx, uint8_t *const *out, size_t out_len);
    void (*squeezeblocks)(void *ctx, uint8_t *const *out, size_t nblocks);
    void (*wipe)(void *ctx);
};

#define SHAKE_WAYS(bits, count)                                                            \
  static void init_##bits##_x##count(void *ctx)                                            \
  {                                                                                        \
    celer_shake##bits##_x##count##_init(ctx);                                              \
  }                                                                                        \
  static void absorb_##bits##_x##count(void *ctx, const uint8_t *const *in, size_t in_len) \
  {                                                                                        \
    celer_shake##bits##_x##count##_absorb(ctx, in, in_len);                                \
  }                                                                                        \
  static void squeeze_##bits##_x##count(void *ctx, uint8_t *const *out, size_t out_len)    \
  {                                                                                        \
    celer_shake##bits##_x##count##_squeeze(ctx, out, out_len);                             \
  }                                                                                        \
  static void blocks_##bits##_x##count(void *ctx, uint8_t *const *out, size_t nblocks)     \
  {                                                                                        \
    celer_shake##bits##_x##count##_squeezeblocks(ctx, out, nblocks);                       \
  }                                                                                        \
  static void wipe_##bits##_x##count(void *ctx)                                            \
  {                                                                                        \
    celer_shake##bits##_x##count##_wipe(ctx);                                              \
  }
#define SHAKE_WAYS_ROW(bits, count)                                                                          \
  {                                                                                                          \
    "shake" #bits "_x" #count, count, CELER_SHAKE##bits##_RATE, sizeof(struct celer_shake##bits##_x##count), \
        celer_shake##bits, celer_shake##bits##_x##count, init_##bits##_x##count, absorb_##bits##_x##count,   \
        squeeze_##bits##_x##count, blocks_##bits##_x##count, wipe_##bits##_x##count                          \
  }

SHAKE_WAYS(128, 2)
SHAKE_WAYS(128, 4)
SHAKE_WAYS(128, 8)
SHAKE_WAYS(256, 2)
SHAKE_WAYS(256, 4)
SHAKE_WAYS(256, 8)

static const struct shake_ways shakes[] = {SHAKE_WAYS_ROW(128, 2), SHAKE_WAYS_ROW(128, 4),
                                           SHAKE_WAYS_ROW(128, 8), SHAKE_WAYS_ROW(256, 2),
                                           SHAKE_WAYS_ROW(256, 4), SHAKE_WAYS_ROW(256, 8)};

/* The bytes from `offset` on of every message or output. */
static void shift(uint8_t **to, uint8_t *const *from, size_t offset)
{
    for (size_t w = 0; w < KECCAK_MAX_WAYS; w++)
        to[w] = from[w] + offset;
}

/* Wrong: messages mixed up; a block that ends where a piece does; a padding or a permutation too many. Messages and
   outputs begin at all offsets and end where memory does. */
static void test_shake_ways(void **state)
{
    (void)state;
    struct guarded in[KECCAK_MAX_WAYS], out[KECCAK_MAX_WAYS];
    uint8_t *msg[KECCAK_MAX_WAYS], *to[KECCAK_MAX_WAYS], *part[KECCAK_MAX_WAYS], want[SHAKE_OUT];
    struct rng rng = {11};
    uint32_t mask[64];
    const size_t count = masks(mask);
    for (size_t w = 0; w < KECCAK_MAX_WAYS; w++) {
        in[w] = guarded_new(SHAKE_IN);
        out[w] = guarded_new(SHAKE_OUT);
    }
    for (size_t m = 0; m < count; m++)
        for (size_t i = 0; i < sizeof shakes / sizeof shakes[0]; i++)
            for (size_t round = 0; round < 60; round++) {
                const struct shake_ways *const shake = &shakes[i];
                const size_t in_len = round < 4 ? round * shake->rate : rng_below(&rng, SHAKE_IN + 1);
                const size_t out_len = round % 4 == 0 ? 2 * shake->rate : rng_below(&rng, SHAKE_OUT + 1);
                for (size_t w = 0; w < KECCAK_MAX_WAYS; w++) {
                    msg[w] = in[w].end - in_len;
                    to[w] = out[w].end - out_len;
                    rng_fill(&rng, msg[w], in_len);
                    memset(to[w], 0xaa, out_len);
                }
                celer_cpu_mask(mask[m]);
                void *const ctx = malloc(shake->ctx_size); /* exactly: a sanitizer sees an access beyond */
                assert_non_null(ctx);
                if (round % 2 == 0)
                    shake->all(to, out_len, (const uint8_t *const *)msg, in_len);
                else {
                    shake->init(ctx);
                    for (size_t at = 0, n; at < in_len; at += n) {
                        n = rng_below(&rng, in_len - at + 1);
                        shift(part, msg, at);
                        shake->absorb(ctx, (const uint8_t *const *)part, n);
                    }
                    for (size_t at = 0, n; at < out_len; at += n) {
                        shift(part, to, at);
                        n = rng_below(&rng, out_len - at + 1);
                        if (round % 4 == 3 && n >= shake->rate) {
                            shake->squeezeblocks(ctx, part, n / shake->rate);
                            n = n / shake->rate * shake->rate;
                        } else
                            shake->squeeze(ctx, part, n);
                        shake->absorb(ctx, (const uint8_t *const *)msg, in_len); /* too late, so ignored */
                    }
                    shake->wipe(ctx);
                    check(all_zero(ctx, shake->ctx_size), "%s: wipe left something", shake->name);
                }
                for (size_t w = 0; w < shake->ways; w++) {
                    celer_cpu_mask(0);
                    shake->one(want, out_len, msg[w], in_len);
                    check_bytes(to[w], want, out_len, "mask %08x, %s: %zu bytes, output of %zu, message %zu",
                                (unsigned)mask[m], shake->name, in_len, out_len, w);
                }
                celer_cpu_mask(mask[m]);
                memset(ctx, 0, shake->ctx_size); /* dead */
                shake->absorb(ctx, (const uint8_t *const *)msg, in_len);
                shake->squeeze(ctx, to, out_len);
                for (size_t w = 0; w < shake->ways; w++)
                    check(all_zero(to[w], out_len), "%s: a dead context has output", shake->name);
                free(ctx);
            }
    for (size_t w = 0; w < KECCAK_MAX_WAYS; w++) {
        guarded_free(in[w]);
        guarded_free(out[w]);
    }
}

/* Wrong: leaves mixed up; a kernel with lanes to spare that reads beyond the last leaf; a leaf that ends with a
   block. */
static void test_leaves(void **state)
{
    (void)state;
    static const struct leaf_kind kinds[] = {{32, 168, 0x1f, 24}, {64, 136, 0x0b, 12}};
    static const size_t lens[] = {1, 7, 8, 135, 136, 137, 167, 168, 169, 336, 504, 1000};
    enum { MOST = 20 };
    uint32_t mask[64];
    const size_t count = masks(mask);
    struct rng rng = {12};
    struct guarded in = guarded_new(MOST * 1000);
    uint8_t cv[MOST * LEAF_MAX_CV + 1], want[MOST * LEAF_MAX_CV];
    for (size_t m = 0; m < count; m++)
        for (size_t k = 0; k < 2; k++)
            for (size_t l = 0; l < sizeof lens / sizeof lens[0]; l++)
                for (size_t n = 0; n <= MOST; n++) {
                    const size_t len = lens[l], cv_len = kinds[k].cv_len;
                    uint8_t *const at = n % 2 == 0 ? in.end - n * len : in.begin;
                    struct celer_sponge node, plain;
                    rng_fill(&rng, at, n * len);
                    celer_cpu_mask(0);
                    for (size_t i = 0; i < n; i++)
                        celer_sponge_(want + i * cv_len, cv_len, at + i * len, len, kinds[k].rate,
                                      kinds[k].suffix, kinds[k].rounds);
                    celer_cpu_mask(mask[m]);
                    memset(cv, 0xaa, sizeof cv);
                    celer_leaves_(cv, at, len, n, &kinds[k]);
                    check_bytes(cv, want, n * cv_len, "mask %08x, %zu leaves of %zu", (unsigned)mask[m], n,
                                len);
                    check(cv[n * cv_len] == 0xaa, "%zu leaves of %zu: wrote more", n, len);
                    celer_sponge_init_(&node, 136, 0x06, 24);
                    plain = node;
                    celer_sponge_absorb_(&plain, want, n * cv_len);
                    celer_leaves_absorb_(&node, at, len, n, &kinds[k]);
                    check_bytes(&node, &plain, sizeof node, "the node of %zu leaves of %zu", n, len);
                }
    guarded_free(in);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_permutations, NULL, "multiway: public permutations");
    suite_add(&suite, test_widest, NULL, "multiway: choice of a width");
    suite_add(&suite, test_lanes, NULL, "multiway: jobs in lanes");
    suite_add(&suite, test_leaves, NULL, "multiway: leaves of a tree");
    suite_add(&suite, test_shake_ways, NULL, "multiway: SHAKE on messages of one length");
    return suite_run(&suite, "multiway") != 0;
}
