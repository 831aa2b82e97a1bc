/* test_rfc9861.c: TurboSHAKE and KangarooTwelve by their typed functions, on every row. The tree is compared with one
   that is laid out in memory as RFC 9861 section 3.2 draws it, which the vectors anchor. */
#include <pthread.h>
#include <strings.h>
#include "rfc9861.h"
#include "support.h"
#include "typed_template.h"
#include "sha3/keccak.h"
#include "sha3/sponge.h"

enum { CHUNK = CELER_KT_CHUNK, MOST_OUT = 256, LONGEST = 24137569 /* 17**6 */ };

/* ---- the functions under one type ---- */

struct turboshake {
    unsigned rate;
    int (*oneshot)(uint8_t *out, size_t out_len, const void *in, size_t in_len, uint8_t domain);
    int (*many)(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n, uint8_t domain);
    int (*init)(void *ctx, uint8_t domain);
    struct typed typed;
};

#define TURBOSHAKE(id)                                                                         \
  static int id##_init_domain_(void *ctx, uint8_t domain)                                      \
  {                                                                                            \
    return celer_##id##_init(ctx, domain);                                                     \
  }                                                                                            \
  static void id##_init_(void *ctx)                                                            \
  {                                                                                            \
    assert_int_equal(celer_##id##_init(ctx, CELER_TURBOSHAKE_DOMAIN), 0);                      \
  }                                                                                            \
  static void id##_update_(void *ctx, const void *in, size_t in_len)                           \
  {                                                                                            \
    celer_##id##_update(ctx, in, in_len);                                                      \
  }                                                                                            \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len)                               \
  {                                                                                            \
    celer_##id##_squeeze(ctx, out, out_len);                                                   \
  }                                                                                            \
  static void id##_wipe_(void *ctx)                                                            \
  {                                                                                            \
    celer_##id##_wipe(ctx);                                                                    \
  }                                                                                            \
  static void id##_oneshot_(uint8_t *out, size_t out_len, const void *in, size_t in_len)       \
  {                                                                                            \
    assert_int_equal(celer_##id(out, out_len, in, in_len, CELER_TURBOSHAKE_DOMAIN), 0);        \
  }                                                                                            \
  static void id##_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n) \
  {                                                                                            \
    assert_int_equal(celer_##id##_many(out, out_len, msgs, n, CELER_TURBOSHAKE_DOMAIN), 0);    \
  }
TURBOSHAKE(turboshake128)
TURBOSHAKE(turboshake256)

static const struct turboshake turboshakes[] = {
    {168, celer_turboshake128, celer_turboshake128_many, turboshake128_init_domain_,
     TYPED_ROW(turboshake128, "turboshake128", CELER_TURBOSHAKE128_RATE)},
    {136, celer_turboshake256, celer_turboshake256_many, turboshake256_init_domain_,
     TYPED_ROW(turboshake256, "turboshake256", CELER_TURBOSHAKE256_RATE)},
};

struct kt {
    unsigned rate;
    void (*whole)(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *custom,
                  size_t custom_len);
    void (*finish)(void *ctx, const void *custom, size_t custom_len);
    void (*leaves)(uint8_t *cv, const void *in, size_t n);
    int (*update_leaves)(void *ctx, const uint8_t *cv, size_t n);
    struct typed typed;
};

/* There is no celer_kt128_many: the list's. */
#define KT(id)                                                                                 \
  TYPED_COMMON(id)                                                                             \
  static void id##_finish_(void *ctx, const void *custom, size_t custom_len)                   \
  {                                                                                            \
    celer_##id##_finish(ctx, custom, custom_len);                                              \
  }                                                                                            \
  static int id##_update_leaves_(void *ctx, const uint8_t *cv, size_t n)                       \
  {                                                                                            \
    return celer_##id##_update_leaves(ctx, cv, n);                                             \
  }                                                                                            \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len)                               \
  {                                                                                            \
    celer_##id##_squeeze(ctx, out, out_len);                                                   \
  }                                                                                            \
  static void id##_oneshot_(uint8_t *out, size_t out_len, const void *in, size_t in_len)       \
  {                                                                                            \
    celer_##id(out, out_len, in, in_len, NULL, 0);                                             \
  }                                                                                            \
  static void id##_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n) \
  {                                                                                            \
    const struct celer_hash_opts opts = {.out_len = out_len};                                  \
    assert_int_equal(celer_hash_many(celer_hash_find(#id), &opts, out, msgs, n), 0);           \
  }
KT(kt128)
KT(kt256)

static const struct kt kts[] = {
    {168, celer_kt128, kt128_finish_, celer_kt128_leaves, kt128_update_leaves_,
     TYPED_ROW(kt128, "kt128", CELER_KT128_RATE)},
    {136, celer_kt256, kt256_finish_, celer_kt256_leaves, kt256_update_leaves_,
     TYPED_ROW(kt256, "kt256", CELER_KT256_RATE)},
};
enum { KINDS = sizeof kts / sizeof kts[0] };

/* ---- the tree, drawn out ---- */

static void *allocate(size_t n)
{
    void *p = malloc(n + 1);
    assert_non_null(p);
    return p;
}

/* Section 3.3: in base 256 without leading zeros, then the number of digits. */
static size_t length_encode(uint8_t *out, uint64_t x)
{
    uint8_t digits[8];
    size_t n = 0;
    for (; x > 0; x /= 256)
        digits[n++] = (uint8_t)(x % 256);
    for (size_t i = 0; i < n; i++)
        out[i] = digits[n - 1 - i];
    out[n] = (uint8_t)n;
    return n + 1;
}

static void plain_turboshake(uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len, unsigned rate,
                             unsigned domain)
{
    const uint32_t mask = celer_cpu_mask(0);
    celer_sponge_(out, out_len, in, in_len, rate, domain, 12);
    celer_cpu_mask(mask);
}

/* first: CHUNK bytes. */
static void plain_node(uint8_t *out, size_t out_len, const uint8_t *first, const uint8_t *cv, size_t leaves,
                       unsigned rate)
{
    const size_t cv_len = leaves * (200 - rate);
    uint8_t *node = allocate(CHUNK + 8 + cv_len + 11), *p = node;
    memcpy(p, first, CHUNK);
    memcpy(p + CHUNK, "\003\0\0\0\0\0\0", 8);
    memcpy(p + CHUNK + 8, cv, cv_len);
    p += CHUNK + 8 + cv_len;
    p += length_encode(p, leaves);
    *p++ = 0xff;
    *p++ = 0xff;
    plain_turboshake(out, out_len, node, (size_t)(p - node), rate, 0x06);
    free(node);
}

static void plain_kt(uint8_t *out, size_t out_len, const uint8_t *msg, size_t msg_len, const uint8_t *custom,
                     size_t custom_len, unsigned rate)
{
    uint8_t *s = allocate(msg_len + custom_len + 9);
    size_t len = msg_len + custom_len;
    if (msg_len > 0)
        memcpy(s, msg, msg_len);
    if (custom_len > 0)
        memcpy(s + msg_len, custom, custom_len);
    len += length_encode(s + len, custom_len);
    if (len <= CHUNK)
        plain_turboshake(out, out_len, s, len, rate, 0x07);
    else {
        const size_t leaves = (len - 1) / CHUNK, cv_len = 200 - rate;
        uint8_t *cv = allocate(leaves * cv_len);
        for (size_t i = 0; i < leaves; i++) {
            const size_t at = (i + 1) * CHUNK;
            plain_turboshake(cv + i * cv_len, cv_len, s + at, len - at < CHUNK ? len - at : CHUNK, rate,
                             0x0b);
        }
        plain_node(out, out_len, s, cv, leaves, rate);
        free(cv);
    }
    free(s);
}

/* ---- tests of one kind of KangarooTwelve and one row ---- */

struct kt_test {
    const struct kt *kt;
    const char *row;
};

static const struct kt *enter(void **state)
{
    const struct kt_test *t = *state;
    row_enter(&celer_keccak_kernel_, t->row);
    return t->kt;
}

static void check_pieces(const struct kt *kt, const uint8_t *msg, const size_t *cuts, size_t n_cuts,
                         size_t len, const uint8_t *custom, size_t custom_len, const uint8_t *want,
                         size_t out_len)
{
    uint8_t out[MOST_OUT], *ctx = allocate(kt->typed.ctx_size);
    size_t at = 0;
    kt->typed.init(ctx);
    for (size_t i = 0; i < n_cuts; at = cuts[i++])
        kt->typed.update(ctx, msg + at, cuts[i] - at);
    kt->typed.update(ctx, msg + at, len - at);
    kt->finish(ctx, custom, custom_len);
    kt->typed.end(ctx, out, out_len);
    check_bytes(out, want, out_len, "%zu bytes in %zu pieces, the first %zu, custom of %zu", len, n_cuts + 1,
                n_cuts > 0 ? cuts[0] : len, custom_len);
    free(ctx);
}

/* Whole and in one update. */
static void check_kt(const struct kt *kt, const uint8_t *msg, size_t len, const uint8_t *custom,
                     size_t custom_len, size_t out_len)
{
    uint8_t want[MOST_OUT], out[MOST_OUT];
    plain_kt(want, out_len, msg, len, custom, custom_len, kt->rate);
    kt->whole(out, out_len, len != 0 ? msg : NULL, len, custom, custom_len);
    check_bytes(out, want, out_len, "%zu bytes, custom of %zu", len, custom_len);
    check_pieces(kt, msg, NULL, 0, len, custom, custom_len, want, out_len);
}

static void check_kt_case(const struct rfc9861_case *c, void *arg)
{
    const struct kt *kt = arg;
    if (strcasecmp(c->function, kt->typed.name) != 0)
        return;
    uint8_t *out = allocate(c->out_len);
    kt->whole(out, c->out_len, c->msg, c->msg_len, c->custom, c->custom_len);
    check_bytes(out + c->out_len - c->end_len, c->end, c->end_len, "case %zu", c->number);
    plain_kt(out, c->out_len, c->msg, c->msg_len, c->custom, c->custom_len, kt->rate);
    check_bytes(out + c->out_len - c->end_len, c->end, c->end_len, "case %zu, drawn out", c->number);
    free(out);
}

static void test_vectors(void **state)
{
    rfc9861_each(check_kt_case, (void *)(uintptr_t)enter(state));
}

/* Wrong: absorb loops made for the rate of KT128 and used for KT256; more leaves than a byte counts. */
static void test_patterns(void **state)
{
    const struct kt *kt = enter(state);
    uint8_t *msg = rfc9861_pattern(LONGEST);
    for (size_t n = 1; n <= LONGEST; n *= 17)
        check_kt(kt, msg, n, NULL, 0, 32);
    free(msg);
}

/* Wrong: a message of whole chunks, to which the customization string adds the last; one that ends with a chunk, after
   which there is none; the idle lanes of a last batch of leaves. */
static void test_edges(void **state)
{
    const struct kt *kt = enter(state);
    static const size_t chunks[] = {1, 2, 3, 4, 5, 8, 9, 10, 17, 18};
    static const size_t customs[] = {0, 1, 254, CHUNK - 3, CHUNK - 2, CHUNK - 1, CHUNK, 2 * CHUNK};
    uint8_t *msg = allocate(19 * CHUNK), *custom = allocate(2 * CHUNK);
    struct rng rng = {11};
    rng_fill(&rng, msg, 19 * CHUNK);
    rng_fill(&rng, custom, 2 * CHUNK);
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++)
        for (size_t j = 0; j < sizeof customs / sizeof customs[0]; j++)
            for (size_t len = chunks[i] * CHUNK - 3; len <= chunks[i] * CHUNK + 2; len++)
                check_kt(kt, msg, len, custom, customs[j], 32);
    free(msg);
    free(custom);
}

/* Wrong: one chunk taken for two, or two for one, where the encoded length fills it to the last byte; the encoding of
   0, and where it gets longer. */
static void test_custom_lengths(void **state)
{
    const struct kt *kt = enter(state);
    static const size_t customs[] = {0, 1, 2, 255, 256, 257, 8000, 65535, 65536, 65537};
    uint8_t *msg = allocate(CHUNK + 1), *custom = allocate(65537), encoded[9];
    struct rng rng = {12};
    rng_fill(&rng, msg, CHUNK + 1);
    rng_fill(&rng, custom, 65537);
    for (size_t i = 0; i < sizeof customs / sizeof customs[0]; i++) {
        const size_t more = customs[i] + length_encode(encoded, customs[i]);
        check_kt(kt, msg, 0, custom, customs[i], 200);
        for (size_t len = CHUNK - 1; len <= CHUNK + 1; len++)
            check_kt(kt, msg, len >= more ? len - more : len, custom, customs[i], 64);
    }
    free(msg);
    free(custom);
}

/* Splits in two and in three, at the edges of chunks and beside them. */
static void test_splits(void **state)
{
    const struct kt *kt = enter(state);
    enum { CHUNKS = 10, LEN = CHUNKS * CHUNK + 100, POINTS = 3 * CHUNKS };
    uint8_t *msg = allocate(LEN), want[64];
    size_t at[POINTS];
    struct rng rng = {13};
    rng_fill(&rng, msg, LEN);
    plain_kt(want, sizeof want, msg, LEN, (const uint8_t *)"custom", 6, kt->rate);
    for (size_t i = 0; i < POINTS; i++)
        at[i] = (1 + i / 3) * CHUNK + i % 3 - 1;
    for (size_t i = 0; i < POINTS; i++)
        for (size_t j = i; j < POINTS; j++) {
            const size_t cuts[] = {at[i], at[j]};
            check_pieces(kt, msg, cuts, 2, LEN, (const uint8_t *)"custom", 6, want, sizeof want);
        }
    free(msg);
}

static void test_random(void **state)
{
    const struct kt *kt = enter(state);
    enum { MOST = 30 * CHUNK, CUTS = 64 };
    uint8_t *msg = allocate(MOST), *custom = allocate(3 * CHUNK), want[MOST_OUT];
    struct rng rng = {14};
    rng_fill(&rng, msg, MOST);
    rng_fill(&rng, custom, 3 * CHUNK);
    for (size_t round = 0; round < 100 / one_in(); round++) {
        const size_t len = rng_below(&rng, round % 2 == 0 ? MOST + 1 : 3 * CHUNK);
        const size_t custom_len = rng_below(&rng, round % 3 == 0 ? 3 * CHUNK + 1 : 300);
        const size_t out_len = 1 + rng_below(&rng, MOST_OUT);
        const size_t longest = 1 + rng_below(&rng, round % 5 == 0 ? 200 : len + 1);
        size_t cuts[CUTS], n = 0;
        plain_kt(want, out_len, msg, len, custom, custom_len, kt->rate);
        for (size_t at = rng_below(&rng, longest + 1); n < CUTS && at <= len;
             at += rng_below(&rng, longest + 1))
            cuts[n++] = at;
        check_pieces(kt, msg, cuts, n, len, custom, custom_len, want, out_len);
    }
    free(msg);
    free(custom);
}

/* Wrong: leaves of a last, narrower batch read beyond the message; their values written beyond the end. */
static void test_guard_pages(void **state)
{
    const struct kt *kt = enter(state);
    enum { MOST = 11 };
    const size_t cv_len = 200 - kt->rate;
    struct guarded in = guarded_new(MOST * CHUNK), out = guarded_new(MOST * cv_len);
    uint8_t want[64];
    struct rng rng = {15};
    rng_fill(&rng, in.begin, (size_t)(in.end - in.begin));
    for (size_t n = 1; n <= MOST; n++)
        for (int at_end = 0; at_end < 2; at_end++) {
            const uint8_t *const msg = at_end ? in.end - n * CHUNK : in.begin;
            uint8_t *const to = at_end ? out.end - n * cv_len : out.begin;
            plain_kt(want, 32, msg, n * CHUNK, NULL, 0, kt->rate);
            kt->whole(out.end - 32, 32, msg, n * CHUNK, NULL, 0);
            check_bytes(out.end - 32, want, 32, "%zu chunks", n);
            memset(out.begin, 0xaa, (size_t)(out.end - out.begin));
            kt->leaves(to, msg, n);
            for (size_t i = 0; i < n; i++) {
                plain_turboshake(want, cv_len, msg + i * CHUNK, CHUNK, kt->rate, 0x0b);
                check_bytes(to + i * cv_len, want, cv_len, "leaf %zu of %zu", i, n);
            }
            for (const uint8_t *p = out.begin; p < out.end; p++)
                check((p >= to && p < to + n * cv_len) || *p == 0xaa, "%zu leaves: a byte beside them", n);
        }
    guarded_free(in);
    guarded_free(out);
}

/* Wrong: the lanes that short messages share get one that is a tree, or the order of the outputs changes. */
static void test_many(void **state)
{
    const struct kt *kt = enter(state);
    static const size_t lens[] = {0, 5, CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 1};
    enum { MANY = 20 };
    uint8_t *msg = allocate(4 * CHUNK), want[200], *out = allocate(MANY * sizeof want);
    struct rng rng = {21};
    rng_fill(&rng, msg, 4 * CHUNK);
    for (size_t round = 0; round < 20; round++) {
        struct celer_msg msgs[MANY];
        const size_t longest = round % 4 == 0 ? 4 : sizeof lens / sizeof lens[0];
        for (size_t i = 0; i < MANY; i++) {
            msgs[i].len = lens[rng_below(&rng, i < 10 ? longest : 4)];
            msgs[i].data = msg + rng_below(&rng, CHUNK - 1);
        }
        kt->typed.many(out, sizeof want, msgs, MANY);
        for (size_t i = 0; i < MANY; i++) {
            plain_kt(want, sizeof want, msgs[i].data, msgs[i].len, NULL, 0, kt->rate);
            check_bytes(out + i * sizeof want, want, sizeof want, "message %zu, %zu bytes", i, msgs[i].len);
        }
    }
    free(msg);
    free(out);
}

static void test_output_over_input(void **state)
{
    const struct kt *kt = enter(state);
    static const size_t lens[] = {100, CHUNK - 1, CHUNK, 9 * CHUNK + 5};
    uint8_t *memory = allocate(10 * CHUNK + 300), want[200];
    struct rng rng = {16};
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
        for (size_t to = 0; to <= lens[i] + 100; to += 1 + lens[i] / 7) {
            rng_fill(&rng, memory, lens[i] + 100);
            plain_kt(want, sizeof want, memory, lens[i], memory + lens[i], 100, kt->rate);
            kt->whole(memory + to, sizeof want, memory, lens[i], memory + lens[i], 100);
            check_bytes(memory + to, want, sizeof want, "%zu bytes, output over byte %zu", lens[i], to);
        }
    free(memory);
}

/* ---- leaves that are computed elsewhere ---- */

struct part {
    const struct kt *kt;
    uint8_t *cv;
    const uint8_t *in;
    size_t n;
};

static void *hash_part(void *arg)
{
    const struct part *part = arg;
    part->kt->leaves(part->cv, part->in, part->n);
    return NULL;
}

/* As sha3.h tells several threads to. */
static void test_threads(void **state)
{
    const struct kt *kt = enter(state);
    enum { MOST = 30 };
    uint8_t *msg = allocate(MOST * CHUNK + 77), *cv = allocate(MOST * 64), want[32], out[32];
    uint8_t *ctx = allocate(kt->typed.ctx_size);
    struct rng rng = {17};
    rng_fill(&rng, msg, MOST * CHUNK + 77);
    for (size_t round = 0; round < 60 / one_in(); round++) {
        const size_t mine = 1 + rng_below(&rng, MOST), theirs = rng_below(&rng, MOST - mine + 1);
        const size_t whole = (mine + theirs) * CHUNK, rest = round % 2 == 0 ? 0 : 77;
        struct part part = {kt, cv, msg + mine * CHUNK, theirs};
        pthread_t thread;
        plain_kt(want, sizeof want, msg, whole + rest, (const uint8_t *)"custom", 6, kt->rate);
        assert_int_equal(pthread_create(&thread, NULL, hash_part, &part), 0);
        kt->typed.init(ctx);
        kt->typed.update(ctx, msg, mine * CHUNK);
        pthread_join(thread, NULL);
        assert_int_equal(kt->update_leaves(ctx, cv, theirs), 0);
        kt->typed.update(ctx, msg + whole, rest);
        kt->finish(ctx, "custom", 6);
        kt->typed.end(ctx, out, sizeof out);
        check_bytes(out, want, sizeof want, "%zu chunks, %zu leaves from a thread, %zu bytes", mine, theirs,
                    rest);
    }
    free(msg);
    free(cv);
    free(ctx);
}

/* Wrong: the number of leaves kept or encoded in too few bytes. The leaves are made up: those of a real message would
   take a second each time. */
static void test_leaf_counts(void **state)
{
    const struct kt *kt = enter(state);
    static const size_t counts[] = {1, 2, 253, 254, 255, 256, 65533, 65534, 65535, 65536};
    const size_t cv_len = 200 - kt->rate, most = 65537;
    uint8_t *cv = allocate(most * cv_len), first[CHUNK], want[32], out[32],
            *ctx = allocate(kt->typed.ctx_size);
    struct rng rng = {18};
    rng_fill(&rng, first, CHUNK);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const size_t n = counts[i];
        rng_fill(&rng, cv, n * cv_len);
        kt->typed.init(ctx);
        kt->typed.update(ctx, first, CHUNK);
        assert_int_equal(kt->update_leaves(ctx, cv, n / 2), 0);
        assert_int_equal(kt->update_leaves(ctx, cv + n / 2 * cv_len, n - n / 2), 0);
        kt->typed.end(ctx, out, sizeof out);
        plain_turboshake(cv + n * cv_len, cv_len, (const uint8_t *)"", 1, kt->rate, 0x0b);
        plain_node(want, sizeof want, first, cv, n + 1, kt->rate);
        check_bytes(out, want, sizeof want, "%zu leaves", n);
    }
    free(cv);
    free(ctx);
}

static void test_leaves_refused(void **state)
{
    const struct kt *kt = enter(state);
    static const size_t refused[] = {0, 1, CHUNK - 1, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK + 1};
    const size_t size = kt->typed.ctx_size;
    uint8_t *msg = allocate(3 * CHUNK), cv[64] = {0}, out[8], *ctx = allocate(size), *before = allocate(size);
    struct rng rng = {19};
    rng_fill(&rng, msg, 3 * CHUNK);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        kt->typed.init(ctx);
        kt->typed.update(ctx, msg, refused[i]);
        memcpy(before, ctx, size);
        assert_int_equal(kt->update_leaves(ctx, cv, 1), CELER_EINVAL);
        assert_int_equal(kt->update_leaves(ctx, cv, 0), CELER_EINVAL);
        check_bytes(ctx, before, size, "refused after %zu bytes", refused[i]);
    }
    for (int dead = 0; dead < 3; dead++) { /* finished, squeezed, wiped */
        kt->typed.init(ctx);
        kt->typed.update(ctx, msg, CHUNK);
        if (dead == 0)
            kt->finish(ctx, msg, CHUNK - 2);
        else if (dead == 1)
            kt->typed.end(ctx, out, sizeof out);
        else
            kt->typed.wipe(ctx);
        memcpy(before, ctx, size);
        assert_int_equal(kt->update_leaves(ctx, cv, 1), CELER_EINVAL);
        check_bytes(ctx, before, size, "refused when absorbing has ended");
    }
    free(msg);
    free(ctx);
    free(before);
}

/* ---- contexts ---- */

static void test_finish(void **state)
{
    const struct kt *kt = enter(state);
    static const size_t lens[] = {0, 5, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 4 * CHUNK + 9};
    const size_t size = kt->typed.ctx_size;
    uint8_t *msg = allocate(5 * CHUNK), *ctx = allocate(size), *copy = allocate(size);
    uint8_t want[64], plain[64], out[64];
    struct rng rng = {20};
    rng_fill(&rng, msg, 5 * CHUNK);
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        plain_kt(want, sizeof want, msg, lens[i], (const uint8_t *)"custom", 6, kt->rate);
        plain_kt(plain, sizeof plain, msg, lens[i], NULL, 0, kt->rate);
        kt->typed.init(ctx);
        kt->typed.update(ctx, msg, lens[i]);
        memcpy(copy, ctx, size);

        kt->finish(ctx, "custom", 6);
        kt->finish(ctx, "again", 5);
        kt->typed.update(ctx, msg, 5 * CHUNK);
        kt->typed.end(ctx, out, 5);
        kt->finish(ctx, NULL, 0);
        kt->typed.update(ctx, msg, 5 * CHUNK);
        kt->typed.end(ctx, out + 5, sizeof out - 5);
        check_bytes(out, want, sizeof want, "%zu bytes, finished twice", lens[i]);

        /* A clone, which nobody finishes; and squeezing nothing ends absorbing. */
        kt->typed.end(copy, out, 0);
        kt->finish(copy, "custom", 6);
        kt->typed.update(copy, msg, 1);
        kt->typed.end(copy, out, sizeof out);
        check_bytes(out, plain, sizeof plain, "%zu bytes, not finished", lens[i]);
    }
    kt->typed.wipe(ctx);
    check(all_zero(ctx, size), "wipe left something");
    kt->finish(ctx, "custom", 6);
    check(all_zero(ctx, size), "finish of a dead context");
    kt->typed.end(ctx, out, sizeof out);
    check(all_zero(out, sizeof out), "output of a dead context");
    free(msg);
    free(ctx);
    free(copy);
}

/* ---- TurboSHAKE ---- */

static void check_turboshake_case(const struct rfc9861_case *c, void *arg)
{
    for (size_t i = 0; i < sizeof turboshakes / sizeof turboshakes[0]; i++) {
        const struct turboshake *t = &turboshakes[i];
        const struct celer_msg msgs[] = {{c->msg, c->msg_len}, {c->msg, c->msg_len}, {c->msg, c->msg_len}};
        if (strcasecmp(c->function, t->typed.name) != 0)
            continue;
        uint8_t *out = allocate(3 * c->out_len), *ctx = allocate(t->typed.ctx_size);
        assert_int_equal(t->oneshot(out, c->out_len, c->msg, c->msg_len, c->domain), 0);
        check_bytes(out + c->out_len - c->end_len, c->end, c->end_len, "case %zu", c->number);
        assert_int_equal(t->init(ctx, c->domain), 0);
        t->typed.update(ctx, c->msg, c->msg_len);
        t->typed.end(ctx, out, c->out_len);
        check_bytes(out + c->out_len - c->end_len, c->end, c->end_len, "case %zu, streamed", c->number);
        assert_int_equal(t->many(out, c->out_len, msgs, 3, c->domain), 0);
        for (size_t m = 1; m <= 3; m++)
            check_bytes(out + m * c->out_len - c->end_len, c->end, c->end_len, "case %zu, many", c->number);
        free(out);
        free(ctx);
        ++*(size_t *)arg;
    }
}

static void test_turboshake_vectors(void **state)
{
    size_t cases = 0;
    row_enter(&celer_keccak_kernel_, *state);
    rfc9861_each(check_turboshake_case, &cases);
    assert_int_equal(cases, 24);
}

/* Wrong: a domain that the padding's last bit falls into; the list takes one modulo 256. */
static void test_domains(void **state)
{
    (void)state;
    const struct celer_msg msgs[] = {{"abc", 3}, {"", 0}};
    for (size_t i = 0; i < sizeof turboshakes / sizeof turboshakes[0]; i++)
        for (unsigned domain = 0; domain < 256; domain++) {
            const struct turboshake *t = &turboshakes[i];
            uint8_t want[2][40] = {{0}}, out[2][40], *ctx = allocate(t->typed.ctx_size);
            const int result = domain >= 0x01 && domain <= 0x7f ? CELER_OK : CELER_EINVAL;
            for (size_t m = 0; result == CELER_OK && m < 2; m++)
                plain_turboshake(want[m], 40, msgs[m].data, msgs[m].len, t->rate, domain);
            memset(out, 0xaa, sizeof out);
            assert_int_equal(t->oneshot(out[0], 40, "abc", 3, (uint8_t)domain), result);
            check_bytes(out[0], want[0], 40, "domain %02x", domain);
            memset(out, 0xaa, sizeof out);
            assert_int_equal(t->many(out[0], 40, msgs, 2, (uint8_t)domain), result);
            check_bytes(out[0], want[0], 80, "domain %02x, many", domain);
            memset(ctx, 0xaa, t->typed.ctx_size);
            assert_int_equal(t->init(ctx, (uint8_t)domain), result);
            check(all_zero(ctx, t->typed.ctx_size) == (result != CELER_OK), "domain %02x: context", domain);
            t->typed.update(ctx, "abc", 3);
            t->typed.end(ctx, out[0], 40);
            check_bytes(out[0], want[0], 40, "domain %02x, streamed", domain);
            free(ctx);
        }
    struct celer_hash_ctx ctx;
    for (unsigned domain = 0; domain < 0x300; domain++) { /* 0 is the plain one */
        const struct celer_hash_opts opts = {.domain = domain};
        assert_int_equal(celer_hash_init(&ctx, celer_hash_find("turboshake128"), &opts),
                         domain <= 0x7f ? CELER_OK : CELER_EINVAL);
        assert_int_equal(celer_hash_init(&ctx, celer_hash_find("kt128"), &opts),
                         domain == 0 ? CELER_OK : CELER_EINVAL);
    }
}

int main(void)
{
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } items[] = {
        {"vectors", test_vectors},
        {"patterns", test_patterns},
        {"edges of chunks", test_edges},
        {"customization strings", test_custom_lengths},
        {"splits", test_splits},
        {"random pieces", test_random},
        {"guard pages", test_guard_pages},
        {"many", test_many},
        {"output over input", test_output_over_input},
        {"leaves of threads", test_threads},
        {"numbers of leaves", test_leaf_counts},
        {"leaves refused", test_leaves_refused},
        {"finish", test_finish},
    };
    static struct kt_test tests[16 * KINDS];
    struct suite suite = {NULL, 0};
    const char *row;
    size_t count = 0;
    suite_add(&suite, test_domains, NULL, "turboshake: domains");
    for (size_t r = 0; (row = row_name(&celer_keccak_kernel_, r)) != NULL; r++) {
        suite_add(&suite, test_turboshake_vectors, (void *)(uintptr_t)row, "turboshake/%s: vectors", row);
        for (size_t k = 0; k < KINDS; k++) {
            if (count == sizeof tests / sizeof tests[0])
                abort();
            struct kt_test *t = &tests[count++];
            *t = (struct kt_test){&kts[k], row};
            for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
                suite_add(&suite, items[i].run, t, "%s/%s: %s", kts[k].typed.name, row, items[i].name);
        }
    }
    for (size_t i = 0; i < sizeof turboshakes / sizeof turboshakes[0]; i++)
        typed_template_add(&suite, &turboshakes[i].typed);
    for (size_t k = 0; k < KINDS; k++)
        typed_template_add(&suite, &kts[k].typed);
    return suite_run(&suite, "rfc9861") != 0;
}
