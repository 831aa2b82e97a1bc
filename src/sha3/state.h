/* state.h: the bytes of a Keccak state, whose lanes lie `ways` numbers apart: 1, or as many as there are states side by
   side. s points to lane 0 of the state. Byte `pos` of it is byte pos % 8 of lane pos / 8, FIPS 202 section 3.1.2. */
#ifndef CELER_STATE_H
#define CELER_STATE_H
#include "base/bytes.h"

/* The state ^= len bytes at in, from byte `pos` on. pos + len <= 200. */
static inline void state_xor(uint64_t *s, size_t ways, size_t pos, const uint8_t *in, size_t len)
{
    for (; len > 0 && pos % 8 != 0; pos++, len--)
        s[pos / 8 * ways] ^= (uint64_t)*in++ << 8 * (pos % 8);
    s += pos / 8 * ways;
    for (; len >= 8; s += ways, len -= 8, in += 8)
        *s ^= load64_le(in);
    for (unsigned shift = 0; len > 0; shift += 8, len--)
        *s ^= (uint64_t)*in++ << shift;
}

/* len bytes of the state, from byte `pos` on, to out. pos + len <= 200. */
static inline void state_extract(uint8_t *out, const uint64_t *s, size_t ways, size_t pos, size_t len)
{
    for (; len > 0 && pos % 8 != 0; pos++, len--)
        *out++ = (uint8_t)(s[pos / 8 * ways] >> 8 * (pos % 8));
    s += pos / 8 * ways;
    for (; len >= 8; s += ways, len -= 8, out += 8)
        store64_le(out, *s);
    for (unsigned shift = 0; len > 0; shift += 8, len--)
        *out++ = (uint8_t)(*s >> shift);
}

/* pad10*1 after the suffix's first 1 bit, FIPS 202 section 5.1. A suffix that fills its byte beyond the block's last
   bit cannot be: the caller sees to it. */
static inline void state_pad(uint64_t *s, size_t ways, size_t pos, size_t rate, unsigned suffix)
{
    s[pos / 8 * ways] ^= (uint64_t)suffix << 8 * (pos % 8);
    s[(rate / 8 - 1) * ways] ^= UINT64_C(1) << 63;
}
#endif
