/* msan.h: included before all else in the files of ML-KEM when MemorySanitizer compiles them, by tests/ct/run: what it does
   not know, in C that it does. */
#ifndef CT_MSAN_H
#define CT_MSAN_H

/* It takes for used what an asm statement reads, even an empty one that shall only keep compilers from being too clever. */
#define __asm__(...)

/* Of intrinsics that it does not know it takes the operands for used; or, where all are of one type, it takes each part of
   the result for as secret as the same parts of the operands, and so loses what is moved elsewhere. */
#ifdef __x86_64__
#  include <immintrin.h>
#  define CT_INLINE __attribute__((always_inline, target("avx512f"))) static inline

CT_INLINE __m512i ct_madd_epi16(__m512i a, __m512i b)
{
    short x[32], y[32];
    int sums[16];
    _mm512_storeu_si512(x, a);
    _mm512_storeu_si512(y, b);
    for (int i = 0; i < 16; i++)
        sums[i] = x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
    return _mm512_loadu_si512(sums);
}
#  define _mm512_madd_epi16 ct_madd_epi16

CT_INLINE __m512i ct_mask_compress_epi8(__m512i rest, unsigned long long mask, __m512i v)
{
    char from[64], to[64];
    _mm512_storeu_si512(from, v);
    _mm512_storeu_si512(to, rest);
    for (int i = 0, n = 0; i < 64; i++)
        if ((mask >> i & 1) != 0)
            to[n++] = from[i];
    return _mm512_loadu_si512(to);
}
#  define _mm512_mask_compress_epi8 ct_mask_compress_epi8

#  define CT_PERMUTE(bits, type)                                                      \
    CT_INLINE __m512i ct_permutex2var_epi##bits(__m512i a, __m512i places, __m512i b) \
    {                                                                                 \
      enum { N = 512 / bits };                                                        \
      type from[2 * N], at[N], to[N];                                                 \
      _mm512_storeu_si512(from, a);                                                   \
      _mm512_storeu_si512(from + N, b);                                               \
      _mm512_storeu_si512(at, places);                                                \
      for (int i = 0; i < N; i++) {                                                   \
        to[i] = 0;                                                                    \
        for (type j = 0; j < 2 * N; j++) /* the places may be secret */               \
          to[i] |= from[j] & (type) - (at[i] % (2 * N) == j);                         \
      }                                                                               \
      return _mm512_loadu_si512(to);                                                  \
    }                                                                                 \
    CT_INLINE __m512i ct_permutexvar_epi##bits(__m512i places, __m512i a)             \
    {                                                                                 \
      return ct_permutex2var_epi##bits(a, places, a);                                 \
    }
CT_PERMUTE(8, unsigned char)
CT_PERMUTE(16, unsigned short)
CT_PERMUTE(32, unsigned)
#  define _mm512_permutexvar_epi8   ct_permutexvar_epi8
#  define _mm512_permutexvar_epi16  ct_permutexvar_epi16
#  define _mm512_permutex2var_epi16 ct_permutex2var_epi16
#  define _mm512_permutex2var_epi32 ct_permutex2var_epi32

CT_INLINE __m512i ct_multishift_epi64_epi8(__m512i shifts, __m512i v)
{
    unsigned long long from[8];
    unsigned char by[64], to[64];
    _mm512_storeu_si512(from, v);
    _mm512_storeu_si512(by, shifts);
    for (int i = 0; i < 64; i++) {
        const unsigned long long x = from[i / 8];
        const int n = by[i] & 63;
        to[i] = (unsigned char)(n == 0 ? x : x >> n | x << (64 - n));
    }
    return _mm512_loadu_si512(to);
}
#  define _mm512_multishift_epi64_epi8 ct_multishift_epi64_epi8
#endif
#endif
