/* test_mlkem_stack.c: how much stack a call of ML-KEM takes, and what it leaves there. With --print, a table of what
   each takes. */
#include "kem.h"

enum { BATCH = 9 };

enum operation {
    KEYGEN,
    ENCAPS,
    DECAPS,
    RANDOM_KEYGEN,
    RANDOM_ENCAPS,
    EK_CHECK,
    DK_CHECK,
    EK_OPEN,
    DK_OPEN,
    DK_OPEN_SEED,
    EK_ENCAPS,
    RANDOM_EK_ENCAPS,
    DK_DECAPS,
    KEYGEN_MANY,
    ENCAPS_MANY,
    DECAPS_MANY,
    OPERATIONS,
    NOTHING = OPERATIONS
};

static const char *const names[OPERATIONS] = {
    "keygen_seed",     "encaps_coins", "decaps",    "keygen",           "encaps",
    "ek_check",        "dk_check",     "ek_open",   "dk_open",          "dk_open_seed",
    "ek_encaps_coins", "ek_encaps",    "dk_decaps", "keygen_seed_many", "encaps_coins_many",
    "decaps_many"};

/* A call, and all that it works on, outside of the stack that is looked at. */
struct call {
    const struct celer_kem *kem;
    enum operation operation;
    struct kem_exchange x;
    union any_open_ek open_ek;
    union any_open_dk open_dk;
    uint8_t seeds[BATCH * CELER_MLKEM_SEED], coins[BATCH * CELER_MLKEM_COINS];
    uint8_t eks[BATCH * MOST_EK], dks[BATCH * MOST_DK], cts[BATCH * MOST_CT], sss[BATCH * CELER_MLKEM_SS];
    int error;
};

/* The linker puts this in the place of celer_random (CMakeLists.txt): it takes the stack of that, and gives what the call
   has as seed or coins, so that the secrets are known. */
static const struct call *drawing;
int __real_celer_random(void *out, size_t n);
int __wrap_celer_random(void *out, size_t n);

int __wrap_celer_random(void *out, size_t n)
{
    const int error = __real_celer_random(out, n);
    memcpy(out, n == sizeof drawing->x.seed ? drawing->x.seed : drawing->x.coins, n);
    return error;
}

/* What struct celer_kem has not. */
#define TYPED(n)                                                          \
  static int run_typed_##n(struct call *c)                                \
  {                                                                       \
    struct kem_exchange *const x = &c->x;                                 \
    switch (c->operation) {                                               \
    case RANDOM_KEYGEN:                                                   \
      return celer_mlkem##n##_keygen(x->ek, x->dk);                       \
    case RANDOM_ENCAPS:                                                   \
      return celer_mlkem##n##_encaps(x->ct, x->ss, x->ek);                \
    case RANDOM_EK_ENCAPS:                                                \
      return celer_mlkem##n##_ek_encaps(x->ct, x->ss, &c->open_ek.ek##n); \
    default:                                                              \
      celer_mlkem##n##_dk_open_seed(&c->open_dk.dk##n, x->seed);          \
      return 0;                                                           \
    }                                                                     \
  }
TYPED(512)
TYPED(768)
TYPED(1024)

static void run_call(void *arg)
{
    struct call *const c = arg;
    const struct celer_kem *const kem = c->kem;
    struct kem_exchange *const x = &c->x;
    c->error = 0;
    switch (c->operation) {
    case KEYGEN:
        kem->keygen(x->ek, x->dk, x->seed);
        break;
    case ENCAPS:
        c->error = kem->encaps(x->ct, x->ss, x->ek, x->coins);
        break;
    case DECAPS:
        c->error = kem->decaps(x->ss, x->ct, x->dk);
        break;
    case EK_CHECK:
        c->error = kem->ek_check(x->ek);
        break;
    case DK_CHECK:
        c->error = kem->dk_check(x->dk);
        break;
    case EK_OPEN:
        c->error = kem->ek_open(&c->open_ek, x->ek);
        break;
    case DK_OPEN:
        c->error = kem->dk_open(&c->open_dk, x->dk);
        break;
    case RANDOM_KEYGEN:
    case RANDOM_ENCAPS:
    case RANDOM_EK_ENCAPS:
    case DK_OPEN_SEED:
        c->error = kem_number(kem) == 512   ? run_typed_512(c)
                   : kem_number(kem) == 768 ? run_typed_768(c)
                                            : run_typed_1024(c);
        break;
    case EK_ENCAPS:
        kem->ek_encaps(x->ct, x->ss, &c->open_ek, x->coins);
        break;
    case DK_DECAPS:
        kem->dk_decaps(x->ss, x->ct, &c->open_dk);
        break;
    case KEYGEN_MANY:
        kem->keygen_many(c->eks, c->dks, c->seeds, BATCH);
        break;
    case ENCAPS_MANY:
        c->error = kem->encaps_many(c->cts, c->sss, c->eks, c->coins, BATCH);
        break;
    case DECAPS_MANY:
        c->error = kem->decaps_many(c->sss, c->cts, c->dks, BATCH);
        break;
    default:
        break;
    }
}

/* All operations can run; each has run, so that the choice of code is made. */
static struct call *new_call(const struct celer_kem *kem)
{
    struct call *const c = calloc(1, sizeof *c);
    struct rng rng = {1};
    assert_non_null(c);
    c->kem = kem;
    drawing = c;
    rng_fill(&rng, c->seeds, sizeof c->seeds);
    rng_fill(&rng, c->coins, sizeof c->coins);
    memcpy(c->x.seed, c->seeds, sizeof c->x.seed);
    memcpy(c->x.coins, c->coins, sizeof c->x.coins);
    for (c->operation = 0; c->operation < OPERATIONS; c->operation++) {
        run_call(c);
        assert_int_equal(c->error, 0);
    }
    return c;
}

/* A pattern, to see how far down a call wrote. */
static struct guarded painted_stack(void)
{
    const struct guarded stack = guarded_new(STACK_SIZE);
    memset(stack.begin, 0xa5, (size_t)(stack.end - stack.begin));
    return stack;
}

static size_t depth(struct guarded stack)
{
    const uint8_t *p = stack.begin;
    while (p < stack.end && *p == 0xa5)
        p++;
    return (size_t)(stack.end - p);
}

/* --- How much --- */

static size_t depth_of(struct call *c, enum operation operation)
{
    const struct guarded stack = painted_stack();
    c->operation = operation;
    on_stack(stack, run_call, c);
    const size_t n = depth(stack);
    guarded_free(stack);
    return n;
}

/* Beyond what a call of nothing takes. */
static size_t stack_of(struct call *c, enum operation operation)
{
    const size_t base = depth_of(c, NOTHING), n = depth_of(c, operation);
    return n > base ? n - base : 0;
}

/* What they may take, in KiB: of ML-KEM-512, 768 and 1024. docs/MLKEM.md says it too. */
#ifdef CELER_MLKEM_SMALL
static const size_t single[3] = {8, 8, 12}, from_seed[3] = {10, 12, 14}, many[3] = {8, 8, 12},
                    check_or_open = 4;
#else
static const size_t single[3] = {16, 20, 28}, from_seed[3] = {18, 24, 32}, many[3] = {36, 48, 64},
                    check_or_open = 8;
#endif

static size_t most_kib(enum operation operation, size_t set)
{
    switch (operation) {
    case EK_CHECK:
    case DK_CHECK:
    case EK_OPEN:
    case DK_OPEN:
        return check_or_open;
    case DK_OPEN_SEED:
        return from_seed[set];
    case KEYGEN_MANY:
    case ENCAPS_MANY:
    case DECAPS_MANY:
        return many[set];
    default:
        return single[set];
    }
}

static size_t column(const struct celer_kem *kem)
{
    size_t i = 0;
    while (celer_kem_at(i) != kem)
        i++;
    return i;
}

static void test_use(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    if (!STACK_IS_PLAIN)
        skip();
    struct call *const c = new_call(kem);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        const size_t most = 1024 * most_kib(i, column(kem)), n = stack_of(c, i);
        check(n <= most, "%s takes %zu bytes of stack, more than %zu", names[i], n, most);
        check(n >= 64, "%s takes %zu bytes of stack: that was no call", names[i], n);
    }
    free(c);
}

static void print_use(void **state)
{
    struct call *const c = new_call(kem_enter(state));
    for (unsigned i = 0; i < OPERATIONS; i++)
        print_message("%-18s %6zu\n", names[i], stack_of(c, i));
    free(c);
}

/* --- What is left --- */

/* Numbers that nobody may see but who computes them. */
struct secrets {
    const char *names[96];
    uint64_t words[96][4];
    size_t count;
    int16_t s[4][256]; /* and this, whatever residue stands for a coefficient */
};

static void add_secret(struct secrets *s, const char *name, const uint8_t bytes[32])
{
    assert_true(s->count < sizeof s->names / sizeof s->names[0]);
    s->names[s->count] = name;
    memcpy(s->words[s->count++], bytes, 32);
}

/* The first 32 bytes of PRF(key, n), FIPS 203 section 4.1. */
static void add_prf(struct secrets *s, const char *name, const uint8_t key[32], unsigned n)
{
    uint8_t in[33], out[32];
    memcpy(in, key, 32);
    in[32] = (uint8_t)n;
    celer_shake256(out, sizeof out, in, sizeof in);
    add_secret(s, name, out);
}

/* Of the exchange in a call; as named in FIPS 203. */
static void find_secrets(struct secrets *s, const struct call *c)
{
    const struct celer_kem *const kem = c->kem;
    const size_t k = (kem->ek_len - 32) / 384;
    uint8_t in[64], g[64], rejected[32];
    s->count = 0;
    add_secret(s, "d", c->x.seed);
    add_secret(s, "z", c->x.seed + 32);
    memcpy(in, c->x.seed, 32);
    in[32] = (uint8_t)k;
    celer_sha3_512(g, in, 33);
    add_secret(s, "sigma", g + 32);
    for (unsigned n = 0; n < 2 * k; n++)
        add_prf(s, "PRF(sigma)", g + 32, n);
    add_secret(s, "m", c->x.coins);
    memcpy(in, c->x.coins, 32);
    memcpy(in + 32, c->x.dk + kem->dk_len - 64, 32);
    celer_sha3_512(g, in, sizeof in);
    add_secret(s, "K", g);
    add_secret(s, "r", g + 32);
    for (unsigned n = 0; n < 2 * k + 1; n++)
        add_prf(s, "PRF(r)", g + 32, n);
    kem_rejected(kem, rejected, c->x.ct, c->x.dk);
    add_secret(s, "J(z, c)", rejected);
    for (size_t i = 0; i < 256 * k; i++)
        s->s[i / 256][i % 256] = (int16_t)kem_coefficient(c->x.dk, i);
    for (size_t i = 0; i < 384 * k; i += 32)
        add_secret(s, "s in 12 bits", c->x.dk + i);
}

static int same_residue(int16_t a, int16_t b)
{
    return (a - b) % 3329 == 0;
}

/* What lies on the stack, in words; "" if nothing does. Words of eight bytes are looked for at any address, in whatever
   order: hashes have them apart, in the lanes of vectors. */
static void find_left(char *what, size_t size, const struct secrets *s, size_t k, struct guarded stack)
{
    const uint8_t *const begin = stack.end - depth(stack);
    what[0] = '\0';
    for (const uint8_t *p = begin; p + 8 <= stack.end; p++) {
        uint64_t word;
        memcpy(&word, p, 8);
        for (size_t i = 0; i < s->count; i++)
            for (size_t w = 0; w < 4; w++)
                if (word == s->words[i][w])
                    snprintf(what, size, "word %zu of %s, %zu bytes down", w, s->names[i],
                             (size_t)(stack.end - p));
    }
    for (const uint8_t *p = begin; p + 16 <= stack.end; p += 2)
        for (size_t i = 0; i < 256 * k; i += 16) {
            int16_t at[8];
            size_t n = 0;
            memcpy(at, p, sizeof at);
            while (n < 8 && same_residue(at[n], s->s[i / 256][i % 256 + n]))
                n++;
            if (n == 8)
                snprintf(what, size, "coefficient %zu of s, %zu bytes down", i, (size_t)(stack.end - p));
        }
}

static void expect_none(struct call *c, const struct secrets *s, size_t k)
{
    char what[128];
    const struct guarded stack = painted_stack();
    on_stack(stack, run_call, c);
    assert_int_equal(c->error, 0);
    find_left(what, sizeof what, s, k, stack);
    guarded_free(stack);
    check(what[0] == '\0', "%s leaves %s", names[c->operation], what);
}

/* Wrong: a buffer that is not erased, on any way out; a hash function's state. */
static void test_left(void **state)
{
    const struct celer_kem *const kem = kem_enter(state);
    if (!STACK_IS_PLAIN)
        skip();
    struct secrets *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    struct call *const c = new_call(kem);
    find_secrets(s, c);
    for (c->operation = 0; c->operation < OPERATIONS; c->operation++)
        for (int forged = 0; forged < 2; forged++) {
            c->x.ct[3] ^= (uint8_t)forged;
            c->cts[3] ^= (uint8_t)forged;
            expect_none(c, s, (kem->ek_len - 32) / 384);
            c->x.ct[3] ^= (uint8_t)forged;
            c->cts[3] ^= (uint8_t)forged;
        }
    free(c);
    free(s);
}

int main(int argc, char **argv)
{
    struct suite suite = {NULL, 0};
    if (argc == 2 && strcmp(argv[1], "--print") == 0) {
        kem_suite_add(&suite, print_use, ALL_SETS, "bytes of stack");
        return suite_run(&suite, "mlkem stack") != 0;
    }
    kem_suite_add(&suite, test_use, ALL_SETS, "what calls take of the stack");
    kem_suite_add(&suite, test_left, ALL_SETS, "what calls leave on the stack");
    return suite_run(&suite, "mlkem stack") != 0;
}
