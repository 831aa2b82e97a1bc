/* poly.h: the contract of ML-KEM's arithmetic on polynomials of 256 coefficients modulo q = 3329, FIPS 203 section 2.4.

   A polynomial is 256 numbers of 16 bits in the standard's order, and so is its NTT (pairs of coefficients in the order
   of the standard's algorithm 9). Between two calls there is no other form; what a backend shuffles it shuffles back.
   A number stands for its residue: "in (-q, q)" and the like say which representatives a function may get, and which
   it leaves. No pointer needs alignment; outputs do not overlap inputs unless they are the same argument.

   Nothing here branches on, indexes with, or divides a coefficient or a byte of input, but for `reject`, whose input
   is public.

   A new backend is a file poly_<isa>.c and one row in poly.c. */
#ifndef CELER_POLY_H
#define CELER_POLY_H
#include "cpu/cpu.h"

#define MLKEM_Q 3329
#define MLKEM_N 256

typedef int16_t poly[MLKEM_N];

struct poly_functions {
    /* p[i] = NTT(p[i]) for i < n (n >= 1), algorithm 9. In: (-q, q). Out: (-q, q). */
    void (*ntt)(poly *p, size_t n);

    /* p[i] = NTT^-1(p[i]) * 2^16 for i < n, algorithm 10 and the factor that `dot` left. In and out: (-q, q). */
    void (*inverse)(poly *p, size_t n);

    /* What `dot` wants to know of its second operand beyond that itself: such as the odd coefficients times the powers
       of zeta of algorithm 12. Only `dot` of the same row reads it. b[i] in (-q, q), i < n. */
    void (*prepare)(poly *cache, const poly *b, size_t n);

    /* r = 2^-16 * (a[0] o b[0] + .. + a[n-1] o b[n-1]), where o multiplies NTTs, algorithm 11; 1 <= n <= 4; cache as
       prepare made it of b. a: [0, q). b: (-q, q). r: (-q, q). */
    void (*dot)(int16_t *r, const poly *a, const poly *b, const poly *cache, size_t n);

    /* r = r * 2^16 + e: what `dot` gave is freed of its factor, and the noise added. In: (-q, q). Out: [0, q). */
    void (*plain_add)(int16_t *r, const int16_t *e);

    /* r = r + a, r = r - a, without reduction: of numbers below 2^14 in magnitude. */
    void (*add)(int16_t *r, const int16_t *a);
    void (*sub)(int16_t *r, const int16_t *a);

    /* Algorithm 8, for eta = 2 and 3: 128 and 192 bytes. Out: [-eta, eta]. */
    void (*cbd2)(int16_t *p, const uint8_t *in);
    void (*cbd3)(int16_t *p, const uint8_t *in);

    /* The loop of algorithm 7 on 168 bytes, a block of SHAKE128: those of their 112 numbers of 12 bits that are below q
       become p[have], p[have + 1] .., until p[255] is there. Returns how many p has now. Public data only. in is
       followed by 24 bytes that may be read. */
    size_t (*reject)(int16_t *p, size_t have, const uint8_t *in);

    /* Algorithm 5 with d = 12, to 384 bytes. In: (-q, q). */
    void (*encode12)(uint8_t *out, const int16_t *p);

    /* Algorithm 6 with d = 12, from 384 bytes: p in [0, q). Returns 0 when every number was below q, else 1: then p
       has their residues. */
    unsigned (*decode12)(int16_t *p, const uint8_t *in);

    /* Compress and encode to 32 d bytes; decode and decompress from them, section 4.2.1; d is 1, 4, 5, 10 or 11.
       compress in: [-3q, 3q]. decompress out: [0, q). */
    void (*compress)(uint8_t *out, const int16_t *p, unsigned d);
    void (*decompress)(int16_t *p, const uint8_t *in, unsigned d);
};

struct poly_backend {
    struct celer_backend row; /* of one polynomial after the other: ways is 1 */
    const struct poly_functions *functions;
};

extern const struct celer_kernel celer_poly_kernel_;

/* The functions of the row that works now. */
const struct poly_functions *celer_poly_(void);

/* gamma = zeta^(2 bitrev7(i) + 1), by which algorithm 11 multiplies in pair i < 128, times 2^16 modulo q: in
   (-q/2, q/2). The other powers of zeta are in zeta.h. */
extern const int16_t celer_poly_gammas_mont_[128];

extern const struct poly_functions celer_poly_scalar_;
#if CELER_X86
extern const struct poly_functions celer_poly_avx2_, celer_poly_avx512_;
#endif
#if CELER_ARM
extern const struct poly_functions celer_poly_neon_;
#endif
#endif
