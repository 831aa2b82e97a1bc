/* yardstick.h: pieces of code whose cost is known, or at least always the same.

   A chain is a sequence of operations each of which waits for the result of the one before: it takes a known number
   of core cycles, whatever the frequency and whoever shares the core. The canary is the opposite: it wants every
   arithmetic unit at once, so that it slows down when another thread runs on the same core. */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H
#include <stdbool.h>
#include <stddef.h>

/* hundreds * 100 dependent multiplications. */
void chain_multiply(size_t hundreds);

/* hundreds * 100 dependent logical operations, one cycle each on every core we know of. */
void chain_logic(size_t hundreds);

/* Cycles of one multiplication of the chain; 0: differs from core to core, compare with chain_logic. */
extern const double chain_multiply_cycles;

/* False where both chains are portable C, and one cycle a step is no more than likely. */
extern const bool chain_is_exact;

/* hundreds * 100 additions in eight independent sequences. */
void canary(size_t hundreds);
#endif
