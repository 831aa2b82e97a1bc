/* keccak_arm.h: a round of Keccak-p[1600] for AArch64, whose 32 vector registers hold 25 lanes, five values of theta
   and two more. Every lane is written to the register of a lane already read, so that the next round finds each where
   this one did, and nothing is copied.

   A round works on variables whose names begin with a letter t: t0 .. t24 are the lanes, and those of KECCAK_SCRATCH.
   For that letter there are

       XOR_t(a, b)             a ^ b
       XOR3_t(a, b, c)         a ^ b ^ c
       RAX1_t(a, b)            a ^ (b rotated left by 1)
       XAR_t(to, from, d, n)   to = (from ^ d) rotated left by n, 1 <= n <= 63
       CHI_t(a, b, c)          a ^ (~b & c)
       SET_t(c)                lane c in every state

   A round is the steps 0 to 9 in that order. They are ten so that rounds on different kinds of registers may be
   interleaved. */
#ifndef CELER_KECCAK_ARM_H
#define CELER_KECCAK_ARM_H

/* M(t, 0) M(t, 1) ... M(t, 24) */
/* clang-format off */
#define KECCAK_LANES(M, t)                                                                        \
  M(t, 0) M(t, 1) M(t, 2) M(t, 3) M(t, 4) M(t, 5) M(t, 6) M(t, 7) M(t, 8) M(t, 9)                 \
  M(t, 10) M(t, 11) M(t, 12) M(t, 13) M(t, 14) M(t, 15) M(t, 16) M(t, 17) M(t, 18) M(t, 19)       \
  M(t, 20) M(t, 21) M(t, 22) M(t, 23) M(t, 24)
/* clang-format on */

#define KECCAK_SCRATCH(type, t) \
  type t##c0, t##c1, t##c2, t##c3, t##c4, t##d0, t##d1, t##d2, t##d3, t##d4, t##x, t##y

/* Theta, FIPS 202 section 3.2.1: c, the parities of the columns; d, what the lanes of each column get. */
#define KECCAK_COLUMN(t, c, i0, i1, i2, i3, i4) t##c = XOR3_##t(XOR3_##t(t##i0, t##i1, t##i2), t##i3, t##i4)
#define KECCAK_STEP_0(t)                  \
  KECCAK_COLUMN(t, c0, 0, 5, 10, 15, 20); \
  KECCAK_COLUMN(t, c1, 1, 6, 11, 16, 21); \
  KECCAK_COLUMN(t, c2, 2, 7, 12, 17, 22); \
  KECCAK_COLUMN(t, c3, 3, 8, 13, 18, 23); \
  KECCAK_COLUMN(t, c4, 4, 9, 14, 19, 24)
#define KECCAK_STEP_1(t)          \
  t##d0 = RAX1_##t(t##c4, t##c1); \
  t##d2 = RAX1_##t(t##c1, t##c3); \
  t##d4 = RAX1_##t(t##c3, t##c0); \
  t##d1 = RAX1_##t(t##c0, t##c2); \
  t##d3 = RAX1_##t(t##c2, t##c4)

/* Rho and pi, sections 3.2.2 and 3.2.3: lane 0 stays, the others follow pi round its cycle. */
#define KECCAK_STEP_2(t)          \
  t##0 = XOR_##t(t##0, t##d0);    \
  XAR_##t(t##x, t##1, t##d1, 1);  \
  XAR_##t(t##1, t##6, t##d1, 44); \
  XAR_##t(t##6, t##9, t##d4, 20); \
  XAR_##t(t##9, t##22, t##d2, 61)
#define KECCAK_STEP_3(t)            \
  XAR_##t(t##22, t##14, t##d4, 39); \
  XAR_##t(t##14, t##20, t##d0, 18); \
  XAR_##t(t##20, t##2, t##d2, 62);  \
  XAR_##t(t##2, t##12, t##d2, 43);  \
  XAR_##t(t##12, t##13, t##d3, 25)
#define KECCAK_STEP_4(t)            \
  XAR_##t(t##13, t##19, t##d4, 8);  \
  XAR_##t(t##19, t##23, t##d3, 56); \
  XAR_##t(t##23, t##15, t##d0, 41); \
  XAR_##t(t##15, t##4, t##d4, 27);  \
  XAR_##t(t##4, t##24, t##d4, 14)
#define KECCAK_STEP_5(t)           \
  XAR_##t(t##24, t##21, t##d1, 2); \
  XAR_##t(t##21, t##8, t##d3, 55); \
  XAR_##t(t##8, t##16, t##d1, 45); \
  XAR_##t(t##16, t##5, t##d0, 36); \
  XAR_##t(t##5, t##3, t##d3, 28)
#define KECCAK_STEP_6(t)            \
  XAR_##t(t##3, t##18, t##d3, 21);  \
  XAR_##t(t##18, t##17, t##d2, 15); \
  XAR_##t(t##17, t##11, t##d1, 10); \
  XAR_##t(t##11, t##7, t##d2, 6);   \
  XAR_##t(t##7, t##10, t##d0, 3);   \
  t##10 = t##x

/* Chi and iota, sections 3.2.4 and 3.2.5. */
#define KECCAK_ROW(t, i0, i1, i2, i3, i4) \
  t##x = t##i0;                           \
  t##y = t##i1;                           \
  t##i0 = CHI_##t(t##i0, t##i1, t##i2);   \
  t##i1 = CHI_##t(t##i1, t##i2, t##i3);   \
  t##i2 = CHI_##t(t##i2, t##i3, t##i4);   \
  t##i3 = CHI_##t(t##i3, t##i4, t##x);    \
  t##i4 = CHI_##t(t##i4, t##x, t##y)
#define KECCAK_STEP_7(t)        \
  KECCAK_ROW(t, 0, 1, 2, 3, 4); \
  KECCAK_ROW(t, 5, 6, 7, 8, 9)
#define KECCAK_STEP_8(t)             \
  KECCAK_ROW(t, 10, 11, 12, 13, 14); \
  KECCAK_ROW(t, 15, 16, 17, 18, 19)
#define KECCAK_STEP_9(t, rc)         \
  KECCAK_ROW(t, 20, 21, 22, 23, 24); \
  t##0 = XOR_##t(t##0, SET_##t(rc))
#endif
