/* hash_template.c: see hash_template.h.

   All digests are compared with those of the scalar row, which the official vectors anchor, fed one byte at a
   time: a path that shares with the one under test neither the row nor the handling of blocks. Each test
   names what has gone wrong in such code before. */
#include "hash_template.h"
#include "vectors.h"

enum { MANY = 40, MOST_FILES = 16, SOME_KEY = 32 };

/* What the tests of one hash and row have in common. Made when first needed, since most runs select a few. */
struct battery {
    const struct celer_hash *hash;
    const char *row;
    struct celer_hash_opts opts; /* the customary output length; all that the hash takes */
    uint8_t key[64];
    size_t block, out_len;
    size_t len;        /* of message: three blocks and three bytes */
    uint8_t *message;  /* len random bytes */
    uint8_t *expected; /* expected + n * out_len: digest of the first n bytes of message, n <= len */
    size_t stream_len; /* XOFs: three blocks and eight bytes */
    uint8_t *stream;   /* XOFs: output for the whole message */
    struct rng rng;
    struct vector_test {
        struct battery *battery;
        size_t file;
    } vectors[MOST_FILES];
    struct battery *next;
};

static struct battery *batteries; /* they live as long as the program */

static uint8_t *allocate(size_t n)
{
    uint8_t *p = malloc(n + 1);
    assert_non_null(p);
    return p;
}

static void start(const struct battery *b, struct celer_hash_ctx *ctx)
{
    assert_int_equal(celer_hash_init(ctx, b->hash, &b->opts), 0);
}

static void digest(const struct battery *b, uint8_t *out, const uint8_t *in, size_t len)
{
    struct celer_hash_ctx ctx;
    start(b, &ctx);
    celer_hash_update(&ctx, in, len);
    celer_hash_final(&ctx, out);
}

static void squeeze(struct celer_hash_ctx *ctx, uint8_t *out, size_t len)
{
    assert_int_equal(celer_hash_squeeze(ctx, out, len), 0);
}

/* Digests of all prefixes of in, by the scalar row, byte by byte: out + n * out_len for n = from .. len. */
static void reference(const struct battery *b, uint8_t *out, const uint8_t *in, size_t from, size_t len)
{
    const uint32_t mask = celer_cpu_mask(0);
    struct celer_hash_ctx ctx, copy;
    start(b, &ctx);
    for (size_t n = 0;; n++) {
        if (n >= from) {
            copy = ctx;
            celer_hash_final(&copy, out + (n - from) * b->out_len);
        }
        if (n == len)
            break;
        celer_hash_update(&ctx, in + n, 1);
    }
    celer_cpu_mask(mask);
}

/* Enters the row of the running test; every test begins with it. */
static struct battery *enter(void **state)
{
    struct battery *b = *state;
    row_enter(b->hash->kernel, b->row);
    if (b->message == NULL) {
        b->rng.state = 1;
        rng_fill(&b->rng, b->key, sizeof b->key);
        b->opts.out_len = b->hash->out_len;
        b->opts.key = b->key;
        b->opts.key_len = b->hash->flags & CELER_HASH_KEY ? SOME_KEY : 0;
        if (b->hash->flags & CELER_HASH_CUSTOM) {
            b->opts.custom = "customization";
            b->opts.custom_len = 13;
        }
        if (b->hash->flags & CELER_HASH_NAME) {
            b->opts.name = "function";
            b->opts.name_len = 8;
        }
        if (b->hash->flags & CELER_HASH_SALT) {
            b->opts.salt = "salt, or a nonce";
            b->opts.personal = "one application.";
            b->opts.salt_len = b->opts.personal_len = b->hash->salt_len; /* up to 16 */
        }
        if (b->hash->flags & CELER_HASH_BLOCK)
            b->opts.block_len = 40; /* several in what the battery takes for a block, and no divisor of it */
        b->block = b->hash->block_len;
        b->out_len = b->hash->out_len;
        b->len = 3 * b->block + 3;
        b->message = allocate(b->len);
        rng_fill(&b->rng, b->message, b->len);
        b->expected = allocate((b->len + 1) * b->out_len);
        reference(b, b->expected, b->message, 0, b->len);
        if (b->hash->flags & CELER_HASH_XOF) {
            b->stream_len = 3 * b->block + 8;
            b->stream = allocate(b->stream_len);
            const uint32_t mask = celer_cpu_mask(0);
            struct celer_hash_ctx ctx;
            start(b, &ctx);
            celer_hash_update(&ctx, b->message, b->len);
            for (size_t i = 0; i < b->stream_len; i++)
                squeeze(&ctx, b->stream + i, 1);
            celer_cpu_mask(mask);
        }
    }
    return b;
}

static const uint8_t *expected(const struct battery *b, size_t n)
{
    return b->expected + n * b->out_len;
}

/* ---- official vectors ---- */

static void test_vectors(void **state)
{
    const struct vector_test *t = *state;
    row_enter(t->battery->hash->kernel, t->battery->row);
    vector_file_check(t->battery->hash, t->file);
}

/* A hash that nobody has checked against its standard fails here. */
static void test_has_vectors(void **state)
{
    const struct battery *b = *state;
    check(vector_file(b->hash, 0) != NULL, "%s has no official vectors", b->hash->name);
}

/* ---- lengths and splits ---- */

/* Wrong: tails that are no multiple of 8; one padding block too many or too few; a partial block taken for a
   full one. */
static void test_every_length(void **state)
{
    struct battery *b = enter(state);
    uint8_t *out = allocate(b->out_len);
    for (size_t n = 0; n <= b->len; n++) {
        digest(b, out, b->message, n);
        check_bytes(out, expected(b, n), b->out_len, "%zu bytes", n);
    }
    free(out);
}

/* Wrong: one class of lengths after a change of the length arithmetic; the loop over many blocks. */
static void test_long_messages(void **state)
{
    struct battery *b = enter(state);
    static const size_t blocks[] = {4, 7, 8, 9, 31, 130};
    const size_t most = (blocks[5] + 1) * b->block;
    uint8_t *in = allocate(most), *want = allocate(b->block * b->out_len), *out = allocate(b->out_len);
    rng_fill(&b->rng, in, most);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        const size_t base = blocks[i] * b->block;
        reference(b, want, in, base, base + b->block - 1);
        for (size_t r = i % one_in(); r < b->block; r += one_in()) {
            digest(b, out, in, base + r);
            check_bytes(out, want + r * b->out_len, b->out_len, "%zu bytes", base + r);
        }
    }
    free(in);
    free(want);
    free(out);
}

/* Wrong: of several updates shorter than a block, all but the first are lost. */
static void test_bytewise(void **state)
{
    struct battery *b = enter(state);
    uint8_t *out = allocate(b->out_len);
    struct celer_hash_ctx ctx, copy;
    start(b, &ctx);
    for (size_t n = 0; n <= b->len; n++) {
        copy = ctx;
        celer_hash_final(&copy, out);
        check_bytes(out, expected(b, n), b->out_len, "%zu updates of one byte", n);
        celer_hash_update(&ctx, NULL, 0);
        if (n < b->len)
            celer_hash_update(&ctx, b->message + n, 1);
    }
    free(out);
}

/* Wrong: an incremental absorb of a vector row, for some splits only, seen "sometimes". */
static void test_every_split(void **state)
{
    struct battery *b = enter(state);
    const size_t len = 3 * b->block, every = one_in();
    const size_t step = b->block > 256 && every == 1 ? 11 : every; /* long blocks would take minutes */
    uint8_t *out = allocate(b->out_len);
    struct celer_hash_ctx first, ctx;
    for (size_t i = 0; i <= len; i++) {
        start(b, &first);
        celer_hash_update(&first, b->message, i);
        for (size_t j = i; j <= len; j += step) {
            ctx = first;
            celer_hash_update(&ctx, b->message + i, j - i);
            celer_hash_update(&ctx, b->message + j, len - j);
            celer_hash_final(&ctx, out);
            check_bytes(out, expected(b, len), b->out_len, "split at %zu and %zu of %zu", i, j, len);
        }
    }
    free(out);
}

static void test_random_chunks(void **state)
{
    struct battery *b = enter(state);
    const size_t most = 20 * b->block;
    uint8_t *in = allocate(most), *want = allocate(b->out_len), *out = allocate(b->out_len);
    rng_fill(&b->rng, in, most);
    for (size_t round = 0; round < 300 / one_in(); round++) {
        const size_t len = rng_below(&b->rng, most + 1);
        reference(b, want, in, len, len);
        /* Mostly short pieces in one round, mostly long ones in another. */
        const size_t longest = 1 + rng_below(&b->rng, round % 3 == 0   ? 16
                                                      : round % 3 == 1 ? 2 * b->block
                                                                       : most);
        struct celer_hash_ctx ctx;
        start(b, &ctx);
        for (size_t at = 0, piece; at < len; at += piece) {
            piece = rng_below(&b->rng, longest + 1);
            piece = piece < len - at ? piece : len - at;
            celer_hash_update(&ctx, in + at, piece);
        }
        celer_hash_final(&ctx, out);
        check_bytes(out, want, b->out_len, "round %zu: %zu bytes in pieces of 0..%zu", round, len, longest);
    }
    free(in);
    free(want);
    free(out);
}

/* ---- output of XOFs ---- */

/* A context that has absorbed the whole message. */
static void start_stream(const struct battery *b, struct celer_hash_ctx *ctx)
{
    start(b, ctx);
    celer_hash_update(ctx, b->message, b->len);
}

/* Wrong: the last squeezed bytes, where the length is no multiple of 8 or of the block. */
static void test_every_output_length(void **state)
{
    struct battery *b = enter(state);
    uint8_t *out = allocate(b->stream_len);
    struct celer_hash_ctx ctx;
    for (size_t n = 1; n <= b->stream_len; n++) {
        struct celer_hash_opts opts = b->opts;
        opts.out_len = n;
        assert_int_equal(celer_hash_init(&ctx, b->hash, &opts), 0);
        celer_hash_update(&ctx, b->message, b->len);
        memset(out, 0xaa, b->stream_len);
        celer_hash_final(&ctx, out);
        check_bytes(out, b->stream, n, "final of %zu bytes", n);
        check(n == b->stream_len || out[n] == 0xaa, "final of %zu bytes wrote more", n);
    }
    free(out);
}

/* Wrong: squeezing 4 and 4 bytes is not what squeezing 8 is; a permutation too many after a whole block; a
   squeeze of 0 bytes that does not end the absorbing, or that skips output. */
static void test_squeezes(void **state)
{
    struct battery *b = enter(state);
    const size_t block = b->block, len = b->stream_len;
    uint8_t *out = allocate(len);
    struct celer_hash_ctx whole, ctx;
    start_stream(b, &whole);

    for (size_t i = 0; i <= len; i++) {
        ctx = whole;
        squeeze(&ctx, out, i);
        squeeze(&ctx, NULL, 0);
        squeeze(&ctx, out + i, len - i);
        check_bytes(out, b->stream, len, "squeeze of %zu, 0 and %zu bytes", i, len - i);
    }
    const size_t pieces[] = {1, 7, 8, 9, block - 1, block, block + 1, 2 * block};
    for (size_t p = 0; p < sizeof pieces / sizeof pieces[0]; p++) {
        ctx = whole;
        for (size_t at = 0, piece; at < len; at += piece) {
            piece = pieces[p] < len - at ? pieces[p] : len - at;
            squeeze(&ctx, out + at, 0);
            squeeze(&ctx, out + at, piece);
        }
        check_bytes(out, b->stream, len, "squeezes of %zu bytes", pieces[p]);
    }
    for (size_t round = 0; round < 300 / one_in(); round++) {
        const size_t longest = 1 + rng_below(&b->rng, round % 2 == 0 ? 16 : 2 * block);
        ctx = whole;
        for (size_t at = 0, piece; at < len; at += piece) {
            piece = rng_below(&b->rng, longest + 1);
            piece = piece < len - at ? piece : len - at;
            squeeze(&ctx, out + at, piece);
        }
        check_bytes(out, b->stream, len, "round %zu: squeezes of 0..%zu bytes", round, longest);
    }
    free(out);
}

/* Wrong: what is absorbed after the first output changes the output; a squeeze of 0 bytes is not taken for
   one. */
static void test_update_after_squeeze(void **state)
{
    struct battery *b = enter(state);
    const size_t len = b->stream_len;
    uint8_t *out = allocate(len);
    struct celer_hash_ctx ctx;
    for (size_t i = 0; i <= len; i++) {
        start_stream(b, &ctx);
        squeeze(&ctx, out, i);
        celer_hash_update(&ctx, b->message, 1 + i % b->len);
        squeeze(&ctx, out + i, len - i);
        check_bytes(out, b->stream, len, "update after a squeeze of %zu bytes", i);
    }
    free(out);
}

/* ---- where the bytes lie ---- */

/* Wrong: bytes read or written through pointers to wider types. */
static void test_offsets(void **state)
{
    struct battery *b = enter(state);
    const size_t lens[] = {1, b->block - 1, b->block, 2 * b->block + 5, b->len};
    uint8_t *in = allocate(b->len + 64), *out = allocate(b->out_len + 192);
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
        for (size_t offset = 0; offset < 64; offset++)
            for (size_t to = 64; to < 128; to += offset == 0 ? 1 : 63) { /* all outputs at input offset 0 */
                memcpy(in + offset, b->message, lens[i]);
                memset(out, 0xaa, b->out_len + 192);
                digest(b, out + to, in + offset, lens[i]);
                check_bytes(out + to, expected(b, lens[i]), b->out_len,
                            "%zu bytes, input at %zu, output at %zu", lens[i], offset, to - 64);
                for (size_t k = 0; k < b->out_len + 192; k++)
                    check((k >= to && k < to + b->out_len) || out[k] == 0xaa,
                          "byte %zu beside output at %zu written", k, to);
            }
    free(in);
    free(out);
}

/* Wrong: a vector load that reaches beyond the message, a store beyond the digest. */
static void test_guard_pages(void **state)
{
    struct battery *b = enter(state);
    struct guarded in = guarded_new(b->len), out = guarded_new(b->out_len);
    struct celer_hash_ctx ctx;
    for (size_t n = 0; n <= b->len; n++)
        for (size_t first = 0; first <= n;
             first += 1 + first * 7 / 3) { /* 0 1 4 14 47: so many bytes before */
            uint8_t *const places[] = {in.begin, in.end - (n - first)};
            for (size_t p = 0; p < 2; p++) {
                memcpy(places[p], b->message + first, n - first);
                uint8_t *const to = (n + p) % 2 == 0 ? out.begin : out.end - b->out_len;
                start(b, &ctx);
                celer_hash_update(&ctx, b->message, first);
                celer_hash_update(&ctx, places[p], n - first);
                celer_hash_final(&ctx, to);
                check_bytes(to, expected(b, n), b->out_len, "%zu + %zu bytes at the %s of a page", first,
                            n - first, p == 0 ? "start" : "end");
            }
        }
    guarded_free(in);
    guarded_free(out);
}

/* The same for squeezed output of every length, from every residue of a block. */
static void test_output_guard_pages(void **state)
{
    struct battery *b = enter(state);
    struct guarded out = guarded_new(b->stream_len);
    struct celer_hash_ctx whole, ctx;
    start_stream(b, &whole);
    for (size_t skip = 0; skip <= b->block + 1; skip += 1 + skip / 3) {
        struct celer_hash_ctx from = whole;
        squeeze(&from, out.begin, skip);
        for (size_t n = 0; n <= b->stream_len - skip; n++) {
            ctx = from;
            squeeze(&ctx, out.begin, n);
            check_bytes(out.begin, b->stream + skip, n, "%zu bytes of output after %zu", n, skip);
            ctx = from;
            squeeze(&ctx, out.end - n, n);
            check_bytes(out.end - n, b->stream + skip, n, "%zu bytes of output after %zu, at the end", n,
                        skip);
        }
    }
    guarded_free(out);
}

/* Wrong: the sum of a length and a position, in 32 or 64 bits, wraps to something small: the buffer in the
   context is written out of bounds, or bytes are skipped. Correct code goes on until it hits the page after
   the input or output, and there it must fault; the context ends at a guard page of its own. */
struct huge {
    const struct celer_hash *hash;
    void *ctx;
    uint8_t *at;
    size_t len;
};

static void huge_update(void *arg)
{
    const struct huge *h = arg;
    h->hash->update(h->ctx, h->at, h->len);
}

static void huge_squeeze(void *arg)
{
    const struct huge *h = arg;
    h->hash->squeeze(h->ctx, h->at, h->len);
}

static void test_huge_lengths(void **state)
{
    struct battery *b = enter(state);
    const struct celer_hash *hash = b->hash;
    struct guarded g = guarded_new(2 * b->block), contexts = guarded_new(hash->ctx_size);
    void *const ctx = contexts.end - hash->ctx_size;
    for (size_t left = b->block, next; left > 0; left = next) { /* at both ends, however many are left out */
        const size_t pos = b->block - left;
        next = left > one_in() ? left - one_in() : left > 1;
        const size_t lens[] = {
            SIZE_MAX,         SIZE_MAX - pos,       SIZE_MAX - pos + 1,     SIZE_MAX / 8,       UINT32_MAX,
            UINT32_MAX - pos, UINT32_MAX - pos + 1, (size_t)UINT32_MAX + 1, SIZE_MAX - b->block};
        for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
            if (lens[i] <= (size_t)(g.end - g.begin)) /* SIZE_MAX - 0 + 1, and where size_t has 32 bits */
                continue;
            for (int output = 0; output <= (hash->squeeze != NULL); output++) {
                hash->init(ctx, hash, &b->opts);
                if (output)
                    hash->squeeze(ctx, g.begin, pos);
                else
                    hash->update(ctx, b->message, pos);
                struct huge h = {hash, ctx, g.begin, lens[i]};
                const uint8_t *fault = fault_of(output ? huge_squeeze : huge_update, &h);
                check(fault != NULL && fault >= g.end && fault < g.end + 4096,
                      "%s of %zu bytes at position %zu: %s", output ? "squeeze" : "update", lens[i], pos,
                      fault == NULL ? "returned" : "left the buffer elsewhere than at its end");
            }
        }
    }
    guarded_free(g);
    guarded_free(contexts);
}

/* ---- contexts ---- */

/* Wrong: contexts that point into themselves or share state. */
static void test_clones(void **state)
{
    struct battery *b = enter(state);
    const size_t len = 3 * b->block;
    uint8_t *out = allocate(b->out_len);
    struct celer_hash_ctx *a = malloc(sizeof *a), *c = malloc(sizeof *c);
    assert_true(a != NULL && c != NULL);
    for (size_t i = 0; i <= len; i++) {
        start(b, a);
        celer_hash_update(a, b->message, i);
        memcpy(c, a, sizeof *c);
        /* The clone goes on to a longer message and ends first; the original must not notice. */
        celer_hash_update(c, b->message + i, b->len - i);
        celer_hash_final(c, out);
        check_bytes(out, expected(b, b->len), b->out_len, "clone after %zu bytes", i);
        celer_hash_update(a, b->message + i, len - i);
        memcpy(c, a, sizeof *c);
        memset(a, 0xaa, sizeof *a);
        celer_hash_final(c, out);
        check_bytes(out, expected(b, len), b->out_len, "clone whose original is gone, after %zu bytes", i);
    }
    free(a);
    free(c);
    free(out);
}

/* Wrong: a row that keeps the state in a form of its own between calls. */
static void test_change_of_rows(void **state)
{
    struct battery *b = enter(state);
    const struct celer_kernel *kernel = b->hash->kernel;
    const uint32_t here = row_needs(kernel, b->row);
    const size_t len = b->len;
    uint8_t *out = allocate(b->out_len), *stream = allocate(b->stream_len);
    struct celer_hash_ctx ctx;
    const char *name;
    for (size_t r = 0; (name = row_name(kernel, r)) != NULL; r++) {
        if (!row_usable(kernel, name))
            continue;
        const uint32_t there = row_needs(kernel, name);
        for (size_t i = 0; i <= len; i++) {
            celer_cpu_mask(there);
            start(b, &ctx);
            celer_hash_update(&ctx, b->message, i);
            celer_cpu_mask(here);
            celer_hash_update(&ctx, b->message + i, len - i);
            if (i % 2 == 0)
                celer_cpu_mask(there);
            celer_hash_final(&ctx, out);
            check_bytes(out, expected(b, len), b->out_len, "from %s to %s after %zu bytes", name, b->row, i);
        }
        for (size_t i = 0; b->stream != NULL && i <= b->stream_len; i++) {
            celer_cpu_mask(there);
            start_stream(b, &ctx);
            squeeze(&ctx, stream, i);
            celer_cpu_mask(here);
            squeeze(&ctx, stream + i, b->stream_len - i);
            check_bytes(stream, b->stream, b->stream_len, "from %s to %s after %zu bytes of output", name,
                        b->row, i);
        }
    }
    free(out);
    free(stream);
}

/* Wrong: a context of zeros has rate 0, and some loop never ends. */
static void test_dead_contexts(void **state)
{
    struct battery *b = enter(state);
    const size_t len = 1 << 20;
    uint8_t *in = allocate(len), *out = allocate(b->out_len);
    memset(in, 0xaa, len);
    struct celer_hash_ctx ctx, dead;
    memset(&dead, 0, sizeof dead);

    /* Never started. It knows no length, so final has nothing to write. */
    ctx = dead;
    celer_hash_update(&ctx, in, len);
    memset(out, 0xaa, b->out_len);
    celer_hash_final(&ctx, out);
    check(out[0] == 0xaa, "final of a context of zeros wrote something");
    assert_int_equal(celer_hash_squeeze(&ctx, out, b->out_len), CELER_EINVAL);
    check(all_zero(out, b->out_len), "squeeze of a context of zeros");

    /* Finished. */
    start(b, &ctx);
    celer_hash_update(&ctx, b->message, b->len);
    celer_hash_final(&ctx, out);
    celer_hash_update(&ctx, in, len);
    celer_hash_final(&ctx, out);
    check(all_zero(out, b->out_len), "second final");
    memset(out, 0xaa, b->out_len);
    assert_int_equal(celer_hash_squeeze(&ctx, out, b->out_len), CELER_EINVAL);
    check(all_zero(out, b->out_len), "squeeze after final");

    /* Wiped. */
    start(b, &ctx);
    celer_hash_update(&ctx, b->message, b->len);
    celer_hash_wipe(&ctx);
    check(all_zero(&ctx, sizeof ctx), "wipe left something");
    celer_hash_update(&ctx, in, len);
    check(all_zero(&ctx, sizeof ctx), "update of a wiped context");

    /* What the family's own functions do with a context of zeros. */
    for (int finished = 0; finished < 2; finished++) {
        if (finished) {
            b->hash->init(ctx.state.bytes, b->hash, &b->opts);
            b->hash->update(ctx.state.bytes, b->message, b->len);
            b->hash->final(ctx.state.bytes, out, b->out_len);
        } else
            ctx = dead;
        b->hash->update(ctx.state.bytes, in, len);
        check(all_zero(ctx.state.bytes, b->hash->ctx_size), "update of a dead context changed it");
        memset(out, 0xaa, b->out_len);
        b->hash->final(ctx.state.bytes, out, b->out_len);
        check(all_zero(out, b->out_len), "final of a dead context");
        if (b->hash->squeeze != NULL) {
            memset(in, 0xaa, len);
            b->hash->squeeze(ctx.state.bytes, in, len);
            check(all_zero(in, len), "squeeze of a dead context");
        }
        check(all_zero(ctx.state.bytes, b->hash->ctx_size), "a dead context came to life");
    }
    free(in);
    free(out);
}

/* Wrong: the end of the message, or the state that it can be computed from, stays in memory. */
static void test_wiping(void **state)
{
    struct battery *b = enter(state);
    uint8_t *out = allocate(b->out_len);
    struct celer_hash_ctx ctx;
    for (size_t n = 0; n <= b->len; n++) {
        start(b, &ctx);
        celer_hash_update(&ctx, b->message, n);
        celer_hash_final(&ctx, out);
        check(ctx.hash == NULL && all_zero(ctx.state.bytes, b->hash->ctx_size),
              "final left something of %zu bytes", n);

        b->hash->init(ctx.state.bytes, b->hash, &b->opts);
        b->hash->update(ctx.state.bytes, b->message, n);
        b->hash->final(ctx.state.bytes, out, b->out_len);
        check(all_zero(ctx.state.bytes, b->hash->ctx_size), "the family's final left something of %zu bytes",
              n);
    }
    free(out);
}

enum { SECRET = 32 };

struct stack_run {
    const struct battery *b;
    const uint8_t *in;
    size_t len, n; /* n: 0 in one context, else so many messages at once */
    struct celer_hash_ctx *ctx;
    uint8_t *out;
    int failed;
};

static void hash_on_stack(void *arg)
{
    struct stack_run *r = arg;
    struct celer_msg msgs[MANY];
    if (r->n == 0) {
        r->failed = celer_hash_init(r->ctx, r->b->hash, &r->b->opts);
        celer_hash_update(r->ctx, r->in, r->len / 2);
        celer_hash_update(r->ctx, r->in + r->len / 2, r->len - r->len / 2);
        celer_hash_final(r->ctx, r->out);
    } else {
        for (size_t i = 0; i < r->n; i++)
            msgs[i] = (struct celer_msg){r->in, r->len};
        r->failed = celer_hash_many(r->b->hash, &r->b->opts, r->out, msgs, r->n);
    }
}

/* Whether SECRET bytes in a row of `secret` are in memory. Any such row holds a whole piece of half as many bytes, of those
   that begin where that and one more divides: where one is found, its neighbours are looked at. */
static int is_in_memory(const uint8_t *memory, size_t size, const uint8_t *secret, size_t len)
{
    enum { PIECE = SECRET / 2 };
    const uint8_t *const end = memory + size;
    for (size_t i = 0; i + PIECE <= len; i += PIECE + 1)
        for (const uint8_t *at = memory; (at = memmem(at, (size_t)(end - at), secret + i, PIECE)) != NULL;
             at++) {
            size_t before = 0, after = PIECE;
            while (before < i && at - before > memory && at[-1 - (ptrdiff_t)before] == secret[i - 1 - before])
                before++;
            while (i + after < len && at + after < end && at[after] == secret[i + after])
                after++;
            if (before + after >= SECRET)
                return 1;
        }
    return 0;
}

/* Wrong: a padded last block on the stack that outlives the call. A thread hashes on a stack of ours, where
   then no 32 bytes of the message in a row may be. */
static void test_stack(void **state)
{
    struct battery *b = enter(state);
    if (!STACK_IS_PLAIN)
        skip();
    const size_t lens[] = {SECRET + 8, b->block - 1, b->block + SECRET + 8, b->len};
    uint8_t *out = allocate(9 * b->out_len);
    struct celer_hash_ctx ctx;
    for (size_t l = 0; l < sizeof lens / sizeof lens[0]; l++)
        for (size_t n = 0; n < 10; n += 1 + n) { /* 0 1 3 7 */
            struct guarded stack = guarded_new(STACK_SIZE);
            struct stack_run run = {b, b->message, lens[l], n, &ctx, out, 1};
            on_stack(stack, hash_on_stack, &run);
            assert_int_equal(run.failed, 0);
            check_bytes(out, expected(b, lens[l]), b->out_len, "%zu bytes in a thread", lens[l]);
            check(!is_in_memory(stack.begin, STACK_SIZE, b->message, lens[l]),
                  "%zu bytes, %zu at once: some of them are on the stack", lens[l], n);
            check(!is_in_memory(stack.begin, STACK_SIZE, b->key, b->opts.key_len),
                  "%zu bytes, %zu at once: the key is on the stack", lens[l], n);
            guarded_free(stack);
        }
    free(out);
}

/* ---- many at once ---- */

/* Hashes n messages of those lengths, each between guard pages, and compares with one at a time on the scalar
   row. */
static void check_many(struct battery *b, const struct guarded *in, struct guarded out, const size_t *lens,
                       size_t n, size_t out_len, const char *what)
{
    struct celer_msg msgs[MANY];
    struct celer_hash_opts opts = b->opts;
    struct celer_hash_ctx ctx;
    uint8_t *want = allocate(out_len);
    opts.out_len = out_len;
    for (size_t i = 0; i < n; i++) {
        uint8_t *at = i % 3 == 0 ? in[i].begin : in[i].end - lens[i];
        msgs[i] = (struct celer_msg){lens[i] == 0 && i % 2 == 0 ? NULL : at, lens[i]};
        rng_fill(&b->rng, at, lens[i]);
    }
    uint8_t *const to = n % 2 == 0 ? out.begin : out.end - n * out_len;
    memset(out.begin, 0xaa, (size_t)(out.end - out.begin));
    assert_int_equal(celer_hash_many(b->hash, &opts, to, msgs, n), 0);
    const uint32_t mask = celer_cpu_mask(0);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(celer_hash_init(&ctx, b->hash, &opts), 0);
        celer_hash_update(&ctx, msgs[i].data, msgs[i].len);
        celer_hash_final(&ctx, want);
        check_bytes(to + i * out_len, want, out_len, "%s: message %zu of %zu, %zu bytes, output of %zu", what,
                    i, n, lens[i], out_len);
    }
    celer_cpu_mask(mask);
    for (const uint8_t *p = out.begin; p < out.end; p++)
        check((p >= to && p < to + n * out_len) || *p == 0xaa, "%s: byte beside the outputs written", what);
    free(want);
}

/* Wrong: lanes that are mixed up or end at different times; fewer messages than lanes; a lane used again. */
static void test_many(void **state)
{
    struct battery *b = enter(state);
    const size_t longest = 5 * b->block + 9;
    const size_t out_most = b->stream != NULL ? 3 * b->block + 1 : b->out_len;
    struct guarded in[MANY], out = guarded_new(MANY * out_most);
    size_t lens[MANY];
    for (size_t i = 0; i < MANY; i++)
        in[i] = guarded_new(longest);

    for (size_t n = 0; n <= MANY; n++) {
        for (size_t i = 0; i < n; i++)
            lens[i] = rng_below(&b->rng, i % 4 == 0 ? longest + 1 : b->block + 9);
        check_many(b, in, out, lens, n, b->out_len, "ragged");
    }
    /* All alike, and at the edges of a block. */
    const size_t alike[] = {0,           1, b->block - 9, b->block - 8, b->block - 1, b->block, b->block + 1,
                            4 * b->block};
    for (size_t a = 0; a < sizeof alike / sizeof alike[0]; a++)
        for (size_t n = 1; n <= 17; n += n < 9 ? 1 : 8) {
            for (size_t i = 0; i < n; i++)
                lens[i] = alike[a];
            check_many(b, in, out, lens, n, b->out_len, "alike");
        }
    /* One long message among short ones, in each place: the others' lanes fall free long before. */
    for (size_t at = 0; at < 9; at++) {
        for (size_t i = 0; i < 9; i++)
            lens[i] = i == at ? longest : i;
        check_many(b, in, out, lens, 9, b->out_len, "one long");
    }
    if (b->stream != NULL) {
        const size_t outs[] = {1, 7, 8, 31, b->block - 1, b->block, b->block + 1, 2 * b->block, out_most};
        for (size_t o = 0; o < sizeof outs / sizeof outs[0]; o++)
            for (size_t n = 1; n <= 19; n += 3) {
                for (size_t i = 0; i < n; i++)
                    lens[i] = rng_below(&b->rng, longest + 1);
                check_many(b, in, out, lens, n, outs[o], "outputs");
            }
    }
    for (size_t i = 0; i < MANY; i++)
        guarded_free(in[i]);
    guarded_free(out);
}

void hash_template_add(struct suite *suite, const struct celer_hash *hash, const char *row)
{
    static const struct {
        const char *name;
        CMUnitTestFunction run;
        uint32_t flags; /* that a hash must have */
    } items[] = {
        {"has official vectors", test_has_vectors, 0},
        {"every length", test_every_length, 0},
        {"long messages", test_long_messages, 0},
        {"byte by byte", test_bytewise, 0},
        {"every split", test_every_split, 0},
        {"random pieces", test_random_chunks, 0},
        {"every output length", test_every_output_length, CELER_HASH_XOF},
        {"squeezes in pieces", test_squeezes, CELER_HASH_XOF},
        {"update after squeeze", test_update_after_squeeze, CELER_HASH_XOF},
        {"every offset", test_offsets, 0},
        {"guard pages", test_guard_pages, 0},
        {"guard pages round output", test_output_guard_pages, CELER_HASH_XOF},
        {"huge lengths", test_huge_lengths, 0},
        {"clones", test_clones, 0},
        {"change of rows", test_change_of_rows, 0},
        {"dead contexts", test_dead_contexts, 0},
        {"wiping", test_wiping, 0},
        {"stack", test_stack, 0},
        {"many", test_many, 0},
    };
    struct battery *b = calloc(1, sizeof *b);
    if (b == NULL)
        abort();
    b->hash = hash;
    b->row = row;
    b->next = batteries;
    batteries = b;
    for (size_t i = 0; vector_file(hash, i) != NULL; i++) {
        if (i == MOST_FILES)
            abort();
        b->vectors[i] = (struct vector_test){b, i};
        suite_add(suite, test_vectors, &b->vectors[i], "%s/%s: %s", hash->name, row, vector_file(hash, i));
    }
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        if ((hash->flags & items[i].flags) == items[i].flags)
            suite_add(suite, items[i].run, b, "%s/%s: %s", hash->name, row, items[i].name);
}
