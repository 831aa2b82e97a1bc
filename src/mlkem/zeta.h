/* zeta.h: the powers of zeta = 17 as constant expressions, of which backends make tables in orders of their own. FIPS 203
   section 4.3 and appendix A. */
#ifndef CELER_ZETA_H
#define CELER_ZETA_H
#include "mlkem/poly.h"

enum {
    ZETA_1 = 17,
    ZETA_2 = ZETA_1 * ZETA_1 % MLKEM_Q,
    ZETA_4 = ZETA_2 * ZETA_2 % MLKEM_Q,
    ZETA_8 = ZETA_4 * ZETA_4 % MLKEM_Q,
    ZETA_16 = ZETA_8 * ZETA_8 % MLKEM_Q,
    ZETA_32 = ZETA_16 * ZETA_16 % MLKEM_Q,
    ZETA_64 = ZETA_32 * ZETA_32 % MLKEM_Q,
    ZETA_BACK_1 = 1175, /* 1 / 17 */
    ZETA_BACK_2 = ZETA_BACK_1 * ZETA_BACK_1 % MLKEM_Q,
    ZETA_BACK_4 = ZETA_BACK_2 * ZETA_BACK_2 % MLKEM_Q,
    ZETA_BACK_8 = ZETA_BACK_4 * ZETA_BACK_4 % MLKEM_Q,
    ZETA_BACK_16 = ZETA_BACK_8 * ZETA_BACK_8 % MLKEM_Q,
    ZETA_BACK_32 = ZETA_BACK_16 * ZETA_BACK_16 % MLKEM_Q,
    ZETA_BACK_64 = ZETA_BACK_32 * ZETA_BACK_32 % MLKEM_Q,
};

/* zeta^bitrev7(i), what algorithm 9 takes, and zeta^-bitrev7(i); in [0, q). Algorithm 10 takes for block b of n the
   power zeta^bitrev7(2n - 1 - b), which is -zeta^-bitrev7(n + b), as zeta^128 is -1. */
#define ZETA(i)      ZETA_PRODUCT(ZETA_, i)
#define ZETA_BACK(i) ZETA_PRODUCT(ZETA_BACK_, i)

#define ZETA_IF(i, bit, power) ((i)&1 << (bit) ? power : 1)
#define ZETA_LOW(base, i) \
  (ZETA_IF(i, 0, base##64) * ZETA_IF(i, 1, base##32) % MLKEM_Q * ZETA_IF(i, 2, base##16) % MLKEM_Q)
#define ZETA_HIGH(base, i)                                                                        \
  (ZETA_IF(i, 3, base##8) * ZETA_IF(i, 4, base##4) % MLKEM_Q * ZETA_IF(i, 5, base##2) % MLKEM_Q * \
   ZETA_IF(i, 6, base##1) % MLKEM_Q)
#define ZETA_PRODUCT(base, i) (ZETA_LOW(base, i) * ZETA_HIGH(base, i) % MLKEM_Q)

/* The number next to zero that is x modulo q, for x >= 0. */
#define CENTRED(x) (((x) + MLKEM_Q / 2) % MLKEM_Q - MLKEM_Q / 2)

/* x * 2^16 modulo q, next to zero, for 0 <= x < q: what a Montgomery multiplication by x takes. */
#define MONTGOMERY(x) CENTRED((x) * (65536 % MLKEM_Q) % MLKEM_Q)
#endif
