/* cpu.h: one way to choose a row of a backend table, for every kernel. */
#ifndef CELER_SRC_CPU_H
#define CELER_SRC_CPU_H
#include "celer/cpu.h"
#include "base/isa.h"

/* The bits that rows may use now: detected, restricted by the mask. */
uint32_t celer_cpu_features_(void);

#if CELER_X86 || CELER_ARM
#  include <stdatomic.h>

/* A cached choice, one per kernel and width: generation << 8 | index of the row + 1 in one word, so that no reader
   sees half of it. Zero: not chosen yet. 255 in the low byte: there is no such row. celer_cpu_mask starts a new
   generation, so stale choices die by themselves and nothing has to find them. */
struct cpu_choice {
    _Atomic uint32_t word;
};

extern _Atomic uint32_t celer_cpu_generation_;
const void *celer_cpu_pick_(struct cpu_choice *c, const struct celer_kernel *k, uint32_t ways);

/* The first usable row of `ways`; NULL when there is none. Costs two relaxed loads once chosen. */
static inline const void *cpu_choose(struct cpu_choice *c, const struct celer_kernel *k, uint32_t ways)
{
    uint32_t w = atomic_load_explicit(&c->word, memory_order_relaxed);
    uint32_t g = atomic_load_explicit(&celer_cpu_generation_, memory_order_relaxed);
    if ((w ^ g << 8) - 1 < 254) /* same generation, a row */
        return (const unsigned char *)k->rows + ((w & 255) - 1) * k->row_size;
    return celer_cpu_pick_(c, k, ways);
}
#else
/* No SIMD, no atomics, no threads to agree with: the tables hold scalar rows only. */
struct cpu_choice {
    char unused;
};

static inline const void *cpu_choose(struct cpu_choice *c, const struct celer_kernel *k, uint32_t ways)
{
    (void)c;
    return celer_kernel_choice(k, ways);
}
#endif
#endif
