/* cpu.h: one way to choose a row of a backend table, for every kernel. */
#ifndef CELER_SRC_CPU_H
#define CELER_SRC_CPU_H
#include "celer/cpu.h"
#include "base/isa.h"

/* The bits that rows may use now: detected, restricted by the mask. */
uint32_t celer_cpu_features_(void);

/* Which row of a kernel serves a number n: celer_kernel_choice, where n is a width, or another rule. Its answer may
   depend on the mask, and on nothing else that changes. */
typedef const struct celer_backend *cpu_rule(const struct celer_kernel *kernel, uint32_t n);

#if CELER_X86 || CELER_ARM
#  include <stdatomic.h>

/* A cached choice, one per kernel and n: generation << 8 | index of the row + 1 in one word, so that no reader
   sees half of it. Zero: not chosen yet. 255 in the low byte: there is no such row. celer_cpu_mask starts a new
   generation, so stale choices die by themselves and nothing has to find them. */
struct cpu_choice {
    _Atomic uint32_t word;
};

extern _Atomic uint32_t celer_cpu_generation_;
const void *celer_cpu_pick_(struct cpu_choice *c, const struct celer_kernel *k, uint32_t n, cpu_rule *rule);

/* The row that the rule gives; may be NULL. Costs two relaxed loads once chosen. */
static inline const void *cpu_choose_by(cpu_rule *rule, struct cpu_choice *c, const struct celer_kernel *k,
                                        uint32_t n)
{
    uint32_t w = atomic_load_explicit(&c->word, memory_order_relaxed);
    uint32_t g = atomic_load_explicit(&celer_cpu_generation_, memory_order_relaxed);
    if ((w ^ g << 8) - 1 < 254) /* same generation, a row */
        return (const unsigned char *)k->rows + ((w & 255) - 1) * k->row_size;
    if ((w ^ g << 8) == 255) /* same generation, no row */
        return NULL;
    return celer_cpu_pick_(c, k, n, rule);
}
#else
/* No SIMD, no atomics, no threads to agree with: the tables hold scalar rows only. */
struct cpu_choice {
    char unused;
};

static inline const void *cpu_choose_by(cpu_rule *rule, struct cpu_choice *c, const struct celer_kernel *k,
                                        uint32_t n)
{
    (void)c;
    return rule(k, n);
}
#endif

/* The first usable row of `ways`; NULL when there is none. */
static inline const void *cpu_choose(struct cpu_choice *c, const struct celer_kernel *k, uint32_t ways)
{
    return cpu_choose_by(celer_kernel_choice, c, k, ways);
}
#endif
