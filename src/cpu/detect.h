/* detect.h: from what the CPU and the operating system say to CELER_CPU_ bits. Pure functions, compiled on every
   architecture, so that a table of machines nobody here owns can test them. */
#ifndef CELER_DETECT_H
#define CELER_DETECT_H
#include "celer/cpu.h"

/* Raw answers of cpuid, and XCR0 (0 where OSXSAVE is clear: xgetbv is an illegal instruction then). */
struct cpu_x86_id {
    uint32_t max_leaf;             /* leaf 0: eax */
    uint32_t leaf1_eax, leaf1_ecx; /* family, model, stepping; features */
    uint32_t leaf7_ebx, leaf7_ecx; /* leaf 7, subleaf 0; zero below max_leaf 7 */
    uint32_t vendor;               /* leaf 0: ebx, the first four letters, as "Genu" or "Auth" */
    uint64_t xcr0;
};
uint32_t celer_cpu_detect_x86_(const struct cpu_x86_id *id);

/* hwcap: AT_HWCAP as Linux numbers it. midr: MIDR_EL1, or 0 where the system does not tell. Where cores differ, it is
   that of the core that ran the question. */
struct cpu_arm_id {
    uint64_t hwcap;
    uint64_t midr;
};
uint32_t celer_cpu_detect_arm_(const struct cpu_arm_id *id);
#endif
