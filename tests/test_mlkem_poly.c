/* test_mlkem_poly.c: ML-KEM's arithmetic on every row, against the formulas of FIPS 203 as they stand there: with
   divisions, powers of 17 made here, and bits one by one. */
#include "support.h"
#include "mlkem/poly.h"
#include "mlkem/zeta.h"

enum { Q = 3329, N = 256, MOST = 5 };

/* The model --------------------------------------------------------------------------------------------------- */

static int mod_q(long long x)
{
    return (int)((x % Q + Q) % Q);
}

static int power(int base, unsigned exponent)
{
    int r = 1;
    while (exponent-- > 0)
        r = mod_q((long long)r * base);
    return r;
}

static unsigned bitrev7(unsigned i)
{
    unsigned r = 0;
    for (unsigned bit = 0; bit < 7; bit++)
        r |= (i >> bit & 1) << (6 - bit);
    return r;
}

/* Of zeta and R = 2^16; filled by main. */
static int zetas[128], gammas[128], r_plain, r_inverse;

static void model_init(void)
{
    for (unsigned i = 0; i < 128; i++) {
        zetas[i] = power(17, bitrev7(i));
        gammas[i] = power(17, 2 * bitrev7(i) + 1);
    }
    r_plain = 65536 % Q;
    r_inverse = power(r_plain, Q - 2);
}

/* Algorithms 9, 10 and 11, in and out of [0, q). */
static void model_ntt(int f[N])
{
    unsigned i = 1;
    for (unsigned len = 128; len >= 2; len /= 2)
        for (unsigned start = 0; start < N; start += 2 * len, i++)
            for (unsigned j = start; j < start + len; j++) {
                const int t = mod_q((long long)zetas[i] * f[j + len]);
                f[j + len] = mod_q(f[j] - t);
                f[j] = mod_q(f[j] + t);
            }
}

static void model_inverse(int f[N])
{
    unsigned i = 127;
    for (unsigned len = 2; len <= 128; len *= 2)
        for (unsigned start = 0; start < N; start += 2 * len, i--)
            for (unsigned j = start; j < start + len; j++) {
                const int t = f[j];
                f[j] = mod_q(t + f[j + len]);
                f[j + len] = mod_q((long long)zetas[i] * (f[j + len] - t));
            }
    for (unsigned j = 0; j < N; j++)
        f[j] = mod_q(f[j] * 3303LL);
}

static void model_multiply_add(int h[N], const int16_t *f, const int16_t *g)
{
    for (unsigned i = 0; i < N / 2; i++) {
        const long long f0 = f[2 * i], f1 = f[2 * i + 1], g0 = g[2 * i], g1 = g[2 * i + 1];
        h[2 * i] = mod_q(h[2 * i] + f0 * g0 + mod_q(f1 * g1) * (long long)gammas[i]);
        h[2 * i + 1] = mod_q(h[2 * i + 1] + f0 * g1 + f1 * g0);
    }
}

/* Section 4.2.1, halves rounded up. */
static unsigned model_compress(int x, unsigned d)
{
    return (((unsigned)mod_q(x) << (d + 1)) + Q) / (2 * Q) & ((1u << d) - 1);
}

static int model_decompress(unsigned y, unsigned d)
{
    return (int)((2 * y * Q + (1u << d)) >> (d + 1));
}

/* Algorithms 5 and 6. */
static void model_encode(uint8_t *out, const unsigned number[N], unsigned d)
{
    memset(out, 0, 32 * d);
    for (unsigned i = 0; i < N * d; i++)
        out[i / 8] = (uint8_t)(out[i / 8] | (number[i / d] >> i % d & 1) << i % 8);
}

static unsigned bit_of(const uint8_t *in, size_t i)
{
    return in[i / 8] >> i % 8 & 1;
}

/* The row under test ------------------------------------------------------------------------------------------ */

static const struct poly_functions *enter(void **state)
{
    const struct poly_backend *k = *state;
    if ((k->row.needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)
        skip();
    celer_cpu_mask(k->row.needs);
    return celer_poly_();
}

/* Wrong: another row than the one asked for, so that the tests of all rows test one. */
static void test_row_runs(void **state)
{
    const struct poly_backend *k = *state;
    const struct poly_functions *functions = enter(state);
    assert_ptr_equal(celer_kernel_choice(&celer_poly_kernel_, 1), &k->row);
    assert_ptr_equal(functions, k->functions);
}

/* Wrong: a row that has another row's functions. BMI2 does nothing for polynomials: its row is that of Keccak's code. */
static void test_functions(void **state)
{
    (void)state;
    const struct poly_backend *rows = celer_poly_kernel_.rows;
    for (size_t i = 0; i < celer_poly_kernel_.count; i++)
        for (size_t j = 0; j < i; j++)
            check(rows[i].functions != rows[j].functions ||
                      (strcmp(rows[j].row.name, "bmi2") == 0 && strcmp(rows[i].row.name, "scalar") == 0),
                  "%s and %s share their functions", rows[i].row.name, rows[j].row.name);
}

/* Memory for the arguments of one call: each ends at an unreadable page, or begins at an odd place behind one; what is
   not theirs is filled, and has to stay. */
enum { ARGUMENTS = 4, ROOM = MOST * N * 2 + 64, FILL = 0xa5 };

struct call {
    struct rng rng;
    struct guarded memory[ARGUMENTS];
    uint8_t *begin[ARGUMENTS];
    size_t size[ARGUMENTS];
};

static struct call call_new(uint64_t seed)
{
    struct call c = {{seed}, {{NULL, NULL}}, {NULL}, {0}};
    for (size_t i = 0; i < ARGUMENTS; i++)
        c.memory[i] = guarded_new(ROOM);
    return c;
}

static void call_free(struct call *c)
{
    for (size_t i = 0; i < ARGUMENTS; i++)
        guarded_free(c->memory[i]);
}

/* Argument i: `size` bytes. Coefficients lie at even addresses. */
static void *place(struct call *c, size_t i, size_t size, size_t alignment)
{
    struct guarded g = c->memory[i];
    memset(g.begin, FILL, (size_t)(g.end - g.begin));
    c->begin[i] =
        rng_below(&c->rng, 2) == 0 ? g.end - size : g.begin + alignment * (1 + 2 * rng_below(&c->rng, 8));
    c->size[i] = size;
    return c->begin[i];
}

static poly *place_polys(struct call *c, size_t i, size_t n)
{
    return place(c, i, n * sizeof(poly), 2);
}

/* Wrong: a function that writes beside an output. */
static void check_beside(const struct call *c, size_t i)
{
    const struct guarded g = c->memory[i];
    for (const uint8_t *p = g.begin; p < g.end; p++)
        if (p < c->begin[i] || p >= c->begin[i] + c->size[i])
            check(*p == FILL, "argument %zu: byte %td, of %zu bytes, was written", i, p - c->begin[i],
                  c->size[i]);
}

/* Coefficients from least to most: at random, only the ends, one of the ends everywhere, and signs by turns. */
enum { KINDS = 6 };

static void fill(struct rng *rng, int16_t *p, int least, int most, size_t kind)
{
    for (size_t i = 0; i < N; i++) {
        const int any = least + (int)rng_below(rng, (size_t)(most - least + 1));
        const int end = rng_below(rng, 2) == 0 ? least : most;
        const int of_kind[KINDS] = {
            any, end, least, most, i % 2 == 0 ? least : most, i / 2 % 2 == 0 ? most : least};
        p[i] = (int16_t)of_kind[kind];
    }
}

static void check_poly(const int16_t *p, const int expected[N], int least, int most, const char *what)
{
    for (size_t i = 0; i < N; i++) {
        check(p[i] >= least && p[i] <= most, "%s: coefficient %zu is %d", what, i, p[i]);
        check(mod_q(p[i]) == mod_q(expected[i]), "%s: coefficient %zu is %d, should be %d", what, i, p[i],
              mod_q(expected[i]));
    }
}

/* The tests --------------------------------------------------------------------------------------------------- */

/* Of zeta.h and poly.c, against section 4.3: gamma of pair 2i is zeta^bitrev7(64 + i), that of 2i + 1 its opposite. */
static void test_constants(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 128; i++) {
        const int gamma = CENTRED(ZETA(64 + i / 2));
        const int got[4] = {CENTRED(ZETA(i)), i % 2 == 0 ? gamma : -gamma, MONTGOMERY(ZETA(i)),
                            celer_poly_gammas_mont_[i]};
        const int expected[4] = {zetas[i], gammas[i], mod_q(zetas[i] * r_plain), mod_q(gammas[i] * r_plain)};
        for (size_t j = 0; j < 4; j++) {
            check(mod_q(got[j]) == expected[j], "table %zu, number %u", j, i);
            assert_in_range(got[j] + Q / 2, 0, Q - 1);
        }
    }
}

/* transform and its model on n polynomials side by side; the factor is what the contract says is left in. */
static void check_transform(struct call *c, void (*transform)(poly *, size_t), void (*model)(int *),
                            int factor, const char *what)
{
    for (size_t n = 1; n <= MOST; n++)
        for (size_t round = 0; round < 4 * KINDS; round++) {
            int expected[MOST][N];
            poly *p = place_polys(c, 0, n);
            for (size_t i = 0; i < n; i++) {
                fill(&c->rng, p[i], 1 - Q, Q - 1, (round + i) % KINDS);
                for (size_t j = 0; j < N; j++)
                    expected[i][j] = mod_q(p[i][j]);
                model(expected[i]);
                for (size_t j = 0; j < N; j++)
                    expected[i][j] = mod_q((long long)expected[i][j] * factor);
            }
            transform(p, n);
            for (size_t i = 0; i < n; i++)
                check_poly(p[i], expected[i], 1 - Q, Q - 1, what);
            check_beside(c, 0);
        }
}

static void test_ntt(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(1);
    check_transform(&c, f->ntt, model_ntt, 1, "ntt");
    check_transform(&c, f->inverse, model_inverse, r_plain, "inverse");
    call_free(&c);
}

/* Each coefficient by itself, at both ends of its range: a wrong constant shows where it is. */
static void test_ntt_units(void **state)
{
    const struct poly_functions *f = enter(state);
    poly p;
    for (size_t i = 0; i < N; i++)
        for (int value = 1 - Q; value < Q; value += Q - 1) {
            int forth[N] = {0}, back[N] = {0};
            forth[i] = back[i] = mod_q(value);
            model_ntt(forth);
            model_inverse(back);
            memset(p, 0, sizeof p);
            p[i] = (int16_t)value;
            f->ntt(&p, 1);
            check_poly(p, forth, 1 - Q, Q - 1, "ntt of a unit");
            memset(p, 0, sizeof p);
            p[i] = (int16_t)value;
            f->inverse(&p, 1);
            for (size_t j = 0; j < N; j++)
                back[j] = mod_q((long long)back[j] * r_plain);
            check_poly(p, back, 1 - Q, Q - 1, "inverse of a unit");
        }
}

/* There and back leaves the factor 2^16, and plain_add takes 2^-16 away. */
static void test_round_trip(void **state)
{
    const struct poly_functions *f = enter(state);
    struct rng rng = {2};
    for (size_t round = 0; round < 10 * KINDS; round++) {
        poly p;
        int expected[N];
        fill(&rng, p, 1 - Q, Q - 1, round % KINDS);
        for (size_t i = 0; i < N; i++)
            expected[i] = mod_q((long long)p[i] * r_plain);
        f->ntt(&p, 1);
        f->inverse(&p, 1);
        check_poly(p, expected, 1 - Q, Q - 1, "there and back");
    }
}

static void test_linear(void **state)
{
    const struct poly_functions *f = enter(state);
    struct rng rng = {3};
    for (size_t round = 0; round < 50; round++) {
        poly p[3];
        int sum[N];
        fill(&rng, p[0], -Q / 2, Q / 2, 0);
        fill(&rng, p[1], -Q / 2, Q / 2, 0);
        memcpy(p[2], p[0], sizeof p[2]);
        f->add(p[2], p[1]);
        f->ntt(p, 3);
        for (size_t i = 0; i < N; i++)
            sum[i] = p[0][i] + p[1][i];
        check_poly(p[2], sum, 1 - Q, Q - 1, "ntt of a sum");
    }
}

static void test_dot(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(4);
    for (size_t n = 1; n <= 4; n++)
        for (size_t round = 0; round < 4 * KINDS * KINDS; round++) {
            int expected[N] = {0};
            poly *r = place_polys(&c, 0, 1), *a = place_polys(&c, 1, n);
            poly *b = place_polys(&c, 2, n), *cache = place_polys(&c, 3, n);
            for (size_t i = 0; i < n; i++) {
                fill(&c.rng, a[i], 0, Q - 1, round % KINDS);
                fill(&c.rng, b[i], 1 - Q, Q - 1, round / KINDS % KINDS);
                model_multiply_add(expected, a[i], b[i]);
            }
            for (size_t i = 0; i < N; i++)
                expected[i] = mod_q((long long)expected[i] * r_inverse);
            f->prepare(cache, (const poly *)b, n);
            f->dot(r[0], (const poly *)a, (const poly *)b, (const poly *)cache, n);
            check_poly(r[0], expected, 1 - Q, Q - 1, "dot");
            for (size_t i = 0; i < ARGUMENTS; i++)
                check_beside(&c, i);
        }
    call_free(&c);
}

/* x^i x^j = x^(i+j), and x^256 = -1: the NTT, its product and its inverse together multiply polynomials. */
static void test_monomials(void **state)
{
    const struct poly_functions *f = enter(state);
    for (size_t j = 0; j < N; j = 2 * j + 1) /* 0, 1, 3 .. 255 */
        for (size_t i = 0; i < N; i++) {
            poly a = {0}, b = {0}, cache, r;
            int expected[N] = {0};
            a[i] = b[j] = 1;
            f->ntt(&a, 1);
            f->ntt(&b, 1);
            for (size_t k = 0; k < N; k++)
                a[k] = (int16_t)mod_q(a[k]);
            f->prepare(&cache, (const poly *)&b, 1);
            f->dot(r, (const poly *)&a, (const poly *)&b, (const poly *)&cache, 1);
            f->inverse(&r, 1);
            expected[(i + j) % N] = i + j < N ? 1 : -1;
            check_poly(r, expected, 1 - Q, Q - 1, "a product of monomials");
        }
}

/* The schoolbook's product of polynomials. */
static void test_product(void **state)
{
    const struct poly_functions *f = enter(state);
    struct rng rng = {5};
    for (size_t round = 0; round < 2 * KINDS; round++) {
        poly a, b, cache, r;
        int expected[N];
        long long sum[N] = {0};
        fill(&rng, a, 1 - Q, Q - 1, round % KINDS);
        fill(&rng, b, 1 - Q, Q - 1, round / 2);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                sum[(i + j) % N] += (i + j < N ? 1 : -1) * a[i] * b[j];
        for (size_t i = 0; i < N; i++)
            expected[i] = mod_q(sum[i]);
        f->ntt(&a, 1);
        f->ntt(&b, 1);
        for (size_t i = 0; i < N; i++)
            a[i] = (int16_t)mod_q(a[i]);
        f->prepare(&cache, (const poly *)&b, 1);
        f->dot(r, (const poly *)&a, (const poly *)&b, (const poly *)&cache, 1);
        f->inverse(&r, 1);
        check_poly(r, expected, 1 - Q, Q - 1, "a product");
    }
}

/* Every r and every e, not every pair of them. */
static void test_plain_add(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(6);
    const int span = 2 * Q - 1;
    for (int round = 0; round < span; round++) {
        int expected[N];
        poly *r = place_polys(&c, 0, 1), *e = place_polys(&c, 1, 1);
        fill(&c.rng, e[0], 1 - Q, Q - 1, (size_t)round % KINDS);
        for (int i = 0; i < N; i++) {
            r[0][i] = (int16_t)((round + i) % span - (Q - 1));
            expected[i] = mod_q((long long)r[0][i] * r_plain + e[0][i]);
        }
        f->plain_add(r[0], e[0]);
        check_poly(r[0], expected, 0, Q - 1, "plain_add");
        check_beside(&c, 0);
    }
    call_free(&c);
}

static void test_add(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(7);
    for (size_t round = 0; round < KINDS * KINDS; round++) {
        poly before;
        poly *r = place_polys(&c, 0, 1), *a = place_polys(&c, 1, 1);
        fill(&c.rng, r[0], -16383, 16383, round % KINDS);
        fill(&c.rng, a[0], -16383, 16383, round / KINDS);
        memcpy(before, r[0], sizeof before);
        f->add(r[0], a[0]);
        for (size_t i = 0; i < N; i++)
            check(r[0][i] == before[i] + a[0][i], "coefficient %zu of a sum", i);
        memcpy(r[0], before, sizeof before);
        f->sub(r[0], a[0]);
        for (size_t i = 0; i < N; i++)
            check(r[0][i] == before[i] - a[0][i], "coefficient %zu of a difference", i);
        check_beside(&c, 0);
        check_beside(&c, 1);
    }
    call_free(&c);
}

/* Algorithm 8, on input in which every 16 bits that begin at an even byte, and at an odd one, come by. */
static void check_cbd(struct call *c, void (*cbd)(int16_t *, const uint8_t *), unsigned eta)
{
    const size_t size = 64 * eta;
    for (unsigned value = 0; value < 1 << 16;) {
        poly *p = place_polys(c, 0, 1);
        uint8_t *in = place(c, 1, size, 1);
        rng_fill(&c->rng, in, size);
        for (size_t i = value & 1; i + 1 < size; i += 3, value++) {
            in[i] = (uint8_t)value;
            in[i + 1] = (uint8_t)(value >> 8);
        }
        cbd(p[0], in);
        for (size_t i = 0; i < N; i++) {
            int expected = 0;
            for (size_t j = 0; j < eta; j++)
                expected += (int)bit_of(in, 2 * i * eta + j) - (int)bit_of(in, 2 * i * eta + eta + j);
            check(p[0][i] == expected, "cbd%u: coefficient %zu is %d, should be %d", eta, i, p[0][i],
                  expected);
        }
        check_beside(c, 0);
        check_beside(c, 1);
    }
}

static void test_cbd(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(8);
    check_cbd(&c, f->cbd2, 2);
    check_cbd(&c, f->cbd3, 3);
    /* Every byte at every place. */
    for (unsigned value = 0; value < 256; value++) {
        uint8_t in[192];
        poly two, three;
        for (unsigned i = 0; i < sizeof in; i++)
            in[i] = (uint8_t)(value + i);
        f->cbd2(two, in);
        f->cbd3(three, in);
        for (size_t i = 0; i < N; i++) {
            int sum2 = 0, sum3 = 0;
            for (size_t j = 0; j < 2; j++)
                sum2 += (int)bit_of(in, 4 * i + j) - (int)bit_of(in, 4 * i + 2 + j);
            for (size_t j = 0; j < 3; j++)
                sum3 += (int)bit_of(in, 6 * i + j) - (int)bit_of(in, 6 * i + 3 + j);
            check(two[i] == sum2 && three[i] == sum3, "coefficient %zu", i);
        }
    }
    call_free(&c);
}

enum { NUMBERS = 112, BLOCK = 168, BEYOND = 24 };

/* One block of those numbers, begun with `have` coefficients. */
static void check_reject(struct call *c, const struct poly_functions *f, const unsigned number[NUMBERS],
                         size_t have)
{
    poly expected;
    poly *p = place_polys(c, 0, 1);
    uint8_t *in = place(c, 1, BLOCK + BEYOND, 1);
    rng_fill(&c->rng, in + BLOCK, BEYOND);
    fill(&c->rng, p[0], INT16_MIN, INT16_MAX, 0);
    memcpy(expected, p[0], sizeof expected);
    size_t n = have;
    for (size_t i = 0; i < NUMBERS; i += 2) {
        in[i / 2 * 3] = (uint8_t)number[i];
        in[i / 2 * 3 + 1] = (uint8_t)(number[i] >> 8 | number[i + 1] << 4);
        in[i / 2 * 3 + 2] = (uint8_t)(number[i + 1] >> 4);
    }
    for (size_t i = 0; i < NUMBERS && n < N; i++)
        if (number[i] < Q)
            expected[n++] = (int16_t)number[i];
    assert_int_equal(f->reject(p[0], have, in), n);
    check_bytes(p[0], expected, n * sizeof expected[0], "%zu there, %zu after", have, n);
    check_beside(c, 0);
}

static void test_reject(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(9);
    unsigned number[NUMBERS];
    /* Every number at every place, with every count: the second by turns so that bad ones come in runs too. */
    for (unsigned round = 0; round < 4096; round++) {
        for (unsigned i = 0; i < NUMBERS; i++)
            number[i] = (round + i * (round % 3 == 0 ? 1 : 1093)) & 4095;
        check_reject(&c, f, number, round % N);
    }
    /* As they come; few; the last ones; at the bound. */
    for (size_t have = 0; have < N; have++) {
        for (unsigned kind = 0; kind < 7; kind++) {
            for (unsigned i = 0; i < NUMBERS; i++) {
                const unsigned any = (unsigned)rng_below(&c.rng, 4096), good = any % Q,
                               bad = Q + any % (4096 - Q);
                const unsigned of_kind[] = {any,
                                            good,
                                            bad,
                                            Q - 1 + any % 2,
                                            any < 64 ? good : bad,
                                            i % 2 ? good : bad,
                                            i < NUMBERS - 4 ? bad : good};
                number[i] = of_kind[kind];
            }
            check_reject(&c, f, number, have);
        }
    }
    call_free(&c);
}

static void test_encode12(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(10);
    const int span = 2 * Q - 1;
    for (int round = 0; round < span; round++) { /* every representative at every place */
        uint8_t expected[384];
        unsigned number[N];
        uint8_t *out = place(&c, 0, sizeof expected, 1);
        poly *p = place_polys(&c, 1, 1);
        for (int i = 0; i < N; i++) {
            p[0][i] = (int16_t)((round + i * (round % 2 == 0 ? 1 : Q)) % span - (Q - 1));
            number[i] = (unsigned)mod_q(p[0][i]);
        }
        model_encode(expected, number, 12);
        f->encode12(out, p[0]);
        check_bytes(out, expected, sizeof expected, "encode12");
        check_beside(&c, 0);
        check_beside(&c, 1);
    }
    call_free(&c);
}

static void check_decode12(struct call *c, const struct poly_functions *f, const unsigned number[N])
{
    uint8_t *in = place(c, 0, 384, 1);
    poly *p = place_polys(c, 1, 1);
    unsigned bad = 0;
    model_encode(in, number, 12);
    const unsigned got = f->decode12(p[0], in);
    for (size_t i = 0; i < N; i++) {
        check(p[0][i] == (int)(number[i] % Q), "decode12: coefficient %zu is %d, of %u", i, p[0][i],
              number[i]);
        bad |= number[i] >= Q;
    }
    check(got == bad, "decode12: says %u, should say %u", got, bad);
    check_beside(c, 1);
}

static void test_decode12(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(11);
    unsigned number[N];
    for (unsigned round = 0; round < 4096; round++) { /* every number at every place */
        for (unsigned i = 0; i < N; i++)
            number[i] = (round + i) & 4095;
        check_decode12(&c, f, number);
    }
    for (unsigned round = 0; round < Q; round++) { /* the good ones among themselves */
        for (unsigned i = 0; i < N; i++)
            number[i] = (round + i) % Q;
        check_decode12(&c, f, number);
    }
    call_free(&c);
}

/* Wrong: a bad number that goes unnoticed in one place. */
static void test_decode12_alone(void **state)
{
    const struct poly_functions *f = enter(state);
    struct rng rng = {12};
    uint8_t good[384], in[384];
    unsigned number[N];
    poly p;
    for (size_t i = 0; i < N; i++)
        number[i] = i % 3 == 0 ? Q - 1 : (unsigned)rng_below(&rng, Q);
    model_encode(good, number, 12);
    assert_int_equal(f->decode12(p, good), 0);
    for (size_t i = 0; i < N; i++)
        for (unsigned value = Q - 1; value < 4096; value++) {
            uint8_t *const two = in + i / 2 * 3;
            memcpy(in, good, sizeof in);
            if (i % 2 == 0) {
                two[0] = (uint8_t)value;
                two[1] = (uint8_t)((two[1] & 0xf0) | value >> 8);
            } else {
                two[1] = (uint8_t)((two[1] & 0x0f) | value << 4);
                two[2] = (uint8_t)(value >> 4);
            }
            check(f->decode12(p, in) == (value >= Q), "%u at %zu", value, i);
            assert_int_equal(p[i], value % Q);
        }
}

static const unsigned widths[] = {1, 4, 5, 10, 11};

/* Every representative; each in many places. */
static void test_compress(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(13);
    const int span = 6 * Q + 1;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const unsigned d = widths[w];
        for (int round = 0; round < span; round += 7) {
            uint8_t expected[352];
            unsigned number[N];
            uint8_t *out = place(&c, 0, 32 * d, 1);
            poly *p = place_polys(&c, 1, 1);
            for (int i = 0; i < N; i++) {
                p[0][i] = (int16_t)((round + i) % span - 3 * Q);
                number[i] = model_compress(p[0][i], d);
            }
            model_encode(expected, number, d);
            f->compress(out, p[0], d);
            check_bytes(out, expected, 32 * d, "compress to %u bits, from %d", d, p[0][0]);
            check_beside(&c, 0);
            check_beside(&c, 1);
        }
    }
    call_free(&c);
}

static void test_decompress(void **state)
{
    const struct poly_functions *f = enter(state);
    struct call c = call_new(14);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const unsigned d = widths[w];
        for (unsigned round = 0; round < 1u << d; round++) { /* every number at every place */
            unsigned number[N];
            int expected[N];
            poly *p = place_polys(&c, 0, 1);
            uint8_t *in = place(&c, 1, 32 * d, 1);
            for (unsigned i = 0; i < N; i++) {
                number[i] = (round + i) & ((1u << d) - 1);
                expected[i] = model_decompress(number[i], d);
            }
            model_encode(in, number, d);
            f->decompress(p[0], in, d);
            check_poly(p[0], expected, 0, Q - 1, "decompress");
            check_beside(&c, 0);
            check_beside(&c, 1);
        }
        for (unsigned round = 0; round < 100; round++) { /* and in any order */
            poly p;
            uint8_t in[352];
            rng_fill(&c.rng, in, sizeof in);
            f->decompress(p, in, d);
            for (size_t i = 0; i < N; i++) {
                unsigned number = 0;
                for (unsigned bit = 0; bit < d; bit++)
                    number |= bit_of(in, i * d + bit) << bit;
                check(p[i] == model_decompress(number, d), "coefficient %zu of %u bits", i, d);
            }
        }
    }
    call_free(&c);
}

int main(void)
{
    static const struct {
        CMUnitTestFunction run;
        const char *name;
    } tests[] = {
        {test_row_runs, "is what runs"},
        {test_ntt, "ntt, inverse"},
        {test_ntt_units, "ntt, inverse: units"},
        {test_round_trip, "ntt, inverse: there and back"},
        {test_linear, "ntt: sums"},
        {test_dot, "prepare, dot"},
        {test_monomials, "products of monomials"},
        {test_product, "products"},
        {test_plain_add, "plain_add"},
        {test_add, "add, sub"},
        {test_cbd, "cbd2, cbd3"},
        {test_reject, "reject"},
        {test_encode12, "encode12"},
        {test_decode12, "decode12"},
        {test_decode12_alone, "decode12: one bad number"},
        {test_compress, "compress"},
        {test_decompress, "decompress"},
    };
    struct suite suite = {NULL, 0};
    model_init();
    suite_add(&suite, test_constants, NULL, "constants");
    suite_add(&suite, test_functions, NULL, "each row has functions of its own");
    const struct poly_backend *rows = celer_poly_kernel_.rows;
    for (size_t i = 0; i < celer_poly_kernel_.count; i++)
        for (size_t j = 0; j < sizeof tests / sizeof tests[0]; j++)
            suite_add(&suite, tests[j].run, (void *)(uintptr_t)&rows[i], "%s: %s", rows[i].row.name,
                      tests[j].name);
    return suite_run(&suite, "mlkem poly") != 0;
}
