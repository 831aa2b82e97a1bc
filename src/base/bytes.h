/* bytes.h: the only place that knows byte order and alignment. Compilers turn each function into one
   instruction (two where the order differs). */
#ifndef CELER_BYTES_H
#define CELER_BYTES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#  define CELER_LITTLE_ENDIAN 1
#else
#  define CELER_LITTLE_ENDIAN 0
#endif

static inline uint64_t load64_le(const uint8_t *p)
{
    uint64_t v = 0;
#if CELER_LITTLE_ENDIAN
    memcpy(&v, p, 8);
#else
    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << (8 * i);
#endif
    return v;
}

static inline uint32_t load32_le(const uint8_t *p)
{
    uint32_t v = 0;
#if CELER_LITTLE_ENDIAN
    memcpy(&v, p, 4);
#else
    for (unsigned i = 0; i < 4; i++)
        v |= (uint32_t)p[i] << (8 * i);
#endif
    return v;
}

static inline void store32_le(uint8_t *p, uint32_t v)
{
#if CELER_LITTLE_ENDIAN
    memcpy(p, &v, 4);
#else
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (8 * i));
#endif
}

static inline void store64_le(uint8_t *p, uint64_t v)
{
#if CELER_LITTLE_ENDIAN
    memcpy(p, &v, 8);
#else
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> (8 * i));
#endif
}

/* Byte by byte where the order of the host is not known to be little-endian. Else as one word: from a run of byte
   stores, gcc 12 at -O3 makes vector code that is slower than the bytes. */
static inline uint32_t load32_be(const uint8_t *p)
{
#if CELER_LITTLE_ENDIAN
    uint32_t v;
    memcpy(&v, p, 4);
    return __builtin_bswap32(v);
#else
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
#endif
}

static inline void store32_be(uint8_t *p, uint32_t v)
{
#if CELER_LITTLE_ENDIAN
    v = __builtin_bswap32(v);
    memcpy(p, &v, 4);
#else
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
#endif
}

static inline uint64_t load64_be(const uint8_t *p)
{
#if CELER_LITTLE_ENDIAN
    uint64_t v;
    memcpy(&v, p, 8);
    return __builtin_bswap64(v);
#else
    return (uint64_t)load32_be(p) << 32 | load32_be(p + 4);
#endif
}

static inline void store64_be(uint8_t *p, uint64_t v)
{
    store32_be(p, (uint32_t)(v >> 32));
    store32_be(p + 4, (uint32_t)v);
}

/* n zero bytes at p. In pieces, because gcc makes a slow string instruction of a memset longer than 64 bytes. */
static inline void zero_bytes(void *p, size_t n)
{
    unsigned char *c = p;
    for (; n > 64; n -= 64, c += 64)
        memset(c, 0, 64);
    memset(c, 0, n);
}

/* memcpy, for which n = 0 with a null pointer is allowed. */
static inline void copy_bytes(void *to, const void *from, size_t n)
{
    if (n != 0)
        memcpy(to, from, n);
}
#endif
