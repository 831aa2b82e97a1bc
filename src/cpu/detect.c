/* detect.c: see detect.h. Bit positions: Intel SDM volume 2A (CPUID), AMD APM volume 3 appendix E, and
   arch/arm64/include/uapi/asm/hwcap.h of Linux. */
#include "cpu/detect.h"

#define BIT(word, n) (((word) >> (n)) & 1)

#define XCR0_AVX    0x06u /* xmm and ymm state */
#define XCR0_AVX512 0xe6u /* also opmask, upper halves of zmm0-15, and zmm16-31 */

#define VENDOR_AMD 0x68747541u /* "Auth" */

/* The family as vendors print it: the extended field counts where the base field is full. */
static uint32_t x86_family(uint32_t leaf1_eax)
{
    const uint32_t base = leaf1_eax >> 8 & 15, extended = leaf1_eax >> 20 & 255;
    return base == 15 ? base + extended : base;
}

uint32_t celer_cpu_detect_x86_(const struct cpu_x86_id *id)
{
    const uint32_t c1 = id->leaf1_ecx;
    const uint32_t b7 = id->max_leaf >= 7 ? id->leaf7_ebx : 0;
    const uint32_t c7 = id->max_leaf >= 7 ? id->leaf7_ecx : 0;
    const uint64_t xcr0 = BIT(c1, 27) ? id->xcr0 : 0; /* OSXSAVE */
    const int is_zen5 = id->vendor == VENDOR_AMD && x86_family(id->leaf1_eax) == 0x1a;
    uint32_t f = 0;

    if (BIT(c1, 9) && BIT(c1, 19)) {
        f |= CELER_CPU_SSE41;
        /* Its vector units take two cycles for what those of others, and its general registers, do in one. */
        if (!is_zen5)
            f |= CELER_CPU_FAST_SIMD_X1;
    }
    if (BIT(b7, 3) && BIT(b7, 8)) /* general registers only: nothing for the system to save */
        f |= CELER_CPU_BMI2;
    if (BIT(b7, 29) && (f & CELER_CPU_SSE41))
        f |= CELER_CPU_SHANI;
    if (BIT(c1, 28) && (xcr0 & XCR0_AVX) == XCR0_AVX)
        f |= CELER_CPU_AVX;
    if (BIT(b7, 5) && (f & CELER_CPU_AVX))
        f |= CELER_CPU_AVX2;
    if (BIT(b7, 16) && (f & CELER_CPU_AVX2) && (xcr0 & XCR0_AVX512) == XCR0_AVX512) {
        f |= CELER_CPU_AVX512F;
        if (BIT(b7, 31))
            f |= CELER_CPU_AVX512VL;
        if (BIT(b7, 30))
            f |= CELER_CPU_AVX512BW;
        if (BIT(c7, 6) && BIT(c7, 1))
            f |= CELER_CPU_AVX512VBMI2;
        if (is_zen5)
            f |= CELER_CPU_FAST_HYBRID | CELER_CPU_FAST_X8;
    }
    return f;
}

#define IMPLEMENTER_ARM   0x41u
#define IMPLEMENTER_APPLE 0x61u

static int arm_is_apple(uint64_t midr)
{
    return (midr >> 24 & 0xff) == IMPLEMENTER_APPLE;
}

/* Cores that run in order, with narrow vector units: states in vectors take Cortex-A55 longer than one after the other
   in general registers, and the rest are built like it. */
static int arm_is_in_order(uint64_t midr)
{
    static const uint16_t parts[] = {
        0xd03 /* Cortex-A53 */, 0xd04 /* A35 */, 0xd05 /* A55 */, 0xd46 /* A510 */, 0xd80 /* A520 */,
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if ((midr >> 24 & 0xff) == IMPLEMENTER_ARM && (midr >> 4 & 0xfff) == parts[i])
            return 1;
    return 0;
}

uint32_t celer_cpu_detect_arm_(const struct cpu_arm_id *id)
{
    uint32_t f = 0;
    if (BIT(id->hwcap, 1)) { /* ASIMD */
        f |= CELER_CPU_NEON;
        if (BIT(id->hwcap, 6))
            f |= CELER_CPU_ARMSHA2;
        if (BIT(id->hwcap, 17))
            f |= CELER_CPU_ARMSHA3;
        if (BIT(id->hwcap, 21))
            f |= CELER_CPU_ARMSHA512;
        /* Apple's cores execute the SHA3 instructions in all of their vector units, Arm's in one of two or four. */
        if ((f & CELER_CPU_ARMSHA3) && arm_is_apple(id->midr))
            f |= CELER_CPU_FAST_SHA3;
        else if (!arm_is_in_order(id->midr))
            f |= CELER_CPU_FAST_NEON;
    }
    return f;
}
