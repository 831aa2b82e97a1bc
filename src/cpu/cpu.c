/* cpu.c: asks the machine once, keeps the mask, picks rows. */
#include "cpu/cpu.h"
#include "cpu/detect.h"

#if CELER_X86
#  include <cpuid.h>

static uint32_t cpu_ask(void)
{
    struct cpu_x86_id id = {0};
    uint32_t a, b, c, d;
    if (!__get_cpuid(0, &id.max_leaf, &id.vendor, &c, &d) || !__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    id.leaf1_eax = a;
    id.leaf1_ecx = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        id.leaf7_ebx = b;
        id.leaf7_ecx = c;
    }
    if (id.leaf1_ecx >> 27 & 1) { /* OSXSAVE: xgetbv exists */
        uint32_t low, high;
        __asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        id.xcr0 = (uint64_t)high << 32 | low;
    }
    return celer_cpu_detect_x86_(&id);
}
#elif CELER_ARM && defined(__linux__)
#  include <sys/auxv.h>

static uint32_t cpu_ask(void)
{
    struct cpu_arm_id id = {.hwcap = getauxval(AT_HWCAP)};
    if (id.hwcap >> 11 & 1) /* HWCAP_CPUID: the kernel lets programs read the identification registers */
        __asm__("mrs %0, MIDR_EL1" : "=r"(id.midr));
    return celer_cpu_detect_arm_(&id);
}
#elif CELER_ARM && defined(__APPLE__)
#  include <sys/sysctl.h>

static int cpu_sysctl_is_set(const char *name)
{
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

static uint32_t cpu_ask(void)
{
    /* What every Apple core has; and the implementer, for programs cannot read the register. */
    struct cpu_arm_id id = {.hwcap = UINT64_C(1) << 1 | UINT64_C(1) << 6, .midr = UINT64_C(0x61) << 24};
    id.hwcap |= (uint64_t)cpu_sysctl_is_set("hw.optional.arm.FEAT_SHA3") << 17;
    id.hwcap |= (uint64_t)cpu_sysctl_is_set("hw.optional.arm.FEAT_SHA512") << 21;
    return celer_cpu_detect_arm_(&id);
}
#elif CELER_ARM

static uint32_t cpu_ask(void)
{
    const struct cpu_arm_id id = {.hwcap = UINT64_C(1) << 1}; /* ASIMD is part of the base architecture */
    return celer_cpu_detect_arm_(&id);
}
#endif

#if CELER_X86 || CELER_ARM
#  define CPU_KNOWN (UINT32_C(1) << 31) /* outside capabilities and preferences */

static _Atomic uint32_t cpu_detected; /* 0 until asked */
static _Atomic uint32_t cpu_mask = CELER_CPU_AUTO;
_Atomic uint32_t celer_cpu_generation_ = 1;

/* Threads that race here ask twice and store the same answer. */
uint32_t celer_cpu_detected(void)
{
    uint32_t f = atomic_load_explicit(&cpu_detected, memory_order_relaxed);
    if (f == 0) {
        f = cpu_ask() | CPU_KNOWN;
        atomic_store_explicit(&cpu_detected, f, memory_order_relaxed);
    }
    return f & ~CPU_KNOWN;
}

uint32_t celer_cpu_features_(void)
{
    const uint32_t allow = atomic_load_explicit(&cpu_mask, memory_order_relaxed);
    const uint32_t f = celer_cpu_detected();
    return allow == CELER_CPU_AUTO ? f : (f & allow & ~CELER_CPU_FAST_ALL) | (allow & CELER_CPU_FAST_ALL);
}

/* The mask first, the generation after it: a reader that sees the new generation also sees the new mask, and a
   choice made from an old mask carries an old generation. */
uint32_t celer_cpu_mask(uint32_t allow)
{
    const uint32_t former = atomic_exchange(&cpu_mask, allow);
    uint32_t g = atomic_load(&celer_cpu_generation_), next;
    do {
        next = (g + 1) & 0xffffff;
        if (next == 0)
            next = 1;
    } while (!atomic_compare_exchange_weak(&celer_cpu_generation_, &g, next));
    return former;
}

const void *celer_cpu_pick_(struct cpu_choice *c, const struct celer_kernel *k, uint32_t n, cpu_rule *rule)
{
    const uint32_t g = atomic_load(&celer_cpu_generation_);
    const struct celer_backend *row = rule(k, n);
    uint32_t low = 255;
    if (row != NULL)
        low = (uint32_t)(((const unsigned char *)row - (const unsigned char *)k->rows) /
                         (ptrdiff_t)k->row_size) +
              1;
    atomic_store_explicit(&c->word, g << 8 | low, memory_order_relaxed);
    return row;
}
#else
uint32_t celer_cpu_detected(void)
{
    return 0;
}

uint32_t celer_cpu_features_(void)
{
    return 0;
}

uint32_t celer_cpu_mask(uint32_t allow)
{
    (void)allow;
    return CELER_CPU_AUTO;
}
#endif

const char *celer_cpu_bit_name(unsigned bit)
{
    static const char *const names[32] = {
        [0] = "sse4.1",        [1] = "avx",           [2] = "bmi2",       [3] = "avx2",
        [4] = "sha-ni",        [5] = "avx512f",       [6] = "avx512vl",   [7] = "avx512bw",
        [8] = "avx512vbmi2",   [12] = "neon",         [13] = "sha2",      [14] = "sha3",
        [15] = "sha512",       [16] = "fast-hybrid",  [17] = "fast-sha3", [18] = "fast-neon",
        [19] = "fast-neon-x1", [20] = "fast-simd-x1", [21] = "fast-x8",
    };
    return bit < 32 ? names[bit] : NULL;
}

const struct celer_backend *celer_kernel_row(const struct celer_kernel *kernel, size_t i)
{
    if (i >= kernel->count)
        return NULL;
    return (const struct celer_backend *)(const void *)((const unsigned char *)kernel->rows +
                                                        i * kernel->row_size);
}

const struct celer_backend *celer_kernel_choice(const struct celer_kernel *kernel, uint32_t ways)
{
    const uint32_t features = celer_cpu_features_();
    for (size_t i = 0; i < kernel->count; i++) {
        const struct celer_backend *row = celer_kernel_row(kernel, i);
        if (row->ways == ways && (row->needs & ~features) == 0)
            return row;
    }
    return NULL;
}
