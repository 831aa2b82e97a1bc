/* yardstick.c: see yardstick.h. Operations with an immediate or an address computation (inc, add 1, lea) are not to be
   used in a chain: recent cores fold them away when they rename registers, and a chain of them runs several times
   too fast. */
#include "yardstick.h"
#include <stdint.h>

#define TEN(x)     x x x x x x x x x x
#define HUNDRED(x) TEN(TEN(x))

#if defined(__x86_64__)
#  define MULTIPLY "imul %1, %0\n\t"
#  define LOGIC    "ror $7, %0\n\t"
const double chain_multiply_cycles = 3; /* Intel since 2006, AMD since 2007 (on 64 bits since Zen) */
const bool chain_is_exact = true;
#elif defined(__aarch64__)
#  define MULTIPLY "mul %0, %0, %1\n\t"
#  define LOGIC    "eor %0, %0, %1\n\t"
const double chain_multiply_cycles = 0; /* 2 to 5 */
const bool chain_is_exact = true;
#else
const double chain_multiply_cycles = 1; /* no multiplications here: additions */
const bool chain_is_exact = false;
#endif

#if defined(MULTIPLY)
void chain_multiply(size_t hundreds)
{
    uint64_t x = 3, by = 5;
    for (; hundreds > 0; hundreds--)
        __asm__ __volatile__(HUNDRED(MULTIPLY) : "+r"(x) : "r"(by) : "cc");
}

void chain_logic(size_t hundreds)
{
    uint64_t x = 3, by = 5;
    for (; hundreds > 0; hundreds--)
        __asm__ __volatile__(HUNDRED(LOGIC) : "+r"(x) : "r"(by) : "cc");
}
#else
/* The empty asm hides each value from the compiler, which has to compute it in a register. */
#  define OPAQUE(x) __asm__ __volatile__("" : "+r"(x))

void chain_multiply(size_t hundreds)
{
    unsigned long x = 3, by = 5;
    OPAQUE(by);
    for (; hundreds > 0; hundreds--) {
        HUNDRED(x += by; OPAQUE(x);)
    }
}

void chain_logic(size_t hundreds)
{
    unsigned long x = 3, by = 5;
    OPAQUE(by);
    for (; hundreds > 0; hundreds--) {
        HUNDRED(x ^= by; OPAQUE(x);)
    }
}
#endif

#define ADD(x) \
  x += by;     \
  __asm__ __volatile__("" : "+r"(x));
#define ADD_EIGHT ADD(a) ADD(b) ADD(c) ADD(d) ADD(e) ADD(f) ADD(g) ADD(h)

void canary(size_t hundreds)
{
    unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, by = 9;
    __asm__ __volatile__("" : "+r"(by));
    for (size_t n = hundreds * 100; n >= 80; n -= 80) {
        TEN(ADD_EIGHT)
    }
}
