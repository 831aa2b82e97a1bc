/* cpu.h: what this CPU and operating system can run, and a way to restrict it. No program needs this header to
   hash; it is for tests, benchmarks and the curious. */
#ifndef CELER_CPU_H
#define CELER_CPU_H
#include "common.h"

/* Capabilities: instruction sets that the CPU has and whose registers the operating system saves. */
#define CELER_CPU_SSE41       (UINT32_C(1) << 0) /* with SSSE3 */
#define CELER_CPU_AVX         (UINT32_C(1) << 1)
#define CELER_CPU_BMI2        (UINT32_C(1) << 2) /* with BMI1 */
#define CELER_CPU_AVX2        (UINT32_C(1) << 3)
#define CELER_CPU_SHANI       (UINT32_C(1) << 4)
#define CELER_CPU_AVX512F     (UINT32_C(1) << 5)
#define CELER_CPU_AVX512VL    (UINT32_C(1) << 6)
#define CELER_CPU_AVX512BW    (UINT32_C(1) << 7)
#define CELER_CPU_AVX512VBMI2 (UINT32_C(1) << 8) /* with VBMI */
#define CELER_CPU_NEON        (UINT32_C(1) << 12)
#define CELER_CPU_ARMSHA2     (UINT32_C(1) << 13)
#define CELER_CPU_ARMSHA3     (UINT32_C(1) << 14)
#define CELER_CPU_ARMSHA512   (UINT32_C(1) << 15)

/* Preferences: no abilities, but which of two usable rows is the faster one on this core. Each stands for a row that
   was measured to win there; on Arm, by others who published figures of code of the same kind. */
#define CELER_CPU_FAST_HYBRID (UINT32_C(1) << 16) /* Keccak x1 as keccak_hybrid.c: Zen 5 */
#define CELER_CPU_FAST_SHA3   (UINT32_C(1) << 17) /* Keccak as keccak_armsha3.c: Apple's */
#define CELER_CPU_FAST_NEON   (UINT32_C(1) << 18) /* Keccak and BLAKE2b in NEON lanes: others out of order */
/* Keccak and BLAKE2 x1 in NEON: no core. The rows are there to be measured, by their name. */
#define CELER_CPU_FAST_NEON_X1 (UINT32_C(1) << 19)
#define CELER_CPU_FAST_SIMD_X1 (UINT32_C(1) << 20) /* BLAKE2 x1 in vectors: x86-64 cores but Zen 5 */
#define CELER_CPU_FAST_X8      (UINT32_C(1) << 21) /* Keccak x8 takes little longer than x4: Zen 5 */
#define CELER_CPU_FAST_ALL     (UINT32_C(0x7fff) << 16)

/* The mask that allows whatever was detected. */
#define CELER_CPU_AUTO UINT32_C(0xffffffff)

/* What every row of a backend table begins with: an instruction set, the bits it needs, and the number of
   states or messages it works on at once. A row is usable when no bit of needs is outside the features. */
struct celer_backend {
    const char *name; /* "scalar" "bmi2" "avx512" "shani" ... */
    uint32_t needs;
    uint32_t ways;
};

/* A table of rows, best first, seen without its function types. The first usable row of a width is the one that
   works. Celer's own tables only; obtained from struct celer_hash. */
struct celer_kernel {
    const char *name; /* "keccak" "sha256" ... */
    const void *rows;
    size_t row_size, count;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Capability and preference bits of this machine. Determined once, at the first call. */
CELER_API uint32_t celer_cpu_detected(void);

/* Restricts every later call of the library, in all threads, to rows whose needs lie in `allow`; CELER_CPU_AUTO
   lifts the restriction. Any other value means (detected & allow), plus the preference bits of `allow` whether
   detected or not. Safe at any time: states look the same to every backend, so a computation that is under way
   continues on another row. Returns the former mask. */
CELER_API uint32_t celer_cpu_mask(uint32_t allow);

/* Name of capability or preference bit number `bit` (0..31), such as "avx2"; NULL where no bit is defined. */
CELER_API const char *celer_cpu_bit_name(unsigned bit);

/* Row i of a kernel's table; NULL past the last. */
CELER_API const struct celer_backend *celer_kernel_row(const struct celer_kernel *kernel, size_t i);

/* The row that would now be used for `ways` (detection and mask applied); NULL when there is none. */
CELER_API const struct celer_backend *celer_kernel_choice(const struct celer_kernel *kernel, uint32_t ways);

#ifdef __cplusplus
}
#endif
#endif
