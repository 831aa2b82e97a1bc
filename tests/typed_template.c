/* typed_template.c: see typed_template.h. The list's row has passed the battery, so it is what all is
   compared with; the whole-message functions take ways of their own past it, and get the tests of memory that
   matter there. */
#include "typed_template.h"

enum { MOST_OUT = 512, MANY = 19 };

struct typed_test {
    const struct typed *typed;
    const struct celer_hash *hash;
    const char *row;
    size_t len; /* of message: three blocks and three bytes */
    uint8_t *message;
    struct typed_test *next;
};

static struct typed_test *typed_tests; /* they live as long as the program */

static struct typed_test *enter(void **state)
{
    struct typed_test *t = *state;
    assert_non_null(t->hash);
    row_enter(t->hash->kernel, t->row);
    if (t->message == NULL) {
        struct rng rng = {2};
        t->len = 3 * t->hash->block_len + 3;
        t->message = malloc(t->len);
        assert_non_null(t->message);
        rng_fill(&rng, t->message, t->len);
    }
    return t;
}

static void listed(const struct typed_test *t, uint8_t *out, size_t out_len, const void *in, size_t in_len)
{
    struct celer_hash_opts opts = {0};
    struct celer_hash_ctx ctx;
    if (t->typed->opts != NULL)
        opts = *t->typed->opts;
    opts.out_len = out_len;
    assert_int_equal(celer_hash_init(&ctx, t->hash, &opts), 0);
    celer_hash_update(&ctx, in, in_len);
    celer_hash_final(&ctx, out);
}

/* Output lengths to try: the one there is, or several. Index i; 0 past the last. */
static size_t out_len_at(const struct typed_test *t, size_t i)
{
    const size_t block = t->hash->block_len;
    const size_t lens[] = {t->hash->out_len, 1, 7, 8, block - 1, block, block + 1, 2 * block + 13, 0};
    return t->hash->flags & CELER_HASH_XOF ? lens[i] : i == 0 ? lens[0] : 0;
}

static void test_constants(void **state)
{
    struct typed_test *t = enter(state);
    assert_int_equal(t->typed->len_constant,
                     t->hash->flags & CELER_HASH_XOF ? t->hash->block_len : t->hash->out_len);
    assert_true(t->typed->ctx_size == t->hash->ctx_size);
}

static void test_oneshot(void **state)
{
    struct typed_test *t = enter(state);
    uint8_t want[MOST_OUT], out[MOST_OUT];
    for (size_t i = 0, len; (len = out_len_at(t, i)) != 0; i++)
        for (size_t n = 0; n <= t->len; n++) {
            listed(t, want, len, t->message, n);
            memset(out, 0xaa, sizeof out);
            t->typed->oneshot(out, len, n != 0 ? t->message : NULL, n);
            check_bytes(out, want, len, "%zu bytes, output of %zu", n, len);
            check(out[len] == 0xaa, "%zu bytes: more than %zu written", n, len);
        }
}

static void test_pieces(void **state)
{
    struct typed_test *t = enter(state);
    uint8_t want[MOST_OUT], out[MOST_OUT];
    void *ctx = malloc(t->typed->ctx_size); /* exactly: a sanitizer sees an access beyond */
    assert_non_null(ctx);
    for (size_t i = 0, len; (len = out_len_at(t, i)) != 0; i++) {
        listed(t, want, len, t->message, t->len);
        for (size_t n = 0; n <= t->len; n++) {
            t->typed->init(ctx);
            t->typed->update(ctx, t->message, n);
            t->typed->update(ctx, NULL, 0);
            t->typed->update(ctx, t->message + n, t->len - n);
            t->typed->end(ctx, out, len);
            check_bytes(out, want, len, "split at %zu, output of %zu", n, len);
        }
    }
    free(ctx);
}

/* Wrong: a first block of output written before the last of the input is read. */
static void test_output_over_input(void **state)
{
    struct typed_test *t = enter(state);
    const size_t block = t->hash->block_len, lens[] = {1, 31, block - 1, block, 2 * block + 5, t->len};
    uint8_t want[MOST_OUT], *memory = malloc(t->len + 2 * MOST_OUT);
    assert_non_null(memory);
    for (size_t i = 0, len; (len = out_len_at(t, i)) != 0; i++)
        for (size_t l = 0; l < sizeof lens / sizeof lens[0]; l++) {
            uint8_t *const in = memory + 64;
            listed(t, want, len, t->message, lens[l]);
            for (uint8_t *out = memory; out <= in + 64; out++) {
                memcpy(in, t->message, lens[l]);
                t->typed->oneshot(out, len, in, lens[l]);
                check_bytes(out, want, len, "%zu bytes, output of %zu at %td from the input", lens[l], len,
                            out - in);
            }
            /* Over the input's end, too. */
            uint8_t *const out = in + lens[l] - 1;
            memcpy(in, t->message, lens[l]);
            t->typed->oneshot(out, len, in, lens[l]);
            check_bytes(out, want, len, "%zu bytes, output of %zu at the last of them", lens[l], len);
        }
    free(memory);
}

/* Wrong: a last vector of input loaded whole; a state stored whole as the digest. */
static void test_guard_pages(void **state)
{
    struct typed_test *t = enter(state);
    struct guarded in = guarded_new(t->len), out = guarded_new(MOST_OUT);
    uint8_t want[MOST_OUT];
    for (size_t i = 0, len; (len = out_len_at(t, i)) != 0; i++)
        for (size_t n = 0; n <= t->len; n++) {
            listed(t, want, len, t->message, n);
            memcpy(in.begin, t->message, n);
            t->typed->oneshot(out.begin, len, in.begin, n);
            check_bytes(out.begin, want, len, "%zu bytes, output of %zu, at the start of a page", n, len);
            memcpy(in.end - n, t->message, n);
            t->typed->oneshot(out.end - len, len, in.end - n, n);
            check_bytes(out.end - len, want, len, "%zu bytes, output of %zu, at the end of a page", n, len);
        }
    guarded_free(in);
    guarded_free(out);
}

static void test_offsets(void **state)
{
    struct typed_test *t = enter(state);
    uint8_t want[MOST_OUT], out[MOST_OUT + 64], *in = malloc(t->len + 64);
    assert_non_null(in);
    listed(t, want, t->hash->out_len, t->message, t->len);
    for (size_t from = 0; from < 64; from++) {
        memcpy(in + from, t->message, t->len);
        for (size_t to = 0; to < 64; to++) {
            t->typed->oneshot(out + to, t->hash->out_len, in + from, t->len);
            check_bytes(out + to, want, t->hash->out_len, "input at %zu, output at %zu", from, to);
        }
    }
    free(in);
}

static void test_many(void **state)
{
    struct typed_test *t = enter(state);
    struct celer_msg msgs[MANY];
    struct rng rng = {3};
    uint8_t want[MOST_OUT], *out = malloc(MANY * MOST_OUT);
    assert_non_null(out);
    for (size_t i = 0, len; (len = out_len_at(t, i)) != 0; i++)
        for (size_t n = 0; n <= MANY; n++) {
            for (size_t m = 0; m < n; m++) { /* messages may share their bytes */
                const size_t msg_len = rng_below(&rng, t->len + 1);
                msgs[m] = (struct celer_msg){t->message + (t->len - msg_len), msg_len};
            }
            memset(out, 0xaa, MANY * MOST_OUT);
            t->typed->many(out, len, msgs, n);
            for (size_t m = 0; m < n; m++) {
                listed(t, want, len, msgs[m].data, msgs[m].len);
                check_bytes(out + m * len, want, len, "message %zu of %zu, output of %zu", m, n, len);
            }
            check(out[n * len] == 0xaa, "%zu messages: more than %zu bytes written", n, n * len);
        }
    free(out);
}

/* Zeroed, wiped, and for what has a final, finished: update and the end do nothing but write zeros. */
static void test_dead_contexts(void **state)
{
    struct typed_test *t = enter(state);
    const struct typed *f = t->typed;
    const size_t out_len = t->hash->out_len;
    const int has_final = !(t->hash->flags & CELER_HASH_XOF);
    uint8_t out[MOST_OUT], *ctx = calloc(1, f->ctx_size);
    assert_non_null(ctx);
    for (int how = 0; how < 2 + has_final; how++) {
        static const char *const names[] = {"zeroed", "wiped", "finished"};
        if (how > 0) {
            f->init(ctx);
            f->update(ctx, t->message, t->len);
            if (how == 1)
                f->wipe(ctx);
            else
                f->end(ctx, out, out_len);
        }
        check(all_zero(ctx, f->ctx_size), "%s: bytes are left", names[how]);
        f->update(ctx, t->message, t->len);
        memset(out, 0xaa, sizeof out);
        f->end(ctx, out, out_len);
        check(all_zero(out, out_len) && out[out_len] == 0xaa, "%s: the output", names[how]);
        check(all_zero(ctx, f->ctx_size), "%s: came to life", names[how]);
        f->wipe(ctx);
    }
    free(ctx);
}

void typed_template_add(struct suite *suite, const struct typed *typed)
{
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } items[] = {
        {"constants", test_constants},
        {"whole message", test_oneshot},
        {"pieces", test_pieces},
        {"output over input", test_output_over_input},
        {"guard pages", test_guard_pages},
        {"every offset", test_offsets},
        {"many", test_many},
        {"dead contexts", test_dead_contexts},
    };
    const struct celer_hash *hash = celer_hash_find(typed->name);
    const char *row = "";
    for (size_t r = 0; hash == NULL ? r == 0 : (row = row_name(hash->kernel, r)) != NULL; r++) {
        struct typed_test *t = calloc(1, sizeof *t);
        if (t == NULL)
            abort();
        *t = (struct typed_test){.typed = typed, .hash = hash, .row = row, .next = typed_tests};
        typed_tests = t;
        for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
            if (items[i].run != test_many || typed->many != NULL)
                suite_add(suite, items[i].run, t, "celer_%s/%s: %s", typed->name, row, items[i].name);
    }
}
