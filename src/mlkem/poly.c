/* poly.c: the table of rows of ML-KEM's arithmetic, best first, and what rows share. */
#include "mlkem/poly.h"

const int16_t celer_poly_gammas_mont_[128] = {
    -1103, 1103,  430,   -430,  555,   -555,  843,   -843,  -1251, 1251, 871,   -871,  1550, -1550, 105,
    -105,  422,   -422,  587,   -587,  177,   -177,  -235,  235,   -291, 291,   -460,  460,  1574,  -1574,
    1653,  -1653, -246,  246,   778,   -778,  1159,  -1159, -147,  147,  -777,  777,   1483, -1483, -602,
    602,   1119,  -1119, -1590, 1590,  644,   -644,  -872,  872,   349,  -349,  418,   -418, 329,   -329,
    -156,  156,   -75,   75,    817,   -817,  1097,  -1097, 603,   -603, 610,   -610,  1322, -1322, -1285,
    1285,  -1465, 1465,  384,   -384,  -1215, 1215,  -136,  136,   1218, -1218, -1335, 1335, -874,  874,
    220,   -220,  -1187, 1187,  -1659, 1659,  -1185, 1185,  -1530, 1530, -1278, 1278,  794,  -794,  -1510,
    1510,  -854,  854,   -870,  870,   478,   -478,  -108,  108,   -308, 308,   996,   -996, 991,   -991,
    958,   -958,  -1460, 1460,  1522,  -1522, 1628,  -1628,
};

static const struct poly_backend poly_rows[] = {
#if CELER_X86
    {{"avx512",
      CELER_CPU_AVX512F | CELER_CPU_AVX512VL | CELER_CPU_AVX512BW | CELER_CPU_AVX512VBMI2 | CELER_CPU_BMI2,
      1},
     &celer_poly_avx512_},
    {{"avx2", CELER_CPU_AVX2 | CELER_CPU_BMI2, 1}, &celer_poly_avx2_},
    {{"bmi2", CELER_CPU_BMI2, 1}, &celer_poly_scalar_}, /* so that Keccak's code of that name goes with it */
#endif
#if CELER_ARM
    {{"neon", CELER_CPU_NEON, 1}, &celer_poly_neon_},
#endif
    {{"scalar", 0, 1}, &celer_poly_scalar_},
};

const struct celer_kernel celer_poly_kernel_ = {
    "mlkem",
    poly_rows,
    sizeof poly_rows[0],
    sizeof poly_rows / sizeof poly_rows[0],
};

static struct cpu_choice poly_choice;

const struct poly_functions *celer_poly_(void)
{
    return ((const struct poly_backend *)cpu_choose(&poly_choice, &celer_poly_kernel_, 1))->functions;
}
